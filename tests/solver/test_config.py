"""Weights and shares beside a rules file: read, checked, and used."""

import json
from pathlib import Path

import pytest

from cadogan import load, solve
from cadogan.rules import catalogue
from cadogan.solver.config import WeightsError, config_for, path_of, read

YUKON = (path_of("yukon").parent / "yukon.toml").read_text(encoding="utf-8")


def write_copy(folder: Path, weights: object = None) -> str:
    path = folder / "yukon.toml"
    path.write_text(YUKON, encoding="utf-8")
    if weights is not None:
        path_of(str(path)).write_text(
            weights if isinstance(weights, str) else json.dumps(weights), encoding="utf-8"
        )
    return str(path)


def test_weights_beside_the_rules_are_used(tmp_path: Path) -> None:
    weights = {"remaining": 1, "hidden": 50}
    game = load(write_copy(tmp_path, {"sets": [weights]}))
    # A deal that no attempt by chance wins.
    plain = load("yukon").deal("cadogan:281")
    position = game.deal("cadogan:281")
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


def test_a_variant_has_weights_of_its_own_or_those_of_the_game(tmp_path: Path) -> None:
    name = write_copy(tmp_path, {"sets": [{"remaining": 1}]})
    own = path_of(f"{name}:worrying-back+cells")
    assert own.name == "yukon+cells+worrying-back.weights.json"
    own.write_text('{"sets": [{"remaining": 2}]}')
    sets = {
        variants: config_for(name + variants).weight_sets[0][0][1]
        for variants in ("", ":cells", ":cells+worrying-back", ":worrying-back+cells")
    }
    assert list(sets.values()) == [1, 1, 2, 2]


def test_what_stands_in_the_catalogue_is_used_and_helps() -> None:
    position = load("empress-of-india").deal("cadogan:9")
    assert dict(config_for(position.game.name).node_shares)["beam:class-blind"] > 300
    assert solve(position, 50_000).status == "winnable"
    assert solve(position, 50_000, weights=(), shares={}).status == "unknown"
    assert config_for("besieged-city").weight_sets
    assert config_for("besieged-city:at-once").node_shares


def test_beams_with_perturbed_weights_win_where_other_attempts_fail() -> None:
    position = load("besieged-city").deal("cadogan:9546")
    config = config_for("besieged-city")
    weights, shares = [dict(each) for each in config.weight_sets], dict(config.node_shares)
    verdict = solve(position, 100_000)
    assert (verdict.status, verdict.strategy) == ("winnable", "beam:perturbed")
    shares |= {"beam:perturbed": 1, "best-first:perturbed": 800}
    assert solve(position, 200_000, weights=weights, shares=shares).status == "unknown"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{", "not JSON"),
        ("[]", '"sets" must be a list'),
        ('{"sets": [[]]}', '"sets" must be a list'),
        ('{"sets": [{"luck": 1, "charm": 2}]}', 'unknown weight "charm", "luck"; choose from rem'),
        ('{"sets": [{"remaining": 1.5, "hidden": "x"}]}', '"remaining" is 1.5.*"hidden" is \'x\''),
        (json.dumps({"sets": [{}] * 99}), "there are 99 sets of weights, at most . are"),
        ('{"sets": [], "shares": [1]}', '"shares" must be an object'),
        ('{"sets": [], "shares": {"luck": 1}}', 'unknown strategy "luck"; choose from best-first'),
        ('{"sets": [], "shares": {"restarts": 0}}', '"restarts" has the share 0; it must be a'),
        (
            '{"sets": [{"luck": 1}], "shares": {"luck": 1}}',
            'unknown weight "luck".*unknown strategy "luck"',
        ),
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
    for path in path_of("yukon").parent.glob("*.weights.json"):
        game, *variants = path.name.removesuffix(".weights.json").split("+")
        name = load(f"{game}:{'+'.join(variants)}" if variants else game).name
        assert path_of(name) == path
        assert config_for(name).node_shares or config_for(name).weight_sets


def test_shares_of_strategies_by_their_former_names_are_read() -> None:
    shares = {
        "best first, class-blind and greedy": 1,
        "best first, weights varied": 2,
        "depth first, partly class-blind": 3,
        "best first, class-blind (2)": 4,
        "games by chance": 5,
        "abstract games": 6,
    }
    config = read(json.dumps({"sets": [], "shares": shares}))
    assert config.node_shares == (
        ("best-first:class-blind:greedy", 1),
        ("best-first:perturbed", 2),
        ("depth-first:partly-class-blind", 3),
        ("best-first:class-blind:2", 4),
        ("nrpa", 5),
        ("abstract-games", 6),
    )
