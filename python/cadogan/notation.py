"""Moves and how they are written.

A move is written as the piles it goes between, or, where there is nothing to choose in it, as one
word::

    garden.3 > foundations.1                          one card, or as many as the rule takes
    tableau.2 > tableau.5 x3                          three cards as a unit
    army.3 > generals.1 + navy.5 > admirals.2         cards that go up together
    reserve.3 <> reserve.7                            two cards that change places
    turn up tableau.4                                 a face-down card (always forced)
    deal   gather   turn   redeal                     the rule's verb
    columns.1 > foundations.2 (queens from any column)   the second rule that allows the same

Every legal move has its own text, and reads back. Reading is lenient; see :meth:`Notation.read`.
"""

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from cadogan.called import pile_called
from cadogan.cards import Card, CardError
from cadogan.told import in_a_row, listed, told

if TYPE_CHECKING:
    from cadogan import _kernel
    from cadogan.game import Position
    from cadogan.rules.rulebook import Rulebook

NO_PILE: Final = 255
"""Stands in a packed move for a pile that it does not have."""

FACE_DOWN: Final = 64
"""What the kernel adds to the code of a card that lies face down."""

LONGEST: Final = 1000
"""Texts of more characters are not read."""

_ARROWS = re.compile(r"-+>|=>|→|\bto\b", re.IGNORECASE)
_COUNT = re.compile(r"\s+[x*]\s*(\d{1,4})\s*$", re.IGNORECASE)
_RULE = re.compile(r"\s*\(([^()]*)\)\s*$")
_PLACE = re.compile(
    r"""\s*(?P<group>[^\W\d][\w-]*?)\s*\.?\s*(?P<number>\d{1,4})?
        (?P<card>\s+(?:10|[a2-9tjqk])[cdhs♣♦♥♠♧♢♡♤])?\s*""",
    re.IGNORECASE | re.VERBOSE,
)


_Ways = Sequence[tuple[int, int, int]]
"""What a move does, as the kernel tells it: (from, number of cards, to)."""


class MoveError(ValueError):
    """A move that cannot be made. The message holds the move, the reason and the position.

    Attributes:
        move: The move as it was given.
        reason: What is wrong with it, in words.
        position: The position it was meant for.
    """

    fault = "move"

    def __init__(self, move: str, reason: str, position: "Position") -> None:
        super().__init__(move, reason, position)
        self.move = move
        self.reason = reason
        self.position = position

    def __str__(self) -> str:
        return f"{self.fault} {self.move!r}: {self.reason} (in {self.position})"


class InvalidMoveError(MoveError):
    """A text that cannot be read as a move of this game, whatever the position."""

    fault = "not a move:"


class IllegalMoveError(MoveError):
    """A move that is not allowed in this position."""

    fault = "illegal move"


class AmbiguousMoveError(MoveError):
    """A text that several moves fit.

    Attributes:
        moves: The moves that fit, or none when already the name of a pile fits several.
    """

    fault = "ambiguous move"

    def __init__(
        self, move: str, reason: str, position: "Position", moves: "Sequence[Move]" = ()
    ) -> None:
        super().__init__(move, reason, position)
        self.args = (move, reason, position, tuple(moves))
        self.moves = tuple(moves)


@dataclass(frozen=True, slots=True)
class Move:
    """One move. ``str(move)`` is its text, which :meth:`cadogan.Position.play` reads.

    Attributes:
        text: The text.
        rule: The name of the rule that allows it.
        forced: Whether it happened by itself. What a player chose under a forced rule did not.
        source: The pile the cards come from, or ``None`` if the rule's script says it.
        target: The pile they go to; ``None`` for scripts and for cards that go up together.
        count: How many cards go, 0 if the rule's script says it.
        code: The move as the kernel packs it.
        rule_index: The place of its rule in ``game.rulebook.rules``.
    """

    text: str
    rule: str
    forced: bool
    source: str | None
    target: str | None
    count: int
    code: int = field(repr=False)

    def __str__(self) -> str:
        return self.text

    @property
    def rule_index(self) -> int:
        """The place of its rule in ``game.rulebook.rules``.

        >>> from cadogan import load
        >>> game = load("klondike")
        >>> deal = game.deal("cadogan:1").moves()[-1]
        >>> game.rulebook.rules[deal.rule_index].name == deal.rule
        True
        """
        return Packed.of(self.code).rule


