"""Where words go: data to standard output, all else to standard error.

Colours are for terminals only; ``NO_COLOR`` takes them away, ``FORCE_COLOR`` gives them to pipes
too.
"""

import json
import os
import shutil
import sys
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from rich.text import Text

    from cadogan.rules.faults.report import Report

_NARROWEST = 40
_STYLES = {"heading": "1", "error": "1;31", "warning": "1;33", "hint": "1;36", "dim": "2"}


class UsageError(Exception):
    """A question that cannot be answered as it was put.

    Args:
        text: What is wrong, in one sentence without a full stop.
        hint: What would be right.
    """

    def __init__(self, text: str, hint: str | None = None) -> None:
        super().__init__(text)
        self.hint = hint


def data(text: str = "") -> None:
    """Writes lines of the answer."""
    sys.stdout.write(clean(text) + "\n")


def data_report(report: "Report") -> None:
    """Writes the faults of a rules file as the answer."""
    # A report has cleaned what it quotes, and brings its colours with it.
    sys.stdout.write(report.render(color=coloured(sys.stdout)) + "\n")


def data_text(text: "Text") -> None:
    """Writes styled lines of the answer."""
    from rich.console import Console

    if not coloured(sys.stdout) or clean(text.plain) != text.plain:
        data(text.plain)
        return
    console = Console(file=sys.stdout, force_terminal=True, highlight=False, markup=False)
    console.print(text, soft_wrap=True)


def data_json(value: Any) -> None:
    """Writes the answer for a program."""
    text = json.dumps(value, indent=2, ensure_ascii=False)
    data(text if clean(text) == text else json.dumps(value, indent=2))


def note(text: str) -> None:
    """Says something that is not the answer."""
    _say(clean(text))


def note_report(report: "Report") -> None:
    """Tells the faults of a rules file that was to be used."""
    _say(report.render(color=coloured(sys.stderr)))


def warning(text: str) -> None:
    """Says that something may be wrong."""
    _say(f"{paint('warning', 'warning:', sys.stderr)} {clean(text)}")


def error(text: str, hint: str | None = None) -> None:
    """Says what is wrong, and on a line of its own what would be right."""
    _say(f"{paint('error', 'error:', sys.stderr)} {clean(text)}")
    if hint:
        _say(f"{paint('hint', 'hint:', sys.stderr)} {clean(hint)}")


def clean(text: str) -> str:
    r"""A text without what a terminal would obey.

    Names and remarks come from rules files, and these may come from strangers.

    >>> print(clean("Golf\x1b[2J"))
    Golf\x1b[2J
    """
    return "".join(
        char if char.isprintable() or char in "\n\t" else char.encode("unicode_escape").decode()
        for char in text
    )


def _say(text: str) -> None:
    # On a terminal the two streams share the screen; what was said first has to stand first.
    sys.stdout.flush()
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def paint(style: str, text: str, stream: TextIO) -> str:
    """Colours a text if the stream shows colours."""
    return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if coloured(stream) else text


def coloured(stream: TextIO) -> bool:
    """Whether a stream shows colours."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def width() -> int:
    """How many columns there are to write in."""
    return max(_NARROWEST, shutil.get_terminal_size((80, 24)).columns)


def letters_only() -> bool:
    """Whether standard output cannot show the symbols of the suits."""
    try:
        "♣♦♥♠▒─═→·".encode(sys.stdout.encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return True
    return False
