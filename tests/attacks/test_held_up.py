"""L18: what one table, one listener or one verdict must not hold up."""

import importlib
import logging
import pkgutil
import sqlite3
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any

import pytest
from fastapi.testclient import TestClient
from sqlalchemy.exc import OperationalError
from starlette.websockets import WebSocketDisconnect

import cadogan.web
from cadogan.table import service as tables_module
from cadogan.table.intent import Intent
from cadogan.table.record import Draft, Event, Options, Record
from cadogan.table.store import now
from cadogan.table.verdicts import VerdictState
from cadogan.table.workers import Answer, hashes_along
from cadogan.web.admission import AdmittedRoute
from cadogan.web.state import AppState
from tests.conftest import THOROUGH
from tests.web.test_tables import deal, post

HEADERS = {"Host": "127.0.0.1:7617"}
DEEP = 45_000 if THOROUGH else 6_000


def full(*_: object, **__: object) -> Any:
    fault = sqlite3.OperationalError("database or disk is full")
    fault.sqlite_errorcode = sqlite3.SQLITE_FULL
    raise OperationalError("SELECT 1", {}, fault)


def test_nobody_waits_long_for_a_table(
    state: AppState, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables_module, "BUSY_SECONDS", 0.3)
    table, other = deal(client), deal(client)

    def move(_: int) -> int:
        body = {"version": 0, "text": "deal"}
        return client.post(f"/api/tables/{table['id']}/moves", json=body).status_code

    with ExitStack() as held, ThreadPoolExecutor(20) as players:
        held.enter_context(state.tables.changing(table["id"], 0))
        begun = time.monotonic()
        answers = [players.submit(move, number) for number in range(20)]
        post(client, other, "moves", text="deal")
        assert [each.result() for each in answers] == [503] * 20
        # One after the other they would have waited for six seconds.
        assert time.monotonic() - begun < 3
    assert move(0) == 200


