"""``when``: conditions on piles, cards and counters."""

import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from cadogan.rules.explain import explain
from tests.rules.composed.reading import (
    BOUNDS,
    GROUPS,
    HEAD,
    MANY,
    NUMBERS,
    SIZES,
    chance,
    dealt,
    names_of,
    read_game,
)

GAME: Final = f"""
name = "Conditions"
aim  = "rest is empty"

[counters.laid]
start = {{start}}
why   = "rows laid"

[counters.calls]
why = "calls made"

{HEAD}
[rest]
role = "discard"

{{rules}}
"""
Piles = dict[str, list[str]]
"""The cards of each pile, ``row.1`` or ``wing``; the last one lies on top."""
Held = Callable[[Piles, int], bool]
"""Whether a condition holds, of piles and of a counter."""

KINDS: Final[dict[str, Callable[[str], bool]]] = {
    "cards": lambda card: True,
    "red cards": lambda card: card[1] in "DH",
    "aces": lambda card: card[0] == "A",
    "spades": lambda card: card[1] == "S",
    "court cards": lambda card: card[0] in "JQK",
    "black cards": lambda card: card[1] in "CS",
    "kings or red queens": lambda card: card[0] == "K" or card in ("QD", "QH"),
    "all but court cards": lambda card: card[0] not in "JQK",
}
SIGNS: Final[dict[str, Callable[[int, int], bool]]] = {
    "<": lambda one, other: one < other,
    "<=": lambda one, other: one <= other,
    "=": lambda one, other: one == other,
    ">=": lambda one, other: one >= other,
    ">": lambda one, other: one > other,
}


WHICH: Final[dict[str, Callable[[list[bool]], bool]]] = {
    "some": any,
    "each": all,
    "no": lambda found: not any(found),
}


@dataclass(frozen=True)
class Said:
    """A phrase, and what it says."""

    text: str
    holds: Held
    always: bool = False
    """Whether it is true or false whatever lies on the table, and so to be refused."""


