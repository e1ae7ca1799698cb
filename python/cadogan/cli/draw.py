"""Draws positions as text.

Groups of several piles are columns under the numbers of their piles, wrapped to the width. Groups
of one pile are lines with the available card at the right end. If the rules file has a picture of
the table, the drawing follows it. Hidden cards are not drawn, unless requested.

Suits differ by symbol or letter and by one of four colours.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from rich.text import Text

from cadogan.cards import RANKS, Card

if TYPE_CHECKING:
    from cadogan import Position
    from cadogan.rules.rulebook.relations import Relation
    from cadogan.rules.rulebook.rulebook import BuildOrder, Group

CELL: Final = 4
"""The width of a pile in columns: a card of two columns, and a gap."""
WIDE_CELL: Final = 10
"""The width of a pile in a picture of the table."""

SUIT_STYLES: Final = ("green", "bright_blue", "red", "bold")
QUIET: Final = "dim"
LOUD: Final = "bold"

Piece = tuple[str, str]
"""A text and its style."""


@dataclass(frozen=True, slots=True)
class Glyphs:
    """The symbols of a drawing.

    Attributes:
        hidden: A card that is not visible.
        vacant: A pile without cards.
        closed: A pile that accepts no more cards.
        then: Stands before the next card of a foundation.
        dot: Separates two facts.
        symbols: Whether suits are symbols; letters otherwise.
    """

    hidden: str
    vacant: str
    closed: str
    then: str
    dot: str
    symbols: bool

    def card(self, card: Card | None) -> str:
        """A card, or the symbol of a hidden one."""
        if card is None:
            return self.hidden
        return card.symbol if self.symbols else str(card)


SYMBOLS: Final = Glyphs("▒▒", "──", "══", "→", "·", symbols=True)
LETTERS: Final = Glyphs("##", "--", "==", ">", "-", symbols=False)


def draw(
    position: "Position", *, width: int = 80, glyphs: Glyphs = SYMBOLS, whole: bool = False
) -> Text:
    """Draws a position.

    Args:
        position: The position.
        width: The number of columns.
        glyphs: The symbols.
        whole: Whether to draw hidden cards too.

    Returns:
        The lines, not wider than ``width`` if possible.
    """
    return _Drawing(position, width, glyphs, whole).text()


def cards(shown: Iterable[Card | None], glyphs: Glyphs) -> Text:
    """Cards in a row, for lists of moves."""
    text = Text()
    for index, card in enumerate(shown):
        text.append(" " if index else "")
        text.append(*_piece(card, glyphs))
    return text


def _piece(card: Card | None, glyphs: Glyphs) -> Piece:
    return glyphs.card(card), QUIET if card is None else SUIT_STYLES[card.suit]


@lru_cache(maxsize=64)
def _table(relation: "Relation") -> list[int]:
    return relation.table()


class _Drawing:
    """A drawing under construction."""

    def __init__(self, position: "Position", width: int, glyphs: Glyphs, whole: bool) -> None:
        self.position = position
        self.book = position.game.rulebook
        self.width = width
        self.glyphs = glyphs
        self.whole = whole
        self.piles = position.piles if whole else position.visible_piles()
        self.counters = dict(position.counters)
        self.closed = position.closed_piles
        self.gutter = max(len(group.name) for group in self.book.groups) + 2

    def text(self) -> Text:
        lines: list[list[Piece]] = [self.title(), []]
        pictured = set(self.book.picture.values())
        columns = 1 + max((column for _, column in self.book.picture), default=0)
        if pictured and columns * WIDE_CELL <= self.width:
            lines += self.picture()
        else:
            pictured = set()
        before = None
        for group in self.book.groups:
            if pictured.issuperset(group.piles):
                continue
            in_line = group.count == 1 and group.role != "foundation"
            if not (in_line and before == in_line) and lines[-1]:
                lines.append([])
            lines += self.line(group) if in_line else self.columns(group)
            before = in_line
        lines += self.standing()
        return Text("\n").join(_assemble(line) for line in lines)

    # Whole lines.

    def title(self) -> list[Piece]:
        """Game, deal and number of moves."""
        position = self.position
        chosen = (
            f" ({', '.join(position.game.active_variants)})"
            if position.game.active_variants
            else ""
        )
        made = "1 move" if position.move_count == 1 else f"{position.move_count} moves"
        dot = f"  {self.glyphs.dot}  "
        rest = f"{dot}{position.deal_name or 'a deck of your own'}{dot}{made}"
        return [(position.game.title + chosen, LOUD), (rest, QUIET)]

    def standing(self) -> Iterator[list[Piece]]:
        """Facts apart from the cards."""
        facts = [
            f"{counter.name} {self.counter(index)}"
            for index, counter in enumerate(self.book.counters)
            if not self.book.is_unread(index)
        ]
        if facts:
            yield []
            yield [("counts".ljust(self.gutter), ""), (f" {self.glyphs.dot} ".join(facts), QUIET)]
        if self.position.outcome is not None:
            yield []
            lost = "Lost: there is no legal move."
            yield [("Won." if self.position.outcome == "won" else lost, LOUD)]

    def counter(self, index: int) -> str:
        """The value of a counter, and its limit."""
        counter = self.book.counters[index]
        value = self.counters[counter.name]
        if any(group.build_order and group.build_order.base == index for group in self.book.groups):
            return RANKS[value % len(RANKS)]
        limit = f" of {counter.cap}" if counter.cap < 100 else ""
        return f"{value}{limit}"

    # A group of one pile.

    def line(self, group: "Group") -> Iterator[list[Piece]]:
        """The name, the number of cards, and the cards, the available one last."""
        name = group.pile_name(0)
        pile = self.piles[name]
        lead: list[Piece] = [(name.ljust(self.gutter), ""), (f"{len(pile):>3}  ", QUIET)]
        if pile:
            yield from self.row(lead, self.squared(pile))
        else:
            yield [*lead, self.vacancy(name)]

    def row(self, lead: list[Piece], held: Sequence[Card | None]) -> Iterator[list[Piece]]:
        """Cards after a heading, on as many lines as needed."""
        indent = sum(len(text) for text, _ in lead)
        room = max(1, (self.width - indent + 1) // 3)
        for start in range(0, len(held), room):
            line = [*lead] if start == 0 else [(" " * indent, "")]
            for card in held[start : start + room]:
                line += [_piece(card, self.glyphs), (" ", "")]
            yield line

    def squared(self, pile: Sequence[Card | None]) -> list[Card | None]:
        """A pile with one hidden card in place of those at its bottom; their number is shown."""
        hidden = 0
        while hidden < len(pile) and pile[hidden] is None:
            hidden += 1
        return list(pile[max(0, hidden - 1) :])

    # A group of several piles.

    def columns(self, group: "Group") -> Iterator[list[Piece]]:
        """Blocks of columns, as many as fit side by side."""
        room = max(1, (self.width - self.gutter) // CELL)
        blocks = -(-group.count // room)
        each = -(-group.count // blocks)
        for first in range(0, group.count, each):
            if first:
                yield []
            yield from self.block(group, range(first, min(first + each, group.count)))

    def block(self, group: "Group", indices: range) -> Iterator[list[Piece]]:
        names = [group.pile_name(index) for index in indices]
        yield [
            (" " * self.gutter, ""),
            *((f"{index + 1:>{CELL}}", QUIET) for index in indices),
        ]
        squared = group.role == "foundation" or (group.shown != "all" and not self.whole)
        columns = [self.column(name, squared) for name in names]
        for row in range(max(map(len, columns))):
            line: list[Piece] = [((group.name if row == 0 else "").ljust(self.gutter), "")]
            for column in columns:
                text, style = column[row] if row < len(column) else ("", "")
                line += [(" " * (CELL - len(text)), ""), (text, style)]
            yield line
        if group.build_order is not None and group.build_order.wants:
            yield self.wanted(group.build_order, names)
        elif squared and any(len(self.piles[name]) > 1 for name in names):
            sizes = [len(self.piles[name]) for name in names]
            numbers = ((f"{size if size > 1 else '':>{CELL}}", QUIET) for size in sizes)
            yield [("cards".rjust(self.gutter - 2) + "  ", QUIET), *numbers]

    def column(self, name: str, squared: bool) -> list[Piece]:
        pile = self.piles[name][-1:] if squared else self.piles[name]
        return [_piece(card, self.glyphs) for card in pile] or [self.vacancy(name)]

    def vacancy(self, name: str) -> Piece:
        return (self.glyphs.closed if name in self.closed else self.glyphs.vacant), QUIET

    def wanted(self, order: "BuildOrder", names: Sequence[str]) -> list[Piece]:
        """The next cards of foundations."""
        line: list[Piece] = [("next".rjust(self.gutter - 2) + "  ", QUIET)]
        for name in names:
            text = self.next_card(order, self.piles[name])
            # Align a bare rank with the ranks.
            line.append((f"{text:<2}".rjust(CELL), QUIET))
        return line

    def next_card(self, order: "BuildOrder", pile: Sequence[Card | None]) -> str:
        """The next card of a foundation; only the rank if suits differ, or nothing."""
        if len(pile) >= len(order.wants):
            return ""
        base = 0
        if order.base is not None:
            base = list(self.counters.values())[order.base]
        wanted = [
            Card((code + 4 * base) % 52) for code in range(52) if order.wants[len(pile)] >> code & 1
        ]
        top = pile[-1] if pile else None
        if top is not None and order.relation is not None:
            allowed = _table(order.relation)[top.code]
            wanted = [card for card in wanted if allowed >> card.code & 1]
        if len(wanted) == 1:
            return self.glyphs.card(wanted[0])
        ranks = {card.rank for card in wanted}
        return RANKS[ranks.pop()] if len(ranks) == 1 else ""

    # A table with a picture.

    def picture(self) -> Iterator[list[Piece]]:
        """The picture of the rules file, and below it the piles with several cards."""
        places = dict(self.book.picture)
        rows = 1 + max(row for row, _ in places)
        columns = 1 + int(max(column for _, column in places))
        for row in range(rows):
            line: list[Piece] = []
            for column in range(columns):
                pile = places.get((row, column))
                cell = [] if pile is None else self.cell(pile)
                used = sum(len(text) for text, _ in cell)
                line += [*cell, (" " * max(0, WIDE_CELL - used), "")]
            yield line
        yield []
        marks = [(g.mark, g.name) for g in self.book.groups if g.mark]
        yield [("   ".join(f"{mark} {name}" for mark, name in marks), QUIET)]
        yield from self.beneath(sorted(places.values()))

    def cell(self, pile: int) -> list[Piece]:
        """A pile's mark and number, its top card and how many lie beneath it."""
        group = self.book.group_of(pile)
        index = pile - group.first
        name = group.pile_name(index)
        held = self.piles[name]
        lead = f"{group.mark or ''}{index + 1}".ljust(4)
        top = _piece(held[-1], self.glyphs) if held else self.vacancy(name)
        if group.build_order is not None:
            following = self.next_card(group.build_order, held)
            rest = f"{self.glyphs.then}{following}" if following else ""
        else:
            rest = f"+{len(held) - 1}" if len(held) > 1 else ""
        return [(lead, QUIET), top, (rest, QUIET)]

    def beneath(self, piles: Iterable[int]) -> Iterator[list[Piece]]:
        """The cards of the piles of which the picture shows only the top card."""
        first = True
        for pile in piles:
            group = self.book.group_of(pile)
            name = group.pile_name(pile - group.first)
            held = self.piles[name]
            if group.role == "foundation" or group.shown != "all" or len(held) < 2:
                continue
            if first:
                yield []
                first = False
            yield from self.row([(name.ljust(self.gutter + 3), "")], held)


def _assemble(pieces: Iterable[Piece]) -> Text:
    text = Text()
    for piece in pieces:
        text.append(*piece)
    text.rstrip()
    return text
