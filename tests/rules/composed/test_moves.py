"""Moves of several cards: what they leave behind, how they are laid down, how many lie there."""

import itertools
import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import pytest

from cadogan import Game
from cadogan.rules.explain import explain
from tests.rules.composed.reading import MANY, NUMBERS, chance, dealt, read_game
from tests.rules.composed.table import BUILDS, KINDS, RANKS, Piles, in_turn, is_down, table

Moves = set[tuple[str, int, str]]
"""Moves: from where, how many cards, and where to."""

GAME: Final = """
name  = "Moves"
aim   = "nook is empty"
ranks = "A 2 3 4 5 6"

[foundations]
piles = 1
base  = "ace"
build = "up in suit"

[row]
role  = "reserve"
piles = 4

[side]
role  = "reserve"
piles = 2

[nook]
role = "reserve"

[stock]

[[layout]]
deal = 1
from = "stock"
to   = "nook"

[[layout]]
pick = "ace of hearts"
from = "stock"
to   = "foundations"

{layout}

{probes}

[counters.probed]

[[rule]]
name = "move"
{rule}
"""
ROW: Final = [f"row.{number}" for number in range(1, 5)]
SIDE: Final = ["side.1", "side.2"]
# Conditions on single piles keep the kernel from leaving out places that are alike.
PROBES: Final = "".join(
    f'[[rule]]\nname = "probe {pile}"\nset = {{ probed = {number} }}\n'
    f'when = "top of {pile} is the ace of clubs"\n'
    for number, pile in enumerate((*ROW, *SIDE), 1)
)

Counts = Callable[[list[str]], set[int]]
"""How many cards of a pile may move."""


def top_up(cards: list[str]) -> int:
    """How many face-up cards lie on top of a pile."""
    return len(list(itertools.takewhile(lambda card: not is_down(card), reversed(cards))))


def runs(build: str) -> Counts:
    return lambda cards: {
        number for number in range(1, top_up(cards) + 1) if in_turn(cards[-number:], build)
    }


def longest(build: str) -> Counts:
    return lambda cards: {max(runs(build)(cards), default=0)} - {0}


UNITS: Final[dict[str, Counts]] = {
    "one card": lambda cards: {1} if top_up(cards) else set(),
    "a packet": lambda cards: set(range(1, top_up(cards) + 1)),
    "the whole pile": lambda cards: {len(cards)} - {0},
    "up to 3 cards": lambda cards: {min(3, len(cards))} - {0},
    "exactly 2 cards": lambda cards: {2} if len(cards) >= 2 else set(),
    **{f"a sequence {build}": runs(build) for build in BUILDS},
    **{f"the longest sequence {build}": longest(build) for build in ("down", "same rank")},
}
UNCOVERED: Final = (
    *("nothing", "a face-down card", "a card for foundations", "no card of the sequence"),
    *("aces", "red cards", "any card"),
)


@dataclass
class Rule:
    """What a rule asks for, read from a phrase or from the words of the explanation."""

    counts: Counts
    run: str = ""
    """How the sequence that moves runs, if it is one."""
    uncovers: list[str] = field(default_factory=list)
    targets: list[str] = field(default_factory=list)
    builds_on: bool = True
    fills: bool = True
    build: str = ""
    longest: int = 99
    one_by_one: bool = False
    which: str = "any card"

    def moves(self, piles: Piles) -> Moves:
        found = set()
        for source in ROW:
            cards = piles[source]
            for number in self.counts(cards):
                block = cards[-number:][::-1] if self.one_by_one else cards[-number:]
                if not KINDS[self.which](block[0].upper()) or not self.leaves(cards, number, piles):
                    continue
                found |= {
                    (source, number, target)
                    for target in self.targets
                    if target != source and self.fits(block, piles[target])
                }
        return found

    def leaves(self, cards: list[str], number: int, piles: Piles) -> bool:
        """Whether the cards leave behind what they may."""
        if not self.uncovers:
            return True
        below = cards[-number - 1] if number < len(cards) else None
        for what in self.uncovers:
            match what:
                case "nothing":
                    fine = below is None
                case "a face-down card":
                    fine = below is not None and is_down(below)
                case "no card of the sequence":
                    lowest = cards[-number]
                    fine = below is None or is_down(below) or not BUILDS[self.run](below, lowest)
                case "a card for foundations":
                    goal = piles["foundations"][-1]
                    follows = BUILDS["up in suit"]
                    fine = below is not None and not is_down(below) and follows(goal, below)
                case _:
                    fine = below is not None and not is_down(below) and KINDS[what](below)
            if fine:
                return True
        return False

    def fits(self, block: list[str], onto: list[str]) -> bool:
        if not (self.builds_on if onto else self.fills):
            return False
        if onto and self.build:
            lowest = block[0].upper()
            if is_down(onto[-1]) or not BUILDS[self.build](onto[-1], lowest):
                return False
        lie = [*onto, *block]
        return not self.build or max(runs(self.build)(lie), default=0) <= self.longest


