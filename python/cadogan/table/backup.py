"""Backups of a database while a server uses it.

A backup is a SQLite file with the schema of the database, also if that is in PostgreSQL. It is the
state at one moment: SQLite copies all pages in one read transaction, and PostgreSQL reads all rows
in one transaction of the isolation level REPEATABLE READ. Everything that was acknowledged before
the backup began is in it. Either kind of database can be restored from it.
"""

import contextlib
import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, DateTime, Engine, Table, func, insert, select, text
from sqlalchemy.exc import SQLAlchemyError

from cadogan.table import migrations, schema
from cadogan.table.engines import FILE, open_engine
from cadogan.table.store import Store
from cadogan.trouble import trouble

_ROWS_TOGETHER: Final = 1000


class BackupError(ValueError):
    """A backup cannot be made or restored; the message says why.

    Attributes:
        hint: What to do.
    """

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


@dataclass(frozen=True, slots=True)
class Contents:
    """What is in a backup.

    Attributes:
        rows: How many rows each table of the database has; empty ones are left out.
        last: When the last change was made, if there is one.
    """

    rows: dict[str, int] = field(default_factory=dict)
    last: datetime | None = None


def backup(to: Path, database: str | None, folder: Path) -> Contents:
    """Makes a backup. A server may use the database meanwhile.

    Args:
        to: The new file. It must not exist.
        database: The address of the database; by default the SQLite file in ``folder``.
        folder: The data folder.

    Returns:
        What is in the backup.

    Raises:
        BackupError: If the file exists, or the database cannot be read.
        StoreError: If the database cannot be opened.
        OSError: If the file cannot be written.
    """
    _must_not_exist(to)
    with tempfile.TemporaryDirectory(prefix=".backup-", dir=to.absolute().parent) as name:
        made = Path(name) / FILE
        if database is None and not (folder / FILE).is_file():
            raise BackupError(f"there is no database in {folder}", "CADOGAN_HOME names another")
        engine = open_engine(database, folder)
        try:
            if engine.dialect.name == "sqlite":
                _copy_file(Path(engine.url.database or ""), made)
            else:
                _copy_postgresql(engine, Path(name))
        except (SQLAlchemyError, sqlite3.Error) as fault:
            raise _explained(fault) from None
        finally:
            engine.dispose()
        found = _checked(made)
        _put(made, to)
    return found


def restore(file: Path, database: str | None, folder: Path) -> Contents:
    """Restores a database from a backup.

    Args:
        file: The backup. It is not changed; it may come from an older version.
        database: The address of the new database; by default the SQLite file in ``folder``.
        folder: The data folder.

    Returns:
        What was restored.

    Raises:
        BackupError: If the file is not an intact backup, or the database has contents already.
        StoreError: If the database cannot be opened.
        OSError: If a file cannot be read or written.
    """
    if not file.is_file():
        raise BackupError(f"{file} is not a file" if file.exists() else f"{file} does not exist")
    if database is None:
        _must_not_exist(folder / FILE)
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    beside = folder if database is None else None
    with tempfile.TemporaryDirectory(prefix=".restore-", dir=beside) as at:
        copy = Path(at) / FILE
        try:
            _copy_file(file, copy)
            _checked(copy)
            # A backup of an older version gets the current format.
            Store(folder=Path(at)).close()
            found = _checked(copy)
            if database is None:
                _put(copy, folder / FILE)
            else:
                _fill(copy, database, folder)
        except (SQLAlchemyError, sqlite3.Error) as fault:
            raise _explained(fault) from None
    return found


# SQLite.


def _copy_file(file: Path, to: Path) -> None:
    """Copies a SQLite database, all pages in one read transaction."""
    to.touch(mode=0o600)
    with _sqlite(file) as source, _sqlite(to) as target:
        source.backup(target)
        # A file alone, without a write-ahead log.
        target.execute("PRAGMA journal_mode = DELETE")


@contextmanager
def _sqlite(file: Path) -> Iterator[sqlite3.Connection]:
    with contextlib.closing(sqlite3.connect(file, timeout=60)) as connection:
        yield connection


