"""The notation of moves.

A move is written with the piles that it uses. A rule whose moves leave no choice is written as one
word::

    garden.3 > foundations.1                          one card, or as many as the rule moves
    tableau.2 > tableau.5 x3                          three cards as a unit
    fans.4 > foundations.1 #2                         a card that lies under one other
    army.3 > generals.1 + navy.5 > admirals.2         cards that go up together
    reserve.3 <> reserve.7                            two cards that change places
    turn up tableau.4                                 a face-down card (always forced)
    deal   gather   turn   redeal                     the rule's verb
    columns.1 > foundations.2 (queens from any column)   a second rule with the same transfer

Every legal move has a unique text that can be read back. Reading is lenient; see
:meth:`Notation.read`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from cadogan.cards import Card
from cadogan.i18n.names import pile_label
from cadogan.i18n.text import gettext, in_a_row
from cadogan.move_text import LONGEST, MoveParser, ParsedMove, plain_move
from cadogan.moves import (
    NO_PILE,
    AmbiguousMoveError,
    IllegalMoveError,
    InvalidMoveError,
    Move,
    MoveCode,
)
from cadogan.refusal import refusal
from cadogan.rules.kinds import Action
from cadogan.rules.rulebook.rulebook import Rulebook
from cadogan.views import FACE_DOWN

if TYPE_CHECKING:
    from cadogan import _kernel

_Ways = Sequence[tuple[int, int, int]]
"""The transfers of a move, as the kernel represents them: (from, number of cards, to)."""


class Notation:
    """Writes and reads the moves of one game.

    Args:
        name: The name of the game, for errors.
        book: Its rules.
    """

    def __init__(self, name: str, book: Rulebook) -> None:
        self.book = book
        self.piles = book.pile_names
        self._cache: dict[int, Move] = {}
        actions = [rule.action for rule in book.rules]
        words = {index: rule.action.word(rule) for index, rule in enumerate(book.rules)}
        self._words = {index: word for index, word in words.items() if word is not None}
        self._needs_transfers = {i for i, each in enumerate(actions) if each.NEEDS_TRANSFERS}
        self._parser = MoveParser(name, book, self._words)

    @property
    def verbs(self) -> dict[int, str]:
        """The rules whose moves are a single word, by index."""
        return dict(self._words)

    # Writing.

    def moves(self, state: "_kernel.State") -> tuple[Move, ...]:
        """The legal moves of a state, each with a unique text."""
        if self._needs_transfers:
            moves = [self._write(code, ways) for code, ways in state.moves_with_transfers()]
        else:
            cached = self._cache.get
            moves = [cached(code) or self._write(code, None) for code in state.moves()]
        if len({move.text for move in moves}) == len(moves):
            return tuple(moves)
        taken: set[str] = set()
        for index, move in enumerate(moves):
            if move.text in taken:
                moves[index] = replace(move, text=f"{move.text} ({move.rule})")
            taken.add(moves[index].text)
        return tuple(moves)

    def forced(self, code: int) -> Move:
        """A move that was carried out automatically. The state before it is not available."""
        return replace(self._write(code, None), forced=True)

    def _write(self, code: int, ways: _Ways | None) -> Move:
        move = self._cache.get(code)
        if move is None:
            packed = MoveCode.of(code)
            source, target = self._name(packed.source), self._name(packed.target)
            count = packed.count
            own = self.book.rules[packed.rule].action.transfers(packed)
            if own is not None:
                ways, count = own, len(own) if len(own) == 1 else 0
            text = self._text(packed, ways)
            # Of a pair, the code says no more than its two piles.
            is_pair = own is None or (len(own) == 2 and packed.count != 1)
            if packed.rule in self._needs_transfers or not is_pair:
                target = None
            rule = self.book.rules[packed.rule].name
            move = Move(text, rule, False, source, target, count, code)
            if packed.rule not in self._needs_transfers:
                self._cache[code] = move
        return move

    def _name(self, pile: int) -> str | None:
        return self.piles[pile] if pile < len(self.piles) else None

    def _text(self, packed: MoveCode, ways: _Ways | None) -> str:
        rule = packed.rule
        if rule in self._words:
            return self._words[rule]
        source, target = self._name(packed.source) or "", self._name(packed.target) or ""
        parts = None
        if ways is not None:
            parts = [f"{self.piles[a]} > {self.piles[b]}" for a, _, b in ways]
        return self.book.rules[rule].action.write(source, target, packed.count, parts)

    # Reading.

    def read(self, text: str, state: "_kernel.State", legal: Sequence[Move]) -> Move:
        """Finds the legal move that a text describes.

        White space and case do not matter. ``->``, ``→`` and ``to`` mean ``>``. The ``.1`` of a
        group of one pile is optional. The name of a group may be abbreviated if no other group
        begins the same. The number of a pile or of cards may be missing if only one move matches. A
        card after
        a pile is checked: the card that is moved, or the card on which it is laid. A move to one of
        several equivalent vacancies matches the listed one.

        Args:
            text: The text.
            state: The table.
            legal: The legal moves, as :meth:`moves` lists them.

        Raises:
            InvalidMoveError: If the text cannot be read.
            IllegalMoveError: If no legal move matches.
            AmbiguousMoveError: If several legal moves match.
        """
        if len(text) > LONGEST:
            short = f"{text[: LONGEST // 10]}..."
            raise InvalidMoveError(
                short, gettext("it is longer than {most} characters", most=LONGEST)
            )
        for move in legal:
            if move.text == text:
                return move
        plain = plain_move(text)
        for move in legal:
            if plain_move(move.text) == plain:
                return move
        parsed = self._parser.parse(text)
        ways = dict(state.moves_with_transfers()) if self._needs_transfers else {}
        found = [move for move in legal if self._fits(parsed, move, ways)]
        found = found or self._twins(parsed, legal, ways, state)
        if found and parsed.names_cards:
            packed_piles = state.piles()
            faults = [self._card_fault(parsed, move, packed_piles) for move in found]
            checked = [move for move, fault in zip(found, faults, strict=True) if fault is None]
            if not checked:
                raise IllegalMoveError(text, next(filter(None, faults)))
            found = checked
        if not found:
            raise IllegalMoveError(text, refusal(parsed, self.book, state, legal))
        found = _meant(parsed, found)
        if len(found) > 1:
            fit = in_a_row(gettext("'{word}'", word=move.text) for move in found)
            raise AmbiguousMoveError(text, gettext("it may be {moves}", moves=fit), moves=found)
        return found[0]

    def _fits(self, parsed: ParsedMove, move: Move, ways: Mapping[int, _Ways]) -> bool:
        packed = MoveCode.of(move.code)
        if parsed.rules is not None and packed.rule not in parsed.rules:
            return False
        if not parsed.parts:
            return True
        action = self.book.rules[packed.rule].action
        if parsed.sign != action.SIGN:
            return False
        if packed.source == NO_PILE and not action.NEEDS_TRANSFERS:
            return False
        return action.fits(parsed.parts, packed, ways.get(move.code, ()))

    def _twins(
        self,
        parsed: ParsedMove,
        legal: Sequence[Move],
        ways: Mapping[int, _Ways],
        state: "_kernel.State",
    ) -> list[Move]:
        """The listed moves to vacancies that are equivalent to those that the player names."""
        if parsed.sign != Action.SIGN or len(parsed.parts) != 1 or not parsed.parts[0].targets:
            return []
        (part,) = parsed.parts
        twins = [
            detail
            for source, count, target in part.tries(state.piles())
            for _, reason, detail in state.refusals(source, count, target)
            if reason == "equivalent_target"
        ]
        if not twins:
            return []
        named = replace(parsed, parts=(replace(part, targets=tuple(twins)),))
        return [move for move in legal if self._fits(named, move, ways)]

    def _card_fault(
        self, parsed: ParsedMove, move: Move, packed_piles: Sequence[bytes]
    ) -> str | None:
        """What is wrong with the cards that the player named, if the text means this move."""
        packed = MoveCode.of(move.code)
        own = self.book.rules[packed.rule].action.transfers(packed)
        for part in parsed.parts:
            if own is not None and len(parsed.parts) > 1:
                packed = replace(packed, source=part.sources[0], count=1)
            ends = (
                (packed.source, max(packed.count, 1), part.cards[0]),
                (packed.target, 1, part.cards[1]),
            )
            for pile, depth, card in ends:
                if (
                    card is None
                    or packed.rule in self._needs_transfers
                    or pile >= len(packed_piles)
                ):
                    continue
                cards_there, name = packed_piles[pile], pile_label(self.piles[pile])
                if len(cards_there) < depth:
                    return gettext("{pile} is empty: there is no {card}", pile=name, card=str(card))
                lies = cards_there[-depth]
                if lies >= FACE_DOWN:
                    return gettext("the card of {pile} lies face down", pile=name)
                if lies != card.code:
                    return gettext(
                        "the card of {pile} is {other}, not {card}",
                        pile=name, other=str(Card(lies)), card=str(card),
                    )  # fmt: skip
        return None


def _meant(parsed: ParsedMove, found: list[Move]) -> list[Move]:
    """Of the matching moves, those that the player can mean: one, if the text is complete."""
    if parsed.parts and not parsed.names_cards and parsed.parts[0].count is None:
        # Without a number, the text means one card if a single card may go there.
        single = [move for move in found if move.count == 1]
        if len({(move.source, move.target) for move in found}) == 1 and single:
            found = single
    if len({move.code & 0xFFFFFF for move in found}) == 1:
        # Of rules with the same transfer, only the later ones are named in the text.
        found = found[:1]
    return found
