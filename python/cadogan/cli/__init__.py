"""The command line: ``cadogan games``, ``cadogan play klondike`` and so on.

Each command is a function in the module of its family. It is found by its import path when it is
called, so ``cadogan --help`` imports neither rules nor kernel, nor the library that parses the
command line. Data goes to standard output and everything else to standard error
(:mod:`cadogan.cli.output`). The exit status is 0 for success, 1 for a negative answer (a rules file
with errors, a line that does not replay), 2 for an invalid command line or input,
130 after Ctrl-C.
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
"""The exit status that shells report for a program that wrote into a closed pipe."""

_PLAY: Final = "Play"
_SOLVE: Final = "Solve and measure"
_RULES: Final = "Write rules"

ABOUT: Final = "Patience games from rules files: play them, solve them, measure them."
NAMING: Final = (
    "Name a game as 'cadogan games' lists it. Add variants after a colon "
    "(amazons:left-to-right+queens-free), or give the path of a rules file instead. "
    "'cadogan COMMAND --help' describes a command."
)
HELP_FLAGS: Final = ("--help", "-h")
OPTIONS: Final = (
    (", ".join(HELP_FLAGS), "Show this help."),
    ("--version", "Show the version."),
)

COMMANDS: Final = (
    (_PLAY, "games", "games:games", "List the games of the catalogue."),
    (_PLAY, "info", "games:info", "Show the piles and variants of a game."),
    (_PLAY, "rules", "rules:rules", "Explain the rules of a game, in English or in German."),
    (_PLAY, "deal", "deal:deal", "Deal a game and draw the table."),
    (_PLAY, "moves", "deal:moves", "List the legal moves."),
    (_PLAY, "play", "play:play", "Play in the terminal."),
    (_PLAY, "serve", "serve:serve", "Play in the browser: start a server on this machine."),
    (_PLAY, "accounts", None, "Manage the accounts of a server: add, invite, list, remove."),
    (_PLAY, "statistics", "statistics:statistics", "Show your results: wins, times, points."),
    (_PLAY, "backup", "backup:backup", "Save a copy of the database, while servers may use it."),
    (_PLAY, "restore", "backup:restore", "Restore the database from a backup."),
    (_PLAY, "rescue", "rescue:rescue", "Copy everything intact from a damaged database."),
    (_SOLVE, "solve", "solve:solve", "Find out whether a deal can be won."),
    (
        _SOLVE,
        "check-certificate",
        "certificate:check_certificate",
        "Check a proof that a deal cannot be won.",
    ),
    (_SOLVE, "replay", "replay:replay", "Check a line of moves, move by move."),
    (_SOLVE, "review", "review:review", "Show where a game was lost, and what kept the win."),
    (_SOLVE, "puzzles", None, "Make and check puzzles: one move wins, all others lose."),
    (_SOLVE, "perft", "perft:perft", "Count the lines of moves of a given length."),
    (_SOLVE, "tune", "tune:tune", "Tune the search for a game."),
    (_SOLVE, "study", None, "Measure how often games can be won: run, report and more."),
    (_RULES, "new", "new:new", "Write a rules file by answering questions."),
    (_RULES, "check", "rules:check", "Check rules files and report everything wrong with them."),
    (_RULES, "expand", "rules:expand", "Expand the phrases of a game into core rules."),
    (_RULES, "import", "rules:import_rules", "Translate the rules of another program."),
    (_RULES, "schema", "rules:schema", "Write the JSON Schema of rules files, for editors."),
)
"""Heading, name, place under :mod:`cadogan.cli`, and the line of help of every command.

A command without a place has commands of its own.
"""

STUDY: Final = (
    ("run", "Try deals and save the results."),
    ("status", "Show the progress of a study, and its results so far."),
    ("report", "Write a report."),
    ("plot", "Draw a plot."),
    ("compare", "Compare two games, or two players, on the same deals."),
    ("verify", "Replay all winning lines and look for contradictions."),
    ("rates", "Export win rates for the list of games."),
    ("export", "Export the results as a file, or as a data set to publish."),
    ("merge", "Add the results of other folders, such as the shards of a study."),
)
"""Name and line of help of every command of ``cadogan study``; all are in ``study.py``."""

PUZZLES: Final = (
    ("make", "Make puzzles of a game."),
    ("check", "Check a file of puzzles: solve every alternative again."),
)
"""The same for ``cadogan puzzles``."""

ACCOUNTS: Final = (
    ("add", "Make an account."),
    ("invite", "Make a link by which somebody makes their own account."),
    ("password", "Make a link by which a player chooses a new password."),
    ("list", "List the accounts."),
    ("remove", "Remove an account with everything that is stored of it."),
)
"""The same for ``cadogan accounts``."""

FAMILIES: Final = {"study": STUDY, "puzzles": PUZZLES, "accounts": ACCOUNTS}
"""The commands that have commands of their own."""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command line.

    Args:
        argv: The words after ``cadogan``; by default those of the process.

    Returns:
        The exit status.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # Letters that a terminal cannot show become question marks.
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
        from cadogan.cli.failures import report

        return report(error)
    return status


def application() -> "App":
    """The commands, none of them imported yet."""
    from cyclopts import App, Group, Parameter

    from cadogan.cli.help import Formatter

    app = App(
        name="cadogan",
        help_format="plaintext",
        help_formatter=Formatter(),
        help_flags=HELP_FLAGS,
        suppress_keyboard_interrupt=False,
        version_flags=[],
        default_parameter=Parameter(negative=(), show_default=True),
        group_parameters=Group("Options"),
    )
    for _, command, place, _ in COMMANDS:
        if place is not None:
            app.command(f"cadogan.cli.{place}", name=command)
            continue
        family = App(name=command)
        for name, _ in FAMILIES[command]:
            family.command(f"cadogan.cli.{command}:{name}", name=name)
        app.command(family)
    return app


def _run(words: list[str]) -> int:
    topic = [word for word in words if word not in HELP_FLAGS]
    if not topic or (len(topic) == 1 and topic[0] in FAMILIES):
        from cadogan.cli.help import family, overview

        sys.stdout.write(family(topic[0], FAMILIES[topic[0]]) if topic else overview())
        return 0
    if words == ["--version"]:
        from importlib.metadata import version

        sys.stdout.write(f"cadogan {version('cadogan')}\n")
        return 0
    result = application()(
        words, exit_on_error=False, print_error=False, result_action="return_value"
    )
    return result if isinstance(result, int) else 0


def _forget_output() -> None:
    """Lets Python exit silently although the pipe for its output is closed."""
    try:
        hole = os.open(os.devnull, os.O_WRONLY)
        os.dup2(hole, sys.stdout.fileno())
        os.close(hole)
    except (OSError, ValueError):
        pass