def _checked(file: Path) -> Contents:
    """What is in a backup, after a check of all its pages and references."""
    with _sqlite(file) as connection:
        try:
            problems = connection.execute("PRAGMA integrity_check(1)").fetchall()
            known = {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}
            if problems != [("ok",)]:
                raise sqlite3.DatabaseError(problems[0][0])
            if not {"tables", "events", "alembic_version"} <= known:
                raise BackupError(f"{file.name} is not a database of Cadogan")
            if connection.execute("PRAGMA foreign_key_check").fetchone() is not None:
                raise sqlite3.DatabaseError("a row refers to one that is missing")
        except sqlite3.DatabaseError as fault:
            raise BackupError(
                f"the file is damaged, or not a backup: {fault}",
                "'cadogan rescue' copies what is intact in a damaged database",
            ) from None
        version = connection.execute("SELECT version_num FROM alembic_version").fetchone()
        if version is None or version[0] > migrations.HEAD:
            raise BackupError("a newer version of Cadogan made this", "use that version")
        rows = {
            table.name: connection.execute(f'SELECT count(*) FROM "{table.name}"').fetchone()[0]
            for table in schema.metadata.sorted_tables
            if table.name in known
        }
        at = connection.execute("SELECT max(at) FROM events").fetchone()[0]
    last = None if at is None else datetime.fromisoformat(at).replace(tzinfo=UTC)
    return Contents({name: number for name, number in rows.items() if number}, last)


def _put(made: Path, to: Path) -> None:
    """Moves a file to its place, on disk before this returns, and overwrites nothing."""
    with made.open("rb+") as file:
        os.fsync(file.fileno())
    try:
        os.link(made, to)
    except FileExistsError:
        _must_not_exist(to)
        raise
    descriptor = os.open(to.absolute().parent, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _must_not_exist(file: Path) -> None:
    if file.exists():
        raise BackupError(
            f"{file} exists already and is not overwritten", "move it away, or choose another place"
        )


# PostgreSQL.


def _copy_postgresql(engine: Engine, folder: Path) -> None:
    """Copies a database of PostgreSQL into a new SQLite file, in one transaction."""
    if not migrations.is_current(engine):
        raise BackupError(
            "the database does not have the format of this version",
            "use the version of Cadogan that its server has",
        )
    new = Store(folder=folder)
    try:
        options = engine.execution_options(isolation_level="REPEATABLE READ", patient=True)
        with (
            options.begin() as source,
            new.engine.execution_options(writes=True).begin() as target,
        ):
            _copy_rows(source, target)
    finally:
        new.close()
    with _sqlite(folder / FILE) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")


def _fill(copy: Path, database: str, folder: Path) -> None:
    """Fills an empty database with the rows of a backup, in one transaction."""
    target = Store(database, folder)
    source = open_engine(None, copy.parent)
    try:
        options = target.engine.execution_options(patient=True, writes=True)
        with source.connect() as old, options.begin() as new:
            for table in schema.metadata.sorted_tables:
                if not _is_as_created(new, table):
                    raise BackupError(
                        "the database has contents already and is not overwritten",
                        "give an empty one: --database postgresql://user@host/name",
                    )
            _copy_rows(old, new)
            _count_on(new)
    finally:
        source.dispose()
        target.close()


def _is_as_created(connection: Connection, table: Table) -> bool:
    """Whether a table is empty, but for rows that the migrations add."""
    return not connection.execute(select(func.count()).select_from(table)).scalar_one()


def _copy_rows(source: Connection, target: Connection) -> None:
    for table in schema.metadata.sorted_tables:
        columns = [column for column in table.c if column.computed is None]
        dates = [column.name for column in columns if isinstance(column.type, DateTime)]
        # Rows refer to earlier ones of the same table.
        query = select(*columns).order_by(*table.primary_key.columns)
        rows = source.execution_options(yield_per=_ROWS_TOGETHER).execute(query)
        for part in rows.mappings().partitions(_ROWS_TOGETHER):
            target.execute(insert(table), [_in_utc(row, dates) for row in part])


def _in_utc(row: Any, dates: list[str]) -> dict[str, Any]:
    """A row for another database. SQLite stores no time zone; all its times are UTC."""
    values = dict(row)
    for name in dates:
        at = values[name]
        if at is not None:
            values[name] = at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    return values


def _count_on(connection: Connection) -> None:
    """Lets the sequences of PostgreSQL continue after the largest number."""
    for table in schema.metadata.sorted_tables:
        column = table.autoincrement_column
        if column is not None:
            words = {"table": table.name, "column": column.name}
            found = text("SELECT pg_get_serial_sequence(:table, :column)")
            sequence = connection.execute(found, words).scalar()
            highest = connection.execute(select(func.max(column))).scalar()
            if sequence is not None and highest is not None:
                connection.execute(select(func.setval(sequence, highest)))


def _explained(fault: Exception) -> BackupError:
    known = trouble(fault)
    if known is None:
        return BackupError(f"the database cannot be read: {fault}")
    return BackupError(str(known.text), None if known.hint is None else str(known.hint))
