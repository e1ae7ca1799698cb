"""Writes core rules as a well-formatted rules file."""

from collections.abc import Iterable
from typing import Any

from cadogan.rules.validate.schema import HEADER_KEYS, SCHEMA_LINE

WIDTH = 100


def write_core(core: dict[str, Any]) -> str:
    """Writes core rules as a rules file.

    Args:
        core: The rules, as :func:`cadogan.rules.expand.expand.expand` writes them.
    """
    return write_rules(
        core,
        (
            f"{core['name']}, expanded to core rules.",
            "Every rule moves cards; forced rules are carried out automatically, in file order.",
        ),
    )


def write_rules(core: dict[str, Any], heading: Iterable[str]) -> str:
    """Writes rules as a rules file.

    Args:
        core: The data of the file.
        heading: The lines of the comment that it begins with.
    """
    head = {
        key: core[key]
        for key in HEADER_KEYS
        if key in core and (key == "layout" or not _is_table(core[key]))
    }
    blocks = [
        "\n".join([SCHEMA_LINE, *(f"# {''.join(map(_printed, line))}" for line in heading)]),
        _pairs(head),
    ]
    for key, value in core.items():
        if key in ("rule", "layout", "variants") or not _is_table(value):
            continue
        if key == "counters":
            blocks += [_table(f"[counters.{counter}]", inner) for counter, inner in value.items()]
        else:
            blocks.append(_table(f"[{key}]", value))
    blocks += [_table("[[rule]]", rule) for rule in core.get("rule", ())]
    return "\n\n".join(block for block in blocks if block) + "\n"


def _is_table(value: Any) -> bool:
    return isinstance(value, dict) or (
        isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)
    )


def _table(header: str, table: dict[str, Any]) -> str:
    return f"{header}\n{_pairs(table)}".rstrip()


def _pairs(table: dict[str, Any]) -> str:
    keys = {key: _key(key) for key in table}
    width = max((len(key) for key in keys.values()), default=0)
    return "\n".join(f"{keys[key]:<{width}} = {_value(value)}" for key, value in table.items())


def _key(key: str) -> str:
    plain = key.isascii() and key.replace("-", "").replace("_", "").isalnum()
    return key if plain else _text(key)


def _value(value: Any) -> str:
    if isinstance(value, str) and "\n" in value:
        lines = value.split("\n")
        return '"""\n' + "\n".join(_escaped(line) for line in lines) + '"""'
    line = _inline(value)
    if isinstance(value, list) and value and len(line) > WIDTH - 10:
        entries = "".join(f"    {_inline(item)},\n" for item in value)
        return f"[\n{entries}]"
    return line


def _inline(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, list):
        return f"[{', '.join(_inline(item) for item in value)}]"
    pairs = ", ".join(f"{_key(key)} = {_inline(inner)}" for key, inner in value.items())
    return f"{{ {pairs} }}" if pairs else "{}"


def _text(text: str) -> str:
    return f'"{_escaped(text)}"'


def _escaped(text: str) -> str:
    return "".join(_ESCAPES.get(character) or _printed(character) for character in text)


_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def _printed(character: str) -> str:
    if character >= " " and character != "\x7f":
        return character
    return f"\\u{ord(character):04X}"
