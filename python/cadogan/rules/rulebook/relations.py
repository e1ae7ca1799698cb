"""Relations between two cards: which card may lie on which.

A relation is a union of *terms*; a term is a test of ranks and a test of suits. It is written in
the words of card books:

.. code-block:: text

    "up in suit"    "down in alternate colours"    "up or down"    "down by twos in suit"
    "down in alternate colours, round the corner"     "down in suit, never on kings"
    "down in the next suit of hearts, spades, diamonds and clubs"
    "beside in the order of the foundations, in suit"     "adding to 13"     "same rank in colour"
    "up or down in suit, as begun"
    "lower in suit"     "any rank in suit"     "any card"     "aces on queens"

Each way of comparing ranks takes a rule of suits and ``never on``; steps belong to ``up`` and
``down`` only, and so does ``round the corner``. What would say nothing is refused, so that no part
of a phrase is ever ignored.

A relation is evaluated once into a table: for each lower card, the set of cards that may lie on it.
A joker has no rank and no suit: only ``any card`` and classes of cards (``jokers on any card``) say
anything about him. So a new kind of building needs no change of the kernel.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from cadogan.i18n.text import gettext
from cadogan.rules.rulebook.words import (
    ALL_CARDS,
    JOKER,
    RANK_NAMES,
    SUIT_NAMES,
    CardClass,
    WordError,
    parse_class,
    suit_of,
)

_SUIT_TESTS: dict[str, Callable[[int, int], bool]] = {
    "in suit": lambda a, b: a == b,
    "in any suit": lambda a, b: True,
    "in alternate colours": lambda a, b: (a in (1, 2)) != (b in (1, 2)),
    "in colour": lambda a, b: (a in (1, 2)) == (b in (1, 2)),
    "in another suit": lambda a, b: a != b,
}
_CIRCLE = re.compile(r"in the next suit of (?P<suits>[\w\ ,]+)")
_SUIT_CLAUSES = {
    "in suit": "in suit",
    "in any suit": "in any suit",
    "regardless of suit": "in any suit",
    "in alternate colours": "in alternate colours",
    "in alternate colors": "in alternate colours",
    "in alternating colours": "in alternate colours",
    "in alternating colors": "in alternate colours",
    "in the same suit": "in suit",
    "in the same colour": "in colour",
    "in the same color": "in colour",
    "in colour": "in colour",
    "in color": "in colour",
    "in another suit": "in another suit",
}
_STEPS = {
    "": 1,
    "by ones": 1,
    "by twos": 2,
    "by threes": 3,
    "by fours": 4,
    "by fives": 5,
    "by sixes": 6,
}
_WAYS = (
    *("up", "down", "up or down", "higher", "lower", "same rank", "any rank", "adding to"),
    *("beside", "any card"),
)
RELATION_WORDS = (
    *_WAYS,
    *_SUIT_CLAUSES,
    *_STEPS,
    "round the corner",
    "never on",
    "as begun",
    "all",
    "in the order of",
)
"""Phrases that a relation is made of, for typo help."""

_BEGUN: dict[str, Literal["", "each", "all"]] = {"": "", "as begun": "each", "all as begun": "all"}

_PHRASE = re.compile(
    r"""\s*(?P<way>up\ or\ down|down\ or\ up|up|down|higher|lower|same\ rank|any\ card|
            any\ rank|adding\ to\ (?P<sum>\d+)|
            beside\ in\ the\ order\ of\ (?:the\ )?(?P<order>[\w-]+))
        (?:\s+(?P<step>by\ \w+))?
        (?:\s*,?\s*(?P<suit>in\ (?:the\ )?\w+\ colou?rs?|in\ any\ suit|in\ another\ suit|
            in\ (?:the\ same\ )?suit|in\ colou?r|regardless\ of\ suit|
            in\ the\ next\ suit\ of\ \w+(?:(?:,\ and\ |,\ |\ and\ )\w+)*))?
        (?P<corner>\s*,?\s*round\ the\ corner)?
        (?:\s*,?\s*never\ on\ (?P<never>[\w\ ]+?))?
        (?P<begun>\s*,?\s*(?:all\ )?as\ begun)?\s*$""",
    re.VERBOSE | re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Term:
    """One alternative of a relation.

    Attributes:
        steps: The allowed differences in the order of ranks (upper minus lower card).
        suit: One of the suit clauses, ``"in suit"`` and so on.
        corner: Whether the order of ranks is a ring ("round the corner").
        neighbours: Additional allowed pairs of ranks (lower, upper), for orders that differ from
            the order of ranks.
        order: The group whose order gives the neighbours.
        never_on: Cards on which nothing may be laid.
        text: The phrase.
        begun: Whether a pile goes on in the direction in which it was begun, and whether all piles
            of a group do so.
        pair: The upper and the lower cards, if the phrase names classes of cards.
    """

    steps: frozenset[int]
    suit: str
    corner: bool
    text: str
    neighbours: frozenset[tuple[int, int]] = frozenset()
    order: str | None = None
    never_on: CardClass | None = None
    anything: bool = False
    begun: Literal["", "each", "all"] = ""
    pair: tuple[CardClass, CardClass] | None = None

    @property
    def total(self) -> int | None:
        """What the two cards add up to; ``None`` if it is another relation."""
        match = re.match(r"adding to (\d+)", self.text.lower())
        return int(match[1]) if match is not None else None

    @property
    def is_sum(self) -> bool:
        """Whether two cards are related by what they add up to."""
        return self.total is not None

    @property
    def is_likeness(self) -> bool:
        """Whether two cards are related by what they have in common, whichever is the upper one."""
        same = self.steps == {0} or (bool(self.neighbours) and self.text.lower().startswith("any"))
        return same and not circle_of(self.suit)

    def allows(self, upper: int, lower: int, ranks: Sequence[int]) -> bool:
        """Whether one card may lie on another.

        Args:
            upper: The card that is laid, ``rank * 4 + suit``.
            lower: The card below it.
            ranks: The game's ranks in their order.
        """
        if self.never_on is not None and self.never_on.mask >> lower & 1:
            return False
        if self.anything:
            return True
        if self.pair is not None:
            return bool(self.pair[0].mask >> upper & 1 and self.pair[1].mask >> lower & 1)
        if JOKER in (upper, lower) or not _suit_test(self.suit)(upper % 4, lower % 4):
            return False
        high, low = upper // 4, lower // 4
        if (low, high) in self.neighbours:
            return True
        if high not in ranks or low not in ranks:
            return False
        difference = ranks.index(high) - ranks.index(low)
        if self.corner:
            return any((difference - step) % len(ranks) == 0 for step in self.steps)
        return difference in self.steps

    def add_to(self, rows: list[int], ranks: Sequence[int]) -> None:
        """Adds to the mask of each card the cards that may lie on it."""
        if self.pair is not None:
            over, under = self.pair
            for lower in range(len(rows)):
                rows[lower] |= over.mask if under.mask >> lower & 1 else 0
            return
        never = self.never_on.mask if self.never_on is not None else 0
        if self.anything:
            for lower in range(len(rows)):
                rows[lower] |= 0 if never >> lower & 1 else ALL_CARDS
            return
        pairs = set(self.neighbours)
        for place, low in enumerate(ranks):
            for step in self.steps:
                target = place + step
                if self.corner:
                    target %= len(ranks)
                if 0 <= target < len(ranks):
                    pairs.add((low, ranks[target]))
        spreads = [0] * 13
        for low, high in pairs:
            spreads[low] |= 1 << 4 * high
        test = _suit_test(self.suit)
        suits = [sum(1 << a for a in range(4) if test(a, b)) for b in range(4)]
        for lower in range(JOKER):
            if not never >> lower & 1:
                # The four cards of a rank are adjacent bits: one product copies the suits to all
                # ranks.
                rows[lower] |= spreads[lower // 4] * suits[lower % 4]


@dataclass(frozen=True, slots=True)
class Relation:
    """A union of terms, with the order of ranks.

    Attributes:
        terms: The terms; a card may lie on another if one of them allows it.
        ranks: The game's ranks, lowest first.
    """

    terms: tuple[Term, ...]
    ranks: tuple[int, ...] = field(default=tuple(range(13)))

    @property
    def texts(self) -> tuple[str, ...]:
        """The phrases as written in the rules file."""
        return tuple(term.text for term in self.terms)

    @property
    def directions(self) -> tuple["Relation", ...]:
        """The directions of which a pile keeps the one in which it was begun."""
        return tuple(
            Relation((replace(term, steps=frozenset({step}), begun=""),), self.ranks)
            for term in self.terms
            if term.begun
            for step in sorted(term.steps)
        )

    def table(self) -> list[int]:
        """For each lower card, the mask of the cards that may lie on it.

        >>> down = Relation((parse_term("down in suit"),))
        >>> [hex(mask) for mask in down.table()[:5]]
        ['0x0', '0x0', '0x0', '0x0', '0x1']
        """
        return list(_table(self))


@lru_cache(maxsize=1024)
def _table(relation: Relation) -> tuple[int, ...]:
    """The table of a relation, cached because many games use the same relations."""
    rows = [0] * (JOKER + 1)
    for term in relation.terms:
        term.add_to(rows, relation.ranks)
    return tuple(rows)


def parse_term(text: str, orders: Callable[[str], Sequence[int] | None] | None = None) -> Term:
    """Parses one phrase.

    Args:
        text: A phrase as in the module's description.
        orders: Returns the ranks of a group's order, or ``None`` if it has none.

    Returns:
        The term.

    Raises:
        WordError: If the phrase is not understood, or its group has no order.

    >>> parse_term("up or down in suit").steps == {1, -1}
    True
    """
    phrase = " ".join(text.split())
    # Only phrases that name an order mean different things in different games.
    return _parse(phrase, orders) if "order" in phrase.lower() else _parse_common(phrase)


@lru_cache(maxsize=1024)
def _parse_common(phrase: str) -> Term:
    return _parse(phrase, None)


def _parse(phrase: str, orders: Callable[[str], Sequence[int] | None] | None) -> Term:
    match = _PHRASE.match(phrase)
    if match is None:
        if (term := _pair(phrase)) is not None:
            return term
        raise _trouble(phrase)
    way = match["way"].lower()
    step_words = (match["step"] or "").lower()
    step = _STEPS.get(step_words)
    if step is None:
        known = [*(words for words in _STEPS if words), *_SUIT_CLAUSES]
        raise WordError(
            gettext('"{step_words}" is not a step', step_words=step_words),
            step_words,
            match.start("step"),
            known,
            gettext('steps go from "by ones" to "by sixes"')
            if re.fullmatch(r"by (sevens|eights|nines|tens|elevens|twelves|thirteens)", step_words)
            else None,
        )
    suit_words = (match["suit"] or "in any suit").lower()
    suit = _SUIT_CLAUSES.get(suit_words) or _read_circle(suit_words, match.start("suit"))
    if suit is None:
        raise WordError(
            gettext('"{suit}" is not a rule for suits', suit=match["suit"]),
            match["suit"],
            match.start("suit"),
            _SUIT_CLAUSES,
        )
    _check_parts(match, way)
    neighbours: set[tuple[int, int]] = set()
    order = None
    steps: set[int] = set()
    if way.startswith("beside"):
        order = match["order"]
        sequence = orders(order) if orders is not None else None
        if sequence is None:
            raise WordError(
                gettext('"{order}" has no order of its own', order=order),
                order,
                match.start("order"),
            )
        for low, high in pairwise(sequence):
            neighbours |= {(low, high), (high, low)}
    elif way == "same rank":
        steps = {0}
    elif way in ("any rank", "any card"):
        neighbours = {(low, high) for low in range(13) for high in range(13)}
    elif way in ("higher", "lower"):
        steps = {step if way == "higher" else -step for step in range(1, 13)}
    elif match["sum"]:
        total = int(match["sum"]) - 2
        neighbours = {(low, total - low) for low in range(13) if 0 <= total - low <= 12}
        if not neighbours:
            raise WordError(
                gettext("no two cards add up to {total}", total=total + 2),
                match["sum"],
                match.start("sum"),
                (),
                gettext("two cards add up to 2 (two aces) at least and to 26 (two kings) at most"),
            )
    else:
        steps = {step} if "up" in way.split() else set()
        steps |= {-step} if "down" in way.split() else set()
    never = None
    if match["never"]:
        try:
            never = parse_class(match["never"])
        except WordError as error:
            start = match.start("never") + error.start
            raise WordError(error.args[0], error.word, start, error.allowed) from None
    return Term(
        steps=frozenset(steps),
        suit=suit,
        corner=match["corner"] is not None,
        text=phrase,
        neighbours=frozenset(neighbours),
        order=order,
        never_on=never,
        anything=way in ("any card", "any rank") and suit == "in any suit",
        begun=_BEGUN[" ".join((match["begun"] or "").replace(",", "").lower().split())],
    )


def _pair(phrase: str) -> Term | None:
    """Parses which cards may lie on which: ``"aces on queens"``; ``None`` if it is another phrase.

    >>> _pair("aces on red queens").allows(0, 45, range(13))
    True
    """
    over, on, under = phrase.partition(" on ")
    if not on:
        return None
    try:
        upper = parse_class(over)
    except WordError:
        return None
    try:
        lower = parse_class(under)
    except WordError as error:
        start = len(over) + len(on) + error.start
        raise WordError(error.args[0], error.word, start, error.allowed) from None
    return Term(frozenset(), "in any suit", corner=False, text=phrase, pair=(upper, lower))


def _suit_test(clause: str) -> Callable[[int, int], bool]:
    """The test of two suits, of the upper and the lower card, that a clause stands for."""
    circle = circle_of(clause)
    if not circle:
        return _SUIT_TESTS[clause]
    follows = dict(zip(circle, circle[1:] + circle[:1], strict=True))
    return lambda a, b: follows.get(b) == a


def circle_of(clause: str) -> tuple[int, ...]:
    """The suits of "in the next suit of ...", in their order; none for other clauses.

    >>> circle_of("in the next suit of spades, hearts, clubs")
    (3, 2, 0)
    """
    match = _CIRCLE.fullmatch(clause)
    words = re.split(r",? and |, ?", match["suits"]) if match is not None else []
    suits = [suit_of(word.strip()) for word in words]
    return tuple(suit for suit in suits if suit is not None)


def _read_circle(clause: str, start: int) -> str | None:
    """Reads suits that follow one another in a circle; ``None`` if the words are others."""
    match = _CIRCLE.fullmatch(clause)
    if match is None:
        return None
    for word in re.finditer(r"\b(?!and\b)\w+", match["suits"]):
        if suit_of(word.group()) is None:
            at = start + match.start("suits") + word.start()
            raise WordError(
                gettext('"{word}" is not a suit', word=word.group()), word.group(), at, SUIT_NAMES
            )
    circle = circle_of(clause)
    if len(circle) < 2 or len(set(circle)) < len(circle):
        raise WordError(
            gettext("a circle of suits names two suits or more, each once"), match["suits"], start
        )
    return f"in the next suit of {', '.join(SUIT_NAMES[suit] for suit in circle)}"


def _check_parts(match: re.Match[str], way: str) -> None:
    """Refuses a step or a corner where ranks are not compared step by step."""
    if "up" in way.split() or "down" in way.split():
        return
    for part in ("step", "corner", "begun"):
        words = match[part]
        if words is not None:
            words = words.strip(" ,")
            raise WordError(
                gettext('"{words}" says nothing after "{way}"', words=words, way=way),
                words,
                match.start(part) + match[part].index(words),
                (),
                gettext('it belongs to "up" or "down"'),
            )


def _trouble(phrase: str) -> WordError:
    """Finds the word of a phrase that cannot be understood."""
    words = [(m.group(), m.start()) for m in re.finditer(r"[^\s,]+", phrase)]
    known = {word for text in RELATION_WORDS for word in text.split()} | {"the", *RANK_NAMES}
    for word, start in words:
        if word.lower() not in known:
            return WordError(
                gettext('"{word}" is not understood in a rule of building', word=word),
                word,
                start,
                known,
            )
    word, start = words[0] if words else ("", 0)
    return WordError(gettext("this rule of building is not understood"), word, start, _WAYS)


ANYTHING = Term(frozenset(), "in any suit", False, "any card", anything=True)

__all__ = ["ALL_CARDS", "ANYTHING", "RELATION_WORDS", "Relation", "Term", "parse_term"]
