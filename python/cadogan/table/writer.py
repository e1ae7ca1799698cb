"""The single writer for SQLite: concurrent changes are committed together.

A commit to disk takes milliseconds, whatever its size. SQLite allows one writer at a time, so fifty
players who move at once would wait for fifty commits, one after the other; here they wait for one
or two. Still, each change succeeds or fails on its own.

If SQLite cannot continue (a full disk, an I/O error, no memory), it may roll back the whole
transaction, including changes that had succeeded; and committing without a transaction is not an
error. So after every failure and before every commit the writer checks whether the transaction is
still open. If it is not, each of its changes is repeated on its own.
"""

import queue
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, Final

from sqlalchemy import Connection, Engine, event
from sqlalchemy.exc import OperationalError

MOST_TOGETHER: Final = 200

MOST_ROWS_TOGETHER: Final = 500
"""Rows in one transaction, unless a single change has more. More rows would exceed the cache of
SQLite, and it would write to disk in the middle of a statement."""

Change = Callable[[Connection], None]


@dataclass(slots=True, eq=False)
class _Wanted:
    """A change that a thread waits for."""

    change: Change
    rows: int
    done: Future[None] = field(default_factory=Future)


class Writer:
    """Makes changes in the order in which they arrive.

    Args:
        engine: The database, configured for writing.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._waiting: queue.SimpleQueue[_Wanted | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        event.listen(engine, "commit", _must_be_open)

    def write(self, change: Change, rows: int = 1) -> None:
        """Makes a change; it is on disk when this returns.

        Args:
            change: The change. It may be called more than once, if earlier calls were rolled back.
            rows: About how many rows it writes.

        Raises:
            Exception: Any exception of the change, which is then rolled back.
        """
        wanted = _Wanted(change, rows)
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="cadogan-disk", daemon=True)
                self._thread.start()
            self._waiting.put(wanted)
        wanted.done.result()

    def close(self) -> None:
        """Makes all waiting changes, and ends the thread."""
        with self._lock:
            if self._thread is not None:
                self._waiting.put(None)
                self._thread.join()
                self._thread = None

    def _run(self) -> None:
        while (first := self._waiting.get()) is not None:
            together = [first]
            ending = False
            while len(together) < MOST_TOGETHER and not self._waiting.empty():
                another = self._waiting.get()
                if another is None:
                    ending = True
                    break
                together.append(another)
            self._write(together)
            if ending:
                return

    def _write(self, together: list[_Wanted]) -> None:
        for batch in _batches(together):
            if len(batch) > 1 and self._write_together(batch):
                continue
            for wanted in batch:
                try:
                    with self._engine.begin() as connection:
                        wanted.change(connection)
                except BaseException as fault:
                    wanted.done.set_exception(fault)
                else:
                    wanted.done.set_result(None)

    def _write_together(self, together: list[_Wanted]) -> bool:
        """Makes changes in one transaction.

        Returns:
            Whether all changes are done; if not, the transaction was rolled back.
        """
        failed: dict[int, Exception] = {}
        begun = False
        try:
            with self._engine.begin() as connection:
                begun = True
                for index, wanted in enumerate(together):
                    try:
                        with connection.begin_nested():
                            wanted.change(connection)
                    except Exception as fault:
                        _must_be_open(connection)
                        failed[index] = fault
        except Exception as fault:
            if begun:
                return False
            # The database was locked; trying each change alone would wait as long again.
            failed = dict.fromkeys(range(len(together)), fault)
        for index, wanted in enumerate(together):
            if index in failed:
                wanted.done.set_exception(failed[index])
            else:
                wanted.done.set_result(None)
        return True


def _batches(together: Iterable[_Wanted]) -> Iterator[list[_Wanted]]:
    """Splits a queue into transactions of limited size; a large change gets its own."""
    batch, rows = list[_Wanted](), 0
    for wanted in together:
        if batch and rows + wanted.rows > MOST_ROWS_TOGETHER:
            yield batch
            batch, rows = [], 0
        batch.append(wanted)
        rows += wanted.rows
    yield batch


def _must_be_open(connection: Connection) -> None:
    """Checks that SQLite has not rolled the transaction back.

    Raises:
        OperationalError: If it has.
    """
    driver: Any = connection.connection.dbapi_connection
    if not driver.in_transaction:
        gone = sqlite3.OperationalError("the database has rolled the transaction back")
        raise OperationalError("COMMIT", None, gone)