def compose(draw: random.Random) -> tuple[str, Rule, str]:
    """A rule, what it says, and the code of its fault, if it says nothing."""
    unit = draw.choice([*UNITS])
    rule = Rule(UNITS[unit], unit.partition(" sequence ")[2])
    uncovers = draw.sample((*UNCOVERED[:4], draw.choice(UNCOVERED[4:])), draw.choice((0, 1, 1, 2)))
    rule.uncovers = uncovers
    group = draw.choice(("row", "row", "side"))
    rule.targets = ROW if group == "row" else SIDE
    state = draw.choice(("", "", "vacant ", "occupied "))
    rule.builds_on, rule.fills = state != "vacant ", state != "occupied "
    text = f'from = "row"\nto = "{state}{group}"\ncards = "{unit}"\n'
    if uncovers:
        text += f"uncovers = {uncovers}\n"
    if draw.random() < 0.6:
        rule.build = draw.choice([*BUILDS])
        text += f'build = "{rule.build}"\n'
    fault = ""
    if draw.random() < 0.3:
        rule.longest = draw.choice((1, 2, 3))
        text += f"longest = {rule.longest}\n"
    rule.one_by_one = unit == "up to 3 cards" or unit == "exactly 2 cards"
    if draw.random() < 0.3:
        rule.one_by_one = draw.random() < 0.6
        text += f'laid = "{"one by one" if rule.one_by_one else "as a block"}"\n'
    if draw.random() < 0.3:
        rule.which = draw.choice([*KINDS])
        text += f'which = "{rule.which}"\n'
    follows = unit == "one card" or (rule.run and not rule.one_by_one)
    if rule.longest < 99 and not (rule.build and follows and prolongs(rule.run, rule.build)):
        fault = "key-does-not-fit"
    if "no card of the sequence" in uncovers and not unit.startswith("a sequence"):
        fault = "key-does-not-fit"
    return text, rule, fault


def prolongs(run: str, build: str) -> bool:
    """Whether all sequences of one kind are sequences of another kind, too."""
    return not run or run == build or (build == "down" and run.startswith("down"))


def lay_out(draw: random.Random) -> str:
    text = '[[layout]]\ndeal = 2\nfrom = "stock"\nto = "row.1"\n'
    for name in [*ROW, *SIDE]:
        for face in ("down", "up"):
            if number := draw.choice((0, 0, 1, 2, 3) if face == "up" else (0, 0, 1)):
                text += (
                    f'[[layout]]\ndeal = {number}\nfrom = "stock"\nto = "{name}"\nface = "{face}"\n'
                )
    return text


def played(game: Game, cards: list[str]) -> tuple[Moves, Piles]:
    position = dealt(game, cards)
    own = [move for move in position.moves() if move.rule == "move"]
    return {(str(move.source), move.count, str(move.target)) for move in own}, table(position)


# What the words of the explanation say, read without the phrase.

