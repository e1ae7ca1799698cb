"""Every arrangement of a deck has a number."""

from collections import Counter
from collections.abc import Iterable, Sequence
from math import factorial, prod
from typing import Final

from cadogan.cards import Card
from cadogan.deals.errors import DealError
from cadogan.deals.scheme import scheme
from cadogan.i18n.text import gettext

_MOST_DIGITS: Final = 75
"""Messages quote no longer numbers."""


def arrangements(deck: Iterable[Card]) -> int:
    """Counts the different arrangements of a deck. Equal cards are not distinguished.

    Examples:
        >>> from cadogan.cards import pack
        >>> arrangements(pack()) == 8065817517094387857166063685640376697528950544088327782400000 \
* 10**7
        True
        >>> arrangements(pack(2, ranks="A", suits="CD"))
        6
    """
    times = Counter(deck)
    return factorial(times.total()) // prod(map(factorial, times.values()))


def index_of(deck: Iterable[Card]) -> int:
    """Returns the index of a deck among all its arrangements."""
    cards = list(deck)
    left = Counter(cards)
    block, number = arrangements(cards), 0
    for place, card in enumerate(cards):
        remain = len(cards) - place
        smaller = sum(times for other, times in left.items() if other < card)
        # Each card begins a share of the arrangements that continue from here.
        number += block * smaller // remain
        block = block * left[card] // remain
        left[card] -= 1
    return number


@scheme("exact", lowest=0, highest=None, summary="a number for every arrangement of any pack")
def exact(number: int, deck: Sequence[Card]) -> list[Card]:
    """Deals the arrangement with a number."""
    block = arrangements(deck)
    if number >= block:
        digits = str(block - 1)
        highest = (
            digits
            if len(digits) <= _MOST_DIGITS
            else gettext("a number of {count} digits", count=len(digits))
        )
        raise DealError(
            gettext(
                "the number is too high: the {count} cards of this game have fewer arrangements; "
                "here the numbers of exact go from 0 to {highest}",
                count=len(deck),
                highest=highest,
            )
        )
    left = Counter(deck)
    dealt: list[Card] = []
    for remain in range(len(deck), 0, -1):
        for card in sorted(left):
            share = block * left[card] // remain
            if number < share:
                break
            number -= share
        block = share
        left[card] -= 1
        dealt.append(card)
    return dealt
