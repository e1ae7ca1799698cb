"""Compares Cadogan with lonelybot: ``python -m bench.beside.lonelybot --lonecli PATH``.

Both get the deals ``solvitaire:N`` of Klondike, draw three, in turn, on one core. The other program
runs once for each deal, and its search has no limit; ours has a node budget.
"""

import argparse
import re
import sys
from functools import partial
from pathlib import Path

from bench.beside.one_by_one import Answer, compare
from bench.beside.runs import PeerError, run
from cadogan import Position
from cadogan.solver.solve import Status

_ANSWER = re.compile(r"^(Solvable|Impossible)", re.MULTILINE)
_STATUS: dict[str, Status] = {"Solvable": "winnable", "Impossible": "unwinnable"}


def ask(program: Path, position: Position) -> Answer:
    """What the other program says of a deal.

    Raises:
        PeerError: If the program fails, or its output is not understood.
    """
    number = str(position.deal_name).removeprefix("solvitaire:")
    done = run([program, "solve", "solvitaire", number, "3"])
    answer = _ANSWER.search(done.text)
    if answer is None:
        raise PeerError(f"the output of lonelybot is not understood: {done.text[-80:]!r}")
    return _STATUS[answer[1]], done.seconds


def main(arguments: list[str] | None = None) -> int:
    """Runs the comparison and prints its results.

    Args:
        arguments: The command line, without the name of the program.

    Returns:
        The exit code of :func:`bench.beside.one_by_one.compare`.
    """
    parser = argparse.ArgumentParser(
        prog="python -m bench.beside.lonelybot", description="Compare with lonelybot."
    )
    parser.add_argument("--lonecli", type=Path, required=True, help="its program")
    parser.add_argument("--deals", default="1-100", help="FIRST-LAST (1-100)")
    parser.add_argument("--nodes", type=int, default=20_000_000, help="our budget (20000000)")
    options = parser.parse_args(arguments)
    game, theirs = "klondike:draw-three", partial(ask, options.lonecli)
    return compare("lonelybot", theirs, game, options.deals, options.nodes)


if __name__ == "__main__":
    sys.exit(main())
