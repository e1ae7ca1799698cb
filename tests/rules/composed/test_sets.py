"""``match``: cards that leave together."""

import itertools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from tests.rules.composed.reading import (
    MANY,
    NUMBERS,
    RANKS,
    chance,
    consumed,
    dealt,
    read_game,
    sentence,
)

GAME: Final = """
name = "Sets"
aim  = "row is empty"

[row]
role  = "tableau"
piles = 7
deal  = 1
build = "nothing"

[rest]
role = "discard"
deal = 45

[discard]

[[rule]]
name  = "set"
leave = "row"
to    = "discard"
number = {number}
match = [{match}]
"""

Cards = tuple[str, ...]
Test = Callable[[str, str], bool]
"""Whether two cards have something in common."""

WAYS: Final = {
    "up": (1,), "down": (-1,), "up or down": (1, -1),
    "higher": tuple(range(1, 13)), "lower": tuple(range(-12, 0)),
    "same rank": None, "any rank": None, "any card": None,
    "adding to 13": None, "adding to 21": None,
    "aces on kings": None, "red cards on black queens": None,
}  # fmt: skip
"""How many ranks the second card is above the first; ``None`` where ranks are not counted."""
STEPS: Final = {"": 1, " by twos": 2, " by fives": 5}
SUITS: Final[dict[str, Test]] = {
    "": lambda a, b: True,
    " in suit": lambda a, b: a[1] == b[1],
    " in another suit": lambda a, b: a[1] != b[1],
    " in colour": lambda a, b: (a[1] in "DH") == (b[1] in "DH"),
    " in alternate colours": lambda a, b: (a[1] in "DH") != (b[1] in "DH"),
    " in the next suit of hearts, spades and clubs": lambda a, b: a[1] + b[1] in ("HS", "SC", "CH"),
}
CORNERS: Final = ("", ", round the corner")
ENDS: Final = ("", ", never on kings", ", as begun")
SIZES: Final = ((2, 2), (3, 3), (4, 4), (2, 3), (1, 2), (1, 1))


def rank(card: str) -> int:
    return RANKS.index(card[0]) + 1


@dataclass(frozen=True)
class Phrase:
    way: str
    step: str = ""
    suit: str = ""
    corner: str = ""
    end: str = ""

    @property
    def text(self) -> str:
        return f"{self.way}{self.step}{self.suit}{self.corner}{self.end}"

    @property
    def names_pair(self) -> bool:
        return " on " in self.way

    def says_nothing(self, least: int, most: int) -> bool:
        """Whether some word of the phrase has no meaning here."""
        total = self.way.startswith("adding")
        if self.end or ((self.step or self.corner) and not self.way.startswith(("up", "down"))):
            return True
        if self.names_pair and self.suit:
            return True
        if least == 1 and (most == 1 or not total):
            return True
        if total and not 2 * least <= 2 * int(self.way.split()[-1]) <= 26 * most:
            return True
        many = (least, most) != (2, 2)
        return many and (
            self.names_pair
            or ("alternate" in self.suit and not self.way.startswith(("up", "down", "hig", "low")))
        )

    def lies(self, below: str, above: str) -> bool:
        """Whether one card may lie on another, word by word."""
        if self.names_pair:
            if self.way == "aces on kings":
                return above[0] == "A" and below[0] == "K"
            return above[1] in "DH" and below in ("QC", "QS")
        if not SUITS[self.suit](below, above):
            return False
        steps = WAYS[self.way]
        if self.way.startswith("adding"):
            return rank(below) + rank(above) == int(self.way.split()[-1])
        if steps is None:
            return self.way != "same rank" or rank(below) == rank(above)
        gap = rank(above) - rank(below)
        far = STEPS[self.step]
        gaps = (gap, gap - 13, gap + 13) if self.corner else (gap,)
        return any(each == far * step for each in gaps for step in steps)

    def holds(self, cards: Cards) -> bool:
        if len(cards) == 2:
            return self.lies(*cards) or self.lies(*reversed(cards))
        either = all(
            SUITS[self.suit](a, b) or SUITS[self.suit](b, a)
            for a, b in itertools.combinations(cards, 2)
        )
        if self.way.startswith("adding"):
            return either and sum(map(rank, cards)) == int(self.way.split()[-1])
        if WAYS[self.way] is None:
            alike = self.way != "same rank" or len({card[0] for card in cards}) == 1
            return either and alike
        orders = itertools.permutations(cards)
        return any(all(itertools.starmap(self.lies, itertools.pairwise(each))) for each in orders)


