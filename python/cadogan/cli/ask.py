"""Asks the user for a line of text."""

import sys

from cadogan.cli import output


def ask_line(prompt: str) -> str | None:
    """Reads a line.

    Args:
        prompt: What is shown before it.

    Returns:
        The line; ``None`` at the end of the input.
    """
    if sys.stdin.isatty():
        try:
            return input(prompt)
        except EOFError:
            return None
    sys.stdout.write(prompt)
    sys.stdout.flush()
    line = sys.stdin.readline()
    if not line:
        return None
    # Input from a file or a pipe is not echoed automatically.
    output.data(line.rstrip("\n"))
    return line
