"""Deals: named shuffles that are the same on every machine and in every release.

A deal is named ``scheme:number``, as in ``cadogan:1`` or ``ms:617``. A scheme is a shuffling
algorithm; ``docs/deals.md`` specifies each of them bit by bit, with test vectors. To add a scheme,
add one function here, decorated with :func:`scheme`, and its test vectors there. If the scheme
belongs to a program that lays out its tables in a different order, add that order to
``layouts.toml``.

    >>> from cadogan.cards import format_cards, pack
    >>> format_cards(shuffled("ms:1", pack())[:8])
    'JD 2D 9H JC 5D 7H 7C 5H'
"""

import difflib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import factorial, prod
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from cadogan.cards import RANKS, SUITS, Card, CardError, pack, quoted
from cadogan.i18n.text import in_a_row, listed, told

if TYPE_CHECKING:
    from cadogan.rules.rulebook.rulebook import Rulebook

RANDOM_DEALS: Final = 10**9
"""Random deals have numbers below this one."""

_MASK_32: Final = 2**32 - 1
_MASK_64: Final = 2**64 - 1


class DealError(ValueError):
    """A deal cannot be read or does not fit the game; the message is for people."""


class RestlessError(DealError, RuntimeError):
    """With these cards, the forced rules of the game never end."""


class DeckError(ValueError):
    """An explicit deck does not have the cards of the game.

    The message names every fault; the same faults are in the attributes.

    Attributes:
        missing: The missing cards, sorted; a card that is missing twice is listed twice.
        surplus: The cards that are too many or do not belong to the game, sorted.
        unknown: The texts that are not cards, in the order of the deck.
    """

    def __init__(
        self,
        message: str,
        *,
        missing: Sequence[Card] = (),
        surplus: Sequence[Card] = (),
        unknown: Sequence[str] = (),
    ) -> None:
        super().__init__(message)
        self.missing = tuple(missing)
        self.surplus = tuple(surplus)
        self.unknown = tuple(unknown)


@dataclass(frozen=True, slots=True)
class Scheme:
    """An algorithm that shuffles by number.

    Attributes:
        name: The name, as in the names of deals.
        summary: A description in one line.
        lowest: The lowest number.
        highest: The highest number; ``None`` if it depends on the deck.
        deal: Returns a deck in dealing order, given a number within the bounds and the deck sorted
            by card code. It may raise :class:`DealError` for a deck that it cannot deal.
        whole: Whether cards that lie on the table before the deal are shuffled with the others and
            removed afterwards.
    """

    name: str
    summary: str
    lowest: int
    highest: int | None
    deal: Callable[[int, Sequence[Card]], list[Card]]
    whole: bool = False


_schemes: Final[dict[str, Scheme]] = {}

SCHEMES: Final[Mapping[str, Scheme]] = MappingProxyType(_schemes)
"""The known schemes by name."""

_Deal = Callable[[int, Sequence[Card]], list[Card]]


def scheme(
    name: str, *, lowest: int, highest: int | None, summary: str, whole: bool = False
) -> Callable[[_Deal], _Deal]:
    """Registers a function in :data:`SCHEMES`; :class:`Scheme` describes what it must do."""

    def enter(deal: _Deal) -> _Deal:
        _schemes[name] = Scheme(name, summary, lowest, highest, deal, whole)
        return deal

    return enter


@dataclass(frozen=True, slots=True)
class DealName:
    """The name of a deal. It always has a known scheme and a valid number.

    Attributes:
        scheme: The name of the scheme.
        number: The number of the deal.

    Raises:
        DealError: If the scheme is unknown, or has no such number.

    Examples:
        >>> str(DealName("ms", 617))
        'ms:617'
    """

    scheme: str
    number: int

    def __post_init__(self) -> None:
        found = SCHEMES.get(self.scheme)
        if found is None:
            raise DealError(_unknown_scheme(self.scheme))
        if self.number < found.lowest or (
            found.highest is not None and self.number > found.highest
        ):
            raise DealError(_out_of_range(found, str(self.number)))

    def __str__(self) -> str:
        return f"{self.scheme}:{self.number}"


_NUMBER = re.compile(r"-?[0-9]+")
_LONGEST_NUMBER: Final = 1000
"""The largest number of digits; the decks of the largest games have fewer arrangements."""
_LONGEST_QUOTED: Final = 25
"""Longer numbers are not quoted in messages."""


