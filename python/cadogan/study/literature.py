"""Figures from the literature, read from ``literature.toml``."""

import functools
import tomllib
from dataclasses import dataclass
from importlib import resources
from typing import Any

from cadogan.study.statistics import Interval


@dataclass(frozen=True, slots=True)
class Value:
    """A published share of winnable deals.

    Attributes:
        game: The game with the same rules, except for differences named in ``place``. It is a game
            of the catalogue, or the file name of a rules file without its folder.
        share: The share of deals that can be won, in per cent.
        half_width: Half the width of its 95 per cent interval, in per cent; 0 if we do not know it.
        source: The short name of the source.
        place: Where the source gives the figure.
    """

    game: str
    share: float
    source: str
    place: str
    half_width: float = 0.0

    def __str__(self) -> str:
        return f"{self.share} ± {self.half_width}" if self.half_width else f"{self.share}"

    @property
    def interval(self) -> Interval:
        """The interval, as shares."""
        low, high = self.share - self.half_width, self.share + self.half_width
        return Interval(max(low, 0) / 100, min(high, 100) / 100)


@functools.cache
def published() -> dict[str, Value]:
    """Returns the published shares by the name of the game.

    >>> published()["klondike:draw-three"].share
    81.945
    """
    data = _read()
    return {value["game"]: Value(**value) for value in data["value"]}


def value_of(game: str) -> Value | None:
    """Returns the published share of a game, if there is one.

    Args:
        game: The name of the game in a study: a name of the catalogue, or the path of a rules file.

    >>> value_of("bench/beside/canfield.toml") == value_of("canfield.toml")
    True
    """
    return published().get(game) or published().get(game.rpartition("/")[2])


@functools.cache
def sources() -> dict[str, str]:
    """Returns the full citations by the short names of the sources."""
    return {
        name: f"{source['authors']}: {source['title']}. {source['where']}."
        for name, source in _read()["sources"].items()
    }


@functools.cache
def _read() -> dict[str, Any]:
    file = resources.files("cadogan") / "study" / "literature.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))
