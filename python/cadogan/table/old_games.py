"""Imports the games that older versions of the terminal stored as files.

They are JSON files under ``games/`` in the data folder. At the first start each becomes a table of
the store, and its file is renamed; nothing is deleted.
"""

import hashlib
import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from cadogan.game import Position
from cadogan.moves import MoveError
from cadogan.reading import TooLargeFileError, read_text
from cadogan.savefile import SavedGameError
from cadogan.table.library import FaultyGameError, Library, LibraryFullError
from cadogan.table.record import By, Draft, Event, Options, Record, TooLongError
from cadogan.table.service import Tables
from cadogan.table.store import new_id, now
from cadogan.table.trials import TooManyTrialsError
from cadogan.trouble import trouble

FORMAT: Final = 1
"""The version of the format of a session: a position and the moves that redo would play."""

STORED: Final = ".stored"
"""The suffix of the name of a file whose game is in the store."""

UNREADABLE: Final = ".unreadable"

_BEGUN = re.compile(r"(\d{8}-\d{6})-[0-9a-f]+\.json")


@dataclass(frozen=True, slots=True)
class Problem:
    """A file that could not be moved into the store.

    Attributes:
        path: The file.
        reason: What is wrong.
        aside: Its new name; ``None`` if it stays where it is and is tried again at the next start.
    """

    path: Path
    reason: str
    aside: Path | None

    def __str__(self) -> str:
        return f"cannot move the game in {self.path} to the list of games: {self.reason}"


@dataclass(frozen=True, slots=True)
class OldGame:
    """The content of an old file, checked by replaying it.

    Attributes:
        position: The current position.
        ahead: The positions that redo would reach, each played from the one before.
    """

    position: Position
    ahead: tuple[Position, ...]

    def draft(self, key: str, begun: datetime, played: datetime, by: By, options: Options) -> Draft:
        """The game as a record.

        key: The key of its table.
        begun: When it was dealt.
        played: The time of the last move. The earlier moves are spread evenly in between.
        by: Who made the moves.
        options: The options of the table.
        """
        line = [self.position]
        while line[-1].move_count:
            line.append(line[-1].undo())
        moved = [*line[-2::-1], *self.ahead]
        draft = Draft(Record.dealt(key, line[-1], begun, options))
        for index, position in enumerate(moved, 1):
            assert position.last_move is not None
            at = begun + (played - begun) * index / len(moved)
            draft.play(position.last_move, by, at, after=position)
        if self.ahead:
            draft.add(Event("goto", self.position.move_count, {"how": "undo"}, played))
        return draft


def is_old(text: str) -> bool:
    """Whether the text of a file is a game in the old format: it is JSON."""
    return text.lstrip("\ufeff \t\r\n")[:1] in ("{", "[")


def read_old(text: str, library: Library) -> OldGame:
    """Reads a game in the old format, and stores its rules file if it has one.

    Args:
        text: A session, or a text from :meth:`cadogan.Position.to_json`.
        library: The games.

    Raises:
        SavedGameError: If the text is damaged, or the rules have changed.
        LibraryFullError, FaultyGameError, TooManyTrialsError: If the rules file cannot be stored.
    """
    redo: Any = []
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SavedGameError(f"not a saved game: {error}") from None
    if isinstance(data, dict) and "session" in data:
        if data["session"] != FORMAT:
            raise SavedGameError(
                f"saved as session {data['session']!r}, but this version of Cadogan reads "
                f"session {FORMAT}"
            )
        text, redo = json.dumps(data.get("position")), data.get("redo")
    position = Position.from_json(text)
    if library.is_file(position.game.name):
        own = library.named(position.game.name)
        position = Position.from_json(text, library.load(own))
    if not isinstance(redo, list) or not all(isinstance(move, str) for move in redo):
        raise SavedGameError("damaged: the undone moves are not a list of texts")
    ahead: list[Position] = []
    for move in redo:
        try:
            ahead.append((ahead[-1] if ahead else position).play(move))
        except MoveError as error:
            raise SavedGameError(f"damaged: an undone move is illegal: {error}") from None
    return OldGame(position, tuple(ahead))


def load_old(text: str, tables: Tables) -> Record:
    """Begins a table with a game in the old format. Like all loaded games it does not count.

    Raises:
        SavedGameError, LibraryFullError, FaultyGameError, TooManyTrialsError: As :func:`read_old`.
    """
    at = now()
    draft = read_old(text, tables.library).draft(new_id(), at, at, "brought", tables.options())
    tables.take_over(draft)
    return draft.record()


def take_over(tables: Tables) -> list[Problem]:
    """Imports the games that older versions stored as files.

    A file is renamed after its game is stored. If the program is killed in between, the next start
    finds the table and renames the file. A file that cannot be read is renamed, too, and reported.

    Args:
        tables: The tables, whose data folder has the files.

    Returns:
        The files that could not be imported.
    """
    folder = tables.store.folder / "games"
    found: list[Problem] = []
    for path in sorted(folder.glob("*/*.json")):
        try:
            _take_over(path, tables)
            with suppress(OSError):  # Then the next start renames it.
                _set_aside(path, STORED)
        except (SavedGameError, TooLargeFileError, UnicodeDecodeError, TooLongError) as fault:
            aside = None
            with suppress(OSError):
                aside = _set_aside(path, UNREADABLE)
            found.append(Problem(path, str(fault), aside))
        except (LibraryFullError, FaultyGameError, TooManyTrialsError) as fault:
            found.append(Problem(path, str(fault), None))
        except FileNotFoundError:
            continue  # Another program started at the same time and was faster.
        except Exception as fault:
            if (known := trouble(fault)) is None:
                raise
            found.append(Problem(path, known.text, None))
    return found


def _take_over(path: Path, tables: Tables) -> None:
    text = read_text(path)
    named = f"{path.parent.name}/{path.name}\n{text}"
    key = hashlib.sha256(named.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    if tables.store.row(key) is not None:
        return
    played = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    begun = min(_begun(path) or played, played)
    game = read_old(text, tables.library)
    tables.take_over(game.draft(key, begun, played, "player", tables.options()))


def _begun(path: Path) -> datetime | None:
    """When a game was begun, by the name of its file."""
    match = _BEGUN.fullmatch(path.name)
    with suppress(ValueError, OverflowError, OSError):
        if match is not None:
            return datetime.strptime(match[1], "%Y%m%d-%H%M%S").astimezone(UTC)
    return None


def _set_aside(path: Path, ending: str) -> Path:
    """Renames a file to a name that no other file has."""
    aside = next(each for each in _names(path, ending) if not each.exists())
    return path.rename(aside)


def _names(path: Path, ending: str) -> Iterator[Path]:
    yield path.with_name(path.name + ending)
    number = 1
    while True:
        number += 1
        yield path.with_name(f"{path.name}{ending}-{number}")
