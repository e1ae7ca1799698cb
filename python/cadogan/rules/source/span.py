"""Places in a TOML text.

`tomllib` gives the meaning of a file without places; `tree-sitter` gives places without the
meaning. `Places` walks the syntax tree once and gives each path of the data its place. So a fault
that is found late, for example in a phrase of a rule, can still point at what the author wrote.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

__all__ = ["Path", "Places", "Span"]

Path = tuple[str | int, ...]
"""Keys and indices that lead to a value: `("rule", 2, "from")`."""

Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of one line.

    Examples:
        >>> Span(line=17, column=1, end=6)
        Span(line=17, column=1, end=6)
    """

    line: int
    """Number of the line, from 1."""
    column: int
    """First character, from 1; characters are counted, not bytes."""
    end: int
    """First character after the stretch; equal to `column` for a point between characters."""


class Places:
    r"""The place of every key and value of a text, as character offsets.

    The text need not be valid: only the recognised parts have a place.

    Examples:
        >>> text = '[garden]\nbuild = "down"'
        >>> places = Places(text)
        >>> start, end = places.values["garden", "build"]
        >>> text[start:end]
        '"down"'
        >>> start, end = places.keys["garden",]
        >>> text[start:end]
        'garden'
    """

    keys: dict[Path, Range]
    """The key as written, with its quotes; for an array element, the element."""
    values: dict[Path, Range]
    """The value as written; for a table with a header, the header with its brackets."""
    repeats: dict[int, Path]
    """Keys that TOML forbids because they repeat a path: offset of the key -> path."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._written: dict[Path, list[Range]] = {}
        self.keys = {}
        self.values = {}
        self.repeats = {}
        self._bytes = text.encode()
        # Tree-sitter counts bytes; this list turns them into characters.
        self._offsets = (
            range(len(text) + 1)
            if text.isascii()
            else [0, *accumulate(byte & 0xC0 != 0x80 for byte in self._bytes)]
        )
        # Whether a path may be repeated depends on how it was created.
        self._given: set[Path] = set()
        self._leaves: set[Path] = set()
        self._dotted: set[Path] = set()
        self._newest: dict[Path, int] = {}
        self._document(_parser().parse(self._bytes).root_node)

    def written(self, path: Path) -> list[Range]:
        """The place of each character of a text, after escapes; and the end of the text."""
        if path in self._written:
            return self._written[path]
        start, end = self.values[path]
        quote = self._text[start]
        width = 3 if self._text.startswith(quote * 3, start) and end - start >= 6 else 1
        start, end = start + width, end - width
        if width == 3 and self._text.startswith("\n", start):
            start += 1
        pattern = _ESCAPED if quote == '"' else _PLAIN
        matches = pattern.finditer(self._text, start, end)
        spans = [each.span() for each in matches if each.lastgroup != "joint"]
        self._written[path] = [*spans, (end, end)]
        return self._written[path]

    def _document(self, root: Node) -> None:
        for node in root.named_children:
            match node.type:
                case "pair":
                    self._pair(node, ())
                case "table" | "table_array_element":
                    self._table(node)

    def _table(self, node: Node) -> None:
        array = node.type == "table_array_element"
        key = next((child for child in node.named_children if child.type in _KEYS), None)
        bracket = next((child for child in node.children if child.type in ("]", "]]")), None)
        if key is None or bracket is None:
            return
        header = (self._offsets[node.start_byte], self._offsets[bracket.end_byte])
        parts = list(self._parts(key))
        path: Path = ()
        for name, place in parts[:-1]:
            path += (name,)
            if path in self._leaves:
                self.repeats[place[0]] = path
            self.keys.setdefault(path, place)
            self.values.setdefault(path, header)
            if path in self._newest:
                path += (self._newest[path],)
        name, place = parts[-1]
        path += (name,)
        if path in self._newest and array:
            self._newest[path] += 1
        elif path in self._newest or path in self._given or path in self._dotted:
            self.repeats[place[0]] = path
        else:
            # An explicit header is a better place than the `[a.b]` that created `a`.
            self._given.add(path)
            self.keys[path], self.values[path] = place, header
            if array:
                self._newest[path] = 0
        if path in self._newest:
            path += (self._newest[path],)
            self.keys[path] = self.values[path] = header
        for child in node.named_children:
            if child.type == "pair":
                self._pair(child, path)

    def _pair(self, node: Node, path: Path) -> None:
        children = [child for child in node.named_children if child.type != "comment"]
        if len(children) < 2 or children[0].type not in _KEYS:
            return
        parts = list(self._parts(children[0]))
        for name, place in parts[:-1]:
            path += (name,)
            if path in self._given:
                self.repeats[place[0]] = path
            self._dotted.add(path)
            self.keys.setdefault(path, place)
            self.values.setdefault(path, self._range(node))
        name, place = parts[-1]
        path += (name,)
        if path in self.keys:
            self.repeats[place[0]] = path
            return
        self._given.add(path)
        self._leaves.add(path)
        self.keys[path] = place
        self._value(children[-1], path)

    def _value(self, node: Node, path: Path) -> None:
        self.values[path] = self._range(node)
        if node.type == "array":
            elements = (child for child in node.named_children if child.type != "comment")
            for index, child in enumerate(elements):
                self.keys[*path, index] = self._range(child)
                self._value(child, (*path, index))
        elif node.type == "inline_table":
            for child in node.named_children:
                if child.type == "pair":
                    self._pair(child, path)

    def _parts(self, key: Node) -> Iterator[tuple[str, Range]]:
        if key.type == "dotted_key":
            for child in key.named_children:
                yield from self._parts(child)
        else:
            name = self._bytes[key.start_byte : key.end_byte].decode()
            if key.type == "quoted_key":
                try:
                    name = tomllib.loads(f"key = {name}")["key"]
                except tomllib.TOMLDecodeError:
                    name = name[1:-1]
            yield name, self._range(key)

    def _range(self, node: Node) -> Range:
        return self._offsets[node.start_byte], self._offsets[node.end_byte]


# A backslash at the end of a line joins it to the next one and is not a character.
_ESCAPED = re.compile(r"(?P<joint>\\[ \t]*\n[ \t\n]*)|\\u.{4}|\\U.{8}|\\.|.", re.DOTALL)
_PLAIN = re.compile(r".", re.DOTALL)

_KEYS = frozenset({"bare_key", "quoted_key", "dotted_key"})


@cache
def _parser() -> Parser:
    # Imported here because files without faults do not need it.
    import tree_sitter_toml
    from tree_sitter import Language, Parser

    return Parser(Language(tree_sitter_toml.language()))
