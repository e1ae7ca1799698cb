"""The first stage of a rules file: from text to data with a place for everything.

`read_document` takes the text of a stranger. It answers with a `Document` whose data is small and
shallow enough for every later stage to walk without a thought, or with a `RulesError` that tells
all faults of the text. It knows nothing of games: what the keys mean is checked later.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from itertools import accumulate
from typing import Any

from cadogan.rules.report import Report, RulesError
from cadogan.rules.span import Path, Places, Span
from cadogan.rules.syntax import TOKEN, parse
from cadogan.told import told

__all__ = ["Document", "Path", "Span", "read_document"]

MAX_BYTES = 64 * 1024
"""The longest file of the catalogue is some 6 KiB; every step of reading is linear in this."""

MAX_NESTING = 8
"""`variants.a.rule.2.cards` is five deep. `tomllib` recurses per level, and walks a dotted key in
time quadratic in its parts, so this is enforced before it sees the text."""

MAX_VALUES = 4_000
"""Keys and array elements; a file that spells out two packs card by card has about 200."""

MAX_TEXT = 8_000
"""Characters of one text; a picture of a table is about 1,000."""

MAX_WORD = 200
"""Characters of a bare key or number. Python refuses to read or print integers of more than 4,300
digits; none may get into the data and fail there in a message."""


class Document:
    r"""What is written in a rules file, and where.

    Examples:
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
    """What messages call the file."""
    text: str
    """The text without its byte order mark, with line ends as `\\n`."""
    data: dict[str, Any]
    """What `tomllib` makes of the text; empty if it could not be read."""
    size: int
    """How many keys and array elements there are."""

    def __init__(self, name: str, text: str, data: dict[str, Any]) -> None:
        self.name = name
        self.text = text
        self.data = data
        self.size = 0

    def __repr__(self) -> str:
        return f"<Document {self.name!r}>"

    def key_span(self, path: Path) -> Span:
        """Finds the key of a path.

        That is the key as written, with its quotes; for an array element the element, or its
        `[[header]]`. A path that is not in the file has the place of its nearest ancestor, the
        empty path that of the beginning of the file.
        """
        return self._span(path, keys=True)

    def value_span(self, path: Path) -> Span:
        """Finds the value of a path; of a value of many lines, its first line.

        A table is where its header is, brackets included; one that exists only because of a longer
        header or a dotted key is where that is. For a path that is not in the file see `key_span`.
        """
        return self._span(path, keys=False)

    def part_span(self, path: Path, start: int, end: int) -> Span:
        """Finds a part of a text; whatever is no text is taken whole.

        Args:
            path: The text.
            start: First character of the part, counted in the text as `data` has it.
            end: First character after the part.
        """
        value = self._text_at(path)
        if value is None:
            return self.value_span(path)
        written = self._places.written(path)
        start = min(max(start, 0), len(value))
        end = min(max(end, start), len(value))
        first = written[start][0]
        return self.span_at(first, written[end - 1][1] if end > start else first)

    def word_span(self, path: Path, word: str) -> Span:
        """Finds a word or a phrase in a text, whatever white space it has; else the whole value.

        Examples:
            >>> document = read_document('from = "upper-row and  upper"', "example.toml")
            >>> document.word_span(("from",), "and upper")
            Span(line=1, column=19, end=29)
        """
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
        # Not splitlines: TOML knows one line end, Unicode eight.
        return self.text.split("\n")

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *accumulate(len(line) + 1 for line in self._lines[:-1])]

    @cached_property
    def _places(self) -> Places:
        return Places(self.text)


