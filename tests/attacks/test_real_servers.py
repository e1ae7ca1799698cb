"""L14, M3, M7: what only shows in servers in separate processes."""

import contextlib
import json
import multiprocessing
import os
import re
import resource
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx2 as httpx
import pytest
import websockets.sync.client

from tests.attacks.test_torn import truth
from tests.conftest import THOROUGH
from tests.documents import ROOT

MEGABYTE = b"x" * 1_000_000
BODY = 100 if THOROUGH else 4
"""Megabytes of a body."""
ANSWERS = 20_000 if THOROUGH else 600
PLAYERS = 6

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no such limits")


@contextlib.contextmanager
def serving(folder: Path) -> Iterator[tuple[str, Path, int]]:
    """``cadogan serve`` in a process of its own; yields its address, its log and its number."""
    log = folder / f"log-{time.monotonic_ns()}"
    words = ["serve", "--no-browser", "--no-token", "--workers", "0", "--port", "0"]
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "cadogan.cli", *words],
            stdout=out,
            stderr=out,
            env={**os.environ, "XDG_DATA_HOME": str(folder), "CADOGAN_CACHE": ""},
            cwd=ROOT,
        )
    try:
        address = ""
        until = time.monotonic() + 120
        while not address:
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < until
            time.sleep(0.05)
            found = re.search(r"http://[\d.:]+", log.read_text())
            address = found[0] if found else ""
        while True:
            with contextlib.suppress(httpx.HTTPError):
                if httpx.get(f"{address}/api/about", timeout=60).status_code == 200:
                    break
            assert time.monotonic() < until
        yield address, log, process.pid
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def connect(address: str) -> socket.socket:
    parts = urlsplit(address)
    return socket.create_connection((parts.hostname, parts.port), timeout=20)


def test_bodies_and_texts_that_are_none_leave_no_traceback(tmp_path: Path) -> None:
    with serving(tmp_path) as (address, log, _):
        for head in (
            b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: %d\r\n\r\n" % (BODY * 10**6),
            b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n",
            b"GET /api/about HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n",
        ):
            with connect(address) as made, contextlib.suppress(ConnectionError):
                made.sendall(head)
                for _ in range(BODY):
                    chunk = MEGABYTE if b"Length" in head else b"%x\r\n" % 10**6 + MEGABYTE
                    made.sendall(chunk + (b"" if b"Length" in head else b"\r\n"))
        table = httpx.post(f"{address}/api/tables", json={"game": "golf"}, timeout=60).json()
        path = f"ws{address[4:]}/api/tables/{table['id']}/events"
        with websockets.sync.client.connect(path) as made_socket:
            made_socket.recv(20)
            made_socket.send(b"\xff\xfe", text=True)
            with pytest.raises(websockets.exceptions.ConnectionClosed):
                made_socket.recv(20)
            assert made_socket.close_code == 1007
        assert httpx.get(f"{address}/api/about", timeout=60).status_code == 200
        assert "Traceback" not in log.read_text()
        assert "Error" not in log.read_text()


