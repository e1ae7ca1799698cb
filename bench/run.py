"""``make bench``: measures the speed of the kernel, game by game.

Tables go to stdout, progress goes to stderr. ``bench/README.md`` explains the figures and lists
recorded ones.
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bench import instructions
from bench.games import SIX, add_games
from cadogan import _kernel, load, solve
from cadogan.rules import load_rules

DEAL = "cadogan:1"
TRIES = 5
"""How often to measure. The best try counts, since other load only makes a try slower."""

DEEPEST = 30
"""The largest perft depth, for games with hardly any choice."""

MADE_AIM = {name: 10e6 if name == "flower-garden" else 2e6 for name in SIX}
"""The target for moves made and unmade per second."""
LOADING_AIM = 0.02
"""The target for loading and compiling a rules file, in seconds."""


@dataclass
class Figures:
    """The figures of a game."""

    game: str
    loading_seconds: float
    state_bytes: int
    made_per_second: float
    positions_per_second: float
    moves_per_position: float
    perft_per_second: float
    perft_depth: int
    instructions_per_move: float | None
    instructions_per_position: float | None
    solved: int
    deals: int
    solver_nodes: int
    solver_nodes_per_second: float
    aims_met: bool = field(init=False)

    def __post_init__(self) -> None:
        self.aims_met = (
            self.made_per_second >= MADE_AIM.get(self.game, 0)
            and self.loading_seconds < LOADING_AIM
        )


@dataclass(frozen=True)
class Effort:
    """How long and how much to measure."""

    seconds: float
    deals: int
    budget: int


QUICK = Effort(seconds=0.05, deals=2, budget=5_000)
THOROUGH = Effort(seconds=0.2, deals=4, budget=50_000)


def main(arguments: list[str] | None = None) -> int:
    """Measures.

    Args:
        arguments: The command line, without the name of the program.

    Returns:
        The exit code: 0, 2 if the kernel is not a release build, 130 after Ctrl-C.
    """
    parser = argparse.ArgumentParser(
        prog="python -m bench.run", description="Measure the speed of the kernel, game by game."
    )
    add_games(parser)
    parser.add_argument(
        "--quick",
        action="store_true",
        help="measure for a few seconds only, and do not count instructions",
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures to FILE")
    options = parser.parse_args(arguments)
    out, err = Console(highlight=False), Console(stderr=True, highlight=False)
    if _kernel.build_profile != "release":
        err.print(f"the kernel is a {_kernel.build_profile} build, so its speed means nothing")
        err.print("hint: make bench makes a release build")
        return 2
    counted = not options.quick
    if counted:
        err.print("Building the program that valgrind runs ...")
        try:
            instructions.prepare()
        except instructions.UnavailableError as error:
            err.print(f"Instructions are not counted: {error}", markup=False)
            counted = False
    effort = QUICK if options.quick else THOROUGH
    figures = []
    began = time.monotonic()
    try:
        for number, name in enumerate(options.games, 1):
            err.print(f"Measuring {name} (game {number} of {len(options.games)}) ...")
            figures.append(measure(name, effort, counted=counted))
    except KeyboardInterrupt:
        err.print("Interrupted.")
        return 130
    # A pipe has no width, and tables must not be cut off.
    out = Console(highlight=False, width=None if out.is_terminal else 130)
    for table in tables(figures):
        out.print(table)
        out.print()
    missed = [row.game for row in figures if not row.aims_met]
    out.print(f"Targets missed by: {', '.join(missed)}." if missed else "All targets are met.")
    err.print(f"Measured for {time.monotonic() - began:.0f} seconds.")
    if options.json is not None:
        report = {
            "python": ".".join(map(str, sys.version_info[:3])),
            "cores": os.cpu_count(),
            "quick": options.quick,
            "games": [asdict(row) for row in figures],
        }
        options.json.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    return 0


def measure(name: str, effort: Effort, *, counted: bool) -> Figures:
    """Measures a game.

    Args:
        name: The game.
        effort: How long and how much to measure.
        counted: Whether to count instructions.

    Returns:
        The figures.
    """
    position = load(name).deal(DEAL)
    state = position._state
    program = load_rules(name).program.to_bytes()

    def made(amount: int) -> int:
        return _kernel.make_and_unmake(state, amount)

    def positions(amount: int) -> int:
        return _kernel.generate(state, amount)[1]

    depth, paths = perft(state, effort.seconds)
    moves, lists = _kernel.generate(state, 1)
    counts = instructions.count(program) if counted else {}
    began = time.perf_counter()
    game = load(name)
    verdicts = [
        solve(game.deal(f"cadogan:{number}"), effort.budget)
        for number in range(1, effort.deals + 1)
    ]
    solving = time.perf_counter() - began
    nodes = sum(verdict.nodes for verdict in verdicts)
    return Figures(
        game=name,
        loading_seconds=loading(name),
        state_bytes=position.game._program.state_bytes,
        made_per_second=rate(made, effort.seconds),
        positions_per_second=rate(positions, effort.seconds),
        moves_per_position=moves / lists,
        perft_per_second=paths,
        perft_depth=depth,
        instructions_per_move=counts.get("make"),
        instructions_per_position=counts.get("generate"),
        solved=sum(verdict.status != "unknown" for verdict in verdicts),
        deals=len(verdicts),
        solver_nodes=nodes,
        solver_nodes_per_second=nodes / solving,
    )


def rate(work: Callable[[int], int], seconds: float) -> float:
    """Measures how much work is done per second, in the best try.

    Args:
        work: Does at least the given amount of work and returns the amount done.
        seconds: The approximate duration of each try.

    Returns:
        The amount per second.
    """
    amount, best = 1000, 0.0
    tries = 0
    while tries < TRIES:
        began = time.perf_counter()
        done = work(amount)
        passed = time.perf_counter() - began
        if passed < seconds / 2:
            amount *= 2
            continue
        tries += 1
        best = max(best, done / passed)
    return best


def perft(state: _kernel.State, seconds: float) -> tuple[int, float]:
    """Returns the largest depth that can be counted quickly, and the paths counted per second."""
    depth, paths, passed = 1, 1, 0.0
    while True:
        began = time.perf_counter()
        before, paths = paths, _kernel.perft(state, depth)
        passed = time.perf_counter() - began
        growth = max(paths, 1) / max(before, 1)
        if paths == 0 or passed >= seconds or passed * growth > 10 * seconds or depth == DEEPEST:
            break
        depth += 1
    best = passed
    for _ in range(min(TRIES, int(seconds * TRIES / passed))):
        began = time.perf_counter()
        _kernel.perft(state, depth)
        best = min(best, time.perf_counter() - began)
    return depth, paths / best


def loading(name: str) -> float:
    """Returns the seconds from the name of a game to its program in the kernel, in the best try.

    Libraries are imported before. Their cost is part of the startup time of the command line.
    """
    best = float("inf")
    for _ in range(TRIES):
        began = time.perf_counter()
        _kernel.Program(load_rules(name).program.to_bytes())
        best = min(best, time.perf_counter() - began)
    return best


def tables(figures: list[Figures]) -> list[Table]:
    """Formats the figures as tables."""
    speed = Table(title="The kernel on one core, in thousands per second", title_justify="left")
    speed.add_column("game")
    for column in ("moves made\nand unmade", "target", "positions\nlisted", "moves\neach"):
        speed.add_column(column, justify="right")
    for column in ("perft\npaths", "solver\nnodes", "deals\ndecided", "after\nnodes"):
        speed.add_column(column, justify="right")
    size = Table(title="Size and work", title_justify="left")
    size.add_column("game")
    for column in ("bytes per\nposition", "instructions\nper move", "instructions\nper list"):
        size.add_column(column, justify="right")
    size.add_column("loading,\nmilliseconds", justify="right")
    for row in figures:
        aim = MADE_AIM.get(row.game)
        speed.add_row(
            row.game,
            _thousands(row.made_per_second, aim),
            "" if aim is None else _thousands(aim),
            _thousands(row.positions_per_second),
            f"{row.moves_per_position:.1f}",
            f"{_thousands(row.perft_per_second)} (depth {row.perft_depth})",
            _thousands(row.solver_nodes_per_second),
            f"{row.solved} of {row.deals}",
            f"{row.solver_nodes:,}",
        )
        slow = row.loading_seconds >= LOADING_AIM
        size.add_row(
            row.game,
            f"{row.state_bytes:,}",
            _counted(row.instructions_per_move),
            _counted(row.instructions_per_position),
            f"{'[red]' if slow else ''}{row.loading_seconds * 1000:.1f}",
        )
    return [speed, size]


def _thousands(rate: float, aim: float | None = None) -> str:
    text = f"{rate / 1000:,.0f}"
    return text if aim is None else f"[{'green' if rate >= aim else 'red'}]{text}"


def _counted(instructions: float | None) -> str:
    return "-" if instructions is None else f"{instructions:,.0f}"


if __name__ == "__main__":
    sys.exit(main())
