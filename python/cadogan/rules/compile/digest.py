"""The digest of a program: a hash of what the tables say, whatever their keys are called.

Saved games, tables, verdicts and the results of studies name their rules by this digest. Format 2
of the program renamed keys and changed nothing else. So the digest is still computed from the names
of format 1, and everything that was stored with them stays valid.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Final

_FORMER_NAMES: Final[Mapping[str, str]] = {
    "along": "targets",
    "at": "to_end",
    "build": "onto",
    "build_order": "ladder",
    "build_orders": "ladders",
    "effects": "then",
    "end": "from_end",
    "exchange": "piles",
    "from_holds": "from_size",
    "holds": "size",
    "laid_one_by_one": "reverse",
    "least": "min",
    "most": "max",
    "of": "pile",
    "one_suit_each": "apart",
    "source_pile": "source",
    "space": "vacant",
    "to_holds": "to_size",
    "together": "parts",
    "turn_up": "piles",
    "turned": "reverse",
    "until": "until_filled",
    "which": "lead",
}
"""The names of keys in format 1, where they were different."""


def digest(program: Mapping[str, Any]) -> str:
    """Hashes a program.

    Args:
        program: Its tables, as JSON data.

    Returns:
        64 hexadecimal digits: the SHA-256 of the canonical JSON of the tables in format 1.
    """
    former = {**_former(program), "format": 1}
    return hashlib.sha256(canonical(former)).hexdigest()


def canonical(data: Mapping[str, Any]) -> bytes:
    """Writes data as canonical JSON in UTF-8: sorted keys, no spaces."""
    return json.dumps(data, sort_keys=True, separators=(",", ":")).encode()


def _former(value: Any, where: str = "") -> Any:
    """A part of a program with the names of format 1.

    Args:
        value: The part.
        where: The key that it belongs to.
    """
    if isinstance(value, Mapping):
        named = {_former_name(key, where): _former(inner, key) for key, inner in value.items()}
        if len(named) < len(value):
            raise ValueError(f"two keys of {where!r} have the same name in format 1")
        if where == "effects" and named["kind"] == "count":
            named["kind"] = "add-cards"
        return named
    if isinstance(value, list):
        # Most tables are lists of numbers or of masks, which have no names.
        return [_former(each, where) for each in value] if _has_names(value) else value
    return value


def _former_name(key: str, where: str) -> str:
    if where == "ways" and key == "to":
        return "vacant"
    return _FORMER_NAMES.get(key, key)


def _has_names(values: list[Any]) -> bool:
    return bool(values) and isinstance(values[0], dict)
