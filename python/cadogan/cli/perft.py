"""``cadogan perft``: counts lines of moves."""

from typing import Annotated

from cyclopts import Parameter

from cadogan.cli import output
from cadogan.cli.choose import GameName, Json, Start, position_of

HERE = Start()
DEEPEST = 100
Depth = Annotated[int, Parameter(name=["--depth", "-n"], help="The number of moves in a line.")]
Divide = Annotated[bool, Parameter(name="--divide", help="Count separately for each first move.")]


def perft(
    game: GameName,
    /,
    *,
    depth: Depth,
    divide: Divide = False,
    start: Start = HERE,
    json: Json = False,
) -> None:
    """Count the lines of moves of a given length.

    Without --divide there is one row for every length up to --depth.
    """
    import cadogan

    if not 1 <= depth <= DEEPEST:
        raise output.UsageError(
            f"cannot count lines of {depth} moves", f"give --depth from 1 to {DEEPEST}"
        )
    position = position_of(game, start)
    if divide:
        parts = {
            move.text: cadogan.perft(position.play(move), depth - 1) for move in position.moves()
        }
        total = sum(parts.values())
        if json:
            output.data_json({"depth": depth, "paths": total, "moves": parts})
            return
        digits = len(str(total))
        for text, number in parts.items():
            output.data(f"{number:>{digits}}  {text}")
        output.data(f"{total:>{digits}}  total")
        return
    counts = []
    for length in range(depth + 1):
        counts.append(cadogan.perft(position, length))
        if not json:
            output.data(f"{length:>2}  {counts[-1]}")
    if json:
        output.data_json({"depth": depth, "paths": counts[-1], "depths": counts})
