"""One game at a time: Gymnasium's checks, what is seen, what may be done, what is rewarded."""

import random
import subprocess
import sys
import warnings
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

from cadogan import Position, load
from cadogan.rl import ENVIRONMENT, Action, IllegalActionError, PatienceEnv, Rewards
from tests.catalogue import GAMES, all_readings
from tests.games import write_game

STEPS = 40


def walk(env: PatienceEnv, seed: int, length: int = STEPS) -> Iterator[tuple[Any, dict[str, Any]]]:
    """What is observed in a game of random legal actions."""
    chance = random.Random(seed)
    observation, info = env.reset(seed=seed)
    yield observation, info
    for _ in range(length):
        legal = np.flatnonzero(info["action_mask"])
        if not len(legal):
            return
        observation, _, terminated, truncated, info = env.step(int(chance.choice(legal)))
        yield observation, info
        if terminated or truncated:
            return


@pytest.mark.parametrize("game", GAMES)
def test_gymnasium_finds_nothing_wrong(game: str) -> None:
    env = gymnasium.make(ENVIRONMENT, game=game)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)


@pytest.mark.parametrize("game", all_readings())
def test_the_observation_is_what_can_be_seen(game: str) -> None:
    env = PatienceEnv(game)
    for seed in (1, 2):
        for observation, info in walk(env, seed):
            position = env.position
            assert env.spaces.visible_piles(observation) == position.visible_piles()
            assert np.array_equal(observation, env.spaces.observe(position))
            assert observation in env.observation_space
            numbers = {
                part.name: int.from_bytes(bytes(observation[part.slice]))
                for part in env.spaces.parts
                if part.kind == "counter"
            }
            assert numbers == dict(position.counters)
            closed = {
                part.name
                for part in env.spaces.parts
                if part.kind == "closed" and observation[part.start]
            }
            assert closed == position.closed_piles
            assert bool(info["won"]) == (position.outcome == "won")


@pytest.mark.parametrize("game", all_readings())
def test_the_mask_is_the_legal_moves(game: str) -> None:
    env = PatienceEnv(game)
    for seed in (3, 4):
        for _, info in walk(env, seed):
            moves = env.spaces.moves(env.position)
            assert sorted(moves) == np.flatnonzero(info["action_mask"]).tolist()
            assert list(moves.values()) == env.position.moves()
            for number, move in moves.items():
                action = env.spaces.actions[number]
                assert (action.rule, action.source) == (move.rule, move.source)
                assert action.target in (move.target, None) or move.target is None
                assert action.count in (move.count, None)


@pytest.mark.parametrize("game", all_readings())
def test_hidden_cards_do_not_show(game: str) -> None:
    """Two deals that have looked alike so far have the same observation and the same mask."""
    first, second = PatienceEnv(game), PatienceEnv(game)
    chance = random.Random(game)
    position = load(game).deal("cadogan:1")
    deck, alike = list(position.deck), first.spaces.observe(position)
    twins = []
    for _ in range(400):
        one, another = chance.sample(range(len(deck)), 2)
        other = list(deck)
        other[one], other[another] = other[another], other[one]
        if other != deck:
            seen = first.spaces.observe(load(game).deal(deck=other))
            twins += [other] * np.array_equal(seen, alike)
    visible = position.visible_piles().values()
    hidden = sum(card is None for pile in visible for card in pile)
    assert bool(twins) == (hidden > 1)
    for other in twins[:8]:
        seen, info = first.reset(options={"deck": deck})
        twin, twin_info = second.reset(options={"deck": other})
        over = False
        while np.array_equal(seen, twin) and not over:
            assert np.array_equal(info["action_mask"], twin_info["action_mask"])
            legal = np.flatnonzero(info["action_mask"])
            if not len(legal):
                break
            action = int(chance.choice(legal))
            seen, reward, over, truncated, info = first.step(action)
            twin, twin_reward, twin_over, _, twin_info = second.step(action)
            if np.array_equal(seen, twin):
                assert (reward, over) == (twin_reward, twin_over)
            over |= truncated


def test_a_seed_is_a_deal() -> None:
    env = PatienceEnv("klondike", deals=(5, 7))
    _, info = env.reset(seed=12)
    assert info["deal"] == "cadogan:12"
    assert env.position == load("klondike").deal("cadogan:12")
    later = {env.reset()[1]["deal"] for _ in range(40)}
    assert later == {"cadogan:5", "cadogan:6", "cadogan:7"}
    env.reset(options={"deal": "solvitaire:3"})
    assert env.position == load("klondike").deal("solvitaire:3")
    deck = env.position.deck
    _, info = env.reset(options={"deck": deck})
    assert env.position.deck == deck
    assert Position.parse(f"klondike {info['deal']}") == env.position


def test_rewards() -> None:
    game = load("golf")
    line = [move for move in line_of("golf") if not move.forced]
    for reward, total in (("won", 1.0), ("cards", 35.0), ({"won": 2, "cards": 0.1}, 5.5)):
        env = PatienceEnv("golf", reward=reward)
        _, info = env.reset(options={"deal": "cadogan:1"})
        returns = 0.0
        for move in line:
            action = next(a for a, m in env.spaces.moves(env.position).items() if m == move)
            _, gained, terminated, _, info = env.step(action)
            returns += gained
        assert terminated
        assert info["won"]
        assert returns == pytest.approx(total), reward
        assert not info["action_mask"].any()
    assert game.deal("cadogan:1").outcome is None


