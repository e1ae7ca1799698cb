"""Compares Cadogan with Freecell Solver: ``python -m bench.beside.fcsolve --fcsolve PATH``.

Both get the deals ``ms:N`` of FreeCell in turn, in chunks, on one core. The other program is
``freecell-solver-range-parallel-solve``, which generates the boards itself. Its search ends only
when a deal is decided; ours has a node budget.
"""

import argparse
import json
import re
import sys
from dataclasses import asdict, dataclass, field
from pathlib import Path

from rich.console import Console

from bench.beside.runs import PeerError, keep_to_one_core, run, solved
from cadogan import load

RESULTS = Path(__file__).parent.parent / "results" / "fcsolve.json"
_TOLD = re.compile(r"(Unsolved|Intractable) Board No\. (\d+)")
_END = re.compile(r"Reached Board No\. \d+ .*total_num_iters=(\d+)")


@dataclass
class Side:
    """The results of one program; seconds are processor time."""

    solved: int = 0
    lost: list[int] = field(default_factory=list)
    open: list[int] = field(default_factory=list)
    nodes: int = 0
    seconds: float = 0.0


def theirs(program: Path, preset: str, deals: range, side: Side) -> None:
    """Gives deals to the other program.

    Raises:
        PeerError: If the program fails, or its output is not understood.
    """
    first, last = deals[0], deals[-1]
    done = run([program, str(first), str(last), "1", "-l", preset], patience=3600)
    ends = _END.findall(done.text)
    if not ends:
        raise PeerError(f"the output of Freecell Solver is not understood: {done.text[-80:]!r}")
    for word, number in _TOLD.findall(done.text):
        (side.lost if word == "Unsolved" else side.open).append(int(number))
    side.solved += len(deals) - len(_TOLD.findall(done.text))
    side.nodes += int(ends[-1])
    side.seconds += done.seconds


def ours(deals: range, nodes: int, side: Side) -> None:
    """Gives deals to our solver."""
    game = load("freecell")
    for number in deals:
        verdict, seconds = solved(game.deal(f"ms:{number}"), nodes)
        side.nodes += verdict.nodes
        side.seconds += seconds
        if verdict.status == "winnable":
            side.solved += 1
        else:
            (side.lost if verdict.status == "unwinnable" else side.open).append(number)


def main(arguments: list[str] | None = None) -> int:
    """Runs the comparison and prints its results.

    Args:
        arguments: The command line, without the name of the program.

    Returns:
        The exit code: 0, 1 if verdicts contradict, 2 if the other program cannot be used, 130
        after Ctrl-C.
    """
    parser = argparse.ArgumentParser(
        prog="python -m bench.beside.fcsolve", description="Compare with Freecell Solver."
    )
    parser.add_argument("--fcsolve", type=Path, required=True, help="its range solver")
    parser.add_argument("--preset", default="lg", help="of Freecell Solver (lg)")
    parser.add_argument("--first", type=int, default=1, help="first deal (1)")
    parser.add_argument("--last", type=int, default=32_000, help="last deal (32000)")
    parser.add_argument("--chunk", type=int, default=500, help="deals a turn (500)")
    parser.add_argument("--nodes", type=int, default=1_000_000, help="our budget (1000000)")
    parser.add_argument("--keep", action="store_true", help=f"keep the table in {RESULTS.name}")
    options = parser.parse_args(arguments)
    err = Console(stderr=True, highlight=False, markup=False)
    keep_to_one_core()
    both = {"cadogan": Side(), "fcsolve": Side()}
    done = options.first - 1
    code = 0
    try:
        for start in range(options.first, options.last + 1, options.chunk):
            deals = range(start, min(start + options.chunk, options.last + 1))
            theirs(options.fcsolve, options.preset, deals, both["fcsolve"])
            ours(deals, options.nodes, both["cadogan"])
            done = deals[-1]
            err.print(f"{done} of {options.last}: " + ", ".join(map(_format, both.items())))
    except PeerError as error:
        err.print(f"error: {error}")
        code = 2
    except KeyboardInterrupt:
        err.print("Interrupted.")
        code = 130
    print("| | Solved | Proved lost | Open | Nodes | s |\n|---|--:|--:|--:|--:|--:|")
    for name, side in both.items():
        lost = ", ".join(map(str, side.lost)) or "none"
        print(
            f"| {name} | {side.solved:,} | {lost} | {len(side.open)} "
            f"| {side.nodes:,} | {side.seconds:.2f} |"
        )
    undecided = {*both["cadogan"].open, *both["fcsolve"].open}
    contradictions = ({*both["cadogan"].lost} ^ {*both["fcsolve"].lost}) - undecided
    if contradictions and code == 0:
        err.print(f"Verdicts contradict: {sorted(contradictions)}")
        code = 1
    if options.keep and code in (0, 1):
        RESULTS.parent.mkdir(exist_ok=True)
        sides = {name: asdict(side) for name, side in both.items()}
        head = {"deals": [options.first, done], "preset": options.preset, "budget": options.nodes}
        RESULTS.write_text(json.dumps(head | sides, indent=1) + "\n", encoding="utf-8")
    return code


def _format(item: tuple[str, Side]) -> str:
    name, side = item
    return f"{name} {side.solved} in {side.seconds:.1f} s"


if __name__ == "__main__":
    sys.exit(main())
