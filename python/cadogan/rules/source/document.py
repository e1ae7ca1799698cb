"""A rules file as data, with the place of everything in its text."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from itertools import accumulate
from typing import Any

from cadogan.rules.source.span import Path, Places, Span


class Document:
    r"""The content of a rules file, and its places.

    Examples:
        >>> from cadogan.rules.read.read import read_document
        >>> document = read_document('[garden]\nbuild = "down in suit"', "example.toml")
        >>> document.data
        {'garden': {'build': 'down in suit'}}
        >>> document.key_span(("garden", "build"))
        Span(line=2, column=1, end=6)
        >>> document.value_span(("garden", "build"))
        Span(line=2, column=9, end=23)
        >>> document.line(2)
        'build = "down in suit"'
    """

    name: str
    """The name of the file in messages."""
    text: str
    """The text without its byte order mark, with line ends as `\\n`."""
    data: dict[str, Any]
    """The data from `tomllib`; empty if the text could not be parsed."""
    size: int
    """The number of keys and array elements."""

    def __init__(self, name: str, text: str, data: dict[str, Any]) -> None:
        self.name = name
        self.text = text
        self.data = data
        self.size = 0

    def __repr__(self) -> str:
        return f"<Document {self.name!r}>"

    def key_span(self, path: Path) -> Span:
        """Finds the key of a path.

        It is the key as written, with its quotes; for an array element the element, or its
        `[[header]]`. A path that is not in the file has the place of its nearest ancestor, and the
        empty path that of the beginning of the file.
        """
        return self._span(path, keys=True)

    def value_span(self, path: Path) -> Span:
        """Finds the value of a path; only the first line of a value with several lines.

        A table has the place of its header, including the brackets; if it has none, that of the
        longer header or dotted key that creates it. For paths that are not in the file see
        `key_span`.
        """
        return self._span(path, keys=False)

    def part_span(self, path: Path, start: int, end: int) -> Span:
        """Finds a part of a text; the whole value if it is not a text.

        Args:
            path: The path of the text.
            start: The first character of the part, counted in the text in `data`.
            end: The first character after the part.
        """
        value = self._text_at(path)
        if value is None:
            return self.value_span(path)
        written = self._places.written(path)
        start = min(max(start, 0), len(value))
        end = min(max(end, start), len(value))
        first = written[start][0]
        return self.span_at(first, written[end - 1][1] if end > start else first)

    def part(self, path: Path, start: int, end: int) -> str | None:
        """A part of a text; ``None`` if it is not a text of the file."""
        value = self._text_at(path)
        return None if value is None else value[start:end]

    def word_span(self, path: Path, word: str) -> Span:
        """Finds a word or phrase in a text, ignoring white space; else the whole value.

        Examples:
            >>> from cadogan.rules.read.read import read_document
            >>> document = read_document('from = "upper-row and  upper"', "example.toml")
            >>> document.word_span(("from",), "and upper")
            Span(line=1, column=19, end=29)
        """
        if path and isinstance(path[-1], int) and self._text_at(path[:-1]) is not None:
            # The text is the whole of what others write as a list.
            path = path[:-1]
        value = self._text_at(path)
        gaps = r"\s+".join(re.escape(part) for part in word.split())
        match = (
            re.search(rf"(?<![\w-]){gaps}(?![\w-])", value, re.IGNORECASE)
            if value and gaps
            else None
        )
        return self.part_span(path, *match.span()) if match else self.value_span(path)

    def line(self, number: int) -> str:
        """A line of the text, counted from 1, without its end; empty if there is none."""
        return self._lines[number - 1] if 0 < number <= len(self._lines) else ""

    def span_at(self, start: int, end: int) -> Span:
        """Turns offsets in `text` into a span, clipped to the line on which it starts."""
        index = bisect_right(self._starts, start) - 1
        line_start = self._starts[index]
        line_end = line_start + len(self._lines[index])
        return Span(
            index + 1, start - line_start + 1, max(start, min(end, line_end)) - line_start + 1
        )

    def offset(self, line: int, column: int) -> int:
        """Turns a line and a column, both counted from 1, into an offset in `text`."""
        return self._starts[line - 1] + column - 1

    def _text_at(self, path: Path) -> str | None:
        value: Any = self.data
        for step in path:
            try:
                value = value[step]
            except (KeyError, IndexError, TypeError):
                return None
        return value if isinstance(value, str) and path in self._places.values else None

    def _span(self, path: Path, *, keys: bool) -> Span:
        table = self._places.keys if keys else self._places.values
        while path and path not in table:
            path = path[:-1]
        return self.span_at(*table[path]) if path else Span(1, 1, 1)

    @cached_property
    def _lines(self) -> list[str]:
        # Not splitlines: TOML has one line end, Unicode eight.
        return self.text.split("\n")

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *accumulate(len(line) + 1 for line in self._lines[:-1])]

    @cached_property
    def _places(self) -> Places:
        return Places(self.text)
