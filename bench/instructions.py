"""Instructions of the kernel, counted by valgrind.

A count is the same on a busy machine as on an idle one, so it shows a change of a few per cent that
no clock would show. Each figure is the difference of two runs of ``count``, an example of the
kernel, that differ only in the amount of work: what both do, beginning and end, cancels out.
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
    """Instructions cannot be counted here; the text says why."""


class Run(NamedTuple):
    """What one run did."""

    made: int
    generated: int
    instructions: int


def prepare() -> None:
    """Builds the program that is counted.

    Raises:
        UnavailableError: If valgrind or cargo is missing, or the build fails.
    """
    for tool, hint in (("valgrind", "install it to have them"), ("cargo", "it builds the example")):
        if shutil.which(tool) is None:
            raise UnavailableError(f"there is no {tool} here ({hint})")
    build = ["cargo", "build", "--quiet", "--release", "-p", "cadogan-kernel", "--example", "count"]
    done = subprocess.run(build, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise UnavailableError(f"the example is not built: {done.stderr.strip()}")


def count(program: bytes) -> dict[Work, float]:
    """Instructions for a move made and unmade, and for a position whose moves are listed.

    Args:
        program: The written program of a game.

    Raises:
        UnavailableError: If valgrind does not count.
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
            # A game with few moves may do both amounts in one round.
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
