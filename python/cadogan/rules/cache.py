"""Compiled rules, cached in the user's cache folder.

Reading and checking a rules file takes far longer than reading the result from a cache, mostly
because of the libraries that must be imported. The key covers the bytes of the rules file, the
variants, and the sources of this package, so an entry is never stale. A missing, damaged or
read-only cache is ignored; it may be deleted at any time. ``CADOGAN_CACHE`` names another folder,
and disables the cache if it is empty.

Cache files cannot create anything but rulebooks: they are JSON, and a table in this module lists
the classes of a rulebook. So a person who can write to the cache can change rules, but not run
code.
"""

import base64
import contextlib
import functools
import hashlib
import json
import sys
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from cadogan.rules.files import is_path, resolve
from cadogan.rules.index import sources
from cadogan.storage import CATALOGUE, cache_place, replace_file

if TYPE_CHECKING:
    from cadogan.rules.rulebook.rulebook import Rulebook

_LARGEST: Final = 1 << 24


@dataclass(frozen=True, slots=True)
class Compiled:
    """The compiled rules of a game.

    Attributes:
        rulebook: The rulebook.
        program: The program for the kernel, serialized.
        digest: The digest of the program.
    """

    rulebook: "Rulebook"
    program: bytes
    digest: str


def compiled(name: str) -> Compiled:
    """Returns the rules of a game, from the cache if possible.

    Args:
        name: As for :func:`cadogan.rules.load_rules`, which also lists the exceptions.

    >>> compiled("golf").rulebook.name
    'Golf'
    """
    name = resolve(name)
    key = _key(name)
    found = None if key is None else _read(key)
    if found is None:
        from cadogan.rules.pipeline import load_rules

        rules = load_rules(name)
        found = Compiled(rules.rulebook, rules.program.to_bytes(), rules.digest)
        if key is not None:
            _write(key, found)
    return found


def _key(name: str) -> Path | None:
    """The cache file of a game; ``None`` if it cannot be cached."""
    place = cache_place()
    game, _, variants = name.partition(":")
    is_file = is_path(game)
    path = Path(game) if is_file else CATALOGUE / f"{game}.toml"
    if place is None or (is_file and ":" in name):
        return None  # A path may contain colons.
    try:
        with path.open("rb") as file:
            text = file.read(_LARGEST)  # The path may name an endless device.
        stamp = sources()
    except OSError:
        return None  # The pipeline reports what is wrong.
    key = repr((sys.version_info[:3], stamp, path.stem, variants)).encode()
    return place / "rules" / hashlib.sha256(key + b"\0" + text).hexdigest()


@functools.cache
def _classes() -> tuple[tuple[type[Any], tuple[str, ...]], ...]:
    """All classes of a rulebook, and their fields. Cache files refer to them by index."""
    from cadogan.rules.kinds import KINDS
    from cadogan.rules.rulebook import (
        asks,
        card_sets,
        condition,
        counter,
        group,
        neighbours,
        relations,
        rulebook,
        score,
        step,
        words,
    )

    found = (
        asks.Along, asks.Asks, asks.Total, asks.Uncovers, asks.Unit,
        card_sets.CardSet,
        condition.Condition,
        counter.ByCounter, counter.Chosen, counter.Counter, counter.Effect, counter.Turn,
        group.BuildOrder, group.Covering, group.Group, group.PileSet,
        neighbours.Beside, neighbours.Direction, neighbours.Neighbours,
        relations.Relation, relations.Term,
        rulebook.Rule, rulebook.Rulebook, rulebook.Variant,
        score.Score, score.ScoreTerm,
        step.Ending, step.GoesUp, step.Quantity, step.Runs, step.Step, step.Way,
        words.CardClass,
        *KINDS, *(value for kind in KINDS for value in kind.VALUES),
    )  # fmt: skip
    return tuple((each, tuple(field.name for field in fields(each))) for each in found)


_TUPLE: Final = -1
_SET: Final = -2
_MAP: Final = -3


def _flat(value: Any, places: dict[type[Any], tuple[int, tuple[str, ...]]]) -> Any:
    """A part of a rulebook as JSON data; a list is [class, *fields]."""
    kind = type(value)
    if value is None or kind in (str, int, float, bool):
        return value
    if kind is tuple:
        return [_TUPLE, *(_flat(each, places) for each in value)]
    if kind is frozenset:
        return [_SET, *(_flat(each, places) for each in sorted(value))]
    if kind is dict:
        pairs = (part for pair in value.items() for part in pair)
        return [_MAP, *(_flat(each, places) for each in pairs)]
    place, names = places[kind]
    return [place, *(_flat(getattr(value, name), places) for name in names)]


def _built(value: Any) -> Any:
    """Rebuilds a part of a rulebook."""
    if type(value) is not list:
        return value
    place = value[0]
    parts = [_built(each) if type(each) is list else each for each in value[1:]]
    if place == _TUPLE:
        return tuple(parts)
    if place == _SET:
        return frozenset(parts)
    if place == _MAP:
        return dict(zip(parts[::2], parts[1::2], strict=True))
    if place < 0:
        raise ValueError(f"{place} is not a part of a rulebook")
    made, names = _classes()[place]
    if len(parts) != len(names):
        raise ValueError(f"{made.__name__} has other fields")
    return made(*parts)


def _read(key: Path) -> Compiled | None:
    try:
        with key.open("rb") as file:
            data = file.read(_LARGEST)
        mark, data = data[:32], data[32:]
        if hashlib.sha256(data).digest() != mark:
            return None
        rules, program, digest = json.loads(data)
        rulebook = _built(rules)
        if type(rulebook).__name__ != "Rulebook" or type(digest) is not str:
            return None
        return Compiled(rulebook, base64.b64decode(program, validate=True), digest)
    except Exception:  # A file that is damaged in any way is rebuilt.
        return None


def _write(key: Path, found: Compiled) -> None:
    places = {kind: (place, names) for place, (kind, names) in enumerate(_classes())}
    program = base64.b64encode(found.program).decode()
    parts = _flat(found.rulebook, places), program, found.digest
    data = json.dumps(parts, separators=(",", ":")).encode()
    with contextlib.suppress(OSError):
        key.parent.mkdir(parents=True, exist_ok=True)
        _make_room(key.parent)
        content = hashlib.sha256(data).digest() + data
        replace_file(key, content, durable=False, private=True)


_MAX_ENTRIES: Final = 5000


def _make_room(place: Path) -> None:
    files = list(place.iterdir())
    if len(files) >= _MAX_ENTRIES:
        for file in files:
            file.unlink(missing_ok=True)
