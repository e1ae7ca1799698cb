"""Draws positions as text.

Groups of several piles are columns under the numbers of their piles, wrapped to the width. Groups
of one pile are lines with the available card at the right end; foundations of one pile stand side
by side. If the rules file has a picture of the table, the drawing follows it. In a narrow window
its columns move together; where there is no room for it at all, the drawing says so. Hidden cards
are not drawn, unless requested.

Suits differ by symbol or letter and by one of four colours.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Final

from rich.text import Text

from cadogan.cards import RANKS, Card

if TYPE_CHECKING:
    from cadogan import Position
    from cadogan.rules.rulebook.group import Group

CELL: Final = 4
"""The width of a pile in columns: a card of two columns, and a gap."""
WIDE_CELL: Final = 10
"""The width of a pile in a picture of the table, if there is room."""
EMPTY_CELL: Final = 2
"""The width of a column without piles in a picture that has to be narrow."""

MARK: Final = 5
"""The width of the mark at the beginning of a row whose piles have none."""
REST: Final = 3
"""The width of what stands after a card: how many lie beneath it, or which one comes next."""
NO_PICTURE: Final = "(The picture needs more columns.)"

SUIT_STYLES: Final = ("green", "bright_blue", "red", "bold", "magenta")
QUIET: Final = "dim"
LOUD: Final = "bold"
_ENDS: Final = {
    "won": "Won.",
    "lost": "Lost: there is no legal move.",
    "over": "Over: there is no legal move.",
}

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
        labels = ("counts", *(group.name for group in self.book.groups))
        self.gutter = max(map(len, labels)) + 2

    def text(self) -> Text:
        lines: list[list[Piece]] = [self.title(), []]
        pictured = set(self.book.picture.values())
        if pictured:
            picture = self.picture()
            lines += picture or [[(NO_PICTURE, QUIET)]]
            pictured = pictured if picture else set()
        shown = [group for group in self.book.groups if not pictured.issuperset(group.piles)]
        before = None
        for kind, groups in groupby(shown, _kind):
            for members in [list(groups)] if kind == "single" else [[each] for each in groups]:
                if not (kind == "line" and before == kind) and lines[-1]:
                    lines.append([])
                if kind == "line":
                    lines += self.line(members[0])
                else:
                    lines += self.singles(members) if kind == "single" else self.columns(members[0])
                before = kind
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
        if self.position.score is not None:
            yield []
            yield [("points".ljust(self.gutter), ""), (str(self.position.score), LOUD)]
        if facts:
            yield []
            yield [("counts".ljust(self.gutter), ""), (f" {self.glyphs.dot} ".join(facts), QUIET)]
        if self.position.outcome is not None:
            yield []
            yield [(_ENDS[self.position.outcome], LOUD)]

    def counter(self, index: int) -> str:
        """The value of a counter, and its limit."""
        counter = self.book.counters[index]
        value = self.counters[counter.name]
        if any(group.build_order and group.build_order.base == index for group in self.book.groups):
            if value >= len(RANKS):
                return "to be chosen"
            return RANKS[value] if self.is_known(index) else "not known yet"
        limit = f" of {counter.cap}" if counter.cap < 100 else ""
        return f"{value}{limit}"

    def is_known(self, base: int) -> bool:
        """Whether a base rank is decided: a card lies on a foundation that begins with it."""
        return any(
            self.piles[group.pile_name(index)]
            for group in self.book.groups
            if group.build_order is not None and group.build_order.base == base
            for index in range(group.count)
        )

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
        if group.build_order is not None:
            following = [self.next_card(group, name) for name in names]
            if any(following):
                yield self.wanted(following, CELL)
        elif squared and any(len(self.piles[name]) > 1 for name in names):
            sizes = [len(self.piles[name]) for name in names]
            numbers = ((f"{size if size > 1 else '':>{CELL}}", QUIET) for size in sizes)
            yield [("cards".rjust(self.gutter - 2) + "  ", QUIET), *numbers]

    def singles(self, groups: Sequence["Group"]) -> Iterator[list[Piece]]:
        """Foundations of one pile each, side by side below their names."""
        cell = max(CELL, *(len(group.name) for group in groups)) + 2
        room = max(1, (self.width - self.gutter) // cell)
        for first in range(0, len(groups), room):
            row = groups[first : first + room]
            if first:
                yield []
            following = [self.next_card(group, group.name) for group in row]
            top = [self.column(group.name, squared=True)[0] for group in row]
            lead = " " * self.gutter
            if len(groups) == 1:
                yield [(groups[0].name.ljust(self.gutter), ""), (" " * (CELL - 2), ""), *top]
                cell = CELL
            else:
                names = [(f"{group.name:>{cell}}", QUIET) for group in row]
                yield [(lead, ""), *names]
                cards = [((" " * (cell - len(text)), ""), (text, style)) for text, style in top]
                yield [(lead, ""), *(piece for pair in cards for piece in pair)]
            if any(following):
                yield self.wanted(following, cell)

    def column(self, name: str, squared: bool) -> list[Piece]:
        pile = self.piles[name][-1:] if squared else self.piles[name]
        return [_piece(card, self.glyphs) for card in pile] or [self.vacancy(name)]

    def vacancy(self, name: str) -> Piece:
        return (self.glyphs.closed if name in self.closed else self.glyphs.vacant), QUIET

    def wanted(self, following: Sequence[str], cell: int) -> list[Piece]:
        """The next cards of foundations."""
        lead = ("next".rjust(self.gutter - 2) + "  ", QUIET)
        # Align a bare rank with the ranks.
        return [lead, *((f"{text:<2}".rjust(cell), QUIET) for text in following)]

    def next_card(self, group: "Group", name: str) -> str:
        """The next card of a foundation; only ranks if suits differ, or nothing if any will do."""
        order = group.build_order
        if order is None or (order.base is not None and not self.is_known(order.base)):
            return ""
        wanted = self.position.next_cards(name)
        if len(wanted) == 1:
            return self.glyphs.card(wanted[0])
        ranks = list(dict.fromkeys(RANKS[card.rank] for card in wanted))
        if len(ranks) == 2:
            return "/".join(ranks)
        if len(ranks) != 1:
            return ""
        suits = "".join(self.glyphs.card(card)[1] for card in wanted) if len(wanted) == 2 else ""
        return ranks[0] + suits

    # A table with a picture.

    def picture(self) -> list[list[Piece]]:
        """The picture of the rules file, and below it the piles with several cards.

        Empty if it has no room even without the marks of the piles.
        """
        places = dict(self.book.picture)
        for marked, pad in ((True, 4), (True, 0), (False, 0)):
            cells = {place: self.cell(pile, marked, pad) for place, pile in places.items()}
            starts = self.starts(cells, WIDE_CELL if pad else 0)
            if starts is not None:
                break
        else:
            return []
        lines: list[list[Piece]] = []
        for row in range(1 + max(row for row, _ in places)):
            line: list[Piece] = []
            used = 0
            here = sorted(column for other, column in places if other == row)
            if not marked and here:
                line = [(self.mark(places[row, here[0]]).ljust(MARK), QUIET)]
                used = MARK
            for column in here:
                cell = cells[row, column]
                line += [(" " * max(0, starts[column] - used), ""), *cell]
                used = max(used, starts[column]) + _width(cell)
            lines.append(line)
        lines.append([])
        marks = [(g.mark, g.name) for g in self.book.groups if g.mark]
        lines.append([("   ".join(f"{mark} {name}" for mark, name in marks), QUIET)])
        lines += self.beneath(sorted(places.values()))
        return lines

    def starts(
        self, cells: Mapping[tuple[int, float], list[Piece]], fixed: int
    ) -> dict[float, int] | None:
        """Where the columns of a picture begin, if they have room.

        Args:
            cells: What stands at the places.
            fixed: The width of all columns; 0 for columns as narrow as possible.
        """
        columns = {column for _, column in cells}
        last = int(max(columns))
        lead = 0 if fixed or any(len(cell) > 2 for cell in cells.values()) else MARK
        widths = [
            1 + max((_width(c) for (_, at), c in cells.items() if at == column), default=1)
            for column in range(last + 1)
        ]
        if any(column % 1 for column in columns):
            # Rows shifted by half a place need columns of one width, an even one.
            each = max(_width(cell) for cell in cells.values()) + 1
            widths = [each + each % 2] * (last + 1)
        if fixed:
            widths = [fixed] * (last + 1)
        found = {column: lead + sum(widths[: int(column)]) for column in columns}
        for column in columns:
            found[column] += int(column % 1 * widths[0])
        end = max(found[column] + _width(cell) for (_, column), cell in cells.items())
        return found if end <= self.width else None

    def mark(self, pile: int) -> str:
        """A pile as the picture names it."""
        group = self.book.group_of(pile)
        number = pile - group.first + 1 if group.count > 1 or not group.mark else ""
        return f"{group.mark or ''}{number}"

    def cell(self, pile: int, marked: bool, pad: int) -> list[Piece]:
        """A pile's mark and number, its top card and how many lie beneath it."""
        group = self.book.group_of(pile)
        name = group.pile_name(pile - group.first)
        held = self.piles[name]
        top = _piece(held[-1], self.glyphs) if held else self.vacancy(name)
        if group.build_order is not None:
            following = self.next_card(group, name)
            rest = f"{self.glyphs.then}{following}" if following else ""
        else:
            rest = f"+{len(held) - 1}" if len(held) > 1 else ""
        # A picture must not change its shape when a pile gets a second card.
        rest = rest if pad or not self.may_grow(group) else rest.ljust(REST)
        lead = [((self.mark(pile) + " ").ljust(pad), QUIET)] if marked else []
        return [*lead, top, (rest, QUIET)]

    def may_grow(self, group: "Group") -> bool:
        """Whether a pile of a group may hold several cards, or says what comes next."""
        piles = set(group.piles)
        return (
            group.build_order is not None
            or any(rule.action.can_stack(piles) for rule in self.book.rules)
            or any(len(self.piles[group.pile_name(index)]) > 1 for index in range(group.count))
        )

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


def _kind(group: "Group") -> str:
    """How a group is drawn."""
    if group.count > 1:
        return "columns"
    return "single" if group.role == "foundation" else "line"


def _width(pieces: Iterable[Piece]) -> int:
    return sum(len(text) for text, _ in pieces)


def _assemble(pieces: Iterable[Piece]) -> Text:
    text = Text()
    for piece in pieces:
        text.append(*piece)
    text.rstrip()
    return text
