"""A disk that is full or fails: acknowledged changes are not lost, and every table opens.

SQLite then rolls back the whole transaction in the middle of a statement. What it does is caused in
two ways: by a limit of its own on the size of the file, which is the real thing, and at every
statement one after the other by a fault that does the same.
"""

import random
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from cadogan.table.intent import Intent
from cadogan.table.library import Library
from cadogan.table.record import Event, Record
from cadogan.table.service import Tables
from cadogan.table.store import Store
from tests.attacks.ledger import Ledger, play
from tests.conftest import THOROUGH

ROUNDS = 40 if THOROUGH else 4
LARGE = 30_000
"""Events that SQLite has no room for in its cache."""


def opened(folder: Path) -> Tables:
    store = Store(folder=folder)
    return Tables(store, Library(store))


def reopened(tables: Tables) -> Tables:
    tables.store.close()
    return opened(tables.store.folder)


class Disk:
    """The size that a database may have."""

    PLENTY = 2**30

    def __init__(self, store: Store) -> None:
        self.pages = self.PLENTY
        event.listen(store.engine.pool, "checkout", self._limit)

    def _limit(self, connection: sqlite3.Connection, *_: Any) -> None:
        # A limit below the size that it has is that size.
        connection.execute(f"PRAGMA max_page_count = {self.pages}")


@contextmanager
def together(tables: Tables) -> Iterator[Callable[..., Future[Record]]]:
    """Changes that come while the disk is busy, so that they are written together, in order."""
    writer = tables.store._together
    assert writer is not None
    gate = threading.Event()
    with ThreadPoolExecutor(8) as threads:

        def busy() -> None:
            writer.write(lambda _: (gate.wait(), None)[1])

        first = threads.submit(busy)
        while writer._thread is None or not writer._waiting.empty():
            time.sleep(0.001)

        def change(work: Callable[..., Any], *args: Any) -> Future[Record]:
            waiting = writer._waiting.qsize()
            found = threads.submit(work, *args)
            while writer._waiting.qsize() == waiting:
                time.sleep(0.001)
            return found

        try:
            yield change
        finally:
            gate.set()
            first.result()


def move(tables: Tables, key: str) -> Record:
    record = tables.get(key)
    text = record.position.moves()[-1].text
    return tables.move(key, record.version, Intent(text))[0]


def many(tables: Tables, key: str, number: int) -> Record:
    """One change with a number of events."""
    with tables.changing(key, None) as held:
        at = held.record.played
        tables._store_events(held, [Event("mark", 0, {"name": f"{n}"}, at) for n in range(number)])
        return held.record


def note(ledger: Ledger, found: Future[Record]) -> None:
    try:
        ledger.note(found.result())
    except Exception:
        ledger.refuse()


@pytest.mark.parametrize("events", [450, LARGE])
def test_what_is_written_together_with_what_has_no_room_is_not_lost(
    events: int, tmp_path: Path
) -> None:
    tables, ledger = opened(tmp_path), Ledger()
    disk = Disk(tables.store)
    keys = [tables.deal("klondike", f"cadogan:{number}").key for number in range(1, 4)]
    for _ in range(ROUNDS):
        before = ledger.refused
        with together(tables) as change:
            found = [
                change(move, tables, keys[0]),
                change(many, tables, keys[1], events),
                change(move, tables, keys[2]),
            ]
            disk.pages = 1
        for each in found:
            note(ledger, each)
        assert ledger.refused > before
        disk.pages = disk.PLENTY
        # What is there at once is there after a restart, too.
        ledger.check(tables)
        tables = reopened(tables)
        ledger.check(tables)
        disk = Disk(tables.store)
    assert ledger.acknowledged > 0
    tables.store.close()


FAULTS = {
    "full": sqlite3.OperationalError("database or disk is full"),
    "fault of the disk": sqlite3.OperationalError("disk I/O error"),
    "no memory": MemoryError(),
}


class Fault:
    """A statement fails, and SQLite rolls the transaction back, as its documentation says."""

    def __init__(self, store: Store, fault: Exception) -> None:
        self.left: int | None = None
        self._fault = fault
        for name in ("do_execute", "do_executemany"):
            event.listen(store.engine, name, self._statement)
        event.listen(store._writer, "commit", lambda _: self._count(None))

    def _statement(self, cursor: sqlite3.Cursor, statement: str, *_: Any) -> None:
        if not statement.startswith(("SELECT", "BEGIN")):
            self._count(cursor.connection)

    def _count(self, connection: sqlite3.Connection | None) -> None:
        if self.left is None:
            return
        self.left -= 1
        if self.left == 0:
            self.left = None
            if connection is not None:
                connection.rollback()
            raise self._fault


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_whatever_statement_fails_nothing_acknowledged_is_lost(
    fault: Exception, tmp_path: Path
) -> None:
    tables, ledger = opened(tmp_path), Ledger()
    faults = Fault(tables.store, fault)
    keys = [tables.deal("klondike", f"cadogan:{number}").key for number in range(1, 4)]
    for statement in range(1, 20):
        with together(tables) as change:
            found = [change(move, tables, key) for key in keys]
            # What keeps the disk busy is committed first.
            faults.left = statement + 1
        for each in found:
            note(ledger, each)
        over = faults.left is not None
        faults.left = None
        ledger.check(tables)
        if over:
            break
    else:
        pytest.fail("there are more statements than expected")
    # A fault that does not stay is survived: each change was made again, alone.
    assert ledger.refused == 0
    ledger.check(reopened(tables))


@pytest.mark.slow
def test_players_on_a_disk_that_is_full_again_and_again(tmp_path: Path) -> None:
    tables, ledger = opened(tmp_path), Ledger()
    disk = Disk(tables.store)
    keys = [tables.deal("klondike", f"cadogan:{number}").key for number in range(1, 7)]
    large = tables.deal("klondike", "cadogan:7").key
    enough = 10_000 if THOROUGH else 300
    ended, dice = threading.Event(), random.Random(1)
    with ThreadPoolExecutor(8) as threads:
        for seed, key in enumerate(keys):
            threads.submit(play, tables, key, seed, ledger, ended.is_set)
        fills = 0
        while ledger.acknowledged < enough or fills < ROUNDS:
            before, refused = ledger.acknowledged, ledger.refused
            disk.pages = 1
            while ledger.refused < refused + 3:
                # What needs no more pages is still written; a large change does.
                if tables.get(large).version > 100_000:
                    large = tables.deal("klondike", "cadogan:7").key
                note(ledger, threads.submit(many, tables, large, dice.choice((40, 400, 4_000))))
            disk.pages = disk.PLENTY
            fills += 1
            while ledger.acknowledged < before + 20:
                time.sleep(0.001)
        ended.set()
    tables = reopened(tables)
    ledger.check(tables)
    tables.store.close()
    print(
        f"{fills} times full, {ledger.acknowledged:,} changes acknowledged, "
        f"{ledger.refused:,} refused, 0 lost"
    )
