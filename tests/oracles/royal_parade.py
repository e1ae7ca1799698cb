"""Oracle for Royal Parade: three rows of eight, where cards wait for their row.

Written from the printed rules. A card lies right in the row that begins with its rank: twos, threes
or fours. What lies wrong may go where it belongs; two of them may change places, if both belong
where they come to. Upon a card that lies right, its row is built by threes in suit.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from tests.oracles.packs import PACK, Pile, Piles, check, less, more, named, takes, with_pile

VARIANTS: tuple[str, ...] = ()
INTERCHANGEABLE: tuple[str, ...] = ("twos", "threes", "fours")
HEAPS: tuple[str, ...] = ("discard",)

ROW = 8
ORDERS = ("258J", "369Q", "47TK")
NAMES = ("twos", "threes", "fours")


class State(NamedTuple):
    """A position of Royal Parade.

    Attributes:
        rows: The places of the three rows, one row after the other.
        reserve: The eight piles below them.
        stock: What is to be dealt, next card first.
        discard: The aces that have left.
    """

    rows: Piles
    reserve: Piles
    stock: Pile
    discard: Pile


def start(deck: Sequence[str], variant: str = "") -> State:
    """Deals the three rows and a card to each pile below them."""
    check(deck, PACK * 2, variant, VARIANTS)
    cards = tuple((card,) for card in deck[: 4 * ROW])
    return State(cards[: 3 * ROW], cards[3 * ROW :], tuple(deck[4 * ROW :]), ())


def successors(state: State) -> list[State]:
    """Lists the distinct positions one move of the player away."""
    return list(dict.fromkeys(_moves(state)))


def outcome(state: State) -> str | None:
    """Returns "won" with all rows complete, "lost" without a legal move, otherwise None."""
    if _is_won(state):
        return "won"
    return "lost" if next(_moves(state), None) is None else None


def piles(state: State) -> dict[str, tuple[str, ...]]:
    """Names every pile; the next card of the stock is its last."""
    rows = named("reserve", state.reserve)
    for number, name in enumerate(NAMES):
        rows |= named(name, state.rows[number * ROW : (number + 1) * ROW])
    return rows | {"stock": state.stock[::-1], "discard": state.discard}


def _is_won(state: State) -> bool:
    return sum(map(len, state.rows)) == sum(map(len, ORDERS)) * ROW


def _order(place: int) -> str:
    return ORDERS[place // ROW]


def _waits(pile: Pile, place: int) -> bool:
    return len(pile) == 1 and pile[0][0] != _order(place)[0]


def _moves(state: State) -> Iterator[State]:
    if _is_won(state):
        return
    waiting = [place for place, pile in enumerate(state.rows) if _waits(pile, place)]
    for place in waiting:
        rest = state._replace(rows=less(state.rows, place))
        yield from _played(rest, state.rows[place][0], place)
    for place, pile in enumerate(state.reserve):
        if pile:
            yield from _played(state._replace(reserve=less(state.reserve, place)), pile[-1])
    for one, other in combinations(waiting, 2):
        first, second = state.rows[one], state.rows[other]
        if first[0][0] == _order(other)[0] and second[0][0] == _order(one)[0]:
            yield state._replace(rows=with_pile(with_pile(state.rows, one, second), other, first))
    if state.stock:
        reserve = state.reserve
        for place, card in enumerate(state.stock[:ROW]):
            reserve = more(reserve, place, card)
        yield state._replace(reserve=reserve, stock=state.stock[ROW:])


def _played(rest: State, card: str, source: int | None = None) -> Iterator[State]:
    """Plays a card that has been taken up: an ace leaves, others go where they come next."""
    if card[0] == "A":
        yield rest._replace(discard=(*rest.discard, card))
    for place, pile in enumerate(rest.rows):
        if place == source or _waits(pile, place):
            continue
        if takes(pile, card, _order(place)):
            yield rest._replace(rows=more(rest.rows, place, card))
