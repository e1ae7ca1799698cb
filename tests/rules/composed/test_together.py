"""``together``: cards that go up to foundations at the same time."""

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

import pytest

from cadogan.rules.explain import explain
from tests.rules.composed.reading import MANY, chance, dealt, read_game
from tests.rules.composed.table import Piles, is_down, table

GAME: Final = """
name  = "Together"
aim   = "heap is empty"
ranks = "A 2 3 4 5"
packs = 2

[ups]
role  = "foundation"
piles = 2
base  = "ace"
build = "up"

[downs]
role  = "foundation"
piles = 2
base  = "five"
build = "down in suit"

[row]
role  = "reserve"
piles = 4

[side]
role  = "reserve"
piles = 2

[heap]
role = "discard"

[stock]

[[layout]]
deal = 1
from = "stock"
to   = "heap"

{layout}

[counters.probed]

{probes}

[[rule]]
name = "couple"
{rule}
"""
RANKS: Final = "A2345"
GROUPS: Final = {"row": ["row.1", "row.2", "row.3", "row.4"], "side": ["side.1", "side.2"]}
FOUNDATIONS: Final = {"ups": ["ups.1", "ups.2"], "downs": ["downs.1", "downs.2"]}
PILES: Final = [*GROUPS["row"], *GROUPS["side"]]
# Conditions on single piles keep the kernel from leaving out places that are alike.
PROBES: Final = "".join(
    f'[[rule]]\nname = "probe {pile}"\nset = {{ probed = {number} }}\n'
    f'when = "top of {pile} is the ace of clubs"\n'
    for number, pile in enumerate((*PILES, *FOUNDATIONS["ups"], *FOUNDATIONS["downs"]), 1)
)
FROM: Final = {
    "row": GROUPS["row"],
    "side": GROUPS["side"],
    "row and side": PILES,
    "row.1": ["row.1"],
    "row.2 and side": ["row.2", *GROUPS["side"]],
}
HOLDS: Final = (1, 2, "any number", "at least 2")
MATCHES: Final[dict[str, Callable[[Sequence[str]], bool]]] = {
    "any rank in suit": lambda cards: len({card[1] for card in cards}) == 1,
    "same rank": lambda cards: len({card[0] for card in cards}) == 1,
    "adding to 6": lambda cards: sum(RANKS.index(card[0]) + 1 for card in cards) == 6,
    "up": lambda cards: abs(RANKS.index(cards[0][0]) - RANKS.index(cards[1][0])) == 1,
    "a five and an ace": lambda cards: {card[0] for card in cards} == {"5", "A"},
    "a red card and a black card": lambda cards: len({card[1] in "DH" for card in cards}) == 2,
}
_TOLD: Final = {
    "any rank in suit": ("they are of the same suit", "sie von derselben Farbe sind"),
    "same rank": ("they are of the same rank", "sie vom selben Wert sind"),
    "adding to 6": ("add up to 6", "sie zusammen 6 ergeben"),
    "up": ("is one rank higher, whatever", "um einen Wert höher ist"),
    "a five and an ace": ("they are a five and an ace", "es eine Fünf und ein Ass sind"),
    "a red card and a black card": (
        "they are a red card and a black card",
        "es eine rote Karte und eine schwarze Karte sind",
    ),
}
Part = tuple[str, int | str]


@dataclass
class Rule:
    """What a rule asks for: piles and how many cards they hold, and what else."""

    parts: list[Part]
    to: str
    match: str = ""
    only: bool = False
    in_turn: bool = False

    @property
    def text(self) -> str:
        parts = ", ".join(
            f'{{ from = "{source}", holds = {repr(holds).replace(chr(39), chr(34))} }}'
            for source, holds in self.parts
        )
        text = f'together = [{parts}]\nto = "{self.to}"\n'
        text += f'match = "{self.match}"\n' if self.match else ""
        text += 'only = "if blocked"\n' if self.only else ""
        return f"{text}in_turn = true\n" if self.in_turn else text

    @property
    def number(self) -> int:
        return sum(2 if holds == 2 else 1 for _, holds in self.parts)

    @property
    def says_nothing(self) -> bool:
        alone = len(self.parts) < 2
        wrong = self.number == 1 or (self.number > 2 and self.match.startswith("a "))
        return (
            (wrong and self.match != "")
            or (alone and (self.only or self.in_turn))
            or (self.in_turn and self.number > 2)
        )

    def moves(self, piles: Piles) -> set[frozenset[str]]:
        """The piles whose cards may go up together."""
        found = set()
        for names in product(*(FROM[source] for source, _ in self.parts)):
            taken = [
                cards_of(piles[name], holds)
                for name, (_, holds) in zip(names, self.parts, strict=True)
            ]
            cards = [card for some in taken for card in some]
            if len(set(names)) < len(names) or not all(taken):
                continue
            if self.match and not MATCHES[self.match](cards):
                continue
            if self.only and any(self.go_up(piles, some) for some in taken):
                continue
            if self.go_up(piles, cards):
                found.add(frozenset(names))
        return found

    def go_up(self, piles: Piles, cards: Sequence[str]) -> bool:
        """Whether cards can go up one after the other, in some order or in turn."""
        if not cards:
            return True
        for number, card in enumerate(cards[:1] if self.in_turn else cards):
            rest = [*cards[:number], *cards[number + 1 :]]
            for name in (name for group in self.to.split(" and ") for name in FOUNDATIONS[group]):
                if comes_next(name, piles[name], card) and self.go_up(
                    {**piles, name: [*piles[name], card]}, rest
                ):
                    return True
        return False


