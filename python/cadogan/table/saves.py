"""The user's folder, and files in it that are replaced as a whole.

The new text is on the disk before it takes the place of the old, so that a crash at any moment
leaves one of the two.
"""

import contextlib
import os
import sys
from pathlib import Path


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
