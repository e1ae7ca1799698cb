"""The store: every player's record on disk, in SQLite or in PostgreSQL.

What :meth:`Store.append` was told is on the disk when it returns. Two servers may use one store:
an event has a number within its table, and of two that claim the same number one is refused.
"""

import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from sqlalchemy import (
    Connection,
    Engine,
    RowMapping,
    bindparam,
    create_engine,
    delete,
    event,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, IntegrityError, NoSuchModuleError, OperationalError

from cadogan.storage import data_folder
from cadogan.table import schema
from cadogan.table.record import Event, Record
from cadogan.table.writer import Writer

FILE: Final = "tables.sqlite3"
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz0123456789"


# What is done at every move is written once; to put it together takes longer than to do it.
_ADD_EVENTS: Final = insert(schema.events)
_SUM_UP: Final = (
    update(schema.summaries)
    .where(schema.summaries.c.table_id == bindparam("key"))
    .values(
        {
            column.name: bindparam(column.name)
            for column in schema.summaries.c
            if column.name != "table_id"
        }
    )
)
_VERSION: Final = select(func.max(schema.events.c.seq)).where(
    schema.events.c.table_id == bindparam("key")
)


class StoreError(RuntimeError):
    """The database cannot be used; the message says why, and what would help.

    Attributes:
        hint: What would help.
    """

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


class Conflict(Exception):  # noqa: N818 - nobody's error: somebody else was quicker
    """Somebody else has added to the record since it was read."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """What does not change at a table; see :data:`cadogan.table.schema.tables`."""

    id: str
    game: str
    digest: str
    deal: str | None
    deck: str | None
    root: str
    verdict: str
    autoplay: bool
    begun: datetime


def new_id() -> str:
    """A name that nobody guesses."""
    return "".join(secrets.choice(_LETTERS) for _ in range(16))


class Store:
    """The database.

    Args:
        url: Of the database, ``"postgresql://me@localhost/cadogan"``; by default a file of SQLite
            in ``folder``.
        folder: The data folder; by default the user's.

    Raises:
        StoreError: If the database cannot be opened.
    """

    def __init__(self, url: str | None = None, folder: Path | None = None) -> None:
        self.folder = data_folder() if folder is None else folder
        self.engine = _engine(url, self.folder)
        self._writer = self.engine.execution_options(writes=True)
        # PostgreSQL brings commits together by itself.
        sqlite = self.engine.dialect.name == "sqlite"
        self._together = Writer(self._writer) if sqlite else None
        from cadogan.table.migrations import upgrade

        try:
            upgrade(self.engine)
        except OperationalError as error:
            raise StoreError(f"the database cannot be opened: {_plain(error)}") from None

    def close(self) -> None:
        """Closes all connections."""
        if self._together is not None:
            self._together.close()
        self.engine.dispose()

    # Tables and their events.

    def begin(self, row: TableRow, record: Record) -> None:
        """Keeps a table that begins."""
        with self._writing() as connection:
            values = {name: getattr(row, name) for name in TableRow.__slots__}
            connection.execute(insert(schema.tables).values(values))
            connection.execute(insert(schema.summaries).values(_summary(record)))

    def append(self, key: str, after: int, events: Sequence[Event], record: Record) -> None:
        """Adds events to a record; they are on the disk when this returns.

        Args:
            key: The table.
            after: The version of the record that they follow.
            events: The events.
            record: The record with the events in it, for the lists.

        Raises:
            Conflict: If the record has another version by now; nothing was added.
        """
        rows = [
            {"table_id": key, "seq": after + index, "kind": each.kind, "node": each.node,
             "data": dict(each.data), "at": each.at}
            for index, each in enumerate(events, 1)
        ]  # fmt: skip
        summary = {**_summary(record), "key": key}
        del summary["table_id"]

        def change(connection: Connection) -> None:
            connection.execute(_ADD_EVENTS, rows)
            connection.execute(_SUM_UP, summary)

        try:
            if self._together is None:
                with self._writing() as connection:
                    change(connection)
            else:
                self._together.write(change)
        except IntegrityError as error:
            raise Conflict(key) from error

    def row(self, key: str) -> TableRow | None:
        """A table, if there is one of that name."""
        query = select(schema.tables).where(schema.tables.c.id == key)
        with self.engine.connect() as connection:
            found = connection.execute(query).mappings().first()
        return None if found is None else _row(found)

    def version(self, key: str) -> int:
        """How many events a record has."""
        with self.engine.connect() as connection:
            return connection.execute(_VERSION, {"key": key}).scalar() or 0

    def events(self, key: str, after: int = 0) -> list[Event]:
        """The events of a record after a version, in order."""
        table = schema.events
        query = (
            select(table)
            .where(table.c.table_id == key, table.c.seq > after)
            .order_by(table.c.seq)
        )  # fmt: skip
        with self.engine.connect() as connection:
            return [
                Event(row["kind"], row["node"], row["data"], _utc(row["at"]))
                for row in connection.execute(query).mappings()
            ]

    def tables(
        self, *, game: str | None = None, opened: bool = False, limit: int | None = None
    ) -> list[tuple[TableRow, Mapping[str, Any]]]:
        """Tables and their summaries, the one played last first.

        Args:
            game: Only those of this game, whatever its variants.
            opened: Only those that are not put away.
            limit: At most so many.
        """
        summaries, tables = schema.summaries, schema.tables
        query = select(tables, summaries).join(summaries).order_by(summaries.c.played.desc())
        if game is not None:
            query = query.where((tables.c.game == game) | tables.c.game.startswith(f"{game}:"))
        if opened:
            query = query.where(~summaries.c.closed)
        if limit is not None:
            query = query.limit(limit)
        with self.engine.connect() as connection:
            found = connection.execute(query).mappings().all()
        return [(_row(row), _dated(row, "played", "ended")) for row in found]

    # Verdicts that are known.

    def verdict(self, digest: str, position: str) -> str | None:
        """What is known of a position: ``"winnable"``, ``"unwinnable"`` or ``"unknown"``."""
        table = schema.verdicts
        query = select(table.c.status).where(table.c.digest == digest, table.c.hash == position)
        with self.engine.connect() as connection:
            return connection.execute(query).scalar()

    def keep_verdict(self, digest: str, position: str, status: str, nodes: int) -> None:
        """Keeps what a search has found out; what is sure is not written over."""
        table = schema.verdicts
        where = (table.c.digest == digest) & (table.c.hash == position)
        with self._writing() as connection:
            known = connection.execute(select(table.c.status).where(where)).scalar()
            if known in ("winnable", "unwinnable"):
                return
            connection.execute(delete(table).where(where))
            connection.execute(
                insert(table).values(digest=digest, hash=position, status=status, nodes=nodes)
            )

    def verdicts(self) -> dict[tuple[str, str], str]:
        """The verdicts of all deals that are on a table: by digest and hash."""
        table, tables = schema.verdicts, schema.tables
        query = select(table.c.digest, table.c.hash, table.c.status).where(
            table.c.hash.in_(select(tables.c.root))
        )
        with self.engine.connect() as connection:
            return {(row[0], row[1]): row[2] for row in connection.execute(query)}

    # The player's own rules, favourites and settings.

    def keep_rules(self, name: str, text: str) -> None:
        """Keeps a rules file."""
        with self._writing() as connection:
            connection.execute(delete(schema.rules).where(schema.rules.c.name == name))
            values = {"name": name, "text": text, "added": now(), "hidden": False}
            connection.execute(insert(schema.rules).values(values))

    def rules(self) -> dict[str, tuple[str, bool]]:
        """The texts of all rules files by name, and whether they are off the list."""
        with self.engine.connect() as connection:
            rows = connection.execute(select(schema.rules).order_by(schema.rules.c.added))
            return {row.name: (row.text, row.hidden) for row in rows}

    def hide_rules(self, name: str) -> None:
        """Takes a rules file off the list. Its text stays: tables may have been played by it."""
        with self._writing() as connection:
            where = schema.rules.c.name == name
            connection.execute(update(schema.rules).where(where).values(hidden=True))

    def favourites(self) -> set[str]:
        """The names of the player's favourite games."""
        with self.engine.connect() as connection:
            return set(connection.execute(select(schema.favourites.c.game)).scalars())

    def set_favourite(self, game: str, favourite: bool) -> None:
        """Makes a game a favourite, or not."""
        table = schema.favourites
        with self._writing() as connection:
            connection.execute(delete(table).where(table.c.game == game))
            if favourite:
                connection.execute(insert(table).values(game=game))

    def setting(self, key: str) -> Any:
        """A setting, or ``None``."""
        table = schema.settings
        with self.engine.connect() as connection:
            query = select(table.c.value).where(table.c.key == key)
            return connection.execute(query).scalar()

    def set_setting(self, key: str, value: Any) -> None:
        """Keeps a setting."""
        table = schema.settings
        with self._writing() as connection:
            connection.execute(delete(table).where(table.c.key == key))
            connection.execute(insert(table).values(key=key, value=value))

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        """A transaction that is on the disk at its end."""
        with self._writer.begin() as connection:
            yield connection


def now() -> datetime:
    """The time, UTC."""
    return datetime.now(UTC)


def _summary(record: Record) -> dict[str, Any]:
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
    }


