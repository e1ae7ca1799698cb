"""Counts the instructions of the kernel with valgrind.

A count is the same on a busy and on an idle machine, so it shows changes of a few per cent that no
clock can measure. Each figure is the difference of two runs of the kernel's example ``count`` that
differ only in the amount of work. So the cost of startup and shutdown cancels out.
"""

import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Literal, NamedTuple

ROOT = Path(__file__).parent.parent
COUNT = ROOT / "target" / "release" / "examples" / "count"
DEAL = "1"

Work = Literal["make", "generate"]
_LEAST: dict[Work, tuple[int, int]] = {"make": (1, 20_000), "generate": (1, 300)}


class UnavailableError(Exception):
    """Instructions cannot be counted on this machine; the message says why."""


class Run(NamedTuple):
    """The work of one run, and its cost."""

    made: int
    generated: int
    instructions: int


def prepare() -> None:
    """Builds the program that valgrind runs.

    Raises:
        UnavailableError: If valgrind or cargo is missing, or the build fails.
    """
    for tool, hint in (("valgrind", "it counts them"), ("cargo", "it builds the example")):
        if shutil.which(tool) is None:
            raise UnavailableError(f"{tool} is not installed ({hint})")
    build = ["cargo", "build", "--quiet", "--release", "-p", "cadogan-kernel", "--example", "count"]
    done = subprocess.run(build, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise UnavailableError(f"the build of the example failed: {done.stderr.strip()}")


def count(program: bytes) -> dict[Work, float]:
    """Counts the instructions for making and unmaking a move, and for listing the moves.

    Args:
        program: The serialized program of a game.

    Returns:
        Instructions per move (``make``) and per position (``generate``). A figure is missing if
        the game has too few moves.

    Raises:
        UnavailableError: If valgrind fails.
    """
    per: dict[Work, Callable[[Run], int]] = {
        "make": lambda run: run.made,
        "generate": lambda run: run.generated,
    }
    figures: dict[Work, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "program.json")
        path.write_bytes(program)
        for work, amount in per.items():
            least, most = (_run(path, work, number) for number in _LEAST[work])
            done = amount(most) - amount(least)
            # A game with few moves may do both amounts of work in one round.
            if done > 0:
                figures[work] = (most.instructions - least.instructions) / done
    return figures


def _run(program: Path, work: Work, amount: int) -> Run:
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", str(COUNT)]
    command += [work, str(program), DEAL, str(amount)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    refs = re.search(r"Collected *: *(\d+)", done.stderr)
    if done.returncode != 0 or refs is None:
        raise UnavailableError(f"valgrind says: {done.stderr.strip()[-300:]}")
    made, generated, _checksum = done.stdout.split()
    return Run(int(made), int(generated), int(refs[1]))
