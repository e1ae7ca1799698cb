"""What a step is worth."""

import random
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from cadogan.rl import PatienceEnv, Rewards
from tests.rl.support import line_of


def test_rewards_are_read() -> None:
    assert Rewards.parse(Rewards(kept=2.0)) == Rewards(kept=2.0)


def test_the_rewards_of_a_won_game() -> None:
    line = line_of("golf")
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
