"""The layout of the piles of a game on the table.

If the rules file has a picture, the piles lie where it shows them. Piles that it leaves out go to
free places at its left edge, or to a row below it. Without a picture, the groups lie in rows, as in
card books: stock, waste and cells at the top beside the foundations, or at the left side if each
foundation has a column below it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final, Literal

from cadogan.rules.rulebook.group import Group, Role
from cadogan.rules.rulebook.rulebook import Rulebook

WIDEST: Final = 12
"""The largest number of piles in a row; a larger group takes several rows."""
ROOMY: Final = 10
"""How many columns stock, waste, cells and foundations may take together in one row."""

Fan = Literal["none", "down", "right"]
_Grid = dict[int, tuple[int, float]]


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a pile.

    Attributes:
        pile: The name of the pile.
        group: The name of its group.
        role: Its role.
        row: Its row from the top, beginning with 0.
        column: Its column from the left, beginning with 0. It may be a half, since short rows are
            centred.
        fan: The direction in which its cards are spread, or ``"none"`` if they lie squared.
    """

    pile: str
    group: str
    role: Role
    row: int
    column: float
    fan: Fan


@dataclass(frozen=True, slots=True)
class Layout:
    """The places of all piles.

    Attributes:
        rows: The number of rows.
        columns: The number of columns.
        pictured: Whether the rules file has a picture.
        places: The place of each pile, in the order of the rules file.
        overlapping: The rows whose cards lie partly on those of the row above.
        fixed: Whether the places must not be rearranged: the rules ask what lies beside or below.
    """

    rows: int
    columns: int
    pictured: bool
    places: tuple[Place, ...]
    overlapping: tuple[int, ...] = ()
    fixed: bool = False

    def drawn(self, piles: Mapping[str, Sequence[object]]) -> Sequence[Place]:
        """The places in the order in which they are drawn: what covers a card comes after it."""
        if not self.overlapping:
            return self.places
        return sorted(self.places, key=lambda place: (bool(piles[place.pile]), place.row))


def lay_out(book: Rulebook) -> Layout:
    """Places the piles of a game.

    >>> from cadogan import load
    >>> layout = lay_out(load("klondike").rulebook)
    >>> layout.rows, layout.columns
    (2, 7)
    """
    grid = _pictured(book) if book.picture else _arranged(book)
    rows = 1 + max(row for row, _ in grid.values())
    columns = 1 + int(max(column for _, column in grid.values()) + 0.5)
    # Cards that block others lie in their places, squared up, unless there may be room between.
    squared = {covering.group for covering in book.coverings if not covering.nearest}
    places = tuple(
        Place(
            group.pile_name(pile - group.first),
            group.name,
            group.role,
            *grid[pile],
            "none" if group.name in squared else _fan(group),
        )
        for group in book.groups
        for pile in group.piles
    )
    fixed = bool(book.picture) and (
        any(rule.action.looks_beside for rule in book.rules)
        or any(not covering.covered for covering in book.coverings)
    )
    return Layout(rows, columns, bool(book.picture), places, _overlapping(book, grid), fixed)


def _overlapping(book: Rulebook, grid: _Grid) -> tuple[int, ...]:
    """The rows in which cards lie that cover some of the row above."""
    covered = {covering.group for covering in book.coverings if covering.covered}
    rows = {
        grid[other][0]
        for pile, ways in book.open_when.items()
        if book.group_of(pile).name in covered
        for way in ways
        for other in way
        if grid[other][0] == grid[pile][0] + 1
    }
    return tuple(sorted(rows))


def _fan(group: Group) -> Fan:
    if group.shown != "all":
        return "none"
    if group.role == "tableau":
        return "down"
    if group.role == "waste" or (group.role == "reserve" and group.count == 1):
        return "right"
    return "none"


