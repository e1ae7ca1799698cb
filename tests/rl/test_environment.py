"""One game at a time: Gymnasium's checks, what is seen, what may be done, what is rewarded."""

import subprocess
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

from cadogan import Position, load
from cadogan.rl import ENVIRONMENT, PatienceEnv
from tests.catalogue import GAMES


@pytest.mark.parametrize("game", GAMES)
def test_gymnasium_finds_nothing_wrong(game: str) -> None:
    env = gymnasium.make(ENVIRONMENT, game=game)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)


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


def test_a_deal_without_moves_ends_with_the_first_step() -> None:
    env = PatienceEnv("black-hole", illegal="raise")
    deals = (
        seed for seed in range(1, 1_000) if not load("black-hole").deal(f"cadogan:{seed}").moves()
    )
    _, info = env.reset(seed=next(deals))
    assert not info["action_mask"].any()
    _, reward, terminated, truncated, info = env.step(0)
    assert (reward, terminated, truncated, info["illegal"]) == (0.0, True, False, False)


def test_the_table_is_drawn() -> None:
    env = PatienceEnv("klondike", render_mode="ansi")
    env.reset(seed=1)
    lines = (env.render() or "").splitlines()
    assert lines[4] == "tableau.1      QS"
    assert lines[5] == "tableau.2      ## TC"
    assert lines[-1] == "waste"


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
