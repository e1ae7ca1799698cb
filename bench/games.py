"""The games that are measured, and the programs that the kernel measures them with."""

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
"""The games that Cadogan was made for; they come first."""


def all_games() -> list[str]:
    """The games of the catalogue, the six first."""
    return [*SIX, *(name for name in catalogue() if name not in SIX)]


def add_games(parser: argparse.ArgumentParser) -> None:
    """Lets a command line name games."""
    parser.add_argument(
        "--games",
        nargs="+",
        type=_known,
        metavar="GAME",
        default=all_games(),
        help="the games to look at, with or without variants (all of the catalogue)",
    )


def _known(name: str) -> str:
    try:
        load_rules(name)
    except UnknownGameError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return name
