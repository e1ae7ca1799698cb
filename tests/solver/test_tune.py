"""Weights: learned, written, read, and used."""

from pathlib import Path

import pytest

from bench import decided
from cadogan import _kernel, load, solve
from cadogan.game import Game
from cadogan.solver.config import SearchConfig, config_for, read
from cadogan.solver.tune import FIRST_DEAL, Score, save, tune
from tests.solver.test_config import write_copy


def test_what_was_learned_is_better_on_other_deals_or_not_kept(tmp_path: Path) -> None:
    game = load(write_copy(tmp_path))
    heard: list[str] = []
    tuned = tune(game, deals=6, budget=3000, trials=25, seed=3, report=heard.append)
    assert tuned == tune(game, deals=6, budget=3000, trials=25, seed=3)
    assert tuned != tune(game, deals=6, budget=3000, trials=25, seed=4)
    assert tuned.better == (tuned.after.cost < tuned.before.cost)
    assert heard[0].startswith("at the beginning: ")
    # Only what differs is written.
    defaults = [dict(default) for default in _kernel.weights(game.deal("cadogan:1")._state)]
    for values, default in zip(tuned.sets, defaults, strict=False):
        assert values.items().isdisjoint(default.items())
    # What is written is what is used from then on.
    position = game.deal(f"cadogan:{FIRST_DEAL}")
    found = solve(position, 3000, weights=tuned.sets, shares=tuned.shares)
    path = save(game, tuned)
    assert path.name == "yukon.weights.json"
    written = read(path.read_text())
    assert written.weight_sets == tuple(tuple(values.items()) for values in tuned.sets)
    assert dict(written.node_shares) == tuned.shares
    # Under another path: a game that was loaded before is not read again.
    write_copy(tmp_path)
    again = load(f"{tmp_path}/./yukon.toml")
    assert config_for(again.name).weight_sets
    assert solve(again.deal(f"cadogan:{FIRST_DEAL}"), 3000) == found


def test_deals_go_on_where_a_smaller_budget_left_them() -> None:
    few, more = decided.decide("amazons", ["cadogan:1", "cadogan:2", "cadogan:3"], [2, 20_000])
    assert few.statuses["unknown"] > more.statuses["unknown"] == 0
    assert more.row("amazons").startswith("| amazons | 20,000 | ")
    assert sum(more.strategies.values()) == 3


@pytest.mark.parametrize(
    ("name", "first", "share"),
    [
        # Cards only leave piles.
        ("golf", "depth-first", 800),
        ("black-hole", "depth-first", 800),
        # Four cards are alike outside of foundations; two, and there are cells; none.
        ("flower-garden", "best-first:class-blind:greedy", 800),
        ("freecell", "digging", 100),
        ("bakers-game", "best-first:class-blind:greedy", 400),
        # Cards lie face down.
        ("klondike:draw-three", "restarts", 100),
        ("empress-of-india", "best-first:class-blind", 100),
        # No search can be class-blind, and in Spider runs move as wholes.
        ("scorpion", "playouts", 300),
        ("spider", "playouts", 100),
    ],
)
def test_how_a_game_is_searched_is_read_off_its_rules(name: str, first: str, share: int) -> None:
    turns = dict(_kernel.turns(load(name).deal("cadogan:1")._state))
    assert next(iter(turns.items())) == (first, share)
    assert turns["best-first"] == (800 if name == "scorpion" else 100)


def test_the_whole_search_can_be_given_to_one_way() -> None:
    position = load("besieged-city").deal("cadogan:1")
    ways = {name for name, _ in _kernel.turns(position._state)}
    assert {"best-first:perturbed", "restarts", "beam:perturbed"} <= ways
    # There is no simpler game of it, so that one has nothing to do.
    for name in sorted(ways - {"abstract-games"}):
        shares = dict.fromkeys(_kernel.turn_names, 1) | {name: 10**6}
        assert solve(position, 300, weights=(), shares=shares).strategy == name.removesuffix(":2")


@pytest.mark.parametrize("game", ["aces-up", "calculation", "golf", "klondike", "pyramid", "yukon"])
def test_all_strategies_of_a_game_can_get_other_shares(game: str) -> None:
    tuned = tune(load(game), deals=1, budget=50, trials=0)
    assert (tuned.sets, tuned.trials) == ((), 0)


def test_a_strategy_is_tried_with_all_the_nodes_that_the_budget_allows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tried = set()

    def score(_game: Game, config: SearchConfig, *_args: object, **_options: object) -> Score:
        largest = max(share for _, share in config.node_shares)
        tried.add(largest)
        return Score(decided=0, deals=1, nodes=0, cost=10**6 - largest)

    monkeypatch.setattr("cadogan.solver.tune._score", score)
    # A hundredth of a share is twenty nodes, and 4,800 would be more than the budget.
    tuned = tune(load("yukon"), deals=1, budget=50_000, trials=0)
    assert {600, 1_200, 2_400} <= tried
    assert max(tuned.shares.values()) == max(tried) == 2_400


@pytest.mark.parametrize("wrong", [{"deals": 0}, {"budget": 0}, {"trials": -1}])
def test_nothing_is_learned_from_nothing(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="must be at least [01]"):
        tune(load("yukon"), **wrong)  # type: ignore[arg-type]
