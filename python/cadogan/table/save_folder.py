"""Where games are kept: one file a game begun, never written over by another.

Files that cannot be read are renamed, never removed.
"""

import contextlib
import hashlib
import re
import secrets
import time
from pathlib import Path
from typing import Final

from cadogan.storage import data_folder, secure

ENDING: Final = ".json"
UNREADABLE: Final = ".unreadable"


class Saves:
    """The games kept in a folder.

    Args:
        folder: The folder; by default the user's.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.home = data_folder() if folder is None else folder
        self.folder = self.home / "games"

    def begin(self, game: str) -> Path:
        """A file for a game that begins; nothing is written yet."""
        with contextlib.suppress(OSError):  # whoever writes the file says what is wrong
            secure(self.home)
            secure(self.folder)
        now = time.strftime("%Y%m%d-%H%M%S")
        return self.folder / file_name(game) / f"{now}-{secrets.token_hex(3)}{ENDING}"

    def latest(self, game: str | None = None) -> list[Path]:
        """The files of a game, or of all games, the one written last first."""
        folder = "*" if game is None else file_name(game)
        found = [
            (path.stat().st_mtime_ns, path) for path in self.folder.glob(f"{folder}/*{ENDING}")
        ]
        return [path for _, path in sorted(found, reverse=True)]

    def set_aside(self, path: Path) -> Path:
        """Renames a file that cannot be read, so that it is neither read again nor written over."""
        aside = path.with_name(path.name + UNREADABLE)
        number = 1
        while aside.exists():
            number += 1
            aside = path.with_name(f"{path.name}{UNREADABLE}-{number}")
        path.rename(aside)
        return aside


def file_name(game: str) -> str:
    """A name for files of a game: its own, or one made of the path of its rules file.

    >>> file_name("amazons:left-to-right+queens-free")
    'amazons_left-to-right_queens-free'
    """
    plain = re.sub(r"[^\w-]+", "_", game)
    if re.fullmatch(r"[a-z0-9:+-]+", game):
        return plain
    mark = hashlib.sha256(game.encode("utf-8", "surrogateescape")).hexdigest()[:8]
    return f"{plain[-40:].strip('_')}-{mark}"
