"""Deals: named shuffles that come out the same on every machine and in every release.

A deal is named ``scheme:number``, as in ``cadogan:1`` or ``ms:617``. The scheme is a way of
shuffling; ``docs/deals.md`` writes each of them out bit for bit, with test vectors. A new scheme is
one function here, marked with :func:`scheme`, and its vectors there; and if it is named after a
program that lays out its tables in an order of its own, that order in ``layouts.toml``.

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
    """A deal that cannot be read or does not fit the game; the message is for people."""


class RestlessError(DealError, RuntimeError):
    """With these cards the forced rules of the game go on for ever."""


class DeckError(ValueError):
    """An explicit deck that is not the pack of the game.

    The message names every fault; the same faults are in the attributes.

    Attributes:
        missing: The cards that are not there, as often as they are wanting, sorted.
        surplus: The cards that are there too often or do not belong to the pack at all, as often
            as they are too many, sorted.
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
    """A way of shuffling by number.

    Attributes:
        name: How deals name it.
        summary: What it is, in a line.
        lowest: The lowest number.
        highest: The highest number; ``None`` if that depends on the deck.
        deal: Answers a deck in dealing order, given a number within the bounds and the deck sorted
            by card code. It may raise :class:`DealError` for a deck that it does not deal.
        whole: Whether cards that lie on the table before the deal are shuffled along with the
            others, and taken out afterwards.
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
    """Enters a function among the :data:`SCHEMES`; see :class:`Scheme` for what it must do."""

    def enter(deal: _Deal) -> _Deal:
        _schemes[name] = Scheme(name, summary, lowest, highest, deal, whole)
        return deal

    return enter


@dataclass(frozen=True, slots=True)
class DealName:
    """The name of a deal; only names of known schemes with a number within bounds can be made.

    Attributes:
        scheme: The name of the scheme.
        number: The number of the deal.

    Raises:
        DealError: If the scheme is not known, or has no such number.

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
"""Digits of a number; the decks of the largest games have fewer arrangements than such numbers."""
_LONGEST_TOLD: Final = 25
"""Digits of a number that a message repeats."""


