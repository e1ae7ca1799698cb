"""Oracle for Fifteens: four rows of four, from which cards that add up to fifteen leave.

Written from the printed rules: tens, knaves, queens and kings leave only together, one of each.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from tests.oracles.packs import PACK, Pile, check, named, value

VARIANTS: tuple[str, ...] = ()
INTERCHANGEABLE: tuple[str, ...] = ()
HEAPS: tuple[str, ...] = ("discard",)

PLACES = 16
HIGH = "TJQK"
SUM = 15


class State(NamedTuple):
    """A position of Fifteens.

    Attributes:
        places: The cards on the table; a vacancy is empty.
        stock: What is to be dealt, next card first.
        discard: What has left.
    """

    places: tuple[str, ...]
    stock: Pile
    discard: Pile


def start(deck: Sequence[str], variant: str = "") -> State:
    """Deals sixteen cards."""
    check(deck, PACK, variant, VARIANTS)
    return State(tuple(deck[:PLACES]), tuple(deck[PLACES:]), ())


def successors(state: State) -> list[State]:
    """Lists the distinct positions one move of the player away."""
    return list(dict.fromkeys(_moves(state)))


def outcome(state: State) -> str | None:
    """Returns "won" with all cards gone, "lost" without a legal move, otherwise None."""
    if not any(state.places):
        return "won"
    return "lost" if next(_moves(state), None) is None else None


def piles(state: State) -> dict[str, tuple[str, ...]]:
    """Names every pile; the next card of the stock is its last."""
    rows = named("tableau", tuple((card,) if card else () for card in state.places))
    return rows | {"stock": state.stock[::-1], "discard": state.discard}


def _moves(state: State) -> Iterator[State]:
    taken = [place for place, card in enumerate(state.places) if card]
    for count in (2, 3, 4):
        for places in combinations(taken, count):
            cards = tuple(state.places[place] for place in places)
            if _leave(cards):
                yield _filled(state, places, cards)


def _leave(cards: Pile) -> bool:
    if any(card[0] in HIGH for card in cards):
        return {card[0] for card in cards} == set(HIGH)
    return sum(map(value, cards)) == SUM


def _filled(state: State, gone: tuple[int, ...], cards: Pile) -> State:
    """Fills the vacancies from the stock, the first one first."""
    left = list(state.stock)
    places = [
        (left.pop(0) if left else "") if place in gone or not card else card
        for place, card in enumerate(state.places)
    ]
    return State(tuple(places), tuple(left), state.discard + cards)
