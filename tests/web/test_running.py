"""A server in a process of its own: its log, and how it stops."""

import contextlib
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from cadogan.table.store import Store
from cadogan.web.running import notify
from tests.documents import ROOT, blocks

TOKEN = "the token of the table that nobody may see"
pytestmark = [pytest.mark.takes_turns(3), pytest.mark.timeout(120)]


class Running:
    """A running ``cadogan serve``."""

    def __init__(self, folder: Path, *options: str, env: dict[str, str] | None = None) -> None:
        self.folder = folder
        with socket.create_server(("127.0.0.1", 0)) as found:
            self.port = found.getsockname()[1]
        words = ("--port", str(self.port), "--no-browser", "--workers", "0", *options)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "cadogan.cli", "serve", *words],
            env={**os.environ, "CADOGAN_HOME": str(folder), "CADOGAN_TOKEN": TOKEN, **(env or {})},
            stderr=subprocess.PIPE,
            text=True,
        )
        self.log = ""
        self._reader = threading.Thread(target=self._read)
        self._reader.start()
        until = time.monotonic() + 60
        while not self.answers() and time.monotonic() < until:
            time.sleep(0.05)

    def _read(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.log += line

    def answers(self) -> bool:
        with contextlib.suppress(OSError, http.client.HTTPException):
            return self.ask("GET", "/readyz")[0] == 200
        return False

    def ask(
        self, method: str, path: str, body: Any = None, **headers: str
    ) -> tuple[int, Any, dict[str, str]]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        sent = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json", **headers}
        with contextlib.closing(connection):
            text = None if body is None else json.dumps(body)
            connection.request(method, path, text, sent)
            answer = connection.getresponse()
            data = answer.read()
            is_json = "json" in (answer.getheader("Content-Type") or "")
            return answer.status, json.loads(data) if is_json else data, dict(answer.getheaders())

    def stop(self, signal_number: int = signal.SIGTERM) -> int:
        """Sends a signal and waits for the end.

        Returns:
            The exit status.
        """
        self.process.send_signal(signal_number)
        return self.wait()

    def wait(self) -> int:
        status = self.process.wait(60)
        self._reader.join(10)
        assert self.process.stderr is not None
        self.process.stderr.close()
        return status


@contextmanager
def serving(folder: Path, *options: str, env: dict[str, str] | None = None) -> Iterator[Running]:
    made = Running(folder, *options, env=env)
    try:
        yield made
    finally:
        if made.process.poll() is None:
            made.process.kill()
            made.wait()


def test_the_log_has_an_object_for_each_request_and_no_secret(tmp_path: Path) -> None:
    with serving(tmp_path, "--log", "json", "--proxy", "127.0.0.1") as server:
        table = server.ask("POST", "/api/tables", {"game": "klondike", "deal": "cadogan:1"})[1]
        status, _, headers = server.ask(
            "GET", f"/api/tables/{table['id']}?lang=de", **{"X-Request-Id": "proxy-12345678"}
        )
        server.ask("GET", f"/?token={TOKEN.replace(' ', '+')}", Accept="text/html")
        server.ask("GET", "/made/up?token=guessed-by-a-stranger", Authorization="Bearer wrong-one")
        assert server.stop() == 0
    lines = [json.loads(line) for line in server.log.splitlines()]
    requests = [line for line in lines if line["message"] == "request"]
    assert status == 200
    assert headers["x-request-id"] == "proxy-12345678"
    assert [line["request"] for line in requests].count("proxy-12345678") == 1
    assert {(line["method"], line["route"], line["status"]) for line in requests} >= {
        ("POST", "/api/tables", 201),
        ("GET", "/api/tables/{key}", 200),
        ("GET", None, 303),
        ("GET", None, 403),
    }
    assert all(line["ms"] >= 0 and line["time"].endswith("+00:00") for line in requests)
    (shown,) = (each for each in blocks(ROOT / "docs/hosting.md") if each.language == "json")
    assert list(json.loads(shown.text)) == list(requests[0])
    for secret in (TOKEN, TOKEN.replace(" ", "+"), "guessed", "wrong-one", table["id"], "token="):
        assert secret not in server.log


def test_a_server_that_is_asked_to_stop_loses_nothing(tmp_path: Path) -> None:
    """It reports it, goes on for a while, closes its sockets, and ends what it has begun."""
    with serving(tmp_path, "--drain", "1") as server:
        table = server.ask("POST", "/api/tables", {"game": "klondike", "deal": "cadogan:1"})[1]
        path = f"/api/tables/{table['id']}"
        begun = version = table["version"]
        address = f"ws://127.0.0.1:{server.port}{path}/events"
        origin = {"Authorization": f"Bearer {TOKEN}"}
        with connect(address, additional_headers=origin) as events:
            events.recv(timeout=30)
            server.process.send_signal(signal.SIGTERM)
            statuses = set()
            with contextlib.suppress(OSError, http.client.HTTPException):
                while True:
                    statuses.add(server.ask("GET", "/readyz")[0])
                    body = {"version": version, "text": "deal"}
                    status, played, _ = server.ask("POST", f"{path}/moves", body)
                    assert status == 200
                    version = played["table"]["version"]
                    status, undone, _ = server.ask("POST", f"{path}/undo", {"version": version})
                    assert status == 200
                    version = undone["version"]
            with pytest.raises(ConnectionClosed) as closed:
                deque(iter(lambda: events.recv(timeout=30), None))
        assert server.wait() == 0
    assert statuses == {200, 503} or statuses == {503}
    assert version > begun
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1012  # the page connects again after this one
    with contextlib.closing(Store(folder=tmp_path)) as store:
        assert store.version(table["id"]) >= version


def test_a_silent_client_does_not_delay_the_end(tmp_path: Path) -> None:
    with serving(tmp_path) as server, socket.create_connection(("127.0.0.1", server.port)) as raw:
        table = server.ask("POST", "/api/tables", {"game": "golf", "deal": "cadogan:1"})[1]
        raw.sendall(
            f"GET /api/tables/{table['id']}/events HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            f"Authorization: Bearer {TOKEN}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
            .encode()
        )  # fmt: skip
        assert raw.recv(100).startswith(b"HTTP/1.1 101")
        begun = time.monotonic()
        assert server.stop() == 0
        assert time.monotonic() - begun < 8


def test_systemd_learns_when_the_server_is_ready_and_when_it_stops(tmp_path: Path) -> None:
    address = tmp_path / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as heard:
        heard.bind(str(address))
        heard.settimeout(60)
        with serving(tmp_path / "home", env={"NOTIFY_SOCKET": str(address)}) as server:
            assert heard.recv(100) == b"READY=1"
            assert server.answers()
            assert server.stop() == 0
            assert heard.recv(100) == b"STOPPING=1"


def test_an_address_of_systemd_that_does_not_exist_is_no_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for address in ("", "/no/such/socket", "@cadogan-no-such-socket", "nonsense"):
        monkeypatch.setenv("NOTIFY_SOCKET", address)
        notify("READY=1")


def test_headers_of_a_proxy_count_only_if_it_is_trusted(tmp_path: Path) -> None:
    for number, options in enumerate(([], ["--proxy", "127.0.0.1"], ["--proxy", "10.0.0.0/8"])):
        with serving(tmp_path / str(number), *options) as server:
            headers = {"X-Forwarded-Proto": "https", "Accept": "text/html", "Authorization": ""}
            found = server.ask("GET", f"/?token={TOKEN.replace(' ', '+')}", **headers)
            assert found[0] == 303
            assert ("Secure" in found[2]["set-cookie"]) is (number == 1)


def test_full_garbage_collections_are_rare() -> None:
    """During one, nobody is answered."""
    program = """
import gc
from cadogan.web.running import collect_rarely

collect_rarely()
before = [each["collections"] for each in gc.get_stats()]
kept = [[] for _ in range(300_000)]
after = [each["collections"] for each in gc.get_stats()]
print([late - early for early, late in zip(before, after)])
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    young, middle, full = json.loads(done.stdout)
    assert young > 100
    assert middle > 10
    assert full == 0
