"""``python -m bench.decided``: how many deals of a game are decided, and at what cost.

Every deal is searched with a node budget; an undecided deal is continued with a larger one. Seconds
are processor time on one thread. The verdicts do not depend on them. With ``--within`` a deal gets
as many nodes as its own speed allows in so many seconds, and counts only if they were enough.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from cadogan import load
from cadogan.solver.solve import SearchRequest


@dataclass
class Decided:
    """The results of the deals of a game at one budget.

    Attributes:
        budget: The number of nodes per deal.
        statuses: How many deals are winnable, unwinnable and unknown.
        strategies: How many deals each strategy decided.
        seconds: The processor time of each deal, from its beginning.
    """

    budget: int
    statuses: Counter[str] = field(default_factory=Counter)
    strategies: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)

    def row(self, game: str) -> str:
        """Formats a row: game, nodes, won, lost, open, total and longest time in seconds."""
        won, lost, unknown = (self.statuses[s] for s in ("winnable", "unwinnable", "unknown"))
        cells = (game, f"{self.budget:,}", won, lost, unknown)
        times = (f"{sum(self.seconds):.1f}", f"{max(self.seconds, default=0):.2f}")
        return "| " + " | ".join(map(str, (*cells, *times))) + " |"


def decide(game: str, deals: Iterable[str], budgets: Iterable[int]) -> list[Decided]:
    """Searches deals with one budget after the other until they are decided.

    Args:
        game: The game, as :func:`cadogan.load` takes it.
        deals: The deals.
        budgets: Nodes per deal, each larger than the one before.

    Returns:
        The results for each budget.
    """
    loaded, request = load(game), SearchRequest()
    rows = [Decided(budget) for budget in budgets]
    for deal in deals:
        position, place, spent, verdict = loaded.deal(deal), None, 0.0, None
        for row in rows:
            if verdict is None or verdict.status == "unknown":
                begun = time.process_time()
                verdict, place = request.ask(position, row.budget, checkpoint=place)
                spent += time.process_time() - begun
            row.statuses[verdict.status] += 1
            row.seconds.append(spent)
            if verdict.status != "unknown":
                row.strategies[verdict.strategy] += 1
    return rows


FIRST = 50_000
"""Nodes after which the speed of a search is measured."""


def decide_within(game: str, deals: Iterable[str], seconds: float) -> Decided:
    """Searches deals for some seconds of processor time each.

    Args:
        game: The game, as :func:`cadogan.load` takes it, or the path of its rules file.
        deals: The deals.
        seconds: For each deal. One that is decided later counts as unknown.

    Returns:
        The results. Their budget is the mean number of nodes of undecided deals.
    """
    loaded, request = load(Path(game) if game.endswith(".toml") else game), SearchRequest()
    row, nodes = Decided(0), []
    for deal in deals:
        position, begun = loaded.deal(deal), time.process_time()
        verdict, place = request.ask(position, FIRST)
        spent = time.process_time() - begun
        if verdict.status == "unknown":
            budget = int(FIRST * seconds / spent)
            verdict, _ = request.ask(position, budget, checkpoint=place)
            spent = time.process_time() - begun
        if verdict.status == "unknown":
            nodes.append(verdict.nodes)
        elif spent <= seconds:
            row.strategies[verdict.strategy] += 1
        row.statuses[verdict.status if spent <= seconds else "unknown"] += 1
        row.seconds.append(spent)
    row.budget = sum(nodes) // max(len(nodes), 1)
    return row


def main(arguments: list[str] | None = None) -> int:
    """Prints a table, and which strategies decided the deals.

    Args:
        arguments: The command line, without the name of the program.

    Returns:
        The exit code: always 0.
    """
    parser = argparse.ArgumentParser(
        prog="python -m bench.decided", description="Count the decided deals of games."
    )
    parser.add_argument("games", nargs="+", help="games of the catalogue, or rules files")
    parser.add_argument("--deals", default="1..200", help="deals of cadogan:, FIRST..LAST")
    parser.add_argument("--nodes", type=int, nargs="+", default=[1_000_000], help="budgets")
    parser.add_argument("--within", type=float, help="seconds of each deal, in place of budgets")
    options = parser.parse_args(arguments)
    first, last = map(int, options.deals.split(".."))
    print("| game | nodes per deal | won | lost | open | total s | longest s |")
    print("|---|--:|--:|--:|--:|--:|--:|")
    for game in options.games:
        deals = [f"cadogan:{number}" for number in range(first, last + 1)]
        rows = (
            [decide_within(game, deals, options.within)]
            if options.within
            else decide(game, deals, sorted(options.nodes))
        )
        for row in rows:
            print(row.row(game), flush=True)
        ways = ", ".join(f"{name} {count}" for name, count in rows[-1].strategies.most_common(4))
        print(f"{game}: {ways}", file=sys.stderr, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
