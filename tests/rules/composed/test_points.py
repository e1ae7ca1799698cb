"""``[score]`` and ``points``: what is counted, what is explained, and a naive reading of both."""

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from cadogan import Position
from cadogan.rules.explain import explain
from tests.rules.composed.reading import HEAD, MANY, NUMBERS, chance, dealt, names_of, read_game
from tests.rules.composed.table import BUILDS, KINDS, LINES, RANKS, Piles, in_turn, is_down, table

MARKED: Final = re.sub(r"\[(\w)(\w*)\]", lambda m: f'{m[0]}\nmark = "{m[1].upper()}"', HEAD)
GAME: Final = f'''
name  = "Points"
ranks = "A 2 3 4 5 6"
picture = """
R1 R2 S1
R3 R4 S2
W N T .
"""

[counters.n]
start = {{n}}
cap   = 99
why   = "calls made"

{MARKED}
[stock]
mark = "T"

{{layout}}

[[rule]]
name = "call"
verb = "call"
{{call}}

[[rule]]
name  = "go"
from  = "row"
to    = "wing"
{{go}}

[score]
{{score}}
'''
Term = Callable[[Piles, int], int]
"""Points for piles and a counter."""
Holds = Callable[[Piles, int], bool]
Change = Callable[[int, int], tuple[int, int]]
"""The counter and the points after a move, whose second number is how many aces it moved."""


@dataclass
class Made:
    """A scored game, as it is written or as it is explained."""

    terms: list[Term] = field(default_factory=list)
    start: int = 0

    def score(self, piles: Piles, n: int, won: int) -> int:
        return self.start + won + sum(term(piles, n) for term in self.terms)


def count(piles: Piles, names: list[str], kind: str, *, hidden: bool = True) -> int:
    return sum(
        KINDS[kind](card.upper()) and (hidden or not is_down(card))
        for name in names
        for card in piles[name]
    )


def in_order(piles: Piles, line: str, build: str, kind: str) -> int:
    """How many piles hold only cards that lie in order at the beginning of their lines."""
    total = 0
    for names in LINES[line]:
        run: list[str] = []
        for name in names:
            cards = [*run, *piles[name]]
            fine = bool(piles[name]) and not any(map(is_down, cards)) and in_turn(cards, build)
            if not fine or not KINDS[kind](cards[0]):
                break
            run = cards
            total += 1
    return total


def for_cards(names: list[str], kind: str, worth: int, *, hidden: bool) -> Term:
    return lambda piles, n: worth * count(piles, names, kind, hidden=hidden)


def for_order(line: str, build: str, kind: str, worth: int) -> Term:
    return lambda piles, n: worth * in_order(piles, line, build, kind)


def for_condition(holds: Holds, worth: int) -> Term:
    return lambda piles, n: worth * holds(piles, n)


def for_calls(worth: int) -> Term:
    return lambda piles, n: worth * n


CONDITIONS: Final[dict[str, Holds]] = {
    "wing is empty": lambda piles, n: not piles["wing"],
    "side holds red cards": lambda piles, n: count(piles, names_of("side"), "red cards") > 0,
    "wing holds no aces": lambda piles, n: not count(piles, ["wing"], "aces"),
    "n < 3": lambda piles, n: n < 3,
}


def compose(draw: random.Random) -> tuple[str, Made]:
    """A ``[score]``, and what it says."""
    made = Made()
    parts: dict[str, list[str]] = {"cards": [], "counters": [], "in_order": [], "bonus": []}
    for place in draw.sample(("row", "side", "row and wing"), draw.choice((1, 2))):
        kind, worth = draw.choice([*KINDS]), draw.choice((1, 2, -3))
        names = [name for group in place.split(" and ") for name in names_of(group)]
        key = place if kind == "any card" else f"{kind} in {place}"
        parts["cards"].append(f'"{key}" = {worth}')
        made.terms.append(for_cards(names, kind, worth, hidden=kind == "any card"))
    if draw.random() < 0.5:
        worth = draw.choice((2, -1))
        parts["counters"].append(f"n = {worth}")
        made.terms.append(for_calls(worth))
    for line in draw.sample(("row", "column"), draw.choice((0, 1, 2))):
        build, kind, worth = draw.choice([*BUILDS]), draw.choice([*KINDS]), draw.choice((1, -2))
        begin = "" if kind == "any card" else f", from {kind}"
        parts["in_order"].append(f'"{line}s of row in order {build}{begin}" = {worth}')
        made.terms.append(for_order(line, build, kind, worth))
    for phrase in draw.sample([*CONDITIONS], draw.choice((0, 1, 2))):
        worth = draw.choice((10, -4))
        parts["bonus"].append(f'"{phrase}" = {worth}')
        made.terms.append(for_condition(CONDITIONS[phrase], worth))
    made.start = draw.choice((0, 5, -7))
    text = f"start = {made.start}\n"
    for key, written in parts.items():
        if written:
            text += f"{key} = {{ {', '.join(written)} }}\n"
    return text, made


