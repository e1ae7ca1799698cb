"""Compares with Black Hole Solitaire Solver: ``python -m bench.beside.black_hole --solver PATH``.

Both get the deals ``solvitaire:N`` of Black Hole, or of Golf in which queens go on kings, in turn,
on one core (``--deals 1-100``). The other program runs once for each deal, with its pruning by
reachable ranks and without a limit; ours has a node budget (``--nodes``).
"""

import sys
import tempfile
from functools import partial
from pathlib import Path

from bench.beside.one_by_one import Answer, compare, options
from bench.beside.runs import PeerError, run
from cadogan import Position

GAMES = {
    "black-hole": ("black_hole",),
    "golf:queens-on-kings": ("golf", "--queens-on-kings"),
}
"""For each of our games how the other program calls it."""

UNSOLVED = 255
"""Its exit code for a deal that cannot be won."""


def board(position: Position) -> str:
    """A deal as the other program reads it."""
    piles = {name: [str(card) for card in cards] for name, cards in position.piles.items()}
    hole = piles.pop("hole", None) or piles.pop("waste")
    stock = piles.pop("stock", None)
    talon = [] if stock is None else [f"Talon: {' '.join(reversed(stock))}"]
    columns = [" ".join(cards) for cards in piles.values() if cards]
    return "\n".join([*talon, f"Foundations: {' '.join(hole)}", *columns, ""])


def ask(program: Path, words: tuple[str, ...], position: Position) -> Answer:
    """What the other program says of a deal.

    Raises:
        PeerError: If the program fails, or its output is not understood.
    """
    with tempfile.NamedTemporaryFile("w", suffix=".board") as file:
        file.write(board(position))
        file.flush()
        command: list[str | Path] = [program, "--game", *words, "--rank-reach-prune", file.name]
        done = run(command, codes=(0, UNSOLVED))
    if "Solved!" in done.text:
        return "winnable", done.seconds
    if "Unsolved!" in done.text:
        return "unwinnable", done.seconds
    raise PeerError(f"the output of the solver is not understood: {done.text[-80:]!r}")


def main(arguments: list[str] | None = None) -> int:
    """Runs the comparison and prints its results.

    Args:
        arguments: The command line, without the name of the program.

    Returns:
        The exit code of :func:`bench.beside.one_by_one.compare`.
    """
    parser = options("black_hole", "Black Hole Solitaire Solver")
    parser.add_argument("--solver", type=Path, required=True, help="its black-hole-solve")
    parser.add_argument("--game", choices=GAMES, default="black-hole", help="(black-hole)")
    chosen = parser.parse_args(arguments)
    theirs = partial(ask, chosen.solver, GAMES[chosen.game])
    return compare("black-hole-solve", theirs, chosen.game, chosen.deals, chosen.nodes)


if __name__ == "__main__":
    sys.exit(main())
