"""Connections to SQLite and PostgreSQL."""

import time
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DisconnectionError, NoSuchModuleError

from cadogan.i18n.text import gettext
from cadogan.storage import secure
from cadogan.trouble import BUSY_SECONDS, trouble

FILE: Final = "tables.sqlite3"
_PROBE_SECONDS: Final = 2.0
"""How long a connection may wait in the pool before it is tested."""


class StoreError(RuntimeError):
    """The database cannot be used; the message says why.

    Attributes:
        hint: What to do.
    """

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


def open_engine(url: str | None, folder: Path) -> Engine:
    """Prepares to connect to a database, in whatever format it is.

    Args:
        url: The address; by default the SQLite file in ``folder``.
        folder: The data folder.

    Raises:
        StoreError: If the address is invalid, or the folder cannot be used.
    """
    if url is None:
        try:
            secure(folder)
            # Other users of the machine must not read what the player does.
            (folder / FILE).touch(mode=0o600)
        except OSError as fault:
            known = trouble(fault)
            assert known is not None
            raise StoreError(
                gettext("the data folder cannot be used: {reason}", reason=known.text),
                known.hint or gettext("CADOGAN_HOME names another folder"),
            ) from None
        address = URL.create("sqlite", database=str(folder / FILE))
    else:
        try:
            address = make_url(url)
        except ArgumentError:
            raise StoreError(
                "the address of the database is invalid",
                "write, for example, postgresql://user@host/name",
            ) from None
    if address.drivername in ("postgresql", "postgres"):
        address = address.set(drivername="postgresql+psycopg")
    try:
        if address.get_backend_name() == "sqlite":
            return _sqlite(address)
        return postgresql(address)
    except NoSuchModuleError:
        raise StoreError(
            f"unsupported database {address.drivername}", "use SQLite or PostgreSQL"
        ) from None
    except ModuleNotFoundError as error:
        raise StoreError(
            f"the driver for {address.get_backend_name()} is not installed ({error.name})",
            "pip install 'cadogan[postgres]'",
        ) from None


def postgresql(address: URL, at_once: bool = False) -> Engine:
    """Prepares to connect to PostgreSQL.

    Args:
        address: The address.
        at_once: Whether each statement is a transaction.
    """
    engine = create_engine(
        address,
        isolation_level="AUTOCOMMIT" if at_once else None,
        pool_size=10,
        max_overflow=0 if at_once else 10,
        pool_timeout=BUSY_SECONDS,
        hide_parameters=True,  # errors go to the log
        connect_args={"connect_timeout": BUSY_SECONDS, "tcp_user_timeout": 10_000},
    )
    if engine.dialect.name != "postgresql":
        raise NoSuchModuleError(address.drivername)

    @event.listens_for(engine, "connect")
    def _limit(connection: Any, _record: Any) -> None:
        # Set here because a connection pooler may refuse them in the connection parameters.
        with connection.cursor() as cursor:
            for name, seconds in (
                ("lock_timeout", BUSY_SECONDS),
                ("statement_timeout", 4 * BUSY_SECONDS),
                ("idle_in_transaction_session_timeout", 60),
            ):
                cursor.execute(f"SET SESSION {name} = '{seconds}s'")
        connection.commit()

    @event.listens_for(engine, "checkin")
    def _put_down(_connection: Any, record: Any) -> None:
        record.info["used"] = time.monotonic()

    @event.listens_for(engine, "checkout")
    def _pick_up(connection: Any, record: Any, _proxy: Any) -> None:
        # A test takes as long as a query, so a connection that was used just now is not tested.
        if time.monotonic() - record.info.get("used", float("inf")) < _PROBE_SECONDS:
            return
        if not _is_alive(engine, connection):
            raise DisconnectionError

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        if connection.get_execution_options().get("patient"):
            connection.exec_driver_sql("SET LOCAL lock_timeout = '60s'")
            connection.exec_driver_sql("SET LOCAL statement_timeout = 0")

    return engine


def _is_alive(engine: Engine, connection: Any) -> bool:
    """Whether a connection that waited in the pool still works."""
    try:
        return engine.dialect.do_ping(connection)
    except Exception as fault:
        if trouble(fault) is None:
            raise
        return False


def _sqlite(address: URL) -> Engine:
    # A change that waits longer for another program's lock fails with a message to the player.
    limits = {"timeout": BUSY_SECONDS, "check_same_thread": False}
    engine = create_engine(address, connect_args=limits, hide_parameters=True)

    @event.listens_for(engine, "connect")
    def _prepare(connection: Any, _record: Any) -> None:
        # The driver would begin transactions late, and then readers could not become writers.
        connection.isolation_level = None
        for pragma in (
            "journal_mode = WAL",
            "synchronous = FULL",  # every commit is on disk, not only in the system's cache
            "foreign_keys = ON",
        ):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        # The database could change under a writer that began as a reader.
        writes = connection.get_execution_options().get("writes")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine
