"""The text format of games, for people and for ``cadogan replay``.

::

    # Cadogan game 1
    # game: klondike:draw-three
    # digest: 6c1f...
    # deal: cadogan:617
    # begun: 2026-04-01T10:00:00+00:00
    tableau.5 > tableau.4
    deal
    # branch 1: tableau.7 > tableau.6
    # name 2: before the kings

The moves of the current line are on lines of their own; everything else is a comment and may be
left out. The deal is position 0, and each move adds the next position, in the order of the file.
``branch`` names the position that its move is played from; ``name`` is a bookmark.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from cadogan.cards import format_cards
from cadogan.i18n.text import gettext
from cadogan.table.record import Record

HEADING: Final = "# Cadogan game 1"
MOST_LINES: Final = 60_000

LONGEST_LINE: Final = 10_000
"""The largest number of characters of a line: enough for the largest deck."""
_FACT = re.compile(r"\s*#\s*(?P<key>game|digest|deal|deck|begun)\s*:\s*(?P<value>.*)")
_BRANCH = re.compile(r"\s*#\s*branch\s+(?P<node>\d{1,9})\s*:\s*(?P<move>.*)")
_NAME = re.compile(r"\s*#\s*name\s+(?P<node>\d{1,9})\s*:\s*(?P<name>.*)")


@dataclass(frozen=True, slots=True)
class TextFault:
    """One fault in a game file.

    Attributes:
        reason: What is wrong, in words.
        line: The number of the line, or ``None`` for the whole file.
        column: The column where it begins, from 1.
        end: The column after it.
    """

    reason: str
    line: int | None = None
    column: int = 1
    end: int = 1

    def __str__(self) -> str:
        return self.reason if self.line is None else f"line {self.line}: {self.reason}"


class GameFileError(ValueError):
    """A game file cannot be read or replayed.

    Args:
        faults: All faults.

    Attributes:
        faults: All faults.
    """

    def __init__(self, *faults: TextFault) -> None:
        super().__init__("; ".join(map(str, faults)))
        self.faults = faults


@dataclass(frozen=True, slots=True)
class Written:
    """A word of a file, with its place.

    Attributes:
        text: The word.
        line: The number of its line.
        column: The column where it begins, from 1.
    """

    text: str
    line: int
    column: int

    def fault(self, reason: str) -> TextFault:
        """A fault at this place."""
        return TextFault(reason, self.line, self.column, self.column + max(1, len(self.text)))


@dataclass(slots=True)
class GameText:
    """The content of a game file.

    Attributes:
        game: The game, with variants.
        digest: The digest of its rules, if given.
        deal: The deal's name, or
        deck: the cards.
        line: The moves of the current line.
        branches: Other moves: the position in which it is played, and the move.
        names: Bookmarks: the position, and its name.
        facts: The places of the first four.
    """

    game: str
    digest: str | None
    deal: str | None
    deck: str | None
    line: list[Written] = field(default_factory=list)
    branches: list[tuple[int, Written]] = field(default_factory=list)
    names: list[tuple[int, Written]] = field(default_factory=list)
    facts: dict[str, Written] = field(default_factory=dict)


def write_game(record: Record) -> str:
    """Writes a game, with branches and bookmarks."""
    return "\n".join(_lines(record)) + "\n"


def _lines(record: Record) -> Iterator[str]:
    first = record.nodes[0].position
    yield HEADING
    yield f"# game: {record.game.name}"
    yield f"# digest: {record.game.digest}"
    if first.deal_name is not None:
        yield f"# deal: {first.deal_name}"
    else:
        yield f"# deck: {format_cards(first.deck)}"
    yield f"# begun: {record.begun.astimezone(UTC).isoformat(timespec='seconds')}"
    numbers = {node: number for number, node in enumerate(record.path())}
    for node in record.path()[1:]:
        move = record.nodes[node].move
        assert move is not None
        yield move.text
    for other in record.nodes:
        if other.number in numbers or other.parent is None or other.move is None:
            continue
        yield f"# branch {numbers[other.parent]}: {other.move.text}"
        numbers[other.number] = len(numbers)
    for named in record.nodes:
        if named.name is not None:
            yield f"# name {numbers[named.number]}: {named.name}"


def read_game(text: str) -> GameText:
    """Reads a game file, without playing its moves.

    Raises:
        GameFileError: If it is not a game file, or names no deal; it has all faults.
    """
    found = GameText("", None, None, None)
    faults: list[TextFault] = []
    lines = text.removeprefix("\ufeff").splitlines()
    if len(lines) > MOST_LINES:
        raise GameFileError(
            TextFault(gettext("it has more than {number} lines", number=MOST_LINES))
        )
    for number, line in enumerate(lines, 1):
        if len(line) > LONGEST_LINE:
            why = gettext("a line has more than {number} characters", number=LONGEST_LINE)
            faults.append(TextFault(why, number))
        elif match := _BRANCH.fullmatch(line):
            found.branches.append((int(match["node"]), _written(match, "move", number)))
        elif match := _NAME.fullmatch(line):
            found.names.append((int(match["node"]), _written(match, "name", number)))
        elif match := _FACT.fullmatch(line):
            value = _written(match, "value", number)
            if match["key"] in found.facts:
                first = found.facts[match["key"]].line
                faults.append(
                    _written(match, "key", number).fault(
                        gettext(
                            "'{key}' is already given in line {line}", key=match["key"], line=first
                        )
                    )
                )
            else:
                found.facts[match["key"]] = value
        else:
            found.line += _moves(line, number)
    facts = found.facts
    if "game" not in facts:
        faults.append(
            TextFault(gettext("it does not name the game: the line '# game: NAME' is missing"))
        )
    if "deal" not in facts and "deck" not in facts:
        faults.append(
            TextFault(gettext("it must give either a deal ('# deal: cadogan:1') or a deck"))
        )
    elif "deal" in facts and "deck" in facts:
        later = max(facts["deal"], facts["deck"], key=lambda each: each.line)
        faults.append(later.fault(gettext("it gives both a deal and a deck")))
    if faults:
        raise GameFileError(*faults)
    found.game = facts["game"].text
    told_of = {key: value.text for key, value in facts.items()}
    found.digest, found.deal = told_of.get("digest"), told_of.get("deal")
    found.deck = told_of.get("deck")
    return found


def _written(match: re.Match[str], part: str, line: int) -> Written:
    return Written(match[part].strip(), line, match.start(part) + 1)


def _moves(line: str, number: int) -> Iterator[Written]:
    """The moves of a line, without its comment."""
    plain = re.sub(r"(^|\s)#.*", "", line)
    for part in re.finditer(r"[^;]+", plain):
        text = part[0].strip()
        if text:
            column = part.start() + len(part[0]) - len(part[0].lstrip()) + 1
            yield Written(text, number, column)


def file_name(record: Record, at: datetime) -> str:
    """The default name of a game file."""
    game = re.sub(r"[^\w-]+", "-", record.game.name).strip("-")
    return f"{game[:60]}-{at:%Y%m%d-%H%M}.txt"
