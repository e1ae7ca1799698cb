"""Oracle for Crazy Quilt: eight rows of eight, upright and lying by turns.

Written from the printed rules: a card is free when a narrow side of it is, that is, above or below
an upright one, left or right of one that lies. The first card of the first row stands upright.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tests.oracles.packs import PACK, RANKS, SUITS, Pile, Piles, check, gone_up, named, value

VARIANTS: tuple[str, ...] = ()
INTERCHANGEABLE: tuple[str, ...] = ()

SIDE = 8
PLACES = SIDE * SIDE

UPRIGHT = [place for place in range(PLACES) if (place // SIDE + place % SIDE) % 2 == 0]
LYING = [place for place in range(PLACES) if (place // SIDE + place % SIDE) % 2 == 1]


class State(NamedTuple):
    """A position of Crazy Quilt.

    Attributes:
        aces: The foundations that run up.
        kings: The foundations that run down.
        quilt: The 64 places, row by row; a vacancy is empty.
        stock: What is to be dealt, next card first.
        waste: The waste.
        redealt: Whether the waste has been turned over.
    """

    aces: Piles
    kings: Piles
    quilt: tuple[str, ...]
    stock: Pile
    waste: Pile
    redealt: bool


def start(deck: Sequence[str], variant: str = "") -> State:
    """Deals the upright cards and then the lying ones, after an ace and a king of each suit."""
    aces = tuple(("A" + suit,) for suit in SUITS)
    kings = tuple(("K" + suit,) for suit in SUITS)
    pack = [card for card in PACK if card[0] not in "AK"] * 2
    check(deck, pack + [pile[0] for pile in aces + kings], variant, VARIANTS)
    quilt = [""] * PLACES
    for place, card in zip(UPRIGHT + LYING, deck, strict=False):
        quilt[place] = card
    return State(aces, kings, tuple(quilt), tuple(deck[PLACES:]), (), redealt=False)


def successors(state: State) -> list[State]:
    """Lists the distinct positions one move of the player away."""
    return list(dict.fromkeys(_moves(state)))


def outcome(state: State) -> str | None:
    """Returns "won" with all cards up, "lost" without a legal move, otherwise None."""
    if _is_won(state):
        return "won"
    return "lost" if next(_moves(state), None) is None else None


def piles(state: State) -> dict[str, tuple[str, ...]]:
    """Names every pile; the next card of the stock is its last."""
    single = [(card,) if card else () for card in state.quilt]
    rows = named("uprights", tuple(single[place] for place in UPRIGHT))
    rows |= named("flats", tuple(single[place] for place in LYING))
    rows |= named("aces", state.aces) | named("kings", state.kings)
    return rows | {"stock": state.stock[::-1], "waste": state.waste}


def _is_won(state: State) -> bool:
    return sum(map(len, state.aces + state.kings)) == 2 * len(PACK)


def _moves(state: State) -> Iterator[State]:
    if _is_won(state):
        return
    for place, card in enumerate(state.quilt):
        if card and _is_free(state, place):
            quilt = (*state.quilt[:place], "", *state.quilt[place + 1 :])
            rest = state._replace(quilt=quilt)
            yield from _up(rest, card)
            if state.waste and _touch(card, state.waste[-1]):
                yield rest._replace(waste=(*state.waste, card))
    if state.waste:
        yield from _up(state._replace(waste=state.waste[:-1]), state.waste[-1])
    if state.stock:
        yield state._replace(stock=state.stock[1:], waste=(*state.waste, state.stock[0]))
    elif state.waste and not state.redealt:
        yield state._replace(stock=state.waste, waste=(), redealt=True)


def _up(rest: State, card: str) -> Iterator[State]:
    aces = gone_up(rest.aces, card)
    if aces is not None:
        yield rest._replace(aces=aces)
    kings = gone_up(rest.kings, card, RANKS[::-1])
    if kings is not None:
        yield rest._replace(kings=kings)


def _is_free(state: State, place: int) -> bool:
    """Returns whether one of the narrow sides of a card is free, as it is at the edge."""
    row, column = divmod(place, SIDE)
    if (row + column) % 2 == 0:
        ends = [(row - 1, column), (row + 1, column)]
    else:
        ends = [(row, column - 1), (row, column + 1)]
    return any(
        not (0 <= down < SIDE and 0 <= across < SIDE) or not state.quilt[down * SIDE + across]
        for down, across in ends
    )


def _touch(card: str, other: str) -> bool:
    return card[1] == other[1] and abs(value(card) - value(other)) == 1