@dataclass(frozen=True, slots=True)
class Packed:
    """The parts of a move as the kernel packs it."""

    rule: int
    source: int
    count: int
    target: int

    @classmethod
    def of(cls, code: int) -> "Packed":
        """Unpacks a move."""
        return cls(code >> 24, code >> 16 & 255, code >> 8 & 255, code & 255)


@dataclass(frozen=True, slots=True)
class Clause:
    """One part of a move as a player writes it: from any of these piles to any of those.

    Attributes:
        sources: The piles that the first name fits.
        targets: The piles that the second name fits; ``None`` if there is no second name.
        count: The number of cards, if it is told.
        cards: The card told after the first name, and that after the second.
    """

    sources: tuple[int, ...]
    targets: tuple[int, ...] | None = None
    count: int | None = None
    cards: tuple[Card | None, Card | None] = (None, None)

    def tries(self, heaps: Sequence[bytes]) -> Iterator[tuple[int, int, int]]:
        """All that may be meant: (source, number of cards, target), few cards first."""
        for source in self.sources:
            for target in self.targets or ():
                counts = range(1, len(heaps[source]) + 1) if self.count is None else (self.count,)
                yield from ((source, count, target) for count in counts)


@dataclass(frozen=True, slots=True)
class Wish:
    """A move as a player writes it: piles, or a rule, or both.

    Attributes:
        text: The text.
        rules: The rules that the text names, by verb or by name; ``None`` if it names piles only.
        clauses: The piles.
        swap: Whether cards are to change places.
    """

    text: str
    rules: tuple[int, ...] | None = None
    clauses: tuple[Clause, ...] = ()
    swap: bool = False

    @property
    def names_cards(self) -> bool:
        """Whether a card is named as a check."""
        return any(card is not None for clause in self.clauses for card in clause.cards)


