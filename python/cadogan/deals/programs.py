"""The shuffles of other programs, number by number as these programs deal."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeVar

from cadogan.cards import RANKS, SUITS, Card, pack
from cadogan.deals.errors import DealError
from cadogan.deals.scheme import scheme
from cadogan.i18n.text import gettext

_MASK_32: Final = 2**32 - 1
_Item = TypeVar("_Item")


@scheme("ms", lowest=1, highest=2**33 - 1, summary="Microsoft FreeCell, for one full pack")
def ms(number: int, deck: Sequence[Card]) -> list[Card]:
    """Deals as the FreeCell of Windows does."""
    if list(deck) != pack():
        raise DealError(
            gettext(
                "{deal} deals one full pack of 52 cards, and this game has another pack: "
                "use {other}",
                deal=f"ms:{number}",
                other=f"cadogan:{number}",
            )
        )
    draw = _ms_random(number)
    left = list(deck)
    dealt = []
    while left:
        other = next(draw) % len(left)
        left[other], left[-1] = left[-1], left[other]
        dealt.append(left.pop())
    return dealt


def _ms_random(number: int) -> Iterator[int]:
    """The generator of Microsoft's C library, and its extension in FreeCell Pro from 2**31 on."""
    state = number & _MASK_32
    while True:
        state = state * 214013 + 2531011 & _MASK_32
        if number < 2**31:
            yield state >> 16 & 0x7FFF
        elif number < 2**32:
            yield state >> 16 & 0x7FFF | 0x8000
        else:
            yield (state >> 16) + 1


def _pysol_packs(number: int, deck: Sequence[Card]) -> list[int]:
    """The pack of each card, in the order in which PySolFC deals them."""
    return [pack for pack, _ in _pysol_order(number, deck)]


@scheme(
    "pysol",
    lowest=1,
    highest=10**20,
    summary="PySolFC, for any pack",
    whole=True,
    packs=_pysol_packs,
)
def pysol(number: int, deck: Sequence[Card]) -> list[Card]:
    """Deals as PySolFC does."""
    return [card for _, card in _pysol_order(number, deck)]


def _pysol_order(number: int, deck: Sequence[Card]) -> list[tuple[int, Card]]:
    """The cards in PySolFC's dealing order, each with the number of its pack."""
    packs, ranks, suits = _make_up("pysol", number, deck)
    by_suits = [
        (each, Card(rank * len(SUITS) + suit))
        for each in range(packs)
        for suit in sorted(suits, key=_PYSOL_SUITS.index)
        for rank in ranks
    ]
    if number >= _PYSOL_TWISTER:
        import random

        twister = random.Random(number)
        return _from_the_end(by_suits, lambda bound: int(twister.random() * bound))
    draw = _ms_random(number)
    left = [(0, card) for card in deck] if list(deck) == pack() else by_suits
    return _from_the_end(left, lambda bound: next(draw) % bound)


_PYSOL_SUITS: Final = [SUITS.index(suit) for suit in "CSHD"]
_PYSOL_TWISTER: Final = 32000
"""From this number on, PySolFC uses another shuffle than Microsoft."""


@scheme("kpat", lowest=1, highest=2**31 - 1, summary="KPatience, for full packs", whole=True)
def kpat(number: int, deck: Sequence[Card]) -> list[Card]:
    """Deals as KPatience does."""
    packs, ranks, suits = _make_up("kpat", number, deck)
    if len(ranks) < len(RANKS) or len(suits) < len(SUITS):
        raise _no_such_pack("kpat", number, gettext("full packs"))
    draw = _ms_random(number)
    left = [
        Card(rank * len(SUITS) + suit) for _ in range(packs) for rank in ranks for suit in suits
    ]
    return _from_the_end(left, lambda bound: next(draw) % bound)


@scheme(
    "solvitaire",
    lowest=0,
    highest=2**31 - 1,
    summary="Solvitaire, for one pack or two",
    whole=True,
)
def solvitaire(number: int, deck: Sequence[Card]) -> list[Card]:
    """Deals as Solvitaire does."""
    packs, ranks, suits = _make_up("solvitaire", number, deck)
    if packs > 2 or ranks != list(range(len(ranks))) or len(set(suits)) < len(SUITS):
        raise _no_such_pack("solvitaire", number, gettext("one or two packs, from the aces up"))
    draw = _twister(number)
    left = [
        Card(rank * len(SUITS) + suit)
        for _ in range(packs)
        for rank in ranks
        for suit in _SOLVITAIRE_SUITS
    ]
    return _from_the_end(left, lambda bound: _in_buckets(bound, draw))


_SOLVITAIRE_SUITS: Final = [SUITS.index(suit) for suit in "CHSD"]


def _twister(seed: int) -> Iterator[int]:
    """The Mersenne twister MT19937, seeded with 32 bits as its authors define."""
    import random

    words = [seed & _MASK_32]
    for place in range(1, 624):
        words.append(1812433253 * (words[-1] ^ words[-1] >> 30) + place & _MASK_32)
    twister = random.Random()
    # Python seeds it differently; the generator is the same.
    twister.setstate((3, (*words, len(words)), None))
    while True:
        yield twister.getrandbits(32)


def _in_buckets(bound: int, draw: Iterator[int]) -> int:
    """A number below a bound: draws are sorted into equal buckets, and the rest is rejected."""
    bucket = 2**32 // bound
    number = next(draw) // bucket
    while number >= bound:
        number = next(draw) // bucket
    return number


def _from_the_end(left: list[_Item], below: Callable[[int], int]) -> list[_Item]:
    """Shuffles by Fisher and Yates' method; each card is dealt from the end when it is drawn."""
    dealt = []
    while left:
        # For the last card no number is drawn. Whether a program draws one makes no difference.
        other = below(len(left)) if len(left) > 1 else 0
        left[other], left[-1] = left[-1], left[other]
        dealt.append(left.pop())
    return dealt


def _make_up(name: str, number: int, deck: Sequence[Card]) -> tuple[int, list[int], list[int]]:
    """Returns how many packs a sorted deck has, with which ranks and suits.

    A pack has four suits. If a game has fewer suits, but enough cards, a suit also stands for
    others and is listed more than once: eight times the spades are two packs.
    """
    times = Counter(deck)
    ranks = sorted({card.rank for card in deck})
    suits = sorted({card.suit for card in deck})
    packs = times[deck[0]] if deck else 0
    if not deck or list(times.values()) != [packs] * (len(ranks) * len(suits)):
        raise _no_such_pack(name, number, gettext("packs in which every suit has the same cards"))
    again, rest = divmod(len(SUITS), len(suits))
    if rest or packs % again:
        return packs, ranks, suits
    return packs // again, ranks, suits * again


def _no_such_pack(name: str, number: int, packs: str) -> DealError:
    return DealError(
        gettext(
            "{deal} deals {packs}, and this game has other cards: use {other}",
            deal=f"{name}:{number}",
            packs=packs,
            other=f"cadogan:{number}",
        )
    )
