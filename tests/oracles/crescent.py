"""Oracle for Crescent: sixteen piles, whose lowest cards come to the top three times.

Written from Parlett's rules. Cards may change from a foundation to the other one of their suit, but
not the ace or the king with which it begins.
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

VARIANTS: tuple[str, ...] = ()
INTERCHANGEABLE: tuple[str, ...] = ("tableau",)

PLACES = 16
SIZE = 6
TURNS = 3


class State(NamedTuple):
    """A position of Crescent.

    Attributes:
        aces: The foundations that run up.
        kings: The foundations that run down.
        piles: The sixteen piles.
        turns: How often the lowest cards have come to the top.
    """

    aces: Piles
    kings: Piles
    piles: Piles
    turns: int


def start(deck: Sequence[str], variant: str = "") -> State:
    """Deals six cards to each pile; an ace and a king of each suit lie there before."""
    aces = tuple(("A" + suit,) for suit in SUITS)
    kings = tuple(("K" + suit,) for suit in SUITS)
    pack = [card for card in PACK if card[0] not in "AK"] * 2
    check(deck, pack + [pile[0] for pile in aces + kings], variant, VARIANTS)
    return State(aces, kings, dealt_in_rounds(deck, [SIZE] * PLACES), 0)


def successors(state: State) -> list[State]:
    """Lists the distinct positions one move of the player away."""
    return list(dict.fromkeys(_moves(state)))


def outcome(state: State) -> str | None:
    """Returns "won" with all foundations complete, "lost" without a move, otherwise None."""
    if _is_won(state):
        return "won"
    return "lost" if next(_moves(state), None) is None else None


def piles(state: State) -> dict[str, tuple[str, ...]]:
    """Names every pile."""
    return named("aces", state.aces) | named("kings", state.kings) | named("tableau", state.piles)


def _is_won(state: State) -> bool:
    return all(len(pile) == len(RANKS) for pile in state.aces + state.kings)


def _moves(state: State) -> Iterator[State]:
    if _is_won(state):
        return
    for source, pile in enumerate(state.piles):
        if not pile:
            continue
        card = pile[-1]
        rest = state._replace(piles=less(state.piles, source))
        aces = gone_up(state.aces, card)
        if aces is not None:
            yield rest._replace(aces=aces)
        kings = gone_up(state.kings, card, RANKS[::-1])
        if kings is not None:
            yield rest._replace(kings=kings)
        for target, others in enumerate(state.piles):
            if target != source and others and _touch(card, others[-1]):
                yield rest._replace(piles=more(rest.piles, target, card))
    for place, pile in enumerate(state.aces):
        kings = gone_up(state.kings, pile[-1], RANKS[::-1])
        if len(pile) > 1 and kings is not None:
            yield state._replace(aces=less(state.aces, place), kings=kings)
    for place, pile in enumerate(state.kings):
        aces = gone_up(state.aces, pile[-1])
        if len(pile) > 1 and aces is not None:
            yield state._replace(kings=less(state.kings, place), aces=aces)
    if state.turns < TURNS and any(state.piles):
        turned = tuple(pile[1:] + pile[:1] for pile in state.piles)
        yield state._replace(piles=turned, turns=state.turns + 1)


def _touch(card: str, other: str) -> bool:
    """Returns whether two cards are neighbours in suit; king and ace are."""
    return card[1] == other[1] and abs(value(card) - value(other)) in (1, len(RANKS) - 1)
