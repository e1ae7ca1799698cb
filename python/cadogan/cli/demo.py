"""``python -m cadogan.cli.demo GAME[=DEAL] ...``: games dealt, drawn and decided.

Without names it shows all games of the catalogue. Tables and verdicts go to stdout, progress
goes to stderr.
"""

import argparse
import shutil
import sys
import time
from pathlib import Path

from rich.console import Console
from rich.text import Text

from cadogan.cli.draw import LETTERS, SYMBOLS, draw
from cadogan.game import Position, load
from cadogan.rules import catalogue
from cadogan.solver.solve import Verdict, solve

DEAL = "cadogan:1"
BUDGET = 500_000
WIDTH = 100

_STYLES = {"winnable": "bold green", "unwinnable": "bold red", "unknown": "bold yellow"}


def main(arguments: list[str] | None = None) -> int:
    """Shows some games.

    Args:
        arguments: The command line, without the name of the program.

    Returns:
        The exit code: 0, or 130 after Ctrl-C.
    """
    parser = argparse.ArgumentParser(
        prog="python -m cadogan.cli.demo", description="Deal games, draw them, and decide them."
    )
    parser.add_argument(
        "games",
        nargs="*",
        metavar="GAME[=DEAL]",
        help=f"games, with deals other than {DEAL}; by default all games of the catalogue",
    )
    parser.add_argument(
        "--budget",
        type=int,
        default=BUDGET,
        help=f"the node budget for each game ({BUDGET:,})",
    )
    options = parser.parse_args(arguments)
    out, err = Console(highlight=False), Console(stderr=True, highlight=False)
    names = options.games or list(catalogue())
    began = time.monotonic()
    try:
        decided = []
        for number, name in enumerate(names, 1):
            game, _, deal = name.partition("=")
            position = load(game).deal(deal or DEAL)
            place = f"game {number} of {len(names)}"
            decided.append((position, show(position, options.budget, place, out, err)))
    except KeyboardInterrupt:
        err.print("interrupted")
        return 130
    if len(decided) > 1:
        summarize(decided, out)
    count = "1 game" if len(names) == 1 else f"{len(names)} games"
    err.print(f"{count} in {time.monotonic() - began:.1f} seconds", style="dim")
    return 0


def show(position: Position, budget: int, place: str, out: Console, err: Console) -> Verdict:
    """Draws one deal, solves it and shows commands to continue with it."""
    out.rule(style="dim")
    glyphs = SYMBOLS if "utf" in (out.encoding or "").lower() else LETTERS
    out.print(draw(position, width=min(out.width, WIDTH), glyphs=glyphs), soft_wrap=True)
    out.print()
    began = time.monotonic()
    with err.status(f"{place}: searching {position.game.title}, {budget:,} positions at most ..."):
        verdict = solve(position, budget)
    out.print(render(verdict, min(out.width, WIDTH)), soft_wrap=True)
    err.print(f"{place}: searched in {time.monotonic() - began:.1f} seconds", style="dim")
    for command in ("play", "solve", "rules"):
        deal = f" --deal {position.deal_name}" if command != "rules" else ""
        line = f"    {program()} {command} {position.game.name}{deal}"
        out.print(line, style="cyan", soft_wrap=True)
    out.print()
    return verdict


def render(verdict: Verdict, width: int) -> Text:
    """A verdict with as many of its first moves as fit into a line."""
    text = Text.assemble("Verdict: ", (str(verdict), _STYLES[verdict.status]))
    beginning = ""
    for move in verdict.line:
        longer = f"{beginning}; {move}" if beginning else str(move)
        if beginning and len(f"It begins: {longer}; ...") > width:
            break
        beginning = longer
    if beginning:
        text.append(f"\nIt begins: {beginning}; ...")
    return text


def summarize(decided: list[tuple[Position, Verdict]], out: Console) -> None:
    """Lists all verdicts again, one per line, and where to read more."""
    out.rule(style="dim")
    title = max(len(position.game.title) for position, _ in decided)
    deal = max(len(str(position.deal_name)) for position, _ in decided)
    for position, verdict in decided:
        lead = f"{position.game.title:<{title}}  {position.deal_name!s:<{deal}}  "
        out.print(Text.assemble(lead, (str(verdict), _STYLES[verdict.status])), soft_wrap=True)
    out.print(
        f"\nThere are more games: {program()} games"
        f"\nThere are more commands: {program()} --help"
        "\ndocs/tour.md is a tour of ten minutes.",
        soft_wrap=True,
    )


def program() -> str:
    """The words that run the command line from here."""
    if shutil.which("cadogan") is not None:
        return "cadogan"
    beside = Path(sys.executable).with_name("cadogan")
    if not beside.exists():
        return f"{Path(sys.executable).name} -m cadogan.cli"
    here = Path.cwd()
    return str(beside.relative_to(here) if beside.is_relative_to(here) else beside)


if __name__ == "__main__":
    sys.exit(main())
