"""Legal moves as lists: one per line for commands, grouped by source for the table."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING

from rich.text import Text

from cadogan.cli.draw import QUIET, Glyphs, cards

if TYPE_CHECKING:
    from cadogan import Move, Position

_Ways = list[tuple[str, int, str]]

MAX_SHOWN = 4
"""Of more cards that move together, only the first and the last are shown."""

MANY = 12
"""More targets than this are shown as a range."""


def numbered(position: "Position", glyphs: Glyphs) -> Text:
    """The moves, one per line: number, text, and the cards."""
    legal = position.moves_with_transfers()
    digits = len(str(len(legal)))
    longest = max((len(move.text) for move, _ in legal), default=0)
    lines = []
    for number, (move, ways) in enumerate(legal, 1):
        line = Text()
        line.append(f"{number:>{digits}}  ", QUIET)
        line.append(f"{move.text:<{longest}}  ")
        line.append_text(_cards_of(position, move, ways, glyphs))
        line.rstrip()
        lines.append(line)
    return Text("\n").join(lines)


def gathered(position: "Position", glyphs: Glyphs, width: int, about: str | None = None) -> Text:
    """The moves grouped by the cards that move, each with its number and target.

    Many targets are shown as a range, and so are many cards with the same targets: two rows of
    cards that can all be paired take one line instead of five hundred. Vacancies of one group are
    shown as a range, too.

    Args:
        position: The position.
        glyphs: The symbols of cards.
        width: The number of columns.
        about: If given, lists only the moves from or to this pile, each separately.
    """
    legal = list(enumerate(position.moves(), 1))
    if about is not None:
        legal = [(number, move) for number, move in legal if about in (move.source, move.target)]
    words = [(number, move) for number, move in legal if _is_word(move)]
    plain = [(number, move) for number, move in legal if not _is_word(move)]
    order = {name: place for place, name in enumerate(position.game.pile_names)}
    plain.sort(key=lambda pair: (order[pair[1].source or ""], pair[1].count))
    rows = [
        _Row([source or ""], count, list(goals), about is None)
        for (source, count), goals in groupby(
            plain, key=lambda pair: (pair[1].source, pair[1].count)
        )
    ]
    rows = _joined(rows)
    leads = [_lead(position, row, glyphs) for row in rows]
    widest = max((lead.cell_len for lead in leads), default=0)
    lines = []
    for row, lead in zip(rows, leads, strict=True):
        lead.append(" " * (widest - lead.cell_len))
        lead.append(f" {glyphs.then} ", QUIET)
        goals = [_many(row.goals)] if row.collective else _goals(position, row, glyphs)
        lines += _wrapped(lead, goals, width)
    indent = Text(" " * (widest + 3) if widest else "")
    first = min((number for number, _ in plain), default=0)
    ways = dict(position.moves_with_transfers()) if words else {}
    texts = [(number, _word(position, number, move, ways[move], glyphs)) for number, move in words]
    early = _wrapped(indent, [text for number, text in texts if number < first], width)
    late = _wrapped(indent, [text for number, text in texts if number > first], width)
    lines = [*early, *lines, *late]
    return Text("\n").join(lines)


@dataclass(frozen=True, slots=True)
class _Row:
    """Moves of equally many cards from a pile, or from several piles with the same targets."""

    sources: list[str]
    count: int
    goals: list[tuple[int, "Move"]]
    short: bool

    @property
    def targets(self) -> list[str]:
        return list(dict.fromkeys(move.target or "" for _, move in self.goals))

    @property
    def collective(self) -> bool:
        """Whether the targets are shown as a range."""
        first, last = self.goals[0][0], self.goals[-1][0]
        return (
            self.short
            and len(self.goals) > MANY * len(self.sources)
            and last - first + 1 == len(self.goals)
            and len({_group(target) for target in self.targets}) == 1
            and not any(move.text.endswith(")") for _, move in self.goals)
        )

    def joins(self, other: "_Row") -> bool:
        """Whether the next row has the same targets."""
        return (
            self.collective
            and other.collective
            and _group(self.sources[0]) == _group(other.sources[0])
            and self.count == other.count
            and self.targets == other.targets
            and self.goals[-1][0] + 1 == other.goals[0][0]
        )


def _joined(rows: list[_Row]) -> list[_Row]:
    """Joins rows with the same targets."""
    joined: list[_Row] = []
    for row in rows:
        if joined and joined[-1].joins(row):
            last = joined[-1]
            joined[-1] = replace(
                last, sources=[*last.sources, *row.sources], goals=[*last.goals, *row.goals]
            )
        else:
            joined.append(row)
    return joined


def _group(pile: str) -> str:
    return pile.rpartition(".")[0]


def _range(piles: list[str]) -> str:
    """Piles of one group, in order: ``army.1-3, 5-24``."""
    numbers = [int(pile.rpartition(".")[2]) for pile in piles]
    parts: list[list[int]] = []
    for number in numbers:
        if parts and parts[-1][-1] + 1 == number:
            parts[-1].append(number)
        else:
            parts.append([number])
    ranges = (f"{part[0]}-{part[-1]}" if len(part) > 1 else str(part[0]) for part in parts)
    return f"{_group(piles[0])}.{', '.join(ranges)}"


def _many(goals: Sequence[tuple[int, "Move"]]) -> Text:
    text = Text()
    text.append(f"{goals[0][0]}-{goals[-1][0]} ".rjust(4), QUIET)
    text.append(_range(list(dict.fromkeys(move.target or "" for _, move in goals))))
    return text


def _goals(position: "Position", row: _Row, glyphs: Glyphs) -> list[Text]:
    """The targets of a row, with a range for vacancies of one group."""
    piles = position.visible_piles()

    def place(goal: tuple[int, "Move"]) -> tuple[str, int] | int:
        number, move = goal
        target = move.target or ""
        is_alike = row.short and "." in target and not piles[target]
        # In a range the numbers of the moves follow one another, as those of the piles do.
        return (_group(target), int(target.rpartition(".")[2]) - number) if is_alike else -number

    found: list[Text] = []
    for _, same in groupby(row.goals, place):
        goals = list(same)
        marked = any(move.text.endswith(")") for _, move in goals)
        if len(goals) > 1 and not marked:
            found.append(_many(goals))
        else:
            found += [_goal(position, number, move, glyphs) for number, move in goals]
    return found


def _is_word(move: "Move") -> bool:
    """Whether a move is shown by its whole text."""
    return move.source is None or move.target is None or ">" not in move.text or "<>" in move.text


def _lead(position: "Position", row: _Row, glyphs: Glyphs) -> Text:
    if len(row.sources) > 1:
        return Text(_range(row.sources))
    (source,) = row.sources
    text = Text(source + " ")
    text.append_text(_going(position, row.goals[0][1], glyphs))
    return text


def _goal(position: "Position", number: int, move: "Move", glyphs: Glyphs) -> Text:
    text = Text()
    text.append(f"{number:>3} ", QUIET)
    text.append(f"{move.target} ")
    top = position.visible_piles()[move.target or ""][-1:]
    text.append_text(cards(top, glyphs))
    if move.text.endswith(")"):
        text.append(f" ({move.rule})", QUIET)
    text.rstrip()
    return text


def _word(position: "Position", number: int, move: "Move", ways: _Ways, glyphs: Glyphs) -> Text:
    text = Text()
    text.append(f"{number:>3} ", QUIET)
    text.append(move.text)
    if "+" in move.text:
        text.append(" ")
        text.append_text(_together(position, move, ways, glyphs))
    return text


def _together(position: "Position", move: "Move", ways: _Ways, glyphs: Glyphs) -> Text:
    """The cards of a joint move, in the order in which its text names their piles."""
    view = position.visible_piles()
    taken = Counter[str]()
    for source, count, _ in ways:
        taken[source] += count
    named = [part.partition(" ")[0] for part in move.text.split(" + ")]
    order = dict.fromkeys([*(pile for pile in named if pile in taken), *taken])
    return cards([card for pile in order for card in view[pile][-taken[pile] :]], glyphs)


def _cards_of(position: "Position", move: "Move", ways: _Ways, glyphs: Glyphs) -> Text:
    """The cards of a move, as far as they are visible: ``9♥ on T♣``."""
    if "+" in move.text:
        return _together(position, move, ways, glyphs)
    if _is_word(move) or move.source is None or move.target is None:
        return Text()
    text = _going(position, move, glyphs)
    top = position.visible_piles()[move.target][-1:]
    if top and text.plain:
        text.append(" on ", QUIET)
        text.append_text(cards(top, glyphs))
    return text


def _going(position: "Position", move: "Move", glyphs: Glyphs) -> Text:
    """The cards that a move takes from a pile, lowest first; from under others only the one."""
    pile = position.visible_piles()[move.source or ""]
    depth = position.game.rulebook.rules[move.rule_index].action.depth(move.count)
    going = pile[-move.count :] if move.count else ()
    if depth is not None:
        going = pile[-depth:][:1]
    if len(going) <= MAX_SHOWN:
        return cards(going, glyphs)
    text = cards(going[:1], glyphs)
    text.append("..", QUIET)
    text.append_text(cards(going[-1:], glyphs))
    return text


def _wrapped(lead: Text, parts: list[Text], width: int) -> list[Text]:
    """A heading and the parts after it, on as many lines as needed."""
    if not parts:
        return []
    lines = [lead.copy()]
    lines[0].append_text(parts[0])
    for part in parts[1:]:
        if lines[-1].cell_len + 2 + part.cell_len > width:
            lines.append(Text(" " * lead.cell_len))
        else:
            lines[-1].append("  ")
        lines[-1].append_text(part)
    return lines
