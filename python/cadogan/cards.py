"""Cards, packs and their notation.

A card is written with its rank (``A 2 3 4 5 6 7 8 9 T J Q K``) and its suit (``C D H S``): ``TC``
is the ten of clubs. Its code is ``rank * 4 + suit``, so cards sort from the ace of clubs to the
king of spades. There are exactly 52 card objects: the two aces of spades of a double pack are the
same object. After them comes the joker, ``JO``, with the code 52; a game may have several.

    >>> parse_cards("AS TC, 9h")
    [Card('AS'), Card('TC'), Card('9H')]
    >>> format_cards(pack(ranks="A", suits="DH"))
    'AD AH'
"""

import re
from collections.abc import Iterable
from typing import Final, Never, final

from cadogan.i18n.text import gettext

RANKS: Final = "A23456789TJQK"
"""The letters of the ranks, lowest first. A rank is an index into this string."""

SUITS: Final = "CDHS"
"""The letters of the suits: clubs, diamonds, hearts, spades. A suit is an index into this string.
"""

SUIT_SYMBOLS: Final = "♣♦♥♠"
"""The symbols of the suits, in the order of :data:`SUITS`."""

JOKER_SYMBOL: Final = "★"
"""The symbol of a joker, who has no suit."""

_RANK_NAMES = (
    "ace",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "knave",
    "queen",
    "king",
)
_SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")
_RED_SUITS = (1, 2)


class CardError(ValueError):
    """A text does not name cards; the message quotes it."""


@final
class Card:
    """One of the 52 cards, or the joker.

    Cards are immutable, hashable and ordered by code. ``Card(code)`` always returns the same
    object, so cards may be compared with ``is``.

    Args:
        code: ``rank * 4 + suit``, from 0 (ace of clubs) to 51 (king of spades); 52 for a joker.

    Attributes:
        code: ``rank * 4 + suit``.
        rank: The rank, 0 (ace) to 12 (king); 13 for a joker.
        suit: The suit: 0 clubs, 1 diamonds, 2 hearts, 3 spades; 4 for a joker.
        symbol: The card with the symbol of its suit, for people: ``T♣``.

    Examples:
        >>> card = Card.parse("TC")
        >>> card, str(card), card.code
        (Card('TC'), 'TC', 36)
        >>> card is Card(36)
        True
        >>> card.rank, card.suit, card.colour, card.symbol, card.name
        (9, 0, 'black', 'T♣', 'ten of clubs')
    """

    __slots__ = ("_text", "code", "rank", "suit", "symbol")

    _text: str
    code: int
    rank: int
    suit: int
    symbol: str

    def __new__(cls, code: int | str) -> "Card":
        """Returns the card of a code, or of a text as :meth:`parse` reads it."""
        if isinstance(code, str):
            return cls.parse(code)
        if not 0 <= code < len(_CARDS):
            raise CardError(f"{code!r} is not the code of a card: codes go from 0 to 52")
        return _CARDS[code]

    @classmethod
    def parse(cls, text: str) -> "Card":
        """Reads a card, leniently: ``TC``, ``10c``, ``t♣`` and ``" TC "`` are the same.

        ``JO`` and ``J★`` are a joker.

        Args:
            text: A rank and a suit.

        Raises:
            CardError: If the text is not a card.

        Examples:
            >>> Card.parse("10♥")
            Card('TH')
            >>> Card.parse("1X")
            Traceback (most recent call last):
                ...
            cadogan.cards.CardError: '1X' is not a card: write a rank (A23456789TJQK) and a suit \
(CDHS), as in TC or 10c
        """
        card = _read(text)
        if card is None:
            raise CardError(gettext("{text} is not a card: {how}", text=quoted(text), how=_HOW))
        return card

    @property
    def colour(self) -> str:
        """``"black"`` or ``"red"``; ``""`` for a joker."""
        return "" if self.is_joker else "red" if self.is_red else "black"

    @property
    def is_red(self) -> bool:
        """Whether the card is a diamond or a heart."""
        return self.suit in _RED_SUITS

    @property
    def is_joker(self) -> bool:
        """Whether the card is a joker."""
        return self.code == _JOKER

    @property
    def name(self) -> str:
        """The card in words: ``"queen of hearts"``, ``"joker"``."""
        if self.is_joker:
            return "joker"
        return f"{_RANK_NAMES[self.rank]} of {_SUIT_NAMES[self.suit]}"

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"Card({self._text!r})"

    def __hash__(self) -> int:
        return self.code

    def __lt__(self, other: "Card") -> bool:
        return self.code < other.code if isinstance(other, Card) else NotImplemented

    def __le__(self, other: "Card") -> bool:
        return self.code <= other.code if isinstance(other, Card) else NotImplemented

    def __gt__(self, other: "Card") -> bool:
        return self.code > other.code if isinstance(other, Card) else NotImplemented

    def __ge__(self, other: "Card") -> bool:
        return self.code >= other.code if isinstance(other, Card) else NotImplemented

    def __setattr__(self, name: str, value: object) -> Never:
        raise AttributeError(f"a card cannot be changed: {name}")

    def __delattr__(self, name: str) -> Never:
        raise AttributeError(f"a card cannot be changed: {name}")

    def __reduce__(self) -> tuple[type["Card"], tuple[int]]:
        # Copies and unpickled cards must be the same objects.
        return Card, (self.code,)


