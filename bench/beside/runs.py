"""Runs other programs and our solver, and measures how long they take.

Seconds are processor time, so that other load on the machine does not count.
"""

import os
import resource
import subprocess
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path

from cadogan import Position, Verdict, solve


class PeerError(Exception):
    """Another program did not behave as expected; the message is for people."""


@dataclass(frozen=True)
class Run:
    """A run of another program.

    Attributes:
        text: What it wrote to stdout.
        seconds: Processor time of the program and its children.
        wall: Wall-clock seconds.
    """

    text: str
    seconds: float
    wall: float


def run(
    command: Sequence[str | Path], *, patience: float = 600.0, codes: Collection[int] = (0,)
) -> Run:
    """Runs another program to its end.

    Args:
        command: The program and its arguments.
        patience: Seconds after which it is killed.
        codes: The exit codes of runs that did not fail.

    Raises:
        PeerError: If it cannot be started, fails, or does not end in time.
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
    if done.returncode not in codes:
        message = (done.stderr.strip() or done.stdout.strip()).splitlines()[-1:]
        raise PeerError(f"{name} failed with code {done.returncode}: {' '.join(message)}")
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Run(done.stdout, seconds, wall)


def solved(position: Position, nodes: int) -> tuple[Verdict, float]:
    """Returns our verdict and its processor seconds."""
    start = time.process_time()
    verdict = solve(position, nodes)
    return verdict, time.process_time() - start


FEW_NODES = 1_000
"""Searches with fewer nodes are too short to measure a speed."""


LASTING = 5
"""So many searches that last are enough to show how slow the solver can be in a game."""


def calibrated(positions: Sequence[Position], seconds: float, most: int) -> int:
    """Finds how many nodes our solver can search in a game within a time limit.

    The first search of a game is not counted, since the caches are cold. Every other search is
    done twice, and the faster time counts. Searches of a few nodes do not show a speed.

    Args:
        positions: Deals to try, until five are not decided quickly; not those that are measured.
        seconds: The time limit.
        most: The largest budget.

    Returns:
        A budget in nodes, rounded down to two digits. It is based on the speed of the slowest deal
        that was not decided quickly. If all were decided quickly, the deal with the most nodes
        counts. If no deal took enough nodes, the largest budget is returned.
    """
    solved(positions[0], min(2_000, most))
    lasting: list[float] = []
    longest, speed = FEW_NODES, most / seconds
    for position in positions:
        if len(lasting) == LASTING:
            break
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
    """Binds this process and its children to one core, if the system supports it."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