class Composer:
    """Composes conditions and reads them, word by word."""

    def __init__(self, draw: random.Random) -> None:
        self.draw = draw

    def some(self) -> tuple[str, list[str]]:
        """Piles: a group, a single pile, or several."""
        draw = self.draw
        if draw.random() < 0.5:
            group = draw.choice([*GROUPS])
            return group, names_of(group)
        found = draw.sample([name for group in GROUPS for name in names_of(group)], 2)
        if draw.random() < 0.3:
            return found[0], found[:1]
        if draw.random() < 0.5:
            one, other = draw.sample([*GROUPS], 2)
            return f"{one} and {other}", [*names_of(one), *names_of(other)]
        return " and ".join(found), found

    def one(self, depth: int = 0) -> Said:
        shapes = [
            self.empty, self.some_vacant, self.holding, self.size, self.each, self.top, self.tops,
            self.only, self.counter,
        ]  # fmt: skip
        if depth == 0:
            shapes.append(self.either)
        return self.draw.choice(shapes)()

    def empty(self) -> Said:
        text, piles = self.some()
        verb = "are" if len(piles) > 1 else "is"
        word = self.draw.choice(("empty", "vacant"))
        match self.draw.randrange(5):
            case 0:
                return Said(f"{text} {verb} {word}", lambda p, c: not any(p[x] for x in piles))
            case 1:
                return Said(f"{text} {verb} not {word}", lambda p, c: any(p[x] for x in piles))
            case 2:
                return Said(f"some {text} is {word}", lambda p, c: not all(p[x] for x in piles))
            case 3:
                return Said(f"no {text} is {word}", lambda p, c: all(p[x] for x in piles))
        return Said(f"not all of {text} are {word}", lambda p, c: any(p[x] for x in piles))

    def some_vacant(self) -> Said:
        text, piles = self.some()
        how, number = self.draw.choice(("at least", "at most")), self.draw.randrange(5)
        full = self.draw.random() < 0.5
        bound = BOUNDS[how]
        always = number > len(piles) or number == (0 if how == "at least" else len(piles))
        return Said(
            f"{how} {number} of {text} are {'not ' if full else ''}vacant",
            lambda p, c: bound(sum(bool(p[x]) == full for x in piles), number),
            always,
        )

    def holding(self) -> Said:
        text, piles = self.some()
        hold = "hold" if len(piles) > 1 else "holds"
        kind = self.draw.choice([*KINDS])
        test = KINDS[kind]

        def have(p: Piles) -> int:
            return sum(map(test, (card for x in piles for card in p[x])))

        match self.draw.randrange(4):
            case 0:
                return Said(f"{text} {hold} {kind}", lambda p, c: have(p) > 0)
            case 1:
                return Said(f"{text} {hold} no {kind}", lambda p, c: have(p) == 0)
        how, number = self.draw.choice([*BOUNDS]), self.draw.randrange(5)
        bound = BOUNDS[how]
        written = self.draw.choice((str(number), NUMBERS[number] if number else "0"))
        return Said(
            f"{text} {hold} {how} {written} {kind}",
            lambda p, c: bound(have(p), number),
            number == 0 and how in ("at least", "fewer than"),
        )

    def size(self) -> Said:
        (text, piles), (other, others) = self.some(), self.some()
        how = self.draw.choice([*SIZES])
        compare = SIZES[how]
        return Said(
            f"{text} {'hold' if len(piles) > 1 else 'holds'} {how} {other}",
            lambda p, c: compare(sum(len(p[x]) for x in piles), sum(len(p[x]) for x in others)),
        )

    def each(self) -> Said:
        group = self.draw.choice(("row", "side"))
        which, how = self.draw.choice(("some", "each", "no")), self.draw.choice([*BOUNDS])
        number, kind = self.draw.randrange(4), self.draw.choice([*KINDS])
        bound, test = BOUNDS[how], KINDS[kind]

        def holds(p: Piles, c: int) -> bool:
            found = [bound(sum(map(test, p[x])), number) for x in names_of(group)]
            return WHICH[which](found)

        return Said(
            f"{which} {group} holds {how} {number} {kind}",
            holds,
            (number == 0 and how in ("at least", "fewer than"))
            or (which == "no" and how == "exactly"),
        )

    def top(self) -> Said:
        name = self.draw.choice([n for group in GROUPS for n in names_of(group)])
        kind = self.draw.choice([*KINDS])
        test = KINDS[kind]
        return Said(f"top of {name} is {kind}", lambda p, c: bool(p[name]) and test(p[name][-1]))

    def tops(self) -> Said:
        group, which = self.draw.choice(("row", "side")), self.draw.choice(("some", "each", "no"))
        kind = self.draw.choice([*KINDS])
        test = KINDS[kind]

        def holds(p: Piles, c: int) -> bool:
            found = [bool(p[x]) and test(p[x][-1]) for x in names_of(group)]
            return WHICH[which](found)

        return Said(f"{which} top of {group} is {kind}", holds)

    def only(self) -> Said:
        number = self.draw.choice((1, 2, 3))
        return Said(
            f"only {NUMBERS[number]} row {'is' if number == 1 else 'are'} occupied",
            lambda p, c: sum(bool(p[x]) for x in names_of("row")) <= number,
        )

    def counter(self) -> Said:
        sign, number = self.draw.choice([*SIGNS]), self.draw.randrange(4)
        compare = SIGNS[sign]
        always = number == 0 and sign in ("<", ">=")
        return Said(f"laid {sign} {number}", lambda p, c: compare(c, number), always)

    def either(self) -> Said:
        parts = [self.one(1) for _ in range(self.draw.choice((2, 2, 3)))]
        return Said(
            "either " + " or ".join(part.text for part in parts),
            lambda p, c: any(part.holds(p, c) for part in parts),
            any(part.always for part in parts),
        )


# What the words of the explanation say, read without the phrase.

_PLACES: Final = ("first", "second", "third", "fourth")
_PILE: Final = (
    rf"the (?:{'|'.join(_PLACES)}) (?:pile of the (?:row|side))|the (?:row|side|wing|nook)"
)
_PILES: Final = rf"(?:{_PILE})(?:(?:, | and | or |, or |, and )(?:in |of )?(?:{_PILE}))*"
_NUMBER: Final = "|".join((*NUMBERS, r"\d+"))
_TOLD_KINDS: Final = {
    "cards": "cards", "card": "cards", "a card": "cards", "any card": "cards",
    "red cards": "red cards", "red card": "red cards", "a red card": "red cards",
    "aces": "aces", "ace": "aces", "an ace": "aces",
    "spades": "spades", "spade": "spades", "a spade": "spades",
    "knaves, queens or kings": "court cards", "knave, queen or king": "court cards",
    "a knave, a queen or a king": "court cards", "knave, a queen or a king": "court cards",
    "black cards": "black cards", "black card": "black cards", "a black card": "black cards",
    "red queens or kings": "kings or red queens", "red queen or king": "kings or red queens",
    "a red queen or a king": "kings or red queens", "red queens and kings": "kings or red queens",
    "cards other than knaves, queens and kings": "all but court cards",
    "card other than a knave, a queen or a king": "all but court cards",
    "any card but a knave, a queen or a king": "all but court cards",
}  # fmt: skip
_KIND: Final = "|".join(sorted(_TOLD_KINDS, key=len, reverse=True))
_HOW: Final = rf"(?:(?P<no>no)|(?P<how>fewer than|exactly|at least) (?P<n>{_NUMBER}))"