@pytest.mark.skipif(sys.platform != "linux", reason="others cannot limit a server that runs")
def test_without_file_descriptors_the_page_is_there_and_all_is_well_afterwards(
    tmp_path: Path,
) -> None:
    """The server has no file descriptor left: none for a connection, none for a file."""
    with (
        serving(tmp_path) as (address, log, number),
        httpx.Client(base_url=address, timeout=30) as early,
    ):
        table = early.post("/api/tables", json={"game": "klondike"}).json()
        page = early.get("/").text
        asset = re.search(r"/assets/[\w.-]+\.js", page)
        files = Path(f"/proc/{number}/fd")
        limits = resource.prlimit(number, resource.RLIMIT_NOFILE)
        most = len(list(files.iterdir())) + 20
        resource.prlimit(number, resource.RLIMIT_NOFILE, (most, limits[1]))
        crowd = list[socket.socket]()
        answers = Counter[int]()
        with contextlib.suppress(OSError):
            crowd += [connect(address) for _ in range(60)]
        until = time.monotonic() + 10
        while len(list(files.iterdir())) < most and time.monotonic() < until:
            time.sleep(0.05)
        assert len(list(files.iterdir())) >= most - 1
        for path in ("/", asset[0] if asset else "/", "/icon.svg", "/api/about", "/api/tables"):
            # Earlier clients get an answer, or the reason why not.
            found = early.get(path)
            answers[found.status_code] += 1
            assert found.status_code in (200, 503), found.text
            assert found.text
            assert "an internal error" not in found.text
        moved = early.post(f"/api/tables/{table['id']}/moves", json={"version": 0, "text": "deal"})
        assert moved.status_code in (200, 503)
        assert answers[200] >= 3
        for each in crowd:
            each.close()
        until = time.monotonic() + 30
        while True:
            with contextlib.suppress(httpx.HTTPError):
                if httpx.get(address, timeout=5).status_code == 200:
                    break
            assert time.monotonic() < until
            time.sleep(0.1)
        version = early.get(f"/api/tables/{table['id']}").json()["version"]
        assert version == int(moved.status_code == 200)
        again = early.post(
            f"/api/tables/{table['id']}/moves", json={"version": version, "text": "deal"}
        )
        assert again.status_code == 200
        assert "Traceback" not in log.read_text()
        print(f"{len(crowd)} connections; answers meanwhile {dict(answers)}")


def visit(address: str, key: str, seed: int, most: int, out: Path) -> None:
    """Plays at a table that others play at, and writes down each answer."""
    import random

    dice = random.Random(seed)
    at = f"/api/tables/{key}"
    with httpx.Client(base_url=address, timeout=60) as client, out.open("w") as notes:
        number = 0
        while number < most:
            table = client.get(at).json()
            ways = [("moves", {"text": move["text"]}) for move in table["position"]["moves"]]
            ways = [dice.choice(ways)] if ways and table["node"] < 300 else [("restart", {})]
            if table["undo"] and dice.random() < 0.2:
                ways = [("undo", {})]
            if dice.random() < 0.1:
                ways = [("bookmark", {"node": table["node"], "name": "here"})]
            way, more = ways[0]
            body = {"version": table["version"], **more}
            answer = client.post(f"{at}/{way}", json=body)
            found = answer.json()
            given = [table]
            if answer.status_code in (200, 409):
                given.append(found.get("table") or found)
            else:
                # A move that is listed at a version is allowed there.
                json.dump({"refused": found["message"]["text"]}, notes)
                notes.write("\n")
            for each in given:
                piles = [(pile["name"], pile["cards"]) for pile in each["position"]["piles"]]
                stand = (
                    each["version"],
                    each["node"],
                    str(piles),
                    each["seconds"],
                    len(each["bookmarks"]),
                )
                json.dump(stand, notes)
                notes.write("\n")
            number += len(given)


@pytest.mark.slow
def test_no_answer_of_two_processes_is_torn(tmp_path: Path) -> None:
    with serving(tmp_path) as (one, *_), serving(tmp_path) as (two, *_):
        table = httpx.post(f"{one}/api/tables", json={"game": "klondike"}, timeout=60).json()
        context = multiprocessing.get_context("spawn")
        outs = [tmp_path / f"answers-{seed}" for seed in range(PLAYERS)]
        players = [
            context.Process(
                target=visit,
                args=((one, two)[seed % 2], table["id"], seed, ANSWERS // PLAYERS + 1, out),
            )
            for seed, out in enumerate(outs)
        ]
        for player in players:
            player.start()
        for player in players:
            player.join()
        assert [player.exitcode for player in players] == [0] * PLAYERS
    answers = [json.loads(line) for out in outs for line in out.read_text().splitlines()]
    refused = [each for each in answers if isinstance(each, dict)]
    answer = {tuple(each) for each in answers if isinstance(each, list)}
    torn = answer - truth(tmp_path / "cadogan", table["id"])
    assert refused == []
    assert torn == set()
    assert len(answers) >= ANSWERS
    print(f"{len(answers):,} answers of two processes, {len(answer):,} different, {len(torn)} torn")
