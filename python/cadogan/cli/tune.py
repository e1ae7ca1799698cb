"""``cadogan tune``: learns how to search a game from sample deals."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from cadogan.cli import output
from cadogan.cli.choose import GameName

Deals = Annotated[int, Parameter(name="--deals", help="How many deals to learn from.")]
Nodes = Annotated[int, Parameter(name="--nodes", help="How many nodes to search per deal.")]
Trials = Annotated[
    int,
    Parameter(
        name="--trials", help="How many random changes to try. With 0 only shares are learned."
    ),
]
Seed = Annotated[int, Parameter(name="--seed", help="The seed of the random changes.")]
Out = Annotated[
    Path | None,
    Parameter(name="--out", help="Where to save the weights. By default next to the rules file."),
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
    """Tune the search for a game.

    Learns weights for the features of a position, and which strategies deserve how many nodes.
    Saves the result if it also beats the current one on other deals. No verdict depends on it, only
    how soon it is found. The same arguments always give the same result.
    """
    from cadogan import load
    from cadogan.solver.tune import save
    from cadogan.solver.tune import tune as learn

    try:
        tuned = learn(
            load(game), deals=deals, budget=nodes, trials=trials, seed=seed, report=output.note
        )
    except ValueError as fault:
        raise output.UsageError(str(fault)) from None
    output.data(f"before: {tuned.before}")
    output.data(f"after:  {tuned.after}")
    if not tuned.better:
        output.note("no better weights found; nothing saved")
        return 1
    output.data(f"saved to {save(load(game), tuned, out)}")
    return None