def parse_deal(text: str) -> DealName:
    """Reads the name of a deal.

    Args:
        text: ``scheme:number``. Capitals and spaces around the parts do not matter.

    Raises:
        DealError: If the text is not the name of a deal; the message says what to write.

    Examples:
        >>> parse_deal("cadogan:1")
        DealName(scheme='cadogan', number=1)
        >>> parse_deal("cadogen:1")
        Traceback (most recent call last):
            ...
        cadogan.deals.DealError: unknown scheme of deals 'cadogen': did you mean 'cadogan'?
        >>> parse_deal("617")
        Traceback (most recent call last):
            ...
        cadogan.deals.DealError: '617' does not say which shuffle: write cadogan:617, ms:617, \
pysol:617, kpat:617, solvitaire:617 or exact:617
    """
    scheme, colon, digits = (part.strip() for part in text.partition(":"))
    if not colon:
        word = text.strip()
        if word.isdecimal() and word.isascii() and len(word) <= _LONGEST_QUOTED:
            *names, last = (f"{name}:{word}" for name in SCHEMES)
            raise DealError(
                told(
                    "{text} does not say which shuffle: write {choices}",
                    text=quoted(text),
                    choices=listed((*names, last)),
                )
            )
        raise DealError(
            told(
                "{text} is not the name of a deal: write scheme:number, as in cadogan:1",
                text=quoted(text),
            )
        )
    name = scheme.lower()
    found = SCHEMES.get(name)
    if found is None:
        raise DealError(_unknown_scheme(name))
    if not _NUMBER.fullmatch(digits):
        raise DealError(
            told(
                "{text} is not the number of a deal: write digits only, as in {name}:1",
                text=quoted(digits),
                name=name,
            )
        )
    if len(digits) > _LONGEST_NUMBER:
        # Python refuses to read very long numbers, with a message that does not help a player.
        raise DealError(_out_of_range(found, digits))
    return DealName(name, int(digits))


def random_deal() -> DealName:
    """A deal of the scheme ``cadogan`` at random, with a number that is short enough to write down.

    >>> random_deal().scheme
    'cadogan'
    """
    import secrets  # It is slow to import, and most callers name their deal.

    return DealName("cadogan", secrets.randbelow(RANDOM_DEALS))


def shuffled(name: DealName | str, deck: Iterable[Card]) -> list[Card]:
    """Shuffles a deck.

    The cards are in the order in which the program of the scheme deals them. :func:`deck_for`
    converts this to the order of our rules.

    Args:
        name: The name of the deal.
        deck: The cards of the game; their order does not matter.

    Returns:
        The cards in the order in which they are dealt, the first dealt first.

    Raises:
        DealError: If the name is not the name of a deal, or its scheme cannot deal such a deck.

    Examples:
        >>> from cadogan.cards import format_cards, pack
        >>> format_cards(shuffled("cadogan:1", pack(ranks="A23")))
        '2S AC 2C AD AH 3S 2D 3H AS 3D 3C 2H'
    """
    if isinstance(name, str):
        name = parse_deal(name)
    return SCHEMES[name.scheme].deal(name.number, sorted(deck))


def deck_for(name: DealName | str, book: "Rulebook") -> list[Card]:
    """Returns the deck from which our rules lay out the table of a deal.

    A scheme that is named after a program gives the same table as that program, even if the
    program deals in another order than our rules: see :mod:`cadogan.layouts`.

    Args:
        name: The name of the deal.
        book: The rules of the game.

    Returns:
        The cards in the order in which our rules deal them, the first dealt first.

    Raises:
        DealError: If the name is not the name of a deal, or its scheme cannot deal this game.

    Examples:
        >>> from cadogan import load
        >>> from cadogan.cards import format_cards
        >>> garden = load("flower-garden").rulebook
        >>> format_cards(deck_for("solvitaire:1", garden)[:6])
        '4S 6C QD JS 8S 2C'
    """
    if isinstance(name, str):
        name = parse_deal(name)
    deck = [Card(code) for code in book.deck]
    if not SCHEMES[name.scheme].whole:
        return shuffled(name, deck)
    from cadogan.layouts import UnsupportedLayoutError, places

    before = [Card(code) for code, _ in book.preset]
    cards = shuffled(name, [*deck, *before])
    for card in before:
        # Of equal cards, remove the one that would be dealt last.
        del cards[max(place for place, other in enumerate(cards) if other is card)]
    try:
        order = places(name.scheme, book)
    except UnsupportedLayoutError as error:
        raise DealError(
            told(
                "{scheme} {error}: this game has no {deal}; use {other}",
                scheme=name.scheme,
                error=error.args[0],
                deal=str(name),
                other=f"cadogan:{name.number}",
            )
        ) from None
    if order is None:
        return cards
    laid = dict(zip(order, cards, strict=True))
    return [laid[place] for place in range(len(laid))]


