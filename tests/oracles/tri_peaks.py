"""Oracle for TriPeaks: three peaks of six cards over a row of ten, and a waste to build on.

Written from the printed rules. The rulings of Golf in the variant: the ace is low only, and a king
stops the building.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tests.oracles.covered import Pile, Piles, uncovered

VARIANTS: tuple[str, ...] = ("open", "golf")
INTERCHANGEABLE: tuple[str, ...] = ()

RANKS = "A23456789TJQK"
SUITS = "CDHS"
PEAKS = 18
FOOT = 10
# Places 0 to 17 are the peaks, row by row from the top; 18 to 27 the foot.
COVERS: dict[int, tuple[int, int]] = (
    {0: (3, 4), 1: (5, 6), 2: (7, 8)}
    | {3: (9, 10), 4: (10, 11), 5: (12, 13), 6: (13, 14), 7: (15, 16), 8: (16, 17)}
    | {place: (place + 9, place + 10) for place in range(9, 18)}
)


class State(NamedTuple):
    """A position of TriPeaks.

    Attributes:
        places: The peaks from the top down, then the foot.
        waste: The waste, bottom card first.
        stock: The stock, next card first.
        variant: The variant played, empty for the default rules.
    """

    places: Piles
    waste: Pile
    stock: Pile
    variant: str


def start(deck: Sequence[str], variant: str = "") -> State:
    """Deals the peaks, the foot and the first card of the waste.

    Args:
        deck: The 52 cards in dealing order.
        variant: One of `VARIANTS`, or empty for the default rules.

    Returns:
        The position after the deal.

    Raises:
        ValueError: If the variant is unknown or the deck is not one full pack.
    """
    if variant and variant not in VARIANTS:
        message = f"unknown variant of TriPeaks: {variant!r}"
        raise ValueError(message)
    if sorted(deck) != sorted(rank + suit for rank in RANKS for suit in SUITS):
        message = f"not the 52 cards of one pack: {' '.join(deck)!r}"
        raise ValueError(message)
    dealt = PEAKS + FOOT
    return State(
        places=tuple((card,) for card in deck[:dealt]),
        waste=(deck[dealt],),
        stock=tuple(deck[dealt + 1 :]),
        variant=variant,
    )


def successors(state: State) -> list[State]:
    """Lists the distinct positions one move of the player away.

    Args:
        state: Any position.

    Returns:
        The positions after each move. What is turned up is uncovered anyway, in every variant.
    """
    return list(_after_each_move(state))


def outcome(state: State) -> str | None:
    """Returns whether the game is over.

    Args:
        state: Any position.

    Returns:
        "won" with peaks and foot gone, "lost" without a legal move, otherwise None.
    """
    if not any(state.places):
        return "won"
    return "lost" if next(_after_each_move(state), None) is None else None


def piles(state: State) -> dict[str, tuple[str, ...]]:
    """Names every pile, the empty ones too.

    Args:
        state: Any position.

    Returns:
        The cards of each pile, bottom card first; the next card of the stock is its last.
    """
    named = {f"peaks.{n}": pile for n, pile in enumerate(state.places[:PEAKS], start=1)}
    named |= {f"foot.{n}": pile for n, pile in enumerate(state.places[PEAKS:], start=1)}
    return named | {"waste": state.waste, "stock": state.stock[::-1]}


def _after_each_move(state: State) -> Iterator[State]:
    """Carries out each legal move; stock that is left over does not keep a game open."""
    if not any(state.places):
        return
    for place in uncovered(state.places, COVERS):
        cards = state.places[place]
        if _fits(cards[0], state.waste[-1], state.variant):
            yield state._replace(
                places=(*state.places[:place], (), *state.places[place + 1 :]),
                waste=state.waste + cards,
            )
    if state.stock:
        yield state._replace(waste=state.waste + state.stock[:1], stock=state.stock[1:])


def _fits(card: str, top: str, variant: str) -> bool:
    """Returns whether a card is a neighbour in rank of the top of the waste."""
    apart = abs(RANKS.index(card[0]) - RANKS.index(top[0]))
    if variant == "golf":
        return apart == 1 and top[0] != "K"
    return apart in (1, len(RANKS) - 1)
