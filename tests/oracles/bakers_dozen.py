"""Oracle for Baker's Dozen: thirteen columns of four, kings at the bottom.

Written from the printed rules. Several kings of one column keep their order; so does the rest.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

VARIANTS: tuple[str, ...] = ()
INTERCHANGEABLE: tuple[str, ...] = ("foundations",)

Pile = tuple[str, ...]
Piles = tuple[Pile, ...]

RANKS = "A23456789TJQK"
SUITS = "CDHS"
COLUMNS = 13


class State(NamedTuple):
    """A position of Baker's Dozen, every pile bottom card first.

    Attributes:
        foundations: The four foundations.
        columns: The thirteen columns.
    """

    foundations: Piles
    columns: Piles


def start(deck: Sequence[str], variant: str = "") -> State:
    """Deals the columns row by row and lets the kings sink.

    Args:
        deck: The 52 cards in dealing order.
        variant: Empty: there is no variant.

    Returns:
        The position after the deal.

    Raises:
        ValueError: If a variant is asked for or the deck is not one full pack.
    """
    if variant:
        message = f"unknown variant of Baker's Dozen: {variant!r}"
        raise ValueError(message)
    if sorted(deck) != sorted(rank + suit for rank in RANKS for suit in SUITS):
        message = f"not the 52 cards of one pack: {' '.join(deck)!r}"
        raise ValueError(message)
    # Sorting keeps the order of kings among each other, and of the other cards.
    columns = [sorted(deck[n::COLUMNS], key=lambda card: card[0] != "K") for n in range(COLUMNS)]
    return State(foundations=((),) * len(SUITS), columns=tuple(map(tuple, columns)))


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
        "won" with all foundations complete, "lost" without a legal move, otherwise None.
    """
    if not any(state.columns):
        return "won"
    return "lost" if next(_after_each_move(state), None) is None else None


def piles(state: State) -> dict[str, tuple[str, ...]]:
    """Names every pile, the empty ones too.

    Args:
        state: Any position.

    Returns:
        The cards of each pile, bottom card first.
    """
    named = {f"foundations.{n}": pile for n, pile in enumerate(state.foundations, start=1)}
    return named | {f"tableau.{n}": pile for n, pile in enumerate(state.columns, start=1)}


def _after_each_move(state: State) -> Iterator[State]:
    """Carries out each legal move: single top cards, and a vacancy takes nothing."""
    for source, cards in enumerate(state.columns):
        if not cards:
            continue
        card = cards[-1]
        rest = _with(state.columns, source, cards[:-1])
        place = _foundation_for(state, card)
        if place is not None:
            up = (*state.foundations[place], card)
            yield State(_with(state.foundations, place, up), rest)
        for target, others in enumerate(state.columns):
            if others and RANKS.index(others[-1][0]) == RANKS.index(card[0]) + 1:
                yield State(state.foundations, _with(rest, target, (*others, card)))


def _foundation_for(state: State, card: str) -> int | None:
    """Finds the foundation a card may go to now: the first empty one for an ace."""
    rank, suit = card[0], card[1]
    for place, pile in enumerate(state.foundations):
        of_its_suit = not pile or pile[-1][1] == suit
        if of_its_suit and RANKS.index(rank) == len(pile):
            return place
    return None


def _with(row: Piles, index: int, pile: Pile) -> Piles:
    """Replaces one pile of a group."""
    changed = list(row)
    changed[index] = pile
    return tuple(changed)