_RUNS: Final = {
    "running down": "down",
    "running up in suit": "up in suit",
    "running down in alternate colours": "down in alternate colours",
    "of cards of the same rank": "same rank",
}
_RUN: Final = "|".join(sorted(_RUNS, key=len, reverse=True))
_FITS: Final = {
    "one rank lower, whatever its suit": "down",
    "one rank higher and of the same suit": "up in suit",
    "one rank lower and of the other colour": "down in alternate colours",
    "of the same rank, whatever its suit": "same rank",
}
_KINDS: Final = {
    "an ace": "aces", "a red card": "red cards", "a six": "sixes", "a spade": "spades",
    "any card": "any card",
}  # fmt: skip
_KIND: Final = "|".join(_KINDS)
_PILE: Final = r"(?:a|any|any other) pile of the row(?: that holds at least two cards)?"
_UNITS: Final = (
    (rf"the top two cards of {_PILE}", UNITS["exactly 2 cards"], ""),
    (
        rf"the top three cards of {_PILE} \(or as many as there are, if fewer\)",
        UNITS["up to 3 cards"],
        "",
    ),
    (rf"all the cards of {_PILE}", UNITS["the whole pile"], ""),
    (
        rf"any face-up card of {_PILE}, together with all the cards that lie on it, .+ or not",
        UNITS["a packet"],
        "",
    ),
    *(
        (
            rf"the top card of {_PILE}, or several top cards together that form a sequence {words}",
            runs(build),
            build,
        )
        for words, build in _RUNS.items()
    ),
    *(
        (
            rf"all the top cards of {_PILE} together that form a sequence {words}, no fewer",
            longest(build),
            build,
        )
        for words, build in _RUNS.items()
    ),
    (
        rf"all the face-up cards of {_PILE} together, no fewer",
        lambda cards: {top_up(cards)} - {0},
        "",
    ),
    (rf"(?:the top card|(?P<own>{_KIND}) on top) of {_PILE}", UNITS["one card"], ""),
)
_IF: Final = (
    rf"(?:, if (?:it|the (?P<who>uppermost|lowest) of them) is (?P<which>{_KIND}))?"
    r"(?:, if (?:it uncovers|they uncover) (?P<uncovers>.+?)"
    r"(?: and (?P<and>no more than .+? afterwards))?|, if (?P<only>no more than .+? afterwards))?"
)
_LONGEST: Final = rf"no more than (?P<most>\w+) cards? in a sequence (?P<run>{_RUN}) lies? there .+"


def told(words: str) -> Rule:
    """What the section on building says of the rule."""
    words = words[:1].lower() + words[1:]
    target = r"(?P<target>the top card of (?:a|another) pile of the (?P<group>row|side))"
    onto = rf"(?P<source>.+?),? may be put on {target}(?P<fits>.*?)\. (?P<rest>.*)"
    into = r"a vacancy in the (?P<group>row|side) may be filled with (?P<source>.+?)\. (?P<rest>.*)"
    match = re.fullmatch(into, words) or re.fullmatch(onto, words)
    assert match is not None, words
    builds_on = "fits" in match.groupdict()
    rule, who = _source(match["source"])
    rule.targets = ROW if match["group"] == "row" else SIDE
    rule.builds_on = builds_on
    if builds_on:
        group = match["group"]
        rule.fills = (
            f"vacancy in the {group} may be filled with any of these cards" in match["rest"]
        )
        if only := re.search(rf"A vacancy in the {group} takes only (.+?)\.", match["rest"]):
            rule.fills = True
            assert only[1], words
        fits = re.match(
            r", if (?P<who>it|its top card|the (?:uppermost|lowest) of them) is (?P<how>[^:]+)",
            match["fits"],
        )
        if fits is None:
            assert match["fits"] == ", whatever the cards are", words
        else:
            rule.build = _FITS[fits["how"]]
            who |= {fits["who"]} - {"it"}
    assert len(who) < 2, words
    # The card that touches the pile is the one that must fit.
    assert not who or ("the uppermost of them" in who) == rule.one_by_one, words
    return rule


