"""Problems of the environment: a full disk, a locked database, an unreadable file.

They are neither bugs of Cadogan nor mistakes of the player. :func:`trouble` turns an exception of
the system, of SQLite or of PostgreSQL into a message, a hint and an HTTP status. The command line
and the server both use it.
"""

import errno
import sqlite3
import sys
from dataclasses import dataclass
from typing import Any, Final

from cadogan.i18n.text import Translatable, gettext

BUSY_SECONDS: Final = 5
"""How long a change waits for a locked database."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """A problem of the environment.

    Attributes:
        key: A stable name for programs.
        text: What is wrong, in one sentence without a full stop.
        hint: What to do.
        status: The HTTP status: 507 if the disk is full, otherwise 503.
        passes: Whether the problem may disappear within seconds.
    """

    key: str
    text: Translatable
    hint: Translatable | None = None
    status: int = 503
    passes: bool = False


class BusyError(Exception):
    """Too many changes are waiting for the database; nothing was changed."""


class DamagedError(Exception):
    """A check found that the database is damaged."""


BUSY: Final = Trouble(
    "database.busy",
    gettext(
        "the database is busy: another program has locked it for {seconds} seconds; "
        "nothing was changed",
        seconds=BUSY_SECONDS,
    ),
    gettext("try again in a few seconds; if it stays busy, end the program that uses the database"),
    passes=True,
)
CROWDED: Final = Trouble(
    "database.busy",
    gettext("the database is busy: too many changes are waiting for it; nothing was changed"),
    gettext("try again in a few seconds"),
    passes=True,
)
FULL: Final = Trouble(
    "disk.full",
    gettext("the disk is full, so nothing was saved"),
    gettext("free some space on the disk of the data folder, and try again"),
    status=507,
)
READ_ONLY: Final = Trouble(
    "database.read-only",
    gettext("the database cannot be written to, so nothing was saved"),
    gettext("check who may write to the database, its folder and its disk"),
)
FORBIDDEN: Final = Trouble(
    "database.forbidden",
    gettext("access to the database is denied"),
    gettext("check who may read and write the database and its folder"),
)
AWAY: Final = Trouble(
    "database.away",
    gettext("the database cannot be reached, or it ended the connection"),
    gettext("check that it is running, then reload the table: it shows everything that was saved"),
    passes=True,
)
UNOPENED: Final = Trouble(
    "database.unopened",
    gettext("the database file cannot be opened"),
    gettext("check that the data folder exists and who may read and write it"),
)
DAMAGED: Final = Trouble(
    "database.damaged",
    gettext("the database is damaged"),
    gettext("'cadogan rescue FILE' copies everything undamaged into a new database"),
)
NO_DATABASE: Final = Trouble(
    "database.none",
    gettext("the file is not a database"),
    gettext("check the name; if it was a database, 'cadogan rescue FILE' copies what is undamaged"),
)
UNKNOWN: Final = Trouble(
    "database.unknown",
    gettext("the database lacks tables or columns that Cadogan needs"),
    gettext("check that it is a Cadogan database of this version"),
)
NEWER: Final = Trouble(
    "database.newer",
    gettext("the database was written by a newer version of Cadogan"),
    gettext("install that version, or choose another database"),
)
DISK: Final = Trouble(
    "disk.fault",
    gettext("the disk cannot be read or written"),
    gettext("check the disk; if the database is damaged then, use 'cadogan rescue FILE'"),
)
NO_MEMORY: Final = Trouble(
    "memory", gettext("there is not enough memory"), gettext("close other programs, and try again")
)
TOO_MANY_FILES: Final = Trouble(
    "files",
    gettext("too many files and connections are open"),
    gettext("try again later; 'ulimit -n' shows and raises the limit"),
    passes=True,
)

_SQLITE: Final = {
    sqlite3.SQLITE_BUSY: BUSY,
    sqlite3.SQLITE_LOCKED: BUSY,
    sqlite3.SQLITE_FULL: FULL,
    sqlite3.SQLITE_READONLY: READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: UNOPENED,
    sqlite3.SQLITE_PERM: FORBIDDEN,
    sqlite3.SQLITE_AUTH: FORBIDDEN,
    sqlite3.SQLITE_CORRUPT: DAMAGED,
    sqlite3.SQLITE_NOTADB: NO_DATABASE,
    sqlite3.SQLITE_IOERR: DISK,
    sqlite3.SQLITE_NOMEM: NO_MEMORY,
}
_SYSTEM: Final = {
    errno.ENOSPC: FULL,
    errno.EDQUOT: FULL,
    errno.EMFILE: TOO_MANY_FILES,
    errno.ENFILE: TOO_MANY_FILES,
    errno.ENOMEM: NO_MEMORY,
    errno.EIO: DISK,
}
# SQLSTATE codes of PostgreSQL, or prefixes of them; a class has two characters.
_POSTGRES: Final = {
    "08": AWAY,
    "57P": AWAY,
    "53100": FULL,
    "53200": NO_MEMORY,
    "53300": CROWDED,
    "55P03": BUSY,
    "57014": BUSY,
    "25P03": AWAY,
    "40": CROWDED,
    "25006": READ_ONLY,
    "28": FORBIDDEN,
    "42501": FORBIDDEN,
    "3D000": AWAY,
    "58030": DISK,
    "XX001": DAMAGED,
    "XX002": DAMAGED,
    "42P01": UNKNOWN,
    "42703": UNKNOWN,
}


def trouble(fault: BaseException) -> Trouble | None:
    """Recognizes exceptions that come from the environment.

    Args:
        fault: The exception.

    Returns:
        The problem; ``None`` for every other exception.

    >>> trouble(OSError(errno.ENOSPC, "No space left on device")).status
    507
    >>> trouble(ValueError("a bug")) is None
    True
    """
    if isinstance(fault, BusyError):
        return CROWDED
    if isinstance(fault, DamagedError):
        return DAMAGED
    if isinstance(fault, MemoryError):
        return NO_MEMORY
    if isinstance(fault, sqlite3.Error):
        return _of_sqlite(fault)
    if isinstance(fault, OSError):
        return _of_system(fault)
    # An exception of these libraries can only occur if they were imported.
    if (alchemy := sys.modules.get("sqlalchemy.exc")) is not None:
        if isinstance(fault, alchemy.TimeoutError):
            return CROWDED
        if isinstance(fault, alchemy.DBAPIError):
            return trouble(fault.orig) if fault.orig is not None else None
    if (psycopg := sys.modules.get("psycopg")) is not None and isinstance(fault, psycopg.Error):
        return _of_postgres(fault)
    alembic = sys.modules.get("alembic.util")
    if alembic is not None and isinstance(fault, alembic.CommandError):
        return NEWER if "locate revision" in str(fault) else None
    return None


def _of_sqlite(fault: sqlite3.Error) -> Trouble | None:
    code = getattr(fault, "sqlite_errorcode", None)
    if code is None:
        return None
    # SQLite has no special code for statements that do not match the schema.
    if code == sqlite3.SQLITE_ERROR and str(fault).startswith(("no such table", "no such column")):
        return UNKNOWN
    # On a full disk, a failed mmap or ftruncate is reported as an I/O error.
    if code in (sqlite3.SQLITE_IOERR_SHMSIZE, sqlite3.SQLITE_IOERR_SHMMAP):
        return FULL
    return _SQLITE.get(code & 0xFF)


def _of_postgres(fault: Any) -> Trouble | None:
    state = fault.sqlstate
    if state is None:
        # The error does not come from the server: the connection failed.
        name = type(fault).__name__
        return AWAY if name in ("OperationalError", "InterfaceError", "ConnectionTimeout") else None
    for known, found in _POSTGRES.items():
        if state.startswith(known):
            return found
    return None


def _of_system(fault: OSError) -> Trouble:
    known = _SYSTEM.get(fault.errno or 0)
    if known is not None:
        return known
    reason = (fault.strerror or str(fault)).lower()
    if fault.filename is not None:
        reason = f"{fault.filename}: {reason}"
    return Trouble("system", gettext("the system refused: {reason}", reason=reason))
