"""What an editor offers while a rules file is written: the schema, and the phrases that games use.

The schema has the keys, and the values where there are few. Phrases are the language of the
catalogue: what its games say most often comes first. So there is no second list of either.
"""

import functools
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from cadogan.rules.files import catalogue
from cadogan.rules.validate.schema import group_names, schema
from cadogan.storage import CATALOGUE

LEAST_GAMES: Final = 2
"""A phrase that fewer games use says too little to anybody else."""
MOST_PHRASES: Final = 40
_OTHER: Final = frozenset(
    {"name", "names", "aliases", "kin", "source", "history", "remarks", "why", "picture", "mark"}
)
"""Keys whose values are titles and sentences."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What an editor can offer.

    Attributes:
        schema: The JSON Schema of a rules file.
        groups: Names of groups of piles, the most frequent first.
        phrases: By key, the phrases that are its value, the most frequent first.
        piles: The keys whose value can be the name of a group.
    """

    schema: dict[str, Any]
    groups: tuple[str, ...]
    phrases: dict[str, tuple[str, ...]]
    piles: tuple[str, ...]


@functools.cache
def vocabulary() -> Vocabulary:
    """What an editor can offer.

    >>> vocabulary().phrases["space"][0]
    'any card'
    >>> "refill" in vocabulary().piles, "build" in vocabulary().piles
    (True, False)
    """
    groups: Counter[str] = Counter()
    phrases: defaultdict[str, Counter[str]] = defaultdict(Counter)
    piles: Counter[str] = Counter()
    for name in catalogue():
        data = tomllib.loads((CATALOGUE / f"{name}.toml").read_text(encoding="utf-8"))
        own = group_names(data)
        groups.update(own)
        for key, phrase in set(_phrases(data)):
            if phrase in own:
                piles[key] += 1
            else:
                phrases[key][phrase] += 1
    return Vocabulary(
        schema(),
        _frequent(groups),
        {key: found for key in sorted(phrases) if (found := _frequent(phrases[key]))},
        tuple(sorted(key for key, games in piles.items() if games >= LEAST_GAMES)),
    )


def _phrases(data: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """All phrases of a file, each with its key."""
    for key, value in data.items():
        if key in _OTHER:
            continue
        for part in value if isinstance(value, list) else [value]:
            if isinstance(part, dict):
                yield from _phrases(part)
            elif isinstance(part, str):
                yield key, part


def _frequent(counts: Counter[str]) -> tuple[str, ...]:
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return tuple(text for text, games in ranked if games >= LEAST_GAMES)[:MOST_PHRASES]
