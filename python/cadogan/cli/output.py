"""The streams: data to standard output, everything else to standard error.

Colours are for terminals only; ``NO_COLOR`` disables them, ``FORCE_COLOR`` also enables them for
pipes.
"""

import json
import logging
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
    """An invalid command line or input.

    Args:
        text: What is wrong, in one sentence without a full stop.
        hint: What to do instead.
    """

    def __init__(self, text: str, hint: str | None = None) -> None:
        super().__init__(text)
        self.hint = hint


def data(text: str = "") -> None:
    """Writes lines of the answer."""
    sys.stdout.write(clean(text) + "\n")


def data_report(report: "Report") -> None:
    """Writes the faults of a rules file as the answer."""
    # A report has escaped what it quotes, and has its own colours.
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
    """Writes a message that is not part of the answer."""
    _say(clean(text))


def note_report(report: "Report") -> None:
    """Writes the faults of a rules file that cannot be used."""
    _say(report.render(color=coloured(sys.stderr)))


def warning(text: str) -> None:
    """Writes a warning."""
    _say(f"{paint('warning', 'warning:', sys.stderr)} {clean(text)}")


def error(text: str, hint: str | None = None) -> None:
    """Writes an error, and the hint on its own line."""
    _say(f"{paint('error', 'error:', sys.stderr)} {clean(text)}")
    if hint:
        _say(f"{paint('hint', 'hint:', sys.stderr)} {clean(hint)}")


def clean(text: str) -> str:
    r"""Escapes control characters, which a terminal would obey.

    Names and remarks come from rules files, which may come from strangers.

    >>> print(clean("Golf\x1b[2J"))
    Golf\x1b[2J
    """
    return "".join(
        char if char.isprintable() or char in "\n\t" else char.encode("unicode_escape").decode()
        for char in text
    )


def use_log() -> None:
    """Writes messages to the log from now on, for a server whose log is read by programs."""
    global _log
    _log = logging.getLogger(__name__)


_log: logging.Logger | None = None


def _say(text: str) -> None:
    if _log is not None:
        _log.info("%s", text)
        return
    # On a terminal both streams share the screen, so flush one before the other.
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
    """The number of columns of the output."""
    return max(_NARROWEST, shutil.get_terminal_size((80, 24)).columns)


def letters_only() -> bool:
    """Whether standard output cannot show the symbols of the suits."""
    try:
        "♣♦♥♠▒─═→·".encode(sys.stdout.encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return True
    return False
