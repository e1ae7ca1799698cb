"""The database is locked, full, away, damaged or of another kind: players get a message."""

import os
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
from fastapi.testclient import TestClient

from cadogan.i18n.text import translate
from cadogan.table.engines import FILE, StoreError
from cadogan.table.store import Store
from cadogan.trouble import BUSY_SECONDS, trouble
from cadogan.web.app import create_app
from cadogan.web.state import AppState
from tests.web.server import running

pytestmark = pytest.mark.takes_turns(3)

AT = "http://127.0.0.1:7617"


@pytest.fixture
def state(tmp_path: Path) -> Iterator[AppState]:
    made = AppState(folder=tmp_path, workers=0)
    yield made
    made.close()


@pytest.fixture
def client(state: AppState) -> Iterator[TestClient]:
    with TestClient(create_app(state), base_url=AT) as made:
        yield made


@contextmanager
def locked(file: Path) -> Iterator[None]:
    """Another program holds the lock for writing."""
    other = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        other.execute("ROLLBACK")
        other.close()


def deal(client: Any, game: str = "klondike") -> str:
    answer = client.post("/api/tables", json={"game": game, "deal": "cadogan:1"})
    assert answer.status_code == 201
    key: str = answer.json()["id"]
    return key


@pytest.mark.slow
def test_a_lock_is_reported_and_leaves_other_requests_alone(
    state: AppState, tmp_path: Path
) -> None:
    with running(state) as address, httpx.Client(base_url=address, timeout=60) as client:
        keys = [deal(client) for _ in range(45)]

        def move(key: str) -> tuple[float, httpx.Response]:
            began = time.monotonic()
            body = {"version": 0, "text": "deal"}
            answer = httpx.post(f"{address}/api/tables/{key}/moves", json=body, timeout=60)
            return time.monotonic() - began, answer

        with locked(tmp_path / FILE), ThreadPoolExecutor(45) as players:
            moves = [players.submit(move, key) for key in keys]
            waits = []
            while not all(each.done() for each in moves):
                began = time.monotonic()
                assert client.get("/api/about").status_code == 200
                waits.append(time.monotonic() - began)
                time.sleep(0.05)
            given = [each.result() for each in moves]
        assert len(waits) > 20
        assert max(waits) < BUSY_SECONDS
        for seconds, answer in given:
            assert answer.status_code == 503
            assert answer.json()["code"] == "unavailable"
            assert "the database is busy" in answer.json()["message"]["text"]
            assert "nothing was changed" in answer.json()["message"]["text"]
            assert answer.headers["Retry-After"] == str(BUSY_SECONDS)
            assert seconds < 6 * BUSY_SECONDS
        for key in keys[:3]:
            assert client.get(f"/api/tables/{key}").json()["version"] == 0
            body = {"version": 0, "text": "deal"}
            assert client.post(f"/api/tables/{key}/moves", json=body).status_code == 200


def test_a_verdict_waits_until_it_can_be_written(state: AppState, tmp_path: Path) -> None:
    with locked(tmp_path / FILE):
        state.store.save_verdict("d", "h", "winnable", 7)
        assert state.store.verdict("d", "h") is None
    state.store.save_verdict("d", "i", "unknown", 7)
    assert state.store.verdict("d", "h") == "winnable"
    assert state.store.verdict("d", "i") == "unknown"


def test_a_verdict_is_written_without_the_lock_that_all_wait_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = AppState(folder=tmp_path, workers=1)
    try:
        free: list[bool] = []
        done = threading.Event()

        def slow(*_: object) -> None:
            def look() -> None:
                with state.verdicts._lock:
                    free.append(True)

            other = threading.Thread(target=look)
            other.start()
            other.join(5)
            done.set()

        monkeypatch.setattr(state.store, "save_verdict", slow)
        from cadogan.table.record import Options

        record = state.tables.deal("black-hole", "cadogan:1", options=Options("thoughtful"))
        state.verdicts.look(record)
        assert done.wait(60)
        assert free == [True]
    finally:
        state.close()


class Broken:
    """A database whose changes fail as the driver would have it."""

    def __init__(self, code: int, text: str) -> None:
        self.fault = sqlite3.OperationalError(text)
        self.fault.sqlite_errorcode = code

    def __call__(self, *_: object, **__: object) -> Any:
        from sqlalchemy.exc import OperationalError

        raise OperationalError("INSERT INTO events", {}, self.fault)