class Notation:
    """Writes and reads the moves of one game.

    Args:
        name: The name of the game, for errors.
        book: Its rules.
    """

    def __init__(self, name: str, book: "Rulebook") -> None:
        from cadogan.rules import rulebook as core

        self.name = name
        self.book = book
        self.piles = book.pile_names
        self._kept: dict[int, Move] = {}
        self._words: dict[int, str] = {}
        self._units: set[int] = set()
        self._joint: set[int] = set()
        self._swaps: set[int] = set()
        self._turns: set[int] = set()
        for index, rule in enumerate(book.rules):
            action = rule.action
            match action:
                case core.Script():
                    self._words[index] = rule.verb or rule.name
                case core.Joint():
                    self._joint.add(index)
                case core.Swap():
                    self._swaps.add(index)
                case core.TurnUp():
                    self._turns.add(index)
                case core.Move():
                    varies = action.unit.kind in ("run", "packet")
                    if varies:
                        self._units.add(index)
                    if (
                        rule.verb
                        and len(action.sources) == len(action.to.piles) == 1
                        and not varies
                    ):
                        self._words[index] = rule.verb

    @property
    def words(self) -> dict[int, str]:
        """The rules whose moves are one word, by their numbers."""
        return dict(self._words)

    # Writing.

    def moves(self, state: "_kernel.State") -> tuple[Move, ...]:
        """The legal moves of a state, each with a text of its own."""
        if self._joint:
            moves = [self._write(code, ways) for code, ways in state.moves_with_transfers()]
        else:
            moves = [self._write(code, None) for code in state.moves()]
        if len({move.text for move in moves}) == len(moves):
            return tuple(moves)
        taken: set[str] = set()
        for index, move in enumerate(moves):
            if move.text in taken:
                moves[index] = replace(move, text=f"{move.text} ({move.rule})")
            taken.add(moves[index].text)
        return tuple(moves)

    def forced(self, code: int) -> Move:
        """A move that was made by itself. The state in which it was made is not at hand."""
        return replace(self._write(code, None), forced=True)

    def _write(self, code: int, ways: _Ways | None) -> Move:
        move = self._kept.get(code)
        if move is None:
            packed = Packed.of(code)
            source, target = self._name(packed.source), self._name(packed.target)
            text = self._text(packed, ways)
            if packed.rule in self._joint:
                target = None
            rule = self.book.rules[packed.rule].name
            move = Move(text, rule, False, source, target, packed.count, code)
            if packed.rule not in self._joint:
                self._kept[code] = move
        return move

    def _name(self, pile: int) -> str | None:
        return self.piles[pile] if pile < len(self.piles) else None

    def _text(self, packed: Packed, ways: _Ways | None) -> str:
        rule = packed.rule
        if rule in self._words:
            return self._words[rule]
        source, target = self._name(packed.source), self._name(packed.target)
        if rule in self._turns:
            return f"turn up {source}"
        if rule in self._swaps:
            return f"{source} <> {target}"
        if rule in self._joint:
            if ways is None:
                return " + ".join(name for name in (source, target) if name is not None)
            return " + ".join(f"{self.piles[a]} > {self.piles[b]}" for a, _, b in ways)
        many = f" x{packed.count}" if rule in self._units and packed.count > 1 else ""
        return f"{source} > {target}{many}"

    # Reading.

    def read(self, text: str, position: "Position") -> Move:
        """Finds the legal move that a text means.

        White space and case do not matter; ``->``, ``→`` and ``to`` are ``>``; the ``.1`` of a
        group of one pile may be there or not; the beginning of a group's name is enough if no other
        group begins so; the number of a pile, or of cards, may be missing if only one move fits; a
        card may follow a pile as a check, and tells which card is taken, or laid upon. A move to
        one of several equal vacancies is the one that is listed.

        Raises:
            InvalidMoveError: If the text cannot be read.
            IllegalMoveError: If no legal move fits.
            AmbiguousMoveError: If several legal moves fit.
        """
        if len(text) > LONGEST:
            short = f"{text[: LONGEST // 10]}..."
            raise InvalidMoveError(
                short, told("it is longer than {most} characters", most=LONGEST), position
            )
        legal = position._listed()
        for move in legal:
            if move.text == text:
                return move
        plain = _plain(text)
        for move in legal:
            if _plain(move.text) == plain:
                return move
        wish = self.wish(text, position)
        state = position._state
        ways = dict(state.moves_with_transfers()) if self._joint else {}
        found = [move for move in legal if self._fits(wish, move, ways)]
        found = found or self._twins(wish, legal, ways, state)
        if found and wish.names_cards:
            heaps = state.piles()
            faults = [self._card_fault(wish, move, heaps) for move in found]
            checked = [move for move, fault in zip(found, faults, strict=True) if fault is None]
            if not checked:
                raise IllegalMoveError(text, next(filter(None, faults)), position)
            found = checked
        if not found:
            # Reasons are seldom asked for, and the module that finds them needs this one.
            from cadogan.refusal import refusal

            raise IllegalMoveError(text, refusal(wish, position), position)
        found = _meant(wish, found)
        if len(found) > 1:
            fit = in_a_row(told("'{word}'", word=move.text) for move in found)
            raise AmbiguousMoveError(text, told("it may be {moves}", moves=fit), position, found)
        return found[0]

    def wish(self, text: str, position: "Position") -> Wish:
        """Reads a text without asking whether it is legal.

        Raises:
            InvalidMoveError: If it cannot be read.
            AmbiguousMoveError: If the name of a pile is the beginning of several groups' names.
        """
        plain = _plain(text)
        if not plain:
            raise InvalidMoveError(text, told("it is empty; {how}", how=self._how()), position)
        if rules := self._named(plain):
            return Wish(text, rules)
        turned = re.fullmatch(r"turn up (.+)", plain)
        if turned and self._turns:
            sources, _ = self._place(turned[1], text, position)
            return Wish(text, tuple(sorted(self._turns)), (Clause(sources),))
        # Runs of spaces would cost the expressions below a time that grows with their cube.
        body, only = " ".join(text.split()), None
        if (named := _RULE.search(body)) is not None:
            only = self._named(_plain(named[1]))
            if not only:
                reason = told(
                    "there is no rule '{rule}' in {game}", rule=named[1].strip(), game=self.name
                )
                raise InvalidMoveError(text, reason, position)
            body = body[: named.start()]
        body = _ARROWS.sub(">", body)
        if "<>" in body:
            ends = body.split("<>")
            if len(ends) != 2:
                raise InvalidMoveError(text, told("two piles change places, not more"), position)
            (a, card), (b, other) = (self._place(end, text, position) for end in ends)
            return Wish(text, only, (Clause(a, b, None, (card, other)),), swap=True)
        clauses = tuple(self._clause(part, text, position) for part in body.split("+"))
        if len(clauses) == 1 and clauses[0].targets is None:
            raise InvalidMoveError(
                text, told("it does not say where to; {how}", how=self._how()), position
            )
        return Wish(text, only, clauses)

    def _named(self, plain: str) -> tuple[int, ...]:
        """The rules that have this verb or name."""
        return tuple(
            index
            for index, rule in enumerate(self.book.rules)
            if plain in (_plain(rule.verb or ""), _plain(rule.name))
            and (index in self._words or plain == _plain(rule.name))
        )

    def _clause(self, part: str, text: str, position: "Position") -> Clause:
        count = None
        if (number := _COUNT.search(part)) is not None:
            count = int(number[1])
            part = part[: number.start()]
        ends = part.split(">")
        if len(ends) > 2:
            raise InvalidMoveError(
                text, told("too many '>' in it; {how}", how=self._how()), position
            )
        sources, card = self._place(ends[0], text, position)
        if len(ends) == 1:
            return Clause(sources, None, count, (card, None))
        targets, under = self._place(ends[1], text, position)
        return Clause(sources, targets, count, (card, under))

    def _place(
        self, end: str, text: str, position: "Position"
    ) -> tuple[tuple[int, ...], Card | None]:
        """The piles that a name fits, and the card that follows it."""
        match = _PLACE.fullmatch(end)
        if match is None:
            missing = (
                told("'{word}' is not a pile; {how}", word=end.strip(), how=self._how())
                if end.strip()
                else told("a pile is missing; {how}", how=self._how())
            )
            raise InvalidMoveError(text, missing, position)
        word, number = match["group"].lower(), match["number"]
        card = None
        if match["card"]:
            try:
                card = Card.parse(match["card"])
            except CardError as error:
                raise InvalidMoveError(text, error.args[0], position) from None
        groups = [g for g in self.book.groups if word in (g.name.lower(), (g.mark or "").lower())]
        groups = groups or [g for g in self.book.groups if g.name.lower().startswith(word)]
        if not groups:
            near = difflib.get_close_matches(word, [g.name for g in self.book.groups], 1)
            hint = told("did you mean '{guess}'?", guess=near[0]) if near else self._how()
            reason = told("there are no piles '{word}'; {hint}", word=word, hint=hint)
            raise InvalidMoveError(text, reason, position)
        if len(groups) > 1:
            names = listed(group.name for group in groups)
            reason = told("'{word}' may be {names}", word=word, names=names)
            raise AmbiguousMoveError(text, reason, position)
        (group,) = groups
        if number is None:
            return tuple(group.piles), card
        if not 1 <= int(number) <= group.count:
            pile = f"{group.name}.{int(number)}"
            reason = (
                told(
                    "there is no {pile}: of {group} there is only one", pile=pile, group=group.name
                )
                if group.count == 1
                else told(
                    "there is no {pile}: of {group} there are {count}",
                    pile=pile, group=group.name, count=group.count,
                )
            )  # fmt: skip
            raise InvalidMoveError(text, reason, position)
        return (group.first + int(number) - 1,), card

    def _how(self) -> str:
        """How moves of this game are written."""
        groups = (g.name if g.count == 1 else f"{g.name}.1-{g.count}" for g in self.book.groups)
        verbs = {word for index, word in self._words.items() if not self.book.rules[index].forced}
        piles = ", ".join(groups)
        if not verbs:
            return told("write PILE > PILE; the piles are {piles}", piles=piles)
        return told(
            "write PILE > PILE, or {words}; the piles are {piles}",
            words=_alternatives(sorted(verbs)), piles=piles,
        )  # fmt: skip

    def _fits(self, wish: Wish, move: Move, ways: Mapping[int, _Ways]) -> bool:
        packed = Packed.of(move.code)
        if wish.rules is not None and packed.rule not in wish.rules:
            return False
        if not wish.clauses:
            return True
        if wish.swap != (packed.rule in self._swaps):
            return False
        if packed.rule in self._joint:
            return _fits_joint(wish.clauses, ways[move.code])
        if len(wish.clauses) > 1 or packed.source == NO_PILE:
            return False
        (clause,) = wish.clauses
        if wish.swap:
            ends = (packed.source, packed.target)
            assert clause.targets is not None
            return any(a in clause.sources and b in clause.targets for a, b in (ends, ends[::-1]))
        return (
            packed.source in clause.sources
            and (clause.targets is None or packed.target in clause.targets)
            and clause.count in (None, packed.count)
        )

    def _twins(
        self,
        wish: Wish,
        legal: Sequence[Move],
        ways: Mapping[int, _Ways],
        state: "_kernel.State",
    ) -> list[Move]:
        """The listed moves to vacancies that are equal to the ones a player names."""
        if wish.swap or len(wish.clauses) != 1 or not wish.clauses[0].targets:
            return []
        (clause,) = wish.clauses
        twins = [
            detail
            for source, count, target in clause.tries(state.piles())
            for _, reason, detail in state.refusals(source, count, target)
            if reason == "twin"
        ]
        if not twins:
            return []
        named = replace(wish, clauses=(replace(clause, targets=tuple(twins)),))
        return [move for move in legal if self._fits(named, move, ways)]

    def _card_fault(self, wish: Wish, move: Move, heaps: Sequence[bytes]) -> str | None:
        """What is wrong with the cards that a player names as a check, if this move is meant."""
        packed = Packed.of(move.code)
        for clause in wish.clauses:
            ends = (
                (packed.source, max(packed.count, 1), clause.cards[0]),
                (packed.target, 1, clause.cards[1]),
            )
            for pile, depth, card in ends:
                if card is None or packed.rule in self._joint or pile >= len(heaps):
                    continue
                heap, name = heaps[pile], pile_called(self.piles[pile])
                if len(heap) < depth:
                    return told("{pile} is empty: there is no {card}", pile=name, card=str(card))
                lies = heap[-depth]
                if lies >= FACE_DOWN:
                    return told("the card of {pile} lies face down", pile=name)
                if lies != card.code:
                    return told(
                        "the card of {pile} is {other}, not {card}",
                        pile=name, other=str(Card(lies)), card=str(card),
                    )  # fmt: skip
        return None


