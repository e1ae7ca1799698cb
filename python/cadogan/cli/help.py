"""The layout of help: headings, and under each a column of names and a column of texts.

``cadogan --help`` comes from the table of commands alone. The help of a command comes from its
function, by cyclopts, in the same form.
"""

import sys
import textwrap
from collections.abc import Iterable
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from cadogan.cli import ABOUT, COMMANDS, NAMING, OPTIONS
from cadogan.cli.output import paint, width

if TYPE_CHECKING:
    from cyclopts.help import HelpEntry, HelpPanel
    from rich.console import Console, ConsoleOptions

_LONGEST: Final = 18
"""A longer name gets its own line, so that the texts begin near the names."""
_ENDLESS: Final = 100_000


def overview() -> str:
    """The help of ``cadogan``."""
    parts = ["Usage: cadogan COMMAND\n", f"{ABOUT}\n"]
    for heading, commands in groupby(COMMANDS, key=lambda command: command[0]):
        parts.append(section(heading, [(name, text) for _, name, _, text in commands]))
    parts += [section("Options", OPTIONS), textwrap.fill(NAMING, width()) + "\n"]
    return "\n".join(parts)


def family(name: str, commands: Iterable[tuple[str, str]]) -> str:
    """The help of a command with subcommands."""
    about = next(text for _, command, _, text in COMMANDS if command == name)
    parts = [
        f"Usage: cadogan {name} COMMAND\n",
        f"{about}\n",
        section("Commands", commands),
        textwrap.fill(f"'cadogan {name} COMMAND --help' describes a command.", width()) + "\n",
    ]
    return "\n".join(parts)


def section(heading: str, rows: Iterable[tuple[str, str]]) -> str:
    """A heading and two columns.

    >>> print(section("Play", [("games", "List the games."), ("info", "Show a game.")]), end="")
    Play
      games  List the games.
      info   Show a game.
    """
    rows = list(rows)
    column = max((len(name) for name, _ in rows if len(name) <= _LONGEST), default=0)
    lines = [paint("heading", heading, sys.stdout)]
    for name, text in rows:
        indent = " " * (column + 4)
        lead = f"  {name:<{column}}  "
        if len(lead) > len(indent):
            lines.append(lead.rstrip())
            lead = indent
        lines.append(
            textwrap.fill(
                text,
                max(width(), len(indent) + 20),
                initial_indent=lead,
                subsequent_indent=indent,
                break_on_hyphens=False,
            )
            or lead.rstrip()
        )
    return "\n".join(lines) + "\n"


class Formatter:
    """Writes the help of a command for cyclopts, which calls it once for each section."""

    def __call__(self, console: "Console", options: "ConsoleOptions", panel: "HelpPanel") -> None:
        """Writes a section."""
        rows = [
            (", ".join(entry.display_labels_with_metavar), _described(entry, console))
            for entry in panel.entries
        ]
        if rows:
            _write(console, section(str(panel.title), rows))

    def render_usage(self, console: "Console", options: "ConsoleOptions", usage: Any) -> None:
        """Writes the line of usage."""
        _write(console, f"Usage: {_plain(usage, console).removeprefix('Usage: ')}\n")

    def render_description(self, console: "Console", options: "ConsoleOptions", text: Any) -> None:
        """Writes what the command does."""
        paragraphs = [" ".join(part.split()) for part in _plain(text, console).split("\n\n")]
        _write(console, "\n\n".join(textwrap.fill(part, width()) for part in paragraphs) + "\n")


def _described(entry: "HelpEntry", console: "Console") -> str:
    """The text of an option, with its choices and its default."""
    parts = [_plain(entry.description, console)]
    if entry.choices:
        parts.append(f"One of: {', '.join(entry.choices)}.")
    if entry.required and not entry.positional_label:
        parts.append("Required.")
    if entry.default not in (None, "None", "False"):
        parts.append(f"Default: {entry.default}.")
    return " ".join(parts)


def _plain(text: Any, console: "Console") -> str:
    """The words of what rich would print, on one line each paragraph."""
    if not text or isinstance(text, str):
        return (text or "").strip()
    pieces = console.render(text, console.options.update(width=_ENDLESS))
    return "".join(piece.text for piece in pieces).strip()


def _write(console: "Console", text: str) -> None:
    console.out(text, highlight=False)
