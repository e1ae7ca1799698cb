"""Rules files: the catalogue, names of games with their variants, and finding a file."""

import functools
import re
from pathlib import Path as FilePath

from cadogan.i18n.text import told
from cadogan.rules.faults.report import nearest
from cadogan.rules.read.read import MAX_BYTES
from cadogan.storage import CATALOGUE


class UnknownGameError(LookupError):
    """There is no game with this name.

    Attributes:
        name: The unknown name.
        hint: The nearest name of the catalogue, or ``None``.
    """

    def __init__(self, name: str, hint: str | None) -> None:
        self.name = name
        self.hint = hint
        super().__init__(
            told('there is no game called "{name}"; did you mean "{guess}"?', name=name, guess=hint)
            if hint
            else told('there is no game called "{name}"', name=name)
        )


@functools.cache
def catalogue() -> tuple[str, ...]:
    """The names of all games that come with Cadogan.

    >>> "flower-garden" in catalogue()
    True
    """
    names = (file.name for file in CATALOGUE.iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))


def split_name(name: str) -> tuple[str, tuple[str, ...]]:
    """Splits a name into game (or path) and variants.

    >>> split_name("amazons:left-to-right+queens-free")
    ('amazons', ('left-to-right', 'queens-free'))
    >>> split_name("mine/garden.toml")
    ('mine/garden.toml', ())

    A text between two signs is a name, even if it is empty:

    >>> split_name("klondike:+draw-three")
    ('klondike', ('', 'draw-three'))
    """
    match = re.fullmatch(r"(?P<game>.+?):(?P<variants>[\w+-]*)", name, re.DOTALL)
    if match is None:
        return name, ()
    return match["game"], tuple(match["variants"].split("+"))


def read_rules_file(game: str) -> tuple[bytes, str, str]:
    """The bytes of a rules file, the name to show, and the game's short name.

    Raises:
        UnknownGameError: If a name is not in the catalogue.
        OSError: If a path cannot be read.
    """
    if game.endswith(".toml") or "/" in game or "\\" in game:
        with FilePath(game).open("rb") as file:
            return file.read(MAX_BYTES + 1), game, FilePath(game).stem
    if game not in catalogue():
        raise UnknownGameError(game, nearest(game, catalogue()))
    file_name = f"{game}.toml"
    return (CATALOGUE / file_name).read_bytes(), file_name, game
