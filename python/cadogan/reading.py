"""Reads files that a user names, up to a size limit."""

import sys
from pathlib import Path
from typing import Final

MOST_TEXT: Final = 8 << 20
"""The largest size of a file in bytes. A long game needs a tenth of it."""


class TooLargeFileError(ValueError):
    """A file is larger than the limit.

    Attributes:
        hint: What to do.
    """

    hint = "check that it is the right file"


def read_text(path: Path, most: int = MOST_TEXT) -> str:
    """Reads the text of a file, or of standard input for ``-``.

    Args:
        path: The file. It may be a device or a pipe.
        most: The largest size in bytes.

    Returns:
        The text with Unix line ends.

    Raises:
        TooLargeFileError: If the file is larger. At most one byte beyond the limit is read.
        UnicodeDecodeError: If the file is not UTF-8.
        OSError: If the file cannot be read.
    """
    if str(path) == "-":
        # Standard input is text already and has its own encoding.
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