def test_a_listener_that_fails_undoes_no_move(
    state: AppState, client: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(record: Record) -> None:
        raise OSError("nobody listens")

    answer: list[int] = []
    table = deal(client)
    state.tables._listeners.insert(0, fail)
    state.tables.listen(lambda record: answer.append(record.version))
    after = post(client, table, "moves", text="deal")["table"]
    assert after["version"] == 1
    assert answer == [1]
    assert table["id"] in caplog.text
    state.tables._listeners.remove(fail)
    assert post(client, after, "undo")["version"] == 2


@pytest.mark.parametrize(("fault", "code"), [(full, 1013), (None, 1011)])
def test_a_socket_is_closed_in_order_whatever_fails(
    fault: Any, code: int, state: AppState, client: TestClient, monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    table = deal(client)
    monkeypatch.setattr(state.tables, "get", fault or (lambda key: 1 // 0))
    with (
        client.websocket_connect(f"/api/tables/{table['id']}/events", headers=HEADERS) as socket,
        pytest.raises(WebSocketDisconnect) as closed,
    ):
        socket.receive_json()
    assert closed.value.code == code
    # A fault of the world is not worth a traceback; one of ours is.
    assert bool([each for each in caplog.records if each.exc_info]) == (fault is None)
    assert not state.subscriptions.has_listeners(table["id"])


def test_a_damaged_record_opens_while_the_disk_is_full(
    state: AppState, client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = deal(client)
    for _ in range(6):
        table = post(client, table, "moves", text="deal")["table"]
    with sqlite3.connect(state.store.folder / "tables.sqlite3") as connection:
        connection.execute("UPDATE events SET kind = 'nonsense' WHERE seq = 4")
    state.tables._held.clear()
    at = f"/api/tables/{table['id']}"
    with monkeypatch.context() as patch:
        patch.setattr(state.store, "change", full)
        for _ in range(2):
            found = client.get(at)
            assert found.status_code == 200, found.text
            assert found.json()["version"] == 3
            assert found.json()["stranded"]["text"].startswith("3 changes at this table")
        refused = client.post(f"{at}/moves", json={"version": 3, "text": "deal"})
        assert refused.status_code == 507
        assert "the disk is full" in refused.json()["message"]["text"]
    after = client.post(f"{at}/moves", json={"version": 3, "text": "deal"})
    assert after.status_code == 200, after.text
    assert after.json()["table"]["version"] == 4
    assert after.json()["table"]["stranded"]["text"].startswith("3 changes")


@pytest.fixture
def deep(state: AppState) -> Record:
    """A game of thousands of moves."""
    state.verdicts._pool = Watched()
    record = state.tables.deal("klondike", "cadogan:1", options=Options("thoughtful"))
    draft = Draft(record)
    for number in range(1, DEEP):
        moves = draft.now.nodes[-1].position.moves()
        text = next(each.text for each in moves if each.text in ("deal", "redeal"))
        data = {"move": text, "parent": number - 1, "by": "player"}
        draft.add(Event("move", number, data, now()))
    return draft.record()


class Watched:
    """A pool that answers nothing."""

    size = 1
    is_answered = True

    def ask(self, *_: object, **__: object) -> Any:
        class Job:
            def cancel(self) -> None:
                pass

        return Job()

    def close(self) -> None:
        pass


def seconds(function: Any, *words: Any) -> float:
    begun = time.perf_counter()
    function(*words)
    return time.perf_counter() - begun


class Clocked:
    """A lock that notes how long it was held."""

    def __init__(self) -> None:
        self.held = list[float]()
        self._begun = 0.0

    def __enter__(self) -> None:
        self._begun = time.perf_counter()

    def __exit__(self, *_: object) -> None:
        self.held.append(time.perf_counter() - self._begun)


def test_the_verdict_of_a_long_game_holds_up_no_other(state: AppState, deep: Record) -> None:
    lock = state.verdicts._lock = Clocked()  # type: ignore[assignment]
    first = seconds(state.verdicts.standing, deep)
    assert max(lock.held) < first / 5
    after = deep.after([Event("goto", DEEP - 2, {"how": "undo"}, now())])
    again = min(seconds(state.verdicts.standing, each) for each in (after, deep, after, deep))
    assert again < first / 3
    print(f"{DEEP:,} moves deep: {1000 * first:.1f} ms at first, {1000 * again:.1f} ms later")


def test_what_is_known_of_a_line_holds_for_all_of_it(state: AppState) -> None:
    verdicts = state.verdicts
    record = state.tables.deal("klondike", "cadogan:1", options=Options("thoughtful"))
    for _ in range(9):
        record = state.tables.move(record.key, record.version, Intent("deal"))[0]
    assert verdicts.standing(record) == VerdictState("unknown")
    lost = record.nodes[5].position
    verdicts.add(lost, Answer("unwinnable", (), (), 0, True))
    assert verdicts.standing(record) == VerdictState("unwinnable", since=5)
    here = state.tables.go(record.key, record.version, 3)
    assert verdicts.standing(here).status == "unknown"
    before = here.nodes[4].position
    verdicts.add(before, Answer("winnable", ("a move",) * 7, (before.hash,), 0, True))
    there = state.tables.go(here.key, here.version, 8)
    assert verdicts.standing(there) == VerdictState("unwinnable", since=5, exact=True)
    assert verdicts.standing(state.tables.go(there.key, there.version, 4)).status == "winnable"


def test_the_lock_of_verdicts_is_free_while_a_rules_file_is_written(
    state: AppState, monkeypatch: pytest.MonkeyPatch
) -> None:
    verdicts, free = state.verdicts, list[bool]()
    verdicts._pool = Watched()

    def address(name: str) -> str:
        def look() -> None:
            with verdicts._lock:
                free.append(True)

        other = threading.Thread(target=look, daemon=True)
        other.start()
        other.join(5)
        return name

    monkeypatch.setattr(state.library, "address", address)
    verdicts.look(state.tables.deal("golf", "cadogan:1", options=Options("thoughtful")))
    assert free == [True]


def test_a_line_that_wins_holds_no_position_in_memory(state: AppState) -> None:
    record = state.tables.deal("golf", "cadogan:1")
    line = tuple(each.text for each in record.position.moves()[:1])
    state.verdicts.learn(record.key, record.position, line)
    hashes = hashes_along(record.position, line)
    assert state.verdicts._lines[record.key] == (hashes, line)
    # A line that does not win is no advice, wherever it came from.
    assert state.verdicts.line_from(record.key, record.position) == []


def test_the_log_has_no_traceback_of_a_full_disk(
    state: AppState, client: TestClient, monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    table = deal(client)
    with caplog.at_level(logging.WARNING):
        monkeypatch.setattr(state.store, "change", full)
        answer = client.post(
            f"/api/tables/{table['id']}/moves", json={"version": 0, "text": "deal"}
        )
    assert answer.status_code == 507
    assert answer.json()["hint"].startswith("free some space on the disk")
    assert not [each for each in caplog.records if each.exc_info]


def test_every_route_of_the_api_waits_for_its_turn() -> None:
    # Health and the page are for everybody at any time, and sockets have limits of their own.
    free = {"health", "events", "page"}
    for module in pkgutil.iter_modules(cadogan.web.__path__, "cadogan.web."):
        router = getattr(importlib.import_module(module.name), "router", None)
        if router is not None and module.name.rpartition(".")[2] not in free:
            assert router.routes
            assert all(isinstance(route, AdmittedRoute) for route in router.routes), module.name
