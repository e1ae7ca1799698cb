"""Tunes the search configuration of a game on deals of its own.

The heuristic of a position is a weighted sum of features, computed in the kernel. Its weights and
the shares of the strategies have built-in values, which suit most games but are not the best for
each. :func:`tune` tries other shares and weights on a fixed set of deals. It keeps changes that
decide more deals, or the same deals with fewer nodes. The result is saved only if it is also better
on deals that were not used before. Costs are counted in nodes and all random choices depend on a
seed, so the same question has the same answer on every machine.

The search configuration of a game is beside its rules file: ``golf.weights.json`` for
``golf.toml``. It is used by default. It affects how soon a verdict is found, never the verdict.
"""

import json
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from cadogan import _kernel
from cadogan.game import Game
from cadogan.solver.config import NodeShares, SearchConfig, config_for, path_of
from cadogan.solver.solve import SearchRequest
from cadogan.storage import replace_file

FIRST_DEAL: Final = 10**12
"""The first deal for tuning; these deals are not used otherwise."""

FIRST_CHECK: Final = 2 * 10**12
"""The first deal for the final check."""

UNDECIDED: Final = 4
"""An undecided deal costs this many times the budget."""

MOST: Final = 600
"""The share of the strategy that gets most of the nodes, in hundredths. It is doubled as often as
the budget allows: some strategies need many nodes at once."""

LITTLE: Final = 10
"""The share of each of the others."""


@dataclass(frozen=True, slots=True)
class Score:
    """How good a configuration is on a set of deals.

    Attributes:
        decided: Deals decided.
        deals: All deals.
        nodes: Positions searched.
        cost: What to minimise: the nodes, plus a penalty for every undecided deal.
    """

    decided: int
    deals: int
    nodes: int
    cost: int

    def __str__(self) -> str:
        return f"{self.decided} of {self.deals} decided, {self.nodes:,} nodes"


@dataclass(frozen=True, slots=True)
class Tuned:
    """The result of tuning.

    Attributes:
        sets: The sets of weights found, where they differ from the built-in ones.
        shares: The shares found, where they differ from the built-in ones.
        before: The score of the previous configuration, on the deals of the check.
        after: The score of the new configuration, on the deals of the check.
        budget: The budget per deal, in nodes.
        deals: The number of deals used for tuning.
        trials: The number of random changes tried.
        seed: The seed of these changes.
    """

    sets: tuple[dict[str, int], ...]
    shares: dict[str, int]
    before: Score
    after: Score
    budget: int
    deals: int
    trials: int
    seed: int

    @property
    def better(self) -> bool:
        """Whether the new configuration is better."""
        return self.after.cost < self.before.cost

    def to_json(self) -> str:
        """Writes the configuration as JSON, with the parameters of the tuning."""
        found = {
            "deals": self.deals,
            "nodes": self.budget,
            "trials": self.trials,
            "seed": self.seed,
        }
        scores = {"before": str(self.before), "after": str(self.after)}
        data: dict[str, Any] = {"sets": list(self.sets)}
        if self.shares:
            data["shares"] = self.shares
        data["tuned"] = found | scores
        return json.dumps(data, indent=2) + "\n"


