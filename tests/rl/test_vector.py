"""Many games at once are the same games."""

import threading
import time
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode

from cadogan.rl import ENVIRONMENT, IllegalActionError, PatienceEnv, PatienceVectorEnv
from tests.catalogue import GAMES


@pytest.mark.parametrize("game", GAMES)
def test_games_of_a_batch_are_those_that_are_played_alone(game: str) -> None:
    envs = PatienceVectorEnv(
        game, 3, reward="cards", max_moves=25, autoreset_mode=AutoresetMode.DISABLED
    )
    alone = [PatienceEnv(game, reward="cards", max_moves=25) for _ in range(3)]
    seen, infos = envs.reset(seed=7)
    for row, env in enumerate(alone):
        observation, info = env.reset(seed=7 + row)
        assert np.array_equal(seen[row], observation)
        assert np.array_equal(infos["action_mask"][row], info["action_mask"])
    for _ in range(25):
        actions = envs.sample_actions()
        seen, rewards, terminated, truncated, infos = envs.step(actions)
        for row, env in enumerate(alone):
            observation, reward, over, long, info = env.step(actions[row])
            assert np.array_equal(seen[row], observation)
            assert np.array_equal(infos["action_mask"][row], info["action_mask"])
            assert (rewards[row], terminated[row], truncated[row]) == (reward, over, long)
            assert infos["won"][row] == info["won"]
        if (terminated | truncated).any():
            break


def test_the_next_step_deals() -> None:
    envs = PatienceVectorEnv("golf", 4, max_moves=5, deals=(100, 102))
    envs.reset(seed=1)
    for _ in range(5):
        _, _, terminated, truncated, infos = envs.step(envs.sample_actions())
    assert (terminated | truncated).any()
    over = terminated | truncated
    deals = infos["deal"].copy()
    _, rewards, terminated, truncated, infos = envs.step(np.zeros(4, np.int64))
    assert not (terminated | truncated)[over].any()
    assert not rewards[over].any()
    assert np.isin(infos["deal"][over], [100, 101, 102]).all()
    assert np.array_equal(deals[~over], infos["deal"][~over])


def test_the_same_step_deals() -> None:
    envs = PatienceVectorEnv("golf", 4, max_moves=5, autoreset_mode=AutoresetMode.SAME_STEP)
    envs.reset(seed=1)
    for _ in range(5):
        seen, _, terminated, truncated, infos = envs.step(envs.sample_actions())
        over = terminated | truncated
        if over.any():
            break
    assert np.array_equal(infos["_final_obs"], over)
    for row in np.flatnonzero(over):
        assert not np.array_equal(infos["final_obs"][row], seen[row])
        assert infos["action_mask"][row].any()
    assert np.array_equal(infos["final_info"]["_won"], over)


def test_disabled_games_wait() -> None:
    envs = PatienceVectorEnv("golf", 2, max_moves=1, autoreset_mode=AutoresetMode.DISABLED)
    with pytest.raises(ResetNeeded):
        envs.step([0, 0])
    with pytest.raises(ResetNeeded, match="all games"):
        envs.reset(options={"reset_mask": np.array([True, False])})
    before, _ = envs.reset(seed=1)
    actions = envs.sample_actions()
    envs.step(actions)
    with pytest.raises(ResetNeeded, match="reset_mask"):
        envs.step(actions)
    seen, infos = envs.reset(seed=[1, None], options={"reset_mask": np.array([True, False])})
    assert np.array_equal(seen[0], before[0])
    assert infos["deal"][0] == 1
    with pytest.raises(ResetNeeded):
        envs.step(actions)
    for mask in (np.array([False, False]), np.array([True]), np.array([1, 0])):
        with pytest.raises(ValueError, match="2 booleans"):
            envs.reset(options={"reset_mask": mask})
    with pytest.raises(ValueError, match="3 seeds for 2 games"):
        envs.reset(seed=[1, 2, 3])
    with pytest.raises(ValueError, match="deal number from 0 to"):
        envs.reset(seed=[1, -1])


def test_a_seed_repeats_everything() -> None:
    def run(threads: int) -> list[Any]:
        envs = PatienceVectorEnv("canfield", 5, max_moves=20, threads=threads)
        log: list[Any] = [envs.reset(seed=3)[0]]
        for _ in range(60):
            seen, rewards, *_, infos = envs.step(envs.sample_actions())
            log += [seen, rewards, infos["action_mask"], infos["deal"]]
        return log

    once = run(1)
    for other in (run(1), run(2)):
        assert all(np.array_equal(mine, yours) for mine, yours in zip(once, other, strict=True))


def test_without_copies_the_arrays_are_reused() -> None:
    envs = PatienceVectorEnv("golf", 2, copy=False)
    first, _ = envs.reset(seed=1)
    second, *_ = envs.step(envs.sample_actions())
    assert first is second
    envs = PatienceVectorEnv("golf", 2)
    first, _ = envs.reset(seed=1)
    second, *_ = envs.step(envs.sample_actions())
    assert not np.shares_memory(first, second)


def test_bad_actions_change_no_game() -> None:
    envs = PatienceVectorEnv("golf", 2, illegal="raise")
    seen, infos = envs.reset(seed=1)
    good = envs.sample_actions()
    bad = int(np.flatnonzero(infos["action_mask"][1] == 0)[0])
    with pytest.raises(IllegalActionError, match="in game 1") as raised:
        envs.step([good[0], bad])
    assert (raised.value.action, raised.value.game) == (bad, 1)
    with pytest.raises(ValueError, match="no action -1"):
        envs.step([good[0], -1])
    with pytest.raises(ValueError, match="shape"):
        envs.step([good[0]])
    observations = envs._games.arrays.observations
    assert np.array_equal(observations, seen)


def test_verdicts_come_with_the_reward_for_keeping_the_win() -> None:
    envs = PatienceVectorEnv("black-hole", 4, reward={"won": 1, "kept": 1}, budget=5_000)
    _, infos = envs.reset(seed=1)
    assert set(infos["verdict"]) <= {-1, 0, 1}
    assert 1 in infos["verdict"]
    for _ in range(4):
        before = infos["verdict"]
        _, rewards, terminated, _, infos = envs.step(envs.sample_actions())
        if terminated.any():
            break
        falls = (before == 1) & (infos["verdict"] == -1)
        assert np.array_equal(rewards < 0, falls)


def test_other_threads_go_on_while_games_are_stepped() -> None:
    envs = PatienceVectorEnv("spider", 4, reward="kept", budget=20_000)
    work = threading.Thread(target=envs.reset, kwargs={"seed": 1})
    work.start()
    counted = 0
    while work.is_alive():
        counted += 1
        time.sleep(0.001)
    # With Python's lock the kernel would not have let this thread count.
    assert counted > 20


def test_gymnasium_makes_it() -> None:
    envs = gymnasium.make_vec(ENVIRONMENT, num_envs=3, game="golf", max_moves=9)
    assert isinstance(envs.unwrapped, PatienceVectorEnv)
    seen, _ = envs.reset(seed=1)
    assert seen in envs.observation_space
    envs.close()
    with pytest.raises(ValueError, match="no render mode"):
        PatienceVectorEnv("golf", 1, render_mode="ansi")  # type: ignore[arg-type]
