"""A game as an open text file, which people and ``cadogan replay`` read.

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

The moves of the line the player is on stand one a line, so that the rest, being comments, can be
left out. The deal is position 0, and each move, in the order of the file, makes the next one; a
``branch`` says from which position it goes off; a ``name`` is a bookmark.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

from cadogan.cards import format_cards
from cadogan.i18n.text import told
from cadogan.table.record import Record

HEADING: Final = "# Cadogan game 1"
MOST_LINES: Final = 60_000

LONGEST_LINE: Final = 10_000
"""Characters of a line of such a file: enough for the largest deck."""
_FACT = re.compile(r"\s*#\s*(?P<key>game|digest|deal|deck|begun)\s*:\s*(?P<value>.*)")
_BRANCH = re.compile(r"\s*#\s*branch\s+(?P<node>\d{1,9})\s*:\s*(?P<move>.*)")
_NAME = re.compile(r"\s*#\s*name\s+(?P<node>\d{1,9})\s*:\s*(?P<name>.*)")


@dataclass(frozen=True, slots=True)
class TextFault:
    """What is wrong with the text of a game, and where.

    Attributes:
        reason: What is wrong, in words.
        line: The number of the line, or ``None`` if the whole is wrong.
        column: Where it begins in the line, from 1.
        end: The column after it.
    """

    reason: str
    line: int | None = None
    column: int = 1
    end: int = 1

    def __str__(self) -> str:
        return self.reason if self.line is None else f"line {self.line}: {self.reason}"


class GameFileError(ValueError):
    """The text of a game cannot be read, or what it says cannot be played.

    Args:
        faults: All that is wrong with it.

    Attributes:
        faults: The same.
    """

    def __init__(self, *faults: TextFault) -> None:
        super().__init__("; ".join(map(str, faults)))
        self.faults = faults


@dataclass(frozen=True, slots=True)
class Written:
    """A piece of the file.

    Attributes:
        text: What stands there.
        line: The number of its line.
        column: Where it begins, from 1.
    """

    text: str
    line: int
    column: int

    def fault(self, reason: str) -> TextFault:
        """Something that is wrong with it."""
        return TextFault(reason, self.line, self.column, self.column + max(1, len(self.text)))


@dataclass(slots=True)
class GameText:
    """What such a file says.

    Attributes:
        game: The game, with variants.
        digest: The fingerprint of its rules, if it is told.
        deal: The deal's name, or
        deck: the cards.
        line: The moves that were made.
        branches: Other moves: the position they go off from, and the move.
        names: Bookmarks: the position, and its name.
        facts: Where the first four stand.
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
    """Writes a game, branches and bookmarks and all."""
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
    """Reads a game; nothing is played yet.

    Raises:
        GameFileError: If it is no such file, or the deal is not told; all faults are named.
    """
    found = GameText("", None, None, None)
    faults: list[TextFault] = []
    lines = text.removeprefix("\ufeff").splitlines()
    if len(lines) > MOST_LINES:
        raise GameFileError(TextFault(told("it has more than {number} lines", number=MOST_LINES)))
    for number, line in enumerate(lines, 1):
        if len(line) > LONGEST_LINE:
            why = told("a line has more than {number} characters", number=LONGEST_LINE)
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
                        told(
                            "'{key}' was told in line {line} already", key=match["key"], line=first
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
            TextFault(told("it does not tell which game it is: there is no line '# game: NAME'"))
        )
    if "deal" not in facts and "deck" not in facts:
        faults.append(TextFault(told("it must tell either a deal ('# deal: cadogan:1') or a deck")))
    elif "deal" in facts and "deck" in facts:
        later = max(facts["deal"], facts["deck"], key=lambda each: each.line)
        faults.append(later.fault(told("it tells both a deal and a deck")))
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
    """A name for the file of a game."""
    game = re.sub(r"[^\w-]+", "-", record.game.name).strip("-")
    return f"{game[:60]}-{at:%Y%m%d-%H%M}.txt"