def tune(
    game: Game,
    *,
    deals: int = 100,
    budget: int = 10_000,
    trials: int = 100,
    seed: int = 1,
    report: Callable[[str], object] = lambda text: None,
) -> Tuned:
    """Tunes the search of a game.

    First each strategy in turn gets most of the nodes, then single shares or weights are changed
    at random.

    Args:
        game: The game.
        deals: The number of deals for tuning, and again for the final check.
        budget: The budget per deal, in nodes.
        trials: The number of random changes to try; with 0 only the shares are learned.
        seed: The seed of these changes.
        report: Called with a line of text at every improvement.

    Raises:
        ValueError: If there are no deals, no nodes, or less than no trials.
    """
    for name, number, least in (("deals", deals, 1), ("budget", budget, 1), ("trials", trials, 0)):
        if number < least:
            raise ValueError(f"{name} is {number}, and must be at least {least}")
    chance = random.Random(seed)
    begun = _begun(game)
    best = begun
    decided_by = Counter[str]()
    cost = _score(game, best, FIRST_DEAL, deals, budget, decided_by=decided_by)
    report(f"at the beginning: {cost}")
    largest = max(MOST, min(100 * budget // _kernel.first_share, 100 * MOST))
    # Begin with the strategy that decided most deals: worse ones are then abandoned early.
    for name, _ in sorted(
        begun.node_shares, key=lambda share: -decided_by[share[0].partition(" (")[0]]
    ):
        share = MOST
        while share <= largest:
            tried = begun._replace(node_shares=_mostly(begun.node_shares, name, share))
            score = _score(game, tried, FIRST_DEAL, deals, budget, most=cost.cost)
            if score.cost < cost.cost:
                report(f"mostly {name}, {share // 100} shares: {score}")
                best, cost = tried, score
            share *= 2
    reach = 1.0
    for trial in range(1, trials + 1):
        tried = _changed(best, chance, reach)
        score = _score(game, tried, FIRST_DEAL, deals, budget, most=cost.cost)
        if score.cost < cost.cost:
            report(f"trial {trial}: {score}")
            best, cost, reach = tried, score, 1.0
        else:
            # The longer nothing helps, the bolder the changes.
            reach = min(reach * 1.05, 4.0)
    before = _score(game, begun, FIRST_CHECK, deals, budget)
    after = before if best == begun else _score(game, best, FIRST_CHECK, deals, budget)
    state = game.deal(f"cadogan:{FIRST_DEAL}")._state
    usual = dict(_kernel.turns(state))
    shares = {name: share for name, share in best.node_shares if share != usual[name]}
    defaults = map(dict, _kernel.weights(state))
    sets = [
        {name: weight for name, weight in found if weight != default[name]}
        for found, default in zip(best.weight_sets, defaults, strict=True)
    ]
    while sets and not sets[-1]:
        sets.pop()
    return Tuned(tuple(sets), shares, before, after, budget, deals, trials, seed)


def save(game: Game, tuned: Tuned, path: Path | None = None) -> Path:
    """Writes the configuration beside the rules file, or to a given path.

    Returns:
        The path of the file.

    Raises:
        OSError: If it cannot be written.
    """
    place = path_of(game.name) if path is None else path
    replace_file(place, tuned.to_json())
    return place


def _begun(game: Game) -> SearchConfig:
    """The complete current configuration: all weights and the shares of all strategies."""
    config = config_for(game.name)
    given = [dict(values) for values in config.weight_sets]
    state = game.deal(f"cadogan:{FIRST_DEAL}")._state
    sets = tuple(
        tuple((dict(default) | (given[place] if place < len(given) else {})).items())
        for place, default in enumerate(_kernel.weights(state))
    )
    usual = dict(_kernel.turns(state))
    found = {name: share for name, share in config.node_shares if name in usual}
    return SearchConfig(sets, tuple((usual | found).items()))


def _mostly(shares: NodeShares, most: str, largest: int) -> NodeShares:
    """Shares that give most of the nodes to one strategy, and some to all others."""
    return tuple((name, largest if name == most else min(share, LITTLE)) for name, share in shares)


def _changed(config: SearchConfig, chance: random.Random, reach: float) -> SearchConfig:
    """The configuration with one to three numbers changed at random."""
    sets = [dict(values) for values in config.weight_sets]
    shares = dict(config.node_shares)
    for _ in range(chance.randint(1, 3)):
        if chance.random() < 0.3:
            name = chance.choice(list(shares))
            factor = chance.choice((0.1, 0.25, 0.5, 2, 4, 10))
            shares[name] = min(max(1, round(shares[name] * factor)), 100 * MOST)
            continue
        # Change large numbers in proportion.
        values = chance.choice(sets)
        name = chance.choice(list(values))
        old = values[name]
        step = max(1.0, abs(old) * 0.4 * reach)
        new = round(old + chance.gauss(0, step))
        values[name] = new if new != old else old + chance.choice((-1, 1))
    return SearchConfig(tuple(tuple(values.items()) for values in sets), tuple(shares.items()))


def _score(
    game: Game,
    config: SearchConfig,
    first: int,
    deals: int,
    budget: int,
    most: int | None = None,
    decided_by: Counter[str] | None = None,
) -> Score:
    """The score of a configuration; stops as soon as the cost reaches ``most``.

    ``decided_by`` counts how many deals each strategy decided.
    """
    request = SearchRequest(
        weights=[dict(values) for values in config.weight_sets], shares=dict(config.node_shares)
    )
    decided = nodes = cost = 0
    for number in range(first, first + deals):
        verdict, _ = request.ask(game.deal(f"cadogan:{number}"), budget)
        nodes += verdict.nodes
        cost += verdict.nodes
        if verdict.status == "unknown":
            cost += UNDECIDED * budget
        else:
            decided += 1
            if decided_by is not None:
                decided_by[verdict.strategy] += 1
        if most is not None and cost >= most:
            break
    return Score(decided, deals, nodes, cost)
