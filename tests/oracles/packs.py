"""What all card players know: ranks, colours, full packs, and piles that lie in a row."""

from collections.abc import Callable, Sequence
from itertools import pairwise

Pile = tuple[str, ...]
Piles = tuple[Pile, ...]

RANKS = "A23456789TJQK"
SUITS = "CDHS"
PACK = tuple(rank + suit for rank in RANKS for suit in SUITS)


def check(
    deck: Sequence[str], pack: Sequence[str], variant: str = "", variants: Sequence[str] = ()
) -> None:
    """Refuses a deal that is none.

    Args:
        deck: The cards in dealing order.
        pack: The cards that there should be, in any order.
        variant: The variant asked for, empty for the default rules.
        variants: The variants that there are.

    Raises:
        ValueError: If the variant is unknown, or the deck is not the pack.
    """
    if variant and variant not in variants:
        message = f"unknown variant: {variant!r}"
        raise ValueError(message)
    if sorted(deck) != sorted(pack):
        message = f"not the cards of the game: {' '.join(deck)!r}"
        raise ValueError(message)


def value(card: str) -> int:
    """Returns what a card counts, from ace 1 to king 13."""
    return RANKS.index(card[0]) + 1


def red(card: str) -> bool:
    """Returns whether a card is a diamond or a heart."""
    return card[1] in "DH"


def dealt_in_rounds(cards: Sequence[str], sizes: Sequence[int]) -> Piles:
    """Deals a card to each pile in turn, until each has its number.

    Args:
        cards: The cards, the first to be dealt in front.
        sizes: How many cards each pile gets; fewer if the cards run out.

    Returns:
        The piles.
    """
    piles: list[list[str]] = [[] for _ in sizes]
    left = iter(cards)
    for level in range(max(sizes)):
        for pile, size in zip(piles, sizes, strict=True):
            if level < size:
                pile.extend(card for card in [next(left, "")] if card)
    return tuple(map(tuple, piles))


def with_pile(row: Piles, index: int, pile: Pile) -> Piles:
    """Replaces one pile of a row."""
    return (*row[:index], pile, *row[index + 1 :])


def less(row: Piles, index: int, count: int = 1) -> Piles:
    """Takes cards from the top of one pile of a row."""
    return with_pile(row, index, row[index][: len(row[index]) - count])


def more(row: Piles, index: int, *cards: str) -> Piles:
    """Puts cards on one pile of a row."""
    return with_pile(row, index, row[index] + cards)


def named(group: str, row: Piles) -> dict[str, Pile]:
    """Names the piles of a row."""
    return {f"{group}.{number}": pile for number, pile in enumerate(row, start=1)}


def takes(pile: Pile, card: str, order: str) -> bool:
    """Returns whether a card comes next on a foundation that is built in suit.

    Args:
        pile: The foundation.
        card: The card.
        order: The ranks from its first card to its last.
    """
    if len(pile) == len(order) or card[0] != order[len(pile)]:
        return False
    return not pile or pile[0][1] == card[1]


def gone_up(row: Piles, card: str, order: str = RANKS) -> Piles | None:
    """Puts a card on the first foundation of a row that takes it; ``None`` if none does."""
    for place, pile in enumerate(row):
        if takes(pile, card, order):
            return more(row, place, card)
    return None


def in_order(cards: Pile, may_lie: Callable[[str, str], bool]) -> bool:
    """Returns whether each of some cards may lie on the one before it."""
    return all(may_lie(upper, lower) for lower, upper in pairwise(cards))