def read_document(source: str | bytes, name: str) -> Document:
    """Reads the text of a rules file.

    Args:
        source: The text, or its bytes as they are in the file.
        name: What messages call the file.

    Raises:
        RulesError: The text is not UTF-8, breaks the grammar of TOML, or is beyond the limits of
            this module; the report has all faults that can be told apart.

    Examples:
        >>> read_document("packs = 2", "example.toml").data
        {'packs': 2}
        >>> read_document("build = down", "example.toml")
        Traceback (most recent call last):
        cadogan.rules.report.RulesError: error[toml-syntax]: a text without quotes
         --> example.toml:1:9
          |
        1 | build = down
          |         ^^^^ not a value
          |
        hint: text goes in quotes: "down"
        <BLANKLINE>
        1 error in example.toml
    """
    encoded = source.encode(errors="surrogatepass") if isinstance(source, str) else source
    encoded = encoded.removeprefix(b"\xef\xbb\xbf")
    # What is no text is kept apart as surrogates until its places are known.
    text = encoded[:MAX_BYTES].decode(errors="surrogateescape").replace("\r\n", "\n")
    document = Document(name, _NO_TEXT.sub("\ufffd", text), {})
    report = Report(document)
    if len(encoded) > MAX_BYTES:
        title = told("the file has more than {number} KiB of text", number=MAX_BYTES // 1024)
        report.add_at("file-too-large", Span(1, 1, 1), title)
    elif encoded.startswith((b"\xff\xfe", b"\xfe\xff")):
        hint = told("it looks like UTF-16; save it as UTF-8")
        report.add_at("not-utf-8", Span(1, 1, 1), told("the file is not UTF-8"), hint=hint)
    else:
        known = _check_characters(text, report)
        if _check_shape(report):
            document.data = parse(report, known)
            _check_size(report)
    if not report.ok:
        raise RulesError(report)
    return document


_NO_TEXT = re.compile("[\ud800-\udfff]")


def _check_characters(text: str, report: Report) -> set[int]:
    """Reports what is no text; gives the lines on which the parser will stumble over it again."""
    document = report.document
    wrong = [match.start() for match in _NO_TEXT.finditer(text)]
    if wrong:
        label = (
            told("this byte is not")
            if len(wrong) == 1
            else told("one of {number} bytes that are not", number=len(wrong))
        )
        report.add_at(
            "not-utf-8",
            document.span_at(wrong[0], wrong[0] + 1),
            told("the file is not UTF-8"),
            label=label,
            hint=told("save the file as UTF-8"),
        )
    null = text.find("\0")
    if null >= 0:
        span = document.span_at(null, null + 1)
        report.add_at("nul-character", span, told("the file contains the character NUL"))
        wrong += [match.start() for match in re.finditer("\0", text)]
    return {document.span_at(place, place).line for place in wrong}


def _check_shape(report: Report) -> bool:
    """Whether the text may be given to `tomllib`, for which some texts are slow or fatal."""
    document = report.document
    before = len(report.faults)
    depth = dots = marks = 0
    for match in TOKEN.finditer(document.text):
        match match.lastgroup:
            case "word" if match.end() - match.start() > MAX_WORD:
                title = told("a word without quotes of more than {most} characters", most=MAX_WORD)
                report.add_at("word-too-long", document.span_at(*match.span()), title)
            case "open":
                depth, dots = depth + 1, 0
            case "close":
                depth, dots = max(0, depth - 1), 0
            case "dot":
                dots += 1
            case "comma":
                dots, marks = 0, marks + 1
            case "end":
                dots = 0
        if depth > MAX_NESTING or dots > MAX_NESTING:
            span = document.span_at(*match.span())
            report.add_at("nesting-too-deep", span, _TOO_DEEP, label=told("here is one more"))
            break
        # An element of an inline table has two marks, any other at most one.
        if marks > 2 * MAX_VALUES:
            report.add_at("too-many-values", document.span_at(*match.span()), _TOO_MANY)
            break
    return len(report.faults) == before


_TOO_DEEP = told("tables and arrays are nested more than {most} deep", most=MAX_NESTING)
_TOO_MANY = told("the file has more than {most} keys and array elements", most=MAX_VALUES)


def _check_size(report: Report) -> None:
    """Reports data beyond the limits."""
    document = report.document
    document.size = _size_if_small(document.data)
    if document.size:
        return
    count = 0
    rest: list[tuple[Path, Any]] = [((), document.data)]
    while rest:
        path, value = rest.pop()
        if path and isinstance(path[-1], str):
            _check_text(path, path[-1], report, key=True)
        if isinstance(value, str):
            _check_text(path, value, report, key=False)
        if not isinstance(value, dict | list):
            continue
        if len(path) > MAX_NESTING:
            report.error("nesting-too-deep", path, _TOO_DEEP, label=told("here is one more"))
            continue
        count += len(value)
        if count > MAX_VALUES:
            report.error("too-many-values", path, _TOO_MANY, label=told("here the limit is passed"))
            return
        steps = value.items() if isinstance(value, dict) else enumerate(value)
        rest += [((*path, step), inner) for step, inner in steps][::-1]
    document.size = count


def _size_if_small(data: dict[str, Any]) -> int:
    """How many keys and elements data within all limits has; 0 if it may be beyond one."""
    count = 0
    level: list[Any] = [data]
    for _ in range(MAX_NESTING + 1):
        inner: list[Any] = []
        for table in level:
            count += len(table)
            if isinstance(table, dict):
                inner += table
                inner += table.values()
            else:
                inner += table
        level = []
        for value in inner:
            if isinstance(value, str):
                if len(value) > MAX_TEXT or "\0" in value:
                    return 0
            elif isinstance(value, dict | list):
                level.append(value)
    return 0 if level or count > MAX_VALUES else count


def _check_text(path: Path, text: str, report: Report, *, key: bool) -> None:
    if len(text) > MAX_TEXT:
        title = told(
            "a text of {number} characters; {most} is the limit", number=len(text), most=MAX_TEXT
        )
        report.error("text-too-long", path, title, key=key)
    if "\0" in text:
        report.error("nul-character", path, told("a text with the character NUL"), key=key)
