"""The faults of a rules file, and how they are shown.

Every stage adds the faults that it finds to one `Report`, so that an author sees all faults of a
file in one run. A fault has a code, a title, places with labels, and possibly a hint. A rules file
may come from a stranger: `Report.render` escapes every character that a terminal would obey.
"""

from __future__ import annotations

import enum
import functools
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any

from cadogan.i18n.text import gettext, listed
from cadogan.rules.faults.codes import CODES
from cadogan.rules.source.span import Path, Span

if TYPE_CHECKING:
    from cadogan.rules.source.document import Document

__all__ = ["Fault", "Label", "Report", "RulesError", "Severity", "nearest", "one_of"]

MAX_FAULTS = 100
"""More than anybody reads; it limits the output for a hostile file."""

LINE_WIDTH = 100
"""The width of a quoted line; longer lines are cut around the fault."""

LEAD = 30
"""The width before the fault when a line is cut."""

MAX_MESSAGE = 400
"""The largest length of titles and hints, which quote the file: a key may be very long."""


class Severity(enum.StrEnum):
    """The severity of a fault: a file with an error cannot be played, one with warnings can."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Label:
    """A place in the file with a text."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong with a rules file."""

    code: str
    """Its name in `CODES`."""
    severity: Severity
    title: str
    """What is wrong, in one sentence without a full stop."""
    labels: tuple[Label, ...]
    """The first is the place of the fault, the others explain it."""
    hint: str | None
    """How to correct it."""


