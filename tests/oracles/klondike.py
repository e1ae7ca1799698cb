"""Oracle for Klondike: seven columns, a stock, a waste, and cards that may come back.

Written from the printed rules, and for the variants from what Hoyle and the programs say.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from tests.oracles.packs import (
    PACK,
    Pile,
    Piles,
    check,
    gone_up,
    in_order,
    less,
    more,
    named,
    red,
    value,
)

VARIANTS: tuple[str, ...] = (
    "draw-three",
    "no-return",
    "one-pass",
    "two-redeals",
    "vegas",
    "casino",
    "chinaman",
    "boost",
    "any-space",
    "no-space",
    "any-suit",
    "in-suit",
    "whole-sequences",
)
INTERCHANGEABLE: tuple[str, ...] = ("foundations", "tableau")

REDEALS = {"one-pass": 0, "two-redeals": 2, "vegas": 0, "casino": 2, "chinaman": 1, "boost": 2}
STAKES = {"vegas": -52, "casino": -52}
SUITS_OF: dict[str, Callable[[str, str], bool]] = {
    "chinaman": lambda card, other: card[1] != other[1],
    "any-suit": lambda card, other: True,
    "in-suit": lambda card, other: card[1] == other[1],
}


class State(NamedTuple):
    """A position of Klondike.

    Attributes:
        foundations: The four foundations.
        columns: The columns, from the shortest to the longest.
        hidden: How many cards of each column lie face down.
        stock: What is to be dealt, next card first.
        waste: The waste.
        redeals: How often the waste has been turned over, as far as that matters.
        variant: The variant played.
    """

    foundations: Piles
    columns: Piles
    hidden: tuple[int, ...]
    stock: Pile
    waste: Pile
    redeals: int
    variant: str


def start(deck: Sequence[str], variant: str = "") -> State:
    """Deals the columns row by row, each row one card shorter."""
    check(deck, PACK, variant, VARIANTS)
    width = 4 if variant == "boost" else 7
    columns: Piles = ((),) * width
    left = list(deck)
    for row in range(width):
        for place in range(row, width):
            columns = more(columns, place, left.pop(0))
    return State(((),) * 4, columns, tuple(range(width)), tuple(left), (), 0, variant)


def successors(state: State) -> list[State]:
    """Lists the distinct positions one move of the player away."""
    if _is_won(state):
        return []
    return list(dict.fromkeys(map(_turned_up, _moves(state))))


def outcome(state: State) -> str | None:
    """Returns "won" with all cards up, "lost" without a legal move, otherwise None."""
    if _is_won(state):
        return "won"
    return "lost" if next(_moves(state), None) is None else None


def points(state: State) -> int | None:
    """Counts the points of games for a stake: five for each card that has gone up, less that."""
    if state.variant not in STAKES:
        return None
    return STAKES[state.variant] + 5 * sum(map(len, state.foundations))


def piles(state: State) -> dict[str, tuple[str, ...]]:
    """Names every pile; the next card of the stock is its last."""
    rows = named("foundations", state.foundations) | named("tableau", state.columns)
    return rows | {"stock": state.stock[::-1], "waste": state.waste}


def _is_won(state: State) -> bool:
    return sum(map(len, state.foundations)) == len(PACK)


def _may_lie(state: State, card: str, other: str) -> bool:
    if state.variant in SUITS_OF:
        suits = SUITS_OF[state.variant](card, other)
    else:
        suits = red(card) != red(other)
    return suits and value(card) == value(other) - 1


def _places(state: State, card: str, source: int | None = None) -> Iterator[int]:
    """Lists the columns where a card, alone or the lowest of several, may go."""
    for place, column in enumerate(state.columns):
        if place == source:
            continue
        if column:
            fits = _may_lie(state, card, column[-1])
        elif state.variant == "any-space":
            fits = True
        else:
            fits = card[0] == "K" and state.variant != "no-space"
        if fits:
            yield place


def _moves(state: State) -> Iterator[State]:
    yield from _from_columns(state)
    if state.waste:
        card, rest = state.waste[-1], state.waste[:-1]
        foundations = gone_up(state.foundations, card)
        if foundations is not None:
            yield state._replace(foundations=foundations, waste=rest)
        for place in _places(state, card):
            yield state._replace(columns=more(state.columns, place, card), waste=rest)
    if state.variant != "no-return":
        for number, pile in enumerate(state.foundations):
            for place in _places(state, pile[-1]) if pile else ():
                columns = more(state.columns, place, pile[-1])
                yield state._replace(foundations=less(state.foundations, number), columns=columns)
    if state.stock:
        count = 3 if state.variant in ("draw-three", "chinaman") else 1
        waste = state.waste + state.stock[:count]
        yield state._replace(stock=state.stock[count:], waste=waste)
    elif state.waste and state.variant not in REDEALS:
        yield state._replace(stock=state.waste, waste=())
    elif state.waste and state.redeals < REDEALS[state.variant]:
        yield state._replace(stock=state.waste, waste=(), redeals=state.redeals + 1)


def _from_columns(state: State) -> Iterator[State]:
    for source, column in enumerate(state.columns):
        if column:
            foundations = gone_up(state.foundations, column[-1])
            if foundations is not None:
                columns = less(state.columns, source)
                yield state._replace(foundations=foundations, columns=columns)
        for count in range(1, len(column) - state.hidden[source] + 1):
            cards = column[-count:]
            if not in_order(cards, lambda upper, lower: _may_lie(state, upper, lower)):
                break
            if state.variant == "whole-sequences" and not _may_part(state, source, count):
                continue
            rest = less(state.columns, source, count)
            for target in _places(state, cards[0], source):
                if not rest[source] and not rest[target]:
                    continue  # only another column would be vacant
                yield state._replace(columns=more(rest, target, *cards))


def _may_part(state: State, source: int, count: int) -> bool:
    """Returns whether what the cards leave behind is no part of their sequence, or can go up."""
    column = state.columns[source]
    below = column[state.hidden[source] : len(column) - count]
    if not below or not _may_lie(state, column[-count], below[-1]):
        return True
    return gone_up(state.foundations, below[-1]) is not None


def _turned_up(state: State) -> State:
    hidden = tuple(map(min, state.hidden, (max(0, len(c) - 1) for c in state.columns)))
    return state._replace(hidden=hidden)
