"""Positions, moves and choices, as plain values."""

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

DOWN: Final = 64
"""The bit of a card that lies face down."""
CARD: Final = 63
"""The bits of a card without that one."""


class Move(NamedTuple):
    """A move: a rule, the pile it takes from, the number of cards, the pile it puts them on.

    Piles that a kind of rule does not have are 255.
    """

    rule: int
    source: int
    cards: int
    target: int

    @property
    def code(self) -> int:
        """The move as one number, as in the lines of the kernel."""
        return self.rule << 24 | self.source << 16 | min(self.cards, 255) << 8 | self.target


class Choice(NamedTuple):
    """A forced rule that waits for the player, with the source or target that is fixed."""

    rule: int
    source: int = 255
    target: int = 255

    def offers(self, move: Move) -> bool:
        """Whether a move of the rule can be chosen."""
        return self.source in (255, move.source) and self.target in (255, move.target)


def compares(value: int, how: str, limit: int) -> bool:
    """Whether a number is below, equal to or at least a limit."""
    return {"below": value < limit, "equal": value == limit, "at-least": value >= limit}[how]


Picked = Sequence[tuple[Any, int]]
"""The piles of a joint play, each after the part that it is picked for."""


def pick(parts: Sequence[Any], piles: Sequence[int]) -> Picked:
    """The piles of a joint play with their parts."""
    return [(part, pile) for part, pile in zip(parts, piles, strict=False) if pile != 255]


def set_move(rule: int, piles: Sequence[int]) -> Move:
    """The move that takes away a set, by its piles in ascending order."""
    first, last = piles[0], piles[-1]
    match len(piles):
        case 1:
            count = 254
        case 2:
            count = 255 if first == last else 0
        case 3:
            count = 2 + piles[1] - first - 1
        case _:
            low, high = piles[1] - first - 1, piles[2] - first - 1
            count = 2 + (last - first - 1) + high * (high - 1) // 2 + low
    return Move(rule, first, count, last)


def set_piles(move: Move) -> list[int]:
    """The piles of a move that takes away a set."""
    first, count, last = move.source, move.cards, move.target
    if first == last:
        return [first] if count == 254 else [first, first]
    between = list(range(first + 1, last))
    if count == 0:
        return [first, last]
    if count - 2 < len(between):
        return [first, between[count - 2], last]
    couples = [(low, high) for high in range(len(between)) for low in range(high)]
    low, high = couples[count - 2 - len(between)]
    return [first, between[low], between[high], last]


def group_piles(move: Move) -> list[int]:
    """The piles of a move whose cards beat another pile: a bit of the number for each."""
    return [move.source + at for at in range(8) if move.cards >> at & 1]


class Position:
    """One position: piles of cards (bottom card first), counters, closed piles, open choice.

    The seed is what the shuffles of its deal follow from.
    """

    __slots__ = ("choice", "closed", "counters", "piles", "seed")

    def __init__(
        self,
        piles: Iterable[bytes],
        counters: Iterable[int],
        closed: int = 0,
        choice: Choice | None = None,
        seed: int = 0,
    ) -> None:
        self.piles = list(piles)
        self.counters = list(counters)
        self.closed = closed
        self.choice = choice
        self.seed = seed

    def copy(self) -> "Position":
        """The same position, to change."""
        return Position(self.piles, self.counters, self.closed, self.choice, self.seed)


def piles_of(mask: int) -> list[int]:
    """The members of a set of piles."""
    return [pile for pile in range(mask.bit_length()) if mask >> pile & 1]
