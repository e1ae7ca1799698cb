"""``make siege``: how long players wait during attacks on the server.

A server, players and attackers, each in a process of their own, and one attack after the other.
Printed is the latency of the players' moves meanwhile, and the memory that the server took. What
else the machine does counts too: beside the figures stand its load and those without an attack.
"""

import argparse
import contextlib
import json
import multiprocessing
import os
import socket
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from multiprocessing.synchronize import Barrier
from pathlib import Path
from urllib.parse import urlsplit

import httpx2 as httpx
from rich.console import Console
from rich.table import Table

from bench.table import run_server
from cadogan.rules.trial import MOVES
from cadogan.web.serve import listen
from tests.attacks.test_rules_files import (
    PACKETS,
    RESTLESS,
    RESTLESS_IN_PLAY,
    chain,
    variants,
)

AIM = 0.5
"""Seconds that 99 of 100 moves may take during an attack."""
BLOCK = b"x" * 1_000_000
CROWDED = PACKETS.replace("packs = 8", "packs = 2").replace("piles = 40", "piles = 20")
"""A table with about as many moves as a position may have."""
CROWDED = CROWDED.replace("deal = 10", f"deal = [{', '.join(['6'] * 4 + ['5'] * 16)}]")
ATTACKERS = 2
PLAYERS = 4
_number = 0


@dataclass(frozen=True)
class Figures:
    """What was measured during an attack.

    Attributes:
        attack: Its name.
        attacks: How often it was made.
        times: Seconds that each move of a player took.
        megabytes: Memory that the server had at most, and how much of it before the attack.
        load: The load of the machine.
    """

    attack: str
    attacks: int
    times: list[float]
    megabytes: tuple[float, float]
    load: float

    @property
    def percentile(self) -> float:
        """The time that 99 of 100 moves keep to."""
        found = self.times
        return statistics.quantiles(found, n=100)[98] if len(found) > 1 else float("inf")


def nothing(address: str) -> None:
    """No attack, for comparison."""
    time.sleep(0.2)


def chains(address: str) -> None:
    """H1: groups whose forced rules feed each other, deep enough to compile forever."""
    upload(address, chain(40))


def restless(address: str) -> None:
    """H2: forced rules that never come to rest, in the layout and in play."""
    upload(address, RESTLESS)
    if (name := upload(address, RESTLESS_IN_PLAY)) is not None:
        table = httpx.post(f"{address}/api/tables", json={"game": name}, timeout=60).json()
        for version in range(MOVES + 1):
            body = {"version": version, "text": "press"}
            httpx.post(f"{address}/api/tables/{table['id']}/moves", json=body, timeout=60)
    httpx.get(f"{address}/api/games", timeout=60)


def packets(address: str) -> None:
    """H3: a table with 16,224 moves, and one with as many as are allowed, opened again."""
    upload(address, PACKETS)
    if (name := upload(address, CROWDED)) is not None:
        table = httpx.post(f"{address}/api/tables", json={"game": name}, timeout=60).json()
        for _ in range(5):
            httpx.get(f"{address}/api/tables/{table['id']}", timeout=60)


def expressions(address: str) -> None:
    """H4: the name of a deal with 80,000 spaces."""
    text = f"# game: golf\n# deal: a{' ' * 80_000}b\n"
    httpx.post(f"{address}/api/tables/import", json={"text": text}, timeout=60)


