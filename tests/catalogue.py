"""All games of the catalogue, and all readings of them."""

from functools import cache

from cadogan import load
from cadogan.rules import catalogue

GAMES: tuple[str, ...] = tuple(sorted(catalogue()))


@cache
def all_readings() -> tuple[str, ...]:
    """Every game, and every game with each of its variants, as they are loaded."""
    return tuple(
        name
        for game in GAMES
        for name in (game, *(f"{game}:{variant.name}" for variant in load(game).variants))
    )
