"""A server in trouble under load loses no change that it has acknowledged.

It is killed, alone or as one of two processes; its disk is full for a while; its database is
stopped as by a crash. ``make soak`` kills a hundred times, and does the others twenty times; a
daily run less often.
"""

import asyncio
import contextlib
import http.client
import json
import multiprocessing
import os
import random
import resource
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import pytest

from bench.club import Round, lost, measure
from cadogan.table.engines import FILE
from cadogan.table.library import Library
from cadogan.table.record import Draft, Options, Record
from cadogan.table.service import Tables
from cadogan.table.store import Store
from cadogan.web import serialize
from tests.table.postgres import cluster, restartable

KILLS = int(os.environ.get("CADOGAN_KILLS", "10"))
"""How often a server is killed; a fifth as often its disk is full, and its database stopped."""
GAMES = ("klondike", "spider", "besieged-city", "freecell")

pytestmark = [pytest.mark.timeout(120 + 20 * KILLS), pytest.mark.slow]


def run_server(folder: str, database: str | None, bound: socket.socket) -> None:
    from cadogan.web.serve import serve
    from cadogan.web.state import AppState

    serve(AppState(database, Path(folder), workers=0), bound)


@contextmanager
def served(folder: Path, database: str | None = None) -> Iterator[tuple[int, BaseProcess]]:
    """Runs a server in a process of its own, until it is killed at the end.

    Yields:
        Its port, and the process.
    """
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["cadogan.web.serve"])
    with socket.create_server(("127.0.0.1", 0)) as bound:
        port = bound.getsockname()[1]
        server = context.Process(target=run_server, args=(str(folder), database, bound))
        server.start()
    try:
        yield port, server
    finally:
        assert server.pid is not None
        os.kill(server.pid, signal.SIGKILL)
        server.join()


_CUT_OFF = (OSError, http.client.HTTPException)
"""Raised for a server that is dead, or fails after a fault."""


@dataclass
class Player:
    """Plays at one table as fast as the server answers, and notes what was acknowledged.

    Attributes:
        refused: How often the server answered that it could not.
        acknowledged: The table, its version and its piles after every change.
        compared: How many of them were looked at already.
    """

    game: str
    seed: int
    refused: int = 0
    table: dict[str, Any] | None = None
    acknowledged: list[tuple[str, int, str]] = field(default_factory=list)
    compared: int = 0

    def play(self, port: int) -> None:
        """Plays until the server is dead."""
        dice = random.Random(self.seed + len(self.acknowledged))
        while True:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
            try:
                connection.connect()
            except OSError:
                return
            with contextlib.closing(connection), contextlib.suppress(*_CUT_OFF):
                self._sit_down(connection)
                while True:
                    self._change(connection, dice)

    def _sit_down(self, connection: http.client.HTTPConnection) -> None:
        if self.table is None:
            body = {"game": self.game, "deal": f"cadogan:{self.seed}"}
            self.table = self._post(connection, "/api/tables", body)
        else:
            # What was asked but not acknowledged may have happened, or not.
            self.table = self._ask(connection, "GET", f"/api/tables/{self.table['id']}", None)

    def _change(self, connection: http.client.HTTPConnection, dice: random.Random) -> None:
        assert self.table is not None
        moves = self.table["position"]["moves"]
        path = f"/api/tables/{self.table['id']}"
        body = {"version": self.table["version"]}
        if not moves or dice.random() < 0.1:
            what = "undo" if self.table["undo"] else "restart"
            self.table = self._post(connection, f"{path}/{what}", body)
        else:
            body["text"] = dice.choice(moves)["text"]
            self.table = self._post(connection, f"{path}/moves", body)["table"]
        self._note(self.table)

    def _note(self, table: Any) -> None:
        piles = json.dumps(table["position"]["piles"])
        self.acknowledged.append((table["id"], table["version"], piles))

    def _post(self, connection: http.client.HTTPConnection, path: str, body: Any) -> Any:
        return self._ask(connection, "POST", path, json.dumps(body))

    def _ask(self, connection: http.client.HTTPConnection, how: str, path: str, body: Any) -> Any:
        connection.request(how, path, body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        text = answer.read()
        if answer.status >= 500 or answer.status == 409:
            self.refused += 1
            time.sleep(0.03)
            raise ConnectionAbortedError
        assert answer.status < 300, text
        return json.loads(text)


class Bringer(Player):
    """Brings long games as files: large changes, among the small ones of the others."""

    def _sit_down(self, connection: http.client.HTTPConnection) -> None:
        time.sleep(0.05)

    def _change(self, connection: http.client.HTTPConnection, dice: random.Random) -> None:
        deals = (["deal"] * 24 + ["redeal"]) * dice.randrange(1, 100)
        text = "\n".join(["# game: klondike", "# deal: cadogan:1", *deals, ""])
        self._note(self._post(connection, "/api/tables/import", {"text": text}))


@contextmanager
def played(
    players: list[Player], folder: Path, database: str | None = None
) -> Iterator[BaseProcess]:
    """Everybody plays at a server that is killed in the middle of it."""
    with served(folder, database) as (port, server):
        threads = [threading.Thread(target=player.play, args=(port,)) for player in players]
        for thread in threads:
            thread.start()
        yield server
    for thread in threads:
        thread.join()


def acknowledged(players: list[Player]) -> int:
    return sum(len(player.acknowledged) for player in players)


def refused(players: list[Player]) -> int:
    return sum(player.refused for player in players)


def wait(until: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not until():
        assert time.monotonic() < end
        time.sleep(0.005)


def wait_for_more(players: list[Player], number: int = 10) -> None:
    """Waits until a number of further changes are acknowledged."""
    small = [player for player in players if not isinstance(player, Bringer)]
    before = acknowledged(small)
    wait(lambda: acknowledged(small) >= before + number)


def test_a_server_that_is_killed(tmp_path: Path) -> None:
    players = [Player(game, seed) for seed, game in enumerate(GAMES, 1)]
    dice = random.Random(7)
    for _ in range(KILLS):
        with played(players, tmp_path):
            wait_for_more(players)
            time.sleep(dice.random() * 0.2)
        compare(players, Store(folder=tmp_path))
        for player in players:
            assert player.refused == 0
            assert player.table is not None
            # What was under way may have happened, and no more.
            store = Store(folder=tmp_path)
            more = store.version(player.table["id"]) - player.table["version"]
            store.close()
            assert more in (0, 1)
    _report("kills", KILLS, players)


def test_one_of_two_processes_that_is_killed(tmp_path: Path) -> None:
    with cluster() as database:
        wanted = Round(30, processes=2, seconds=KILLS, thinking=0.5, workers=1, kills=KILLS)
        figures, club = asyncio.run(measure(database, str(tmp_path), wanted))
        missing = lost(database, str(tmp_path), club, figures)
    moves = sum(len(player.moves) for player in club)
    print(
        f"{figures.kills} kills, {moves:,} moves and {len(figures.results):,} results "
        f"acknowledged, {figures.tries:,} requests cut off, {len(missing)} lost"
    )
    assert missing == []
    assert figures.kills == KILLS
    assert moves > 10 * KILLS
    assert figures.results


def test_a_disk_that_is_full(tmp_path: Path) -> None:
    players = [Player(game, seed) for seed, game in enumerate(GAMES, 1)]
    players.append(Bringer("klondike", 99))
    times, dice = max(2, KILLS // 5), random.Random(8)
    for _ in range(times):
        with played(players, tmp_path) as server:
            assert server.pid is not None
            wait_for_more(players)
            log = (tmp_path / f"{FILE}-wal").stat().st_size
            before = refused(players)
            # No file may grow beyond it: for SQLite a fault of the disk in the middle of writing.
            _, most = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)
            size = dice.randrange(1 << 16, max(log, 1 << 17) + (1 << 16))
            resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (size, most))
            wait(lambda before=before: refused(players) >= before + 10)  # type: ignore[misc]
            resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (most, most))
            wait_for_more(players)
        compare(players, Store(folder=tmp_path))
    _report("full disks", times, players)


