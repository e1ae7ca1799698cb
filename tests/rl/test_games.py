"""The games behind the environments: their parameters, and errors of actions."""

from typing import Any

import numpy as np
import pytest

from cadogan.rl import IllegalActionError, PatienceEnv


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