def heads(address: str) -> None:
    """H5: a header of 100 MB."""
    send(address, b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ", *[BLOCK] * 100)


def cookies(address: str) -> None:
    """H6: a cookie of 60,000 backslashes."""
    head = b'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: a="'
    send(address, head + b"\\" * 60_000 + b"\r\nConnection: close\r\n\r\n")


def many_variants(address: str) -> None:
    """H7: more variants than are allowed, as many as are, and which exclude each other."""
    upload(address, variants(300))
    if (name := upload(address, variants(50, 'n{n}.role = "cell"\n'))) is not None:
        httpx.get(f"{address}/api/games/{name}/variants", timeout=60)


ATTACKS: dict[str, Callable[[str], None]] = {
    "none": nothing, "H1": chains, "H2": restless, "H3": packets, "H4": expressions,
    "H5": heads, "H6": cookies, "H7": many_variants,
}  # fmt: skip


def upload(address: str, text: str) -> str | None:
    """Saves a rules file that was not there before; answers the name of the game if it is taken."""
    global _number
    _number += 1
    body = {"text": f"{text}\n# {os.getpid()} {_number}\n"}
    answer = httpx.post(f"{address}/api/rules", json=body, timeout=60)
    return answer.json()["game"]["name"] if answer.status_code == 201 else None


def send(address: str, *parts: bytes) -> None:
    """Sends bytes, and reads until the server closes the connection."""
    parts_of = urlsplit(address)
    with (
        contextlib.suppress(OSError),
        socket.create_connection((parts_of.hostname, parts_of.port), timeout=60) as made,
    ):
        for part in parts:
            made.sendall(part)
        while made.recv(65536):
            pass


def play(address: str, number: int, done: threading.Event, times: list[float]) -> None:
    """Moves at a table until the attack is over, and notes how long each move took."""
    with httpx.Client(base_url=address, timeout=120) as client:
        body = {"game": "klondike", "deal": f"cadogan:{number}"}
        table = client.post("/api/tables", json=body).json()
        while not done.wait(0.02):
            how = "undo" if table["undo"] else "moves"
            body = {"version": table["version"]} | ({} if table["undo"] else {"text": "deal"})
            begun = time.perf_counter()
            answer = client.post(f"/api/tables/{table['id']}/{how}", json=body)
            times.append(time.perf_counter() - begun)
            answer.raise_for_status()
            found = answer.json()
            table = found.get("table", found)


def attack_on(
    address: str, name: str, seconds: float, ready: Barrier, made: "multiprocessing.Queue[int]"
) -> None:
    """Repeats an attack for some seconds, once all attackers are ready."""
    ready.wait(120)
    number, until = 0, time.monotonic() + seconds
    while number == 0 or time.monotonic() < until:
        with contextlib.suppress(httpx.HTTPError):
            ATTACKS[name](address)
            number += 1
    made.put(number)


def measure(name: str, seconds: float) -> Figures:
    """How long the moves of some players take while others attack.

    Each attack has a server of its own: what one leaves behind is not counted for the next.
    """
    with tempfile.TemporaryDirectory() as folder, server(folder) as (address, pid):
        httpx.get(f"{address}/api/games", timeout=120).raise_for_status()
        before = memory(pid, "VmRSS")
        done, times = threading.Event(), list[float]()
        players = [
            threading.Thread(target=play, args=(address, number, done, times))
            for number in range(PLAYERS)
        ]
        context = multiprocessing.get_context("spawn")
        made: multiprocessing.Queue[int] = context.Queue()
        # A process takes seconds to start on a busy machine.
        ready = context.Barrier(ATTACKERS + 1)
        words = (address, name, seconds, ready, made)
        attackers = [context.Process(target=attack_on, args=words) for _ in range(ATTACKERS)]
        for attacker in attackers:
            attacker.start()
        ready.wait(120)
        for player in players:
            player.start()
        time.sleep(seconds)
        done.set()
        for player in players:
            player.join()
        most, load = memory(pid, "VmHWM"), os.getloadavg()[0]
        number = 0
        for attacker in attackers:
            with contextlib.suppress(Exception):
                number += made.get(timeout=60)
            attacker.kill()
            attacker.join()
    return Figures(name, number, times, (before, most), load)


def memory(pid: int | None, what: str) -> float:
    """The memory of a process in megabytes, if the system reports it."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith(f"{what}:"):
                return int(line.split()[1]) / 1024
    return float("nan")


@contextlib.contextmanager
def server(folder: str) -> Iterator[tuple[str, int | None]]:
    """A server in a process of its own; yields its address and its number."""
    bound = listen("127.0.0.1", 0)
    context = multiprocessing.get_context("fork")
    # No daemon: it tries rules files in a process of its own.
    process = context.Process(target=run_server, args=(folder, bound, 0))
    process.start()
    try:
        yield f"http://127.0.0.1:{bound.getsockname()[1]}", process.pid
    finally:
        process.kill()
        process.join()
        bound.close()


def main() -> int:
    """Measures, prints a table, and fails if players had to wait."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("attacks", nargs="*", choices=[*ATTACKS, []], help="by default all")
    parser.add_argument("--seconds", type=float, default=10.0, help="how long each attack lasts")
    parser.add_argument("--json", type=Path, help="a file for the figures")
    words = parser.parse_args()
    table = Table("attack", "times", "moves", "median ms", "p99 ms", "longest ms", "MB", "load", "")
    found = list[Figures]()
    for name in words.attacks or ATTACKS:
        print(f"{name} ...", file=sys.stderr)
        found.append(measure(name, words.seconds))
    for each in found:
        figures = (statistics.median(each.times), each.percentile, max(each.times))
        table.add_row(
            each.attack,
            str(each.attacks),
            str(len(each.times)),
            *(f"{1000 * seconds:.0f}" for seconds in figures),
            "{:.0f} > {:.0f}".format(*each.megabytes),
            f"{each.load:.1f}",
            "too slow" if each.percentile > AIM else "",
        )
    Console().print(table)
    if words.json is not None:
        words.json.write_text(json.dumps([asdict(each) for each in found]), encoding="utf-8")
    return int(any(each.percentile > AIM for each in found))


if __name__ == "__main__":
    sys.exit(main())
