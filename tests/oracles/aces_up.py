"""Oracle for Aces Up: four piles, lower cards of a suit leave, four aces stay.

Written from the printed rules. A pile of one card may move to a vacancy as any other top card may.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

VARIANTS: tuple[str, ...] = ("five-piles",)
INTERCHANGEABLE: tuple[str, ...] = ()
HEAPS: tuple[str, ...] = ("discard",)

Pile = tuple[str, ...]

RANKS = "23456789TJQKA"
SUITS = "CDHS"


class State(NamedTuple):
    """A position of Aces Up, every pile bottom card first except the stock.

    Attributes:
        columns: The four or five piles.
        stock: The stock, next card first.
        discard: What is out of the game.
    """

    columns: tuple[Pile, ...]
    stock: Pile
    discard: Pile


def start(deck: Sequence[str], variant: str = "") -> State:
    """Deals the first row.

    Args:
        deck: The 52 cards in dealing order.
        variant: One of `VARIANTS`, or empty for the default rules.

    Returns:
        The position after the deal.

    Raises:
        ValueError: If the variant is unknown or the deck is not one full pack.
    """
    if variant and variant not in VARIANTS:
        message = f"unknown variant of Aces Up: {variant!r}"
        raise ValueError(message)
    if sorted(deck) != sorted(rank + suit for rank in RANKS for suit in SUITS):
        message = f"not the 52 cards of one pack: {' '.join(deck)!r}"
        raise ValueError(message)
    columns = 5 if variant == "five-piles" else 4
    return _deal(State(columns=((),) * columns, stock=tuple(deck), discard=()))


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
        "won" with only aces on the table and no stock, "lost" without a legal move, otherwise None.
    """
    if _is_won(state):
        return "won"
    return "lost" if next(_after_each_move(state), None) is None else None


def piles(state: State) -> dict[str, tuple[str, ...]]:
    """Names every pile, the empty ones too.

    Args:
        state: Any position.

    Returns:
        The cards of each pile, bottom card first; the next card of the stock is its last.
    """
    named = {f"tableau.{n}": pile for n, pile in enumerate(state.columns, start=1)}
    return named | {"stock": state.stock[::-1], "discard": state.discard}


def _is_won(state: State) -> bool:
    return not state.stock and all(card[0] == "A" for pile in state.columns for card in pile)


def _after_each_move(state: State) -> Iterator[State]:
    """Carries out each legal move."""
    if _is_won(state):
        return
    tops = [pile[-1] for pile in state.columns if pile]
    for source, pile in enumerate(state.columns):
        if not pile:
            continue
        card = pile[-1]
        rest = _with(state.columns, source, pile[:-1])
        if any(
            other[1] == card[1] and RANKS.index(other[0]) > RANKS.index(card[0]) for other in tops
        ):
            yield state._replace(columns=rest, discard=(*state.discard, card))
        for target, other_pile in enumerate(state.columns):
            if not other_pile:
                yield state._replace(columns=_with(rest, target, (card,)))
    if state.stock:
        yield _deal(state)


def _deal(state: State) -> State:
    """Deals one card to each pile, the vacant ones too, as far as the cards go."""
    dealt = state.stock[: len(state.columns)]
    columns = tuple(pile + dealt[number : number + 1] for number, pile in enumerate(state.columns))
    return state._replace(columns=columns, stock=state.stock[len(dealt) :])


def _with(row: tuple[Pile, ...], index: int, pile: Pile) -> tuple[Pile, ...]:
    """Replaces one pile of a group."""
    changed = list(row)
    changed[index] = pile
    return tuple(changed)
