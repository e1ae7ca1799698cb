"""The words of the card books: ranks, suits, colours and classes of cards.

A *class* is a set of cards named in words: ``"any card"``, ``"aces"``, ``"red knaves"``, ``"queen
of clubs"``, ``"kings and red tens"``, ``"all but kings"``, ``"jokers"``. It is a mask (bit
``rank * 4 + suit``, and 52 for the joker) together with the words, so that rules can be described
in the author's own terms.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from cadogan.i18n.text import gettext

RANKS = "A23456789TJQK"
SUITS = "CDHS"
RANK_NAMES = (
    "ace", "two", "three", "four", "five", "six", "seven",
    "eight", "nine", "ten", "knave", "queen", "king",
)  # fmt: skip
SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")
SUITED = (1 << 52) - 1
JOKER = 52
ALL_CARDS = SUITED | 1 << JOKER

_SUIT_MASKS = tuple(sum(1 << (rank * 4 + suit) for rank in range(13)) for suit in range(4))
_RANK_MASKS = tuple(0b1111 << (rank * 4) for rank in range(13))
_RED = _SUIT_MASKS[1] | _SUIT_MASKS[2]

_RANK_WORDS: dict[str, int] = {}
for _index, _name in enumerate(RANK_NAMES):
    _plural = "sixes" if _name == "six" else _name + "s"
    for _word in (_name, _plural, RANKS[_index].lower()):
        _RANK_WORDS[_word] = _index
_RANK_WORDS |= {"10": 9, "deuce": 1, "deuces": 1, "jack": 10, "jacks": 10}
_RANK_WORDS |= {str(number): number - 1 for number in range(2, 11)}
_SUIT_WORDS: dict[str, int] = {}
for _index, _name in enumerate(SUIT_NAMES):
    for _word in (_name, _name[:-1], _name[0]):
        _SUIT_WORDS[_word] = _index
_COLOURS = {"red": _RED, "black": SUITED ^ _RED, "court": 0xFFF << 40}


NUMBERS = {"no": 0, "one": 1, "eleven": 11, "twelve": 12, "thirteen": 13}
NUMBERS |= {name: rank + 1 for rank, name in enumerate(RANK_NAMES[:10]) if rank}


class WordError(ValueError):
    """A phrase that cannot be understood.

    Attributes:
        word: The word that is not understood.
        start: Its offset in the phrase, in characters.
        allowed: The words that are allowed there.
        hint: How to correct it, if a list of words does not show that.
    """

    def __init__(
        self,
        message: str,
        word: str,
        start: int,
        allowed: Iterable[str] = (),
        hint: str | None = None,
    ) -> None:
        super().__init__(message)
        self.word = word
        self.start = start
        self.allowed = tuple(allowed)
        self.hint = hint


@dataclass(frozen=True, slots=True)
class CardClass:
    """A class of cards: the cards and the words.

    Attributes:
        mask: Bit ``rank * 4 + suit`` is set for every card of the class.
        text: The words, as they can be read again by :func:`parse_class`.
    """

    mask: int
    text: str

    def __bool__(self) -> bool:
        return self.mask != 0


ANY = CardClass(ALL_CARDS, "any card")
NONE = CardClass(0, "no card")


def rank_of(word: str) -> int | None:
    """The rank that a word means: ``"knave"``, ``"J"``, ``"10"``, ``"deuces"``.

    >>> rank_of("Knave"), rank_of("10"), rank_of("T"), rank_of("joker")
    (10, 9, 9, None)
    """
    return _RANK_WORDS.get(word.lower())


def suit_of(word: str) -> int | None:
    """The suit that a word means: ``"hearts"``, ``"heart"``, ``"H"``.

    >>> suit_of("Hearts"), suit_of("s"), suit_of("cups")
    (2, 3, None)
    """
    return _SUIT_WORDS.get(word.lower())


def small_number(word: str) -> int | None:
    """A small number in figures or words; ``None`` if it is none.

    >>> small_number("3"), small_number("three"), small_number("many")
    (3, 3, None)
    """
    if word.isascii() and word.isdigit() and len(word) <= 5:
        return int(word)
    return NUMBERS.get(word.lower())


def rank_mask(ranks: Iterable[int]) -> int:
    """The cards of these ranks, in all suits.

    >>> hex(rank_mask([0, 12]))
    '0xf00000000000f'
    """
    mask = 0
    for rank in ranks:
        mask |= _RANK_MASKS[rank]
    return mask


def suit_mask(suit: int) -> int:
    """The cards of a suit.

    >>> hex(suit_mask(3) & 0xFF)
    '0x88'
    """
    return _SUIT_MASKS[suit]


def plural(rank: int) -> str:
    """The rank's name in the plural.

    >>> plural(5), plural(0)
    ('sixes', 'aces')
    """
    return "sixes" if rank == 5 else RANK_NAMES[rank] + "s"


CLASS_WORDS = (
    *(plural(rank) for rank in range(13)),
    *RANK_NAMES,
    *SUIT_NAMES,
    "red",
    "black",
    "court",
    "any",
    "no",
    "card",
    "cards",
    "jack",
    "jacks",
    "joker",
    "jokers",
)
"""Words that can stand in the name of a class, for typo help."""


@lru_cache(maxsize=1024)
def parse_class(text: str) -> CardClass:
    """Reads a class of cards.

    Args:
        text: Words as in the module's description.

    Returns:
        The class; its text is the input with normalised white space.

    Raises:
        WordError: If a word is unknown or does not fit there.

    >>> bin(parse_class("aces").mask)
    '0b1111'
    >>> parse_class("red kings and the queen of spades").mask == (0b0110 << 48) | (1 << 47)
    True
    >>> parse_class("cards but aces").mask == parse_class("all but aces").mask
    True
    >>> parse_class("all but kings").mask == parse_class("any card").mask ^ parse_class(
    ...     "kings"
    ... ).mask
    True
    """
    words = [(m.group().lower(), m.start()) for m in re.finditer(r"[^\s,]+|,", text)]
    if not words:
        raise WordError("an empty text names no cards", "", 0, ["any card"])
    if [w for w, _ in words[:2]] in (["all", "but"], ["cards", "but"]):
        rest = parse_class(" " * words[1][1] + "   " + text[words[1][1] + 3 :])
        return CardClass(ALL_CARDS ^ rest.mask, " ".join(text.split()))
    mask = 0
    part: list[tuple[str, int]] = []
    before = ""
    for word, start in [*words, ("and", len(text))]:
        if word in ("and", "or", ","):
            if part:
                mask |= _one_class(part)
            elif word == "," or before != ",":
                raise WordError(
                    gettext("a class of cards is missing here"), word, start, CLASS_WORDS
                )
            part = []
        else:
            part.append((word, start))
        before = word
    return CardClass(mask, " ".join(text.split()))


@dataclass(frozen=True, slots=True)
class Selection:
    """Some cards of a class: all of them, or so many copies of one card, or of one in each suit.

    Attributes:
        cards: The class.
        number: How many copies of the card; ``None`` for all cards of the class.
        each_suit: Whether the number is meant for each suit.
    """

    cards: CardClass
    number: int | None = None
    each_suit: bool = False


NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8}
_SELECTION = re.compile(
    # Spaces are looked at from the first of a run only: the time stays linear in their number.
    rf"\s*(?:(?P<number>{'|'.join(NUMBERS)})\s++(?!of\b|and\b|or\b))?"
    r"(?P<cards>.*?)(?P<each>(?<!\s)\s+of\s+each\s+suit)?(?:(?<!\s)\s+)?",
    re.IGNORECASE | re.DOTALL,
)


def parse_selection(text: str) -> Selection:
    """Reads some cards of a class: ``"aces"``, ``"one ace of each suit"``, ``"two red kings"``.

    Args:
        text: The words.

    Returns:
        The selection.

    Raises:
        WordError: If a word is unknown or does not fit there.

    >>> chosen = parse_selection("one ace of each suit")
    >>> chosen.number, chosen.each_suit, bin(chosen.cards.mask)
    (1, True, '0b1111')
    >>> parse_selection("two of hearts").number is None
    True
    """
    match = _SELECTION.fullmatch(text)
    assert match is not None
    number = NUMBERS.get((match["number"] or "").lower())
    each = match["each"] is not None
    if number is None and each:
        raise WordError(
            gettext('"of each suit" follows a number'),
            match["each"].strip(),
            match.end("each") - len(match["each"].strip()),
            hint=gettext('say "one ace of each suit"'),
        )
    try:
        cards = parse_class(match["cards"])
    except WordError as error:
        start = error.start + match.start("cards")
        raise WordError(error.args[0], error.word, start, error.allowed, error.hint) from None
    return Selection(CardClass(cards.mask, " ".join(text.split())), number, each)


def counted_cards(cards: Iterable[int], suits: Iterable[int]) -> list[tuple[int, int, bool]]:
    """Counts cards, so that they can be named.

    Args:
        cards: The cards, equal ones repeated.
        suits: The suits of the game.

    Returns:
        For each kind of card: how many, its mask, and whether the number is meant for each suit.

    >>> counted_cards([0, 1, 2, 3, 50], range(4)) == [(1, 0b1111, True), (1, 1 << 50, False)]
    True
    """
    copies = Counter(cards)
    everywhere = tuple(suits)
    kinds: list[tuple[int, int, bool]] = []
    if copies[JOKER]:
        kinds.append((copies[JOKER], 1 << JOKER, False))
    for rank in sorted({card // 4 for card in copies if card != JOKER}):
        numbers = [copies[rank * 4 + suit] for suit in everywhere]
        if len(numbers) > 1 and len(set(numbers)) == 1:
            kinds.append((numbers[0], sum(1 << rank * 4 + suit for suit in everywhere), True))
        else:
            kinds += [
                (number, 1 << rank * 4 + suit, False)
                for number, suit in zip(numbers, everywhere, strict=True)
                if number
            ]
    return kinds


def _one_class(words: list[tuple[str, int]]) -> int:
    mask = ALL_CARDS
    named = False
    before, at = "", 0
    for word, start in words:
        if word in ("a", "an", "the", "of", "card", "cards"):
            if word in ("card", "cards") and small_number(before) and before != "no":
                raise _is_number(before, at)
            named = named or word in ("card", "cards")
            before, at = word, start
            continue
        own = ALL_CARDS
        if word in ("no", "nothing", "none") and not named:
            mask = own = 0
        elif word in _COLOURS:
            own = _COLOURS[word]
        elif word in ("joker", "jokers"):
            own = 1 << JOKER
        elif (rank := rank_of(word)) is not None and not (
            len(word) == 1 and word.isalpha() and named
        ):
            own = _RANK_MASKS[rank]
        elif (suit := suit_of(word)) is not None:
            own = _SUIT_MASKS[suit]
        elif word not in ("any", "every", "all"):
            if small_number(word) is not None:
                raise _is_number(word, start)
            raise WordError(gettext('"{word}" names no cards', word=word), word, start, CLASS_WORDS)
        if own and not mask & own:
            raise _names_none(word, start, denied=not mask)
        mask, named, before, at = mask & own, True, word, start
    if not named:
        raise WordError(
            gettext("a class of cards is missing here"), words[0][0], words[0][1], CLASS_WORDS
        )
    return mask


def _names_none(word: str, start: int, *, denied: bool) -> WordError:
    """A word after which a class has no card left."""
    return WordError(
        gettext('no card is "{word}" and what stands before it', word=word),
        word,
        start,
        hint=gettext('say "all but kings" for the other cards')
        if denied
        else gettext('several classes are joined by "and": "kings and red tens"'),
    )


def _is_number(word: str, start: int) -> WordError:
    """A number where a class of cards is wanted."""
    rank = rank_of(word)
    return WordError(
        gettext('a class of cards has no number such as "{word}"', word=word),
        word,
        start,
        hint=gettext("from_holds and to_holds of a rule say how many cards lie on a pile")
        if rank is None
        else gettext(
            'say "{ranks}" for the rank; from_holds and to_holds of a rule say how many cards '
            "lie on a pile",
            ranks=plural(rank),
        ),
    )
