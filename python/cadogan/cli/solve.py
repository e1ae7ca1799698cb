"""``cadogan solve``: whether a deal can be won."""

from typing import Annotated

from cyclopts import Parameter

from cadogan.cli import output
from cadogan.cli.choose import GameName, Json, Start, position_of

HERE = Start()
BUDGET = 1_000_000
LARGEST = 10**18
Budget = Annotated[int, Parameter(name="--budget", help="Positions searched at most.")]
ShowLine = Annotated[
    bool, Parameter(name="--show-line", help="Write the moves, as 'cadogan replay' reads them.")
]


def solve(
    game: GameName,
    /,
    *,
    start: Start = HERE,
    budget: Budget = BUDGET,
    show_line: ShowLine = False,
    json: Json = False,
) -> None:
    """Say whether a deal can be won.

    The verdict is winnable (there is a line, and it was played to the end), unwinnable (every line
    was tried), or unknown. The search knows all cards, those a player does not see as well.
    """
    import cadogan

    if not 1 <= budget <= LARGEST:
        raise output.UsageError(
            f"a budget of {budget} positions cannot be spent", f"give from 1 to {LARGEST}"
        )
    position = position_of(game, start)
    verdict = cadogan.solve(position, budget=budget)
    line = [move.text for move in verdict.line]
    if json:
        output.data_json(
            {
                "game": position.game.name,
                "deal": position.deal_name,
                "status": verdict.status,
                "nodes": verdict.nodes,
                "strategy": verdict.strategy,
                "budget": budget,
                "line": line if verdict.status == "winnable" else None,
            }
        )
        return
    output.data(f"# {verdict}" if show_line else str(verdict))
    if show_line:
        for move in line:
            output.data(move)
    if verdict.status == "unknown":
        output.note(f"a larger budget may tell: --budget {budget * 10}")
