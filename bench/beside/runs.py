"""Runs of other programs and of our solver, and how long they took.

Seconds are those of the processor, so that the neighbours of a busy machine count for nothing.
"""

import os
import resource
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path

from cadogan import Position, Verdict, solve


class PeerError(Exception):
    """Another program did not do what was expected of it; the message is for people."""


@dataclass(frozen=True)
class Run:
    """A run of another program.

    Attributes:
        text: What it wrote to stdout.
        seconds: Processor time of the program and its children.
        wall: Seconds on the clock.
    """

    text: str
    seconds: float
    wall: float


def run(command: Sequence[str | Path], *, patience: float = 600.0) -> Run:
    """Runs another program to its end.

    Args:
        command: The program and its arguments.
        patience: Seconds after which it is killed.

    Raises:
        PeerError: If it cannot be started, fails, or does not end.
    """
    name = Path(command[0]).name
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    try:
        done = subprocess.run(
            [str(word) for word in command],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=patience,
            check=False,
        )
    except OSError as error:
        raise PeerError(f"{command[0]} cannot be run: {error.strerror}") from None
    except subprocess.TimeoutExpired:
        raise PeerError(f"{name} did not end within {patience:.0f} seconds") from None
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        told = (done.stderr.strip() or done.stdout.strip()).splitlines()[-1:]
        raise PeerError(f"{name} failed with code {done.returncode}: {' '.join(told)}")
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Run(done.stdout, seconds, wall)


def solved(position: Position, nodes: int) -> tuple[Verdict, float]:
    """Our verdict, and the seconds of the processor that it took."""
    start = time.process_time()
    verdict = solve(position, nodes)
    return verdict, time.process_time() - start


FEW_NODES = 1_000
"""With fewer nodes a search takes as long as what comes before and after it."""


def calibrated(positions: Sequence[Position], seconds: float, most: int) -> int:
    """How many nodes our solver searches within some seconds of one game, at least.

    The first search of a game is not counted, since it finds nothing in the caches; each of the
    others is taken twice and the quicker time counts; and a search of a few nodes tells no speed.

    Args:
        positions: Deals to try; not those that are measured.
        seconds: The limit.
        most: The greatest budget to be given.

    Returns:
        A budget in nodes, rounded down to two digits. The speed is that of the slowest deal that
        was not decided soon; if all were, of the one that took most nodes; and if none took many,
        there is no speed and the greatest budget is given.
    """
    solved(positions[0], min(2_000, most))
    lasting: list[float] = []
    longest, speed = FEW_NODES, most / seconds
    for position in positions:
        nodes = min(2_000, most)
        while True:
            verdict, taken = min((solved(position, nodes) for _ in range(2)), key=itemgetter(1))
            taken = max(taken, 1e-6)
            if verdict.nodes >= longest:
                longest, speed = verdict.nodes, verdict.nodes / taken
            if verdict.status != "unknown":
                break
            if taken >= seconds / 3 or nodes == most:
                lasting.append(verdict.nodes / taken)
                break
            more = min(8.0, max(1.5, 0.7 * seconds / taken))
            nodes = min(most, int(nodes * more))
    budget = min(most, int(seconds * min(lasting, default=speed)))
    step = int("1" + "0" * max(0, len(str(budget)) - 2))
    return budget // step * step


def keep_to_one_core() -> None:
    """Keeps this process and those it starts to one core, where the system can do that."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
