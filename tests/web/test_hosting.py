"""The examples of the page on hosting, with the real programs, on loopback with TLS."""

import asyncio
import contextlib
import http.client
import json
import os
import re
import shlex
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect as connect_socket

from cadogan.web.guard import LOOPBACK
from cadogan.web.state import AppState
from tests.documents import ROOT, blocks
from tests.web.server import running

EXAMPLES = ROOT / "docs" / "examples" / "hosting"
NAME = "patience.example.org"
TOKEN = "the token of the table, a secret"
CLIENT = "127.0.0.2"
"""The address of a client; that of the proxy is 127.0.0.1."""
pytestmark = [pytest.mark.takes_turns(8), pytest.mark.timeout(120)]


def test_the_page_shows_the_examples() -> None:
    shown = {block.text for block in blocks(ROOT / "docs/hosting.md")}
    for path in sorted(EXAMPLES.iterdir()):
        assert path.read_text(encoding="utf-8") in shown, path.name


def program(name: str) -> str:
    found = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/sbin")
    if found is None:
        pytest.skip(f"{name} is not installed here")
    return found


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        port: int = found.getsockname()[1]
        return port


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with ``fullchain.pem`` and ``privkey.pem``, self-signed."""
    folder = tmp_path_factory.mktemp("certificate")
    words = (
        f"req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN={NAME} "
        f"-addext subjectAltName=DNS:{NAME} -keyout privkey.pem -out fullchain.pem"
    )
    subprocess.run(
        [program("openssl"), *words.split()], cwd=folder, check=True, capture_output=True
    )
    return folder


@dataclass
class Events:
    """The socket of a table, read in one thread.

    OpenSSL does not let one thread read a connection while another writes to it, as the client of
    ``websockets.sync`` does: a message is lost now and then.
    """

    runner: asyncio.Runner
    connection: ClientConnection

    def recv(self, seconds: float) -> str | bytes:
        return self.runner.run(asyncio.wait_for(self.connection.recv(), seconds))


@dataclass
class Proxy:
    """A proxy that runs, and a client of it.

    Attributes:
        port: Where it serves TLS.
        state: The state of the server behind it.
        server: The port of the server behind it.
    """

    port: int
    state: AppState
    server: int
    certificate: Path

    def dial(self, client: str = CLIENT) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), 30, (client, 0))

    @property
    def tls(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=self.certificate / "fullchain.pem")

    @property
    def host(self) -> str:
        return f"{NAME}:{self.port}"

    def ask(
        self, path: str, method: str = "GET", body: object = None, **headers: str
    ) -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection(self.host)
        connection.sock = self.tls.wrap_socket(self.dial(), server_hostname=NAME)
        sent = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json", **headers}
        text = None if body is None else json.dumps(body)
        with contextlib.closing(connection):
            connection.request(method, path, text, sent)
            answer = connection.getresponse()
            answer.content = answer.read()  # type: ignore[attr-defined]
        return answer

    @contextmanager
    def events(self, key: str, **headers: str) -> Iterator[Events]:
        """Opens the socket of a table."""
        sent = {"Authorization": f"Bearer {TOKEN}", "Origin": f"https://{self.host}", **headers}

        async def opened() -> ClientConnection:
            return await connect(
                f"wss://{self.host}/api/tables/{key}/events",
                sock=self.dial(),
                ssl=self.tls,
                additional_headers=sent,
                proxy=None,
            )

        with asyncio.Runner() as runner:
            connection = runner.run(opened())
            try:
                yield Events(runner, connection)
            finally:
                runner.run(connection.close())


def content(answer: http.client.HTTPResponse) -> bytes:
    found: bytes = answer.content  # type: ignore[attr-defined]
    return found


@contextmanager
def nginx(port: int, upstream: int, certificate: Path, folder: Path) -> Iterator[None]:
    """Runs nginx with the example; only ports and paths differ."""
    example = (EXAMPLES / "nginx.conf").read_text(encoding="utf-8")
    example = example.replace("127.0.0.1:7617", f"127.0.0.1:{upstream}")
    example = example.replace("listen 80;", f"listen 127.0.0.1:{free_port()};")
    example = example.replace("listen 443 ssl", f"listen 127.0.0.1:{port} ssl")
    example = example.replace(f"/etc/letsencrypt/live/{NAME}", str(certificate))
    paths = "".join(
        f"{kind}_temp_path {folder}/{kind};"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    user = "user root;" if os.geteuid() == 0 else ""
    file = folder / "nginx.conf"
    file.write_text(
        f"{user} pid {folder}/pid; error_log stderr; worker_processes 1;\n"
        f"events {{}}\nhttp {{ access_log off; {paths}\n{example}}}\n",
        encoding="utf-8",
    )
    words = [program("nginx"), "-p", str(folder), "-e", "stderr", "-c", str(file)]
    with process([*words, "-g", "daemon off;"], port, folder):
        yield


@contextmanager
def caddy(port: int, upstream: int, certificate: Path, folder: Path) -> Iterator[None]:
    """Runs Caddy with the example; only ports and the certificate differ."""
    example = (EXAMPLES / "Caddyfile").read_text(encoding="utf-8")
    example = example.replace("127.0.0.1:7617", f"127.0.0.1:{upstream}")
    tls = f"tls {certificate}/fullchain.pem {certificate}/privkey.pem"
    example = example.replace(f"{NAME} {{", f"https://{NAME}:{port} {{\n\tbind 127.0.0.1\n\t{tls}")
    file = folder / "Caddyfile"
    alone = "{\n\tadmin off\n\tauto_https disable_redirects\n\tskip_install_trust\n}\n"
    file.write_text(alone + example, encoding="utf-8")
    words = [program("caddy"), "run", "--adapter", "caddyfile", "--config", str(file)]
    with process(words, port, folder):
        yield


@contextmanager
def process(words: list[str], port: int, folder: Path) -> Iterator[None]:
    """Runs a program until the end, from when it accepts connections."""
    env = {**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder)}
    with (folder / "log").open("wb") as log:
        made = subprocess.Popen(words, stdout=log, stderr=log, env=env)
    try:
        until = time.monotonic() + 30
        while True:
            assert made.poll() is None, (folder / "log").read_text()
            assert time.monotonic() < until, (folder / "log").read_text()
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
                break
            time.sleep(0.05)
        yield
    finally:
        made.send_signal(signal.SIGTERM)
        made.wait(20)


@pytest.fixture(scope="module", params=[nginx, caddy], ids=["nginx", "caddy"])
def proxy(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, certificate: Path
) -> Iterator[Proxy]:
    """A server with the options of the unit, and the proxy in front of it."""
    folder = tmp_path_factory.mktemp("proxy")
    state = AppState(folder=folder / "data", workers=0)
    hosts = {*LOOPBACK, NAME}
    with running(state, ["127.0.0.1"], token=TOKEN, hosts=hosts, is_behind_proxy=True) as address:
        upstream, port = int(address.rpartition(":")[2]), free_port()
        with request.param(port, upstream, certificate, folder):
            yield Proxy(port, state, upstream, certificate)
    state.close()


def test_the_page_and_its_files_load(proxy: Proxy) -> None:
    page = proxy.ask("/", Accept="text/html")
    assert (page.status, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert "default-src 'none'" in page.headers["content-security-policy"]
    for path in re.findall(rb'(?:src|href)="(/assets/[^"]+)"', content(page))[:3]:
        assert proxy.ask(path.decode()).status == 200
    assert proxy.ask("/healthz").status == 200
    assert proxy.ask("/readyz").status == 200


def test_the_cookie_goes_back_over_tls_only(proxy: Proxy) -> None:
    answer = proxy.ask(f"/?token={TOKEN.replace(' ', '+')}", Authorization="", Accept="text/html")
    assert answer.status == 303
    cookie = answer.headers["set-cookie"]
    assert "Secure" in cookie
    known = proxy.ask("/api/about", Authorization="", Cookie=cookie.partition(";")[0])
    assert known.status == 200
    assert proxy.ask("/api/about", Authorization="").status == 403


def test_a_socket_brings_moves(proxy: Proxy) -> None:
    table = deal(proxy)
    with proxy.events(table["id"]) as events:
        assert json.loads(events.recv(10))["type"] == "table"
        body = {"version": table["version"], "text": "deal"}
        moved = proxy.ask(f"/api/tables/{table['id']}/moves", "POST", body)
        assert moved.status == 200
        assert json.loads(events.recv(10))["table"]["version"] == table["version"] + 1


def deal(proxy: Proxy) -> dict[str, Any]:
    made = proxy.ask("/api/tables", "POST", {"game": "klondike", "deal": "cadogan:1"})
    assert made.status == 201, content(made)
    found: dict[str, Any] = json.loads(content(made))
    return found


@pytest.mark.parametrize("origin", ["https://evil.example", "http://patience.example.org", "null"])
def test_requests_of_other_sites_are_refused(proxy: Proxy, origin: str) -> None:
    body = {"game": "klondike", "deal": "cadogan:1"}
    assert proxy.ask("/api/tables", "POST", body, Origin=origin).status == 403
    own = f"https://{proxy.host}"
    assert proxy.ask("/api/tables", "POST", body, Origin=own).status == 201
    key = deal(proxy)["id"]
    with pytest.raises(InvalidStatus) as refused, proxy.events(key, Origin=origin):
        pass
    assert refused.value.response.status_code == 403


def test_other_names_are_refused(proxy: Proxy) -> None:
    answer = proxy.ask("/api/about", Host="evil.example")
    assert answer.status != 200 or content(answer) == b""  # Caddy has no such site


def test_the_address_of_a_client_is_what_the_proxy_saw(proxy: Proxy) -> None:
    key = deal(proxy)["id"]
    for headers in ({}, {"X-Forwarded-For": "203.0.113.9"}, {"Forwarded": "for=203.0.113.9"}):
        with proxy.events(key, **headers) as events:
            events.recv(10)
            assert set(proxy.state.subscriptions._clients) == {CLIENT}
        wait_for_none(proxy)


def test_without_the_proxy_nobody_chooses_an_address(proxy: Proxy) -> None:
    key = deal(proxy)["id"]
    made = socket.create_connection(("127.0.0.1", proxy.server), 30, ("127.0.0.3", 0))
    headers = {"Authorization": f"Bearer {TOKEN}", "X-Forwarded-For": "203.0.113.9"}
    address = f"ws://127.0.0.1:{proxy.server}/api/tables/{key}/events"
    with connect_socket(address, sock=made, additional_headers=headers, proxy=None) as events:
        events.recv(10)
        assert set(proxy.state.subscriptions._clients) == {"127.0.0.3"}
    wait_for_none(proxy)


def wait_for_none(proxy: Proxy) -> None:
    until = time.monotonic() + 10
    while proxy.state.subscriptions.count() and time.monotonic() < until:
        time.sleep(0.01)


def test_nobody_reads_the_figures_through_the_proxy(proxy: Proxy) -> None:
    for path in ("/metrics", "//metrics", "/./metrics", "/metrics/"):
        assert b"cadogan_" not in content(proxy.ask(path)), path
        headers = {"X-Forwarded-For": "127.0.0.1"}
        assert b"cadogan_" not in content(proxy.ask(path, **headers)), path


def test_the_proxy_names_requests(proxy: Proxy) -> None:
    first, second = (
        proxy.ask("/api/about", **{"X-Request-Id": "chosen-by-a-client"}).headers["x-request-id"]
        for _ in range(2)
    )
    assert "chosen" not in first
    assert re.fullmatch(r"[0-9a-f]{32}|[0-9a-f-]{36}", first)
    assert first != second


def test_a_large_request_is_refused(proxy: Proxy) -> None:
    body = {"text": "x" * 2_000_000}
    assert {proxy.ask("/api/rules/check", "POST", body).status for _ in range(5)} == {413}


# The units.


def words(unit: str) -> list[str]:
    text = (EXAMPLES / unit).read_text(encoding="utf-8")
    (command,) = re.findall(r"^ExecStart=(.*)", text, re.MULTILINE)
    return shlex.split(command)


def test_systemd_accepts_the_units(tmp_path: Path) -> None:
    analyze = program("systemd-analyze")
    for path in EXAMPLES.glob("*.[st][ei][rm]*"):
        text = path.read_text(encoding="utf-8")
        ours = str(Path(sys.executable).parent / "cadogan")
        (tmp_path / path.name).write_text(text.replace("/opt/cadogan/bin/cadogan", ours))
    units = sorted(str(path) for path in tmp_path.iterdir())
    assert len(units) == 3
    done = subprocess.run(
        [analyze, "verify", "--man=no", *units], capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_command_of_the_unit_starts_and_reports_it(tmp_path: Path) -> None:
    command = words("cadogan.service")
    assert command[:2] == ["/opt/cadogan/bin/cadogan", "serve"]
    place = command.index("--port") + 1
    command[place] = str(free_port())
    address = tmp_path / "notify"
    env = {**os.environ, "CADOGAN_HOME": str(tmp_path / "data"), "NOTIFY_SOCKET": str(address)}
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as heard:
        heard.bind(str(address))
        heard.settimeout(60)
        server = subprocess.Popen(
            [sys.executable, "-m", "cadogan.cli", *command[1:]], env=env, stderr=subprocess.PIPE
        )
        try:
            assert heard.recv(100) == b"READY=1"
            asked = http.client.HTTPConnection("127.0.0.1", int(command[place]), timeout=30)
            with contextlib.closing(asked):
                asked.request("GET", "/readyz", headers={"Host": NAME})
                assert asked.getresponse().status == 200
            server.send_signal(signal.SIGTERM)
            assert heard.recv(100) == b"STOPPING=1"
            _, log = server.communicate(timeout=30)
            assert server.returncode == 0
        finally:
            server.kill()
            server.wait()
    assert [json.loads(line)["level"] for line in log.splitlines()] == ["info"]


def test_the_command_of_the_backup_replaces_the_one_of_last_week(tmp_path: Path) -> None:
    ours = str(Path(sys.executable).parent / "cadogan")
    shell, option, script = words("cadogan-backup.service")
    script = script.replace("$$", "$").replace("%%", "%").replace("/var/lib/cadogan", str(tmp_path))
    script = script.replace("/opt/cadogan/bin/cadogan", ours)
    AppState(folder=tmp_path, workers=0).close()
    env = {**os.environ, "CADOGAN_HOME": str(tmp_path)}
    for _ in range(2):
        subprocess.run([shell, option, script], env=env, check=True, capture_output=True)
    (made,) = (tmp_path / "backups").iterdir()
    assert made.suffix == ".sqlite3"
