"""Oracle for The Besieged City: a direct transcription of games.md, section 6.

Slow and obvious on purpose, and written without sight of the engine, so that the two can be
compared. The tags BC1-BC12 are the readings of the table in games.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

__all__ = ["INTERCHANGEABLE", "VARIANTS", "State", "outcome", "piles", "start", "successors"]

VARIANTS: tuple[str, ...] = ("fourteens-only", "at-once", "forced-play", "one-transposition")

# Ramparts and reserve cells are tied together by their lines.
INTERCHANGEABLE: tuple[str, ...] = ("foundations",)

Pile = tuple[str, ...]
Row = tuple[Pile, ...]

RANKS = "A23456789TJQK"
FOUNDATION_ORDER = "AK2Q3J4T5968778695T4J3Q2KA"
CARDS = 104
RESERVE_CELLS = tuple(range(12))  # row by row, three in a row

CELLS_OF_ROW = tuple(tuple(cell for cell in RESERVE_CELLS if cell // 3 == row) for row in range(4))
CELLS_OF_COLUMN = tuple(
    tuple(cell for cell in RESERVE_CELLS if cell % 3 == column) for column in range(3)
)
# The line that each rampart stands at the end of, clockwise (BC10).
LINES: tuple[tuple[int, ...], ...] = (
    *CELLS_OF_COLUMN,  # T1-T3
    *CELLS_OF_ROW,  # E1-E4
    *reversed(CELLS_OF_COLUMN),  # B3-B1
    *reversed(CELLS_OF_ROW),  # L4-L1
)


@dataclass(frozen=True)
class State:
    """A position.

    Attributes:
        variant: Name of the variant, empty for the default rules.
        foundations: The four foundations.
        ramparts: The fourteen ramparts, clockwise.
        reserve: The twelve reserve cells, row by row, at most one card in each.
        stock: Face-down stock, the next card to be dealt last.
        hand: The turned card, or nothing.
        waste: The waste.
        transposed: Whether the only transposition of `one-transposition` has been made.
    """

    variant: str
    foundations: Row
    ramparts: Row
    reserve: Row
    stock: Pile
    hand: Pile = ()
    waste: Pile = ()
    transposed: bool = False


def start(deck: Sequence[str], variant: str = "") -> State:
    """Lay out a new game.

    Args:
        deck: The 104 cards in the order in which they leave the pack.
        variant: One of `VARIANTS`, or empty for the default rules.

    Returns:
        The position after the layout and, in `forced-play`, the plays it allows.

    Raises:
        ValueError: If the variant is unknown or the deck has not 104 cards.
    """
    if variant and variant not in VARIANTS:
        raise ValueError(f"unknown variant {variant!r}")
    if len(deck) != CARDS:
        raise ValueError(f"The Besieged City takes {CARDS} cards, not {len(deck)}")
    reserve = tuple((card,) for card in deck[:12])
    ramparts = tuple((card,) for card in deck[12:26])
    return _settled(State(variant, ((),) * 4, ramparts, reserve, tuple(reversed(deck[26:]))))


def successors(state: State) -> list[State]:
    """List every distinct position one player move away, after all forced effects.

    Args:
        state: The position to move from.

    Returns:
        The positions, none twice; empty when the game is won or lost.
    """
    if _is_won(state):
        return []
    moves = _forced_effects(state) or _free_moves(state)
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
        ("foundations", state.foundations),
        ("ramparts", state.ramparts),
        ("reserve", state.reserve),
    ):
        for number, pile in enumerate(row, start=1):
            named[f"{group}.{number}"] = pile
    named["stock"] = state.stock
    named["hand"] = state.hand
    named["waste"] = state.waste
    return named


def _is_won(state: State) -> bool:
    """Return whether all four foundations are full."""
    return sum(map(len, state.foundations)) == CARDS


def _with(row: Row, place: int, pile: Pile) -> Row:
    """Return the row with one of its piles replaced."""
    return (*row[:place], pile, *row[place + 1 :])


def _is_end_phase(state: State) -> bool:
    """Return whether stock, hand and waste are empty."""
    return not (state.stock or state.hand or state.waste)


def _line(state: State, rampart: int) -> list[int]:
    """Return the reserve cells whose cards may go to a rampart."""
    line = LINES[rampart]
    # BC8: in the end phase transposing brings any reserve card to any rampart.
    if _is_end_phase(state) and state.variant != "one-transposition":
        line = RESERVE_CELLS
    # BC3: cards between do not block.
    return [cell for cell in line if state.reserve[cell]]


# Forced effects --------------------------------------------------------------------------------


def _settled(state: State) -> State:
    """Carry out forced effects until none is due or the player has to choose."""
    while len(options := _forced_effects(state)) == 1:
        state = options[0]
    return state


def _forced_effects(state: State) -> list[State]:
    """Return the results of the first forced effect that is due, one for each option of it.

    The order is: rampart fill, reserve fill (BC6) and, in `forced-play`, plays (BC5).
    """
    effects = _rampart_fills(state) or _reserve_fills(state)
    if not effects and state.variant == "forced-play":
        effects = _hand_plays(state) + _rampart_plays(state)
    return effects


def _rampart_fills(state: State) -> list[State]:
    """Fill the first vacant rampart, clockwise, that any reserve card can go to."""
    for rampart, pile in enumerate(state.ramparts):
        if pile:
            continue
        fills = [
            replace(
                state,
                ramparts=_with(state.ramparts, rampart, state.reserve[cell]),
                reserve=_with(state.reserve, cell, ()),
            )
            for cell in _line(state, rampart)
        ]
        # BC7: a vacancy that no card is available to waits.
        if fills:
            return fills
    return []


def _reserve_fills(state: State) -> list[State]:
    """Fill the first vacant reserve cell: from the waste, else the hand, else the stock."""
    if () not in state.reserve:
        return []
    cell = state.reserve.index(())
    if state.waste:
        reserve = _with(state.reserve, cell, state.waste[-1:])
        return [replace(state, reserve=reserve, waste=state.waste[:-1])]
    if state.hand:
        return [replace(state, reserve=_with(state.reserve, cell, state.hand), hand=())]
    if state.stock:
        reserve = _with(state.reserve, cell, state.stock[-1:])
        return [replace(state, reserve=reserve, stock=state.stock[:-1])]
    return []


# Plays on the foundations ----------------------------------------------------------------------


def _played(foundations: Row, card: str) -> Row | None:
    """Put a card on the foundation of its suit; None if it is not the next card there."""
    rank, suit = card[0], card[1]
    for place, pile in enumerate(foundations):
        if pile and pile[0][1] == suit:
            # BC11: one foundation for each suit, which the second ace ends.
            if len(pile) < len(FOUNDATION_ORDER) and rank == FOUNDATION_ORDER[len(pile)]:
                return _with(foundations, place, (*pile, card))
            return None
    if rank == FOUNDATION_ORDER[0]:
        return _with(foundations, foundations.index(()), (card,))
    return None


def _rampart_plays(state: State) -> list[State]:
    """Play the top card of a rampart."""
    moves = []
    for rampart, pile in enumerate(state.ramparts):
        foundations = _played(state.foundations, pile[-1]) if pile else None
        if foundations is not None:
            ramparts = _with(state.ramparts, rampart, pile[:-1])
            moves.append(replace(state, foundations=foundations, ramparts=ramparts))
    return moves


def _hand_plays(state: State) -> list[State]:
    """Play the turned card; it keeps that right until it is laid off (BC4)."""
    foundations = _played(state.foundations, state.hand[0]) if state.hand else None
    return [] if foundations is None else [replace(state, foundations=foundations, hand=())]


# Free moves ------------------------------------------------------------------------------------


def _free_moves(state: State) -> list[State]:
    """List the results of all moves while no forced effect is due."""
    moves = _hand_plays(state)
    if state.hand:
        moves.append(replace(state, hand=(), waste=state.waste + state.hand))
        if state.variant == "at-once":  # BC4
            return moves
    elif state.stock:
        moves.append(replace(state, hand=state.stock[-1:], stock=state.stock[:-1]))
    moves += _rampart_plays(state)
    moves += _rampart_transfers(state)
    moves += _reserve_placings(state)
    moves += _transpositions(state)
    return moves


def _fits(card: str, other: str, variant: str) -> bool:
    """Return whether a card may be placed on another; card on card only (BC2)."""
    if card[1] != other[1]:
        return False
    value, other_value = RANKS.index(card[0]) + 1, RANKS.index(other[0]) + 1
    # BC1, BC9: neighbours in the order of playing, seven on seven among them.
    sums = (14,) if variant == "fourteens-only" else (14, 15)
    return abs(value - other_value) == 1 or value + other_value in sums


def _rampart_transfers(state: State) -> list[State]:
    """Place the top card of a rampart on another rampart (BC12: single cards)."""
    return [
        replace(
            state,
            ramparts=_with(_with(state.ramparts, source, pile[:-1]), target, (*onto, pile[-1])),
        )
        for source, pile in enumerate(state.ramparts)
        for target, onto in enumerate(state.ramparts)
        if source != target and pile and onto and _fits(pile[-1], onto[-1], state.variant)
    ]


def _reserve_placings(state: State) -> list[State]:
    """Place a reserve card on a rampart at an end of its row or column."""
    return [
        replace(
            state,
            ramparts=_with(state.ramparts, rampart, pile + state.reserve[cell]),
            reserve=_with(state.reserve, cell, ()),
        )
        for rampart, pile in enumerate(state.ramparts)
        if pile
        for cell in _line(state, rampart)
        if _fits(state.reserve[cell][0], pile[-1], state.variant)
    ]


def _transpositions(state: State) -> list[State]:
    """Exchange two reserve cells, once and in the end phase (BC8, `one-transposition`)."""
    if state.variant != "one-transposition" or state.transposed or not _is_end_phase(state):
        return []
    moves = []
    for cell, other in combinations(RESERVE_CELLS, 2):
        card, other_card = state.reserve[cell], state.reserve[other]
        # Equal contents (both empty, or the same card twice) would leave an equal table.
        if card != other_card:
            reserve = _with(_with(state.reserve, cell, other_card), other, card)
            moves.append(replace(state, reserve=reserve, transposed=True))
    return moves
