"""The command line: ``cadogan games``, ``cadogan play klondike`` and so on.

Each command is a function in the module of its family, found by its import path when it is called,
so that ``cadogan --help`` imports neither rules nor kernel. Data goes to standard output and all
else to standard error (:mod:`cadogan.cli.output`). The exit status is 0 if all is well, 1 for a
negative answer (a rules file with errors, a line that does not replay), 2 for a question that
cannot be answered as it was put, 130 after Ctrl-C.
"""

import io
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from cyclopts import App

INTERRUPTED: Final = 130
BROKEN_PIPE: Final = 141
"""What a shell reports of a program that wrote into a closed pipe."""

_PLAY: Final = "Playing"
_RULES: Final = "Rules"
_PROOF: Final = "Proving and measuring"

COMMANDS: Final = (
    (_PLAY, "games", "games:games", "List the games of the catalogue."),
    (_PLAY, "show", "games:show", "Show what a game consists of, and its variants."),
    (_PLAY, "explain", "rules:explain", "Tell the rules of a game in words."),
    (_PLAY, "deal", "deal:deal", "Deal a game and draw the table."),
    (_PLAY, "moves", "deal:moves", "List the legal moves."),
    (_PLAY, "play", "play:play", "Play a game in the terminal."),
    (_PLAY, "table", "serve:table", "Play in the browser."),
    (_PLAY, "rescue", "rescue:rescue", "Copy all that is whole in a damaged database."),
    (_PROOF, "solve", "solve:solve", "Say whether a deal can be won."),
    (_PROOF, "replay", "replay:replay", "Check a line of moves, move by move."),
    (_PROOF, "perft", "perft:perft", "Count the lines of moves of a given length."),
    (_PROOF, "tune", "tune:tune", "Learn how to search a game."),
    (_RULES, "check", "rules:check", "Check rules files and tell all their faults."),
    (_RULES, "expand", "rules:expand", "Write out the core rules that a game's phrases stand for."),
    (_RULES, "schema", "rules:schema", "Write the JSON Schema of rules files, for editors."),
)
"""Heading, name, place under :mod:`cadogan.cli`, and the line of help of every command."""

STUDY: Final = (
    ("run", "Try deals, and keep what comes of them."),
    ("status", "Say how far the studies of a folder are."),
    ("report", "Write a page that tells what was found out."),
    ("plot", "Draw a plot."),
    ("compare", "Compare two games, or two players, on the same deals."),
    ("verify", "Play all winning lines again, and look for contradictions."),
    ("chances", "Write what the list of games tells of how often they come out."),
    ("export", "Write the records for other programs."),
    ("merge", "Take over the records of other folders."),
)
"""Name and line of help of every command of ``cadogan study``; all are in ``study.py``."""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command line.

    Args:
        argv: The words after ``cadogan``; by default those the program was called with.

    Returns:
        The exit status.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal that cannot show a letter shows a question mark.
            stream.reconfigure(errors="replace")
    try:
        status = _run(sys.argv[1:] if argv is None else list(argv))
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        _forget_output()
        return BROKEN_PIPE
    except Exception as error:
        from cadogan.cli.failures import tell

        return tell(error)
    return status


def application() -> "App":
    """The commands, none of them imported yet."""
    from cyclopts import App, Group, Parameter

    app = App(
        name="cadogan",
        help="Patience games written down as rules: played, proved and measured.",
        help_epilogue=(
            "A game is named as in 'cadogan games', with variants after a colon "
            "(amazons:left-to-right+queens-free), or by the path of a rules file. "
            "'cadogan COMMAND --help' tells more of a command."
        ),
        help_format="plaintext",
        help_flags=["--help", "-h"],
        suppress_keyboard_interrupt=False,
        version=_version,
        version_flags=["--version"],
        default_parameter=Parameter(negative=(), show_default=False),
        group_commands=Group("Other", sort_key=9),
    )
    groups = {name: Group(name, sort_key=key) for key, name in enumerate((_PLAY, _PROOF, _RULES))}
    for key, (heading, name, place, text) in enumerate(COMMANDS):
        app.command(
            f"cadogan.cli.{place}",
            name=name,
            help_epilogue="",
            group=groups[heading],
            sort_key=key,
            help=text,
        )
    study = App(
        name="study",
        help="Find out how often games come out: run, status, report and so on.",
        help_format="plaintext",
        group=groups[_PROOF],
        sort_key=len(COMMANDS),
        version_flags=[],
        default_parameter=Parameter(negative=(), show_default=False),
    )
    for key, (name, text) in enumerate(STUDY):
        study.command(
            f"cadogan.cli.study:{name}", name=name, help_epilogue="", sort_key=key, help=text
        )
    app.command(study)
    return app


def _run(words: list[str]) -> int:
    result = application()(
        words, exit_on_error=False, print_error=False, result_action="return_value"
    )
    return result if isinstance(result, int) else 0


def _version() -> str:
    from importlib.metadata import version

    return f"cadogan {version('cadogan')}"


def _forget_output() -> None:
    """Lets Python end without a word although nobody reads what it still wants to write."""
    try:
        hole = os.open(os.devnull, os.O_WRONLY)
        os.dup2(hole, sys.stdout.fileno())
        os.close(hole)
    except (OSError, ValueError):
        pass
