"""H5, M7, L14: heads without end, requests that never end, and too many connections."""

import contextlib
import os
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx2 as httpx
import pytest
import websockets.sync.client

from cadogan.web import events, protocol, serve
from cadogan.web.state import AppState
from tests.web.server import running

pytestmark = pytest.mark.takes_turns(2)

LARGE = 100_000_000 if os.environ.get("CADOGAN_THOROUGH") else 4_000_000


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    state = AppState(folder=tmp_path, workers=0)
    with running(state) as found:
        yield found
    state.close()


@contextlib.contextmanager
def connected(address: str) -> Iterator[socket.socket]:
    """A connection to a server."""
    parts = urlsplit(address)
    with socket.create_connection((parts.hostname, parts.port), timeout=20) as made:
        yield made


def answer(made: socket.socket, *parts: bytes) -> bytes:
    """What comes back for some bytes, until the server closes the connection."""
    with contextlib.suppress(ConnectionError):
        for part in parts:
            made.sendall(part)
    found = b""
    with contextlib.suppress(ConnectionError):
        while part := made.recv(65536):
            found += part
    return found


def head(line: bytes = b"GET /api/about HTTP/1.1") -> bytes:
    return line + b"\r\nHost: 127.0.0.1\r\n"


ATTACKS = {
    "a long header": (head() + b"X: ", b"x" * LARGE),
    "many headers": (head(), b"a: b\r\n" * (LARGE // 6)),
    "a long cookie": (head() + b"Cookie: ", b"a=b; " * (LARGE // 5)),
    "a long address": (b"GET /", b"x" * LARGE),
    "a long trailer": (
        head(b"POST /api/rules/check HTTP/1.1") + b"Transfer-Encoding: chunked\r\n\r\n0\r\nX: ",
        b"x" * LARGE,
    ),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_a_head_without_end_is_refused(address: str, name: str) -> None:
    with connected(address) as made:
        begun = time.perf_counter()
        found = answer(made, *ATTACKS[name])
        assert time.perf_counter() - begun < 10
    # The refusal may be lost with the bytes that nobody reads any more.
    assert not found or found.split()[1] in (b"400", b"413", b"414", b"431")
    assert httpx.get(f"{address}/api/about").status_code == 200


def test_the_refusals_have_their_numbers(address: str) -> None:
    for words, status in (
        (head() + b"X: " + b"x" * 66_000 + b"\r\n\r\n", b"431"),
        (head() + b"a: b\r\n" * 200 + b"\r\n", b"431"),
        (b"GET /?" + b"x" * 50_000 + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", b"414"),
        (b"nonsense\r\n\r\n", b"400"),
    ):
        with connected(address) as made:
            found = answer(made, words)
            assert found.split()[1] == status, found
            assert b"content-security-policy" in found


def test_what_is_half_sent_is_closed(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "HEAD_SECONDS", 0.3)
    monkeypatch.setattr(protocol, "BODY_SECONDS", 0.3)
    post = head(b"POST /api/rules/check HTTP/1.1") + b"Content-Type: application/json\r\n"
    for words, status in (
        (b"", b""),
        (b"GET / HT", b"408"),
        (head(), b"408"),
        (post + b"Content-Length: 100\r\n\r\n{", b"408"),
        (post + b"Transfer-Encoding: chunked\r\n\r\n", b"408"),
    ):
        with connected(address) as made:
            begun = time.perf_counter()
            found = answer(made, words)
            assert time.perf_counter() - begun < 5
            assert found.split()[1:2] == ([status] if status else []), found
    with connected(address) as made:  # idle after an answer, then an empty line
        made.sendall(head() + b"\r\n")
        assert b"200 OK" in made.recv(65536)
        assert answer(made, b"\r\n") == b""


def test_a_slow_drip_does_not_put_the_end_off(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocol, "HEAD_SECONDS", 0.5)
    with connected(address) as made:
        begun = time.perf_counter()
        with contextlib.suppress(ConnectionError):
            while time.perf_counter() - begun < 5:
                made.sendall(b"G" if time.perf_counter() == begun else b"A")
                time.sleep(0.05)
        assert time.perf_counter() - begun < 5


def test_too_many_connections_are_told_so_and_then_all_is_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serve, "most_connections", lambda: 20)
    state = AppState(folder=tmp_path, workers=0)
    with running(state) as address, httpx.Client(base_url=address) as early:
        assert early.get("/api/about").status_code == 200
        with contextlib.ExitStack() as open_ones:
            silent = [open_ones.enter_context(connected(address)) for _ in range(30)]
            assert b"503 Service Unavailable" in answer(silent[-1])
            assert early.get("/api/about").status_code == 200
        time.sleep(0.2)
        assert httpx.get(f"{address}/api/about").status_code == 200
    state.close()


def test_a_table_has_so_many_sockets(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "MOST_AT_A_TABLE", 3)
    table = httpx.post(f"{address}/api/tables", json={"game": "golf"}).json()
    path = f"ws{address[4:]}/api/tables/{table['id']}/events"
    with contextlib.ExitStack() as open_ones:
        for _ in range(3):
            made = open_ones.enter_context(websockets.sync.client.connect(path))
            assert '"table"' in str(made.recv(10))
        fourth = open_ones.enter_context(websockets.sync.client.connect(path))
        with pytest.raises(websockets.exceptions.ConnectionClosed):
            fourth.recv(10)
        assert fourth.close_code == 4429


def test_a_text_that_is_none_leaves_no_traceback(
    address: str, caplog: pytest.LogCaptureFixture
) -> None:
    table = httpx.post(f"{address}/api/tables", json={"game": "golf"}).json()
    with websockets.sync.client.connect(f"ws{address[4:]}/api/tables/{table['id']}/events") as made:
        made.recv(10)
        made.send(b"\xff\xfe", text=True)
        with pytest.raises(websockets.exceptions.ConnectionClosed):
            made.recv(10)
        assert made.close_code == 1007
    assert "Traceback" not in caplog.text
    assert not [record for record in caplog.records if record.exc_info]