class Report:
    r"""The faults found in one rules file.

    Examples:
        >>> from cadogan.rules.read.read import read_document
        >>> document = read_document('[garden]\nbiuld = "down"', "flower-garden.toml")
        >>> report = Report(document)
        >>> report.error(
        ...     "unknown-key",
        ...     ("garden", "biuld"),
        ...     'the group "garden" has no key "biuld"',
        ...     label="not a key of a tableau",
        ...     key=True,
        ...     hint='did you mean "build"?',
        ... )
        >>> print(report.render())
        error[unknown-key]: the group "garden" has no key "biuld"
         --> flower-garden.toml:2:1
          |
        2 | biuld = "down"
          | ^^^^^ not a key of a tableau
          |
        hint: did you mean "build"?
        <BLANKLINE>
        1 error in flower-garden.toml
    """

    def __init__(self, document: Document) -> None:
        self.document = document
        self._faults: dict[Fault, None] = {}
        self._overflow = False
        self._doubts: set[Path] = set()
        self._shadows: set[Path] = set()
        self._mappings: list[Callable[[Path], Path]] = []

    def __repr__(self) -> str:
        return f"<Report of {self.document.name!r}: {self._summary()}>"

    def __getstate__(self) -> dict[str, Any]:
        # The error may come from another process, which cannot receive the closures.
        return self.__dict__ | {"_mappings": []}

    @property
    def faults(self) -> list[Fault]:
        """All faults in the order of the file; at one place, in the order found."""
        return sorted(self._faults, key=_place)

    @property
    def errors(self) -> list[Fault]:
        """The faults that prevent the file from being played."""
        return [fault for fault in self.faults if fault.severity is Severity.ERROR]

    @property
    def warnings(self) -> list[Fault]:
        """The faults with which the file can still be played."""
        return [fault for fault in self.faults if fault.severity is Severity.WARNING]

    @property
    def ok(self) -> bool:
        """Whether there is no error."""
        return self.error_count == 0

    @property
    def error_count(self) -> int:
        """The number of errors."""
        return sum(fault.severity is Severity.ERROR for fault in self._faults)

    def error(
        self,
        code: str,
        path: Path,
        title: str,
        *,
        label: str = "",
        key: bool = False,
        within: tuple[int, int] | None = None,
        word: str | None = None,
        hint: str | None = None,
        also: Iterable[tuple[Path, str]] = (),
        missing: str | None = None,
    ) -> None:
        """Adds an error at the value of a path.

        A path that the file does not have is shown at its nearest ancestor. Adding the same error
        twice has no effect.

        Args:
            code: Its name in `CODES`.
            path: Keys and indices that lead to the value.
            title: What is wrong, in one sentence without a full stop.
            label: A text for the place itself.
            key: Whether to point at the key instead of the value.
            within: First and last-plus-one character inside a text, to point at a word of a phrase.
                Ignored if a redirection leads to something other than that text.
            word: A word or phrase of the text, to point at its first occurrence.
            hint: How to correct it.
            also: Other places that explain the fault, each with a text.
            missing: The key that is missing in the table at the path.
        """
        self.mark_faulty((*path, missing) if missing is not None else path)
        self._add(Severity.ERROR, code, path, title, label, key, within, word, hint, also)

    def warning(
        self,
        code: str,
        path: Path,
        title: str,
        *,
        label: str = "",
        key: bool = False,
        within: tuple[int, int] | None = None,
        word: str | None = None,
        hint: str | None = None,
        also: Iterable[tuple[Path, str]] = (),
    ) -> None:
        """Adds a warning; the arguments are those of `error`."""
        self._add(Severity.WARNING, code, path, title, label, key, within, word, hint, also)

    def _add(
        self,
        severity: Severity,
        code: str,
        path: Path,
        title: str,
        label: str,
        key: bool,
        within: tuple[int, int] | None,
        word: str | None,
        hint: str | None,
        also: Iterable[tuple[Path, str]],
    ) -> None:
        document, target = self.document, self.origin(path)
        if key:
            span = document.key_span(target)
        elif within and _is_there(document, path, target, within, word):
            span = document.part_span(target, *within)
        elif word:
            span = document.word_span(target, word)
        else:
            span = document.value_span(target)
        others = [(document.value_span(self.origin(other)), text) for other, text in also]
        self.add_at(code, span, title, severity=severity, label=label, hint=hint, also=others)

    def add_at(
        self,
        code: str,
        span: Span,
        title: str,
        *,
        severity: Severity = Severity.ERROR,
        label: str = "",
        hint: str | None = None,
        also: Iterable[tuple[Span, str]] = (),
    ) -> None:
        """Adds a fault at a place without a path, such as a syntax error."""
        assert code in CODES, f"the code {code!r} is not registered in CODES"
        labels = (Label(span, label), *(Label(other, text) for other, text in also))
        self._keep(Fault(code, severity, title, labels, hint))

    def _keep(self, fault: Fault) -> None:
        if fault in self._faults:
            return
        if len(self._faults) >= MAX_FAULTS:
            self._overflow = True
            # A report full of warnings must still show an error: it replaces the last warning.
            if fault.severity is Severity.WARNING or not self.ok:
                return
            self._faults.popitem()
        self._faults[fault] = None

    @property
    def is_clean(self) -> bool:
        """Whether no path is marked as faulty, so that `is_faulty` need not be called."""
        return not self._doubts

    def mark_faulty(self, path: Path) -> None:
        """Marks a path as faulty.

        Every error marks its own place. Later stages call `is_faulty`, and do not report mere
        consequences of earlier faults.
        """
        origin = self.origin(path)
        if origin:
            self._doubts.add(origin)
            self._shadows.update(origin[:length] for length in range(1, len(origin) + 1))

    def is_faulty(self, *path: str | int) -> bool:
        """Whether a value, a part of it or its table is marked as faulty."""
        if not self._doubts:
            return False
        origin = self.origin(path)
        if origin in self._shadows:
            return True
        for length in range(1, len(origin)):  # noqa: SIM110 - a generator takes twice as long
            if origin[:length] in self._doubts:
                return True
        return False

    def redirect(self, mapping: Callable[[Path], Path]) -> None:
        """Maps the paths of all later faults.

        So expanded rules point back at what the author wrote. Mappings are chained: a path goes
        through the latest mapping first, then through the earlier ones.

        Args:
            mapping: Maps a path in the current data to the path that it comes from.
        """
        self._mappings.append(mapping)

    def include(self, other: Report) -> None:
        """Adds the faults of another report on the same document, without duplicates."""
        for fault in other.faults:
            self._keep(fault)

    def origin(self, path: Path) -> Path:
        """Maps a path in the current data to one in the file."""
        for mapping in reversed(self._mappings):
            path = mapping(path)
        return path

    def render(self, *, color: bool = False) -> str:
        """Formats the faults for people; empty if there are none.

        Args:
            color: Whether to add colours for a terminal.
        """
        if not self._faults:
            return ""
        blocks = [_block(self.document, fault, _Paint(color)) for fault in self.faults]
        return "\n\n".join([*blocks, self._summary()])

    def to_json(self) -> list[dict[str, Any]]:
        """The faults as plain data, in the order of the file.

        Texts are not escaped; the caller must escape them for display.
        """
        return [
            {
                "file": self.document.name,
                "code": fault.code,
                "severity": fault.severity.value,
                "title": fault.title,
                "labels": [
                    {
                        "line": label.span.line,
                        "column": label.span.column,
                        "end": label.span.end,
                        "text": label.text,
                    }
                    for label in fault.labels
                ],
                "hint": fault.hint,
            }
            for fault in self.faults
        ]

    def _summary(self) -> str:
        counts = [
            f"{len(faults)} {name}{'s' if len(faults) > 1 else ''}"
            for faults, name in ((self.errors, "error"), (self.warnings, "warning"))
            if faults
        ]
        more = " and more" if self._overflow else ""
        return f"{', '.join(counts) or 'no faults'}{more} in {_message(self.document.name)}"


