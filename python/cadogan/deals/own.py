"""Cadogan's own shuffle. The kernel has the same one."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from cadogan.cards import Card
from cadogan.deals.scheme import scheme

_MASK_64: Final = 2**64 - 1


@scheme("cadogan", lowest=0, highest=2**64 - 1, summary="Cadogan's own shuffle, for any pack")
def cadogan(number: int, deck: Sequence[Card]) -> list[Card]:
    """Deals any pack."""
    return next(shuffles(number, deck))


def shuffles(number: int, deck: Sequence[Card]) -> Iterator[list[Card]]:
    """All shuffles that a deal goes through, as long as its game is dealt again.

    Args:
        number: The number of the deal.
        deck: The sorted deck.
    """
    draw = _split_mix(number)
    while True:
        yield [deck[place] for place in _shuffle(len(deck), draw)]


def seed_of_shuffles(deck: Iterable[int]) -> int:
    """The number that the shuffles during a game follow from.

    Args:
        deck: The codes of the cards that were dealt, in dealing order.
    """
    seed = 0
    for code in deck:
        seed = next(_split_mix(seed ^ code))
    return seed


def reshuffled(cards: Iterable[int], seed: int, made: int) -> list[int]:
    """The cards of a pile after a shuffle during a game, in dealing order.

    Args:
        cards: The codes of its cards, in any order.
        seed: What the shuffles of the deal follow from.
        made: The number of shuffles made before.
    """
    ordered = sorted(cards)
    return [ordered[place] for place in _permutation(seed + made & _MASK_64, len(ordered))]


def _permutation(number: int, length: int) -> list[int]:
    """Indices into a sorted deck, in dealing order; the kernel has the same function."""
    return _shuffle(length, _split_mix(number))


def _shuffle(length: int, draw: Iterator[int]) -> list[int]:
    """The next permutation that a generator makes."""
    places = list(range(length))
    for last in range(length - 1, 0, -1):
        other = _below(last + 1, draw)
        places[last], places[other] = places[other], places[last]
    return places


def _split_mix(state: int) -> Iterator[int]:
    """SplitMix64: an endless sequence of 64-bit numbers."""
    while True:
        state = state + 0x9E3779B97F4A7C15 & _MASK_64
        mixed = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & _MASK_64
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & _MASK_64
        yield mixed ^ mixed >> 31


def _below(bound: int, draw: Iterator[int]) -> int:
    """A uniformly distributed number from 0 to ``bound - 1``.

    The high half of the product ``draw * bound`` alone would favour some numbers by one draw in
    2**64, so the surplus draws are rejected.
    """
    tipping = (2**64 - bound) % bound
    product = next(draw) * bound
    while product & _MASK_64 < tipping:
        product = next(draw) * bound
    return product >> 64
