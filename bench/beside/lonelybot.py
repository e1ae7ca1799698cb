"""Compares Cadogan with lonelybot: ``python -m bench.beside.lonelybot --lonecli PATH``.

Both get the deals ``solvitaire:N`` of Klondike, draw three, in turn, on one core (``--deals
1-100``). The other program runs once for each deal, and its search has no limit; ours has a node
budget (``--nodes``).
"""

import re
import sys
from functools import partial
from pathlib import Path

from bench.beside.one_by_one import Answer, compare, options
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
    parser = options("lonelybot", "lonelybot")
    parser.add_argument("--lonecli", type=Path, required=True, help="its program")
    chosen = parser.parse_args(arguments)
    game, theirs = "klondike:draw-three", partial(ask, chosen.lonecli)
    return compare("lonelybot", theirs, game, chosen.deals, chosen.nodes)


if __name__ == "__main__":
    sys.exit(main())