class RulesError(ValueError):
    """A rules file cannot be used; its text shows all faults with their places."""

    report: Report

    def __init__(self, report: Report) -> None:
        super().__init__(report)
        self.report = report

    def __str__(self) -> str:
        return self.report.render()


def _place(fault: Fault) -> tuple[int, int]:
    span = fault.labels[0].span
    return span.line, span.column


def _is_there(
    document: Document, path: Path, target: Path, within: tuple[int, int], word: str | None
) -> bool:
    """Whether a part of a text is the word: a phrase may be a part of the text in the file."""
    if _last_key(path) != _last_key(target):
        return False
    part = document.part(target, *within)
    return part is not None and (word is None or part.lower() == word.lower())


def _last_key(path: Path) -> str | None:
    return next((step for step in reversed(path) if isinstance(step, str)), None)


_STYLES = {"error": "1;31", "warning": "1;33", "frame": "1;34", "hint": "1;36", "title": "1"}


class _Paint:
    """Colours for a terminal, or none."""

    def __init__(self, color: bool) -> None:
        self.color = color

    def __call__(self, style: str, text: str) -> str:
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if self.color and text else text


def _block(document: Document, fault: Fault, paint: _Paint) -> str:
    place = fault.labels[0].span
    gutter = max(len(str(label.span.line)) for label in fault.labels)
    bar = paint("frame", " " * gutter + " |")
    name = f"{_message(document.name)}:{place.line}:{place.column}"
    title = paint("title", f": {_message(fault.title)}")
    rows = [
        paint(fault.severity, f"{fault.severity}[{fault.code}]") + title,
        paint("frame", " " * gutter + "--> ") + name,
        bar,
    ]
    last = None
    ordered = sorted(fault.labels, key=lambda label: label.span.line)
    for number, labels in groupby(ordered, key=lambda label: label.span.line):
        if last is not None and number > last + 1:
            rows.append(paint("frame", "..."))
        last = number
        line = document.line(number)
        shown_before = None
        for label in labels:
            shown, indent, width = _cut(line, label.span)
            if shown != shown_before:
                rows.append(f"{paint('frame', f'{number:>{gutter}} |')} {shown}".rstrip())
                shown_before = shown
            primary = label is fault.labels[0]
            mark = f"{('^' if primary else '-') * width} {_message(label.text)}".rstrip()
            rows.append(
                f"{bar} {' ' * indent}{paint(fault.severity if primary else 'frame', mark)}"
            )
    if fault.hint is not None:
        rows += [bar, f"{paint('hint', 'hint:')} {_message(fault.hint)}"]
    return "\n".join(rows)


def _cut(line: str, span: Span) -> tuple[str, int, int]:
    """The visible part of a line, the offset of the span in it, and the width of the span."""
    start, end = min(span.column - 1, len(line)), min(span.end - 1, len(line))
    # Examine no more of a long line than can be shown: it may have many faults.
    skipped = max(0, start - LEAD) if len(line) > LINE_WIDTH else 0
    rest = len(line) - skipped
    start, end = start - skipped, end - skipped
    if len(line) <= LINE_WIDTH and _is_plain(line):
        return line, start, max(1, end - start)
    cells = [_cell(character) for character in line[skipped:][: start + LINE_WIDTH]]
    # Combining marks have no width but must count, or a line of them would never be cut.
    sizes = [max(1, _width(cell)) for cell in cells]
    first, last = 0, len(cells)
    if len(line) > LINE_WIDTH or sum(sizes) > LINE_WIDTH:
        first, room = start, LEAD
        while first > 0 and sizes[first - 1] <= room:
            first -= 1
            room -= sizes[first]
        last, room = first, LINE_WIDTH
        while last < len(cells) and sizes[last] <= room:
            room -= sizes[last]
            last += 1
    before = "..." if skipped + first > 0 else ""
    after = "..." if last < rest else ""
    shown = f"{before}{''.join(cells[first:last])}{after}"
    indent = len(before) + _width("".join(cells[first:start]))
    return shown, indent, max(1, _width("".join(cells[start : min(end, last)])))


