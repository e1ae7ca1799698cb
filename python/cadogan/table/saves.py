"""Where games are kept: one file a game begun, never written over by another.

A file is replaced as a whole: the new text is on the disk before it takes the place of the old, so
that a crash at any moment leaves one of the two. Files that cannot be read are renamed, never
removed.
"""

import contextlib
import hashlib
import os
import re
import secrets
import sys
import time
from pathlib import Path
from typing import Final

ENDING: Final = ".json"
UNREADABLE: Final = ".unreadable"


def data_folder() -> Path:
    """The user's folder of Cadogan: ``CADOGAN_HOME``, or where the system keeps such things."""
    if home := os.environ.get("CADOGAN_HOME"):
        return Path(home)
    if share := os.environ.get("XDG_DATA_HOME"):
        return Path(share) / "cadogan"
    if sys.platform == "win32" and (local := os.environ.get("LOCALAPPDATA")):
        return Path(local) / "cadogan"
    return Path.home() / ".local" / "share" / "cadogan"


def secure(folder: Path) -> None:
    """Makes a folder, or closes one that is there, to everybody but its owner.

    Raises:
        OSError: If it cannot be made.
    """
    for missing in [each for each in folder.parents if not each.exists()][::-1]:
        missing.mkdir(mode=0o700, exist_ok=True)
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.stat().st_mode & 0o077:
        # A folder that belongs to somebody else stays as that person wants it.
        with contextlib.suppress(PermissionError):
            folder.chmod(0o700)


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


def write(path: Path, text: str) -> None:
    """Replaces a file as a whole; when this returns, the text is on the disk.

    Raises:
        OSError: If it could not be written; the old text is still there.
    """
    secure(path.parent)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with open(draft, "w", encoding="utf-8", opener=_private) as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _sync_folder(folder: Path) -> None:
    """Makes a change of name lasting, where the system can be asked for it."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
