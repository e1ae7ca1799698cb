"""``cadogan backup`` and ``cadogan restore``."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from cadogan.cli import output

NewFile = Annotated[Path, Parameter(help="The new file.")]
Backup = Annotated[Path, Parameter(help="A file that 'cadogan backup' made.")]
Source = Annotated[
    str | None,
    Parameter(help="The database, such as postgresql://user@host/name; by default a file."),
]
Target = Annotated[
    str | None,
    Parameter(help="An empty database, such as postgresql://user@host/name; by default a file."),
]


def backup(file: NewFile, /, *, database: Source = None) -> int:
    """Save a copy of the database, while servers may use it.

    Everything acknowledged before the command began is in the copy. FILE must not exist. It is a
    SQLite file, even if the database is in PostgreSQL, and 'cadogan restore' reads it into either.
    """
    from cadogan.storage import data_folder
    from cadogan.table.backup import BackupError
    from cadogan.table.backup import backup as make
    from cadogan.table.engines import StoreError

    try:
        found = make(file, database, data_folder())
    except (BackupError, StoreError) as fault:
        raise output.UsageError(str(fault), fault.hint) from None
    output.data(f"saved {_summary(found.rows)}")
    _last(found.last)
    return 0


def restore(file: Backup, /, *, database: Target = None) -> int:
    """Restore the database from a backup.

    Checks FILE first. A database that has contents is not overwritten: stop its server, and move
    it away or give an empty one.
    """
    from cadogan.storage import data_folder
    from cadogan.table.backup import BackupError
    from cadogan.table.backup import restore as fill
    from cadogan.table.engines import StoreError

    try:
        found = fill(file, database, data_folder())
    except (BackupError, StoreError) as fault:
        raise output.UsageError(str(fault), fault.hint) from None
    output.data(f"restored {_summary(found.rows)}")
    _last(found.last)
    return 0


def _summary(rows: dict[str, int]) -> str:
    """What is in a backup, in words."""
    tables, changes = rows.get("tables", 0), rows.get("events", 0)
    words = ["1 table" if tables == 1 else f"{tables} tables"]
    words[0] += " with " + ("1 change" if changes == 1 else f"{changes} changes")
    others = {name: number for name, number in rows.items() if name not in ("tables", "events")}
    words += [f"{number} {name.replace('_', ' ')}" for name, number in others.items()]
    return ", ".join(words)


def _last(at: object) -> None:
    if at is not None:
        output.note(f"the last change is from {at:%Y-%m-%d %H:%M:%S} UTC")
