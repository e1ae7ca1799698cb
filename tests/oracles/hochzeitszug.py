"""Oracle for Hochzeitszug: a direct transcription of games.md, section 3.

Slow and obvious on purpose, and written without sight of the engine, so that the two can be
compared. The tags H1-H12 are the readings of the table in games.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

__all__ = ["INTERCHANGEABLE", "VARIANTS", "State", "outcome", "piles", "start", "successors"]

VARIANTS: tuple[str, ...] = (
    "by-twos",
    "one-relay",
    "columns",
    "boustrophedon",
    "strict",
    "strict-up",
    "packets",
)

# The sixteen piles keep their places: the gather takes them up in order of place.
INTERCHANGEABLE: tuple[str, ...] = ("queens", "kings")

Pile = tuple[str, ...]
Row = tuple[Pile, ...]

RANKS = "A23456789TJQK"
QUEENS_ORDER = "2468TQ"
KINGS_ORDER = "A3579JK"
CARDS = 104
PACKET = 4
PLACES = 16
UPPER = tuple(range(8))
LOWER = tuple(range(8, 16))


@dataclass(frozen=True)
class State:
    """A position.

    Attributes:
        variant: Name of the variant, empty for the default rules.
        queens: The eight foundations of the queens' row.
        kings: The eight foundations of the kings' row.
        table: The sixteen piles, upper.1-8 followed by lower.1-8.
        stock: Face-down stock, the next card to be dealt last.
        gathers: How often the piles have been gathered and laid again.
    """

    variant: str
    queens: Row
    kings: Row
    table: Row
    stock: Pile
    gathers: int


def start(deck: Sequence[str], variant: str = "") -> State:
    """Lay out a new game.

    Args:
        deck: The 104 cards in the order in which they leave the pack.
        variant: One of `VARIANTS`, or empty for the default rules.

    Returns:
        The position after the first layout.

    Raises:
        ValueError: If the variant is unknown or the deck has not 104 cards.
    """
    if variant and variant not in VARIANTS:
        raise ValueError(f"unknown variant {variant!r}")
    if len(deck) != CARDS:
        raise ValueError(f"Hochzeitszug takes {CARDS} cards, not {len(deck)}")
    nothing: Row = ((),) * 8
    return _laid(State(variant, nothing, nothing, ((),) * PLACES, tuple(reversed(deck)), 0))


def successors(state: State) -> list[State]:
    """List every distinct position one player move away, after all forced effects.

    Args:
        state: The position to move from.

    Returns:
        The positions, none twice; empty when the game is won or lost.
    """
    if _is_won(state):
        return []
    up = _up_moves(state)
    moves = list(up)
    # H8: default lets the player mix up-moves and across-moves freely.
    if not (state.variant == "strict-up" and up):
        moves += _across_moves(state)
        moves += _pile_card_fills(state)
    moves += _stock_fills(state)
    # H7: default lets the player gather although a move exists.
    if not (state.variant == "strict" and up):
        moves += _gathers(state)
    return list(dict.fromkeys(_settled(move) for move in moves))


def outcome(state: State) -> str | None:
    """Return whether the game is over.

    Args:
        state: The position to judge.

    Returns:
        "won", "lost" (no legal move) or None while the game goes on.
    """
    if _is_won(state):
        return "won"
    return None if successors(state) else "lost"


def piles(state: State) -> dict[str, tuple[str, ...]]:
    """Name every pile of the position.

    Args:
        state: The position to describe.

    Returns:
        All piles, empty ones too, bottom card first; the stock's next card is its last.
    """
    named: dict[str, tuple[str, ...]] = {}
    for group, row in (
        ("queens", state.queens),
        ("kings", state.kings),
        ("upper", state.table[:8]),
        ("lower", state.table[8:]),
    ):
        for number, pile in enumerate(row, start=1):
            named[f"{group}.{number}"] = pile
    named["stock"] = state.stock
    return named


def _is_won(state: State) -> bool:
    """Return whether all sixteen foundations are full."""
    return sum(map(len, state.queens + state.kings)) == CARDS


def _with(row: Row, place: int, pile: Pile) -> Row:
    """Return the row with one of its piles replaced."""
    return (*row[:place], pile, *row[place + 1 :])


# Deal and gather -------------------------------------------------------------------------------


def _dealing_order(variant: str) -> list[int]:
    """Return the places in the order in which a layout of 64 cards covers them."""
    if variant == "packets":  # H12
        return [place for place in UPPER + LOWER for _ in range(PACKET)]
    # H12: rounds of eight, the upper row complete before the lower one.
    return list(UPPER) * PACKET + list(LOWER) * PACKET


def _laid(state: State) -> State:
    """Lay the piles from the stock, until it runs out if it has fewer than 64 cards."""
    table: list[list[str]] = [[] for _ in range(PLACES)]
    stock = list(state.stock)
    for place in _dealing_order(state.variant):
        if stock:
            table[place].append(stock.pop())
    laid = tuple(tuple(pile) for pile in table)
    return replace(state, table=laid, stock=tuple(stock))


def _gathering_order(variant: str) -> list[int]:
    """Return the places in the order in which they are pushed under the stock (H5)."""
    upper_leftwards, lower_leftwards = list(reversed(UPPER)), list(reversed(LOWER))
    if variant == "columns":
        pairs = zip(upper_leftwards, lower_leftwards, strict=True)
        return [place for pair in pairs for place in pair]
    if variant == "boustrophedon":
        return upper_leftwards + list(LOWER)
    return upper_leftwards + lower_leftwards


def _gathers(state: State) -> list[State]:
    """Gather the piles and lay them again, as one move."""
    allowed = 1 if state.variant == "one-relay" else 2  # H3
    if state.gathers >= allowed:
        return []
    next_first = list(reversed(state.stock))
    for place in _gathering_order(state.variant):
        # H6: each pile is flipped separately, so its bottom card is dealt first.
        next_first += state.table[place]
    stock = tuple(reversed(next_first))
    return [_laid(replace(state, stock=stock, gathers=state.gathers + 1))]


# Vacancies -------------------------------------------------------------------------------------


def _filled(state: State, place: int) -> State:
    """Fill a vacancy with four stock cards, or with what is left of them (H11)."""
    # Dealt one by one: the next card of the stock, its last in our listing, lies lowest.
    packet = tuple(reversed(state.stock[-PACKET:]))
    return replace(state, table=_with(state.table, place, packet), stock=state.stock[:-PACKET])


def _settled(state: State) -> State:
    """Carry out the forced fills: in the first layout every vacancy, at once (H9)."""
    if state.gathers > 0:
        return state
    for place in range(PLACES):
        # With the stock exhausted the vacancy stays until the re-lay.
        if not state.table[place] and state.stock:
            state = _filled(state, place)
    return state


def _stock_fills(state: State) -> list[State]:
    """Fill one vacancy from the stock, as a free move of the later layouts (H10)."""
    if state.gathers == 0 or not state.stock:
        return []
    return [_filled(state, place) for place in range(PLACES) if not state.table[place]]


def _pile_card_fills(state: State) -> list[State]:
    """Fill one vacancy with the top card of a pile, in the later layouts only.

    The places matter for the gather, so every vacancy counts, even for a pile's only card.
    """
    if state.gathers == 0:
        return []
    return [
        replace(state, table=_with(_with(state.table, source, pile[:-1]), target, pile[-1:]))
        for source, pile in enumerate(state.table)
        if pile
        for target in range(PLACES)
        if not state.table[target]
    ]


# Up and across ---------------------------------------------------------------------------------


def _played(row: Row, order: str, card: str) -> Row | None:
    """Put a card on the first foundation of a row that wants it; None if none does."""
    rank, suit = card[0], card[1]
    for place, pile in enumerate(row):
        if len(pile) == len(order) or rank != order[len(pile)]:
            continue
        if not pile or pile[0][1] == suit:
            return _with(row, place, (*pile, card))
    return None


def _up_moves(state: State) -> list[State]:
    """Play the top card of a pile on a foundation."""
    moves = []
    for source, pile in enumerate(state.table):
        if not pile:
            continue
        rest = replace(state, table=_with(state.table, source, pile[:-1]))
        queens = _played(state.queens, QUEENS_ORDER, pile[-1])
        if queens is not None:
            moves.append(replace(rest, queens=queens))
        kings = _played(state.kings, KINGS_ORDER, pile[-1])
        if kings is not None:
            moves.append(replace(rest, kings=kings))
    return moves


def _goes_on(card: str, other: str, variant: str) -> bool:
    """Return whether a card may be moved across on to another: in suit (H1), one lower (H2)."""
    step = 2 if variant == "by-twos" else 1
    return card[1] == other[1] and RANKS.index(card[0]) == RANKS.index(other[0]) - step


def _across_moves(state: State) -> list[State]:
    """Move the top card of a pile on to the top card of another pile."""
    return [
        replace(
            state,
            table=_with(_with(state.table, source, pile[:-1]), target, (*onto, pile[-1])),
        )
        for source, pile in enumerate(state.table)
        for target, onto in enumerate(state.table)
        if source != target and pile and onto and _goes_on(pile[-1], onto[-1], state.variant)
    ]
