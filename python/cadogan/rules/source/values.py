"""Values that may be one phrase or a list of phrases."""

from typing import Any

from cadogan.rules.source.span import Path


def listed(value: Any) -> list[Any]:
    """Returns such a value as a list.

    >>> listed("a"), listed(["a", "b"]), listed(None)
    (['a'], ['a', 'b'], [])
    """
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


def paths(value: Any, path: Path) -> list[tuple[str, Path]]:
    """Returns the phrases of such a value, each with its path."""
    if isinstance(value, list):
        return [(phrase, (*path, index)) for index, phrase in enumerate(value)]
    return [(phrase, path) for phrase in listed(value)]
