"""Documents as the text of a rules file, sound or damaged."""

import json
import random
from typing import Any

from tests.attacks.vocabulary import Table


def toml(value: Any) -> str:
    """A value as TOML on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(key)} = {toml(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    if value is None:
        return "nothing"
    return json.dumps(value, ensure_ascii=False)


def _key(key: str) -> str:
    return key if key.replace("-", "").replace("_", "").isalnum() else json.dumps(key)


def written(document: Table) -> str:
    """A document as text, a line for each table and for each rule."""
    lines = [f"{_key(k)} = {toml(v)}" for k, v in document.items() if not isinstance(v, dict)]
    for key, value in document.items():
        if isinstance(value, dict):
            lines.append(f"[{_key(key)}]")
            lines += [f"{_key(inner)} = {toml(item)}" for inner, item in value.items()]
    return "\n".join(lines)


def damaged(text: str, chance: random.Random) -> str:
    """A text with slips of the hand."""
    for _ in range(chance.randint(1, 3)):
        lines = text.split("\n")
        at = chance.randrange(len(lines))
        kind = chance.randrange(7)
        if kind == 0:
            del lines[at]
        elif kind == 1:
            lines.insert(at, lines[chance.randrange(len(lines))])
        elif kind == 2:
            lines[at] = lines[at].replace(chance.choice('"=[]{},. '), "", 1)
        elif kind == 3:
            place = chance.randint(0, len(lines[at]))
            odd = chance.choice(('"', "[", "]]", "{", "=", "#", ".", "\x00", "\ud800", "'''", "é"))
            lines[at] = lines[at][:place] + odd + lines[at][place:]
        elif kind == 4:
            words = lines[at].split(" ")
            chance.shuffle(words)
            lines[at] = " ".join(words)
        elif kind == 5:
            lines = lines[: at + 1]
        else:
            lines[at] = lines[at] * chance.choice((2, 3, 50))
        text = "\n".join(lines) or "x"
    return text
