"""Oracle for Churchill: Gypsy with two packs, six cards that only go up, and a stock that spares.

Written from the words of the rules: ten piles, built down in alternate colours, of which a vacancy
takes a king; sequences move as one. The stock deals a card to each pile, but not to one that is
nothing but a sequence from a king. The six cards go up in their order.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from tests.oracles.packs import (
    PACK,
    Pile,
    Piles,
    check,
    dealt_in_rounds,
    gone_up,
    less,
    more,
    named,
    red,
    value,
)

VARIANTS: tuple[str, ...] = ("pitt-the-younger",)
INTERCHANGEABLE: tuple[str, ...] = ("foundations",)

DOWN = (0, 1, 2, 3, 4, 4, 3, 2, 1, 0)


class State(NamedTuple):
    """A position: the piles with their face-down cards, the six, the foundations and the stock."""

    tableau: Piles
    hidden: tuple[int, ...]
    six: Pile
    foundations: Piles
    stock: Pile


def start(deck: Sequence[str], variant: str = "") -> State:
    """Deals the six, then the piles in rounds, of each the last card face up."""
    check(deck, PACK * 2, variant, VARIANTS)
    number = 11 if variant else 6
    tableau = dealt_in_rounds(deck[number:], [down + 1 for down in DOWN])
    dealt = number + sum(map(len, tableau))
    return State(tableau, DOWN, tuple(deck[:number]), ((),) * 8, tuple(deck[dealt:]))


def successors(state: State) -> list[State]:
    """Lists the positions one move of the player away."""
    return list(_after_each_move(state))


def outcome(state: State) -> str | None:
    """Won with all cards on the foundations, lost without a move."""
    if sum(map(len, state.foundations)) == 104:
        return "won"
    return "lost" if next(_after_each_move(state), None) is None else None


def piles(state: State) -> dict[str, Pile]:
    """Names every pile."""
    return {
        **named("foundations", state.foundations),
        "reserve": state.six,
        **named("tableau", state.tableau),
        "stock": state.stock[::-1],
    }


def _fits(card: str, top: str) -> bool:
    return value(card) == value(top) - 1 and red(card) != red(top)


def _is_spared(cards: Pile, hidden: int) -> bool:
    """Whether a pile is one sequence from a king."""
    runs = all(_fits(upper, lower) for lower, upper in pairwise(cards))
    return bool(cards) and not hidden and cards[0][0] == "K" and runs


def _turned(state: State) -> State:
    tops = zip(state.tableau, state.hidden, strict=True)
    return state._replace(hidden=tuple(min(down, max(len(pile) - 1, 0)) for pile, down in tops))


def _after_each_move(state: State) -> Iterator[State]:
    for place, cards in enumerate(state.tableau):
        if not cards:
            continue
        if (up := gone_up(state.foundations, cards[-1])) is not None:
            yield _turned(state._replace(tableau=less(state.tableau, place), foundations=up))
        for number in range(1, len(cards) - state.hidden[place] + 1):
            unit = cards[-number:]
            if not all(_fits(upper, lower) for lower, upper in pairwise(unit)):
                break
            left = less(state.tableau, place, number)
            for target, others in enumerate(state.tableau):
                is_king = unit[0][0] == "K"
                if target != place and (_fits(unit[0], others[-1]) if others else is_king):
                    yield _turned(state._replace(tableau=more(left, target, *unit)))
    if state.six and (up := gone_up(state.foundations, state.six[-1])) is not None:
        yield state._replace(six=state.six[:-1], foundations=up)
    if state.stock:
        tableau, stock = state.tableau, state.stock
        for place, cards in enumerate(state.tableau):
            if stock and not _is_spared(cards, state.hidden[place]):
                tableau, stock = more(tableau, place, stock[0]), stock[1:]
        if len(stock) < len(state.stock):
            yield state._replace(tableau=tableau, stock=stock)
