"""Where Cadogan keeps files, and how it replaces them."""

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

CATALOGUE: Final = Path(__file__).parent / "catalogue"
"""Where the rules files of the catalogue are, and the search configurations beside them."""


def data_folder() -> Path:
    """The user's folder of Cadogan: ``CADOGAN_HOME``, or where the system stores such things."""
    return _folder("XDG_DATA_HOME", (".local", "share"), "")


def cache_folder() -> Path:
    """The user's folder for what can be computed again: ``CADOGAN_HOME/cache``, or the system's."""
    return _folder("XDG_CACHE_HOME", (".cache",), "cache")


def _folder(variable: str, usual: tuple[str, ...], within: str) -> Path:
    """A folder of the user.

    Args:
        variable: The variable of the environment that names it on Unix.
        usual: Where it is without that, from the home folder.
        within: The folder inside Cadogan's own, where one folder serves all purposes.

    Raises:
        RuntimeError: If the user has no home folder.
    """
    if home := os.environ.get("CADOGAN_HOME"):
        return Path(home) / within
    if base := os.environ.get(variable):
        return Path(base) / "cadogan"
    if sys.platform == "win32" and (local := os.environ.get("LOCALAPPDATA")):
        return Path(local) / "cadogan" / within
    return Path.home().joinpath(*usual, "cadogan")


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


@contextlib.contextmanager
def replacing(path: Path, *, durable: bool = True) -> Iterator[Path]:
    """Replaces a file as a whole: a crash at any moment leaves the old file or the new one.

    Args:
        path: The file. Its folder is made if there is none.
        durable: Whether the content must be on the disk in the end.

    Yields:
        A draft beside the file, to be written; it takes the place of the file in the end, and is
        removed after an error.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}-{os.urandom(4).hex()}")
    try:
        yield draft
        if durable:
            with draft.open("r+b") as file:
                os.fsync(file.fileno())
        draft.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)
        raise
    if durable:
        _sync_folder(path.parent)


def replace_file(
    path: Path, content: str | bytes, *, durable: bool = True, private: bool = False
) -> None:
    """Replaces the content of a file, see :func:`replacing`.

    Args:
        path: The file. Its folder is made if there is none.
        content: What is written; a text as UTF-8.
        durable: Whether the content must be on the disk when this returns.
        private: Whether the file and its folder are for nobody but the user.

    Raises:
        OSError: If it could not be written; the old file is still there.
    """
    if private:
        secure(path.parent)
    data = content.encode() if isinstance(content, str) else content
    opener = _private if private else None
    with replacing(path, durable=durable) as draft, open(draft, "xb", opener=opener) as file:
        file.write(data)


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
