"""Explains TOML syntax errors better than a parser does.

`parse` is `tomllib` for people. It continues after an error if it is certain where the faulty
statement ends, so that one run reports all syntax errors, and it suggests what was probably meant:
a text without quotes, a brace closed on another line.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cadogan.i18n.text import gettext
from cadogan.rules.source.span import Places

if TYPE_CHECKING:
    from cadogan.rules.faults.report import Report
    from cadogan.rules.source.document import Document

__all__ = ["TOKEN", "parse"]

MAX_SYNTAX_FAULTS = 20
"""The largest number of errors; each costs another parse of the whole text."""


# Recognises only enough TOML to know what is quoted, what is nested and where statements end. It
# agrees with the parser up to the first syntax error. After an error the parser continues only
# where a statement ends with every bracket closed, and there the two agree again.
TOKEN = re.compile(
    r"""
      (?P<comment> \#[^\n]* )
    | (?P<text> \"{3} (?:[^\\]|\\.)*? (?:\"{3,5}|\Z) | '{3} .*? (?:'{3,5}|\Z)
              | \" (?:[^"\\\n]|\\[^\n])* \"? | '[^'\n]*'? )
    | (?P<word> [A-Za-z0-9_+\-:]+ )
    | (?P<open> [\[{] )
    | (?P<close> [\]}] )
    | (?P<dot> \. )
    | (?P<comma> [,=] )
    | (?P<end> \n )
    | (?P<other> [^ \t\n] )
    """,
    re.VERBOSE | re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class _Statement:
    """A header, a `key = value` or a comment, with its approximate end."""

    start: int
    end: int
    closed: bool
    """Whether all its brackets are closed, so that `end` can be trusted."""
    header: bool


def _statements(text: str) -> Iterator[_Statement]:
    start, depth = -1, 0
    for match in TOKEN.finditer(text):
        kind = match.lastgroup
        if kind == "end" and start >= 0:
            header = text[start] == "["
            # A header never continues in the next line, even if its bracket is missing.
            if depth <= 0 or header:
                yield _Statement(start, match.start(), depth == 0 or header, header)
                start, depth = -1, 0
        elif kind != "end":
            start = match.start() if start < 0 else start
            depth += (kind == "open") - (kind == "close")
    if start >= 0:
        yield _Statement(start, len(text), depth == 0, text[start] == "[")


def parse(report: Report, known: set[int]) -> dict[str, Any]:
    """Parses the text and reports all syntax errors.

    `tomllib` stops at the first error. So this removes the faulty statement and parses again, as
    long as it is certain where the statement ends.

    Args:
        report: The report on the document.
        known: Lines whose faults have been reported.
    """
    document = report.document
    text = document.text
    lines = text.split("\n")
    statements: list[_Statement] = []
    repeated: list[_Statement] = []
    for attempt in range(MAX_SYNTAX_FAULTS):
        try:
            data = tomllib.loads("\n".join(lines))
        except tomllib.TOMLDecodeError as error:
            message, place = _message_and_place(error, document)
        else:
            if not attempt:
                return data
            break
        statements = statements if attempt else list(_statements(document.text))
        if message == _OPEN_LITERAL:
            # The parser searched up to the end of the file and reports the error there.
            literals = (at for each in statements for at in _open_literals(document.text, each))
            place = next(literals, place)
        # Statements before this one are valid, or already removed.
        at = next((i for i, each in enumerate(statements) if each.end >= place), None)
        if at is None:
            _Syntax(report, _Statement(place, place, False, False), place).explain(message)
            break
        statement = statements[at]
        del statements[: at + 1]
        start, end = statement.start, statement.end
        first, final = (document.span_at(at, at).line for at in (start, end))
        if message.startswith(_REPEATED):
            repeated.append(statement)
        else:
            if known.isdisjoint(range(first, final + 1)):
                _Syntax(report, statement, place).explain(message)
            text = text[:start] + re.sub(r"[^\n]", " ", text[start:end]) + text[end:]
        if not statement.closed:
            break
        # The keys after a faulty header still need a table.
        stand_in = f'["in place of faulty header {attempt}"]' if statement.header else ""
        lines[first - 1 : final] = [stand_in, *[""] * (final - first)]
    _explain_repeated(report, repeated, text)
    return {}


_REPEATED = ("Cannot ", "Duplicate inline table key")


def _explain_repeated(report: Report, repeated: list[_Statement], text: str) -> None:
    """Reports statements that repeat a key or a table, in a text without other faults."""
    if not repeated:
        return
    span_at = report.document.span_at
    places = Places(text)
    for statement in repeated:
        start, end = statement.start, statement.end
        again = next((at for at in sorted(places.repeats) if start <= at < end), None)
        if again is None:
            title = gettext("this was given before, in another form")
            report.add_at("repeated-key", span_at(start, end), title)
            continue
        path = places.repeats[again]
        name = ".".join(step for step in path if isinstance(step, str))
        written = _KEY.match(text, again)
        report.add_at(
            "repeated-key",
            span_at(again, written.end() if written else again + 1),
            gettext('the table "{name}" is given twice', name=name)
            if statement.header
            else gettext('the key "{name}" is given twice', name=name),
            label=gettext("again here"),
            also=[(span_at(*places.keys[path]), gettext("first here"))],
        )


_KEY = re.compile(r"""[\w-]+|"[^"\n]*"|'[^'\n]*'""")