def piles_in(text: str) -> list[str]:
    found: list[str] = []
    for part in re.findall(_PILE, text):
        place = re.match(rf"the ({'|'.join(_PLACES)}) pile of the (\w+)", part)
        if place:
            found.append(f"{place[2]}.{_PLACES.index(place[1]) + 1}")
        else:
            found += names_of(part.removeprefix("the "))
    return found


def number_of(word: str) -> int:
    return int(word) if word.isdigit() else NUMBERS.index(word)


def _bound(match: re.Match[str]) -> Callable[[int], bool]:
    if match["no"]:
        return lambda have: have == 0
    if not match["how"]:
        return lambda have: have > 0
    bound, number = BOUNDS[match["how"]], number_of(match["n"])
    return lambda have: bound(have, number)


def told(words: str) -> Held:
    """What a clause says."""
    if words.startswith("either "):
        return told_either(words.removeprefix("either "))

    def shape(pattern: str) -> re.Match[str] | None:
        return re.fullmatch(pattern, words)

    if match := shape(rf"(?P<p>{_PILES}) (?:is|are) (?P<not>not )?(?:both )?empty"):
        piles, full = piles_in(match["p"]), bool(match["not"])
        return lambda p, c: any(p[x] for x in piles) == full
    if match := shape(rf"(?P<p>{_PILES}) are not (?:both|all) empty"):
        piles = piles_in(match["p"])
        return lambda p, c: any(p[x] for x in piles)
    if match := shape(rf"at least one of (?P<p>{_PILES}) is (?P<not>not )?empty"):
        piles, full = piles_in(match["p"]), bool(match["not"])
        return lambda p, c: any(bool(p[x]) == full for x in piles)
    if match := shape(rf"there is a card (?:in|on|of|among) (?P<p>{_PILES})"):
        piles = piles_in(match["p"])
        return lambda p, c: any(p[x] for x in piles)
    if match := shape(rf"there is (?P<no>a|no) vacancy (?:in|among|at) (?P<p>{_PILES})"):
        piles, full = piles_in(match["p"]), match["no"] == "no"
        return lambda p, c: all(p[x] for x in piles) == full
    state = "(?P<v>holds? cards|are vacant|are empty|is vacant)"
    if match := shape(rf"at least (?P<n>{_NUMBER}) of (?P<p>{_PILES}) {state}"):
        piles, least, full = piles_in(match["p"]), number_of(match["n"]), "hold" in match["v"]
        return lambda p, c: sum(bool(p[x]) == full for x in piles) >= least
    if match := shape(rf"only (?P<n>{_NUMBER}) cards? (?:is|are) left (?:in|of) (?P<p>{_PILES})"):
        piles, few = piles_in(match["p"]), number_of(match["n"])
        return lambda p, c: sum(len(p[x]) for x in piles) <= few
    if match := shape(rf"only (?P<n>{_NUMBER}) (?:piles? )?of (?P<p>{_PILES}) holds? cards"):
        piles, most = piles_in(match["p"]), number_of(match["n"])
        return lambda p, c: sum(bool(p[x]) for x in piles) <= most
    if match := shape(rf"(?P<p>{_PILES}) holds? (?:{_HOW} )?(?P<kind>{_KIND})"):
        piles, test, fits = piles_in(match["p"]), KINDS[_TOLD_KINDS[match["kind"]]], _bound(match)
        return lambda p, c: fits(sum(map(test, (card for x in piles for card in p[x]))))
    if match := shape(rf"(?P<p>{_PILES}) holds? (?P<how>{'|'.join(SIZES)}) (?P<q>{_PILES})"):
        piles, others = piles_in(match["p"]), piles_in(match["q"])
        compare = SIZES[match["how"]]
        return lambda p, c: compare(sum(len(p[x]) for x in piles), sum(len(p[x]) for x in others))
    each = "(?P<which>a|each) pile of the (?P<g>row|side)"
    if match := shape(rf"{each} holds {_HOW} (?P<kind>{_KIND})"):
        piles, test, fits = names_of(match["g"]), KINDS[_TOLD_KINDS[match["kind"]]], _bound(match)
        all_any = any if match["which"] == "a" else all
        return lambda p, c: all_any(fits(sum(map(test, p[x]))) for x in piles)
    if match := shape(rf"the top card of (?P<p>{_PILES}) is (?P<kind>{_KIND})"):
        (name,), test = piles_in(match["p"]), KINDS[_TOLD_KINDS[match["kind"]]]
        return lambda p, c: bool(p[name]) and test(p[name][-1])
    if match := shape(rf"no (?P<kind>{_KIND}) lies on top of any pile of the (?P<g>row|side)"):
        piles, test = names_of(match["g"]), KINDS[_TOLD_KINDS[match["kind"]]]
        return lambda p, c: not any(p[x] and test(p[x][-1]) for x in piles)
    if match := shape(rf"there is (?P<kind>{_KIND}) on top of {each}"):
        piles, test = names_of(match["g"]), KINDS[_TOLD_KINDS[match["kind"]]]
        all_any = any if match["which"] == "a" else all
        return lambda p, c: all_any(bool(p[x]) and test(p[x][-1]) for x in piles)
    if match := shape(rf"there (?:has|have) been (?:{_HOW}|any) (?:of the )?rows laid"):
        fits = _bound(match)
        return lambda p, c: fits(c)
    raise AssertionError(f"{words!r} is not understood")