@pytest.mark.parametrize(
    ("code", "status", "said"),
    [
        (sqlite3.SQLITE_FULL, 507, "the disk is full"),
        (sqlite3.SQLITE_IOERR_WRITE, 503, "the disk cannot be read or written"),
        (sqlite3.SQLITE_READONLY_DBMOVED, 503, "cannot be written to"),
        (sqlite3.SQLITE_BUSY_SNAPSHOT, 503, "the database is busy"),
        (sqlite3.SQLITE_CORRUPT_VTAB, 503, "the database is damaged"),
        (sqlite3.SQLITE_CANTOPEN, 503, "cannot be opened"),
        (sqlite3.SQLITE_NOMEM, 503, "not enough memory"),
    ],
)
def test_faults_of_the_world_are_no_faults_of_cadogan(
    code: int, status: int, said: str, client: TestClient, state: AppState,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(state.store, "set_favourite", Broken(code, "as SQLite says"))
    answer = client.put("/api/games/klondike/favourite")
    problem = answer.json()
    assert answer.status_code == status
    assert said in problem["message"]["text"]
    assert problem["hint"]
    assert "internal error" not in answer.text
    # All answers pass the guard, these too.
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    german = client.put("/api/games/klondike/favourite", params={"lang": "de"}).json()
    assert german["message"]["text"] != problem["message"]["text"]
    assert german["hint"] != problem["hint"]


def test_a_fault_of_the_system_is_reported_by_its_name(
    client: TestClient, state: AppState, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied", "/nowhere/rules")

    monkeypatch.setattr(state.store, "set_favourite", refuse)
    answer = client.put("/api/games/klondike/favourite")
    assert answer.status_code == 503
    assert "/nowhere/rules: permission denied" in answer.json()["message"]["text"]


def test_a_fault_of_ours_is_one_still(state: AppState, monkeypatch: pytest.MonkeyPatch) -> None:
    from sqlalchemy.exc import ArgumentError

    def broken(*_: object) -> None:
        raise ArgumentError("a mistake of ours")

    monkeypatch.setattr(state.store, "set_favourite", broken)
    with TestClient(create_app(state), base_url=AT, raise_server_exceptions=False) as client:
        answer = client.put("/api/games/klondike/favourite")
    assert answer.status_code == 500
    assert "internal error" in answer.json()["message"]["text"]


# Databases that cannot be opened.


def _damaged(file: Path) -> None:
    _filled(file.parent)
    with file.open("r+b") as opened:
        for page in range(2, 12):
            opened.seek(page * 4096)
            opened.write(os.urandom(4096))


def _newer(file: Path) -> None:
    _filled(file.parent)
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()


def _filled(folder: Path) -> None:
    store = Store(folder=folder)
    for number in range(300):
        store.save_verdict("d" * 64, f"{number:032x}", "winnable", 1)
    store.close()


def _no_database(file: Path) -> None:
    file.write_bytes(b"these are my notes, and they stay as they are\n" * 200)


def _a_folder(file: Path) -> None:
    file.mkdir()


CASES = {
    "damaged": (_damaged, "the database is damaged", "cadogan rescue"),
    "newer": (_newer, "a newer version of Cadogan", "install that version"),
    "no database": (_no_database, "the file is not a database", "check the name"),
    "a folder": (_a_folder, "cannot be opened", "data folder"),
}


@pytest.mark.parametrize("case", CASES)
def test_a_database_that_cannot_be_opened_is_reported(case: str, tmp_path: Path) -> None:
    prepare, said, hint = CASES[case]
    prepare(tmp_path / FILE)
    before = None if case == "a folder" else (tmp_path / FILE).read_bytes()
    with pytest.raises(StoreError, match=said) as answer:
        Store(folder=tmp_path)
    assert answer.value.hint is not None
    assert hint in answer.value.hint
    assert translate(answer.value.args[0], "de") != answer.value.args[0]
    if before is not None:
        assert (tmp_path / FILE).read_bytes() == before


def cadogan(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "cadogan.cli", *words], capture_output=True, text=True, timeout=60,
        env={**os.environ, **environment}, stdin=subprocess.DEVNULL,
    )  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_the_command_line_tells_it_too(case: str, tmp_path: Path) -> None:
    prepare, said, hint = CASES[case]
    prepare(tmp_path / FILE)
    done = cadogan("serve", "--no-browser", "--port", "0", CADOGAN_HOME=str(tmp_path))
    assert done.returncode == 2
    assert said in done.stderr
    assert f"hint: {hint}" in done.stderr or hint in done.stderr
    for never in ("Traceback", "sqlalche.me", "internal error"):
        assert never not in done.stderr


@pytest.mark.parametrize("port", ["99999", "-1", "65536"])
def test_a_port_that_is_none(port: str, tmp_path: Path) -> None:
    done = cadogan("serve", "--no-browser", f"--port={port}", CADOGAN_HOME=str(tmp_path))
    assert done.returncode == 2
    assert "give one from 0 to 65535" in done.stderr
    assert "internal error" not in done.stderr


@pytest.mark.skipif(os.geteuid() == 0 and shutil.which("setpriv") is None, reason="root may all")
def test_a_folder_that_may_not_be_read_is_reported(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o000)
    words = [sys.executable, "-m", "cadogan.cli", "serve", "--no-browser", "--port", "0"]
    if os.geteuid() == 0:
        words = ["setpriv", "--bounding-set=-all", "--inh-caps=-all", "--", *words]
    done = subprocess.run(
        words, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL,
        env={**os.environ, "CADOGAN_HOME": str(home / "inner")},
    )  # fmt: skip
    assert done.returncode == 2
    assert "permission denied" in done.stderr
    assert "Traceback" not in done.stderr


# PostgreSQL.


def test_postgresql_that_is_away_is_reported(tmp_path: Path) -> None:
    pytest.importorskip("psycopg")
    address = f"postgresql://cadogan@/postgres?host={tmp_path}&port=5439"
    with pytest.raises(StoreError, match="cannot be reached") as answer:
        Store(address, tmp_path)
    assert answer.value.hint is not None


def test_postgresql_that_is_locked_is_reported(postgres: str, tmp_path: Path) -> None:
    import psycopg

    state = AppState(postgres, tmp_path, workers=0)
    try:
        with (
            TestClient(create_app(state), base_url=AT) as client,
            psycopg.connect(postgres) as other,
        ):
            client.put("/api/games/klondike/favourite")
            other.execute("LOCK TABLE favourites")
            began = time.monotonic()
            answer = client.delete("/api/games/klondike/favourite")
            assert time.monotonic() - began < 3 * BUSY_SECONDS
            assert answer.status_code == 503
            assert "the database is busy" in answer.json()["message"]["text"]
            assert client.get("/api/games/klondike/rules").status_code == 200
    finally:
        state.close()


def test_connections_that_end_are_reported(postgres: str, tmp_path: Path) -> None:
    import psycopg

    store = Store(postgres, tmp_path)
    try:
        with (
            store.engine.connect() as connection,
            psycopg.connect(postgres, autocommit=True) as other,
        ):
            connection.exec_driver_sql("SELECT 1")
            other.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE pid <> pg_backend_pid()"
            )
            with pytest.raises(Exception, match="terminat") as answer:
                connection.exec_driver_sql("SELECT 1")
        known = trouble(answer.value)
        assert known is not None
        assert known.key == "database.away"
    finally:
        store.close()


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_nul_is_refused_in_words(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    url = request.getfixturevalue("postgres") if kind == "postgresql" else None
    state = AppState(url, tmp_path, workers=0)
    try:
        with TestClient(create_app(state), base_url=AT) as client:
            key = deal(client)
            mark = {"version": 0, "node": 0, "name": "a\0b"}
            answers = [
                client.get("/api/tables?game=%00"),
                client.delete("/api/games/%00/favourite"),
                client.post(f"/api/tables/{key}/bookmark", json=mark),
                client.put("/api/settings", json={"page": {"a\0": ["deep", {"x": "\0"}]}}),
                client.post("/api/rules", json={"text": "name = 'a'\n#\0"}),
                client.post("/api/tables/import", json={"text": "\0"}),
                client.get("/api/games?lang=%00"),
            ]
            for answer in answers:
                assert answer.status_code == 422
                assert "NUL" in answer.json()["message"]["text"]
            # The same six letters without their meaning are a text like any other.
            mark["name"] = "a\\u0000b"
            assert client.post(f"/api/tables/{key}/bookmark", json=mark).status_code == 200
            assert client.post("/api/tables", content=b'"\\u0000').status_code == 422
    finally:
        state.close()


# Folders and files are the player's alone.


def test_folders_and_games_are_closed_to_others(tmp_path: Path) -> None:
    home = tmp_path / "share" / "cadogan"
    old = os.umask(0o022)
    try:
        done = cadogan(
            "play", "golf", "--deal", "cadogan:1", "--moves", os.devnull, CADOGAN_HOME=str(home)
        )
    finally:
        os.umask(old)
    assert done.returncode == 0, done.stderr
    assert (home / "tables.sqlite3").is_file()
    for path in (home, *home.rglob("*")):
        assert path.stat().st_mode & 0o777 == (0o700 if path.is_dir() else 0o600), path


def test_folders_that_were_open_are_closed(tmp_path: Path) -> None:
    for name, words in (
        ("play", ("play", "golf", "--deal", "cadogan:1", "--moves", os.devnull)),
        ("table", None),
    ):
        home = tmp_path / name
        (home / "games" / "golf").mkdir(parents=True)
        for folder in (home, home / "games", home / "games" / "golf"):
            folder.chmod(0o755)
        if words is None:
            Store(folder=home).close()
        else:
            assert cadogan(*words, CADOGAN_HOME=str(home)).returncode == 0
        assert home.stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "table" / FILE).stat().st_mode & 0o777 == 0o600
