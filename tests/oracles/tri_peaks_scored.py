"""Oracle for TriPeaks with points: the cards of TriPeaks, and what they count.

Written from the words of the rules: each card of a run counts one more than the one before it, a
card that is turned costs five, a cleared peak counts fifteen, and a cleared table fifteen more.
"""

from collections.abc import Sequence
from typing import NamedTuple

from tests.oracles import tri_peaks

VARIANTS: tuple[str, ...] = ("open",)
INTERCHANGEABLE: tuple[str, ...] = ()


class State(NamedTuple):
    """A position of TriPeaks with points.

    Attributes:
        table: The cards.
        run: How many cards have been laid off since the stock was last turned.
        points: The points so far.
    """

    table: tri_peaks.State
    run: int
    points: int


def start(deck: Sequence[str], variant: str = "") -> State:
    """Deals the cards; no points have been made yet."""
    return State(tri_peaks.start(deck, variant), 0, 0)


def successors(state: State) -> list[State]:
    """Lists the positions one move of the player away."""
    return [_counted(state, after) for after in tri_peaks.successors(state.table)]


def outcome(state: State) -> str | None:
    """A game that is won by points alone is over when nothing can be done."""
    return None if tri_peaks.successors(state.table) else "over"


def points(state: State) -> int:
    """The points of a position."""
    return state.points


def piles(state: State) -> dict[str, tuple[str, ...]]:
    """Names every pile."""
    return tri_peaks.piles(state.table)


def _counted(state: State, after: tri_peaks.State) -> State:
    if len(after.stock) < len(state.table.stock):
        return State(after, 0, state.points - 5)
    run = state.run + 1
    fresh = sum(bool(state.table.places[peak]) and not after.places[peak] for peak in range(3))
    return State(after, run, state.points + run + 15 * fresh + 15 * (not any(after.places)))