def test_a_database_that_is_stopped(tmp_path: Path) -> None:
    players = [Player(game, seed) for seed, game in enumerate(GAMES, 1)]
    times, dice = max(2, KILLS // 5), random.Random(9)
    with restartable() as cluster:
        with played(players, tmp_path, cluster.address):
            for _ in range(times):
                wait_for_more(players)
                time.sleep(dice.random() * 0.2)
                before = refused(players)
                cluster.stop()
                wait(lambda before=before: refused(players) > before)  # type: ignore[misc]
                cluster.start()
            wait_for_more(players)
        compare(players, Store(cluster.address, tmp_path))
    _report("database stops", times, players)


def _report(what: str, times: int, players: list[Player]) -> None:
    print(
        f"{times} {what}, {acknowledged(players):,} changes acknowledged, "
        f"{refused(players):,} refused, 0 lost"
    )


def compare(players: list[Player], store: Store) -> None:
    """Every state that was acknowledged is in the record, and every table can be opened."""
    try:
        tables = Tables(store, Library(store))
        for player in players:
            noted: dict[str, dict[int, str]] = {}
            for key, version, piles in player.acknowledged[player.compared :]:
                assert version not in noted.setdefault(key, {})
                noted[key][version] = piles
            player.compared = len(player.acknowledged)
            for key, versions in noted.items():
                record = tables.get(key)
                assert record.stranded == 0
                assert list(versions) == sorted(versions)
                draft = Draft(Record.dealt(key, record.nodes[0].position, record.begun, Options()))
                for event in store.events(key):
                    draft.add(event)
                    if draft.now.version in versions:
                        at = serialize.position(draft.now.position, "en")
                        found = [pile.model_dump(mode="json") for pile in at.piles]
                        assert json.dumps(found) == versions.pop(draft.now.version)
                assert not versions, f"lost at {key}: {sorted(versions)}"
                assert draft.now.version == record.version
    finally:
        store.close()