def comes_next(name: str, held: list[str], card: str) -> bool:
    rank = RANKS.index(card[0])
    if name.startswith("ups"):
        return rank == len(held)
    return rank == 4 - len(held) and (not held or held[-1][1] == card[1])


def cards_of(held: list[str], holds: int | str) -> list[str]:
    """The cards of a pile that go up: all of one or two, or the top card."""
    if isinstance(holds, int):
        fine = len(held) == holds and not any(map(is_down, held))
        return held[::-1] if fine else []
    least = 2 if holds == "at least 2" else 1
    return held[-1:] if len(held) >= least and not is_down(held[-1]) else []


def compose(draw: random.Random) -> Rule:
    parts: list[Part] = [
        (draw.choice([*FROM]), draw.choice(HOLDS)) for _ in range(draw.choice((1, 2, 2, 2)))
    ]
    if len(parts) == 2 and draw.random() < 0.3:
        parts[1] = parts[0]
    rule = Rule(parts, draw.choice(("ups", "downs", "ups and downs")))
    if draw.random() < 0.5:
        rule.match = draw.choice([*MATCHES])
        rule.match = "same rank" if rule.match == "up" and rule.number > 2 else rule.match
    rule.only, rule.in_turn = draw.random() < 0.3, draw.random() < 0.3
    if rule.says_nothing and draw.random() < 0.8:
        rule.match, rule.only, rule.in_turn = "", False, False
    return rule


def lay_out(draw: random.Random) -> str:
    return "".join(
        f'[[layout]]\ndeal = {number}\nfrom = "stock"\nto = "{name}"\nface = "{face}"\n'
        for name in PILES
        for face in ("down", "up")
        if (number := draw.choice((0, 0, 0, 1) if face == "down" else (0, 1, 1, 2, 2, 3)))
    )


# What the words of the explanation say, read without the phrase.

_PLACES: Final = {"first": "row.1", "second": "row.2", "erst": "row.1", "zweit": "row.2"}
_HOLDING: Final = (
    (1, r"card that lies alone in|Karte, die allein in"),
    (2, r"the two cards of .*exactly two|die beiden Karten .*genau zwei"),
    ("at least 2", r"the top card of .*at least two|die oberste Karte .*mindestens zwei"),
    ("any number", r"the top card of|die oberste Karte"),
)


def told(text: str) -> Rule:
    """What the sentence on cards that go up together says."""
    words = re.search(
        r"(?P<who>[^.]+?),? may go to (?P<how>[^.]+?), n(?:either|one) without .+? comes next"
        r"(?P<also>[^.]*)\.",
        text,
    ) or re.search(
        r"(?P<who>[^.]+?),? dürfen (?P<how>[^.]+?), keine ohne .+? die nächste ist"
        r"(?P<also>[^.]*)\.",
        text,
    )
    assert words is not None, text
    who, how, also = words["who"], words["how"], words["also"]
    who = who.strip()
    who = who[:1].lower() + who[1:]
    start = r"(?:, und | and )(?=the t|a card|another card|die |eine )"
    parts = [_part(part) for part in re.split(start, who)]
    to = [group for group in ("ups", "downs") if group in how]
    matches = [match for match, told in _TOLD.items() if any(each in also for each in told)]
    assert len(matches) < 2, text
    return Rule(
        parts,
        " and ".join(to),
        matches[0] if matches else "",
        only="neither pile could go up alone" in also or "kein Stapel für sich" in also,
        in_turn="one after the other, in this order" in how or "nacheinander, in dieser" in how,
    )


