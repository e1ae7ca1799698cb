"""How often games come out, as far as a study has measured it.

The figures are in ``win_rates.json``, which ``cadogan study rates`` writes. A figure belongs to
the rules by which it was measured: when they change, it is no longer shown.
"""

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from cadogan.game import Game

FILE: Final = Path(__file__).parent / "win_rates.json"
SURE: Final = 0.2
"""The largest share of undecided deals of which the middle is still taken for a measure."""


@dataclass(frozen=True, slots=True)
class Chances:
    """How often a game comes out.

    Attributes:
        deals: How many deals the solver has tried.
        won: How many of them can be won.
        undecided: How many of them were left undecided.
        low: Lower bound of the share that can be won (95 per cent).
        high: Upper bound.
        seen_deals: How many deals were played by a player who knows what a person sees.
        seen_won: How many of them it won.
    """

    deals: int
    won: int
    undecided: int
    low: float
    high: float
    seen_deals: int = 0
    seen_won: int = 0

    def difficulty(self, is_open: bool) -> float | None:
        """How hard a game is for who sees what a person sees: 0 if it always comes out, 1 if never.

        Where no such player was tried, the share of deals that cannot be won is taken, if all
        cards lie open: what can be won can be found out there.

        Args:
            is_open: Whether all cards can be seen from the beginning.

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


def chances(game: Game) -> Chances | None:
    """What is known of a game, with or without variants.

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
    """Whether there are figures of a game of that name, be they of its present rules or not."""
    return name in _read(FILE)


@cache
def _read(file: Path) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    return found
