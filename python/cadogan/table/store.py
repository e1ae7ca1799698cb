"""The store: every player's records on disk, in SQLite or PostgreSQL.

Everything passed to :meth:`Store.append` is on disk when it returns. Two servers may use one
database: an event has a number within its table, and a second event with the same number is
refused.
"""

import copy
import secrets
import sqlite3
import threading
import time
from collections.abc import Iterator, Mapping, MutableSequence, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, Self

from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    RowMapping,
    Table,
    bindparam,
    delete,
    func,
    insert,
    literal_column,
    select,
    update,
)
from sqlalchemy.exc import (
    IntegrityError,
    SQLAlchemyError,
)

from cadogan.i18n.text import gettext
from cadogan.storage import data_folder
from cadogan.table import schema
from cadogan.table.at_once import AtOnce
from cadogan.table.engines import StoreError, open_engine, postgresql
from cadogan.table.pages import is_broken_log
from cadogan.table.record import Event, Record
from cadogan.table.writer import MOST_ROWS_TOGETHER, Change, Writer
from cadogan.trouble import DamagedError, trouble

CHECK_SECONDS: Final = 5.0
"""The time limit for the check of a database when it is opened: enough for several gigabytes."""
_MOST_UNSAVED: Final = 10_000
_MOST_KEYS: Final = 500
SURE: Final = ("winnable", "unwinnable")
"""Verdicts that are final."""
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz0123456789"


# Built once: constructing the statements for every move takes longer than executing them.
_OWN_KEY: Final = (
    select(schema.tables.c.id)
    .where(
        schema.tables.c.id == bindparam("key"),
        schema.tables.c.player_id == bindparam("player"),
    )
    .scalar_subquery()
)
"""The key of a table if it is the player's, otherwise NULL."""
_ADD_EVENTS: Final = insert(schema.events)
_SUM_UP: Final = (
    update(schema.summaries)
    .where(
        schema.summaries.c.table_id == _OWN_KEY,
        # Check in the same transaction that the new events follow the stored ones.
        func.coalesce(
            select(func.max(schema.events.c.seq))
            .where(schema.events.c.table_id == bindparam("key"))
            .scalar_subquery(),
            literal_column("0"),
        )
        == bindparam("after"),
    )
    .values(
        {
            column.name: bindparam(column.name)
            for column in schema.summaries.c
            if column.name != "table_id"
        }
    )
)
_VERSION: Final = select(func.max(schema.events.c.seq)).where(schema.events.c.table_id == _OWN_KEY)
_EVENTS: Final = (
    select(schema.events)
    .where(schema.events.c.table_id == _OWN_KEY, schema.events.c.seq > bindparam("after"))
    .order_by(schema.events.c.seq)
)
_STRANDED: Final = select(func.count()).where(schema.stranded_events.c.table_id == _OWN_KEY)


