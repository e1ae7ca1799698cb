"""``make bench-table``: how long a move takes from the page to the disk and back.

A server runs in one process on loopback, and all players in another, each with their own table,
socket and connection. In one round they play as fast as they can, in another each thinks for about
a second. The table also shows the processor time per move, which hardly depends on other load; the
first line includes the start of the server. ``--players`` measures a club instead (bench/club.py).
"""

import argparse
import asyncio
import gc
import json
import multiprocessing
import os
import random
import socket
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2 as httpx
import websockets
from rich.console import Console
from rich.table import Table

from cadogan.web.serve import listen

GAMES = ("klondike", "spider", "freecell", "flower-garden", "besieged-city", "the-queens")
AIM = 0.050
"""The target for 99 of 100 moves at 50 tables, in seconds."""


@dataclass(frozen=True)
class Round:
    """One measurement."""

    tables: int
    thinking: float
    moves: int


def run_server(folder: str, bound: socket.socket, workers: int | None) -> None:
    from cadogan.web.serve import serve
    from cadogan.web.state import AppState

    serve(AppState(folder=Path(folder), workers=workers), bound)


async def play(address: str, number: int, round_: Round, times: list[float]) -> None:
    """Plays at one table, and records how long each move took."""
    dice = random.Random(number)
    async with httpx.AsyncClient(base_url=address, timeout=60) as client:
        body = {"game": GAMES[number % len(GAMES)], "deal": f"cadogan:{number}"}
        table = (await client.post("/api/tables", json=body)).json()
        path = f"/api/tables/{table['id']}"
        async with websockets.connect(f"ws{address[4:]}{path}/events", max_size=None) as events:

            async def listen() -> None:
                async for _ in events:
                    pass

            listening = asyncio.create_task(listen())
            for _ in range(round_.moves):
                if round_.thinking:
                    await asyncio.sleep(round_.thinking * dice.uniform(0.5, 1.5))
                moves = table["position"]["moves"]
                begun = time.perf_counter()
                if moves:
                    body = {"version": table["version"], "text": dice.choice(moves)["text"]}
                    answer = await client.post(f"{path}/moves", json=body)
                else:
                    body = {"version": table["version"]}
                    answer = await client.post(f"{path}/restart", json=body)
                times.append(time.perf_counter() - begun)
                answer.raise_for_status()
                given: dict[str, Any] = answer.json()
                table = given.get("table", given)
            listening.cancel()


def spent(pid: int | None) -> float | None:
    """Returns the processor seconds of a process, if the system reports them."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def measure(address: str, round_: Round) -> list[float]:
    """Lets all players of a round play at once with verdicts; returns the seconds of each move."""
    async with httpx.AsyncClient(base_url=address, timeout=60) as client:
        (await client.put("/api/settings", json={"verdict": "thoughtful"})).raise_for_status()
    times: list[float] = []
    gc.disable()  # measure the server, not the garbage collection of the players
    await asyncio.gather(*(play(address, n, round_, times) for n in range(round_.tables)))
    return sorted(times)


def main() -> int:
    """Measures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="few moves")
    parser.add_argument("--workers", type=int, help="processes that search for verdicts")
    parser.add_argument("--json", type=Path, help="also write the figures to this file")
    if any(word.partition("=")[0] == "--players" for word in sys.argv):
        from bench.club import main as measure_club

        return measure_club()
    options = parser.parse_args()
    moves = 10 if options.quick else 40
    rounds = [Round(1, 0, 10 * moves), Round(50, 1.0, moves), Round(50, 0, moves)]
    context = multiprocessing.get_context("spawn")
    figures: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder:
        bound = listen("127.0.0.1", 0)
        server = context.Process(target=run_server, args=(folder, bound, options.workers))
        server.start()
        address = f"http://127.0.0.1:{bound.getsockname()[1]}"
        bound.close()
        try:
            for round_ in rounds:
                print(f"{round_.tables} tables ...", file=sys.stderr)
                before = spent(server.pid)
                times = asyncio.run(measure(address, round_))
                after = spent(server.pid)
                figures.append(
                    {
                        "tables": round_.tables,
                        "thinking_seconds": round_.thinking,
                        "moves": len(times),
                        "p50": times[len(times) // 2],
                        "cpu": None
                        if before is None or after is None
                        else (after - before) / len(times),
                        "p99": times[min(len(times) - 1, len(times) * 99 // 100)],
                    }
                )
        finally:
            server.kill()
            server.join()
    table = Table("tables", "thinks (s)", "moves", "p50 (ms)", "p99 (ms)", "processor (ms)")
    for row in figures:
        table.add_row(
            str(row["tables"]), f"{row['thinking_seconds']:.0f}", str(row["moves"]),
            f"{row['p50'] * 1000:.1f}", f"{row['p99'] * 1000:.1f}",
            "-" if row["cpu"] is None else f"{row['cpu'] * 1000:.1f}",
        )  # fmt: skip
    Console().print(table)
    if options.json is not None:
        options.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    met = figures[1]["p99"] < AIM
    print(f"target: p99 under {AIM * 1000:.0f} ms at 50 tables: {'met' if met else 'missed'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
