"""Files that somebody names: read up to a limit, however long they are."""

import sys
from pathlib import Path
from typing import Final

MOST_TEXT: Final = 8 << 20
"""Bytes of a file of moves, cards, a game, weights or a plan. A long game takes a tenth of it."""


class TooLargeFileError(ValueError):
    """A file has more bytes than it may have.

    Attributes:
        hint: What is probably wrong.
    """

    hint = "check that it is the right file"


def read_text(path: Path, most: int = MOST_TEXT) -> str:
    """The text of a file, or of standard input for ``-``.

    Args:
        path: The file. It may be a device or a pipe.
        most: How many bytes it may have.

    Raises:
        TooLargeFileError: If there are more; no more than one of them was read.
        UnicodeDecodeError: If it is not UTF-8.
        OSError: If it cannot be read.
    """
    if str(path) == "-":
        # A stream that is text already has its own encoding.
        text = sys.stdin.read(most + 1)
        _check(len(text), "standard input", most)
        return text
    with path.open("rb") as file:
        found = file.read(most + 1)
    _check(len(found), str(path), most)
    return found.decode().replace("\r\n", "\n").replace("\r", "\n")


def _check(size: int, name: str, most: int) -> None:
    if size > most:
        raise TooLargeFileError(f"{name} has more than {most >> 20} MB, too much for such a file")
