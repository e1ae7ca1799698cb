"""Folders in which Cadogan stores files, and atomic replacement of files."""

import contextlib
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Final

CATALOGUE: Final = Path(__file__).parent / "catalogue"
"""The folder of the catalogue: rules files and search configurations."""


def data_folder() -> Path:
    """The user's data folder: ``CADOGAN_HOME``, or the usual place of the system."""
    return _folder("XDG_DATA_HOME", (".local", "share"), "")


def cache_folder() -> Path:
    """The user's cache folder: ``CADOGAN_HOME/cache``, or the usual place of the system."""
    return _folder("XDG_CACHE_HOME", (".cache",), "cache")


def cache_place() -> Path | None:
    """The folder that ``CADOGAN_CACHE`` names, or the user's; ``None`` if the cache is disabled."""
    named = os.environ.get("CADOGAN_CACHE")
    if named is not None:
        return Path(named) if named else None
    try:
        return cache_folder()
    except RuntimeError:
        return None


def stamp_of(paths: Iterable[Path]) -> list[Any]:
    """What changes when one of some files does: their names, times and sizes."""
    return [[path.name, (status := path.stat()).st_mtime_ns, status.st_size] for path in paths]


def cached(name: str, stamp: list[Any], make: Callable[[], Any]) -> Any:
    """Returns JSON data from the user's cache, or makes it and stores it there.

    A missing, damaged or read-only cache costs only time.

    Args:
        name: The name of the file in the cache.
        stamp: What the data was made of, as JSON data. Other data is not used.
        make: Makes the data.
    """
    place = cache_place()
    path = None if place is None else place / name
    if path is not None:
        with contextlib.suppress(OSError, ValueError, LookupError, TypeError):
            found = json.loads(path.read_text(encoding="utf-8"))
            if found["stamp"] == stamp:
                return found["data"]
    data = make()
    if path is not None:
        with contextlib.suppress(OSError):
            text = json.dumps({"stamp": stamp, "data": data}, separators=(",", ":"))
            replace_file(path, text, durable=False, private=True)
    return data


def _folder(variable: str, usual: tuple[str, ...], within: str) -> Path:
    """A folder of the user.

    Args:
        variable: The environment variable that names it on Unix.
        usual: The default below the home folder.
        within: The subfolder of Cadogan's own folder, where one folder serves all purposes.

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
    """Creates a folder if necessary, and restricts access to its owner.

    Raises:
        OSError: If it cannot be created.
    """
    for missing in [each for each in folder.parents if not each.exists()][::-1]:
        missing.mkdir(mode=0o700, exist_ok=True)
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.stat().st_mode & 0o077:
        # Do not change a folder that belongs to somebody else.
        with contextlib.suppress(PermissionError):
            folder.chmod(0o700)


@contextlib.contextmanager
def replacing(path: Path, *, durable: bool = True) -> Iterator[Path]:
    """Replaces a file as a whole: a crash at any moment leaves the old file or the new one.

    Args:
        path: The file. Its folder is created if necessary.
        durable: Whether the content must be on disk at the end.

    Yields:
        A temporary file in the same folder. Write to it; it replaces the file at the end and is
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
    """Replaces the content of a file, as by :func:`replacing`.

    Args:
        path: The file. Its folder is created if necessary.
        content: The new content; a string is written as UTF-8.
        durable: Whether the content must be on disk when this returns.
        private: Whether only the user may access the file and its folder.

    Raises:
        OSError: If the file cannot be written; the old file remains.
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
    """Flushes a rename to disk, where the system supports it."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
