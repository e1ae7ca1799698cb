"""Copies what is undamaged in a damaged database into a new one.

The damaged file is copied first and never changed. Rows are read by SQLite, from both ends of each
table up to the damage, and then page by page (:mod:`cadogan.table.pages`). In the new database a
player's table has its events up to the first that is missing or cannot be replayed. Later events
are set aside there. Its summary is rebuilt.
"""

import contextlib
import json
import re
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from sqlalchemy import JSON, Boolean, Column, DateTime, Float, String, Table, Text

from cadogan.cards import CardError
from cadogan.deals import DealError, DeckError
from cadogan.rules import RulesError, UnknownGameError, catalogue
from cadogan.savefile import SavedGameError
from cadogan.table import pages, schema
from cadogan.table.engines import FILE
from cadogan.table.library import OWN, Library
from cadogan.table.service import Tables
from cadogan.table.store import SURE, Store

Row = tuple[Any, ...]
_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?")
PLAYER_ID: Final = "player_id"
_KINDS: Final = ("move", "goto", "mark", "options", "close")


class RescueError(ValueError):
    """The database cannot be rescued; the message says why."""


@dataclass(frozen=True, slots=True)
class Loss:
    """A table that was lost or rescued only in part.

    Attributes:
        key: Its key.
        game: Its game; ``None`` if that is lost, too.
        deal: The name of its deal, if it has one and it is known.
        rescued: How many events were rescued.
        changes: How many events there were, as far as is known.
        reason: Why the table could not be rescued at all; ``None`` if it was rescued in part.
    """

    key: str
    game: str | None
    deal: str | None
    rescued: int
    changes: int
    reason: str | None = None


@dataclass(slots=True)
class Rescue:
    """The result of a rescue.

    Attributes:
        to: The new database.
        whole: How many tables were rescued completely.
        losses: The tables that were lost or rescued only in part.
        other: How many other rows were rescued, by kind.
        damaged: Whether the old file was damaged at all.
    """

    to: Path
    whole: int = 0
    losses: list[Loss] = field(default_factory=list)
    other: dict[str, int] = field(default_factory=dict)
    damaged: bool = False


def rescue(file: Path, to: Path) -> Rescue:
    """Copies what is undamaged into a new database.

    Args:
        file: The damaged SQLite database. It is not changed.
        to: The new database. The file must not exist.

    Returns:
        What was rescued and what was not.

    Raises:
        RescueError: If there is nothing to rescue, or the new file exists already.
        OSError: If a file cannot be read or written.
    """
    if not file.is_file():
        raise RescueError(f"{file} is not a file" if file.exists() else f"{file} does not exist")
    if to.exists():
        raise RescueError(f"{to} exists already and is not overwritten")
    with tempfile.TemporaryDirectory(prefix=".rescue-", dir=to.parent) as name:
        folder = Path(name)
        copies = _copied(file, folder)
        with contextlib.closing(_staging(folder / "found.sqlite3")) as staging:
            found = Rescue(to, damaged=_gather(staging, copies))
            if not any(_count(staging, kind) for kind in _KNOWN):
                raise RescueError(f"{file} holds no data of a Cadogan database")
            new = folder / "new"
            store = Store(folder=new)
            try:
                _fill(staging, new / FILE, found)
                _replay(store, staging, found)
            finally:
                store.close()
        # An existing file was refused above; this also catches two rescues at the same time.
        with to.open("x"):
            pass
        (new / FILE).replace(to)
    return found


# Reading.


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and 0 <= value < 2**31


def _is_json(value: Any) -> bool:
    try:
        return isinstance(json.loads(value), dict)
    except (TypeError, ValueError, RecursionError):
        return False


def _is_date(value: Any) -> bool:
    if not isinstance(value, str) or _DATE.fullmatch(value) is None:
        return False
    try:
        datetime.fromisoformat(value)
    except ValueError:
        return False
    return True


def _is_game(value: Any) -> bool:
    named = isinstance(value, str)
    return named and (value.startswith(OWN) or value.split(":")[0] in catalogue())


