"""The games that benchmarks measure."""

import argparse

from cadogan.rules import UnknownGameError, catalogue, load_rules

SIX = (
    "flower-garden",
    "amazons",
    "besieged-city",
    "empress-of-india",
    "hochzeitszug",
    "the-queens",
)
"""The games for which Cadogan was written; they come first."""


def all_games() -> list[str]:
    """Returns all games of the catalogue, with the six first."""
    return [*SIX, *(name for name in catalogue() if name not in SIX)]


def add_games(parser: argparse.ArgumentParser) -> None:
    """Adds the option that names games to a command line."""
    parser.add_argument(
        "--games",
        nargs="+",
        type=_known,
        metavar="GAME",
        default=all_games(),
        help="the games to measure, with or without variants (default: the whole catalogue)",
    )


def _known(name: str) -> str:
    try:
        load_rules(name)
    except UnknownGameError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return name
