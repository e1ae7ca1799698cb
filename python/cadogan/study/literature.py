"""What others have found out, from ``literature.toml``."""

import functools
import tomllib
from dataclasses import dataclass
from importlib import resources
from typing import Any

from cadogan.study.statistics import Interval


@dataclass(frozen=True, slots=True)
class Value:
    """A share that was published.

    Attributes:
        game: The game that has the same rules, as far as ``place`` does not tell otherwise: one of
            the catalogue, or the name of a rules file, in whatever folder it is.
        share: The share of deals that come out, in per cent.
        half_width: Half the width of its interval of 95 per cent, in per cent.
        source: Who says so.
        place: Where it stands there.
    """

    game: str
    share: float
    half_width: float
    source: str
    place: str

    @property
    def interval(self) -> Interval:
        """The interval, as shares."""
        low, high = self.share - self.half_width, self.share + self.half_width
        return Interval(max(low, 0) / 100, min(high, 100) / 100)


@functools.cache
def published() -> dict[str, Value]:
    """The published shares by the name of the game.

    >>> published()["klondike:draw-three"].share
    81.945
    """
    data = _read()
    return {value["game"]: Value(**value) for value in data["value"]}


def value_of(game: str) -> Value | None:
    """What was published of a game, if anything was.

    Args:
        game: Its name as a study has it: of the catalogue, or the path of a rules file.

    >>> value_of("bench/beside/canfield.toml") == value_of("canfield.toml")
    True
    """
    return published().get(game) or published().get(game.rpartition("/")[2])


@functools.cache
def sources() -> dict[str, str]:
    """The sources, written out, by their short names."""
    return {
        name: f"{source['authors']}: {source['title']}. {source['where']}."
        for name, source in _read()["sources"].items()
    }


@functools.cache
def _read() -> dict[str, Any]:
    file = resources.files("cadogan") / "study" / "literature.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))