def parse_deal(text: str) -> DealName:
    """Reads the name of a deal.

    Args:
        text: ``scheme:number``. Capitals and spaces around the parts do not matter.

    Raises:
        DealError: If the text is not the name of a deal; the message says what would be.

    Examples:
        >>> parse_deal("cadogan:1")
        DealName(scheme='cadogan', number=1)
        >>> parse_deal("cadogen:1")
        Traceback (most recent call last):
            ...
        cadogan.deals.DealError: no deals are called 'cadogen': did you mean 'cadogan'?
        >>> parse_deal("617")
        Traceback (most recent call last):
            ...
        cadogan.deals.DealError: '617' does not say which shuffle: write cadogan:617, ms:617, \
pysol:617, kpat:617, solvitaire:617 or exact:617
    """
    scheme, colon, digits = (part.strip() for part in text.partition(":"))
    if not colon:
        word = text.strip()
        if word.isdecimal() and word.isascii() and len(word) <= _LONGEST_TOLD:
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
        # Python refuses to read very long numbers, in words that are no help to a player.
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

    The cards come in the order in which the program of the scheme deals them; how they lie on the
    table of a game is a matter of :func:`deck_for`.

    Args:
        name: The name of the deal.
        deck: The cards of the game, in any order: the order makes no difference.

    Returns:
        The cards in the order in which they are dealt, the first dealt first.

    Raises:
        DealError: If the name is not the name of a deal, or its scheme does not deal such a deck.

    Examples:
        >>> from cadogan.cards import format_cards, pack
        >>> format_cards(shuffled("cadogan:1", pack(ranks="A23")))
        '2S AC 2C AD AH 3S 2D 3H AS 3D 3C 2H'
    """
    if isinstance(name, str):
        name = parse_deal(name)
    return SCHEMES[name.scheme].deal(name.number, sorted(deck))


def deck_for(name: DealName | str, book: "Rulebook") -> list[Card]:
    """The deck of a game that makes the table of a deal.

    A scheme that is named after a program gives the table which that program makes, even where it
    deals in another order than our rules: see :mod:`cadogan.layouts`.

    Args:
        name: The name of the deal.
        book: The rules of the game.

    Returns:
        The cards in the order in which our rules deal them, the first dealt first.

    Raises:
        DealError: If the name is not the name of a deal, or its scheme does not deal this game.

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
        # Of equal cards the one goes that would be dealt last.
        del cards[max(place for place, other in enumerate(cards) if other is card)]
    try:
        order = places(name.scheme, book)
    except UnsupportedLayoutError as error:
        raise DealError(
            told(
                "{scheme} {error}: there is no {deal} of this game; take {other}",
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
    """The name of any deck, by its place among all its arrangements.

    Args:
        deck: The cards in dealing order.

    Returns:
        The deal of the scheme ``exact`` that has this deck.

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
        # Of the arrangements that go on from here, a share begins with each card.
        number += block * smaller // remain
        block = block * left[card] // remain
        left[card] -= 1
    return DealName("exact", number)


def arrangements(deck: Iterable[Card]) -> int:
    """In how many ways the cards of a deck can follow each other.

    Equal cards are not told apart.

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
    """Checks that an explicit deck is the pack of a game.

    Args:
        deck: The deck in dealing order: cards, or their texts.
        expected: The cards of the game, in any order.

    Returns:
        The deck as cards, in dealing order.

    Raises:
        DeckError: If cards are missing, too many or unknown; every fault is named.

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
    """The places of a sorted deck in dealing order; the kernel has the same function."""
    draw = _split_mix(number)
    places = list(range(length))
    for last in range(length - 1, 0, -1):
        other = _below(last + 1, draw)
        places[last], places[other] = places[other], places[last]
    return places


def _split_mix(state: int) -> Iterator[int]:
    """SplitMix64: numbers of 64 bits without end."""
    while True:
        state = state + 0x9E3779B97F4A7C15 & _MASK_64
        mixed = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & _MASK_64
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & _MASK_64
        yield mixed ^ mixed >> 31


def _below(bound: int, draw: Iterator[int]) -> int:
    """A number from 0 to ``bound - 1``, each as likely as the others.

    The high half of the product ``draw * bound`` would favour some numbers by one draw in 2**64;
    the draws that tip the scales are thrown away.
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
                "take {other}",
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
    """The generator of Microsoft's C library, and how FreeCell Pro goes on beyond 2**31."""
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
"""The first number that PySolFC does not shuffle like Microsoft."""


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
    """The Mersenne twister MT19937, seeded with a number of 32 bits as its authors do it."""
    import random

    words = [seed & _MASK_32]
    for place in range(1, 624):
        words.append(1812433253 * (words[-1] ^ words[-1] >> 30) + place & _MASK_32)
    twister = random.Random()
    # Python's own way of seeding is another; the generator is the same.
    twister.setstate((3, (*words, len(words)), None))
    while True:
        yield twister.getrandbits(32)


def _in_buckets(bound: int, draw: Iterator[int]) -> int:
    """A number below a bound: the draws are sorted into buckets, and the overhang thrown away."""
    bucket = 2**32 // bound
    number = next(draw) // bucket
    while number >= bound:
        number = next(draw) // bucket
    return number


@scheme("exact", lowest=0, highest=None, summary="every arrangement of any pack has its number")
def _deal_exact(number: int, deck: Sequence[Card]) -> list[Card]:
    block = arrangements(deck)
    if number >= block:
        digits = str(block - 1)
        highest = (
            digits
            if len(digits) <= 3 * _LONGEST_TOLD
            else told("a number of {count} digits", count=len(digits))
        )
        raise DealError(
            told(
                "there is no such deal: the {count} cards of this game have fewer arrangements; "
                "the numbers of exact go from 0 to {highest} here",
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
    """Shuffles by Fisher and Yates and deals from the end, each card as soon as it is drawn."""
    dealt = []
    while left:
        # Other programs draw no number for the last card; that makes no difference.
        other = below(len(left)) if len(left) > 1 else 0
        left[other], left[-1] = left[-1], left[other]
        dealt.append(left.pop())
    return dealt


def _make_up(name: str, number: int, deck: Sequence[Card]) -> tuple[int, list[int], list[int]]:
    """How many packs a sorted deck is made of, with which ranks and which suits.

    A pack has four suits. If a game has fewer, and cards enough, suits stand for others and are
    there more than once: eight times the spades are two packs.
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
        else told("there are {choices}", choices=", ".join(SCHEMES))
    )
    return told("no deals are called {text}: {hint}", text=quoted(name), hint=hint)


def _out_of_range(found: Scheme, digits: str) -> str:
    end = (
        told("as many as the deck has arrangements")
        if found.highest is None
        else str(found.highest)
    )
    return told(
        "there is no deal {text}: the numbers of {name} go from {lowest} to {highest}",
        text=quoted(f"{found.name}:{digits}"), name=found.name, lowest=found.lowest, highest=end,
    )  # fmt: skip


def _no_such_pack(name: str, number: int, packs: str) -> DealError:
    return DealError(
        told(
            "{deal} deals {packs}, and this game has other cards: take {other}",
            deal=f"{name}:{number}",
            packs=packs,
            other=f"cadogan:{number}",
        )
    )


def _times(card: Card, number: int) -> str:
    return (
        str(card) if number == 1 else told("{card} ({number} times)", card=str(card), number=number)
    )
