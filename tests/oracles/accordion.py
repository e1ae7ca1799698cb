"""Oracle for Accordion: one row of 52 cards that shrinks to a single pile.

Written from the printed rules; all cards lie in the row before the first move.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

VARIANTS: tuple[str, ...] = ("relaxed",)
INTERCHANGEABLE: tuple[str, ...] = ()

RANKS = "A23456789TJQK"
SUITS = "CDHS"
PLACES = 52


class State(NamedTuple):
    """A position of Accordion.

    Attributes:
        row: The piles that are left, from left to right, bottom card first.
        variant: The variant played, empty for the default rules.
    """

    row: tuple[tuple[str, ...], ...]
    variant: str


def start(deck: Sequence[str], variant: str = "") -> State:
    """Deals the row.

    Args:
        deck: The 52 cards in dealing order.
        variant: One of `VARIANTS`, or empty for the default rules.

    Returns:
        The position after the deal.

    Raises:
        ValueError: If the variant is unknown or the deck is not one full pack.
    """
    if variant and variant not in VARIANTS:
        message = f"unknown variant of Accordion: {variant!r}"
        raise ValueError(message)
    if sorted(deck) != sorted(rank + suit for rank in RANKS for suit in SUITS):
        message = f"not the 52 cards of one pack: {' '.join(deck)!r}"
        raise ValueError(message)
    return State(row=tuple((card,) for card in deck), variant=variant)


def successors(state: State) -> list[State]:
    """Lists the distinct positions one move of the player away.

    Args:
        state: Any position; its row has no vacancy.

    Returns:
        The positions after each move, with the row closed up.
    """
    return list(dict.fromkeys(_after_each_move(state)))


def outcome(state: State) -> str | None:
    """Returns whether the game is over.

    Args:
        state: Any position.

    Returns:
        "won" with one pile, "lost" without a legal move, otherwise None.
    """
    if len(state.row) == 1:
        return "won"
    return "lost" if next(_after_each_move(state), None) is None else None


def piles(state: State) -> dict[str, tuple[str, ...]]:
    """Names every place, the vacant ones too.

    Args:
        state: Any position.

    Returns:
        The cards of each place, bottom card first.
    """
    vacant = ((),) * (PLACES - len(state.row))
    return {f"row.{n}": pile for n, pile in enumerate(state.row + vacant, start=1)}


def _after_each_move(state: State) -> Iterator[State]:
    """Carries out each legal move: a whole pile goes on its neighbour or its third neighbour."""
    ways = (-1, -3, 1, 3) if state.variant == "relaxed" else (-1, -3)
    for source, pile in enumerate(state.row):
        for way in ways:
            target = source + way
            if 0 <= target < len(state.row) and _match(pile[-1], state.row[target][-1]):
                row = list(state.row)
                row[target] += pile
                del row[source]
                yield state._replace(row=tuple(row))


def _match(one: str, other: str) -> bool:
    return one[0] == other[0] or one[1] == other[1]