_LEFT: Final = frozenset({"searches", "jobs", "attempts", "sessions", "invitations"})
"""Tables that are not rescued: searches begin again, attempts are forgotten, players log in again,
and hosts invite again."""
_FIRST: Final = frozenset(
    {"tables", "events", "summaries", "verdicts", "rules", "favourites", "settings"}
)
"""Tables that all versions have."""
_SOME_COLUMNS: Final = {
    "verdicts": ("digest", "hash", "status", "nodes"),
    # Only used to know how many events there were; summaries are rebuilt.
    "summaries": ("table_id", "version"),
}
"""The columns that are read of tables that are not rescued as they are."""
_RARE: Final = (
    "favourites", "settings", "rules", "ratings", "hinted", "challenges", "challenge_results",
    "shown_tables",
)  # fmt: skip
"""Rows that may be changed or deleted: old ones must not return if nothing is damaged."""
_OF_ONE_LENGTH: Final = frozenset(
    {"id", "table_id", "digest", "hash", "root", "puzzle", "challenge", "day"}
)
"""Texts that are always as long as their column is wide."""
_MORE: Final[dict[str, Callable[[dict[str, Any]], bool]]] = {
    "tables": lambda row: bool(row["deal"] or row["deck"]),
    "events": lambda row: row["kind"] in _KINDS,
    "stranded_events": lambda row: row["kind"] in _KINDS,
    "verdicts": lambda row: row["status"] in (*SURE, "unknown"),
    "rules": lambda row: row["name"].startswith(OWN) and row["text"],
    "settings": lambda row: row["key"] == "settings",
    "favourites": lambda row: _is_game(row["game"]),
    "first_tries": lambda row: _is_game(row["game"]),
    "daily_results": lambda row: _is_game(row["game"]) and row["line"],
    "challenges": lambda row: _is_game(row["game"]) and bool(row["deal"] or row["deck"]),
    "players": lambda row: _is_number(row["id"]) and row["password"].startswith("$argon2"),
}
"""What else is known of the rows of a table."""


def _fits(column: Column[Any], value: Any) -> bool:
    """Whether a value can stand in a column."""
    if value is None:
        return bool(column.nullable)
    match column.type:
        case Text():
            return isinstance(value, str)
        case String(length=length):
            fixed = column.name in _OF_ONE_LENGTH
            return isinstance(value, str) and (len(value) == length if fixed else value != "")
        case Boolean():
            return value in (0, 1)
        case Float():
            return isinstance(value, float | int)
        case DateTime():
            return _is_date(value)
        case JSON():
            return _is_json(value)
        case _:
            return _is_number(value) if column.name == PLAYER_ID else isinstance(value, int)


@dataclass(frozen=True, slots=True)
class _Known:
    """A database table: the columns that are read, and how its rows are recognized."""

    table: Table
    columns: tuple[str, ...]

    @property
    def key(self) -> int:
        """How many columns are the primary key, without the player."""
        return sum(each.name != PLAYER_ID for each in self.table.primary_key)

    @property
    def has_player(self) -> bool:
        """Whether its last column is a player, which rows of older versions do not have."""
        return self.columns[-1] == PLAYER_ID

    def whole(self, row: Row) -> Row:
        """A row with its player, if it does not say which: the one at the machine."""
        is_old = self.has_player and len(row) == len(self.columns) - 1
        return (*row, schema.PLAYER) if is_old else row[: len(self.columns)]

    def is_good(self, row: Row) -> bool:
        """Whether a row is one of this table."""
        named = dict(zip(self.columns, row, strict=True))
        if not all(_fits(self.table.c[name], value) for name, value in named.items()):
            return False
        more = _MORE.get(self.table.name)
        return more is None or bool(more(named))


def _known(table: Table) -> _Known:
    stored = tuple(each.name for each in table.columns if each.computed is None)
    return _Known(table, _SOME_COLUMNS.get(table.name, stored))


_KNOWN: Final = {
    table.name: _known(table) for table in schema.metadata.sorted_tables if table.name not in _LEFT
}
_WHOLE: Final = tuple(
    name for name in _KNOWN if name not in ("events", "stranded_events", "summaries")
)
"""Tables whose rows are copied as they are."""


def _copied(file: Path, folder: Path) -> list[Path]:
    """Copies the database twice: with its write-ahead log, and without."""
    log = file.with_name(f"{file.name}-wal")
    copies = []
    if log.is_file() and log.stat().st_size:
        both = folder / "both.sqlite3"
        shutil.copyfile(file, both)
        shutil.copyfile(log, f"{both}-wal")
        # Keep another copy: SQLite empties the log when it closes the database.
        shutil.copyfile(log, folder / "log")
        copies.append(both)
    alone = folder / "alone.sqlite3"
    shutil.copyfile(file, alone)
    return [*copies, alone]


