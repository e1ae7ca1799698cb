"""A program's tables as plain objects. All names of the program's format are in this file."""

import copy
from types import SimpleNamespace
from typing import Any, Final

FORMAT: Final = 2
"""The version of the program's format that this file can read."""

# What a field of the program is called here, where the names differ.
_NAMES: Final[dict[str, str]] = {
    "class": "exchange_class",
    "from": "source",
    "with": "with_",
}
# Fields that programs leave out if nothing is asked.
_DEFAULTS: Final[dict[str, dict[str, Any]]] = {
    "build_orders": {
        "ways": [],
        "one_way": False,
        "own_base": False,
        "waits": False,
        "by_first": False,
    },
    "asks": {
        **dict.fromkeys(
            ("which", "space", "from", "to", "onto", "uncovers", "longest", "total"), None
        ),
        **dict.fromkeys(("begun", "takes", "ranks_in"), ()),
        **dict.fromkeys(("last_filled", "emptiest", "drops"), False),
    },
    "together": {"least": 0},
    "uncovers": {
        **dict.fromkeys(("nothing", "hidden", "whole_run"), False),
        **dict.fromkeys(("cards", "wanted_by"), 0),
    },
}
# Fields that hold a set of cards or of piles, or a list of such sets, as hexadecimal numbers.
_MASKS: Final = {
    *(
        "along",
        "backing",
        "cards",
        "deep",
        "edge",
        "exchange",
        "first",
        "from",
        "open_when",
        "partners",
    ),
    *("piles", "ranks_in", "relations", "space", "takes", "than", "turn_up", "until", "wants"),
    *("wanted_by", "ways", "which", "wild", "yields_to"),
}


def read_tables(data: dict[str, Any]) -> SimpleNamespace:
    """The tables of a program, with numbers for sets and our names for fields.

    >>> read_tables({"format": 2, "from": 3, "cards": "f"})
    namespace(format=2, source=3, cards=15)
    """
    if data.get("format") != FORMAT:
        raise ValueError(f"the program has format {data.get('format')}, not {FORMAT}")
    tables = _read(data)
    assert isinstance(tables, SimpleNamespace)
    return tables


def _read(value: Any, name: str = "") -> Any:
    if isinstance(value, dict):
        value = _DEFAULTS.get(name, {}) | value
        if value.get("kind") == "move":
            value = {"asks": {}} | value
        elif value.get("kind") == "swap":
            value = {"belong": False, "sides": []} | value
        elif value.get("kind") == "ordered":
            value = {"gaps": False, "first": None} | value
        elif value.get("kind") == "joint":
            value = {"in_turn": False} | value
        fields: dict[str, Any] = {
            str(_NAMES.get(key, key)): _read(field, key) for key, field in value.items()
        }
        return SimpleNamespace(**fields)
    if isinstance(value, list):
        return [_read(item, name) for item in value]
    return int(value, 16) if name in _MASKS and isinstance(value, str) else value


def with_classes(data: dict[str, Any], classes: list[int]) -> dict[str, Any]:
    """A program whose piles have other classes of exchange."""
    changed = copy.deepcopy(data)
    for pile, number in zip(changed["piles"], classes, strict=True):
        pile["class"] = number
    return changed


def with_suit_relations(data: dict[str, Any], rows: dict[int, list[int]]) -> dict[str, Any]:
    """A program whose build orders have other relations.

    Args:
        data: The program.
        rows: By build order: for each card the set of cards that may follow it.
    """
    changed = copy.deepcopy(data)
    for order, row in rows.items():
        changed["build_orders"][order]["relation"] = len(changed["relations"])
        changed["relations"].append([f"{mask:x}" for mask in row])
    return changed


def with_cards(data: dict[str, Any], merged: list[int]) -> dict[str, Any]:
    """A program in whose pack some cards count as others.

    Args:
        data: The program.
        merged: For each card: the card as which it counts.
    """
    changed = copy.deepcopy(data)
    changed["deck"] = sorted(merged[card] for card in data["deck"])
    for preset in changed["preset"]:
        preset["card"] = merged[preset["card"]]
    return changed
