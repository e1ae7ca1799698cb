"""Games in the kernel, with the arrays that it writes to: what both environments are made of."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

import numpy as np

from cadogan import _kernel, load
from cadogan.game import Game
from cadogan.rl.rewards import DEFAULT_BUDGET, Rewards
from cadogan.rl.spaces import Spaces

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

MAX_MOVES: Final = 1_000
"""After so many steps a game is truncated."""
ALL_DEALS: Final = (0, 2**63 - 2)
"""The first and the last deal number that resets without a seed choose from."""


class IllegalActionError(ValueError):
    """An action that is not legal now, where ``illegal="raise"``. Nothing has changed.

    Attributes:
        action: The number of the action.
        game: The index of the game in a vector environment; 0 otherwise.
    """

    def __init__(self, text: str, action: int, game: int) -> None:
        super().__init__(text)
        self.action = action
        self.game = game

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (str(self), self.action, self.game)


class Arrays(NamedTuple):
    """The arrays that the kernel writes to, with a row for each game."""

    observations: "NDArray[np.uint8]"
    masks: "NDArray[np.int8]"
    rewards: "NDArray[np.float64]"
    terminated: "NDArray[np.bool_]"
    truncated: "NDArray[np.bool_]"
    won: "NDArray[np.bool_]"
    illegal: "NDArray[np.bool_]"
    deals: "NDArray[np.uint64]"


class Games:
    """A number of games of one kind, dealt and stepped by the kernel.

    The parameters are those of the environments.
    """

    def __init__(
        self,
        game: str | Path | Game,
        number: int,
        *,
        reward: "str | Mapping[str, float] | Rewards" = "won",
        max_moves: int = MAX_MOVES,
        illegal: Literal["skip", "raise"] = "skip",
        budget: int = DEFAULT_BUDGET,
        deals: tuple[int, int] = ALL_DEALS,
        threads: int = 1,
        autoreset: bool = False,
    ) -> None:
        if illegal not in ("skip", "raise"):
            raise ValueError(f"illegal is 'skip' or 'raise', not {illegal!r}")
        for name, value in (("max_moves", max_moves), ("threads", threads), ("num_envs", number)):
            if value < 1:
                raise ValueError(f"{name} is {value}, but must be at least 1")
        self.first, last = deals
        self.deal_count = last - self.first + 1
        if not 0 <= self.first <= last <= ALL_DEALS[1]:
            raise ValueError(f"deals are numbers from 0 to {ALL_DEALS[1]}, not {deals}")
        self.spaces = Spaces(game if isinstance(game, Game) else load(game))
        self.rewards = Rewards.parse(reward)
        self.arrays = Arrays(
            np.zeros((number, self.spaces.observation_size), np.uint8),
            np.zeros((number, self.spaces.action_count), np.int8),
            np.zeros(number, np.float64),
            np.zeros(number, np.bool_),
            np.zeros(number, np.bool_),
            np.zeros(number, np.bool_),
            np.zeros(number, np.bool_),
            np.zeros(number, np.uint64),
        )
        self.number = number
        self._batch = _kernel.Batch(
            self.spaces._kernel,
            number,
            max_moves=max_moves,
            autoreset=autoreset,
            won=self.rewards.won,
            cards=self.rewards.cards,
            kept=self.rewards.kept,
            budget=budget,
            deals=(self.first, self.deal_count),
            strict=illegal == "raise",
            threads=threads,
        )

    def reset(self, chosen: Sequence[bool], seeds: Sequence[int | None]) -> None:
        """Deals ``cadogan:seed`` to the chosen games, or without a seed their next deal."""
        self._batch.reset(list(chosen), list(seeds), self.arrays)

    def deal(self, game: int, deck: bytes) -> None:
        """Deals a deck to a game."""
        self._batch.deal(game, deck, self.arrays)

    def step(self, actions: "NDArray[np.int64]") -> None:
        """Plays an action in each game."""
        try:
            self._batch.step(actions, self.arrays)
        except ValueError:
            self._explain(actions)
            raise
        except RuntimeError as error:
            raise self.spaces.game._restless(error) from None

    def sample(self) -> "NDArray[np.int64]":
        """A random legal action for each game; 0 where there is none."""
        actions = np.empty(self.number, np.int64)
        self._batch.sample(actions)
        return actions

    def verdicts(self) -> list[bool | None]:
        """For each game whether the position is known to be winnable."""
        return self._batch.verdicts()

    def _explain(self, actions: "NDArray[np.int64]") -> None:
        """Raises the error of the first illegal action, if there is one."""
        count = self.spaces.action_count
        for game, action in enumerate(map(int, actions)):
            if not 0 <= action < count:
                raise ValueError(
                    f"there is no action {action}; the actions of {self.spaces.game.name} are "
                    f"0 to {count - 1}"
                ) from None
            if not self.arrays.masks[game, action] and self.arrays.masks[game].any():
                where = f" in game {game}" if self.number > 1 else ""
                raise IllegalActionError(
                    f"action {action} ({self.spaces.actions[action]}) is not legal{where} now; "
                    "info['action_mask'] has a 1 for every legal action",
                    action,
                    game,
                ) from None
