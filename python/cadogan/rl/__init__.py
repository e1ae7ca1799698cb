"""Games as environments for reinforcement learning.

Install ``cadogan[rl]``. The same environment comes in three forms:

- :class:`PatienceEnv`: one game at a time, a ``gymnasium.Env``;
- :class:`PatienceVectorEnv`: many games that are stepped together by the kernel, without Python's
  lock, a ``gymnasium.vector.VectorEnv``;
- :mod:`cadogan.rl.openspiel`: a game of OpenSpiel, for ``cadogan[openspiel]``.

Importing this package registers :data:`ENVIRONMENT` with Gymnasium, for ``gymnasium.make`` and
``gymnasium.make_vec``. ``docs/environment.md`` is the guide.

>>> env = PatienceEnv("klondike")
>>> observation, info = env.reset(seed=1)
>>> observation.shape == env.observation_space.shape
True
>>> action = env.action_space.sample(info["action_mask"])
>>> observation, reward, terminated, truncated, info = env.step(action)
"""

from typing import Final

try:
    import gymnasium
except ImportError as error:
    raise ImportError(
        "cadogan.rl needs gymnasium and numpy; install them with: pip install 'cadogan[rl]'"
    ) from error

from cadogan.rl.environment import IllegalActionError, PatienceEnv
from cadogan.rl.rewards import Rewards
from cadogan.rl.spaces import Action, Part, Spaces
from cadogan.rl.vector import PatienceVectorEnv

__all__ = [
    "ENVIRONMENT",
    "Action",
    "IllegalActionError",
    "Part",
    "PatienceEnv",
    "PatienceVectorEnv",
    "Rewards",
    "Spaces",
]

ENVIRONMENT: Final = "cadogan/Patience-v0"
"""The name for ``gymnasium.make``. It takes the parameters of :class:`PatienceEnv`."""

if ENVIRONMENT not in gymnasium.registry:
    gymnasium.register(
        ENVIRONMENT,
        entry_point="cadogan.rl.environment:PatienceEnv",
        vector_entry_point="cadogan.rl.vector:PatienceVectorEnv",
        # Our tests run the checker; it would slow down every environment that is made.
        disable_env_checker=True,
    )
