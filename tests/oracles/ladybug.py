"""Oracle for Ladybug: seven piles of four cards that add up to ten, where tens count anything.

Written from the rules of PySolFC's game. A pile is right if some value of each of its tens, from
nothing to ten, makes it so.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

VARIANTS: tuple[str, ...] = ()
INTERCHANGEABLE: tuple[str, ...] = ("tableau",)

Pile = tuple[str, ...]

RANKS = "A23456789TJQK"
SUITS = "CDHS"


class State(NamedTuple):
    """A position of Ladybug, every pile bottom card first except the stock.

    Attributes:
        columns: The seven piles.
        stock: The stock, next card first.
        waste: The cards that were dealt three at a time.
        used: Whether one was used since.
    """

    columns: tuple[Pile, ...]
    stock: Pile
    waste: Pile
    used: bool


def start(deck: Sequence[str], variant: str = "") -> State:
    """Deals a card to each pile, and three to the waste.

    Args:
        deck: The 52 cards in dealing order.
        variant: Empty; there are no variants.

    Returns:
        The position after the deal.

    Raises:
        ValueError: If the variant is unknown or the deck is not one full pack.
    """
    if variant:
        message = f"unknown variant of Ladybug: {variant!r}"
        raise ValueError(message)
    if sorted(deck) != sorted(rank + suit for rank in RANKS for suit in SUITS):
        message = f"not the 52 cards of one pack: {' '.join(deck)!r}"
        raise ValueError(message)
    columns = tuple((card,) for card in deck[:7])
    return State(columns, tuple(deck[10:]), tuple(deck[7:10]), used=False)


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
        "won" with four cards on each pile, "lost" without a legal move, otherwise None.
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
    return named | {"stock": state.stock[::-1], "waste": state.waste}


def _is_won(state: State) -> bool:
    return all(len(pile) == 4 for pile in state.columns)


def _after_each_move(state: State) -> Iterator[State]:
    """Carries out each legal move."""
    if _is_won(state):
        return
    if state.waste:
        card = state.waste[-1]
        for place, pile in enumerate(state.columns):
            if _may_hold((*pile, card)):
                columns = (*state.columns[:place], (*pile, card), *state.columns[place + 1 :])
                yield state._replace(columns=columns, waste=state.waste[:-1], used=True)
    if state.stock and (state.used or not state.waste):
        waste = state.waste + state.stock[:3]
        yield state._replace(stock=state.stock[3:], waste=waste, used=False)
    if not state.stock and state.waste and state.used:
        yield state._replace(stock=state.waste, waste=(), used=False)


def _may_hold(pile: Pile) -> bool:
    """Whether four cards come to ten, or fewer to no more."""
    values = [range(11) if card[0] == "T" else [_value(card)] for card in pile]
    sums = {sum(each) for each in product(*values)}
    if len(pile) == 4:
        return 10 in sums
    return len(pile) < 4 and min(sums) <= 10


def _value(card: str) -> int:
    return 0 if card[0] in "JQK" else RANKS.index(card[0]) + 1
