"""Reports errors: one line, possibly a hint, and the exit status.

Mistakes of the user never show a traceback. An internal error says so, and how to see more.
"""

import difflib
import os
import sys
import traceback
from typing import Final

from cadogan.cli import COMMANDS, FAMILIES
from cadogan.cli.output import UsageError, error, note_report
from cadogan.trouble import trouble

USAGE: Final = 2
INTERNAL: Final = 3


def report(fault: Exception) -> int:
    """Reports an exception.

    Returns:
        The exit status.
    """
    match fault:
        case UsageError():
            error(str(fault), fault.hint)
        case UnicodeDecodeError():
            error("the input is not text in UTF-8", "save the file as UTF-8")
        case OSError() if (world := trouble(fault)) is None or world.key == "system":
            error(_of_system(fault))
        case _ if (world := trouble(fault)) is not None:
            error(world.text, world.hint)
        case _:
            return _of_cadogan(fault)
    return USAGE


def _of_system(fault: OSError) -> str:
    reason = (fault.strerror or str(fault)).lower()
    return f"{fault.filename}: {reason}" if fault.filename is not None else reason


def _of_cadogan(fault: Exception) -> int:
    # The code that raised these has imported them, so importing them costs nothing.
    from cyclopts import CycloptsError

    if isinstance(fault, CycloptsError):
        _of_usage(fault)
        return USAGE
    from cadogan.cards import CardError
    from cadogan.deals import DealError, DeckError
    from cadogan.moves import MoveError
    from cadogan.reading import TooLargeFileError
    from cadogan.rules import RulesError, UnknownGameError
    from cadogan.savefile import SavedGameError
    from cadogan.solver.config import WeightsError
    from cadogan.study.errors import StudyError

    match fault:
        case UnknownGameError():
            error(str(fault), "'cadogan games' lists them all")
        case RulesError():
            note_report(fault.report)
        case StudyError() | TooLargeFileError():
            error(str(fault), fault.hint)
        case WeightsError():
            error(*_parted(str(fault)))
        case DealError() | DeckError() | CardError() | MoveError() | SavedGameError():
            error(str(fault))
        case _:
            return _internal(fault)
    return USAGE


def _of_usage(fault: Exception) -> None:
    from cyclopts import UnknownCommandError, UnusedCliTokensError

    if isinstance(fault, UnknownCommandError):
        # Its own text would import every command in order to list them.
        word = (fault.unused_tokens or [""])[0]
        known = [name for _, name, _, _ in COMMANDS]
        known += [name for family in FAMILIES.values() for name, _ in family]
        near = difflib.get_close_matches(word, known, 1)
        hint = f"did you mean {near[0]!r}?" if near else "'cadogan --help' lists the commands"
        error(f"unknown command {word!r}", hint)
    elif isinstance(fault, UnusedCliTokensError):
        words = ", ".join(map(repr, fault.unused_tokens or []))
        error(f"too many words: {words}", "add --help to see how the command is used")
    else:
        text = " ".join(str(fault).split())
        error(_sentence(text), "add --help to see how the command is used")


def _sentence(text: str) -> str:
    """In our style: begins in lower case and ends without a full stop."""
    return text[:1].lower() + text[1:].rstrip(".")


def _parted(text: str) -> tuple[str, str | None]:
    """Splits a message into the problem and, after the last semicolon, the hint."""
    wrong, _, hint = text.rpartition("; ")
    return (wrong, hint) if wrong else (hint, None)


def _internal(fault: Exception) -> int:
    if os.environ.get("CADOGAN_DEBUG"):
        traceback.print_exception(fault, file=sys.stderr)
    error(
        f"an internal error: {type(fault).__name__}: {fault}",
        "set CADOGAN_DEBUG=1 to see where, and report it",
    )
    return INTERNAL
