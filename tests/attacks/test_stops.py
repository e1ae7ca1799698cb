"""A PostgreSQL that crashes repeatedly in the middle of moves."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError

from cadogan.table.intent import Intent
from cadogan.table.library import Library
from cadogan.table.service import Tables
from cadogan.table.store import Store
from tests.attacks.ledger import Ledger, play
from tests.conftest import THOROUGH
from tests.table.postgres import restartable

STOPS = 20 if THOROUGH else 3
ENOUGH = 10_000 if THOROUGH else 300
PLAYERS = 6


def opened(address: str, folder: Path) -> Tables:
    store = Store(address, folder)
    return Tables(store, Library(store))


@pytest.mark.slow
def test_what_was_acknowledged_before_a_stop_is_there_after_it(tmp_path: Path) -> None:
    ledger, ended = Ledger(), threading.Event()
    with restartable() as cluster:
        tables = opened(cluster.address, tmp_path)
        keys = [tables.deal("klondike", f"cadogan:{n}").key for n in range(PLAYERS)]
        with ThreadPoolExecutor(PLAYERS) as threads:
            for seed, key in enumerate(keys):
                threads.submit(play, tables, key, seed, ledger, ended.is_set)
            for stop in range(1, STOPS + 1):
                while ledger.acknowledged < ENOUGH * stop // STOPS:
                    time.sleep(0.002)
                refused = ledger.refused
                cluster.stop()
                while ledger.refused < refused + PLAYERS:
                    time.sleep(0.002)
                cluster.start()
            before = ledger.acknowledged
            while ledger.acknowledged < before + 50:
                time.sleep(0.002)
            ended.set()
        # The running service and a restarted one both have everything that was acknowledged.
        ledger.check(tables)
        tables.store.close()
        tables = opened(cluster.address, tmp_path)
        ledger.check(tables)
        tables.store.close()
    print(
        f"{STOPS} stops of PostgreSQL, {ledger.acknowledged:,} changes acknowledged, "
        f"{ledger.refused:,} refused, 0 lost"
    )


def test_a_change_that_the_database_did_not_take_is_not_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(folder=tmp_path)
    tables = Tables(store, Library(store))
    key = tables.deal("klondike", "cadogan:1").key
    before = tables.move(key, 0, Intent("deal"))[0]

    def away(*_: object) -> None:
        raise OperationalError("", None, ConnectionError("the database is away"))

    with monkeypatch.context() as patch:
        # All of it is away: neither is it written, nor can it be read again.
        for name in ("append", "events", "row"):
            patch.setattr(store, name, away)
        with pytest.raises(OperationalError):
            tables.move(key, 1, Intent("deal"))
    after = tables.get(key)
    assert (after.version, after.node, len(after.nodes)) == (1, 1, 2)
    tables.move(key, 1, Intent("deal"))
    assert Tables(store, Library(store)).get(key).version == 2
    # Who looked before sees what there was then.
    assert (before.version, before.node, len(before.nodes)) == (1, 1, 2)
    store.close()
