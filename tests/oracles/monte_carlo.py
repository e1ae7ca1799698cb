"""Oracle for Monte Carlo: five rows of five, neighbours of a rank leave.

Written from the printed rules. A card player deals only when that changes the table, that is, when
there is a vacancy with a card after it, or a card to fill it.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

VARIANTS: tuple[str, ...] = ("two-packs",)
INTERCHANGEABLE: tuple[str, ...] = ()
HEAPS: tuple[str, ...] = ("discard",)

RANKS = "A23456789TJQK"
SUITS = "CDHS"
SIDE = 5
PLACES = SIDE * SIDE

VACANT = ""


class State(NamedTuple):
    """A position of Monte Carlo.

    Attributes:
        square: The 25 places, row by row; a vacant one is empty.
        stock: The stock, next card first.
        discard: What is out of the game.
    """

    square: tuple[str, ...]
    stock: tuple[str, ...]
    discard: tuple[str, ...]


def start(deck: Sequence[str], variant: str = "") -> State:
    """Deals the square.

    Args:
        deck: The 52 or 104 cards in dealing order.
        variant: One of `VARIANTS`, or empty for the default rules.

    Returns:
        The position after the deal.

    Raises:
        ValueError: If the variant is unknown or the deck is not the pack of the game.
    """
    if variant and variant not in VARIANTS:
        message = f"unknown variant of Monte Carlo: {variant!r}"
        raise ValueError(message)
    packs = 2 if variant == "two-packs" else 1
    if sorted(deck) != sorted([rank + suit for rank in RANKS for suit in SUITS] * packs):
        message = f"not the cards of {packs} full packs: {' '.join(deck)!r}"
        raise ValueError(message)
    return State(square=tuple(deck[:PLACES]), stock=tuple(deck[PLACES:]), discard=())


def successors(state: State) -> list[State]:
    """Lists the distinct positions one move of the player away.

    Args:
        state: Any position.

    Returns:
        The positions after each move; nothing is forced in this game.
    """
    return list(dict.fromkeys(_after_each_move(state)))


def outcome(state: State) -> str | None:
    """Returns whether the game is over.

    Args:
        state: Any position.

    Returns:
        "won" with square and stock empty, "lost" without a legal move, otherwise None.
    """
    if not any(state.square) and not state.stock:
        return "won"
    return "lost" if next(_after_each_move(state), None) is None else None


def piles(state: State) -> dict[str, tuple[str, ...]]:
    """Names every pile, the empty ones too.

    Args:
        state: Any position.

    Returns:
        The cards of each pile, bottom card first; the next card of the stock is its last.
    """
    named = {f"square.{n}": (card,) if card else () for n, card in enumerate(state.square, start=1)}
    return named | {"stock": state.stock[::-1], "discard": state.discard}


def _after_each_move(state: State) -> Iterator[State]:
    """Carries out each legal move."""
    cards = [(place, card) for place, card in enumerate(state.square) if card]
    for (one, card), (other, partner) in combinations(cards, 2):
        if card[0] == partner[0] and _touch(one, other):
            square = list(state.square)
            square[one] = square[other] = VACANT
            yield state._replace(square=tuple(square), discard=(*state.discard, card, partner))
    left = tuple(card for _, card in cards)
    dealt = PLACES - len(left)
    full = left + state.stock[:dealt]
    closed = full + (VACANT,) * (PLACES - len(full))
    if closed != state.square:
        yield state._replace(square=closed, stock=state.stock[dealt:])


def _touch(one: int, other: int) -> bool:
    """Returns whether two places touch at a side or a corner."""
    down = abs(one // SIDE - other // SIDE)
    across = abs(one % SIDE - other % SIDE)
    return max(down, across) == 1
