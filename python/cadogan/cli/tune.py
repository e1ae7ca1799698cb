"""``cadogan tune``: how to search a game, learned on deals of its own."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from cadogan.cli import output
from cadogan.cli.choose import GameName

Deals = Annotated[int, Parameter(name="--deals", help="Deals to learn on.")]
Nodes = Annotated[int, Parameter(name="--nodes", help="Positions searched a deal.")]
Trials = Annotated[int, Parameter(name="--trials", help="Changes by chance that are tried.")]
Seed = Annotated[int, Parameter(name="--seed", help="The seed of these changes.")]
Out = Annotated[
    Path | None,
    Parameter(name="--out", help="Where to write the weights; by default beside the rules file."),
]


def tune(
    game: GameName,
    /,
    *,
    deals: Deals = 100,
    nodes: Nodes = 10_000,
    trials: Trials = 100,
    seed: Seed = 1,
    out: Out = None,
) -> int | None:
    """Learn which features of a position count how much in a game, and which ways of searching.

    What was found is kept if it is better on other deals, too, than what is in use. No verdict
    depends on it, only how soon it is found. The same question has the same answer.
    """
    from cadogan import load
    from cadogan.solver.tune import save
    from cadogan.solver.tune import tune as learn

    try:
        tuned = learn(
            load(game), deals=deals, budget=nodes, trials=trials, seed=seed, tell=output.note
        )
    except ValueError as fault:
        raise output.UsageError(str(fault)) from None
    output.data(f"before: {tuned.before}")
    output.data(f"after:  {tuned.after}")
    if not tuned.better:
        output.note("no better weights were found; nothing is written")
        return 1
    output.data(f"written to {save(load(game), tuned, out)}")
    return None
