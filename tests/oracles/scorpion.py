"""Oracle for Scorpion: seven columns, any open card moves with all that lies on it.

Written from the printed rules. Complete suits leave the table at once; of the variant that leaves
them where they are, the game is won when four columns hold a suit each.
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
    in_order,
    less,
    more,
    named,
    value,
)

VARIANTS: tuple[str, ...] = ("scorpion-ii", "wasp", "in-place")
INTERCHANGEABLE: tuple[str, ...] = ("foundations",)

COLUMNS = 7
SIZE = 7


class State(NamedTuple):
    """A position of Scorpion.

    Attributes:
        columns: The seven columns.
        hidden: How many cards of each column lie face down.
        foundations: The complete suits.
        stock: The three cards that are dealt later.
        variant: The variant played.
    """

    columns: Piles
    hidden: tuple[int, ...]
    foundations: Piles
    stock: Pile
    variant: str


def start(deck: Sequence[str], variant: str = "") -> State:
    """Deals seven rows of seven; three cards remain."""
    check(deck, PACK, variant, VARIANTS)
    dealt = COLUMNS * SIZE
    down = 3 if variant == "scorpion-ii" else 4
    columns = dealt_in_rounds(deck[:dealt], [SIZE] * COLUMNS)
    hidden = tuple(3 if place < down else 0 for place in range(COLUMNS))
    return _settled(State(columns, hidden, ((),) * 4, tuple(deck[dealt:]), variant))


def successors(state: State) -> list[State]:
    """Lists the distinct positions one move of the player away."""
    if _is_won(state):
        return []
    return list(dict.fromkeys(map(_settled, _moves(state))))


def outcome(state: State) -> str | None:
    """Returns "won" with all suits in order, "lost" without a legal move, otherwise None."""
    if _is_won(state):
        return "won"
    return "lost" if next(_moves(state), None) is None else None


def piles(state: State) -> dict[str, tuple[str, ...]]:
    """Names every pile; the next card of the stock is its last."""
    rows = named("tableau", state.columns) | {"stock": state.stock[::-1]}
    return rows if state.variant == "in-place" else rows | named("foundations", state.foundations)


def _is_won(state: State) -> bool:
    if state.variant == "in-place":
        return all(not column or _is_suit(column) for column in state.columns)
    return all(state.foundations)


def _moves(state: State) -> Iterator[State]:
    for source, column in enumerate(state.columns):
        for count in range(1, len(column) - state.hidden[source] + 1):
            cards = column[-count:]
            rest = less(state.columns, source, count)
            for target, others in enumerate(state.columns):
                if target == source:
                    continue
                if others:
                    fits = _follows(cards[0], others[-1])
                else:
                    fits = cards[0][0] == "K" or state.variant == "wasp"
                if fits:
                    yield state._replace(columns=more(rest, target, *cards))
    if state.stock:
        columns = state.columns
        for place, card in enumerate(state.stock):
            columns = more(columns, place, card)
        yield state._replace(columns=columns, stock=())


def _follows(upper: str, lower: str) -> bool:
    return upper[1] == lower[1] and value(upper) == value(lower) - 1


def _is_suit(cards: Pile) -> bool:
    return len(cards) == len(RANKS) and in_order(cards, _follows)


def _settled(state: State) -> State:
    """Takes complete suits away and turns cards up."""
    hidden = tuple(map(min, state.hidden, (max(0, len(c) - 1) for c in state.columns)))
    state = state._replace(hidden=hidden)
    if state.variant == "in-place":
        return state
    for place, column in enumerate(state.columns):
        suit = column[-len(RANKS) :]
        if _is_suit(suit) and len(column) - len(suit) >= hidden[place]:
            foundations = more(state.foundations, state.foundations.index(()), *suit)
            columns = less(state.columns, place, len(suit))
            return _settled(state._replace(columns=columns, foundations=foundations))
    return state