def _alternatives(words: Sequence[str]) -> str:
    found = words[0]
    for word in words[1:]:
        found = told("{head} or {last}", head=found, last=word)
    return found


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


def _meant(wish: Wish, found: list[Move]) -> list[Move]:
    """The moves that a player can mean, of those that fit: one, if the text was complete."""
    if wish.clauses and not wish.names_cards and wish.clauses[0].count is None:
        # Without a number one card is meant, if one card may go there.
        single = [move for move in found if move.count == 1]
        if len({(move.source, move.target) for move in found}) == 1 and single:
            found = single
    if len({move.code & 0xFFFFFF for move in found}) == 1:
        # The later rules that allow the same are named in the texts of their moves.
        found = found[:1]
    return found


def _fits_joint(clauses: Sequence[Clause], ways: _Ways) -> bool:
    """Whether clauses name just the transfers of a joint move, in any order."""
    if all(clause.targets is None for clause in clauses):
        left = [(source, 0) for source in {way[0] for way in ways}]
    else:
        left = [(source, target) for source, _, target in ways]
    if len(clauses) != len(left):
        return False
    for clause in clauses:
        for source, target in left:
            if source in clause.sources and (clause.targets is None or target in clause.targets):
                left.remove((source, target))
                break
        else:
            return False
    return True