def _part(words: str) -> Part:
    holds = next(holds for holds, pattern in _HOLDING if re.search(pattern, words))
    place = re.search(
        r"the (first|second) pile of the row|(erst|zweit)e[nms]+ Stapels? der R", words
    )
    groups = {"side" for _ in re.findall(r"pile of the side|or the side|„side“", words)}
    if place:
        name = _PLACES[place[1] or place[2]]
        return ("row.1" if name == "row.1" else "row.2 and side"), holds
    groups |= {"row" for _ in re.findall(r"pile of the row|Stapels? der Reihe", words)}
    return " and ".join(sorted(groups)), holds


def test_cards_that_go_up_together_are_those_that_are_told() -> None:
    draw, some = chance("together"), 0
    for _ in range(6 * MANY):
        rule = compose(draw)
        found = read_game(GAME.format(layout=lay_out(draw), probes=PROBES, rule=rule.text))
        if isinstance(found, list):
            assert rule.says_nothing, f"{rule.text}: {found}"
            continue
        assert not rule.says_nothing, rule.text
        game, book = found
        readings = [rule]
        for language in ("en", "de"):
            spoken = told(" ".join(explain(book, language).split()))
            readings.append(spoken)
        pack = [str(card) for card in game.pack]
        for _ in range(4):
            draw.shuffle(pack)
            position = game.deal(deck=pack)
            for _ in range(3):
                piles = table(position)
                own = [move for move in position.moves() if move.rule == "couple"]
                played = [frozenset(str(way[0]) for way in position.transfers(m)) for m in own]
                assert len(own) == len(set(played)) or rule.number > 2, rule.text
                for reading in readings:
                    assert reading.moves(piles) == set(played), f"{rule.text}{reading}\n{piles}"
                if not own:
                    break
                some += len(own)
                position = position.play(draw.choice(own))
    assert some or MANY == 1


def couples(rule: str, layout: str, cards: Sequence[str]) -> set[frozenset[str]]:
    """The piles whose cards may go up together."""
    found = read_game(GAME.format(layout=layout, probes=PROBES, rule=rule))
    assert not isinstance(found, list), found
    position = dealt(found[0], ["5S", *cards])
    own = [move for move in position.moves() if move.rule == "couple"]
    return {frozenset(str(way[0]) for way in position.transfers(move)) for move in own}


def test_parts_that_ask_for_different_piles_take_any_two() -> None:
    rule = (
        'together = [{ from = "side", holds = "at least 2" }, { from = "side", holds = 1 }]\n'
        'to = "ups"\n'
    )
    layout = '[[layout]]\ndeal = 1\nfrom = "stock"\nto = "side"\n'
    layout += '[[layout]]\ndeal = 1\nfrom = "stock"\nto = "side.2"\n'
    assert couples(rule, layout, ["AH", "3C", "AD"]) == {frozenset({"side.1", "side.2"})}


def test_a_card_goes_where_it_leaves_room_for_the_other() -> None:
    rule = (
        'together = [{ from = "row", holds = 2 }, { from = "side", holds = 2 }]\n'
        'to = "downs and ups"\nmatch = "adding to 18"'
    )
    text = GAME.format(layout="", probes="", rule=rule).replace('base  = "ace"', 'base  = "five"')
    text = text.replace('build = "up"', 'order = "5 4"')
    text = text.replace('base  = "five"\norder', "order")
    layout = '[[layout]]\ndeal = 2\nfrom = "stock"\nto = "row.1"\n'
    layout += '[[layout]]\ndeal = 2\nfrom = "stock"\nto = "side.1"\n'
    found = read_game(text.replace("[counters", f"{layout}[counters"))
    assert not isinstance(found, list), found
    # One five of hearts must begin the other group, or the four of spades could not follow.
    position = dealt(found[0], ["AS", "4H", "5H", "4S", "5H"])
    assert [move.rule for move in position.moves()].count("couple") == 1


@pytest.mark.parametrize(
    ("keys", "english", "german"),
    [
        ('match = "up in suit"', "higher and of the same suit.", "und von derselben Farbe ist."),
        ('match = "adding to 6"', "only if the two add up to 6", "wenn sie zusammen 6 ergeben"),
        (
            'match = "a red card and a black card"',
            "a red card and a black card.",
            "eine rote Karte und eine schwarze Karte sind.",
        ),
    ],
)
def test_what_belongs_together_is_told(keys: str, english: str, german: str) -> None:
    parts = '[{ from = "row", holds = 1 }, { from = "side", holds = 1 }]'
    rule = f'together = {parts}\nto = "ups"\n{keys}\n'
    found = read_game(GAME.format(layout="", probes="", rule=rule))
    assert not isinstance(found, list)
    assert english in " ".join(explain(found[1]).split())
    assert german in " ".join(explain(found[1], "de").split())