def line_of(game: str) -> tuple[Any, ...]:
    lines = Path(__file__).parent.parent / "lines" / f"{game}.txt"
    name, *moves = [line for line in lines.read_text().splitlines() if not line.startswith("#")]
    return Position.parse(f"{name} | {'; '.join(moves)}").line


def test_throwing_away_the_win_costs(tmp_path: Path) -> None:
    env = PatienceEnv("black-hole", reward="kept", budget=20_000)
    verdicts, costs = [], []
    for seed in range(1, 8):
        env.reset(seed=seed)
        chance = random.Random(seed)
        verdicts.append([env._info()["verdict"]])
        over = False
        while not over:
            legal = np.flatnonzero(env.action_masks())
            _, reward, over, _, info = env.step(int(chance.choice(legal)))
            verdicts[-1].append(info["verdict"])
            costs.append(reward)
    falls = [
        (before, after) == ("winnable", "unwinnable")
        for game in verdicts
        for before, after in pairwise(game)
    ]
    assert [cost == -1.0 for cost in costs] == falls
    assert set(costs) == {0.0, -1.0}
    assert any(falls)


def test_a_game_ends_when_it_is_too_long() -> None:
    env = PatienceEnv("klondike", max_moves=3)
    ends = [(over, info) for over, info in steps(env)]
    assert [over for over, _ in ends] == [False, False, True]
    with pytest.raises(ResetNeeded, match="over"):
        env.step(0)


def steps(env: PatienceEnv) -> Iterator[tuple[bool, dict[str, Any]]]:
    _, info = env.reset(seed=1)
    while True:
        action = int(np.flatnonzero(info["action_mask"])[0])
        _, _, terminated, truncated, info = env.step(action)
        yield terminated or truncated, info
        if terminated or truncated:
            return


def test_an_illegal_action_is_skipped_or_raises() -> None:
    env = PatienceEnv("klondike")
    seen, info = env.reset(seed=1)
    illegal = int(np.flatnonzero(info["action_mask"] == 0)[-1])
    after, reward, terminated, truncated, told = env.step(illegal)
    assert np.array_equal(seen, after)
    assert (reward, terminated, truncated, told["illegal"]) == (0.0, False, False, True)

    env = PatienceEnv("klondike", illegal="raise")
    env.reset(seed=1)
    with pytest.raises(IllegalActionError, match=r"action \d+ \(.+\) is not legal now") as raised:
        env.step(illegal)
    assert raised.value.action == illegal
    legal = int(np.flatnonzero(env.action_masks())[0])
    assert not env.step(legal)[4]["illegal"]
    with pytest.raises(ValueError, match="there is no action 100000"):
        env.step(100_000)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"reward": "fame"}, "no reward 'fame'; choose from won, cards, kept"),
        ({"reward": {"won": 1, "luck": 1}}, "no reward 'luck'"),
        ({"max_moves": 0}, "max_moves is 0"),
        ({"illegal": "ignore"}, "illegal is 'skip' or 'raise'"),
        ({"deals": (7, 5)}, r"not \(7, 5\)"),
        ({"render_mode": "human"}, "render_mode is 'ansi' or None"),
    ],
)
def test_bad_parameters_are_reported(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        PatienceEnv("golf", **parameters)


def test_bad_resets_are_reported() -> None:
    env = PatienceEnv("golf")
    with pytest.raises(ResetNeeded):
        env.step(0)
    with pytest.raises(ResetNeeded):
        _ = env.position
    with pytest.raises(ValueError, match="'deal' or 'deck'"):
        env.reset(options={"board": 1})
    with pytest.raises(ValueError, match="617"):
        env.reset(options={"deal": "617"})


def test_the_table_is_drawn() -> None:
    env = PatienceEnv("klondike", render_mode="ansi")
    env.reset(seed=1)
    lines = (env.render() or "").splitlines()
    assert lines[4] == "tableau.1      QS"
    assert lines[5] == "tableau.2      ## TC"
    assert lines[-1] == "waste"


def test_any_rules_file_is_an_environment(tmp_path: Path) -> None:
    game = write_game(tmp_path)
    env = PatienceEnv(game)
    observation, _ = env.reset(seed=1)
    assert observation.shape == (env.spaces.observation_size,)
    assert Action("play to foundations", "row.1", "foundations.1", None) in env.spaces.actions
    check_env(gymnasium.make(ENVIRONMENT, game=game.name).unwrapped)
    with pytest.raises(ValueError, match="position of golf"):
        env.spaces.observe(load("golf").deal("cadogan:1"))


def test_rewards_are_read() -> None:
    assert Rewards.parse(Rewards(kept=2.0)) == Rewards(kept=2.0)


def test_without_gymnasium_the_error_says_what_to_install() -> None:
    code = """
import sys
sys.modules["gymnasium"] = None
try:
    import cadogan.rl
except ImportError as error:
    print(error)
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pip install 'cadogan[rl]'" in run.stdout