def _source(words: str) -> tuple[Rule, set[str]]:
    """What may move, and which of several cards must fit."""
    for pattern, counts, run in _UNITS:
        match = re.fullmatch(rf"{pattern}(?P<one> \(laid down one by one\))?{_IF}", words)
        if match is None:
            continue
        rule = Rule(counts, run, one_by_one=bool(match["one"]))
        who = {f"the {match['who']} of them"} if match["who"] else set()
        if which := match["which"] or match.groupdict().get("own"):
            rule.which = _KINDS[which]
        if match["uncovers"]:
            rule.uncovers = [_left(part) for part in re.split(r", or |, | or ", match["uncovers"])]
        if bound := match["and"] or match["only"]:
            most = re.fullmatch(_LONGEST, bound)
            assert most is not None, words
            rule.longest, rule.build = NUMBERS.index(most["most"]), _RUNS[most["run"]]
        return rule, who
    raise AssertionError(f"{words!r} is not understood")


def _left(words: str) -> str:
    """What may be left behind."""
    if words.startswith("a card that can go to the foundation"):
        return "a card for foundations"
    if words == "no card of the same sequence":
        return "no card of the sequence"
    return _KINDS.get(words, words)


def test_moves_that_are_composed_are_those_that_are_told() -> None:
    draw = chance("moves")
    pack = [rank + suit for rank in RANKS for suit in "CDHS" if rank + suit != "AH"]
    some = 0
    for _ in range(120 * MANY):
        text, rule, fault = compose(draw)
        found = read_game(GAME.format(layout=lay_out(draw), probes=PROBES, rule=text))
        if isinstance(found, list):
            assert set(found) == {fault}, f"{text}: {found}"
            continue
        assert not fault, text
        game, book = found
        words = " ".join(explain(book).split()).partition("## Building on the table ")[2]
        spoken = told(words.partition(" ##")[0])
        for _ in range(4):
            draw.shuffle(pack)
            moves, piles = played(game, ["2C", "AH", *(card for card in pack if card != "2C")])
            some += len(moves)
            assert moves == rule.moves(piles), f"{text}\n{piles}"
            assert moves == spoken.moves(piles), f"{text}\n{words}\n{piles}"
    assert some > 200


@pytest.mark.parametrize(
    ("unit", "laid", "english", "german"),
    [
        (
            "a packet",
            "one by one",
            "(laid down one by one), may be put on the top card of a pile of the side, if the",
            "(einzeln gelegt)",
        ),
        ("up to 3 cards", "one by one", "if fewer) (laid down one by one), may be", "die oberste"),
        ("a packet", "as a block", "or not, may be", "die unterste von ihnen"),
    ],
)
def test_the_card_that_touches_the_pile_is_told(
    unit: str, laid: str, english: str, german: str
) -> None:
    rule = f'from = "row"\nto = "side"\ncards = "{unit}"\nlaid = "{laid}"\nbuild = "down"\n'
    found = read_game(GAME.format(layout="", probes="", rule=rule))
    assert not isinstance(found, list)
    assert english in " ".join(explain(found[1]).split())
    assert german in " ".join(explain(found[1], "de").split())


@pytest.mark.parametrize(
    ("keys", "fine"),
    [
        ('cards = "a sequence down in suit"', True),
        ('cards = "one card"', True),
        ('cards = "a sequence up"', False),
        ('cards = "a packet"', False),
        ('cards = "the whole pile"', False),
        ('cards = "a sequence down"\nlaid = "one by one"', False),
    ],
)
def test_only_what_prolongs_a_sequence_has_a_greatest_length(keys: str, fine: bool) -> None:
    rule = f'from = "row"\nto = "side"\n{keys}\nbuild = "down"\nlongest = 3\n'
    found = read_game(GAME.format(layout="", probes="", rule=rule))
    assert (found == ["key-does-not-fit"]) == (not fine)