class Conflict(Exception):  # noqa: N818 - not an error: another server was faster
    """Another server has added to the record since it was read."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """The unchanging facts of a table; see :data:`cadogan.table.schema.tables`."""

    id: str
    game: str
    digest: str
    deal: str | None
    deck: str | None
    root: str
    verdict: str
    autoplay: bool
    begun: datetime


_HIDDEN_STAY = timedelta(days=1)
UNREADABLE: Final = Event("goto", -1, {}, datetime.min.replace(tzinfo=UTC))
"""Represents an event with a damaged row. No record accepts it."""


@dataclass(frozen=True, slots=True)
class Addition:
    """New events of a record; see :meth:`Store.append`."""

    key: str
    after: int
    events: Sequence[Event]
    record: Record


def new_id() -> str:
    """A key that cannot be guessed."""
    return "".join(secrets.choice(_LETTERS) for _ in range(16))


class Store:
    """The database, as one player sees it.

    Everything that it reads and changes belongs to :attr:`player`, except verdicts and the texts of
    rules files, which are found by their digests. For another player see :meth:`of`.

    Args:
        url: The address, ``"postgresql://me@localhost/cadogan"``; by default a SQLite file
            in ``folder``.
        folder: The data folder; by default the user's.

    Attributes:
        player: The number of the player.

    Raises:
        StoreError: If the database cannot be opened.
    """

    def __init__(self, url: str | None = None, folder: Path | None = None) -> None:
        self.folder = data_folder() if folder is None else folder
        self.player = schema.PLAYER
        self.engine = open_engine(url, self.folder)
        self._writer = self.engine.execution_options(writes=True)
        # PostgreSQL groups commits itself.
        sqlite = self.engine.dialect.name == "sqlite"
        self._together = Writer(self._writer) if sqlite else None
        self._at_once = (
            None if sqlite else AtOnce(postgresql(self.engine.url, True), _SUM_UP, _ADD_EVENTS)
        )
        self._unsaved: dict[tuple[str, str], tuple[str, int]] = {}
        self._saving = threading.Lock()
        from cadogan.table.migrations import upgrade

        try:
            if sqlite:
                self._check()
            # A migration may take longer than a change.
            upgrade(self.engine.execution_options(patient=True))
        except Exception as fault:
            self.engine.dispose()
            if (known := trouble(fault)) is None:
                raise
            raise StoreError(
                gettext("the database cannot be opened: {reason}", reason=known.text), known.hint
            ) from None

    def _check(self) -> None:
        """Detects a damaged file before anything is written to it.

        Raises:
            DamagedError: If it is damaged.
        """
        file = self.engine.url.database
        if file and is_broken_log(Path(f"{file}-wal")):
            raise DamagedError("the write-ahead log is not valid")
        until = time.monotonic() + CHECK_SECONDS
        with self.engine.connect() as connection:
            driver: Any = connection.connection.dbapi_connection
            driver.set_progress_handler(lambda: time.monotonic() > until, 100_000)
            try:
                found = driver.execute("PRAGMA quick_check(1)").fetchone()
            except sqlite3.OperationalError as fault:
                if fault.sqlite_errorcode != sqlite3.SQLITE_INTERRUPT:
                    raise
                return  # The file is too large for a full check; what was checked is intact.
            finally:
                driver.set_progress_handler(None, 0)
        if found != ("ok",):
            raise DamagedError(found[0])

    def of(self, player: int) -> Self:
        """The same database, as another player sees it."""
        if player == self.player:
            return self
        view = copy.copy(self)
        view.player = player
        return view

    def mine(self, table: Table) -> ColumnElement[bool]:
        """The condition that a row belongs to the player."""
        return table.c.player_id == self.player

    def close(self) -> None:
        """Closes all connections."""
        if self._together is not None:
            self._together.close()
        for engine in self.engines:
            engine.dispose()

    @property
    def engines(self) -> list[Engine]:
        """All connections to the database: :attr:`engine`, and those of single changes."""
        return [self.engine] if self._at_once is None else [self.engine, self._at_once.engine]

    # Tables and their events.

    def begin(
        self,
        row: TableRow,
        record: Record,
        events: Sequence[Event] = (),
        closing: Addition | None = None,
    ) -> None:
        """Stores a new table with all its events, or nothing.

        Args:
            row: The table.
            record: Its record.
            events: The events of the record.
            closing: New events of another record, stored in the same transaction.

        Raises:
            Conflict: If that other record has changed.
        """
        values = {name: getattr(row, name) for name in TableRow.__slots__}
        values["player_id"] = self.player
        rows = _rows(row.id, 0, events)
        close = None if closing is None else self._adding(closing)

        def change(connection: Connection) -> None:
            if close is not None:
                close(connection)
            connection.execute(insert(schema.tables).values(values))
            connection.execute(insert(schema.summaries).values(_summary(record)))
            if rows:
                connection.execute(_ADD_EVENTS, rows)

        self.change(change, 3 + len(rows))

    def append(self, key: str, after: int, events: Sequence[Event], record: Record) -> None:
        """Adds events to a record; they are on disk when this returns.

        Args:
            key: The table.
            after: The version of the record that they follow.
            events: The events.
            record: The record with the new events, for its summary.

        Raises:
            Conflict: If the record has another version; nothing is stored then.
        """
        added = Addition(key, after, events, record)
        if self._at_once is None or len(events) != 1:
            self.change(self._adding(added), 1 + len(events))
            return
        (row,) = _rows(key, after, events)
        with _conflicts():
            if not self._at_once.add(self._summed(added), row):
                raise Conflict(key)

    def _summed(self, added: Addition) -> dict[str, Any]:
        """The values of the summary after new events, and where it belongs."""
        summary = _summary(added.record) | self._key(added.key)
        del summary["table_id"]
        return summary | {"after": added.after}

    def _adding(self, added: Addition) -> Change:
        """The change that adds events to a record."""
        summary = self._summed(added)
        rows = _rows(added.key, added.after, added.events)

        def change(connection: Connection) -> None:
            if connection.execute(_SUM_UP, summary).rowcount != 1:
                raise Conflict(added.key)
            if rows:
                connection.execute(_ADD_EVENTS, rows)

        return change

    def strand(self, record: Record, failed: Event | None) -> int:
        """Sets aside the events after a record, because they cannot be replayed.

        Args:
            record: The record, as far as it can be replayed.
            failed: The event after it, or ``None`` if that is missing and only later ones exist.

        Returns:
            How many events were set aside; 0 if the database has changed meanwhile.
        """
        table, aside = schema.events, schema.stranded_events
        behind = (table.c.table_id == record.key) & (table.c.seq > record.version)
        columns = [column.name for column in aside.c if column.name != "id"]
        found: list[int] = []

        def change(connection: Connection) -> None:
            found.clear()
            # Updating the summary locks it; others that add to the record wait for it.
            where = schema.summaries.c.table_id == record.key
            locked = update(schema.summaries).where(where)
            connection.execute(locked.values(version=schema.summaries.c.version))
            seq = connection.execute(select(func.min(table.c.seq)).where(behind)).scalar()
            at_hand: list[Event | None] = [None]
            if seq == record.version + 1:
                next_one = select(table).where(behind, table.c.seq == seq)
                at_hand.clear()
                with _readable(at_hand):
                    at_hand.append(_event(connection.execute(next_one).mappings().one()))
            if seq is None or at_hand != [failed]:
                return
            chosen = select(*(table.c[name] for name in columns)).where(behind)
            connection.execute(insert(aside).from_select(columns, chosen.order_by(table.c.seq)))
            gone = connection.execute(delete(table).where(behind))
            summary = _summary(record)
            connection.execute(update(schema.summaries).where(where).values(summary))
            found.append(gone.rowcount)

        self.change(change, MOST_ROWS_TOGETHER)
        return sum(found)

    def stranded(self, key: str) -> int:
        """How many events of a record were set aside."""
        with self.engine.connect() as connection:
            return connection.execute(_STRANDED, self._key(key)).scalar() or 0

    def set_unscored(self, digest: str) -> None:
        """Notes in the summaries of all tables with these rules that the game has no points."""
        tables, summaries = schema.tables, schema.summaries
        those = select(tables.c.id).where(tables.c.digest == digest, self.mine(tables))
        where = summaries.c.table_id.in_(those), summaries.c.scoring.is_(None)
        with self._writing() as connection:
            values = {"scoring": "none", "points_only": False}
            connection.execute(update(summaries).where(*where).values(values))

    def row(self, key: str) -> TableRow | None:
        """A table, or ``None`` if the key is unknown."""
        query = select(schema.tables).where(schema.tables.c.id == key, self.mine(schema.tables))
        with self.engine.connect() as connection:
            found = connection.execute(query).mappings().first()
        return None if found is None else _row(found)

    def owner(self, key: str) -> int | None:
        """The player to whom a table belongs."""
        query = select(schema.tables.c.player_id).where(schema.tables.c.id == key)
        with self.engine.connect() as connection:
            return connection.execute(query).scalar()

    def version(self, key: str) -> int:
        """The number of events of a record."""
        with self.engine.connect() as connection:
            return connection.execute(_VERSION, self._key(key)).scalar() or 0

    def _key(self, key: str) -> dict[str, Any]:
        return {"key": key, "player": self.player}

    def versions(self, keys: Sequence[str]) -> dict[str, int]:
        """The versions of some tables, of any players; those that do not exist are left out."""
        table = schema.summaries
        found: dict[str, int] = {}
        with self.engine.connect() as connection:
            for first in range(0, len(keys), _MOST_KEYS):
                some = table.c.table_id.in_(keys[first : first + _MOST_KEYS])
                query = select(table.c.table_id, table.c.version).where(some)
                found |= {row.table_id: row.version for row in connection.execute(query)}
        return found

    def events(self, key: str, after: int = 0) -> list[Event]:
        """The events of a record after a version, in order, up to the first gap.

        An unreadable event is :data:`UNREADABLE` and ends the list.
        """
        found: list[Event] = []
        with self.engine.connect() as connection:
            rows = connection.execute(_EVENTS, {**self._key(key), "after": after}).mappings()
            with _readable(found):
                for row in rows:
                    if row["seq"] != after + len(found) + 1:
                        break
                    found.append(_event(row))
        return found

    def tables(
        self, *, game: str | None = None, opened: bool = False, limit: int | None = None
    ) -> list[tuple[TableRow, Mapping[str, Any]]]:
        """Tables and their summaries, the most recently played first.

        Args:
            game: Only tables of this game, with any variants.
            opened: Only open tables.
            limit: The largest number of tables.
        """
        summaries, tables = schema.summaries, schema.tables
        query = select(tables, summaries).join(summaries).where(self.mine(tables))
        query = query.order_by(summaries.c.played.desc())
        if game is not None:
            query = query.where((tables.c.game == game) | tables.c.game.startswith(f"{game}:"))
        if opened:
            query = query.where(~summaries.c.closed)
        if limit is not None:
            query = query.limit(limit)
        with self.engine.connect() as connection:
            found = connection.execute(query).mappings().all()
        return [(_row(row), _dated(row, "played", "ended")) for row in found]

    # Known verdicts.

    def verdict(self, digest: str, position: str) -> str | None:
        """The stored verdict on a position: ``"winnable"``, ``"unwinnable"`` or ``"unknown"``."""
        table = schema.verdicts
        query = select(table.c.status).where(table.c.digest == digest, table.c.hash == position)
        with self.engine.connect() as connection:
            return connection.execute(query).scalar()

    def save_verdict(self, digest: str, position: str, status: str, nodes: int) -> None:
        """Stores the verdict of a search. A final verdict is never overwritten.

        The caller need not handle problems of the database: if it is locked or away, the verdict is
        stored together with the next one.
        """
        with self._saving:
            if self._unsaved.get((digest, position), ("", 0))[0] not in SURE:
                self._unsaved[digest, position] = status, nodes
            waiting = dict(self._unsaved)
            try:
                with self._writing() as connection:
                    for key, value in waiting.items():
                        _add_verdict(connection, *key, *value)
            except SQLAlchemyError as fault:
                if trouble(fault) is None:
                    raise
                while len(self._unsaved) > _MOST_UNSAVED:
                    del self._unsaved[next(iter(self._unsaved))]
            else:
                self._unsaved.clear()

    def verdicts(self) -> dict[tuple[str, str], str]:
        """The verdicts of the deals of all tables, by digest and hash."""
        table, tables = schema.verdicts, schema.tables
        query = select(table.c.digest, table.c.hash, table.c.status).where(
            table.c.hash.in_(select(tables.c.root).where(self.mine(tables)))
        )
        with self.engine.connect() as connection:
            return {(row[0], row[1]): row[2] for row in connection.execute(query)}

    # The player's own rules, favourites and settings.

    def save_rules(self, name: str, text: str) -> None:
        """Stores a rules file."""
        with self._writing() as connection:
            where = (schema.rules.c.name == name) & self.mine(schema.rules)
            connection.execute(delete(schema.rules).where(where))
            values = {"name": name, "text": text, "added": now(), "hidden": False}
            values["player_id"] = self.player
            connection.execute(insert(schema.rules).values(values))

    def rules(self) -> dict[str, tuple[str, bool]]:
        """The texts of all rules files by name, and whether they are hidden."""
        with self.engine.connect() as connection:
            query = select(schema.rules).where(self.mine(schema.rules))
            rows = connection.execute(query.order_by(schema.rules.c.added))
            return {row.name: (row.text, row.hidden) for row in rows}

    def has_rules(self, name: str) -> bool:
        """Whether the player has a rules file."""
        table = schema.rules
        with self.engine.connect() as connection:
            query = select(table.c.name).where(table.c.name == name, self.mine(table))
            return connection.execute(query).first() is not None

    def rules_text(self, name: str) -> str | None:
        """The text of anybody's rules file: its name has the digest of the text.

        Only for games that were loaded for their player before.
        """
        table = schema.rules
        # Old names have short digests: then the player's own text comes first.
        query = select(table.c.text).where(table.c.name == name)
        query = query.order_by(table.c.player_id != self.player).limit(1)
        with self.engine.connect() as connection:
            return connection.execute(query).scalar()

    def hide_rules(self, name: str) -> None:
        """Hides a rules file from the list. Its text stays, because tables may need it."""
        with self._writing() as connection:
            where = (schema.rules.c.name == name) & self.mine(schema.rules)
            connection.execute(update(schema.rules).where(where).values(hidden=True))

    def drop_unused_rules(self) -> None:
        """Deletes hidden rules files that no table uses.

        They stay for a day, because a browser may still have one open and deal it.
        """
        rules, tables = schema.rules, schema.tables
        dealt = select(tables.c.id).where(
            (tables.c.game == rules.c.name) | tables.c.game.startswith(rules.c.name + ":"),
            self.mine(tables),
        )
        old = rules.c.added < now() - _HIDDEN_STAY
        with self._writing() as connection:
            unused = rules.c.hidden, old, ~dealt.exists(), self.mine(rules)
            connection.execute(delete(rules).where(*unused))

    def favourites(self) -> set[str]:
        """The names of the player's favourite games."""
        with self.engine.connect() as connection:
            query = select(schema.favourites.c.game).where(self.mine(schema.favourites))
            return set(connection.execute(query).scalars())

    def set_favourite(self, game: str, favourite: bool) -> None:
        """Makes a game a favourite, or removes it from the favourites."""
        table = schema.favourites
        with self._writing() as connection:
            connection.execute(delete(table).where(table.c.game == game, self.mine(table)))
            if favourite:
                connection.execute(insert(table).values(game=game, player_id=self.player))

    def setting(self, key: str) -> Any:
        """A setting, or ``None``."""
        table = schema.settings
        with self.engine.connect() as connection:
            query = select(table.c.value).where(table.c.key == key, self.mine(table))
            return connection.execute(query).scalar()

    def set_setting(self, key: str, value: Any) -> None:
        """Stores a setting."""
        table = schema.settings
        with self._writing() as connection:
            connection.execute(delete(table).where(table.c.key == key, self.mine(table)))
            values = {"key": key, "value": value, "player_id": self.player}
            connection.execute(insert(table).values(values))

    def change(self, change: Change, rows: int) -> None:
        """Makes a change that is on disk when this returns.

        Raises:
            Conflict: If another server was faster.
        """
        with _conflicts():
            if self._together is None:
                with self._writing() as connection:
                    change(connection)
            else:
                self._together.write(change, rows)

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        """A transaction that is on disk when it ends."""
        with self._writer.begin() as connection:
            yield connection


