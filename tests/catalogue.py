"""All games of the catalogue, and all readings of them."""

import tomllib
from functools import cache

from cadogan.rules import catalogue
from cadogan.storage import CATALOGUE

GAMES: tuple[str, ...] = tuple(sorted(catalogue()))


@cache
def readings(game: str) -> tuple[str, ...]:
    """A game, and the game with each of its variants, as they are loaded.

    Only the text is read: every run of tests asks for all of them before it begins.
    """
    text = (CATALOGUE / f"{game}.toml").read_text(encoding="utf-8")
    return (game, *(f"{game}:{variant}" for variant in tomllib.loads(text).get("variants", {})))


@cache
def all_readings() -> tuple[str, ...]:
    """The readings of all games."""
    return tuple(name for game in GAMES for name in readings(game))
