"""Oracle for Interlock: three layers of piles, of which one may drop on the pile that it covers.

Written from the words of the rules: nine piles, ten over them, eleven over these. A pile may be
used and built on when both piles over it are gone. If only one of them is left, this whole pile may
go on it, if its lowest card fits. Kings, alone or with what lies on them in sequence, fill
vacancies of the lowest layer; other vacancies stay. The stock is gone through as often as one
likes, card by card.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from tests.oracles.packs import PACK, Pile, Piles, check, gone_up, less, more, named, red, value

VARIANTS: tuple[str, ...] = ()
INTERCHANGEABLE: tuple[str, ...] = ("foundations",)

LOWEST = 9
# Piles 0 to 8 are the lowest layer, 9 to 18 the next, 19 to 29 the uppermost.
COVERS = {place: (place + 9, place + 10) for place in range(9)} | {
    place: (place + 10, place + 11) for place in range(9, 19)
}


class State(NamedTuple):
    """A position: the layers, the foundations, the waste, and the stock, next card first."""

    layers: Piles
    foundations: Piles
    waste: Pile
    stock: Pile


def start(deck: Sequence[str], variant: str = "") -> State:
    """Deals a card to each of the thirty piles, from the lowest layer up, and one to the waste."""
    check(deck, PACK, variant, VARIANTS)
    return State(
        layers=tuple((card,) for card in deck[:30]),
        foundations=((),) * 4,
        waste=(deck[30],),
        stock=tuple(deck[31:]),
    )


def successors(state: State) -> list[State]:
    """Lists the positions one move of the player away."""
    return list(_after_each_move(state))


def outcome(state: State) -> str | None:
    """Won with all cards on the foundations, lost without a move."""
    if sum(map(len, state.foundations)) == len(PACK):
        return "won"
    return "lost" if next(_after_each_move(state), None) is None else None


def piles(state: State) -> dict[str, Pile]:
    """Names every pile."""
    return {
        **named("foundations", state.foundations),
        **named("ground", state.layers[:LOWEST]),
        **named("layers", state.layers[LOWEST:]),
        "waste": state.waste,
        "stock": state.stock[::-1],
    }


def _fits(card: str, top: str) -> bool:
    return value(card) == value(top) - 1 and red(card) != red(top)


def _over(state: State, place: int) -> list[int]:
    """The piles that still lie over a pile."""
    return [cover for cover in COVERS.get(place, ()) if state.layers[cover]]


def _after_each_move(state: State) -> Iterator[State]:
    if sum(map(len, state.foundations)) == len(PACK):
        return
    for place, cards in enumerate(state.layers):
        if not cards or _over(state, place):
            continue
        if (up := gone_up(state.foundations, cards[-1])) is not None:
            yield state._replace(layers=less(state.layers, place), foundations=up)
        for number in range(1, len(cards) + 1):
            unit = cards[-number:]
            if not all(_fits(upper, lower) for lower, upper in pairwise(unit)):
                break
            left = less(state.layers, place, number)
            for target in _takers(state, unit[0], place, whole=number == len(cards)):
                yield state._replace(layers=more(left, target, *unit))
    if state.waste:
        card, waste = state.waste[-1], state.waste[:-1]
        if (up := gone_up(state.foundations, card)) is not None:
            yield state._replace(foundations=up, waste=waste)
        for target in _takers(state, card, None, whole=False):
            yield state._replace(layers=more(state.layers, target, card), waste=waste)
    if state.stock:
        yield state._replace(waste=(*state.waste, state.stock[0]), stock=state.stock[1:])
    elif state.waste:
        yield state._replace(waste=(), stock=state.waste)


def _takers(state: State, card: str, source: int | None, *, whole: bool) -> Iterator[int]:
    """The piles to which a card may go, perhaps with others on it."""
    for target, others in enumerate(state.layers):
        over = _over(state, target)
        if target == source:
            continue
        if others:
            if (not over or (over == [source] and whole)) and _fits(card, others[-1]):
                yield target
        elif target < LOWEST and card[0] == "K":
            yield target
