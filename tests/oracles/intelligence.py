"""Oracle for Intelligence: fans of three, dealt again when they are used up; aces go up at once.

Written from the printed rules; the order of the shuffles is that of docs/deals.md. The first ace of
a suit goes to the first vacant foundation, and the second one to the next.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from tests.oracles.packs import PACK, Pile, Piles, check, gone_up, less, more, named, value
from tests.oracles.shuffles import seed_of, shuffled

VARIANTS: tuple[str, ...] = ("plus",)
INTERCHANGEABLE: tuple[str, ...] = ("foundations",)

SIZE = 3
REDEALS = 2


class State(NamedTuple):
    """A position of Intelligence.

    Attributes:
        foundations: The eight foundations.
        fans: The fans.
        stock: What is to be dealt, next card first.
        redeals: How many redeals, and so how many shuffles, have been made.
        seed: What the shuffles follow from.
    """

    foundations: Piles
    fans: Piles
    stock: Pile
    redeals: int
    seed: int


def start(deck: Sequence[str], variant: str = "") -> State:
    """Deals the fans in three rounds, a card to each."""
    check(deck, PACK * 2, variant, VARIANTS)
    fans = ((),) * (19 if variant == "plus" else 18)
    state = State(((),) * 8, fans, tuple(deck), redeals=0, seed=seed_of(deck))
    for _ in range(SIZE):
        state = _dealt(state, range(len(fans)), 1)
    return _settled(state)


def successors(state: State) -> list[State]:
    """Lists the distinct positions one move of the player away."""
    return list(dict.fromkeys(map(_settled, _moves(state))))


def outcome(state: State) -> str | None:
    """Returns "won" with all cards up, "lost" without a legal move, otherwise None."""
    if _is_won(state):
        return "won"
    return "lost" if next(_moves(state), None) is None else None


def piles(state: State) -> dict[str, tuple[str, ...]]:
    """Names every pile; the next card of the stock is its last."""
    rows = named("foundations", state.foundations) | named("fans", state.fans)
    return rows | {"stock": state.stock[::-1]}


def _is_won(state: State) -> bool:
    return sum(map(len, state.foundations)) == 2 * len(PACK)


def _dealt(state: State, places: Iterable[int], size: int = SIZE) -> State:
    """Deals cards to fans; the next card takes the place of an ace."""
    foundations, fans, stock = state.foundations, state.fans, state.stock
    for place in places:
        for _ in range(size):
            while stock and stock[0][0] == "A":
                foundations = gone_up(foundations, stock[0]) or foundations
                stock = stock[1:]
            fans = more(fans, place, *stock[:1])
            stock = stock[1:]
    return state._replace(foundations=foundations, fans=fans, stock=stock)


def _settled(state: State) -> State:
    """Deals vacant fans again, as long as there are cards."""
    while state.stock and () in state.fans:
        state = _dealt(state, [place for place, fan in enumerate(state.fans) if not fan])
    return state


def _moves(state: State) -> Iterator[State]:
    if _is_won(state):
        return
    for source, fan in enumerate(state.fans):
        if not fan:
            continue
        card = fan[-1]
        rest = less(state.fans, source)
        foundations = gone_up(state.foundations, card)
        if foundations is not None:
            yield state._replace(foundations=foundations, fans=rest)
        for target, others in enumerate(state.fans):
            if target != source and others and _touch(card, others[-1]):
                yield state._replace(fans=more(rest, target, card))
    if state.redeals < REDEALS:
        cards = [card for fan in state.fans for card in fan] + list(state.stock)
        again = state._replace(
            fans=((),) * len(state.fans),
            stock=shuffled(cards, state.seed, state.redeals),
            redeals=state.redeals + 1,
        )
        yield _dealt(again, range(len(state.fans)))


def _touch(card: str, other: str) -> bool:
    return card[1] == other[1] and abs(value(card) - value(other)) == 1