def _pictured(book: Rulebook) -> _Grid:
    top = min(row for row, _ in book.picture)
    grid: _Grid = {pile: (row - top, column) for (row, column), pile in book.picture.items()}
    columns = 1 + ceil(max(column for _, column in book.picture))
    below = 1 + max(row for row, _ in grid.values())
    rest = [group for group in book.groups if not grid.keys() & set(group.piles)]
    singles = [group for group in rest if group.count == 1]
    if overlapping := _overlapping(book, grid):
        singles = _in_corners(grid, singles, columns, 1 in overlapping)
    edge = [(row, 0) for row in range(below) if (row, 0) not in grid.values()]
    edge += [(row, 1) for row, _ in edge if (row, 1) not in grid.values()]
    if overlapping and singles:
        edge = []
    if len(singles) <= len(edge):
        # Saving a row makes the cards larger.
        grid.update(zip((group.first for group in singles), edge, strict=False))
    elif singles:
        _row(grid, [pile for group in singles for pile in group.piles], below, columns)
        below += 1
    for group in rest:
        if group.count > 1:
            below = _block(grid, group, below, columns)
    # The picture may show only a part of a group.
    left = [pile for group in book.groups for pile in group.piles if pile not in grid]
    for first in range(0, len(left), WIDEST):
        _row(grid, left[first : first + WIDEST], below, columns)
        below += 1
    return grid


def _in_corners(grid: _Grid, singles: list[Group], columns: int, is_covered: bool) -> list[Group]:
    """Puts piles into the upper corners, beside a pyramid; returns those that find no room."""
    near = [column for row, column in grid.values() if row == 0 or (is_covered and row == 1)]
    free = [all(abs(column - other) >= 1 for other in near) for column in range(columns)]
    left = next((at for at, each in enumerate(free) if not each), columns)
    right = next((at for at, each in enumerate(reversed(free)) if not each), columns)
    gone = [group for group in singles if group.role in ("foundation", "discard")]
    others = [group for group in singles if group not in gone]
    if len(others) > left or len(gone) > right:
        return singles
    grid.update((group.first, (0, at)) for at, group in enumerate(others))
    grid.update((group.first, (0, columns - 1 - at)) for at, group in enumerate(reversed(gone)))
    return []


def _arranged(book: Rulebook) -> _Grid:
    aside = [g for g in book.groups if g.role in ("stock", "waste", "hand") or _is_small(g)]
    main = [g for g in book.groups if g not in aside]
    foundations = [g for g in main if g.role == "foundation"]
    counts = [g.count for g in main if g.count > 1]
    grid: _Grid = {}
    beside = [pile for g in aside for pile in g.piles]
    if foundations and any(counts.count(g.count) > 1 for g in foundations):
        # Each foundation has a column below it, so nothing may come between them.
        height = len(main)
        wide = max(1, -(-len(beside) // max(height, 1))) if beside else 0
        for index, pile in enumerate(beside):
            grid[pile] = index // wide, index % wide
        row, columns = 0, min(WIDEST, max(counts, default=1))
        for group in main:
            row = _block(grid, group, row, columns, shift=wide)
        return grid
    columns = min(WIDEST, max(counts, default=1))
    taken = len(beside) + sum(g.count for g in foundations)
    if beside and taken <= max(ROOMY, columns):
        columns = max(columns, taken)
        column = 0
        for group in aside:
            for pile in group.piles:
                grid[pile] = 0, column
                column += 1
        first = columns - sum(g.count for g in foundations)
        for pile in (pile for g in foundations for pile in g.piles):
            grid[pile] = 0, first
            first += 1
        row = 1
        for group in main:
            if group not in foundations:
                row = _block(grid, group, row, columns)
        return grid
    row = 0
    for group in main:
        row = _block(grid, group, row, columns)
    if beside:
        _row(grid, beside, row, columns)
    return grid


def _is_small(group: Group) -> bool:
    return group.role == "cell" or (group.role == "reserve" and group.count == 1)


def _block(grid: _Grid, group: Group, row: int, columns: int, shift: int = 0) -> int:
    """Puts a group into as many rows as it needs; returns the next free row."""
    rows = -(-group.count // WIDEST)
    each = -(-group.count // rows)
    for first in range(0, group.count, each):
        _row(grid, group.piles[first : first + each], row, columns, shift)
        row += 1
    return row


def _row(grid: _Grid, piles: Iterable[int], row: int, columns: int, shift: int = 0) -> None:
    """Puts piles side by side in the middle of a row."""
    listed = list(piles)
    lead = max(0.0, (columns - len(listed)) / 2)
    for index, pile in enumerate(listed):
        grid[pile] = row, shift + lead + index
