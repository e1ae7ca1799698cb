"""Oracle for Osmosis: rows in suit, each of whose ranks must lie in the row above.

Written from the printed rules. Three cards are turned one after the other, so that the third is on
top.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

VARIANTS: tuple[str, ...] = ("single",)
INTERCHANGEABLE: tuple[str, ...] = ()

Pile = tuple[str, ...]
Piles = tuple[Pile, ...]

RANKS = "A23456789TJQK"
SUITS = "CDHS"
HEAPS_IN_RESERVE = 4
HEAP = 4
RESERVE = HEAPS_IN_RESERVE * HEAP


class State(NamedTuple):
    """A position of Osmosis, every pile bottom card first except the stock.

    Attributes:
        reserve: The four heaps.
        rows: The four rows, from the top.
        stock: The stock, next card first.
        waste: The waste.
        redeals: How many redeals have been made; not counted where there is no limit.
        variant: The variant played, empty for the default rules.
    """

    reserve: Piles
    rows: Piles
    stock: Pile
    waste: Pile
    redeals: int
    variant: str


def start(deck: Sequence[str], variant: str = "") -> State:
    """Deals the reserve in rounds, then the base.

    Args:
        deck: The 52 cards in dealing order.
        variant: One of `VARIANTS`, or empty for the default rules.

    Returns:
        The position after the deal.

    Raises:
        ValueError: If the variant is unknown or the deck is not one full pack.
    """
    if variant and variant not in VARIANTS:
        message = f"unknown variant of Osmosis: {variant!r}"
        raise ValueError(message)
    if sorted(deck) != sorted(rank + suit for rank in RANKS for suit in SUITS):
        message = f"not the 52 cards of one pack: {' '.join(deck)!r}"
        raise ValueError(message)
    return State(
        reserve=tuple(tuple(deck[n:RESERVE:HEAPS_IN_RESERVE]) for n in range(HEAPS_IN_RESERVE)),
        rows=((deck[RESERVE],), (), (), ()),
        stock=tuple(deck[RESERVE + 1 :]),
        waste=(),
        redeals=0,
        variant=variant,
    )


def successors(state: State) -> list[State]:
    """Lists the distinct positions one move of the player away.

    Args:
        state: Any position.

    Returns:
        The positions after each move.
    """
    return list(_after_each_move(state))


def outcome(state: State) -> str | None:
    """Returns whether the game is over.

    Args:
        state: Any position.

    Returns:
        "won" with all rows complete, "lost" without a legal move, otherwise None.
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
    named = {f"reserve.{n}": pile for n, pile in enumerate(state.reserve, start=1)}
    named |= {f"rows.{n}": pile for n, pile in enumerate(state.rows, start=1)}
    return named | {"stock": state.stock[::-1], "waste": state.waste}


def _is_won(state: State) -> bool:
    return all(len(row) == len(RANKS) for row in state.rows)


def _after_each_move(state: State) -> Iterator[State]:
    """Carries out each legal move."""
    for heap, cards in enumerate(state.reserve):
        for row in _rows_for(state, cards[-1:]):
            yield state._replace(
                reserve=_with(state.reserve, heap, cards[:-1]),
                rows=_with(state.rows, row, state.rows[row] + cards[-1:]),
            )
    for row in _rows_for(state, state.waste[-1:]):
        yield state._replace(
            rows=_with(state.rows, row, state.rows[row] + state.waste[-1:]),
            waste=state.waste[:-1],
        )
    single = state.variant == "single"
    if state.stock:
        turned = 1 if single else 3
        yield state._replace(stock=state.stock[turned:], waste=state.waste + state.stock[:turned])
    elif state.waste and (not single or state.redeals < 2):
        # Turned over as one packet: what was dealt first is dealt first again.
        yield state._replace(stock=state.waste, waste=(), redeals=state.redeals + single)


def _rows_for(state: State, top: Pile) -> list[int]:
    """Lists the rows that take the top card of a pile."""
    base = state.rows[0][0][0]
    found: list[int] = []
    for card in top:
        for place, row in enumerate(state.rows):
            above = state.rows[place - 1] if place else ()
            # A vacant row begins with the base rank, and only below a row that has begun.
            fits = card[1] == row[0][1] if row else card[0] == base
            if fits and (place == 0 or card[0] in (other[0] for other in above)):
                found.append(place)
    return found


def _with(row: Piles, index: int, pile: Pile) -> Piles:
    """Replaces one pile of a group."""
    changed = list(row)
    changed[index] = pile
    return tuple(changed)