def _cell(character: str) -> str:
    """A character for display; control characters and invisible ones are escaped."""
    if character == "\t":
        return "    "
    if character.isprintable():
        return character
    return character.encode("unicode_escape").decode()


def _is_plain(text: str) -> bool:
    """Whether each character is printable and one column wide."""
    return text.isascii() and text.isprintable()


def _width(text: str) -> int:
    """The width of a printable text on a terminal, in columns."""
    if text.isascii():
        return len(text)
    return sum(
        0
        if unicodedata.category(character) in ("Mn", "Me")
        else 1 + (unicodedata.east_asian_width(character) in ("W", "F"))
        for character in text
    )


def _message(text: str) -> str:
    if len(text) > MAX_MESSAGE:
        text = text[:MAX_MESSAGE] + "..."
    if text.isprintable():
        return str(text)
    return "".join(_cell(character) for character in text)


MAX_WORD = 40
"""Longer words are not compared: none of our names is similar, and comparing is quadratic."""


def nearest(word: str, choices: Iterable[str]) -> str | None:
    """Finds the choice that a misspelt word probably means.

    Case, hyphens and plurals do not count. Up to one letter in three may be missing, added, wrong
    or swapped. Of equally similar choices the first is taken.

    Examples:
        >>> nearest("biuld", ["base", "build", "role"])
        'build'
        >>> nearest("Vacancy", ["vacancies", "piles"])
        'vacancies'
        >>> nearest("stock", ["waste", "cell"]) is None
        True
    """
    if len(word) > MAX_WORD:
        return None
    plain, singular = _forms(word)
    best: tuple[int, str] | None = None
    for choice in choices:
        if len(choice) > MAX_WORD:
            continue
        other, other_singular = _forms(choice)
        if plain == other:
            distance = 0
        elif singular == other_singular:
            distance = 1
        else:
            # A word of two letters is one error away from too many others.
            slips = max(len(plain), len(other)) // 3 if min(len(plain), len(other)) >= 2 else -1
            if abs(len(plain) - len(other)) > slips:
                continue
            distance = _distance(plain, other)
            if distance > slips:
                continue
            distance += 1
        if best is None or distance < best[0]:
            best = distance, choice
    return best[1] if best else None


@functools.lru_cache(maxsize=4096)
def _forms(word: str) -> tuple[str, str]:
    """A word as it is compared, and its singular."""
    plain = word.casefold().replace("_", "-").replace(" ", "-").strip("-")
    return plain, _singular(plain)


def _singular(word: str) -> str:
    if word.endswith("ies"):
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "sses", "xes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


@functools.lru_cache(maxsize=4096)
def _distance(word: str, other: str) -> int:
    """The edit distance of two words; swapping two neighbours counts as one edit."""
    before: list[int] = []
    above = list(range(len(other) + 1))
    for row, letter in enumerate(word, start=1):
        current = [row]
        for column, match in enumerate(other, start=1):
            cost = min(
                above[column] + 1,
                current[column - 1] + 1,
                above[column - 1] + (letter != match),
            )
            if row > 1 and column > 1 and letter == other[column - 2] and word[row - 2] == match:
                cost = min(cost, before[column - 2] + 1)
            current.append(cost)
        before, above = above, current
    return above[-1]


def one_of(choices: Iterable[str], limit: int = 8) -> str:
    """Joins choices as in a sentence.

    Args:
        choices: The choices, in order.
        limit: How many are named; the others are counted.

    Examples:
        >>> one_of(["up", "down", "beside"])
        'up, down or beside'
        >>> one_of(["ace", "two", "three", "four"], limit=2)
        'ace, two or 2 others'
    """
    names = list(choices)
    if len(names) > limit + 1:
        names[limit:] = [gettext("{number} others", number=len(names) - limit)]
    return listed(names, "or")
