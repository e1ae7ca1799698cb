"""Compares Cadogan with lonelybot: ``python -m bench.beside.lonelybot --lonecli PATH``.

Both get the deals ``solvitaire:N`` of Klondike, draw three, in turn, on one core. The other program
runs once for each deal, and its search has no limit; ours has a node budget.
"""

import argparse
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import get_args

from rich.console import Console

from bench.beside.runs import PeerError, keep_to_one_core, run, solved
from cadogan import load
from cadogan.solver.solve import Status

GAME = "klondike:draw-three"
_ANSWER = re.compile(r"^(Solvable|Impossible)", re.MULTILINE)
_STATUS: dict[str, Status] = {"Solvable": "winnable", "Impossible": "unwinnable"}


@dataclass
class Side:
    """The results of one program; seconds are processor time."""

    answers: list[Status] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    def add(self, answer: Status, seconds: float) -> None:
        """Adds the result of a deal."""
        self.answers.append(answer)
        self.seconds.append(seconds)

    def row(self, name: str) -> str:
        """Formats a row: won, lost, open, total and longest seconds."""
        counts = [self.answers.count(status) for status in get_args(Status)]
        times = (f"{sum(self.seconds):.2f}", f"{max(self.seconds, default=0):.2f}")
        return "| " + " | ".join([name, *map(str, counts), *times]) + " |"


def theirs(program: Path, number: int) -> tuple[Status, float]:
    """What the other program says of a deal, and how long it took.

    Raises:
        PeerError: If the program fails, or its output is not understood.
    """
    done = run([program, "solve", "solvitaire", str(number), "3"])
    answer = _ANSWER.search(done.text)
    if answer is None:
        raise PeerError(f"the output of lonelybot is not understood: {done.text[-80:]!r}")
    return _STATUS[answer[1]], done.seconds


def main(arguments: list[str] | None = None) -> int:
    """Runs the comparison and prints its results.

    Args:
        arguments: The command line, without the name of the program.

    Returns:
        The exit code: 0, 1 if verdicts contradict, 2 if the other program cannot be used.
    """
    parser = argparse.ArgumentParser(
        prog="python -m bench.beside.lonelybot", description="Compare with lonelybot."
    )
    parser.add_argument("--lonecli", type=Path, required=True, help="its program")
    parser.add_argument("--deals", default="1-100", help="FIRST-LAST (1-100)")
    parser.add_argument("--nodes", type=int, default=20_000_000, help="our budget (20000000)")
    options = parser.parse_args(arguments)
    first, last = map(int, options.deals.split("-"))
    err = Console(stderr=True, highlight=False, markup=False)
    keep_to_one_core()
    game, own, other = load(GAME), Side(), Side()
    contradictions = []
    for number in range(first, last + 1):
        try:
            other.add(*theirs(options.lonecli, number))
        except PeerError as error:
            err.print(f"error: {error}")
            return 2
        verdict, seconds = solved(game.deal(f"solvitaire:{number}"), options.nodes)
        own.add(verdict.status, seconds)
        if "unknown" != verdict.status != other.answers[-1]:
            contradictions.append(number)
        if number % 100 == 0:
            err.print(f"{number} of {last}")
    print("| | Won | Lost | Open | s | Longest s |\n|---|--:|--:|--:|--:|--:|")
    print(own.row("Cadogan"))
    print(other.row("lonelybot"))
    print(f"\nContradictions: {contradictions or 'none'}")
    return 1 if contradictions else 0


if __name__ == "__main__":
    sys.exit(main())