def compose(name: str, number: int) -> list[tuple[tuple[Phrase, ...], tuple[int, int]]]:
    draw = chance(name)
    found = []
    for _ in range(number):
        phrases = []
        for _ in range(draw.choice((1, 1, 2))):
            step, corner = draw.choice(("", "", *STEPS)), draw.choice(CORNERS)
            end, suit = draw.choice(ENDS if draw.random() < 0.1 else ("",)), draw.choice([*SUITS])
            way = draw.choice([*WAYS])
            if draw.random() < 0.9:
                way_counts = way.startswith(("up", "down"))
                step, corner = (step, corner) if way_counts else ("", "")
                suit = "" if " on " in way else suit
            phrases.append(Phrase(way, step, suit, corner, end))
        found.append((tuple(phrases), draw.choice((*SIZES[:4], *SIZES))))
    return found


def layouts(name: str, number: int) -> list[list[str]]:
    """Seven top cards: of few ranks, so that many of them belong together."""
    draw = chance(f"{name} layouts")
    found = []
    for _ in range(number):
        low = draw.randrange(13)
        near = [RANKS[(low + far) % 13] for far in (0, 1, 2, draw.randrange(3, 13))]
        kin = [rank_ + suit for rank_ in near for suit in "CDHS"]
        others = ["KH", "QS", "AD"] if low % 2 else []
        found.append(draw.sample([*dict.fromkeys([*kin, *others])], 7))
    return found


# What the words of the explanation say, read without the phrase.

_COUNT = "|".join(NUMBERS)
_NEXT = r"of (?:the next suit|suits that follow one another) \((?P<suits>[^)]*)\)"
_LIKE: Final[dict[str, Test]] = {
    r"of the same suit|of their suit": SUITS[" in suit"],
    r"of (?:another suit|different suits)": SUITS[" in another suit"],
    r"of the same colour": SUITS[" in colour"],
    r"of (?:the other colour|different colours)": SUITS[" in alternate colours"],
}


@dataclass
class Clause:
    """What one clause asks of cards."""

    chain: bool = False
    steps: tuple[int, ...] = ()
    corner: bool = False
    same_rank: bool = False
    total: int | None = None
    suits: list[Test] = field(default_factory=list)
    one_of_each: tuple[Callable[[str], bool], ...] = ()
    suit_first: bool = False
    inherits: bool = False

    def ask(self, suit: Test) -> None:
        first = not (self.steps or self.same_rank)
        kept = [] if self.inherits else self.suits
        self.suit_first, self.inherits, self.suits = first, False, [*kept, suit]

    def lies(self, below: str, above: str) -> bool:
        gap = rank(above) - rank(below)
        gaps = (gap, gap + 13, gap - 13) if self.corner else (gap,)
        if self.same_rank and gap:
            return False
        if self.total is not None and rank(above) + rank(below) != self.total:
            return False
        return (not self.steps or any(each in self.steps for each in gaps)) and all(
            suit(below, above) for suit in self.suits
        )

    def lies_in_turn(self, cards: Cards) -> bool:
        """Whether the second of two cards may lie on the first, or beside it."""
        if self.one_of_each:
            return self.one_of_each[0](cards[1]) and self.one_of_each[1](cards[0])
        return self.lies(*cards)

    def holds(self, cards: Cards) -> bool:
        if self.one_of_each:
            one, other = self.one_of_each
            return any(one(a) and other(b) for a, b in itertools.permutations(cards, 2))
        if self.chain:
            orders = itertools.permutations(cards)
            return any(all(itertools.starmap(self.lies, itertools.pairwise(o))) for o in orders)
        couples = list(itertools.combinations(cards, 2))
        return (
            (self.total is None or sum(map(rank, cards)) == self.total)
            and (not self.same_rank or len({card[0] for card in cards}) == 1)
            and all(suit(a, b) or suit(b, a) for suit in self.suits for a, b in couples)
        )


_KINDS: Final[dict[str, Callable[[str], bool]]] = {
    "an ace": lambda card: card[0] == "A",
    "a king": lambda card: card[0] == "K",
    "a red card": lambda card: card[1] in "DH",
    "a black queen": lambda card: card in ("QC", "QS"),
}


def told(words: str) -> list[tuple[tuple[int, int], Clause]]:
    """The sets of cards that the words of a sentence let leave: how many cards, and which."""
    found: list[tuple[tuple[int, int], Clause]] = []
    # Each kind of set stands in a part of its own; "or" joins what is asked of two cards.
    for part in words.rstrip(".").split("; "):
        head, _, how = part.partition(", if ")
        size = re.match(
            rf"(?:so may )?(?P<a>{_COUNT})(?: (?:or|to) (?P<b>{_COUNT}))? top cards", head.lower()
        )
        assert size is not None, part
        least = NUMBERS.index(size["a"])
        most = NUMBERS.index(size["b"] or size["a"])
        found += [((least, most), clause) for clause in clauses(how)]
    return found


