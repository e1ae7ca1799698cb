"""Compiled rules, cached in the user's cache folder.

Reading and checking a rules file takes far longer than looking up the result, most of it for the
libraries that it needs. The key is made of the bytes of the rules file, the variants, and the state
of this package's own sources, so nothing stale is ever used. A missing, damaged or read-only cache
is ignored; it may be removed at any time. ``CADOGAN_NO_CACHE=1`` switches it off.
"""

import contextlib
import hashlib
import io
import os
import pickle
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from cadogan.storage import CATALOGUE, cache_folder, replace_file

if TYPE_CHECKING:
    from cadogan.rules.rulebook.rulebook import Rulebook

_RULES: Final = Path(__file__).parent
_LARGEST: Final = 1 << 24
_TRUSTED: Final = tuple(
    f"cadogan.rules.rulebook.{module}" for module in ("rulebook", "relations", "words")
)


@dataclass(frozen=True, slots=True)
class Compiled:
    """What a game needs of its rules.

    Attributes:
        rulebook: The rulebook.
        program: The program for the kernel, written.
        digest: Names the program.
    """

    rulebook: "Rulebook"
    program: bytes
    digest: str


def compiled(name: str) -> Compiled:
    """The rules of a game, from the cache if they are there.

    Args:
        name: As for :func:`cadogan.rules.load_rules`, which also tells what is raised.

    >>> compiled("golf").rulebook.name
    'Golf'
    """
    key = _key(name)
    found = None if key is None else _read(key)
    if found is None:
        from cadogan.rules.pipeline import load_rules

        rules = load_rules(name)
        found = Compiled(rules.rulebook, rules.program.to_bytes(), rules.digest)
        if key is not None:
            _write(key, found)
    return found


def _folder() -> Path | None:
    """The user's cache folder; ``None`` if nothing is to be cached."""
    if os.environ.get("CADOGAN_NO_CACHE"):
        return None
    try:
        return cache_folder()
    except RuntimeError:
        return None


def _key(name: str) -> Path | None:
    """The file for the rules of a game; ``None`` if they cannot be kept."""
    place = _folder()
    game, _, variants = name.partition(":")
    is_file = game.endswith(".toml") or "/" in game or "\\" in game
    path = Path(game) if is_file else CATALOGUE / f"{game}.toml"
    if place is None or (is_file and ":" in name):
        return None  # A path may have colons of its own.
    try:
        text = path.read_bytes()
        sources = sorted(
            (file.relative_to(_RULES).as_posix(), file.stat()) for file in _RULES.rglob("*.py")
        )
    except OSError:
        return None  # Whoever reads the rules tells what is wrong.
    stamp = [(file, status.st_mtime_ns, status.st_size) for file, status in sources]
    told = repr((sys.version_info[:3], stamp, path.stem, variants)).encode()
    return place / "rules" / hashlib.sha256(told + b"\0" + text).hexdigest()


class _Reader(pickle.Unpickler):
    """Makes rulebooks and nothing else."""

    def find_class(self, module: str, name: str) -> Any:
        if module not in _TRUSTED or "." in name:
            raise pickle.UnpicklingError(f"{module}.{name} is no part of a rulebook")
        return super().find_class(module, name)


def _read(key: Path) -> Compiled | None:
    try:
        with key.open("rb") as file:
            data = file.read(_LARGEST)
        mark, data = data[:32], data[32:]
        if hashlib.sha256(data).digest() != mark:
            return None
        rulebook, program, digest = _Reader(io.BytesIO(data)).load()
        return Compiled(rulebook, program, digest)
    except Exception:  # What is damaged in whatever way is made anew.
        return None


def _write(key: Path, found: Compiled) -> None:
    data = pickle.dumps((found.rulebook, found.program, found.digest), protocol=5)
    with contextlib.suppress(OSError):
        key.parent.mkdir(parents=True, exist_ok=True)
        _make_room(key.parent)
        content = hashlib.sha256(data).digest() + data
        replace_file(key, content, durable=False)


_MAX_ENTRIES: Final = 500


def _make_room(place: Path) -> None:
    files = list(place.iterdir())
    if len(files) >= _MAX_ENTRIES:
        for file in files:
            file.unlink(missing_ok=True)