def exact(deck: Iterable[Card]) -> DealName:
    """Returns a name for any deck, by its index among all its arrangements.

    Args:
        deck: The cards in dealing order.

    Returns:
        The deal of the scheme ``exact`` that deals this deck.

    Examples:
        >>> from cadogan.cards import parse_cards
        >>> str(exact(parse_cards("2S AC 2C")))
        'exact:4'
        >>> shuffled("exact:4", parse_cards("AC 2C 2S"))
        [Card('2S'), Card('AC'), Card('2C')]
    """
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
    return DealName("exact", number)


def arrangements(deck: Iterable[Card]) -> int:
    """Counts the different arrangements of a deck. Equal cards are not distinguished.

    Examples:
        >>> arrangements(pack()) == 8065817517094387857166063685640376697528950544088327782400000 \
* 10**7
        True
        >>> arrangements(pack(2, ranks="A", suits="CD"))
        6
    """
    times = Counter(deck)
    return factorial(times.total()) // prod(map(factorial, times.values()))


def check_deck(deck: Iterable[Card | str], expected: Iterable[Card]) -> list[Card]:
    """Checks that an explicit deck has exactly the cards of a game.

    Args:
        deck: The deck in dealing order: cards, or their texts.
        expected: The cards of the game, in any order.

    Returns:
        The deck as cards, in dealing order.

    Raises:
        DeckError: If cards are missing, too many or unknown; the message names every fault.

    Examples:
        >>> from cadogan.cards import pack
        >>> check_deck(["AS", "ah"], pack(ranks="A", suits="HS"))
        [Card('AS'), Card('AH')]
        >>> check_deck(["AS", "AS", "2H", "zz"], pack(ranks="A"))
        Traceback (most recent call last):
            ...
        cadogan.deals.DeckError: this deck is not the pack of the game: missing AC, AD, AH; too \
many AS (2 instead of 1); not in this game 2H; not a card 'zz'
    """
    cards: list[Card] = []
    unknown: list[str] = []
    for item in deck:
        if isinstance(item, Card):
            cards.append(item)
            continue
        try:
            cards.append(Card.parse(item))
        except CardError:
            unknown.append(item)
    have, want = Counter(cards), Counter(expected)
    missing, surplus = want - have, have - want
    if not (missing or surplus or unknown):
        return cards
    doubled = {card for card in surplus if want[card]}
    many = [
        told(
            "{card} ({number} instead of {wanted})",
            card=str(card),
            number=have[card],
            wanted=want[card],
        )
        for card in sorted(doubled)
    ]
    lacking = [_times(card, missing[card]) for card in sorted(missing)]
    strange = [_times(card, surplus[card]) for card in sorted(surplus.keys() - doubled)]
    unread = in_a_row(map(quoted, unknown))
    faults = [
        *([told("missing {cards}", cards=in_a_row(lacking))] if lacking else []),
        *([told("too many {cards}", cards=in_a_row(many))] if many else []),
        *([told("not in this game {cards}", cards=in_a_row(strange))] if strange else []),
        *([told("not a card {cards}", cards=unread)] if len(unknown) == 1 else []),
        *([told("not cards {cards}", cards=unread)] if len(unknown) > 1 else []),
    ]
    found: str = faults[0]
    for fault in faults[1:]:
        found = told("{head}; {next}", head=found, next=fault)
    raise DeckError(
        told("this deck is not the pack of the game: {faults}", faults=found),
        missing=sorted(missing.elements()),
        surplus=sorted(surplus.elements()),
        unknown=unknown,
    )


# ---- Schemes -------------------------------------------------------------------------------------


@scheme("cadogan", lowest=0, highest=2**64 - 1, summary="Cadogan's own shuffle, for any pack")
def _deal_cadogan(number: int, deck: Sequence[Card]) -> list[Card]:
    return [deck[place] for place in _permutation(number, len(deck))]


