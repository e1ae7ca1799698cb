"""Sets of cards that belong together: which cards may leave, or go up, at the same time.

A set is described by one phrase and, where the phrase leaves it open, by the number of its cards:

.. code-block:: text

    "adding to 15"  (2 to 4 cards)      "same rank"  (4 cards)      "any rank in suit"  (3 cards)
    "a jack, a queen and a king"        "a king and a queen in suit"        "a king"
    "a court card and three others of different ranks adding to 18"

The first kind is a rule of building (:mod:`cadogan.rules.rulebook.relations`): two cards belong
together if one may lie on the other. More cards add up to the number together, or are all of one
rank or suit, or can be put in an order in which each may lie on the one before. The second kind
names the cards one by one.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import comb, prod
from typing import TYPE_CHECKING, Any

from cadogan.i18n.text import gettext
from cadogan.rules.rulebook.relations import Relation, Term, parse_term
from cadogan.rules.rulebook.words import ALL_CARDS, CardClass, WordError, parse_class

if TYPE_CHECKING:
    from cadogan.rules.compile.compile import Tables

MOST_CARDS = 4
"""The most cards of a set."""

_NUMBERS = {"a": 1, "an": 1, "one": 1, "the": 1, "two": 2, "three": 3, "four": 4}
_PATTERN = re.compile(r"\s*(?:an?|one|two|three|four)\s+\w", re.IGNORECASE)
_SUITS = re.compile(
    r"[\s,]+(?P<suit>in\s+(?:the\s+same\s+|another\s+)?suit|in\s+(?:the\s+same\s+)?colou?r)\s*$",
    re.IGNORECASE,
)
_SUM = re.compile(r"[\s,]+adding\s+to\s+(?P<total>\d{1,3})\s*$", re.IGNORECASE)
_RANKS = re.compile(r"[\s,]+of\s+different\s+ranks\s*$", re.IGNORECASE)
_OTHERS = re.compile(r"^others?(?:\s+cards?)?$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class CardSet:
    """Cards that belong together; what is given must hold.

    Attributes:
        text: The phrase.
        size: The fewest and the most cards.
        chain: In some order, each card may lie on the one before.
        each: Of each two cards, one may lie on the other.
        cards: One card of each of these classes, and no other.
        total: What the cards add up to, aces counting one and kings thirteen.
        counted: The cards that count in the sum; the others count nothing.
    """

    text: str
    size: tuple[int, int]
    chain: Relation | None = None
    each: Relation | None = None
    cards: tuple[CardClass, ...] = ()
    total: int | None = None
    counted: CardClass | None = None

    @property
    def values(self) -> list[int]:
        """The values of the thirteen ranks."""
        counted = ALL_CARDS if self.counted is None else self.counted.mask
        return [rank + 1 if counted >> 4 * rank & 1 else 0 for rank in range(13)]

    def program(self, tables: "Tables") -> dict[str, Any]:
        """Its form in a program; see ``CardSet`` in ``crates/kernel/src/program/format/``."""
        program: dict[str, Any] = {"size": list(self.size)}
        for name, relation in (("chain", self.chain), ("every", self.each)):
            if relation is not None:
                program[name] = tables.relation(relation)
        if self.cards:
            program["cards"] = [tables.cards(cards) for cards in self.cards]
        if self.total is not None:
            program["sum"] = {"total": self.total, "values": self.values}
        return program

    def most(self, size: int, count: Callable[[int], int]) -> int:
        """How many sets of so many cards there are at most.

        Args:
            size: The number of cards.
            count: The number of cards of a class in the game.
        """
        if self.cards:
            return prod(count(cards.mask) for cards in self.cards)
        ranks = [count(0b1111 << 4 * rank) for rank in range(13)]
        if self.each is not None and self.each.terms[0].steps == {0}:
            return sum(comb(cards, size) for cards in ranks)
        if self.total is None:
            return comb(sum(ranks), size)
        # By number of cards and sum: the ways to choose them from the ranks so far.
        ways = {(0, 0): 1}
        for cards, value in zip(ranks, self.values, strict=True):
            more: dict[tuple[int, int], int] = {}
            for (taken, total), number in ways.items():
                for next_cards in range(min(cards, size - taken) + 1):
                    key = (taken + next_cards, total + next_cards * value)
                    if key[1] <= self.total:
                        more[key] = more.get(key, 0) + number * comb(cards, next_cards)
            ways = more
        return ways.get((size, self.total), 0)

    @property
    def relations(self) -> list[Relation]:
        """The rules of building that it needs."""
        return [relation for relation in (self.chain, self.each) if relation is not None]


def names_cards(phrase: str) -> bool:
    """Whether a phrase names the cards of a set one by one.

    >>> names_cards("a queen and a king"), names_cards("any rank in suit")
    (True, False)
    """
    return _PATTERN.match(phrase) is not None


def parse_cards(phrase: str, ranks: Sequence[int]) -> CardSet:
    """Parses a phrase that names the cards of a set one by one.

    Args:
        phrase: The phrase.
        ranks: The game's ranks in order.

    Raises:
        WordError: If it is not understood.

    >>> found = parse_cards("two black sevens and an ace", range(13))
    >>> found.size, [card.text for card in found.cards]
    ((3, 3), ['black sevens', 'black sevens', 'ace'])
    """
    rest, each, total = phrase.rstrip(), None, None
    suits = _SUITS.search(rest)
    if suits is not None:
        each = Relation((parse_term(f"any rank {' '.join(suits['suit'].split())}"),), tuple(ranks))
        rest = rest[: suits.start()]
    if (found := _SUM.search(rest)) is not None:
        total = int(found["total"])
        rest = rest[: found.start()]
    if (different := _RANKS.search(rest)) is not None:
        if each is not None:
            raise WordError(
                gettext("a set is either of one suit or colour, or of different ranks"),
                different.group().strip(" ,"),
                different.start(),
            )
        each = _different_ranks(ranks)
        rest = rest[: different.start()]
    items = list(_items(rest))
    named = [(number, words, start) for number, words, start in items if not _OTHERS.match(words)]
    others = ALL_CARDS
    classes: list[CardClass] = []
    for number, words, start in named:
        try:
            each_card = parse_class(words)
        except WordError as error:
            raise WordError(
                error.args[0], error.word, start + error.start, error.allowed, error.hint
            ) from None
        others &= ~each_card.mask
        classes += [each_card] * number
    counted = None
    for number, words, start in items:
        if _OTHERS.match(words):
            if not named or len(items) > len(named) + 1:
                raise WordError(gettext("other than which cards?"), words, start)
            counted = CardClass(others, words)
            classes += [counted] * number
    if total is None:
        counted = None
    elif counted is not None and any(
        others >> 4 * rank & 0b1111 not in (0, 0b1111) for rank in range(13)
    ):
        raise WordError(
            gettext("a sum counts all cards of a rank or none"),
            counted.text,
            phrase.find(counted.text),
        )
    if len(classes) > MOST_CARDS:
        raise WordError(
            gettext("a set has at most {most} cards", most=MOST_CARDS), phrase.strip(), 0
        )
    text = " ".join(phrase.split())
    size = (len(classes), len(classes))
    return CardSet(text, size, None, each, tuple(classes), total, counted)


def parse_relation(
    phrase: str,
    size: tuple[int, int],
    ranks: Sequence[int],
    orders: Callable[[str], Sequence[int] | None] | None = None,
) -> CardSet:
    """Parses a rule of building for sets of another number of cards than two.

    Args:
        phrase: The rule of building.
        size: The fewest and the most cards.
        ranks: The game's ranks in order.
        orders: Returns the ranks of a group's order.

    Raises:
        WordError: If it is not understood, or cannot hold between more than two cards.

    >>> parse_relation("adding to 15", (2, 4), range(13)).total
    15
    """
    total = re.match(r"\s*adding\s+to\s+(\d{1,3})\b", phrase, re.IGNORECASE)
    # The sum of two cards is limited; the rest of the phrase is read without it.
    words = phrase if total is None else f"any rank{phrase[total.end() :]}"
    try:
        term = parse_term(words, orders)
    except WordError as error:
        moved = 0 if total is None else total.end() - len("any rank")
        raise WordError(
            error.args[0], error.word, error.start + moved, error.allowed, error.hint
        ) from None
    text = " ".join(phrase.split())
    if size[0] == 1 and (total is None or size[1] == 1):
        raise WordError(
            gettext("a single card has none with which it could be compared"),
            text,
            0,
            hint=gettext('name the cards that leave alone: match = ["same rank", "a king"]'),
        )
    # All cards of such a set are compared with one another.
    alternate = term.suit == "in alternate colours" and term.steps in (set(), {0})
    if term.never_on is not None or term.begun or term.pair is not None or alternate:
        colours = "alternating" if "alternating" in phrase.lower() else "alternate"
        named = (term.never_on and "never on") or (term.begun and "as begun")
        word = named or (text if term.pair is not None else colours)
        raise WordError(
            gettext("this can hold between two cards only"),
            word,
            max(0, phrase.lower().find(word)),
            hint=gettext('say "same rank", "any rank in suit", "up in suit" and so on'),
        )
    relation = None if term.anything else Relation((term,), tuple(ranks))
    if total is not None:
        number = int(total[1])
        if not size[0] <= number <= 13 * size[1]:
            raise WordError(
                gettext("no {number} cards add up to {total}", number=size[1], total=number),
                total[1],
                total.start(1),
            )
        plain = term.suit == "in any suit"
        return CardSet(text, size, None, None if plain else relation, (), number)
    if term.steps and term.steps != {0}:
        return CardSet(text, size, relation)
    return CardSet(text, size, None, relation)


def _items(text: str) -> list[tuple[int, str, int]]:
    """The parts of a list such as "a jack, two queens and a king": number, words, place."""
    found = []
    # Only the first space of a run begins a search, so the time stays linear in the spaces.
    for match in re.finditer(r"(?:(?!(?<!\s)\s+and\s|,).)+", text, re.IGNORECASE):
        words = match.group()
        start = match.start() + len(words) - len(words.lstrip())
        words = words.strip()
        if words.lower().startswith("and "):
            start, words = start + 4, words[4:].lstrip()
        if not words:
            continue
        first, _, rest = words.partition(" ")
        number = _NUMBERS.get(first.lower())
        if number is None or not rest.strip():
            raise WordError(
                gettext('"{word}" names no cards of a set', word=words),
                words,
                start,
                (),
                gettext('name them one by one: "a jack, a queen and a king", "two red aces"'),
            )
        found.append((number, rest.strip(), start + len(first) + 1))
    return found


def _different_ranks(ranks: Sequence[int]) -> Relation:
    pairs = frozenset((low, high) for low in range(13) for high in range(13) if low != high)
    term = Term(frozenset(), "in any suit", False, "of different ranks", pairs)
    return Relation((term,), tuple(ranks))