def clauses(how: str) -> list[Clause]:
    """What is asked of cards; one of the clauses is enough."""
    if not how:
        return [Clause()]
    found: list[Clause] = []

    def begin(match: re.Match[str]) -> None:
        found.append(Clause())

    def begin_chain(match: re.Match[str]) -> None:
        found.append(Clause(chain=True))

    def begin_sum(match: re.Match[str]) -> None:
        found.append(Clause(total=int(match["total"])))

    def count(match: re.Match[str]) -> None:
        step = NUMBERS.index(match["far"])
        ways = match["ways"].split(" or ")
        found[-1].steps = tuple(step if way == "higher" else -step for way in ways)

    def count_any(match: re.Match[str]) -> None:
        way = 1 if match["way"] == "higher" else -1
        found[-1].steps = tuple(way * far for far in range(1, 13))

    def add_up(match: re.Match[str]) -> None:
        found[-1].total = int(match["total"])

    def turn(match: re.Match[str]) -> None:
        found[-1].corner = True

    def any_suit(match: re.Match[str]) -> None:
        found[-1].suits = []

    def same(match: re.Match[str]) -> None:
        found[-1].same_rank = True

    def another(match: re.Match[str]) -> None:
        # A suit that stands before the ranks is meant for all ranks, if no other suit follows.
        last = found[-1]
        found.append(Clause(last.chain, suits=last.suits[:] if last.suit_first else []))
        found[-1].suit_first = found[-1].inherits = last.suit_first

    def circle(match: re.Match[str]) -> None:
        names = [
            name[0].upper() for name in re.findall(r"hearts|spades|clubs|diamonds", match["suits"])
        ]
        pairs = set(itertools.pairwise(names))
        found[-1].ask(lambda a, b: (a[1], b[1]) in pairs)

    def classes(match: re.Match[str]) -> None:
        found.append(Clause(one_of_each=(_KINDS[match["one"]], _KINDS[match["other"]])))

    def like(test: Test) -> Callable[[re.Match[str]], None]:
        return lambda match: found[-1].ask(test)

    kinds = "|".join(_KINDS)
    consumed(how, [
        (r"(?:or )?they can be put in an order in which each is", begin_chain),
        (r"(?:or )?one, compared with the other, is", begin_chain),
        (rf"(?:or )?one is (?P<one>{kinds}) and the other is (?P<other>{kinds})", classes),
        (r"(?:or )?(?:they|the two) add up to (?P<total>\d+)(?: \([^)]*\))?", begin_sum),
        (r"of such a rank that the two add up to (?P<total>\d+)(?: \([^)]*\))?", add_up),
        (r"(?:or )?they are", begin),
        (r"than the one before", lambda match: None),
        (r"whatever (?:its suit|their suits)", any_suit),
        (rf"(?:and )?(?P<far>{_COUNT}) ranks? (?P<ways>higher or lower|higher|lower)", count),
        (r"(?:and )?of any (?P<way>higher|lower) rank", count_any),
        (r"\(round the corner: the ace is next above the king\)", turn),
        (r"of the same rank", same),
        (rf"(?:and )?(?:are )?{_NEXT}", circle),
        *((rf"(?:and )?(?:are )?(?:{pattern})", like(test)) for pattern, test in _LIKE.items()),
        (r"or", another),
    ])  # fmt: skip
    return found


def leaving(
    cards: Sequence[str], sizes: Sequence[tuple[tuple[int, int], Callable[[Cards], bool]]]
) -> set[Cards]:
    return {
        some
        for (least, most), holds in sizes
        for number in range(least, most + 1)
        for some in itertools.combinations(cards, number)
        if holds(some)
    }


def test_sets_that_are_composed_leave_as_they_are_told() -> None:
    read = 0
    for phrases, (least, most) in compose("sets", 150 * MANY):
        match = ", ".join(f'"{phrase.text}"' for phrase in phrases)
        number = f"[{least}, {most}]"
        text = GAME.format(number=number, match=match)
        case = f"number = {number}, match = [{match}]"
        found = read_game(text)
        nothing = any(phrase.says_nothing(least, most) for phrase in phrases)
        assert isinstance(found, list) == nothing, f"{case}: {found}"
        if isinstance(found, list):
            continue
        read += 1
        game, book = found
        words = sentence(book, "may go to the discard")
        words = re.sub(
            r",? each of a pile of the row, may go to the discard( together)?", "", words
        )
        if "whatever the cards are" in words:
            spoken = [((2, 2), Clause())]
        else:
            spoken = told(words.partition("## Building on the table ")[2] or words)
        for cards in layouts(case, 5):
            position = dealt(game, cards)
            tops = [str(position.piles[f"row.{place}"][-1]) for place in range(1, 8)]
            assert tops == cards
            played = {
                tuple(
                    cards[int(str(source).partition(".")[2]) - 1]
                    for source, _, _ in sorted(position.transfers(move))
                )
                for move in position.moves()
            }
            naive = leaving(cards, [((least, most), phrase.holds) for phrase in phrases])
            said = leaving(cards, [(size, clause.holds) for size, clause in spoken])
            assert played == naive, f"{case} on {cards}"
            assert said == naive, f"{case} on {cards}: {words!r}"
    assert read > 60
