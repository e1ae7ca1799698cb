"""Oracle for Royal Marriage: what stands between the queen and the king of hearts must leave.

Written from the printed rules, with all cards dealt at once: one card, or two that lie beside each
other, leave if the cards at both sides are of one suit or of one rank.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tests.oracles.packs import PACK, Pile, check, named

VARIANTS: tuple[str, ...] = ()
INTERCHANGEABLE: tuple[str, ...] = ()
HEAPS: tuple[str, ...] = ("discard",)


class State(NamedTuple):
    """A position of Royal Marriage.

    Attributes:
        row: The cards from the bride to the groom.
        discard: What has left.
    """

    row: tuple[str, ...]
    discard: tuple[str, ...]


def start(deck: Sequence[str], variant: str = "") -> State:
    """Deals the row between the bride and the groom."""
    row = ("QH", *deck, "KH")
    check(row, PACK, variant, VARIANTS)
    return State(row, ())


def successors(state: State) -> list[State]:
    """Lists the distinct positions one move of the player away."""
    return list(dict.fromkeys(_moves(state)))


def outcome(state: State) -> str | None:
    """Returns "won" with two cards left, "lost" without a legal move, otherwise None."""
    if len(state.row) == 2:
        return "won"
    return "lost" if next(_moves(state), None) is None else None


def piles(state: State) -> dict[str, tuple[str, ...]]:
    """Names the places of the row, which has closed up, and the discard."""
    places: list[Pile] = [(card,) for card in state.row]
    places += [()] * (len(PACK) - len(places))
    bride, *row, groom = places
    return {"bride": bride, "groom": groom, "discard": state.discard} | named("row", tuple(row))


def _moves(state: State) -> Iterator[State]:
    if len(state.row) == 2:
        return
    for count in (1, 2):
        for left in range(len(state.row) - count - 1):
            right = left + count + 1
            one, other = state.row[left], state.row[right]
            if one[0] == other[0] or one[1] == other[1]:
                gone = state.row[left + 1 : right]
                yield State(state.row[: left + 1] + state.row[right:], state.discard + gone)
