"""What a step is worth."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Final

DEFAULT_BUDGET: Final = 2_000
"""Nodes of a search for ``kept``."""


@dataclass(frozen=True, slots=True)
class Rewards:
    """The reward of a step is the sum of these.

    Attributes:
        won: For the move that wins the game.
        cards: For each card that the move and everything that it forces bring to where the aim
            wants it; the opposite for each card that they take away from there.
        kept: Subtracted for a move that throws away the win: the solver, which knows all cards, has
            proved that the position before the move can be won and the one after it cannot.
    """

    won: float = 0.0
    cards: float = 0.0
    kept: float = 0.0

    @classmethod
    def parse(cls, reward: "str | Mapping[str, float] | Rewards") -> "Rewards":
        """Reads rewards as the environments take them.

        Args:
            reward: The name of a reward, which then counts 1; several names with their weights; or
                rewards.

        Raises:
            ValueError: If there is no such reward.

        >>> Rewards.parse("won")
        Rewards(won=1.0, cards=0.0, kept=0.0)
        >>> Rewards.parse({"won": 1, "cards": 0.02})
        Rewards(won=1.0, cards=0.02, kept=0.0)
        """
        if isinstance(reward, Rewards):
            return reward
        weights = {reward: 1.0} if isinstance(reward, str) else dict(reward)
        known = [field.name for field in fields(cls)]
        for name in weights:
            if name not in known:
                raise ValueError(f"there is no reward {name!r}; choose from {', '.join(known)}")
        return cls(**{name: float(weight) for name, weight in weights.items()})
