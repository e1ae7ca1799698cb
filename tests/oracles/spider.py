"""Oracle for Spider: ten columns, built down whatever the suit, five rows dealt on all of them.

Written from the printed rules. A row is dealt only when no column is vacant, and complete suits
leave the table at once.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tests.oracles.packs import (
    PACK,
    RANKS,
    SUITS,
    Pile,
    Piles,
    check,
    dealt_in_rounds,
    gone_up,
    less,
    more,
    named,
    value,
)

VARIANTS: tuple[str, ...] = ("one-suit", "two-suits", "card-by-card", "vacancies", "open")
INTERCHANGEABLE: tuple[str, ...] = ("foundations",)

COLUMNS = 10
SIZES = (6,) * 4 + (5,) * 6


class State(NamedTuple):
    """A position of Spider.

    Attributes:
        columns: The ten columns.
        hidden: How many cards of each column lie face down.
        foundations: The complete suits, or what has gone up card by card.
        stock: What is to be dealt, next card first.
        variant: The variant played.
    """

    columns: Piles
    hidden: tuple[int, ...]
    foundations: Piles
    stock: Pile
    variant: str


def start(deck: Sequence[str], variant: str = "") -> State:
    """Deals the columns in rounds; the last card of each lies face up."""
    suits = {"one-suit": "S", "two-suits": "SH"}.get(variant, SUITS)
    pack = [rank + suit for rank in RANKS for suit in suits] * (8 // len(suits))
    check(deck, pack, variant, VARIANTS)
    dealt = sum(SIZES)
    columns = dealt_in_rounds(deck[:dealt], SIZES)
    hidden = tuple(0 if variant == "open" else size - 1 for size in SIZES)
    return _settled(State(columns, hidden, ((),) * 8, tuple(deck[dealt:]), variant))


def successors(state: State) -> list[State]:
    """Lists the distinct positions one move of the player away."""
    return list(dict.fromkeys(map(_settled, _moves(state))))


def outcome(state: State) -> str | None:
    """Returns "won" with all cards gone, "lost" without a legal move, otherwise None."""
    if sum(map(len, state.foundations)) == 2 * len(PACK):
        return "won"
    return "lost" if next(_moves(state), None) is None else None


def piles(state: State) -> dict[str, tuple[str, ...]]:
    """Names every pile; the next card of the stock is its last."""
    rows = named("tableau", state.columns) | named("foundations", state.foundations)
    return rows | {"stock": state.stock[::-1]}


def _moves(state: State) -> Iterator[State]:
    for source, column in enumerate(state.columns):
        if column and state.variant == "card-by-card":
            foundations = gone_up(state.foundations, column[-1])
            if foundations is not None:
                yield state._replace(columns=less(state.columns, source), foundations=foundations)
        for count in range(1, _suited(state, source) + 1):
            cards = column[-count:]
            rest = less(state.columns, source, count)
            for target, others in enumerate(state.columns):
                if target == source:
                    continue
                if not others or value(others[-1]) == value(cards[0]) + 1:
                    yield state._replace(columns=more(rest, target, *cards))
    if state.stock and (all(state.columns) or state.variant == "vacancies"):
        columns = state.columns
        for place, card in enumerate(state.stock[:COLUMNS]):
            columns = more(columns, place, card)
        yield state._replace(columns=columns, stock=state.stock[COLUMNS:])


def _suited(state: State, place: int) -> int:
    """Counts the cards on top of a column that run down in suit, face up."""
    open_cards = state.columns[place][state.hidden[place] :]
    count = min(1, len(open_cards))
    while count < len(open_cards):
        upper, lower = open_cards[-count], open_cards[-count - 1]
        if upper[1] != lower[1] or value(lower) != value(upper) + 1:
            break
        count += 1
    return count


def _settled(state: State) -> State:
    """Turns cards up and takes complete suits away."""
    hidden = tuple(map(min, state.hidden, (max(0, len(c) - 1) for c in state.columns)))
    state = state._replace(hidden=hidden)
    if state.variant == "card-by-card":
        return state
    for place, column in enumerate(state.columns):
        if _suited(state, place) == len(RANKS):
            vacancy = state.foundations.index(())
            foundations = more(state.foundations, vacancy, *column[-len(RANKS) :])
            columns = less(state.columns, place, len(RANKS))
            return _settled(state._replace(columns=columns, foundations=foundations))
    return state
