"""Oracle for Clock: each card goes to its hour, and the next one is taken from there.

Written from the printed rules. The kings lie in the middle, where the game begins; it is won when
all cards have been turned.
"""

from collections.abc import Sequence
from typing import NamedTuple

from tests.oracles.packs import PACK, RANKS, Piles, check, dealt_in_rounds, less, more, named

VARIANTS: tuple[str, ...] = ()
INTERCHANGEABLE: tuple[str, ...] = ()

MIDDLE = RANKS.index("K")


class State(NamedTuple):
    """A position of Clock.

    Attributes:
        hours: The thirteen piles that lie face down, the kings' last.
        faces: The cards that were turned, at their hours.
        hour: Where the next card is taken.
    """

    hours: Piles
    faces: Piles
    hour: int


def start(deck: Sequence[str], variant: str = "") -> State:
    """Deals thirteen piles of four."""
    check(deck, PACK, variant, VARIANTS)
    hours = dealt_in_rounds(deck, [4] * len(RANKS))
    return State(hours, ((),) * len(RANKS), MIDDLE)


def successors(state: State) -> list[State]:
    """Turns the next card, which is all that can be done."""
    pile = state.hours[state.hour]
    if not pile:
        return []
    place = RANKS.index(pile[-1][0])
    return [State(less(state.hours, state.hour), more(state.faces, place, pile[-1]), place)]


def outcome(state: State) -> str | None:
    """Returns "won" with all cards turned, "lost" when an hour has run out, otherwise None."""
    if not any(state.hours):
        return "won"
    return None if successors(state) else "lost"


def piles(state: State) -> dict[str, tuple[str, ...]]:
    """Names every pile; no card stays in the hand."""
    return named("clock", state.hours) | named("faces", state.faces) | {"hand": ()}
