"""Oracle for Three Peaks as PySolFC scores it: the cards of TriPeaks, and what they count.

Written from the words of the rules: a game costs 52 points, the cards of a run count by fours 1, 2,
4, 8 and so on, each peak that is cleared doubles all that follows and counts five times this
factor, and when the table is cleared each card left in the stock counts ten.
"""

from collections.abc import Sequence
from typing import NamedTuple

from tests.oracles import tri_peaks

VARIANTS: tuple[str, ...] = ("open",)
INTERCHANGEABLE: tuple[str, ...] = ()


class State(NamedTuple):
    """A position of Three Peaks.

    Attributes:
        table: The cards.
        run: How many cards have been laid off since the stock was last turned.
        points: The points so far.
    """

    table: tri_peaks.State
    run: int
    points: int


def start(deck: Sequence[str], variant: str = "") -> State:
    """Deals the cards; the game is paid for."""
    return State(tri_peaks.start(deck, variant), 0, -52)


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
        return State(after, 0, state.points)
    gone = sum(not after.places[peak] for peak in range(3))
    fresh = gone - sum(not state.table.places[peak] for peak in range(3))
    gained = 2**gone * (5 * fresh + 2 ** (state.run // 4))
    if not any(after.places):
        gained += 10 * len(after.stock)
        after = after._replace(waste=after.waste + after.stock, stock=())
    return State(after, state.run + 1, state.points + gained)
