"""``make bench-signature``: counts the nodes of a fixed set of searches.

The search is deterministic, so these numbers change only when the search or the rules change. A
change that should not affect the search must not change them. Every other commit states the old
and the new total. The numbers are stored in ``bench/signatures``, a file for each game, one line
for each deal.
"""

import argparse
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from rich.console import Console

from bench.games import add_games
from cadogan import load, solve

FOLDER: Final = Path(__file__).with_name("signatures")
DEALS: Final = tuple(f"cadogan:{number}" for number in range(1, 5))
BUDGET: Final = 20_000


class Search(NamedTuple):
    """A search and its result."""

    deal: str
    nodes: int
    status: str

    def __str__(self) -> str:
        return f"{self.deal} {self.nodes} {self.status}"


def searches(game: str, deals: Iterable[str]) -> Iterator[Search]:
    """Searches some deals of a game."""
    loaded = load(game)
    for deal in deals:
        verdict = solve(loaded.deal(deal), BUDGET)
        yield Search(deal, verdict.nodes, verdict.status)


def write(game: str, found: Iterable[Search]) -> None:
    """Saves the numbers of a game."""
    text = "".join(f"{search}\n" for search in found)
    # Parallel tests may read the file while it is written.
    FOLDER.mkdir(exist_ok=True)
    new = FOLDER / f".{game}.{os.getpid()}"
    new.write_text(text, encoding="utf-8")
    new.replace(FOLDER / f"{game}.txt")


def recorded(game: str) -> list[str]:
    """Returns the saved lines of a game; none if it was never searched."""
    path = FOLDER / f"{game}.txt"
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def main(arguments: list[str] | None = None) -> int:
    """Searches, and prints the nodes of each game and the total.

    Args:
        arguments: The command line, without the name of the program.

    Returns:
        The exit code: 0, 1 if the numbers differ from the saved ones, 130 after Ctrl-C.
    """
    parser = argparse.ArgumentParser(
        prog="python -m bench.signature", description="Search a fixed set of deals."
    )
    add_games(parser)
    parser.add_argument("--update", action="store_true", help="save the numbers of this run")
    options = parser.parse_args(arguments)
    err = Console(stderr=True, highlight=False)
    total, before = 0, 0
    differing: list[str] = []
    games = list(options.games)
    try:
        for number, game in enumerate(games, 1):
            err.print(f"Searching {game} (game {number} of {len(games)}) ...")
            found = list(searches(game, DEALS))
            decided = sum(search.status != "unknown" for search in found)
            nodes = sum(search.nodes for search in found)
            print(f"{game:<26}{nodes:>10} nodes, {decided} of {len(found)} decided", flush=True)
            stored = recorded(game)
            total += nodes
            before += sum(int(line.split()[1]) for line in stored)
            differing += [
                f"{game} {deal}"
                for deal in sorted({line.split()[0] for line in {*map(str, found)} ^ {*stored}})
            ]
            if options.update:
                write(game, found)
    except KeyboardInterrupt:
        err.print("Interrupted.")
        return 130
    print(f"{'total':<26}{total:>10} nodes")
    if not differing:
        return 0
    print(f"{'stored before':<26}{before:>10} nodes")
    if options.update:
        return 0
    err.print(f"The results differ from those in {FOLDER.name} for:", markup=False)
    for line in differing:
        err.print(f"  {line}", markup=False)
    err.print("hint: if this change is intended, run make bench-signature ARGS=--update")
    return 1


if __name__ == "__main__":
    sys.exit(main())
