"""Oracle for Wall: cards that add up to more bring down a wall, guards and a throne.

Written from the rules of AisleRiot's game, with the places as coordinates, not as a picture. A
place has a row and a column; columns are counted in half cards.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

VARIANTS: tuple[str, ...] = ()
INTERCHANGEABLE: tuple[str, ...] = ("waste",)
HEAPS: tuple[str, ...] = ("discard",)
FACES = True

Pile = tuple[str, ...]

RANKS = "A23456789TJQK"
SUITS = "CDHS"
BRICKS = [(row, column) for row in range(6) for column in range(row % 2, 16 - row % 2, 2)]
"""The places of the wall, from the top row down."""


class State(NamedTuple):
    """A position of Wall, every pile bottom card first except the stock.

    Attributes:
        throne: The two kings, or nothing.
        high: The three piles of the high guards.
        low: The four piles of the low guards.
        seen: Whether each pile of the low guards lies face up.
        wall: The card of each place of the wall; empty if it has fallen.
        waste: The three piles of attack cards.
        stock: The stock, next card first.
        discard: What is out of the game.
    """

    throne: Pile
    high: tuple[Pile, ...]
    low: tuple[Pile, ...]
    seen: tuple[bool, ...]
    wall: Pile
    waste: tuple[Pile, ...]
    stock: Pile
    discard: Pile


def start(deck: Sequence[str], variant: str = "") -> State:
    """Lays out the wall, the guards, the throne and the first attack cards.

    Args:
        deck: The 104 cards in dealing order.
        variant: Empty; there are no variants.

    Returns:
        The position after the deal.

    Raises:
        ValueError: If the variant is unknown or the deck is not two full packs.
    """
    if variant:
        message = f"unknown variant of Wall: {variant!r}"
        raise ValueError(message)
    if sorted(deck) != sorted(2 * [rank + suit for rank in RANKS for suit in SUITS]):
        message = f"not the 104 cards of two packs: {' '.join(deck)!r}"
        raise ValueError(message)
    cards = tuple(card for card in deck if card != "KS")
    return State(
        throne=("KS", "KS"),
        high=tuple(cards[pile:6:3] for pile in range(3)),
        low=tuple(cards[6 + pile : 18 : 4] for pile in range(4)),
        seen=(False,) * 4,
        wall=cards[18:63],
        waste=tuple((card,) for card in cards[63:66]),
        stock=cards[66:],
        discard=(),
    )


def successors(state: State) -> list[State]:
    """Lists the distinct positions one move of the player away.

    Args:
        state: Any position.

    Returns:
        The positions after each move and what it forces.
    """
    return list(dict.fromkeys(_after_each_move(state)))


def outcome(state: State) -> str | None:
    """Returns whether the game is over.

    Args:
        state: Any position.

    Returns:
        "won" with an empty throne, "lost" without a legal move, otherwise None.
    """
    if not state.throne:
        return "won"
    return "lost" if next(_after_each_move(state), None) is None else None


def piles(state: State) -> dict[str, tuple[str, ...]]:
    """Names every pile, the empty ones too.

    Args:
        state: Any position.

    Returns:
        The cards of each pile, bottom card first; the next card of the stock is its last. A star
        stands before cards that lie face down.
    """
    named: dict[str, Pile] = {"throne": state.throne, "stock": _down(state.stock[::-1])}
    named |= {f"high-guards.{n}": pile for n, pile in enumerate(state.high, start=1)}
    low = zip(state.low, state.seen, strict=True)
    low_guards = (pile if seen else _down(pile) for pile, seen in low)
    named |= {f"low-guards.{n}": pile for n, pile in enumerate(low_guards, start=1)}
    named |= {f"wall.{n}": (card,) if card else () for n, card in enumerate(state.wall, start=1)}
    named |= {f"waste.{n}": pile for n, pile in enumerate(state.waste, start=1)}
    return named | {"discard": state.discard}


def _after_each_move(state: State) -> Iterator[State]:
    """Carries out each legal move."""
    if not state.throne:
        return
    there = [place for place in range(3) if state.waste[place]]
    for number in range(1, len(there) + 1):
        for picked in combinations(there, number):
            yield from _attacks(state, picked)
    if state.stock:
        thrown = tuple(card for pile in state.waste for card in pile)
        yield _deal(state._replace(waste=((),) * 3, discard=state.discard + thrown))


def _attacks(state: State, picked: Sequence[int]) -> Iterator[State]:
    """Carries out each attack with certain cards."""
    cards = tuple(state.waste[place][0] for place in picked)
    power = _health(cards)
    left = tuple(() if place in picked else pile for place, pile in enumerate(state.waste))
    spent = state._replace(waste=left, discard=state.discard + cards)

    def won(pile: Pile) -> Pile:
        return spent.discard + pile

    if not any(state.high) and power > _health(state.throne):
        yield _refill(spent._replace(throne=(), discard=won(state.throne)))
    for post, pile in enumerate(state.high):
        if pile and _high_is_exposed(state, post) and power > _health(pile):
            yield _refill(spent._replace(high=_with(state.high, post, ()), discard=won(pile)))
    for post, pile in enumerate(state.low):
        if not pile or not _low_is_exposed(state, post):
            continue
        if power > _health(pile):
            yield _refill(spent._replace(low=_with(state.low, post, ()), discard=won(pile)))
        elif not state.seen[post]:
            seen = tuple(known or place == post for place, known in enumerate(state.seen))
            yield _refill(spent._replace(seen=seen))
    for place, card in enumerate(state.wall):
        if card and _brick_is_exposed(state, place) and power > _brick_health(state, place):
            wall = (*state.wall[:place], "", *state.wall[place + 1 :])
            yield _refill(spent._replace(wall=wall, discard=won((card,))))


def _brick(state: State, row: int, column: int) -> str | None:
    """The card at a place of the wall; nothing where there is no place."""
    return state.wall[BRICKS.index((row, column))] if (row, column) in BRICKS else None


def _brick_is_exposed(state: State, place: int) -> bool:
    """In the lowest row always; else beside or above a place whose card has fallen."""
    row, column = BRICKS[place]
    around = ((row + 1, column - 1), (row + 1, column + 1), (row, column - 2), (row, column + 2))
    return row == 5 or any(_brick(state, *other) == "" for other in around)


def _brick_health(state: State, place: int) -> int:
    """Its own value and that of two cards above; at the edge, one of them is two rows above."""
    row, column = BRICKS[place]
    above = [(row - 1, column - 1), (row - 1, column + 1)]
    if column in (0, 14):
        above = [(row - 1, 1 if column == 0 else 13), (row - 2, column)]
    helped = [_brick(state, *other) for other in above]
    return _health([state.wall[place], *(card for card in helped if card)])


def _low_is_exposed(state: State, post: int) -> bool:
    below = [state.wall[2 * post], state.wall[2 * post + 1]]
    beside = [state.low[other] for other in (post - 1, post + 1) if 0 <= other < 4]
    return not all(below) or not all(beside)


def _high_is_exposed(state: State, post: int) -> bool:
    below = [state.low[post], state.low[post + 1]]
    beside = [state.high[other] for other in (post - 1, post + 1) if 0 <= other < 3]
    return not all(below) or not all(beside)


def _health(cards: Sequence[str]) -> int:
    return sum(RANKS.index(card[0]) + 1 for card in cards)


def _refill(state: State) -> State:
    """When all attack cards are gone, the next three come at once."""
    return state if any(state.waste) or not state.stock else _deal(state)


def _deal(state: State) -> State:
    return state._replace(
        waste=tuple(state.stock[place : place + 1] for place in range(3)), stock=state.stock[3:]
    )


def _down(pile: Pile) -> Pile:
    return tuple(f"*{card}" for card in pile)


def _with(row: tuple[Pile, ...], index: int, pile: Pile) -> tuple[Pile, ...]:
    """Replaces one pile of a group."""
    return (*row[:index], pile, *row[index + 1 :])