def _staging(path: Path) -> sqlite3.Connection:
    """Creates a database that collects all rows, wherever they are found."""
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = OFF")
    connection.execute("PRAGMA synchronous = OFF")
    for name, known in _KNOWN.items():
        columns, key = ", ".join(known.columns), ", ".join(known.columns[: known.key])
        if known.has_player and name != "tables":
            key += f", {PLAYER_ID}"
        connection.execute(f"CREATE TABLE {name} ({columns}, PRIMARY KEY ({key})) WITHOUT ROWID")
    return connection


def _count(staging: sqlite3.Connection, name: str) -> int:
    number: int = staging.execute(f"SELECT COUNT(*) FROM {name}").fetchone()[0]
    return number


def _gather(staging: sqlite3.Connection, copies: list[Path]) -> bool:
    """Collects all rows; returns whether there was any damage."""
    log = copies[0].parent / "log"
    damaged = pages.is_broken_log(log)
    torn: set[str] = set()
    for place, copy in enumerate(copies):
        if place and not damaged:
            break
        whole, lost = _by_sqlite(staging, copy)
        damaged |= not whole
        if place == 0:
            torn = lost
    if damaged:
        kinds = [name for name in _KNOWN if name not in ("summaries", "stranded_events")]
        kinds = [name for name in kinds if name not in _RARE or name in torn]
        by_width: dict[int, list[str]] = {}
        for name in kinds:
            width = len(_KNOWN[name].columns)
            by_width.setdefault(width, []).append(name)
            if _KNOWN[name].has_player:
                by_width.setdefault(width - 1, []).append(name)
        # Columns that were added in later versions stand at the end.
        by_width.setdefault(len(_KNOWN["events"].columns) + 1, []).append("events")
        for row in pages.rows(copies[-1], log):
            for name in by_width.get(len(row), ()):
                known = _KNOWN[name]
                _add(staging, name, known, [known.whole(row)])
    return damaged


def _by_sqlite(staging: sqlite3.Connection, file: Path) -> tuple[bool, set[str]]:
    """Collects what SQLite reads; returns whether all is undamaged, and the damaged tables."""
    torn: set[str] = set()
    try:
        with contextlib.closing(sqlite3.connect(file, isolation_level=None)) as connection:
            connection.text_factory = _text
            check = connection.execute("PRAGMA quick_check(1)").fetchone()
            whole = check == ("ok",)
            query = "SELECT name FROM sqlite_master WHERE type = 'table'"
            there = {name for (name,) in connection.execute(query)}
            for name, known in _KNOWN.items():
                if name not in _FIRST and name not in there:
                    continue  # Older versions do not have this table.
                if not _read(staging, connection, name, known):
                    torn.add(name)
    except sqlite3.Error:
        return False, set(_KNOWN)
    return whole and not torn, torn


def _text(value: bytes) -> str | bytes:
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value


def _read(
    staging: sqlite3.Connection, connection: sqlite3.Connection, name: str, known: _Known
) -> bool:
    """Collects the rows of a table from both ends; returns whether it is undamaged."""
    query = f"SELECT name FROM pragma_table_info('{name}')"
    try:
        there = {found for (found,) in connection.execute(query)}
    except sqlite3.Error:
        return False
    # Databases of older versions do not name players.
    columns = ", ".join(
        str(schema.PLAYER) if each == PLAYER_ID and each not in there else each
        for each in known.columns
    )
    for order in ("ASC", "DESC"):
        try:
            cursor = connection.execute(f"SELECT {columns} FROM {name} ORDER BY rowid {order}")
            good = True
            while found := cursor.fetchmany(1000):
                good &= _add(staging, name, known, found)
        except sqlite3.Error:
            # Rows were read a thousand at a time; read those just before the damage one by one.
            with contextlib.suppress(sqlite3.Error):
                cursor = connection.execute(f"SELECT {columns} FROM {name} ORDER BY rowid {order}")
                while (row := cursor.fetchone()) is not None:
                    _add(staging, name, known, [row])
        else:
            return good
    return False


def _add(staging: sqlite3.Connection, name: str, known: _Known, found: Iterable[Row]) -> bool:
    """Stores rows that look valid; returns whether all do."""
    found = list(found)
    good = [row for row in found if known.is_good(row)]
    placeholders = ", ".join("?" * len(known.columns))
    staging.executemany(f"INSERT OR IGNORE INTO {name} VALUES ({placeholders})", good)
    return len(good) == len(found)