@contextmanager
def _conflicts() -> Iterator[None]:
    """Reports that another server was faster, which a key that is there already shows."""
    try:
        yield
    except IntegrityError as error:
        raise Conflict(str(error.orig)) from error


def _add_verdict(
    connection: Connection, digest: str, position: str, status: str, nodes: int
) -> None:
    table = schema.verdicts
    where = (table.c.digest == digest) & (table.c.hash == position)
    known = connection.execute(select(table.c.status).where(where)).scalar()
    if known in SURE:
        return
    connection.execute(delete(table).where(where))
    values = {"digest": digest, "hash": position, "status": status, "nodes": nodes}
    connection.execute(insert(table).values(values))


def now() -> datetime:
    """The current time, UTC."""
    return datetime.now(UTC)


def _summary(record: Record) -> dict[str, Any]:
    book = record.game.rulebook
    score = book.score
    return {
        "table_id": record.key,
        "version": record.version,
        "turn": record.position.move_count,
        "made": record.made,
        "outcome": record.position.outcome,
        "won": record.won,
        "closed": record.closed,
        "seconds": record.seconds,
        "played": record.played,
        "ended": record.ended,
        "scoring": "none" if score is None else score.aim,
        "points_only": score is not None and score.won_from is None and not book.aim,
        "points": record.points,
    }


def _rows(key: str, after: int, events: Sequence[Event]) -> list[dict[str, Any]]:
    return [
        {"table_id": key, "seq": after + index, "kind": each.kind, "node": each.node,
         "data": dict(each.data), "at": each.at}
        for index, each in enumerate(events, 1)
    ]  # fmt: skip


@contextmanager
def _readable(found: MutableSequence[Any]) -> Iterator[None]:
    """Ends a list of events with :data:`UNREADABLE` if one cannot be read."""
    try:
        yield
    except (TypeError, ValueError):
        found.append(UNREADABLE)


def _event(row: RowMapping) -> Event:
    return Event(row["kind"], row["node"], row["data"], utc(row["at"]))


def _row(found: RowMapping) -> TableRow:
    values: dict[str, Any] = {name: found[name] for name in TableRow.__slots__}
    return TableRow(**{**values, "begun": utc(values["begun"])})


def _dated(row: RowMapping, *names: str) -> dict[str, Any]:
    values = dict(row)
    for name in names:
        if values[name] is not None:
            values[name] = utc(values[name])
    return values


def utc(at: datetime) -> datetime:
    """Restores the time zone, which SQLite does not store; all times are UTC."""
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