def change(draw: random.Random, *, moves: bool) -> tuple[str, Change]:
    """What a rule does to the counter and to the points."""
    keys = ""
    value = draw.choice((0, 2)) if draw.random() < 0.4 else None
    counts = moves and draw.random() < 0.5
    more = draw.choice((1, 2)) if draw.random() < 0.5 or not (moves or value is not None) else 0
    fixed, factor = 0, 0
    if draw.random() < 0.4:
        fixed = draw.choice((3, -2))
    elif draw.random() < 0.6:
        factor = draw.choice((1, 4))
    if value is not None:
        keys += f"set = {{ n = {value} }}\n"
    if more:
        keys += f"add = {{ n = {more} }}\n"
    if counts:
        keys += 'count = { n = "aces" }\n'
    if fixed:
        keys += f"points = {fixed}\n"
    elif factor:
        keys += f'points = "{f"{factor} * n" if factor > 1 else "n"}"\n'

    def act(n: int, aces: int) -> tuple[int, int]:
        n = (n if value is None else value) + more + (aces if counts else 0)
        return n, fixed + factor * n

    return keys, act


# What the words of the explanation say, read without the phrases.

_RUNS: Final = {
    "running down": "down",
    "running up in suit": "up in suit",
    "running down in alternate colours": "down in alternate colours",
    "of cards of the same rank": "same rank",
}
_FIRST: Final = {"an ace": "aces", "a red card": "red cards", "a six": "sixes", "a spade": "spades"}
_WHEN: Final = {
    "the wing is empty": "wing is empty",
    "the side holds red cards": "side holds red cards",
    "the wing holds no aces": "wing holds no aces",
    "there have been fewer than three calls made": "n < 3",
}
_CALLS: Final = "the number of calls made"


def told(words: str) -> Made:
    """What the section on the aim gives points for, but for moves."""
    made = Made()
    head, *lines = words.split(" - ")
    if start := re.search(r"The game begins with (minus )?(\d+) points?\.", head):
        made.start = int(start[2]) * (-1 if start[1] else 1)
    for line in lines:
        text = line.rstrip(". ")
        if text in (
            "The points for moves, as counted below",
            "Minus the points taken off for moves, as counted below",
        ):
            continue
        match = re.fullmatch(r"(?P<minus>Minus )?(?P<worth>\d+) points? (?P<what>.+)", text)
        assert match is not None, text
        worth = int(match["worth"]) * (-1 if match["minus"] else 1)
        made.terms.append(_term(match["what"], worth))
    return made


def _term(what: str, worth: int) -> Term:
    if match := re.fullmatch(
        r"for each (?P<up>face-up )?card (?:\((?P<kind>.+) only\) )?(?P<where>in .+|on .+)", what
    ):
        names = [n for g in re.findall("row|side|wing", match["where"]) for n in names_of(g)]
        return for_cards(names, match["kind"] or "any card", worth, hidden=not match["up"])
    if what == "for each of the calls made":
        return for_calls(worth)
    if match := re.fullmatch(
        r"for each (?:pile whose cards all lie|card that lies) in order at the beginning of its "
        r"(?P<line>row|column) of the row \((?:first (?P<first>.+?), then )?(?P<run>.+)\)",
        what,
    ):
        kind = _FIRST[match["first"]] if match["first"] else "any card"
        return for_order(match["line"], _RUNS[match["run"]], kind, worth)
    if what.startswith("if "):
        return for_condition(CONDITIONS[_WHEN[what.removeprefix("if ")]], worth)
    raise AssertionError(f"{what!r} is not understood")


def told_changes(words: str, rule: str) -> Change:
    """What the section on counters says of a move."""
    go = "whenever a card goes from the row to the wing"
    use = {"call": "with each call", "go": go}[rule]
    ace = "with each ace that goes from the row to the wing"

    def act(n: int, aces: int) -> tuple[int, int]:
        won = 0
        for line in words.split("- ")[1:]:
            what, _, parts = line.strip().rstrip(".").partition(": ")
            for part in parts.split("; "):
                part = part.removeprefix("then ")
                if ace in part:
                    assert part == f"one more {ace}", part
                    n += aces if rule == "go" else 0
                elif use in part:
                    value = re.split(r",? (?:with each call|whenever a card)", part)[0]
                    if what == "Calls made":
                        n = _changed(value, n)
                    else:
                        sign = -1 if "taken off" in what else 1
                        won += sign * _more(value, n)
        return n, won

    return act