def _permutation(number: int, length: int) -> list[int]:
    """Indices into a sorted deck, in dealing order; the kernel has the same function."""
    draw = _split_mix(number)
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


@scheme("ms", lowest=1, highest=2**33 - 1, summary="Microsoft FreeCell, for one full pack")
def _deal_ms(number: int, deck: Sequence[Card]) -> list[Card]:
    if list(deck) != pack():
        raise DealError(
            told(
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


@scheme("pysol", lowest=1, highest=10**20, summary="PySolFC, for any pack", whole=True)
def _deal_pysol(number: int, deck: Sequence[Card]) -> list[Card]:
    packs, ranks, suits = _make_up("pysol", number, deck)
    by_suits = [
        Card(rank * len(SUITS) + suit)
        for _ in range(packs)
        for suit in sorted(suits, key=_PYSOL_SUITS.index)
        for rank in ranks
    ]
    if number >= _PYSOL_TWISTER:
        import random

        twister = random.Random(number)
        return _from_the_end(by_suits, lambda bound: int(twister.random() * bound))
    draw = _ms_random(number)
    left = list(deck) if list(deck) == pack() else by_suits
    return _from_the_end(left, lambda bound: next(draw) % bound)


_PYSOL_SUITS: Final = [SUITS.index(suit) for suit in "CSHD"]
_PYSOL_TWISTER: Final = 32000
"""From this number on, PySolFC uses another shuffle than Microsoft."""


@scheme("kpat", lowest=1, highest=2**31 - 1, summary="KPatience, for full packs", whole=True)
def _deal_kpat(number: int, deck: Sequence[Card]) -> list[Card]:
    packs, ranks, suits = _make_up("kpat", number, deck)
    if len(ranks) < len(RANKS) or len(suits) < len(SUITS):
        raise _no_such_pack("kpat", number, told("full packs"))
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
def _deal_solvitaire(number: int, deck: Sequence[Card]) -> list[Card]:
    packs, ranks, suits = _make_up("solvitaire", number, deck)
    if packs > 2 or ranks != list(range(len(ranks))) or len(set(suits)) < len(SUITS):
        raise _no_such_pack("solvitaire", number, told("one or two packs, from the aces up"))
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


@scheme("exact", lowest=0, highest=None, summary="a number for every arrangement of any pack")
def _deal_exact(number: int, deck: Sequence[Card]) -> list[Card]:
    block = arrangements(deck)
    if number >= block:
        digits = str(block - 1)
        highest = (
            digits
            if len(digits) <= 3 * _LONGEST_QUOTED
            else told("a number of {count} digits", count=len(digits))
        )
        raise DealError(
            told(
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


def _from_the_end(left: list[Card], below: Callable[[int], int]) -> list[Card]:
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
        raise _no_such_pack(name, number, told("packs in which every suit has the same cards"))
    again, rest = divmod(len(SUITS), len(suits))
    if rest or packs % again:
        return packs, ranks, suits
    return packs // again, ranks, suits * again


# ---- Messages ------------------------------------------------------------------------------------


def _unknown_scheme(name: str) -> str:
    near = difflib.get_close_matches(name.lower()[:32], SCHEMES, n=1)
    hint = (
        told("did you mean '{guess}'?", guess=near[0])
        if near
        else told("choose one of {choices}", choices=", ".join(SCHEMES))
    )
    return told("unknown scheme of deals {text}: {hint}", text=quoted(name), hint=hint)


def _out_of_range(found: Scheme, digits: str) -> str:
    end = (
        told("as many as the deck has arrangements")
        if found.highest is None
        else str(found.highest)
    )
    return told(
        "unknown deal {text}: the numbers of {name} go from {lowest} to {highest}",
        text=quoted(f"{found.name}:{digits}"), name=found.name, lowest=found.lowest, highest=end,
    )  # fmt: skip


def _no_such_pack(name: str, number: int, packs: str) -> DealError:
    return DealError(
        told(
            "{deal} deals {packs}, and this game has other cards: use {other}",
            deal=f"{name}:{number}",
            packs=packs,
            other=f"cadogan:{number}",
        )
    )


def _times(card: Card, number: int) -> str:
    return (
        str(card) if number == 1 else told("{card} ({number} times)", card=str(card), number=number)
    )