def _row(found: RowMapping) -> TableRow:
    values: dict[str, Any] = {name: found[name] for name in TableRow.__slots__}
    return TableRow(**{**values, "begun": _utc(values["begun"])})


def _dated(row: RowMapping, *names: str) -> dict[str, Any]:
    values = dict(row)
    for name in names:
        if values[name] is not None:
            values[name] = _utc(values[name])
    return values


def _utc(at: datetime) -> datetime:
    """SQLite forgets the zone; what was written is UTC."""
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)


def _engine(url: str | None, folder: Path) -> Engine:
    if url is None:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        # Nobody else on the machine is to read what the player does.
        (folder / FILE).touch(mode=0o600)
        address = URL.create("sqlite", database=str(folder / FILE))
    else:
        try:
            address = make_url(url)
        except ArgumentError:
            raise StoreError(
                "the address of the database cannot be read",
                "write it as in postgresql://user@host/name",
            ) from None
    if address.drivername in ("postgresql", "postgres"):
        address = address.set(drivername="postgresql+psycopg")
    try:
        if address.get_backend_name() == "sqlite":
            return _sqlite(address)
        return create_engine(address, pool_size=10, max_overflow=20, pool_pre_ping=True)
    except NoSuchModuleError:
        raise StoreError(
            f"Cadogan keeps no tables in {address.drivername}", "it knows SQLite and PostgreSQL"
        ) from None
    except ModuleNotFoundError as error:
        raise StoreError(
            f"the driver for {address.get_backend_name()} is not installed ({error.name})",
            "pip install 'cadogan[postgres]'",
        ) from None


def _sqlite(address: URL) -> Engine:
    engine = create_engine(address, connect_args={"timeout": 30, "check_same_thread": False})

    @event.listens_for(engine, "connect")
    def _prepare(connection: Any, _record: Any) -> None:
        # The driver would begin transactions late, and readers could then not become writers.
        connection.isolation_level = None
        for pragma in (
            "journal_mode = WAL",
            "synchronous = FULL",  # on the disk, not only with the system, at every commit
            "foreign_keys = ON",
        ):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        # A writer that began as a reader could find the database changed under it.
        writes = connection.get_execution_options().get("writes")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _plain(error: OperationalError) -> str:
    return str(error.orig).strip().splitlines()[0]
