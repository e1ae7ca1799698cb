"""``make bench-signature``: the nodes of a fixed set of searches.

The search is deterministic, so these numbers change only when the search does, or the rules. A
change that is meant to leave the search alone leaves them alone; any other tells the old total and
the new one. The numbers are kept in ``bench/signature.txt``, a line a deal.
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
    """A search and what it found."""

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
    """Keeps the numbers."""
    lines = [*map(str, found), f"total {sum(search.nodes for search in found)}"]
    # Tests that run side by side may read the file while it is written.
    new = FILE.with_name(f"{FILE.name}.{os.getpid()}")
    new.write_text(_HEAD + "\n".join(lines) + "\n", encoding="utf-8")
    new.replace(FILE)


def kept() -> list[str]:
    """The lines that were kept, without the total."""
    lines = FILE.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if not line.startswith(("#", "total "))]


def main(arguments: list[str] | None = None) -> int:
    """Searches, and prints a number a game and the total.

    Args:
        arguments: The command line, without the name of the program.

    Returns:
        The exit code: 0, 1 if the numbers are not those that were kept, 130 after Ctrl-C.
    """
    parser = argparse.ArgumentParser(
        prog="python -m bench.signature", description="Search a fixed set of deals."
    )
    parser.add_argument("--update", action="store_true", help="keep the numbers of this run")
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
    differing = sorted({*map(str, found)} ^ {*kept()})
    if differing:
        err.print(f"This is not what {FILE.name} says of:", markup=False)
        for line in sorted({" ".join(line.split()[:2]) for line in differing}):
            err.print(f"  {line}", markup=False)
        err.print("hint: if the search was meant to change, make bench-signature ARGS=--update")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
