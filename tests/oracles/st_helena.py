"""Oracle for St. Helena: twelve piles round the foundations, dealt again twice.

Written from Parlett's rules. In the first deal the piles above the foundations feed the kings,
those below them the aces, and those at the sides both; after a redeal every pile feeds all.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tests.oracles.packs import (
    PACK,
    RANKS,
    SUITS,
    Piles,
    check,
    dealt_in_rounds,
    gone_up,
    less,
    more,
    named,
    value,
)

VARIANTS: tuple[str, ...] = ("box-kite",)
INTERCHANGEABLE: tuple[str, ...] = ()

PLACES = 12
SIZE = 8
REDEALS = 2
ABOVE = range(4)
BELOW = range(6, 10)


class State(NamedTuple):
    """A position of St. Helena.

    Attributes:
        kings: The foundations that run down.
        aces: The foundations that run up.
        piles: The twelve piles, from the left one above round the foundations.
        redeals: How often the piles have been dealt again.
        variant: The variant played.
    """

    kings: Piles
    aces: Piles
    piles: Piles
    redeals: int
    variant: str


def start(deck: Sequence[str], variant: str = "") -> State:
    """Deals eight cards to each pile; a king and an ace of each suit lie there before."""
    kings = tuple(("K" + suit,) for suit in SUITS)
    aces = tuple(("A" + suit,) for suit in SUITS)
    pack = [card for card in PACK if card[0] not in "AK"] * 2
    check(deck, pack + [pile[0] for pile in kings + aces], variant, VARIANTS)
    return State(kings, aces, dealt_in_rounds(deck, [SIZE] * PLACES), 0, variant)


def successors(state: State) -> list[State]:
    """Lists the distinct positions one move of the player away."""
    return list(dict.fromkeys(_moves(state)))


def outcome(state: State) -> str | None:
    """Returns "won" with all cards up, "lost" without a legal move, otherwise None."""
    if not any(state.piles):
        return "won"
    return "lost" if next(_moves(state), None) is None else None


def piles(state: State) -> dict[str, tuple[str, ...]]:
    """Names every pile."""
    return named("kings", state.kings) | named("aces", state.aces) | named("tableau", state.piles)


def _moves(state: State) -> Iterator[State]:
    if not any(state.piles):
        return
    free = state.redeals > 0 or state.variant == "box-kite"
    for source, pile in enumerate(state.piles):
        if not pile:
            continue
        card = pile[-1]
        rest = state._replace(piles=less(state.piles, source))
        kings = gone_up(state.kings, card, RANKS[::-1])
        if kings is not None and (free or source not in BELOW):
            yield rest._replace(kings=kings)
        aces = gone_up(state.aces, card)
        if aces is not None and (free or source not in ABOVE):
            yield rest._replace(aces=aces)
        for target, others in enumerate(state.piles):
            if target != source and others and _touch(state, card, others[-1]):
                yield rest._replace(piles=more(rest.piles, target, card))
    if state.redeals < REDEALS and state.variant != "box-kite":
        # Turned over, a pile is dealt from its lowest card on.
        cards = [card for pile in reversed(state.piles) for card in pile]
        again = dealt_in_rounds(cards, [SIZE] * PLACES)
        yield state._replace(piles=again, redeals=state.redeals + 1)


def _touch(state: State, card: str, other: str) -> bool:
    apart = abs(value(card) - value(other))
    return apart == 1 or (apart == len(RANKS) - 1 and state.variant == "box-kite")
