"""Oracle for Matrimony: rows of sixteen, whose piles are dealt again one by one.

Written from the printed rules. When the stock is out, the last pile is turned over and dealt from
its own place on, round the table; then the last but one, and so on. Vacant places are passed over.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tests.oracles.packs import PACK, Pile, Piles, check, gone_up, less, more, named

VARIANTS: tuple[str, ...] = ()
INTERCHANGEABLE: tuple[str, ...] = ()

PLACES = 16
DOWN = "JT98765432AKQ"
UP = "QKA23456789TJ"


class State(NamedTuple):
    """A position of Matrimony.

    Attributes:
        knaves: The foundations that run down, one of each suit.
        queens: The foundations that run up, one of each suit.
        piles: The sixteen piles.
        stock: What is to be dealt, next card first.
        left: How many piles have not been dealt again.
    """

    knaves: Piles
    queens: Piles
    piles: Piles
    stock: Pile
    left: int


def start(deck: Sequence[str], variant: str = "") -> State:
    """Deals a row; a knave and a queen of diamonds lie there before."""
    check([*deck, "JD", "QD"], PACK * 2, variant, VARIANTS)
    return State(
        knaves=(("JD",), (), (), ()),
        queens=(("QD",), (), (), ()),
        piles=tuple((card,) for card in deck[:PLACES]),
        stock=tuple(deck[PLACES:]),
        left=PLACES,
    )


def successors(state: State) -> list[State]:
    """Lists the distinct positions one move of the player away."""
    return list(dict.fromkeys(_moves(state)))


def outcome(state: State) -> str | None:
    """Returns "won" with all cards up, "lost" without a legal move, otherwise None."""
    if sum(map(len, state.knaves + state.queens)) == 2 * len(PACK):
        return "won"
    return "lost" if next(_moves(state), None) is None else None


def piles(state: State) -> dict[str, tuple[str, ...]]:
    """Names every pile; the next card of the stock is its last."""
    rows = named("knaves", state.knaves) | named("queens", state.queens)
    return rows | named("tableau", state.piles) | {"stock": state.stock[::-1]}


def _moves(state: State) -> Iterator[State]:
    for source, pile in enumerate(state.piles):
        if pile:
            rest = state._replace(piles=less(state.piles, source))
            knaves = _up(state.knaves, pile[-1], DOWN)
            if knaves is not None:
                yield rest._replace(knaves=knaves)
            queens = _up(state.queens, pile[-1], UP)
            if queens is not None:
                yield rest._replace(queens=queens)
    if state.stock:
        piles = state.piles
        for place, card in enumerate(state.stock[:PLACES]):
            piles = more(piles, place, card)
        yield state._replace(piles=piles, stock=state.stock[PLACES:])
    else:
        yield from _dealt_again(state)


def _up(row: Piles, card: str, order: str) -> Piles | None:
    """Puts a card on a foundation; each suit has only one that runs this way."""
    if card[0] == order[0] and any(pile[:1] == (card,) for pile in row):
        return None
    return gone_up(row, card, order)


def _dealt_again(state: State) -> Iterator[State]:
    left = state.left
    while left and not state.piles[left - 1]:
        left -= 1
    if left == 0:
        return
    place = left - 1
    cards = state.piles[place]
    piles = less(state.piles, place, len(cards))
    for number, card in enumerate(cards):
        piles = more(piles, (place + number) % PLACES, card)
    yield state._replace(piles=piles, left=place)
