"""A server killed under load loses no move that it has answered.

``make soak`` kills it a hundred times; a daily run less often.
"""

import http.client
import json
import multiprocessing
import os
import random
import signal
import socket
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from cadogan.table.library import Library
from cadogan.table.service import Tables
from cadogan.table.store import Store

KILLS = int(os.environ.get("CADOGAN_KILLS", "12"))
GAMES = ("klondike", "spider", "besieged-city", "freecell")

pytestmark = [pytest.mark.timeout(120 + 20 * KILLS), pytest.mark.slow]


def run_server(folder: str, bound: socket.socket) -> None:
    from cadogan.web.serve import serve
    from cadogan.web.state import AppState

    serve(AppState(folder=Path(folder), workers=0), bound)


@dataclass
class Player:
    """Plays at one table as fast as the server answers, and notes what was answered."""

    game: str
    seed: int
    table: dict[str, Any] | None = None
    answered: list[tuple[int, str]] = field(default_factory=list)

    def play(self, port: int) -> None:
        dice = random.Random(self.seed + len(self.answered))
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        try:
            if self.table is None:
                wish = {"game": self.game, "deal": f"cadogan:{self.seed}"}
                self.table = self._post(connection, "/api/tables", wish)
            else:
                # What was asked but not answered may have happened, or not.
                self.table = self._ask(connection, "GET", f"/api/tables/{self.table['id']}", None)
            while True:
                self._move(connection, dice)
        except (OSError, http.client.HTTPException):
            pass  # the server is dead
        finally:
            connection.close()

    def _move(self, connection: http.client.HTTPConnection, dice: random.Random) -> None:
        assert self.table is not None
        moves = self.table["position"]["moves"]
        path = f"/api/tables/{self.table['id']}"
        wish = {"version": self.table["version"]}
        if not moves or dice.random() < 0.1:
            what = "undo" if self.table["undo"] else "restart"
            self.table = self._post(connection, f"{path}/{what}", wish)
        else:
            wish["text"] = dice.choice(moves)["text"]
            self.table = self._post(connection, f"{path}/moves", wish)["table"]
        self.answered.append((self.table["version"], json.dumps(self.table["position"]["piles"])))

    def _post(self, connection: http.client.HTTPConnection, path: str, wish: Any) -> Any:
        return self._ask(connection, "POST", path, json.dumps(wish))

    @staticmethod
    def _ask(connection: http.client.HTTPConnection, how: str, path: str, body: Any) -> Any:
        connection.request(how, path, body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        text = answer.read()
        assert answer.status < 300, text
        return json.loads(text)


def test_no_answered_move_is_lost(tmp_path: Path) -> None:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["cadogan.web.serve"])
    players = [Player(game, seed) for seed, game in enumerate(GAMES, 1)]
    dice = random.Random(7)
    for _ in range(KILLS):
        with socket.create_server(("127.0.0.1", 0)) as bound:
            port = bound.getsockname()[1]
            server = context.Process(target=run_server, args=(str(tmp_path), bound))
            server.start()
        before = sum(len(player.answered) for player in players)
        threads = [threading.Thread(target=player.play, args=(port,)) for player in players]
        for thread in threads:
            thread.start()
        until = time.monotonic() + 60
        while sum(len(p.answered) for p in players) < before + 5 and time.monotonic() < until:
            time.sleep(0.01)
        time.sleep(dice.random() * 0.2)
        assert server.pid is not None
        os.kill(server.pid, signal.SIGKILL)
        for thread in threads:
            thread.join()
        server.join()
        assert sum(len(player.answered) for player in players) > before
        _compare(tmp_path, players)
    answered = sum(len(player.answered) for player in players)
    print(f"{KILLS} kills, {answered:,} changes answered, none of them lost")


def _compare(folder: Path, players: list[Player]) -> None:
    """Every answered state is in the record; at most one change more is."""
    from cadogan.web import serialize

    store = Store(folder=folder)
    try:
        tables = Tables(store, Library(store))
        for player in players:
            if player.table is None or not player.answered:
                continue
            record = tables.get(player.table["id"])
            version, piles = player.answered[-1]
            assert version <= record.version <= version + 1
            if record.version == version:
                at = serialize.position(record.position, "en")
                now = [pile.model_dump(mode="json") for pile in at.piles]
                assert json.dumps(now) == piles
            versions = [version for version, _ in player.answered]
            assert versions == sorted(set(versions))
            assert len(store.events(record.key)) == record.version
    finally:
        store.close()
