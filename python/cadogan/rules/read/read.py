"""The stage ``read``: from text to data with the place of everything.

`read_document` takes text from a stranger. It returns a `Document` whose data is small and shallow
enough for every later stage to traverse, or raises a `RulesError` with all faults of the text. It
knows nothing of games: later stages check the meaning of keys.
"""

from __future__ import annotations

import re
from typing import Any

from cadogan.i18n.text import gettext
from cadogan.rules.faults.report import Report, RulesError
from cadogan.rules.read.grammar import TOKEN, parse
from cadogan.rules.source.document import Document
from cadogan.rules.source.span import Path, Span

MAX_BYTES = 64 * 1024
"""The largest file of the catalogue has about 6 KiB; reading takes linear time."""

MAX_NESTING = 8
"""`variants.a.rule.2.cards` is five deep. `tomllib` recurses per level, and walks a dotted key in
time quadratic in its parts, so this is enforced before it sees the text."""

MAX_VALUES = 4_000
"""The largest number of keys and array elements; a file that lists two packs has about 200."""

MAX_TEXT = 8_000
"""The largest length of a text; a picture of a table has about 1,000 characters."""

MAX_WORD = 200
"""The largest length of a bare key or number. Python refuses to read or print integers of more
than 4,300 digits; with this limit, no later message can fail because of them."""


def read_document(source: str | bytes, name: str) -> Document:
    """Reads the text of a rules file.

    Args:
        source: The text, or its bytes as they are in the file.
        name: The name of the file in messages.

    Raises:
        RulesError: The text is not UTF-8, breaks the grammar of TOML, or is beyond the limits of
            this module; the report has all faults that can be distinguished.

    Examples:
        >>> read_document("packs = 2", "example.toml").data
        {'packs': 2}
        >>> read_document("build = down", "example.toml")
        Traceback (most recent call last):
        cadogan.rules.faults.report.RulesError: error[toml-syntax]: a text without quotes
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
    # Bytes that are not UTF-8 become surrogates until their places are known.
    text = encoded[:MAX_BYTES].decode(errors="surrogateescape").replace("\r\n", "\n")
    document = Document(name, _NO_TEXT.sub("\ufffd", text), {})
    report = Report(document)
    if len(encoded) > MAX_BYTES:
        title = gettext("the file has more than {number} KiB of text", number=MAX_BYTES // 1024)
        report.add_at("file-too-large", Span(1, 1, 1), title)
    elif encoded.startswith((b"\xff\xfe", b"\xfe\xff")):
        hint = gettext("it looks like UTF-16; save it as UTF-8")
        report.add_at("not-utf-8", Span(1, 1, 1), gettext("the file is not UTF-8"), hint=hint)
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
    """Reports characters that are not text; returns their lines, which the parser will reject."""
    document = report.document
    wrong = [match.start() for match in _NO_TEXT.finditer(text)]
    if wrong:
        label = (
            gettext("this byte is not")
            if len(wrong) == 1
            else gettext("one of {number} bytes that are not", number=len(wrong))
        )
        report.add_at(
            "not-utf-8",
            document.span_at(wrong[0], wrong[0] + 1),
            gettext("the file is not UTF-8"),
            label=label,
            hint=gettext("save the file as UTF-8"),
        )
    null = text.find("\0")
    if null >= 0:
        span = document.span_at(null, null + 1)
        report.add_at("nul-character", span, gettext("the file contains the character NUL"))
        wrong += [match.start() for match in re.finditer("\0", text)]
    return {document.span_at(place, place).line for place in wrong}


def _check_shape(report: Report) -> bool:
    """Whether the text is safe for `tomllib`, which is slow or fails on some texts."""
    document = report.document
    before = len(report.faults)
    depth = dots = marks = 0
    for match in TOKEN.finditer(document.text):
        match match.lastgroup:
            case "word" if match.end() - match.start() > MAX_WORD:
                title = gettext(
                    "a word without quotes of more than {most} characters", most=MAX_WORD
                )
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
            report.add_at("nesting-too-deep", span, _TOO_DEEP, label=gettext("here is one more"))
            break
        # An element of an inline table has two separators, any other at most one.
        if marks > 2 * MAX_VALUES:
            report.add_at("too-many-values", document.span_at(*match.span()), _TOO_MANY)
            break
    return len(report.faults) == before


_TOO_DEEP = gettext("tables and arrays are nested more than {most} deep", most=MAX_NESTING)
_TOO_MANY = gettext("the file has more than {most} keys and array elements", most=MAX_VALUES)


def _check_size(report: Report) -> None:
    """Reports data that exceeds the limits."""
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
            report.error("nesting-too-deep", path, _TOO_DEEP, label=gettext("here is one more"))
            continue
        count += len(value)
        if count > MAX_VALUES:
            report.error(
                "too-many-values", path, _TOO_MANY, label=gettext("here the limit is passed")
            )
            return
        steps = value.items() if isinstance(value, dict) else enumerate(value)
        rest += [((*path, step), inner) for step, inner in steps][::-1]
    document.size = count


def _size_if_small(data: dict[str, Any]) -> int:
    """The number of keys and elements; 0 if the data may exceed a limit."""
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
        title = gettext(
            "a text of {number} characters; {most} is the limit", number=len(text), most=MAX_TEXT
        )
        report.error("text-too-long", path, title, key=key)
    if "\0" in text:
        report.error("nul-character", path, gettext("a text with the character NUL"), key=key)