_JOKER: Final = len(RANKS) * len(SUITS)


def _make(code: int) -> Card:
    """Creates the object of a code; called once for each code."""
    card = object.__new__(Card)
    rank, suit = (len(RANKS), len(SUITS)) if code == _JOKER else divmod(code, len(SUITS))
    for name, value in {
        "_text": (RANKS + "J")[rank] + (SUITS + "O")[suit],
        "code": code,
        "rank": rank,
        "suit": suit,
        "symbol": (RANKS + "J")[rank] + (SUIT_SYMBOLS + JOKER_SYMBOL)[suit],
    }.items():
        object.__setattr__(card, name, value)
    return card


_CARDS: Final[tuple[Card, ...]] = tuple(_make(code) for code in range(_JOKER + 1))
_BY_TEXT: Final[dict[str, Card]] = {str(card): card for card in _CARDS}
_SPELLINGS: Final = str.maketrans(
    {
        **dict(zip(SUIT_SYMBOLS, SUITS, strict=True)),
        **dict(zip("♧♢♡♤", SUITS, strict=True)),
        JOKER_SYMBOL: "O",
        "\N{VARIATION SELECTOR-15}": None,
        "\N{VARIATION SELECTOR-16}": None,
    }
)
_HOW: Final = gettext(
    "write a rank ({ranks}) and a suit ({suits}), as in TC or 10c", ranks=RANKS, suits=SUITS
)
_LONGEST_QUOTE: Final = 32


def _read(text: str) -> Card | None:
    """The card that a text names, or ``None``."""
    word = text.strip().upper().translate(_SPELLINGS)
    if word.startswith("10"):
        word = "T" + word[2:]
    return _BY_TEXT.get(word)


def quoted(text: str) -> str:
    """Quotes a text for an error message, and shortens it if it is long.

    Examples:
        >>> quoted("1X")
        "'1X'"
    """
    return repr(text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 3] + "...")


def parse_cards(text: str) -> list[Card]:
    """Reads cards that are separated by spaces, commas or new lines.

    Args:
        text: The cards, each as :meth:`Card.parse` reads it.

    Raises:
        CardError: If a word is not a card; the message names all such words.

    Examples:
        >>> parse_cards("AS TC, 9h")
        [Card('AS'), Card('TC'), Card('9H')]
        >>> parse_cards("AS XX 9H 0C")
        Traceback (most recent call last):
            ...
        cadogan.cards.CardError: 'XX', '0C' are not cards: write a rank (A23456789TJQK) and a \
suit (CDHS), as in TC or 10c
    """
    words = [word for word in re.split(r"[\s,]+", text) if word]
    cards = [_read(word) for word in words]
    wrong = {quoted(word): None for word, card in zip(words, cards, strict=True) if card is None}
    if wrong:
        raise CardError(
            gettext("{text} is not a card: {how}", text=", ".join(wrong), how=_HOW)
            if len(wrong) == 1
            else gettext("{texts} are not cards: {how}", texts=", ".join(wrong), how=_HOW)
        )
    return [card for card in cards if card is not None]


def format_cards(cards: Iterable[Card]) -> str:
    """Writes cards as :func:`parse_cards` reads them.

    Examples:
        >>> format_cards([Card(3), Card(36)])
        'AS TC'
    """
    return " ".join(map(str, cards))


def pack(packs: int = 1, ranks: str = RANKS, suits: str = SUITS) -> list[Card]:
    """Returns the cards of one or more packs without jokers, sorted by code.

    Args:
        packs: The number of packs.
        ranks: The letters of the ranks in use; a piquet pack has ``"789TJQKA"``.
        suits: The letters of the suits in use; spades only are ``"S"``.

    Raises:
        CardError: If a letter is unknown or occurs twice, or there is no pack.

    Examples:
        >>> len(pack()), len(pack(2))
        (52, 104)
        >>> format_cards(pack(2, ranks="AK", suits="S"))
        'AS AS KS KS'
    """
    if packs < 1:
        raise CardError(f"{packs} packs hold no cards: there must be at least one")
    for letters, known, noun in ((ranks, RANKS, "ranks"), (suits, SUITS, "suits")):
        if len(set(letters)) != len(letters) or not set(letters) <= set(known):
            raise CardError(f"{quoted(letters)} are not {noun}: use letters of {known}, each once")
    return [
        card
        for card in _CARDS[:_JOKER]
        if RANKS[card.rank] in ranks and SUITS[card.suit] in suits
        for _ in range(packs)
    ]
