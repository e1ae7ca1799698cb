"""Tunes the search configuration of a game on deals of its own.

How promising a position looks is a weighted sum of features (computed in the kernel), and the share
of the nodes that each strategy gets is built in; what is good for most games is not best for each.
:func:`tune` tries other shares and changed weights on a fixed set of deals and keeps what decides
more of them, or the same with fewer nodes. To be worth saving, the result must also be better on
deals that were not used before. Everything is counted in nodes and depends on a seed, so the same
question has the same answer on every machine.

The weights of a game stand beside its rules file: ``golf.weights.json`` for ``golf.toml``. They are
used whenever nothing else is asked for. No verdict depends on them, only how soon it is found.
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
"""Deals from here on are for tuning: nobody asks for them otherwise."""

FIRST_CHECK: Final = 2 * 10**12
"""Deals from here on are for the check at the end."""

UNDECIDED: Final = 4
"""A deal that is not decided costs so many times the budget."""

MOST: Final = 600
"""The share of the strategy that gets most of a search, in hundredths."""

LITTLE: Final = 10
"""The share of each of the others."""


@dataclass(frozen=True, slots=True)
class Score:
    """How good weights are on some deals.

    Attributes:
        decided: Deals decided.
        deals: All deals.
        nodes: Positions searched.
        cost: What is to be small: the nodes, and for every deal not decided some budgets more.
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
        sets: The weights found, a set after the other.
        shares: The shares of strategies found, where they differ from the built-in ones.
        before: How good weights and shares were at the beginning, on the deals of the check.
        after: How good those found are there.
        budget: Nodes a deal.
        deals: Deals tuned on.
        seed: The seed of the changes tried.
    """

    sets: tuple[dict[str, int], ...]
    shares: dict[str, int]
    before: Score
    after: Score
    budget: int
    deals: int
    seed: int

    @property
    def better(self) -> bool:
        """Whether they are worth keeping."""
        return self.after.cost < self.before.cost

    def to_json(self) -> str:
        """Writes the weights, with how they were found."""
        found = {"deals": self.deals, "nodes": self.budget, "seed": self.seed}
        told = {"before": str(self.before), "after": str(self.after)}
        data: dict[str, Any] = {"sets": list(self.sets)}
        if self.shares:
            data["shares"] = self.shares
        data["tuned"] = found | told
        return json.dumps(data, indent=2) + "\n"


def tune(
    game: Game,
    *,
    deals: int = 100,
    budget: int = 10_000,
    trials: int = 100,
    seed: int = 1,
    tell: Callable[[str], object] = lambda text: None,
) -> Tuned:
    """Tunes the search of a game.

    First each strategy in turn gets most of the nodes, then single shares or weights are changed
    at random.

    Args:
        game: The game.
        deals: How many deals to learn on, and as many again for the check at the end.
        budget: Nodes for each deal.
        trials: How many random changes are tried.
        seed: The seed of these changes.
        tell: Is called with a line of text at every improvement.

    Raises:
        ValueError: If a number is less than one.
    """
    for name, number in (("deals", deals), ("budget", budget), ("trials", trials)):
        if number < 1:
            raise ValueError(f"{name} is {number}, and must be at least 1")
    chance = random.Random(seed)
    begun = _begun(game)
    best = begun
    ways = Counter[str]()
    cost = _score(game, best, FIRST_DEAL, deals, budget, ways=ways)
    tell(f"at the beginning: {cost}")
    # What decided most comes first: what is worse is then given up soon.
    for name, _ in sorted(begun.node_shares, key=lambda way: -ways[way[0].partition(" (")[0]]):
        tried = begun._replace(node_shares=_mostly(begun.node_shares, name))
        score = _score(game, tried, FIRST_DEAL, deals, budget, most=cost.cost)
        if score.cost < cost.cost:
            tell(f"mostly {name}: {score}")
            best, cost = tried, score
    reach = 1.0
    for trial in range(1, trials + 1):
        tried = _changed(best, chance, reach)
        score = _score(game, tried, FIRST_DEAL, deals, budget, most=cost.cost)
        if score.cost < cost.cost:
            tell(f"trial {trial}: {score}")
            best, cost, reach = tried, score, 1.0
        else:
            # The longer nothing helps, the bolder the changes.
            reach = min(reach * 1.05, 4.0)
    before = _score(game, begun, FIRST_CHECK, deals, budget)
    after = before if best == begun else _score(game, best, FIRST_CHECK, deals, budget)
    usual = dict(_kernel.turns(game.deal(f"cadogan:{FIRST_DEAL}")._state))
    shares = {name: share for name, share in best.node_shares if share != usual[name]}
    return Tuned(tuple(map(dict, best.weight_sets)), shares, before, after, budget, deals, seed)


def save(game: Game, tuned: Tuned, path: Path | None = None) -> Path:
    """Writes weights beside the rules file, or where it is told.

    Returns:
        Where they are.

    Raises:
        OSError: If they cannot be written.
    """
    place = path_of(game.name) if path is None else path
    replace_file(place, tuned.to_json())
    return place


def _begun(game: Game) -> SearchConfig:
    """What is in use now: every name of every set, and the share of every strategy."""
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


def _mostly(shares: NodeShares, most: str) -> NodeShares:
    """One strategy gets most of the search, and none gets nothing."""
    return tuple((name, MOST if name == most else min(share, LITTLE)) for name, share in shares)


def _changed(config: SearchConfig, chance: random.Random, reach: float) -> SearchConfig:
    """One to three numbers are changed."""
    sets = [dict(values) for values in config.weight_sets]
    shares = dict(config.node_shares)
    for _ in range(chance.randint(1, 3)):
        if chance.random() < 0.3:
            name = chance.choice(list(shares))
            factor = chance.choice((0.1, 0.25, 0.5, 2, 4, 10))
            shares[name] = min(max(1, round(shares[name] * factor)), 100 * MOST)
            continue
        # Small ones by little, large ones in proportion.
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
    ways: Counter[str] | None = None,
) -> Score:
    """How good it is; of no more deals, as soon as they cost as much as the most.

    ``ways`` is told what decided each deal.
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
            if ways is not None:
                ways[verdict.strategy] += 1
        if most is not None and cost >= most:
            break
    return Score(decided, deals, nodes, cost)
