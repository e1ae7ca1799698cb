"""Oracle for Montana: four rows of thirteen, whose gaps take the next card, two redeals.

Written from the printed rules; the order of the shuffles is that of docs/deals.md. A two may also
go from one first place to another. In a redeal the gap of a row comes after the cards that stay,
so a row that keeps nothing begins with it.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tests.oracles.shuffles import seed_of, shuffled

VARIANTS: tuple[str, ...] = ("one-deal", "scored")
INTERCHANGEABLE: tuple[str, ...] = ()
HEAPS: tuple[str, ...] = ("discard",)

RANKS = "A23456789TJQK"
SUITS = "CDHS"
ROW = 13
PLACES = 52
REDEALS = 2

GAP = ""


class State(NamedTuple):
    """A position of Montana.

    Attributes:
        field: The 52 places, row by row; a gap is empty.
        redeals: How many redeals, and so how many shuffles, have been made.
        seed: What the shuffles follow from.
        variant: The variant played, empty for the default rules.
    """

    field: tuple[str, ...]
    redeals: int
    seed: int
    variant: str


def start(deck: Sequence[str], variant: str = "") -> State:
    """Deals the field and takes out the aces.

    Args:
        deck: The 52 cards in dealing order.
        variant: One of `VARIANTS`, or empty for the default rules.

    Returns:
        The position after the deal.

    Raises:
        ValueError: If the variant is unknown or the deck is not one full pack.
    """
    if variant and variant not in VARIANTS:
        message = f"unknown variant of Montana: {variant!r}"
        raise ValueError(message)
    if sorted(deck) != sorted(rank + suit for rank in RANKS for suit in SUITS):
        message = f"not the 52 cards of one pack: {' '.join(deck)!r}"
        raise ValueError(message)
    field = tuple(GAP if card[0] == "A" else card for card in deck)
    return State(field, redeals=0, seed=seed_of(deck), variant=variant)


def successors(state: State) -> list[State]:
    """Lists the distinct positions one move of the player away.

    Args:
        state: Any position.

    Returns:
        The positions after each move; nothing is forced in this game.
    """
    return list(_after_each_move(state))


def outcome(state: State) -> str | None:
    """Returns whether the game is over.

    Args:
        state: Any position.

    Returns:
        "won" with every row in order, "lost" without a legal move, otherwise None.
    """
    if _is_won(state):
        return "won"
    return "lost" if next(_after_each_move(state), None) is None else None


def points(state: State) -> int | None:
    """Counts the cards that lie in order in their rows, where points are counted."""
    if state.variant != "scored":
        return None
    rows = [state.field[first : first + ROW] for first in range(0, PLACES, ROW)]
    return sum(map(_length_in_order, rows))


def piles(state: State) -> dict[str, tuple[str, ...]]:
    """Names every pile, the empty ones too.

    Args:
        state: Any position.

    Returns:
        The cards of each pile; the aces are on the discard for good, and the stock is empty
        between two moves.
    """
    named = {f"field.{n}": (card,) if card else () for n, card in enumerate(state.field, start=1)}
    return named | {"discard": tuple("A" + suit for suit in SUITS), "stock": ()}


def _is_won(state: State) -> bool:
    """Returns whether each row is two to king of one suit, and then a gap.

    With 48 cards in four rows, no other rows run up in suit without a gap among them.
    """
    rows = [state.field[first : first + ROW] for first in range(0, PLACES, ROW)]
    return all(any(row == (*_suit(suit), GAP) for suit in SUITS) for row in rows)


def _suit(suit: str) -> tuple[str, ...]:
    return tuple(rank + suit for rank in RANKS[1:])


def _after_each_move(state: State) -> Iterator[State]:
    """Carries out each legal move."""
    if _is_won(state):
        return
    for gap, card in enumerate(state.field):
        if card == GAP:
            for wanted in _cards_for(state, gap):
                source = state.field.index(wanted)
                field = list(state.field)
                field[gap], field[source] = wanted, GAP
                yield state._replace(field=tuple(field))
    if state.variant != "one-deal" and state.redeals < REDEALS:
        yield _redealt(state)


def _redealt(state: State) -> State:
    """Shuffles what does not lie in order, and deals it with a gap after each part that does."""
    rows = [state.field[first : first + ROW] for first in range(0, PLACES, ROW)]
    kept = [row[: _length_in_order(row)] for row in rows]
    loose = [
        card for row, part in zip(rows, kept, strict=True) for card in row[len(part) :] if card
    ]
    cards = shuffled(loose, state.seed, state.redeals)
    field: tuple[str, ...] = ()
    for part in kept:
        room = ROW - len(part) - 1
        field += (*part, GAP, *cards[:room])
        cards = cards[room:]
    return state._replace(field=field, redeals=state.redeals + 1)


def _length_in_order(row: tuple[str, ...]) -> int:
    """Counts the cards at the left end of a row that run up in suit from a two."""
    return next(
        (
            place
            for place, card in enumerate(row)
            if card == GAP or card != RANKS[min(place + 1, ROW - 1)] + row[0][1]
        ),
        ROW,
    )


def _cards_for(state: State, gap: int) -> list[str]:
    """Lists the cards that a gap takes: any two at the left edge, else the next in suit."""
    if gap % ROW == 0:
        return ["2" + suit for suit in SUITS]
    left = state.field[gap - 1]
    if left == GAP or left[0] == "K":
        return []
    return [RANKS[RANKS.index(left[0]) + 1] + left[1]]
