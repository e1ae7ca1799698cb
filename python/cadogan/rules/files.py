"""Rules files: the catalogue, names of games with their variants, and finding a file."""

import functools
import re
from collections.abc import Sequence
from pathlib import Path as FilePath

from cadogan.i18n.text import gettext, listed
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
            gettext(
                'there is no game called "{name}"; did you mean "{guess}"?', name=name, guess=hint
            )
            if hint
            else gettext('there is no game called "{name}"', name=name)
        )


class AmbiguousGameError(UnknownGameError):
    """Several games have this title.

    Attributes:
        games: Their names.
    """

    def __init__(self, name: str, games: Sequence[str]) -> None:
        LookupError.__init__(
            self,
            gettext(
                'several games are called "{name}": {games}',
                name=name,
                games=listed([f'"{game}"' for game in games], "and"),
            ),
        )
        self.name = name
        self.hint = None
        self.games = tuple(games)


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


def is_path(game: str) -> bool:
    """Whether the name of a game, without variants, is a path.

    >>> is_path("mine/garden.toml"), is_path("amazons")
    (True, False)
    """
    return game.endswith(".toml") or "/" in game or "\\" in game


def resolve(name: str) -> str:
    """The name of a game in the catalogue, if it is named by a title or an alias.

    Args:
        name: The name, title or alias of a game, or a path, with or without variants.

    Returns:
        The name; a path and an unknown name stay as they are.

    Raises:
        AmbiguousGameError: If several games have that title.

    >>> resolve("Hidden Cards"), resolve("klondike:draw-three"), resolve("mine.toml")
    ('clock', 'klondike:draw-three', 'mine.toml')
    """
    game, chosen = split_name(name)
    if game in catalogue() or is_path(game):
        return name
    from cadogan.rules.index import titled

    found = titled(game)
    if len(found) > 1:
        raise AmbiguousGameError(game, found)
    if not found:
        return name
    base, own = split_name(found[0])
    variants = (*own, *chosen)
    return f"{base}:{'+'.join(variants)}" if variants else base


def read_rules_file(game: str) -> tuple[bytes, str, str]:
    """The bytes of a rules file, the name to show, and the game's short name.

    Raises:
        UnknownGameError: If a name is not in the catalogue.
        OSError: If a path cannot be read.
    """
    if is_path(game):
        with FilePath(game).open("rb") as file:
            return file.read(MAX_BYTES + 1), game, FilePath(game).stem
    if game not in catalogue():
        raise unknown_game(game)
    file_name = f"{game}.toml"
    return (CATALOGUE / file_name).read_bytes(), file_name, game


def unknown_game(game: str) -> UnknownGameError:
    """The error for a name that no game has, with the nearest name or title."""
    from cadogan.rules.index import every_title

    return UnknownGameError(game, nearest(game, every_title()))