def _changed(value: str, n: int) -> int:
    """A number after a change: "two more", "nought" or "two again"."""
    word, _, more = value.partition(" ")
    return NUMBERS.index(word) + (n if more == "more" else 0)


def _more(value: str, n: int) -> int:
    if match := re.fullmatch(rf"as many more as (?:(?P<times>\w+) times )?{_CALLS}", value):
        return n * NUMBERS.index(match["times"] or "one")
    return NUMBERS.index(value.removesuffix(" more"))


def lay_out(draw: random.Random) -> str:
    text = '[[layout]]\ndeal = 1\nfrom = "stock"\nto = "row"\n'
    for name in [name for group in ("row", "side", "wing") for name in names_of(group)]:
        for face in ("down", "up"):
            if draw.random() < 0.3:
                text += f'[[layout]]\ndeal = 1\nfrom = "stock"\nto = "{name}"\nface = "{face}"\n'
    return text


def test_points_that_are_composed_are_counted_as_they_are_told() -> None:
    draw = chance("points")
    pack = [rank + suit for rank in RANKS for suit in "CDHS"]
    for _ in range(60 * MANY):
        # A counter from nought that one rule increases is not told: its name says it all.
        n = draw.choice((1, 2, 3))
        score, made = compose(draw)
        (call, on_call), (go, on_go) = change(draw, moves=False), change(draw, moves=True)
        text = GAME.format(n=n, layout=lay_out(draw), call=call, go=go, score=score)
        found = read_game(text)
        case = f"{score}{call}{go}"
        assert not isinstance(found, list), f"{case}: {found}"
        game, book = found
        words = " ".join(explain(book).split())
        spoken = told(words.partition("## The aim ")[2].partition(" ##")[0])
        counted = words.partition("## What is counted ")[2].partition(" ##")[0]
        changes = {
            "call": (on_call, told_changes(counted, "call")),
            "go": (on_go, told_changes(counted, "go")),
        }
        draw.shuffle(pack)
        position, now, won = dealt(game, pack), n, 0
        for _ in range(6):
            piles = table(position)
            assert score_of(position) == made.score(piles, now, won), f"{case}\n{piles}"
            assert score_of(position) == spoken.score(piles, now, won), f"{case}\n{words}\n{piles}"
            moves = position.moves()
            if not moves:
                break
            move = draw.choice(moves)
            aces = 0
            if move.rule == "go":
                aces = int(piles[str(move.source)][-1].upper()[0] == "A")
            act, say = changes[str(move.rule)]
            after = act(now, aces)
            assert say(now, aces) == after, f"{case}\n{counted}"
            now, won, position = after[0], won + after[1], position.play(move)


def score_of(position: Position) -> int:
    score = position._state.score()
    assert score is not None
    return score


def explained(call: str, go: str, score: str, layout: str) -> tuple[str, str]:
    found = read_game(GAME.format(n=1, layout=layout, call=call, go=go, score=score))
    assert not isinstance(found, list), found
    english, german = (" ".join(explain(found[1], language).split()) for language in ("en", "de"))
    return english, german


def test_what_was_not_told_as_it_is_counted() -> None:
    layout = '[[layout]]\ndeal = 2\nfrom = "stock"\nto = "row"\nface = "down"\n'
    score = 'cards = { "aces in row" = 1 }\nin_order = { "rows of row in order down" = 2 }'
    call = "set = { n = 0 }\nadd = { n = 2 }"
    english, german = explained(call, "", score, layout)
    assert "1 point for each face-up card (aces only) in the row" in english
    assert "1 Punkt für jede offene Karte (nur Asse)" in german
    assert "2 points for each pile whose cards all lie in order at the beginning" in english
    assert "2 Punkte für jeden Stapel, dessen Karten am Anfang ihrer Zeile" in german
    assert "nought with each call; then two more with each call" in english
    assert re.search(r"null bei jedem[^;]+; dann um zwei mehr bei jedem", german)


def test_points_come_after_all_other_changes() -> None:
    layout = '[[layout]]\ndeal = 1\nfrom = "stock"\nto = "row"\n'
    go = 'count = { n = "aces" }\npoints = "3 * n"'
    found = read_game(GAME.format(n=1, layout=layout, call="add = { n = 1 }", go=go, score=""))
    assert not isinstance(found, list)
    position = dealt(found[0], ["AS"]).play("row.1 > wing")
    assert (position.counters["n"], score_of(position)) == (2, 6)
