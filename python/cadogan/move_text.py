"""Parses a move as a player writes it: the piles, rules and cards that a text names.

This does not check whether the move is legal; see :mod:`cadogan.notation`.
"""

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from cadogan.cards import Card, CardError
from cadogan.i18n.text import gettext, listed
from cadogan.moves import AmbiguousMoveError, InvalidMoveError
from cadogan.rules.kinds import KINDS, Action

if TYPE_CHECKING:
    from cadogan.rules.rulebook.rulebook import Rulebook

LONGEST: Final = 1000
"""The largest number of characters in the text of a move."""


_ARROWS = re.compile(r"-+>|=>|→|\bto\b", re.IGNORECASE)


_COUNT = re.compile(r"\s+[x*#]\s*(\d{1,4})\s*$", re.IGNORECASE)


_RULE = re.compile(r"\s*\(([^()]*)\)\s*$")


_PLACE = re.compile(
    r"""\s*(?P<group>[^\W\d][\w-]*?)\s*\.?\s*(?P<number>\d{1,4})?
        (?P<card>\s+(?:10|[a2-9tjqk])[cdhs♣♦♥♠♧♢♡♤])?\s*""",
    re.IGNORECASE | re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class MovePart:
    """One part of a move as a player writes it: candidate sources and candidate targets.

    Attributes:
        sources: The piles that match the first name.
        targets: The piles that match the second name; ``None`` if there is no second name.
        count: The number of cards, if the text gives it.
        cards: The card named after the first pile, and the card named after the second.
    """

    sources: tuple[int, ...]
    targets: tuple[int, ...] | None = None
    count: int | None = None
    cards: tuple[Card | None, Card | None] = (None, None)

    def tries(self, packed_piles: Sequence[bytes]) -> Iterator[tuple[int, int, int]]:
        """All interpretations: (source, number of cards, target), fewest cards first."""
        for source in self.sources:
            for target in self.targets or ():
                counts = (
                    range(1, len(packed_piles[source]) + 1) if self.count is None else (self.count,)
                )
                yield from ((source, count, target) for count in counts)


@dataclass(frozen=True, slots=True)
class ParsedMove:
    """A move as a player writes it: piles, or a rule, or both.

    Attributes:
        text: The text.
        rules: The rules that the text names, by verb or by name; ``None`` if it names piles only.
        parts: The piles.
        sign: What stands between the piles.
    """

    text: str
    rules: tuple[int, ...] | None = None
    parts: tuple[MovePart, ...] = ()
    sign: str = Action.SIGN

    @property
    def names_cards(self) -> bool:
        """Whether the text names a card, which is then checked."""
        return any(card is not None for part in self.parts for card in part.cards)


@dataclass(frozen=True, slots=True)
class MoveParser:
    """Parses move texts of one game.

    Attributes:
        name: The name of the game, for errors.
        book: Its rules.
        words: The rules whose moves are a single word, by index.
    """

    name: str
    book: "Rulebook"
    words: Mapping[int, str]

    def parse(self, text: str) -> ParsedMove:
        """Reads a text without checking whether the move is legal.

        Raises:
            InvalidMoveError: If it cannot be read.
            AmbiguousMoveError: If an abbreviated name matches several groups.
        """
        plain = plain_text(text)
        if not plain:
            raise InvalidMoveError(text, gettext("it is empty; {how}", how=self._how()))
        if rules := self._named(plain):
            return ParsedMove(text, rules)
        for kind in KINDS:
            rules = tuple(i for i, r in enumerate(self.book.rules) if isinstance(r.action, kind))
            if rules and kind.PREFIX and plain.startswith(f"{kind.PREFIX} "):
                sources, _ = self._place(plain.removeprefix(f"{kind.PREFIX} "), text)
                return ParsedMove(text, rules, (MovePart(sources),))
        # On runs of spaces, the expressions below would take cubic time.
        body, only = " ".join(text.split()), None
        if (named := _RULE.search(body)) is not None:
            only = self._named(plain_text(named[1]))
            if not only:
                reason = gettext(
                    "there is no rule '{rule}' in {game}", rule=named[1].strip(), game=self.name
                )
                raise InvalidMoveError(text, reason)
            body = body[: named.start()]
        body = _ARROWS.sub(">", body)
        for kind in KINDS:
            if kind.SIGN == Action.SIGN or kind.SIGN not in body:
                continue
            ends = body.split(kind.SIGN)
            if len(ends) != 2:
                raise InvalidMoveError(text, kind.ONLY_TWO)
            (a, card), (b, other) = (self._place(end, text) for end in ends)
            return ParsedMove(text, only, (MovePart(a, b, None, (card, other)),), kind.SIGN)
        parts = tuple(self._part(part, text) for part in body.split("+"))
        if len(parts) == 1 and parts[0].targets is None:
            raise InvalidMoveError(
                text, gettext("it does not say where to; {how}", how=self._how())
            )
        return ParsedMove(text, only, parts)

    def _named(self, plain: str) -> tuple[int, ...]:
        """The rules that have this verb or name."""
        return tuple(
            index
            for index, rule in enumerate(self.book.rules)
            if plain in (plain_text(rule.verb or ""), plain_text(rule.name))
            and (index in self.words or plain == plain_text(rule.name))
        )

    def _part(self, part: str, text: str) -> MovePart:
        count = None
        if (number := _COUNT.search(part)) is not None:
            count = int(number[1])
            part = part[: number.start()]
        ends = part.split(">")
        if len(ends) > 2:
            raise InvalidMoveError(text, gettext("too many '>' in it; {how}", how=self._how()))
        sources, card = self._place(ends[0], text)
        if len(ends) == 1:
            return MovePart(sources, None, count, (card, None))
        targets, under = self._place(ends[1], text)
        return MovePart(sources, targets, count, (card, under))

    def _place(self, end: str, text: str) -> tuple[tuple[int, ...], Card | None]:
        """The piles that match a name, and the card that follows it."""
        match = _PLACE.fullmatch(end)
        if match is None:
            missing = (
                gettext("'{word}' is not a pile; {how}", word=end.strip(), how=self._how())
                if end.strip()
                else gettext("a pile is missing; {how}", how=self._how())
            )
            raise InvalidMoveError(text, missing)
        word, number = match["group"].lower(), match["number"]
        card = None
        if match["card"]:
            try:
                card = Card.parse(match["card"])
            except CardError as error:
                raise InvalidMoveError(text, error.args[0]) from None
        # The name of a group may end in digits.
        whole = f"{word}{number}"
        if whole in end.lower() and any(group.name == whole for group in self.book.groups):
            word, number = whole, None
        groups = [g for g in self.book.groups if word in (g.name.lower(), (g.mark or "").lower())]
        groups = groups or [g for g in self.book.groups if g.name.lower().startswith(word)]
        if not groups:
            near = difflib.get_close_matches(word, [g.name for g in self.book.groups], 1)
            hint = gettext("did you mean '{guess}'?", guess=near[0]) if near else self._how()
            reason = gettext("there are no piles '{word}'; {hint}", word=word, hint=hint)
            raise InvalidMoveError(text, reason)
        if len(groups) > 1:
            names = listed(group.name for group in groups)
            reason = gettext("'{word}' may be {names}", word=word, names=names)
            raise AmbiguousMoveError(text, reason)
        (group,) = groups
        if number is None:
            return tuple(group.piles), card
        if not 1 <= int(number) <= group.count:
            pile = f"{group.name}.{int(number)}"
            reason = (
                gettext(
                    "there is no {pile}: of {group} there is only one", pile=pile, group=group.name
                )
                if group.count == 1
                else gettext(
                    "there is no {pile}: of {group} there are {count}",
                    pile=pile, group=group.name, count=group.count,
                )
            )  # fmt: skip
            raise InvalidMoveError(text, reason)
        return (group.first + int(number) - 1,), card

    def _how(self) -> str:
        """A hint how to write moves of this game."""
        groups = (g.name if g.count == 1 else f"{g.name}.1-{g.count}" for g in self.book.groups)
        verbs = {word for index, word in self.words.items() if not self.book.rules[index].forced}
        piles = ", ".join(groups)
        if not verbs:
            return gettext("write PILE > PILE; the piles are {piles}", piles=piles)
        return gettext(
            "write PILE > PILE, or {words}; the piles are {piles}",
            words=_alternatives(sorted(verbs)), piles=piles,
        )  # fmt: skip


def _alternatives(words: Sequence[str]) -> str:
    found = words[0]
    for word in words[1:]:
        found = gettext("{head} or {last}", head=found, last=word)
    return found


def plain_move(text: str) -> str:
    """The text of a move, normalised, with ``>`` for every arrow."""
    return plain_text(re.sub(r"(?<!<)>", " > ", _ARROWS.sub(">", text)))


def plain_text(text: str) -> str:
    """A text with normalised white space, in lower case."""
    return " ".join(text.split()).casefold()
