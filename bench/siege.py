"""``python -m bench.siege``: how long players wait while the server is under attack.

A server runs in its own process, players in threads, and the attacks one after the other; each
attack is a function of the address. The output is the latency of the players' moves meanwhile.
"""

import argparse
import contextlib
import multiprocessing
import socket
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import httpx2 as httpx
from rich.console import Console
from rich.table import Table

from bench.table import run_server
from cadogan.web.serve import listen

AIM = 0.5
"""The target for 99 of 100 moves during an attack, in seconds."""
BLOCK = b"x" * 1_000_000
PACKETS = """name = "Packets {n}"
packs = 8
aim = "some a is vacant"
[a]
role = "reserve"
piles = 40
deal = [11,11,11,11,11,11,11,11,11,11,11,11,11,11,11,11,10,10,10,10,\
10,10,10,10,10,10,10,10,10,10,10,10,10,10,10,10,10,10,10,10]
[[rule]]
name = "p"
from = "a"
to = "a"
cards = "a packet"
"""


def nothing(address: str) -> None:
    """No attack, for comparison."""
    time.sleep(0.2)


def chains(address: str) -> None:
    """H1: groups whose forced rules feed each other, so deep that compiling never ends."""
    depth = 18
    lines = ['name = "Chain"', 'aim = "g0 is empty"']
    for number in range(depth):
        lines += [f"[g{number}]", 'role = "reserve"', "piles = 2"]
    lines += ["[pack]", 'role = "stock"']
    for number in range(depth - 1):
        for twice in "ab":
            lines += ["[[rule]]", f'name = "{twice}{number}"', "forced = true"]
            lines += [f'from = "g{number}"', f'to = "g{number + 1}"']
            lines += ['cards = "a complete sequence down in suit"']
    upload(address, "\n".join(lines))


def relations(address: str) -> None:
    """H2: forced rules that never end."""
    text = 'name = "Restless"\naim = "a is empty"\n[a]\nrole = "reserve"\ndeal = 52\n'
    text += '[b]\nrole = "reserve"\n'
    for one, other in ("ab", "ba"):
        text += f'[[rule]]\nname = "{one}"\nforced = true\nduring = "always"\n'
        text += f'from = "{one}"\nto = "{other}"\n'
    upload(address, text)
    httpx.get(f"{address}/api/games", timeout=5)


def packets(address: str) -> None:
    """H3: a table with 16,224 moves, opened repeatedly."""
    name = upload(address, PACKETS.format(n=time.monotonic_ns()))
    if name is not None:
        table = httpx.post(f"{address}/api/tables", json={"game": name}, timeout=60).json()
        if "id" in table:
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


def variants(address: str) -> None:
    """H7: three hundred variants, and a request for the pairs that exclude each other."""
    text = 'name = "Variants"\naim = "a is empty"\n[a]\nrole = "reserve"\ndeal = 52\n'
    text += "".join(f"[variants.v{number}]\n" for number in range(300))
    name = upload(address, text)
    if name is not None:
        httpx.get(f"{address}/api/games/{name}/variants", timeout=5)


ATTACKS: dict[str, Callable[[str], None]] = {
    "none": nothing, "H1": chains, "H2": relations, "H3": packets, "H4": expressions,
    "H5": heads, "H6": cookies, "H7": variants,
}  # fmt: skip


def upload(address: str, text: str) -> str | None:
    """Saves a rules file; returns the name of the game if it was accepted."""
    answer = httpx.post(f"{address}/api/rules", json={"text": text}, timeout=20)
    return answer.json().get("name") if answer.status_code == 201 else None


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
    """Plays at a table until the attack is over, and records how long each move took."""
    with httpx.Client(base_url=address, timeout=120) as client:
        wish = {"game": "klondike", "deal": f"cadogan:{number}"}
        table = client.post("/api/tables", json=wish).json()
        while not done.wait(0.02):
            how = "undo" if table["undo"] else "moves"
            body = {"version": table["version"]} | ({} if table["undo"] else {"text": "deal"})
            begun = time.perf_counter()
            answer = client.post(f"/api/tables/{table['id']}/{how}", json=body)
            times.append(time.perf_counter() - begun)
            answer.raise_for_status()
            found = answer.json()
            table = found.get("table", found)


def measure(address: str, attack: Callable[[str], None], seconds: float) -> list[float]:
    """Measures the moves of four players while two attackers repeat an attack."""
    done, times = threading.Event(), list[float]()

    def attacking() -> None:
        while not done.is_set():
            with contextlib.suppress(httpx.HTTPError):
                attack(address)

    threads = [threading.Thread(target=attacking, daemon=True) for _ in range(2)]
    players = [
        threading.Thread(target=play, args=(address, number, done, times)) for number in range(4)
    ]
    for each in (*threads, *players):
        each.start()
    time.sleep(seconds)
    done.set()
    for each in players:
        each.join()
    return times


def percentile(times: list[float]) -> float:
    """Returns the 99th percentile."""
    return statistics.quantiles(times, n=100)[98] if len(times) > 1 else float("inf")


def besieged(address: str, names: list[str], seconds: float) -> dict[str, list[float]]:
    """Returns the times of the moves during each attack."""
    return {name: measure(address, ATTACKS[name], seconds) for name in names}


@contextlib.contextmanager
def server(folder: str) -> Iterator[str]:
    """Runs a server in its own process; yields its address."""
    bound = listen("127.0.0.1", 0)
    context = multiprocessing.get_context("fork")
    process = context.Process(target=run_server, args=(folder, bound, 0), daemon=True)
    process.start()
    try:
        yield f"http://127.0.0.1:{bound.getsockname()[1]}"
    finally:
        process.kill()
        process.join()
        bound.close()


def main() -> int:
    """Measures, prints a table, and fails if players had to wait too long."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("attacks", nargs="*", choices=[*ATTACKS, []], help="default: all")
    parser.add_argument("--seconds", type=float, default=10.0, help="how long each attack lasts")
    words = parser.parse_args()
    table = Table("attack", "moves", "median ms", "p99 ms", "longest ms", "")
    slow = False
    for name in words.attacks or ATTACKS:
        # Each attack has its own server, so that it does not affect the next one.
        with tempfile.TemporaryDirectory() as folder, server(folder) as address:
            times = besieged(address, [name], words.seconds)[name]
        late = percentile(times) > AIM
        slow = slow or late
        figures = (statistics.median(times), percentile(times), max(times))
        milliseconds = [f"{1000 * each:.0f}" for each in figures]
        table.add_row(name, str(len(times)), *milliseconds, "too slow" if late else "")
    Console().print(table)
    return int(slow)


if __name__ == "__main__":
    sys.exit(main())
