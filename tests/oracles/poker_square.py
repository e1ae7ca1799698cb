"""Oracle for Poker Square: twenty-five cards, one by one, into ten hands at poker.

Written from the printed rules, with the hands of draw poker: an ace is high or low in a straight,
but does not stand between king and two. In a line with a vacancy counts what lies there already
(the printed rules do not say); straight, flush and full house need all five cards.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

VARIANTS: tuple[str, ...] = ("english",)
INTERCHANGEABLE: tuple[str, ...] = ()

RANKS = "A23456789TJQK"
SUITS = "CDHS"
SIDE = 5
PLACES = SIDE * SIDE
LINES = (
    *(tuple(range(first, first + SIDE)) for first in range(0, PLACES, SIDE)),
    *(tuple(range(first, PLACES, SIDE)) for first in range(SIDE)),
)
HANDS = (
    "royal flush",
    "straight flush",
    "four of a kind",
    "full house",
    "flush",
    "straight",
    "three of a kind",
    "two pairs",
    "pair",
)
# The points of the hands, and how many make a game won.
AMERICAN = dict(zip(HANDS, (100, 75, 50, 25, 20, 15, 10, 5, 2), strict=True)), 200
ENGLISH = dict(zip(HANDS, (30, 30, 16, 10, 5, 12, 6, 3, 1), strict=True)), 70

VACANT = ""


class State(NamedTuple):
    """A position of Poker Square.

    Attributes:
        stock: The stock, next card first.
        hand: The card to be placed; none once the square is full.
        square: The 25 places, row by row; a vacant one is empty.
        variant: The variant played, empty for the default rules.
    """

    stock: tuple[str, ...]
    hand: str
    square: tuple[str, ...]
    variant: str


def start(deck: Sequence[str], variant: str = "") -> State:
    """Turns the first card.

    Args:
        deck: The 52 cards in dealing order.
        variant: One of `VARIANTS`, or empty for the default rules.

    Returns:
        The position with the first card in hand.

    Raises:
        ValueError: If the variant is unknown or the deck is not one full pack.
    """
    if variant and variant not in VARIANTS:
        message = f"unknown variant of Poker Square: {variant!r}"
        raise ValueError(message)
    if sorted(deck) != sorted(rank + suit for rank in RANKS for suit in SUITS):
        message = f"not the 52 cards of one pack: {' '.join(deck)!r}"
        raise ValueError(message)
    return State(tuple(deck[1:]), deck[0], (VACANT,) * PLACES, variant)


def successors(state: State) -> list[State]:
    """Lists the distinct positions one move of the player away.

    Args:
        state: A position with a card in hand, unless the square is full.

    Returns:
        The positions after each move, with the next card turned.
    """
    return list(_after_each_move(state))


def outcome(state: State) -> str | None:
    """Returns whether the game is over.

    Args:
        state: A position with a card in hand, unless the square is full.

    Returns:
        None while there is room, then "won" with enough points and "lost" with fewer.
    """
    if not all(state.square):
        return None
    _, enough = _scale(state)
    return "won" if points(state) >= enough else "lost"


def piles(state: State) -> dict[str, tuple[str, ...]]:
    """Names every pile, the empty ones too.

    Args:
        state: Any position.

    Returns:
        The cards of each pile, bottom card first; the next card of the stock is its last.
    """
    named = {f"square.{n}": (card,) if card else () for n, card in enumerate(state.square, start=1)}
    return named | {"stock": state.stock[::-1], "hand": (state.hand,) if state.hand else ()}


def points(state: State) -> int:
    """Adds up the points of the lines, with what lies there so far.

    Args:
        state: Any position.

    Returns:
        The points of the five rows and the five columns.
    """
    scale, _ = _scale(state)
    lines = ([state.square[place] for place in line if state.square[place]] for line in LINES)
    return sum(scale.get(hand_of(line), 0) for line in lines)


def hand_of(cards: Sequence[str]) -> str:
    """Names the best hand that cards make.

    Args:
        cards: Up to five cards, in any order.

    Returns:
        One of `HANDS`, or "nothing".
    """
    ranks = {card[0] for card in cards}
    flush = len(cards) == SIDE and len({card[1] for card in cards}) == 1
    # The ace stands at either end of this row, so five neighbours of it are a straight.
    straights = [{*(RANKS + "A")[first : first + SIDE]} for first in range(10)]
    straight = ranks in straights
    kinds = sorted(Counter(card[0] for card in cards).values(), reverse=True) or [0]
    made = {
        "royal flush": flush and ranks == {*"TJQKA"},
        "straight flush": flush and straight,
        "four of a kind": kinds[0] == 4,
        "full house": kinds == [3, 2],
        "flush": flush,
        "straight": straight,
        "three of a kind": kinds[0] == 3,
        "two pairs": kinds[:2] == [2, 2],
        "pair": kinds[0] == 2,
    }
    return next((hand for hand in HANDS if made[hand]), "nothing")


def _scale(state: State) -> tuple[dict[str, int], int]:
    return ENGLISH if state.variant == "english" else AMERICAN


def _after_each_move(state: State) -> Iterator[State]:
    """Puts the card in hand on each vacancy and turns the next, as long as there is room."""
    for place, card in enumerate(state.square):
        if card == VACANT:
            square = (*state.square[:place], state.hand, *state.square[place + 1 :])
            if all(square):
                yield state._replace(square=square, hand="")
            else:
                yield state._replace(square=square, hand=state.stock[0], stock=state.stock[1:])