# Writing.


def _fill(staging: sqlite3.Connection, new: Path, found: Rescue) -> None:
    """Writes all rows into the new database; events behind a gap are set aside."""
    with contextlib.closing(sqlite3.connect(new, isolation_level=None)) as connection:
        connection.execute("BEGIN IMMEDIATE")
        for name in _WHOLE:
            known = _KNOWN[name]
            placeholders = ", ".join("?" * len(known.columns))
            cursor = connection.executemany(
                f"INSERT INTO {name} ({', '.join(known.columns)}) VALUES ({placeholders})",
                staging.execute(f"SELECT * FROM {name}"),
            )
            if name != "tables" and (cursor.rowcount > 0 or name in _FIRST):
                found.other[name] = max(0, cursor.rowcount)
        # Older versions do not say that the ratings of puzzles belong to no player.
        connection.execute(
            f"UPDATE OR REPLACE ratings SET {PLAYER_ID} = ? WHERE key <> 'player'",
            (schema.SHARED,),
        )
        columns = ", ".join(_KNOWN["events"].columns)
        for name, behind in (("events", False), ("stranded_events", True)):
            connection.executemany(
                f"INSERT INTO {name} ({columns}) VALUES (?, ?, ?, ?, ?, ?)",
                _events(staging, behind=behind),
            )
        # Events that were set aside before stay so.
        connection.executemany(
            f"INSERT INTO stranded_events ({columns}) VALUES (?, ?, ?, ?, ?, ?)",
            staging.execute(
                f"SELECT {columns} FROM stranded_events "
                "WHERE table_id IN (SELECT id FROM tables) ORDER BY id"
            ),
        )
        connection.execute(
            "INSERT INTO summaries (table_id, version, turn, made, won, closed, seconds, played) "
            "SELECT id, 0, 0, 0, 0, 0, 0, begun FROM tables"
        )
        connection.execute("COMMIT")


def _events(staging: sqlite3.Connection, *, behind: bool) -> Iterator[Row]:
    """The events of all tables before the first gap of each, or those behind the gap."""
    table, seq = "", 0
    query = "SELECT * FROM events WHERE table_id IN (SELECT id FROM tables) ORDER BY table_id, seq"
    for row in staging.execute(query):
        if row[0] != table:
            table, seq = row[0], 0
        if row[1] == seq + 1:
            seq += 1
            if not behind:
                yield row
        elif behind:
            yield row


def _replay(store: Store, staging: sqlite3.Connection, found: Rescue) -> None:
    """Replays all tables and rebuilds their summaries."""
    library = Library(store)
    tables = Tables(store, library)
    expected = dict(
        staging.execute(
            "SELECT key, MAX(number) FROM ("
            "SELECT table_id AS key, version AS number FROM summaries UNION ALL "
            "SELECT table_id, MAX(seq) FROM events GROUP BY table_id) GROUP BY key"
        )
    )
    listed = staging.execute(
        "SELECT id, game, deal, player_id FROM tables ORDER BY begun, id"
    ).fetchall()
    for key, game, deal, player in listed:
        changes = expected.pop(key, 0)
        own = store.of(player)
        try:
            record = tables.of(player).get(key)
        except (UnknownGameError, RulesError, DealError, DeckError, CardError) as fault:
            is_rules = isinstance(fault, (UnknownGameError, RulesError))
            reason = "its rules file is lost or has faults" if is_rules else "its deal is lost"
            _remove(store, key)
            found.losses.append(Loss(key, game, deal, 0, changes, reason))
            continue
        except SavedGameError as fault:
            # The file is not at fault: the rules have changed, and may change back.
            rescued = own.version(key)
            found.losses.append(Loss(key, game, deal, rescued, max(rescued, changes), str(fault)))
            continue
        own.append(key, record.version, (), record)  # updates the summary
        if record.version < changes:
            found.losses.append(Loss(key, game, deal, record.version, changes))
        else:
            found.whole += 1
    for key, changes in sorted(expected.items()):
        found.losses.append(Loss(key, None, None, 0, changes, "its game and deal are lost"))


def _remove(store: Store, key: str) -> None:
    """Removes a table that cannot be replayed from the new database."""
    with store.engine.execution_options(writes=True).begin() as connection:
        for table in (schema.events, schema.stranded_events, schema.summaries):
            connection.execute(table.delete().where(table.c.table_id == key))
        connection.execute(schema.tables.delete().where(schema.tables.c.id == key))
