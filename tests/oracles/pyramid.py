"""Oracle for Pyramid: a pyramid of 28 cards, a stock of 24, pairs of thirteen.

Written from the printed rules. Where they leave room, the source is Morehead and Mott-Smith: a card
is available when both cards that lie on it are gone, so it never pairs with one of these two.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from tests.oracles.covered import Pile, Piles, uncovered

VARIANTS: tuple[str, ...] = ("one-pass", "relaxed")
INTERCHANGEABLE: tuple[str, ...] = ()
HEAPS: tuple[str, ...] = ("discard",)

RANKS = "A23456789TJQK"
SUITS = "CDHS"
PAIR = 13
PLACES = 28
ROWS = 7
# The places of each row are numbered from the apex, row by row. The card at place `p` of a row
# with `n` cards is covered by the cards at `p + n` and `p + n + 1`.
COVERS: dict[int, tuple[int, int]] = {
    row * (row + 1) // 2 + number: (
        (row + 1) * (row + 2) // 2 + number,
        (row + 1) * (row + 2) // 2 + number + 1,
    )
    for row in range(ROWS - 1)
    for number in range(row + 1)
}


class State(NamedTuple):
    """A position of Pyramid, every pile bottom card first except the stock.

    Attributes:
        pyramid: The 28 places, from the apex down.
        stock: The cards face down, next card first.
        tray: The card turned up from the stock, or nothing.
        waste: The cards that were passed over.
        discard: What is out of the game.
        redeals: How many redeals have been made.
        variant: The variant played, empty for the default rules.
    """

    pyramid: Piles
    stock: Pile
    tray: Pile
    waste: Pile
    discard: Pile
    redeals: int
    variant: str


def start(deck: Sequence[str], variant: str = "") -> State:
    """Deals the pyramid and turns up the first card of the stock.

    Args:
        deck: The 52 cards in dealing order.
        variant: One of `VARIANTS`, or empty for the default rules.

    Returns:
        The position after the deal.

    Raises:
        ValueError: If the variant is unknown or the deck is not one full pack.
    """
    if variant and variant not in VARIANTS:
        message = f"unknown variant of Pyramid: {variant!r}"
        raise ValueError(message)
    if sorted(deck) != sorted(rank + suit for rank in RANKS for suit in SUITS):
        message = f"not the 52 cards of one pack: {' '.join(deck)!r}"
        raise ValueError(message)
    return _turn(
        State(
            pyramid=tuple((card,) for card in deck[:PLACES]),
            stock=tuple(deck[PLACES:]),
            tray=(),
            waste=(),
            discard=(),
            redeals=0,
            variant=variant,
        )
    )


def successors(state: State) -> list[State]:
    """Lists the distinct positions one move of the player away.

    Args:
        state: A position with its tray filled, if it can be.

    Returns:
        The positions after each move, with the tray filled again.
    """
    return list(dict.fromkeys(map(_turn, _after_each_move(state))))


def outcome(state: State) -> str | None:
    """Returns whether the game is over.

    Args:
        state: A position with its tray filled, if it can be.

    Returns:
        "won" with all that must go gone, "lost" without a legal move, otherwise None.
    """
    if _is_won(state):
        return "won"
    return "lost" if next(_after_each_move(state), None) is None else None


def piles(state: State) -> dict[str, tuple[str, ...]]:
    """Names every pile, the empty ones too.

    Args:
        state: Any position.

    Returns:
        The cards of each pile, bottom card first; the next card of the stock is its last.
    """
    named = {f"pyramid.{n}": pile for n, pile in enumerate(state.pyramid, start=1)}
    return named | {
        "stock": state.stock[::-1],
        "tray": state.tray,
        "waste": state.waste,
        "discard": state.discard,
    }


def _is_won(state: State) -> bool:
    if any(state.pyramid):
        return False
    # In `relaxed` only the pyramid must go.
    return state.variant == "relaxed" or not (state.stock or state.tray or state.waste)


def _after_each_move(state: State) -> Iterator[State]:
    """Carries out each legal move, without the card that is turned up after it."""
    if _is_won(state):
        return
    available = [state.pyramid[place][0] for place in uncovered(state.pyramid, COVERS)]
    # Of the waste only the top card; the card in the tray is no part of the waste yet.
    available += state.tray + state.waste[-1:]
    for card in available:
        if _value(card) == PAIR:
            yield _without(state, card)
    for one, other in combinations(available, 2):
        if _value(one) + _value(other) == PAIR:
            yield _without(_without(state, one), other)
    if state.tray:
        yield state._replace(tray=(), waste=state.waste + state.tray)
    elif not state.stock and state.waste and state.redeals < _redeals_allowed(state):
        # Turned over as one packet: what was dealt first is dealt first again.
        yield state._replace(stock=state.waste, waste=(), redeals=state.redeals + 1)


def _redeals_allowed(state: State) -> int:
    return 0 if state.variant == "one-pass" else 2


def _value(card: str) -> int:
    return RANKS.index(card[0]) + 1


def _without(state: State, card: str) -> State:
    """Takes a card from wherever it lies; there is only one of each."""
    return state._replace(
        pyramid=tuple(() if pile == (card,) else pile for pile in state.pyramid),
        tray=() if state.tray == (card,) else state.tray,
        waste=state.waste[:-1] if state.waste[-1:] == (card,) else state.waste,
        discard=(*state.discard, card),
    )


def _turn(state: State) -> State:
    """Fills an empty tray with the next card of the stock."""
    if state.tray or not state.stock:
        return state
    return state._replace(tray=state.stock[:1], stock=state.stock[1:])