def told_either(words: str) -> Held:
    """One of several clauses, joined by commas and "or"."""
    for joint in re.finditer(r", or | or |, ", words):
        try:
            first = told(words[: joint.start()])
            rest = words[joint.end() :]
            try:
                others = told(rest)
            except AssertionError:
                others = told_either(rest)
        except AssertionError:
            continue
        return lambda p, c: first(p, c) or others(p, c)
    raise AssertionError(f"{words!r} is not understood")


def lay_out(draw: random.Random) -> tuple[str, int]:
    """Steps that deal a few cards to some of the piles, and how many they are."""
    steps, total = "", 0
    for group in GROUPS:
        for name in names_of(group):
            if number := draw.choice((0, 1, 1, 2, 3)):
                face = draw.choice(("up", "up", "down"))
                steps += f'[[layout]]\ndeal = {number}\nfrom = "pack"\nto = "{name}"\n'
                steps += f'face = "{face}"\n'
                total += number
    return steps, total


def test_conditions_that_are_composed_hold_as_they_are_told() -> None:
    draw = chance("conditions")
    composer, seen = Composer(draw), set()
    for _ in range(30 * MANY):
        said = [composer.one() for _ in range(8)]
        start, (steps, total) = draw.randrange(4), lay_out(draw)
        steps += f'[[layout]]\ndeal = {52 - total}\nfrom = "pack"\nto = "rest"\n'
        sound = [one for one in said if not one.always]
        for one in said:
            rule = f'[[rule]]\nname = "call"\nadd = {{ calls = 1 }}\nwhen = "{one.text}"\n'
            codes = read_game(GAME.format(start=start, rules=steps + rule))
            assert isinstance(codes, list) == one.always, f"{one.text}: {codes}"
        rules = "".join(
            f'[[rule]]\nname = "call {n + 1}"\nadd = {{ calls = 1 }}\nwhen = "{one.text}"\n'
            for n, one in enumerate(sound)
        )
        found = read_game(GAME.format(start=start, rules=steps + rules))
        assert not isinstance(found, list)
        game, book = found
        text = explain(book)
        spoken: list[Held] = []
        for n, one in enumerate(sound):
            match = re.search(
                rf"\*\*Call {n + 1}\.\*\* (?:When|As long as) (?P<how>[^*]+), the number of calls",
                " ".join(text.split()),
            )
            assert match is not None, f"{one.text}: {text}"
            spoken.append(told(match["how"]))
        names = [rule.name for rule in book.rules]
        for _ in range(4):
            cards = [rank + suit for rank in "A5QK" for suit in "CDHS"]
            draw.shuffle(cards)
            position = dealt(game, cards)
            piles = {name: [str(card) for card in held] for name, held in position.piles.items()}
            possible = {names[move >> 24] for move in position._state.moves()}
            for n, one in enumerate(sound):
                holds = one.holds(piles, start)
                seen.add(holds)
                assert (f"call {n + 1}" in possible) == holds, f"{one.text}: {piles}"
                assert spoken[n](piles, start) == holds, f"{one.text}: {piles}\n{text}"
    assert seen == {True, False}
