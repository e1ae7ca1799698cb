"""Gives deals to another program and to Cadogan in turn, one by one."""

import argparse
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import get_args

from rich.console import Console

from bench.beside.runs import PeerError, keep_to_one_core, solved
from cadogan import Position, load
from cadogan.solver.solve import Status

Answer = tuple[Status, float]
"""What a program says of a deal, and its processor seconds."""


@dataclass
class Side:
    """The results of one program."""

    answers: list[Answer] = field(default_factory=list)

    def row(self, name: str) -> str:
        """Formats a row: won, lost, open, total and longest seconds."""
        counts = [
            sum(answer == status for answer, _ in self.answers) for status in get_args(Status)
        ]
        seconds = [seconds for _, seconds in self.answers]
        times = (f"{sum(seconds):.2f}", f"{max(seconds, default=0):.2f}")
        return "| " + " | ".join([name, *map(str, counts), *times]) + " |"


def options(module: str, name: str) -> argparse.ArgumentParser:
    """The options of every comparison.

    Args:
        module: Its module.
        name: The other program.
    """
    parser = argparse.ArgumentParser(
        prog=f"python -m bench.beside.{module}", description=f"Compare with {name}."
    )
    parser.add_argument("--deals", default="1-100", help="FIRST-LAST (1-100)")
    parser.add_argument("--nodes", type=int, default=20_000_000, help="our budget (20000000)")
    return parser


def compare(name: str, ask: Callable[[Position], Answer], game: str, deals: str, nodes: int) -> int:
    """Gives the deals ``solvitaire:N`` to both, and prints a table.

    Args:
        name: The other program.
        ask: Asks it about a deal.
        game: Our game.
        deals: ``FIRST-LAST``.
        nodes: Our budget.

    Returns:
        The exit code: 0, 1 if verdicts contradict, 2 if the other program cannot be used.
    """
    first, last = map(int, deals.split("-"))
    err = Console(stderr=True, highlight=False, markup=False)
    keep_to_one_core()
    loaded, own, other = load(game), Side(), Side()
    contradictions = []
    for number in range(first, last + 1):
        position = loaded.deal(f"solvitaire:{number}")
        try:
            theirs = ask(position)
        except PeerError as error:
            err.print(f"error: {error}")
            return 2
        other.answers.append(theirs)
        verdict, seconds = solved(position, nodes)
        own.answers.append((verdict.status, seconds))
        if len({"unknown", verdict.status, theirs[0]}) == 3:
            contradictions.append(number)
        if number % 100 == 0:
            err.print(f"{number} of {last}")
    print("| | Won | Lost | Open | s | Longest s |\n|---|--:|--:|--:|--:|--:|")
    print(own.row("Cadogan"))
    print(other.row(name))
    print(f"\nContradictions: {contradictions or 'none'}")
    return 1 if contradictions else 0
