"""How often games can be won, as measured by studies.

The figures are in ``win_rates.json``, which ``cadogan study rates`` writes. A figure belongs to the
rules by which it was measured. When the rules change, it is no longer shown.
"""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from cadogan.game import Game

FILE: Final = Path(__file__).parent / "win_rates.json"
SURE: Final = 0.2
"""The largest share of undecided deals at which half of them may still be counted as won."""


@dataclass(frozen=True, slots=True)
class Chances:
    """The measured win rates of a game.

    Attributes:
        deals: How many deals the solver has tried.
        won: How many of them can be won.
        undecided: How many of them are undecided.
        low: The lower bound of the 95 per cent interval of the share that can be won.
        high: The upper bound.
        seen_deals: How many deals were tried by a fair player.
        seen_won: How many of them that player won.
    """

    deals: int
    won: int
    undecided: int
    low: float
    high: float
    seen_deals: int = 0
    seen_won: int = 0

    def difficulty(self, is_open: bool) -> float | None:
        """Returns how hard the game is for a person, from 0 (always won) to 1 (never won).

        The measure is the share of deals that the fair player lost. If the game was not measured
        with a fair player, but all its cards are visible, it is the share of deals that cannot be
        won: there a person can work out everything that the solver can.

        Args:
            is_open: Whether all cards can be seen from the beginning.

        Returns:
            The difficulty, or ``None`` if it is not known.

        >>> Chances(100, 80, 10, 0.7, 0.9).difficulty(is_open=True)
        0.15
        >>> Chances(100, 80, 10, 0.7, 0.9).difficulty(is_open=False)
        >>> Chances(100, 80, 10, 0.7, 0.9, 50, 10).difficulty(is_open=False)
        0.8
        """
        if self.seen_deals:
            return round(1 - self.seen_won / self.seen_deals, 4)
        if is_open and self.undecided <= SURE * self.deals:
            return round(1 - (self.won + self.undecided / 2) / self.deals, 4)
        return None


def chances(game: "Game") -> Chances | None:
    """Returns the figures of a game, with or without variants; ``None`` if there are none.

    >>> from cadogan import load
    >>> chances(load("freecell")).won > 900
    True
    """
    entry = _read(FILE).get(game.name)
    if entry is None or not game.digest.startswith(entry["rules"]):
        return None
    seen = entry.get("seen", {"deals": 0, "won": 0})
    figures = {key: entry[key] for key in ("deals", "won", "undecided", "low", "high")}
    return Chances(**figures, seen_deals=seen["deals"], seen_won=seen["won"])


def is_measured(name: str) -> bool:
    """Whether a game of that name was measured, by its present or by older rules."""
    return name in _read(FILE)


@cache
def _read(file: Path) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    return found
