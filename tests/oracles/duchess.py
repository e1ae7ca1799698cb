"""Oracle for Duchess: the player chooses the base among the tops of four reserves.

Written from the printed rules. Single cards or whole columns are moved; vacancies take cards of the
reserve, and when that is out, of the waste.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tests.oracles.packs import (
    PACK,
    RANKS,
    Pile,
    Piles,
    check,
    dealt_in_rounds,
    gone_up,
    less,
    more,
    named,
    red,
)

VARIANTS: tuple[str, ...] = ()
INTERCHANGEABLE: tuple[str, ...] = ("foundations", "tableau", "reserve")


class State(NamedTuple):
    """A position of Duchess.

    Attributes:
        foundations: The four foundations.
        columns: The four columns.
        reserve: The four reserves.
        stock: What is to be dealt, next card first.
        waste: The waste.
        base: The rank on which foundations begin; empty before it is chosen.
        redealt: Whether the waste has been turned over.
    """

    foundations: Piles
    columns: Piles
    reserve: Piles
    stock: Pile
    waste: Pile
    base: str
    redealt: bool


def start(deck: Sequence[str], variant: str = "") -> State:
    """Deals a card to each column, and three to each reserve."""
    check(deck, PACK, variant, VARIANTS)
    columns = tuple((card,) for card in deck[:4])
    reserve = dealt_in_rounds(deck[4:16], [3] * 4)
    return State(((),) * 4, columns, reserve, tuple(deck[16:]), (), base="", redealt=False)


def successors(state: State) -> list[State]:
    """Lists the distinct positions one move of the player away; first, the base is chosen."""
    return list(dict.fromkeys(_moves(state)))


def outcome(state: State) -> str | None:
    """Returns "won" with all cards up, "lost" without a legal move, otherwise None."""
    if sum(map(len, state.foundations)) == len(PACK):
        return "won"
    return None if successors(state) else "lost"


def piles(state: State) -> dict[str, tuple[str, ...]]:
    """Names every pile; the next card of the stock is its last."""
    rows = named("foundations", state.foundations) | named("tableau", state.columns)
    singles = {"stock": state.stock[::-1], "waste": state.waste}
    return rows | named("reserve", state.reserve) | singles


def _up(state: State, card: str) -> Piles | None:
    first = RANKS.index(state.base)
    return gone_up(state.foundations, card, RANKS[first:] + RANKS[:first])


def _may_lie(card: str, other: str) -> bool:
    follows = (RANKS.index(card[0]) + 1) % len(RANKS) == RANKS.index(other[0])
    return follows and red(card) != red(other)


def _moves(state: State) -> Iterator[State]:
    if not state.base:
        for place, pile in enumerate(state.reserve):
            yield state._replace(
                foundations=more(state.foundations, 0, pile[-1]),
                reserve=less(state.reserve, place),
                base=pile[-1][0],
            )
        return
    for place, pile in enumerate(state.reserve):
        if pile:
            rest = state._replace(reserve=less(state.reserve, place))
            yield from _played(rest, pile[-1], fills=True)
    if state.waste:
        rest = state._replace(waste=state.waste[:-1])
        yield from _played(rest, state.waste[-1], fills=not any(state.reserve))
    for place, pile in enumerate(state.columns):
        if pile:
            rest = state._replace(columns=less(state.columns, place))
            yield from _played(rest, pile[-1], source=place)
            yield from _whole_column(state, place)
    if state.stock:
        yield state._replace(stock=state.stock[1:], waste=(*state.waste, state.stock[0]))
    elif state.waste and not state.redealt:
        yield state._replace(stock=state.waste, waste=(), redealt=True)


def _played(
    rest: State, card: str, *, fills: bool = False, source: int | None = None
) -> Iterator[State]:
    """Plays a card that has been taken up to a foundation or a column."""
    foundations = _up(rest, card)
    if foundations is not None:
        yield rest._replace(foundations=foundations)
    for place, pile in enumerate(rest.columns):
        fits = _may_lie(card, pile[-1]) if pile else fills
        if fits and place != source:
            yield rest._replace(columns=more(rest.columns, place, card))


def _whole_column(state: State, source: int) -> Iterator[State]:
    cards = state.columns[source]
    rest = less(state.columns, source, len(cards))
    for place, pile in enumerate(rest):
        if pile and _may_lie(cards[0], pile[-1]):
            yield state._replace(columns=more(rest, place, *cards))
