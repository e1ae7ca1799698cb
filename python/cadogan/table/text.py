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
from cadogan.table.record import Record

HEADING: Final = "# Cadogan game 1"
MOST_LINES: Final = 60_000

_FACT = re.compile(r"#\s*(?P<key>game|digest|deal|deck|begun)\s*:\s*(?P<value>.*)")
_BRANCH = re.compile(r"#\s*branch\s+(?P<node>\d{1,9})\s*:\s*(?P<move>.*)")
_NAME = re.compile(r"#\s*name\s+(?P<node>\d{1,9})\s*:\s*(?P<name>.*)")


class GameFileError(ValueError):
    """The text of a game cannot be read.

    Attributes:
        line: The number of the line that is wrong, or ``None`` if the whole is.
    """

    def __init__(self, reason: str, line: int | None = None) -> None:
        super().__init__(reason if line is None else f"line {line}: {reason}")
        self.line = line


@dataclass(slots=True)
class GameText:
    """What such a file says.

    Attributes:
        game: The game, with variants.
        digest: The fingerprint of its rules, if it is told.
        deal: The deal's name, or
        deck: the cards.
        line: The moves that were made, each with the number of its line.
        branches: Other moves: (line number, position they go off from, text).
        names: Bookmarks: (line number, position, name).
    """

    game: str
    digest: str | None
    deal: str | None
    deck: str | None
    line: list[tuple[int, str]] = field(default_factory=list)
    branches: list[tuple[int, int, str]] = field(default_factory=list)
    names: list[tuple[int, int, str]] = field(default_factory=list)


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
        GameFileError: If it is no such file, or the deal is not told.
    """
    facts: dict[str, str] = {}
    found = GameText("", None, None, None)
    lines = text.splitlines()
    if len(lines) > MOST_LINES:
        raise GameFileError(f"it has more than {MOST_LINES:,} lines")
    for number, raw in enumerate(lines, 1):
        line = raw.strip()
        if match := _BRANCH.fullmatch(line):
            found.branches.append((number, int(match["node"]), match["move"].strip()))
        elif match := _NAME.fullmatch(line):
            found.names.append((number, int(match["node"]), match["name"].strip()))
        elif match := _FACT.fullmatch(line):
            if match["key"] in facts:
                raise GameFileError(f"{match['key']!r} is told twice", number)
            facts[match["key"]] = match["value"].strip()
        else:
            plain = re.sub(r"(^|\s)#.*", "", line)
            found.line += [(number, part.strip()) for part in plain.split(";") if part.strip()]
    if "game" not in facts:
        raise GameFileError("it does not tell which game it is: there is no line '# game: NAME'")
    if ("deal" in facts) == ("deck" in facts):
        raise GameFileError("it must tell either a deal ('# deal: cadogan:1') or a deck")
    found.game = facts["game"]
    found.digest = facts.get("digest")
    found.deal, found.deck = facts.get("deal"), facts.get("deck")
    return found


def file_name(record: Record, at: datetime) -> str:
    """A name for the file of a game."""
    game = re.sub(r"[^\w-]+", "-", record.game.name).strip("-")
    return f"{game[:60]}-{at:%Y%m%d-%H%M}.txt"
