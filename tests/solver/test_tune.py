"""Weights: learned, written, read, and used."""

import json
from pathlib import Path

import pytest

from bench import decided
from cadogan import _kernel, load, solve
from cadogan.rules import catalogue
from cadogan.solver.config import WeightsError, config_for, path_of, read
from cadogan.solver.tune import FIRST_DEAL, save, tune

YUKON = (path_of("yukon").parent / "yukon.toml").read_text(encoding="utf-8")


def write_copy(folder: Path, weights: object = None) -> str:
    path = folder / "yukon.toml"
    path.write_text(YUKON, encoding="utf-8")
    if weights is not None:
        path_of(str(path)).write_text(
            weights if isinstance(weights, str) else json.dumps(weights), encoding="utf-8"
        )
    return str(path)


def test_what_was_learned_is_better_on_other_deals_or_not_kept(tmp_path: Path) -> None:
    game = load(write_copy(tmp_path))
    heard: list[str] = []
    tuned = tune(game, deals=6, budget=3000, trials=25, seed=3, tell=heard.append)
    assert tuned == tune(game, deals=6, budget=3000, trials=25, seed=3)
    assert tuned != tune(game, deals=6, budget=3000, trials=25, seed=4)
    assert tuned.better == (tuned.after.cost < tuned.before.cost)
    assert heard[0].startswith("at the beginning: ")
    assert [[*values] for values in tuned.sets] == [
        [name for name, _ in default] for default in _kernel.weights(game.deal("cadogan:1")._state)
    ]
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


def test_weights_beside_the_rules_are_used(tmp_path: Path) -> None:
    weights = {"remaining": 1, "hidden": 50}
    game = load(write_copy(tmp_path, {"sets": [weights]}))
    # A deal that no attempt by chance wins.
    plain = load("yukon").deal("cadogan:73")
    position = game.deal("cadogan:73")
    assert solve(position, 20_000) == solve(plain, 20_000, weights=weights)
    assert solve(position, 20_000, weights=()) == solve(plain, 20_000, weights=())
    assert solve(position, 20_000).nodes != solve(plain, 20_000, weights=()).nodes


def test_shares_beside_the_rules_are_used(tmp_path: Path) -> None:
    shares = {"restarts": 5, "best-first": 900}
    game = load(write_copy(tmp_path, {"sets": [], "shares": shares}))
    assert dict(config_for(game.name).node_shares) == shares
    plain = load("yukon").deal("cadogan:2")
    position = game.deal("cadogan:2")
    assert solve(position, 20_000) == solve(plain, 20_000, shares=shares)
    assert solve(position, 20_000, shares={}) == solve(plain, 20_000, shares={})
    assert solve(position, 20_000).nodes != solve(plain, 20_000, shares={}).nodes


def test_what_stands_in_the_catalogue_is_used_and_helps() -> None:
    position = load("empress-of-india").deal("cadogan:9")
    assert dict(config_for(position.game.name).node_shares)["beam:class-blind"] > 300
    assert solve(position, 50_000).status == "winnable"
    assert solve(position, 50_000, weights=(), shares={}).status == "unknown"
    assert config_for("besieged-city").weight_sets
    assert config_for("besieged-city:at-once").node_shares


def test_deals_go_on_where_a_smaller_budget_left_them() -> None:
    few, more = decided.decide("amazons", ["cadogan:1", "cadogan:2", "cadogan:3"], [2, 20_000])
    assert few.statuses["unknown"] > more.statuses["unknown"] == 0
    assert more.row("amazons").startswith("| amazons | 20,000 | ")
    assert sum(more.strategies.values()) == 3


@pytest.mark.parametrize(
    ("name", "first", "share"),
    [
        # Cards only go where nothing leaves.
        ("golf", "depth-first", 3200),
        ("black-hole", "depth-first", 3200),
        # Four cards are alike outside of foundations; two; none.
        ("flower-garden", "best-first:class-blind:greedy", 800),
        ("freecell", "best-first:class-blind:greedy", 400),
        ("bakers-game", "best-first:class-blind:greedy", 400),
        # Cards lie face down.
        ("klondike:draw-three", "restarts", 100),
        ("empress-of-india", "best-first:class-blind", 100),
        # No search can be class-blind.
        ("spider", "nrpa", 100),
    ],
)
def test_how_a_game_is_searched_is_read_off_its_rules(name: str, first: str, share: int) -> None:
    turns = dict(_kernel.turns(load(name).deal("cadogan:1")._state))
    assert next(iter(turns.items())) == (first, share)
    assert turns["best-first"] == (800 if name == "spider" else 100)


def test_the_whole_search_can_be_given_to_one_way() -> None:
    position = load("besieged-city").deal("cadogan:1")
    ways = {name for name, _ in _kernel.turns(position._state)}
    assert {"best-first:perturbed", "restarts", "beam"} <= ways
    # There is no simpler game of it, so that one has nothing to do.
    for name in sorted(ways - {"abstract-games"}):
        shares = dict.fromkeys(_kernel.turn_names, 1) | {name: 10**6}
        assert solve(position, 300, weights=(), shares=shares).strategy == name.removesuffix(":2")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "not JSON"),
        ("[]", 'no list "sets"'),
        ('{"sets": [[]]}', 'no list "sets"'),
        ('{"sets": [{"luck": 1, "charm": 2}]}', 'no weight "charm", "luck"; there are remaining'),
        ('{"sets": [{"remaining": 1.5, "hidden": "x"}]}', '"remaining" is 1.5.*"hidden" is \'x\''),
        (json.dumps({"sets": [{}] * 99}), "there are 99 sets, and . are used"),
        ('{"sets": [], "shares": [1]}', '"shares" is no object'),
        ('{"sets": [], "shares": {"luck": 1}}', 'no strategy "luck"; there are best-first'),
        ('{"sets": [], "shares": {"restarts": 0}}', '"restarts" gets 0, and must get a whole'),
        ('{"sets": [{"luck": 1}], "shares": {"luck": 1}}', 'no weight "luck".*no strategy "luck"'),
    ],
)
def test_weights_that_there_are_not_are_told(text: str, told: str, tmp_path: Path) -> None:
    name = write_copy(tmp_path, text)
    with pytest.raises(WeightsError, match=told) as fault:
        config_for(name)
    assert "yukon.weights.json: " in str(fault.value)
    with pytest.raises(WeightsError):
        solve(load(name).deal("cadogan:1"), 10)


def test_the_weights_of_the_catalogue_can_be_used() -> None:
    for name in catalogue():
        config_for(name)
    kept = {
        path.name.removesuffix(".weights.json") for path in path_of("yukon").parent.glob("*.json")
    }
    assert kept <= {*catalogue()}


@pytest.mark.parametrize("wrong", [{"deals": 0}, {"budget": 0}, {"trials": -1}])
def test_nothing_is_learned_from_nothing(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="must be at least 1"):
        tune(load("yukon"), **wrong)  # type: ignore[arg-type]
