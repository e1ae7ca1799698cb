"""Oracle for Montana without redeals: four rows of thirteen, whose gaps take the next card.

Written from the printed rules. A two may also go from one first place to another.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

VARIANTS: tuple[str, ...] = ()
INTERCHANGEABLE: tuple[str, ...] = ()
HEAPS: tuple[str, ...] = ("discard",)

RANKS = "A23456789TJQK"
SUITS = "CDHS"
ROW = 13
PLACES = 52

GAP = ""


class State(NamedTuple):
    """A position of Montana.

    Attributes:
        field: The 52 places, row by row; a gap is empty.
    """

    field: tuple[str, ...]


def start(deck: Sequence[str], variant: str = "") -> State:
    """Deals the field and takes out the aces.

    Args:
        deck: The 52 cards in dealing order.
        variant: Empty: there is no variant.

    Returns:
        The position after the deal.

    Raises:
        ValueError: If a variant is asked for or the deck is not one full pack.
    """
    if variant:
        message = f"unknown variant of Montana: {variant!r}"
        raise ValueError(message)
    if sorted(deck) != sorted(rank + suit for rank in RANKS for suit in SUITS):
        message = f"not the 52 cards of one pack: {' '.join(deck)!r}"
        raise ValueError(message)
    return State(tuple(GAP if card[0] == "A" else card for card in deck))


def successors(state: State) -> list[State]:
    """Lists the distinct positions one move of the player away.

    Args:
        state: Any position.

    Returns:
        The positions after each move; nothing is forced in this game.
    """
    return list(_after_each_move(state))


def outcome(state: State) -> str | None:
    """Returns whether the game is over.

    Args:
        state: Any position.

    Returns:
        "won" with every row in order, "lost" without a legal move, otherwise None.
    """
    if _is_won(state):
        return "won"
    return "lost" if next(_after_each_move(state), None) is None else None


def piles(state: State) -> dict[str, tuple[str, ...]]:
    """Names every pile, the empty ones too.

    Args:
        state: Any position.

    Returns:
        The cards of each pile; the aces are on the discard for good.
    """
    named = {f"field.{n}": (card,) if card else () for n, card in enumerate(state.field, start=1)}
    return named | {"discard": tuple("A" + suit for suit in SUITS)}


def _is_won(state: State) -> bool:
    """Returns whether each row is two to king of one suit, and then a gap.

    With 48 cards in four rows, no other rows run up in suit without a gap among them.
    """
    rows = [state.field[first : first + ROW] for first in range(0, PLACES, ROW)]
    return all(any(row == (*_suit(suit), GAP) for suit in SUITS) for row in rows)


def _suit(suit: str) -> tuple[str, ...]:
    return tuple(rank + suit for rank in RANKS[1:])


def _after_each_move(state: State) -> Iterator[State]:
    """Carries out each legal move."""
    if _is_won(state):
        return
    for gap, card in enumerate(state.field):
        if card == GAP:
            for wanted in _cards_for(state, gap):
                source = state.field.index(wanted)
                field = list(state.field)
                field[gap], field[source] = wanted, GAP
                yield State(tuple(field))


def _cards_for(state: State, gap: int) -> list[str]:
    """Lists the cards that a gap takes: any two at the left edge, else the next in suit."""
    if gap % ROW == 0:
        return ["2" + suit for suit in SUITS]
    left = state.field[gap - 1]
    if left == GAP or left[0] == "K":
        return []
    return [RANKS[RANKS.index(left[0]) + 1] + left[1]]
