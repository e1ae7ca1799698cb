"""Many games that are stepped together, as a ``gymnasium.vector.VectorEnv``."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from cadogan.game import Game
from cadogan.rl.games import ALL_DEALS, MAX_MOVES, Games
from cadogan.rl.rewards import DEFAULT_BUDGET, Rewards

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cadogan.rl.spaces import Spaces

Array = np.ndarray[Any, np.dtype[Any]]


class PatienceVectorEnv(VectorEnv[Array, Array, Array]):
    """Many games of patience that the kernel steps together, without Python's lock.

    Game ``i`` is a :class:`PatienceEnv`; ``reset(seed=s)`` deals ``cadogan:s + i`` to it. All later
    deals of a game follow from its seed. In ``infos``, ``"action_mask"`` is an array of a row for
    each game, ``"won"``, ``"illegal"`` and ``"deal"`` (the number after ``cadogan:``) are arrays of
    an element for each, and so is ``"verdict"``, if ``kept`` is rewarded: 1 for winnable, -1 for
    unwinnable, 0 for unknown.

    Args:
        game: As for :class:`PatienceEnv`; so are ``reward``, ``max_moves``, ``illegal``, ``budget``
            and ``deals``.
        num_envs: The number of games.
        reward: What is rewarded.
        max_moves: After so many steps a game is truncated.
        illegal: What happens after an illegal action: ``"skip"`` or ``"raise"``.
        budget: The node budget of a search for ``kept``.
        deals: The first and the last number of the deals that games after the first are drawn from.
        autoreset_mode: What happens to a game that is over: the next step deals the next one, the
            same step does (``infos`` then has ``"final_obs"`` and ``"final_info"``), or nothing.
        copy: Whether observations and masks are copies. Without copies, each step overwrites the
            arrays that earlier ones returned, and nobody else may write to them.
        threads: The number of threads that step games.
        render_mode: None: only a :class:`PatienceEnv` draws its table.

    Raises:
        UnknownGameError: If there is no such game.
        RulesError: If the rules file has faults.
        ValueError: If another parameter is invalid.

    >>> envs = PatienceVectorEnv("klondike", 512)
    >>> observations, infos = envs.reset(seed=0)
    >>> actions = envs.sample_actions()
    >>> observations, rewards, terminated, truncated, infos = envs.step(actions)
    >>> infos["action_mask"].shape == (512, envs.single_action_space.n)
    True
    """

    metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012

    def __init__(
        self,
        game: str | Path | Game,
        num_envs: int = 1,
        *,
        reward: str | Mapping[str, float] | Rewards = "won",
        max_moves: int = MAX_MOVES,
        illegal: Literal["skip", "raise"] = "skip",
        budget: int = DEFAULT_BUDGET,
        deals: tuple[int, int] = ALL_DEALS,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        threads: int = 1,
        render_mode: None = None,
    ) -> None:
        if render_mode is not None:
            raise ValueError(f"a vector environment has no render mode {render_mode!r}")
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self._games = Games(
            game,
            num_envs,
            reward=reward,
            max_moves=max_moves,
            illegal=illegal,
            budget=budget,
            deals=deals,
            threads=threads,
            autoreset=self.autoreset_mode == AutoresetMode.NEXT_STEP,
        )
        self.num_envs = num_envs
        self.copy = copy
        self.render_mode = None
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        self.single_action_space = self.spaces.action_space()
        self.single_observation_space = self.spaces.observation_space()
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._is_dealt = False
        self._everywhere = np.ones(num_envs, np.bool_)

    @property
    def spaces(self) -> "Spaces":
        """The actions of the game and the parts of its observations."""
        return self._games.spaces

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Array, dict[str, Any]]:
        """Deals.

        Args:
            seed: The number of the first game's deal, the others following; or a number for each
                game.
            options: ``"reset_mask"``: for each game whether it is dealt.

        Raises:
            ValueError: If the mask or the seeds do not fit the games, or there is another option.
        """
        chosen = self._chosen(options)
        if seed is None:
            # The first deals of a fresh environment are random; later ones follow from them.
            seeds: list[int | None] = [None] * self.num_envs
            if not self._is_dealt:
                drawn = self.np_random.integers(self._games.deal_count, size=self.num_envs)
                seeds = [self._games.first + int(number) for number in drawn]
        elif isinstance(seed, int | np.integer):
            seeds = [int(seed) + game for game in range(self.num_envs)]
            self._np_random, self._np_random_seed = None, None
            super().reset(seed=int(seed))
        else:
            seeds = list(seed)
        if len(seeds) != self.num_envs:
            raise ValueError(f"there are {len(seeds)} seeds for {self.num_envs} games")
        for number in seeds:
            if number is not None and not 0 <= number < 2**64:
                raise ValueError(f"a seed is a deal number from 0 to {2**64 - 1}, not {number}")
        if not (self._is_dealt or all(chosen)):
            raise ResetNeeded("the first reset deals all games")
        self._games.reset(chosen, seeds)
        self._is_dealt = True
        return self._observations(), self._infos()

    def step(self, actions: Any) -> tuple[Array, Array, Array, Array, dict[str, Any]]:
        """Plays an action in each game.

        Raises:
            ValueError: If there is no such action; no game has changed.
            IllegalActionError: If an action is illegal and ``illegal="raise"``; no game has
                changed.
            ResetNeeded: Before the first reset, or with ``AutoresetMode.DISABLED`` if a game is
                over.
            RestlessError: If the forced rules of a game never come to rest. Reset all games then.
        """
        if not self._is_dealt:
            raise ResetNeeded("nothing is dealt yet; call reset() first")
        chosen = np.ascontiguousarray(actions, np.int64)
        if chosen.shape != (self.num_envs,):
            raise ValueError(f"actions of shape {chosen.shape} for {self.num_envs} games")
        arrays = self._games.arrays
        disabled = self.autoreset_mode == AutoresetMode.DISABLED
        if disabled and (arrays.terminated | arrays.truncated).any():
            raise ResetNeeded("games are over; reset them with options={'reset_mask': ...}")
        self._games.step(chosen)
        results = (arrays.rewards.copy(), arrays.terminated.copy(), arrays.truncated.copy())
        if self.autoreset_mode == AutoresetMode.SAME_STEP:
            final = self._deal_finished(results[1] | results[2])
        else:
            final = {}
        return self._observations(), *results, {**self._infos(), **final}

    def sample_actions(self) -> "NDArray[np.int64]":
        """A random legal action for each game, drawn by the kernel; 0 where there is none.

        This is much faster than ``action_space.sample`` with a mask. The draws follow from the
        seeds.
        """
        return self._games.sample()

    def _deal_finished(self, over: "NDArray[np.bool_]") -> dict[str, Any]:
        """Deals the games that are over, and returns how they ended."""
        if not over.any():
            return {}
        observations = np.full(self.num_envs, None, object)
        for game in np.flatnonzero(over):
            observations[game] = self._games.arrays.observations[game].copy()
        ended = {name: value.copy() for name, value in self._infos(over).items()}
        self._games.reset(over.tolist(), [None] * self.num_envs)
        return {
            "final_obs": observations,
            "_final_obs": over.copy(),
            "final_info": ended,
            "_final_info": over.copy(),
        }

    def _observations(self) -> Array:
        observations = self._games.arrays.observations
        return observations.copy() if self.copy else observations

    def _infos(self, known: "NDArray[np.bool_] | None" = None) -> dict[str, Any]:
        arrays = self._games.arrays
        infos = {
            "action_mask": arrays.masks.copy() if self.copy else arrays.masks,
            "won": arrays.won.copy(),
            "illegal": arrays.illegal.copy(),
            "deal": arrays.deals.copy(),
        }
        if self._games.rewards.kept:
            values = {True: 1, False: -1, None: 0}
            verdicts = [values[verdict] for verdict in self._games.verdicts()]
            infos["verdict"] = np.array(verdicts, np.int8)
        known = self._everywhere if known is None else known
        return infos | {f"_{name}": known.copy() for name in infos}

    def _chosen(self, options: dict[str, Any] | None) -> list[bool]:
        given = dict(options or {})
        mask = given.pop("reset_mask", self._everywhere)
        if given:
            raise ValueError(f"the option of a reset is 'reset_mask', not {options}")
        mask = np.asarray(mask)
        if mask.shape != (self.num_envs,) or mask.dtype != np.bool_ or not mask.any():
            raise ValueError(
                f"reset_mask is an array of {self.num_envs} booleans, at least one of them true"
            )
        return [bool(chosen) for chosen in mask]
