"""Oracle for Canfield: a reserve of thirteen, and a base that the deal decides.

Written from the printed rules: the reserve fills vacancies at once; when it is out, the player
fills them with whatever is available, or not at all.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tests.oracles.packs import (
    PACK,
    RANKS,
    Pile,
    Piles,
    check,
    gone_up,
    in_order,
    less,
    more,
    named,
    red,
)

VARIANTS: tuple[str, ...] = (
    "two-redeals",
    "draw-one",
    "whole-sequences",
    "closed-base",
    "rainfall",
    "waste-fills",
)
INTERCHANGEABLE: tuple[str, ...] = ("foundations", "tableau")

RESERVE = 13
REDEALS = {"two-redeals": 2, "draw-one": 0, "rainfall": 2}


class State(NamedTuple):
    """A position of Canfield.

    Attributes:
        reserve: The reserve, only its top available.
        foundations: The four foundations.
        columns: The four columns.
        stock: What is to be dealt, next card first.
        waste: The waste.
        base: The rank on which foundations begin.
        redeals: How often the waste has been turned over, as far as that matters.
        variant: The variant played.
    """

    reserve: Pile
    foundations: Piles
    columns: Piles
    stock: Pile
    waste: Pile
    base: str
    redeals: int
    variant: str


def start(deck: Sequence[str], variant: str = "") -> State:
    """Deals the reserve, the first foundation, and a card to each column."""
    check(deck, PACK, variant, VARIANTS)
    first, *rest = deck[RESERVE:]
    return State(
        reserve=tuple(deck[:RESERVE]),
        foundations=((first,), (), (), ()),
        columns=tuple((card,) for card in rest[:4]),
        stock=tuple(rest[4:]),
        waste=(),
        base=first[0],
        redeals=0,
        variant=variant,
    )


def successors(state: State) -> list[State]:
    """Lists the distinct positions one move of the player away."""
    return list(dict.fromkeys(map(_filled, _moves(state))))


def outcome(state: State) -> str | None:
    """Returns "won" with all cards up, "lost" without a legal move, otherwise None."""
    if sum(map(len, state.foundations)) == len(PACK):
        return "won"
    return "lost" if next(_moves(state), None) is None else None


def piles(state: State) -> dict[str, tuple[str, ...]]:
    """Names every pile; the next card of the stock is its last."""
    rows = named("foundations", state.foundations) | named("tableau", state.columns)
    singles = {"reserve": state.reserve, "stock": state.stock[::-1], "waste": state.waste}
    return rows | singles


def _may_lie(state: State, card: str, other: str) -> bool:
    if state.variant == "closed-base" and other[0] == state.base:
        return False
    follows = (RANKS.index(card[0]) + 1) % len(RANKS) == RANKS.index(other[0])
    return follows and red(card) != red(other)


def _places(state: State, card: str) -> list[int]:
    return [
        place
        for place, column in enumerate(state.columns)
        if not column or _may_lie(state, card, column[-1])
    ]


def _up(state: State, card: str) -> Piles | None:
    first = RANKS.index(state.base)
    return gone_up(state.foundations, card, RANKS[first:] + RANKS[:first])


def _moves(state: State) -> Iterator[State]:
    if state.reserve:
        yield from _played(state._replace(reserve=state.reserve[:-1]), state.reserve[-1])
    if state.waste:
        yield from _played(state._replace(waste=state.waste[:-1]), state.waste[-1])
    yield from _from_columns(state)
    if state.stock:
        count = 1 if state.variant in ("draw-one", "rainfall") else 3
        waste = state.waste + state.stock[:count]
        yield state._replace(stock=state.stock[count:], waste=waste)
    elif state.waste and state.variant not in REDEALS:
        yield state._replace(stock=state.waste, waste=())
    elif state.waste and state.redeals < REDEALS[state.variant]:
        yield state._replace(stock=state.waste, waste=(), redeals=state.redeals + 1)


def _played(rest: State, card: str) -> Iterator[State]:
    """Plays a card that has been taken up to a foundation or a column."""
    foundations = _up(rest, card)
    if foundations is not None:
        yield rest._replace(foundations=foundations)
    for place in _places(rest, card):
        yield rest._replace(columns=more(rest.columns, place, card))


def _from_columns(state: State) -> Iterator[State]:
    for source, column in enumerate(state.columns):
        if column:
            foundations = _up(state, column[-1])
            if foundations is not None:
                columns = less(state.columns, source)
                yield state._replace(foundations=foundations, columns=columns)
        for count in range(1, len(column) + 1):
            cards = column[-count:]
            if not in_order(cards, lambda upper, lower: _may_lie(state, upper, lower)):
                break
            if state.variant == "whole-sequences" and count < len(column):
                continue
            rest = less(state.columns, source, count)
            for target in _places(state, cards[0]):
                # With a whole column in a vacancy, only another column would be vacant.
                if target != source and (rest[source] or rest[target]):
                    yield state._replace(columns=more(rest, target, *cards))


def _filled(state: State) -> State:
    """Fills vacancies from the reserve, and in one variant then from the waste."""
    while () in state.columns:
        vacancy = state.columns.index(())
        if state.reserve:
            columns = more(state.columns, vacancy, state.reserve[-1])
            state = state._replace(columns=columns, reserve=state.reserve[:-1])
        elif state.waste and state.variant == "waste-fills":
            columns = more(state.columns, vacancy, state.waste[-1])
            state = state._replace(columns=columns, waste=state.waste[:-1])
        else:
            break
    return state