def _open_literals(text: str, statement: _Statement) -> Iterator[int]:
    for match in TOKEN.finditer(text, statement.start, statement.end):
        if match[0][0] == "'" and (len(match[0]) == 1 or match[0][-1] != "'"):
            yield match.start()


_OPEN_LITERAL = """Expected "'\""""


def _message_and_place(error: tomllib.TOMLDecodeError, document: Document) -> tuple[str, int]:
    # Python 3.14 has the place as attributes, but writes the same message.
    match = _MESSAGE.fullmatch(str(error))
    if match is None:
        return str(error), 0
    if match["line"] is None:
        return match["message"], len(document.text)
    return match["message"], document.offset(int(match["line"]), int(match["column"]))


_MESSAGE = re.compile(
    r"(?P<message>.*) \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)",
    re.DOTALL,
)


class _Syntax:
    """Explains the syntax error of one statement."""

    def __init__(self, report: Report, statement: _Statement, place: int) -> None:
        self.report = report
        self.document = report.document
        self.text = report.document.text
        self.statement = statement
        self.place = place

    def explain(self, message: str) -> None:
        """Reports the error for a message of `tomllib`."""
        for beginning, tell in _TELL.items():
            if message.startswith(beginning):
                tell(self)
                return
        self._fault(message[:1].lower() + message[1:], self.place, self.place + 1)

    def _fault(
        self,
        title: str,
        start: int,
        end: int,
        label: str = "",
        hint: str | None = None,
        also: tuple[int, str] | None = None,
    ) -> None:
        span_at = self.document.span_at
        others = [(span_at(also[0], also[0] + 1), also[1])] if also else []
        self.report.add_at(
            "toml-syntax", span_at(start, end), title, label=label, hint=hint, also=others
        )

    def _match(self, pattern: str) -> tuple[str, int, int]:
        match = re.compile(pattern).match(self.text, self.place)
        return (match[0], *match.span()) if match else ("", self.place, self.place)

    def _opened(self) -> int:
        """The innermost bracket that is open at the place."""
        brackets: list[int] = []
        for match in TOKEN.finditer(self.text, self.statement.start, self.place):
            if match.lastgroup == "open":
                brackets.append(match.start())
            elif match.lastgroup == "close" and brackets:
                brackets.pop()
        return brackets[-1] if brackets else self.statement.start

    def _value(self) -> None:
        word, start, end = self._match(r"[^ \t\n,\]}#]+")
        in_brackets = self._opened() != self.statement.start
        phrase, _, _ = self._match(r"[^\n,\]}#]*" if in_brackets else r"[^\n#]*")
        phrase = phrase.rstrip()
        if in_brackets and not self.text[start:].strip():
            self._array() if self.text[self._opened()] == "[" else self._inline()
        elif not word:
            self._fault(
                gettext("a value is missing"), start, start + 1, gettext("expected a value here")
            )
        elif word[0] in _CURLY:
            self._fault(
                gettext("typographic quotes do not quote"), start, start + 1, hint=_STRAIGHT
            )
        elif word.lower() in _TRUTH:
            hint = gettext("write {truth}", truth=_TRUTH[word.lower()])
            self._fault(gettext('"{word}" is not a truth value', word=word), start, end, hint=hint)
        elif word[0].isalpha() and '"' not in phrase and "\\" not in phrase:
            hint = gettext('text goes in quotes: "{phrase}"', phrase=phrase)
            self._fault(
                gettext("a text without quotes"),
                start,
                start + len(phrase),
                gettext("not a value"),
                hint,
            )
        else:
            self._fault(gettext("this is not a value"), start, end)

    def _after(self) -> None:
        rest, start, end = self._match(r"[^\n#]*")
        end = start + len(rest.rstrip())
        if self.statement.header:
            title = gettext("unexpected text after a header")
            self._fault(title, start, end, hint=gettext("a header has a line of its own"))
            return
        written = self.text[self.statement.start : end].partition("=")[2].strip()
        plain = re.search(r"[A-Za-z]", written) and not re.search(r"[\"'\\\[\]{}\n]", written)
        hint = gettext('text goes in quotes: "{written}"', written=written) if plain else None
        self._fault(
            gettext("unexpected text after a value"),
            start,
            end,
            gettext("the value ended before this"),
            hint,
        )

    def _equals(self) -> None:
        following = self.text[self.place : self.place + 1]
        key = self.text[self.statement.start : self.place].strip(" \t\"'")
        simple = self.statement.start == self._opened() and key
        title = (
            gettext('no "=" after the key "{key}"', key=key)
            if simple
            else gettext('no "=" after a key')
        )
        hint = (
            gettext('write "=" in place of ":"')
            if following == ":"
            else gettext("a line is: key = value")
        )
        if following and not following.isascii():
            hint = gettext("a key with letters other than A to Z goes in quotes")
        self._fault(title, self.place, self.place + 1, gettext('expected "=" here'), hint)

    def _beginning(self) -> None:
        word, start, end = self._match(r"[^ \t\n=]+")
        hint: str | None = None
        if word and word[0] in _CURLY:
            hint = _STRAIGHT
        elif word[:1].isalpha():
            hint = gettext("a key with letters other than A to Z goes in quotes")
        title = gettext("a line that begins with neither a key nor a header")
        self._fault(title, start, max(end, start + 1), hint=hint)

    def _header_end(self) -> None:
        bracket = "]]" if self.text.startswith("[[", self.statement.start) else "]"
        self._fault(
            gettext("a header that is not closed"),
            self.place,
            self.place + 1,
            gettext('expected "{bracket}" here', bracket=bracket),
        )

    def _key(self) -> None:
        opened = self._opened()
        inline = self.text[opened : opened + 1] == "{"
        following = self.text[self.place : self.place + 1]
        if inline and following in ("\n", "#"):
            self._one_line(opened)
        elif inline and following == "}":
            hint = gettext('no comma stands before "}}"')
            self._fault(
                gettext("a key is missing"),
                self.place,
                self.place + 1,
                gettext("expected a key here"),
                hint,
            )
        else:
            self._fault(
                gettext("a key is missing"),
                self.place,
                self.place + 1,
                gettext("expected a key here"),
            )

    def _array(self) -> None:
        opened = self._opened()
        if not self.text[self.place :].strip():
            self._fault(
                gettext("an array that is not closed"),
                opened,
                opened + 1,
                gettext('no "]" follows'),
            )
            return
        _, start, end = self._match(r"[^ \t\n,\]}#=]+|.")
        label = gettext('expected "," or "]" before this')
        also = (opened, gettext("the array begins here"))
        self._fault(gettext("an array that is not closed"), start, end, label, also=also)

    def _inline(self) -> None:
        opened = self._opened()
        following = self.text[self.place : self.place + 1]
        if following in ("\n", "#") and self.text[self.place :].strip():
            self._one_line(opened)
            return
        _, start, end = self._match(r"[^ \t\n,\]}#=]+|.")
        label = gettext('expected "," or "}}" here')
        also = (opened, gettext("the table begins here"))
        self._fault(gettext("an inline table that is not closed"), start, end, label, also=also)

    def _one_line(self, opened: int) -> None:
        title = gettext("an inline table that goes on in the next line")
        hint = gettext('put all of it on one line, or give the table a "[header]"')
        self._fault(
            title, opened, opened + 1, gettext("this brace is closed on another line"), hint
        )

    def _open_text(self) -> None:
        tokens = TOKEN.finditer(self.text, self.statement.start, self.statement.end)
        starts = [m.start() for m in tokens if m.lastgroup == "text" and m.start() <= self.place]
        start = starts[-1] if starts else self.place
        quote = self.text[start : start + 3]
        quote = quote if quote in ('"""', "'''") else quote[:1]
        self._fault(
            gettext("a text that is not closed"),
            start,
            self.statement.end,
            gettext("no {quote} follows", quote=quote),
        )

    def _control(self) -> None:
        number = f"U+{ord(self.text[self.place]):04X}" if self.place < len(self.text) else ""
        self._fault(gettext("a control character in the text"), self.place, self.place + 1, number)

    def _escape(self) -> None:
        start = max(self.text.rfind("\\", 0, self.place), self.statement.start)
        _, _, end = self._match(r"[0-9A-Fa-f]{0,8}")
        hint = gettext("write \\\\ for a backslash, or put the text in single quotes")
        self._fault(
            gettext("an escape that TOML does not know"), start, max(end, start + 2), hint=hint
        )

    def _date(self) -> None:
        word, start, end = self._match(r"[^ \t\n,\]}#]+")
        self._fault(gettext('"{word}" is not a date or time', word=word), start, end)


_TELL = {
    "Invalid value": _Syntax._value,
    "Expected newline or end of document": _Syntax._after,
    "Expected '='": _Syntax._equals,
    "Invalid statement": _Syntax._beginning,
    "Expected ']": _Syntax._header_end,
    "Invalid initial character for a key": _Syntax._key,
    "Unclosed array": _Syntax._array,
    "Unclosed inline table": _Syntax._inline,
    "Unterminated string": _Syntax._open_text,
    "Expected \"'": _Syntax._open_text,
    "Illegal character '\\n'": _Syntax._open_text,
    "Found invalid character '\\n'": _Syntax._open_text,
    "Illegal character": _Syntax._control,
    "Found invalid character": _Syntax._control,
    "Unescaped '\\'": _Syntax._escape,
    "Invalid hex value": _Syntax._escape,
    "Escaped character": _Syntax._escape,
    "Invalid date": _Syntax._date,
}

_STRAIGHT = gettext("use straight quotes: \" or '")

_CURLY = "\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb"

_TRUTH = {
    "true": "true",
    "yes": "true",
    "on": "true",
    "false": "false",
    "no": "false",
    "off": "false",
}
