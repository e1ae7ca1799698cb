"""``make bench-signature``: counts the nodes of a fixed set of searches.

The search is deterministic, so these numbers change only when the search or the rules change. A
change that should not affect the search must not change them. Every other commit states the old
and the new total. The numbers are stored in ``bench/signature.txt``, one line per deal.
"""

import argparse
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from rich.console import Console

from bench.games import all_games
from cadogan import load, solve

FILE = Path(__file__).with_name("signature.txt")
DEALS = tuple(f"cadogan:{number}" for number in range(1, 5))
BUDGET = 20_000

_HEAD = f"""\
# Nodes of the searches of bench/signature.py, each with a budget of {BUDGET:,}.
# Written by: make bench-signature ARGS=--update
"""


class Search(NamedTuple):
    """A search and its result."""

    game: str
    deal: str
    nodes: int
    status: str

    def __str__(self) -> str:
        return f"{self.game} {self.deal} {self.nodes} {self.status}"


def searches(games: Iterable[str], deals: Iterable[str]) -> Iterator[Search]:
    """Searches some deals of some games."""
    deals = tuple(deals)
    for name in games:
        game = load(name)
        for deal in deals:
            verdict = solve(game.deal(deal), BUDGET)
            yield Search(name, deal, verdict.nodes, verdict.status)


def write(found: list[Search]) -> None:
    """Saves the numbers."""
    lines = [*map(str, found), f"total {sum(search.nodes for search in found)}"]
    # Parallel tests may read the file while it is written.
    new = FILE.with_name(f"{FILE.name}.{os.getpid()}")
    new.write_text(_HEAD + "\n".join(lines) + "\n", encoding="utf-8")
    new.replace(FILE)


def recorded() -> list[str]:
    """Returns the saved lines, without the total."""
    lines = FILE.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if not line.startswith(("#", "total "))]


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
    parser.add_argument("--update", action="store_true", help="save the numbers of this run")
    options = parser.parse_args(arguments)
    err = Console(stderr=True, highlight=False)
    found: list[Search] = []
    games = all_games()
    try:
        for number, game in enumerate(games, 1):
            err.print(f"Searching {game} (game {number} of {len(games)}) ...")
            of_game = list(searches([game], DEALS))
            found += of_game
            decided = sum(search.status != "unknown" for search in of_game)
            nodes = sum(search.nodes for search in of_game)
            print(f"{game:<22}{nodes:>10} nodes, {decided} of {len(of_game)} decided", flush=True)
    except KeyboardInterrupt:
        err.print("Interrupted.")
        return 130
    print(f"{'total':<22}{sum(search.nodes for search in found):>10} nodes")
    if options.update:
        write(found)
        return 0
    differing = sorted({*map(str, found)} ^ {*recorded()})
    if differing:
        err.print(f"The results differ from {FILE.name} for:", markup=False)
        for line in sorted({" ".join(line.split()[:2]) for line in differing}):
            err.print(f"  {line}", markup=False)
        err.print("hint: if this change is intended, run make bench-signature ARGS=--update")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
