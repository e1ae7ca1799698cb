"""Won lines of the games, in ``tests/lines``, and why some games have none: the page of the docs.

Run as a program, it searches for a line for the games named, or for all that have none, records
what was tried in vain in ``tests/lines/none.toml``, and writes ``docs/won-lines.md``.
"""

import argparse
import sys
import time
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from cadogan import Game, load, solve
from cadogan.rules import catalogue, load_rules
from tests.goldens import golden

FOLDER: Final = Path(__file__).parent / "lines"
RECORD: Final = FOLDER / "none.toml"
PAGE: Final = Path(__file__).parents[1] / "docs" / "won-lines.md"

MEMORY: Final = 1 << 29
LINES: Final = 3
"""So many lines of a game are compared; the shortest is stored."""

INTRODUCTION: Final = """\
# Won lines

The folder `tests/lines` has {lines} games that were won, one of each game, from the first deal to
the last card. A test plays all of them move by move, and if there is an independent oracle of the
game, on the oracle, too. The solver found most of them. `python -m tests.won_lines` searches for
those that are missing and writes this page; `make game-goldens` does the same for new games.

{rest}
"""
REST: Final = """\
The other games have no line yet. "Lost" are deals that the solver proved lost; the others were
undecided within the budget of nodes.

| Game | Deals tried | Lost | Budget of each | Why |
| --- | --: | --: | --: | --- |
"""


class Attempt(NamedTuple):
    """What was tried in vain.

    Attributes:
        deals: How many deals were searched.
        lost: How many of them are lost.
        budget: The most nodes of each search.
    """

    deals: int
    lost: int
    budget: int


def with_line() -> set[str]:
    """The games that have a line."""
    return {path.stem for path in FOLDER.glob("*.txt")}


def attempts() -> dict[str, Attempt]:
    """What was tried for games that have no line."""
    text = RECORD.read_text(encoding="utf-8") if RECORD.exists() else ""
    return {game: Attempt(**tried) for game, tried in tomllib.loads(text).items()}


def missing() -> list[str]:
    """The games of the catalogue that have neither a line nor a reason."""
    known = with_line() | attempts().keys()
    return [game for game in catalogue() if game not in known]


def reason(game: str, tried: Attempt) -> str:
    """Why a game has no line, in a few words."""
    score = load_rules(game).rulebook.score
    if score is not None and score.won_from is not None:
        return f"a game for points, won from {score.won_from}"
    if tried.lost == tried.deals:
        return "all of them are lost"
    return "rarely won, or too large for the budget"


def page() -> str:
    """The page of the docs."""
    rows = "".join(
        f"| `{game}` | {tried.deals:,} | {tried.lost:,} | {tried.budget:,} "
        f"| {reason(game, tried)} |\n"
        for game, tried in sorted(attempts().items())
    )
    rest = REST + rows if rows else "No game is without a line.\n"
    return INTRODUCTION.format(lines=len(with_line()), rest=rest.rstrip("\n"))


def record(found: Mapping[str, Attempt]) -> None:
    """Records what was tried in vain; games that have a line by now are left out."""
    known = attempts()
    for game, tried in found.items():
        known[game] = max(known.get(game, tried), tried, key=lambda one: one.deals * one.budget)
    for game in with_line() | (known.keys() - {*catalogue()}):
        known.pop(game, None)
    RECORD.write_text(
        "".join(
            f"{game} = {{ deals = {one.deals}, lost = {one.lost}, budget = {one.budget} }}\n"
            for game, one in sorted(known.items())
        ),
        encoding="utf-8",
    )
    PAGE.write_text(page(), encoding="utf-8")


def numbers(game: str, deals: int) -> Iterable[int]:
    """The deals to try, those first that are known to be won."""
    path = golden("corpus", game)
    known = tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return dict.fromkeys([*known.get("won", ()), *range(1, deals + 1)])


def search(game: Game, deals: Iterable[int], budget: int, seconds: float) -> Attempt | list[str]:
    """Searches for a short won line of a game.

    Args:
        game: The game.
        deals: The numbers of the deals to try.
        budget: The most nodes of each search.
        seconds: The time after which no other deal is begun.

    Returns:
        The file of the line, or what was tried in vain.
    """
    lines: list[list[str]] = []
    tried = lost = 0
    end = time.monotonic() + seconds
    for number in deals:
        if len(lines) == LINES or time.monotonic() > end:
            break
        position = game.deal(f"cadogan:{number}")
        verdict = solve(position, budget, memory=MEMORY)
        tried += 1
        lost += verdict.status == "unwinnable"
        if verdict.status == "winnable":
            moves = [str(move) for move in verdict.line if not move.forced]
            lines.append([f"{game.name} cadogan:{number}", *moves])
    return min(lines, key=len) if lines else Attempt(tried, lost, budget)


def main(arguments: list[str] | None = None) -> int:
    """Searches for the lines that are missing, and writes the page.

    Args:
        arguments: The command line, without the name of the program.

    Returns:
        The exit code: 2 if a game is unknown.
    """
    parser = argparse.ArgumentParser(
        prog="python -m tests.won_lines", description="Search for won lines of games."
    )
    parser.add_argument(
        "games", nargs="*", help="games, also with a variant (default: those without a line)"
    )
    parser.add_argument("--deals", type=int, default=30, help="how many deals of each")
    parser.add_argument("--budget", type=int, default=60_000, help="nodes of each search")
    parser.add_argument("--seconds", type=float, default=20, help="the time for each game")
    asked = parser.parse_args(arguments)
    games = [game for game in asked.games or catalogue() if game not in with_line()]
    unknown = {game.partition(":")[0] for game in games} - {*catalogue()}
    if unknown:
        print(f"There is no {' and no '.join(sorted(unknown))} in the catalogue.", file=sys.stderr)
        return 2
    for name in games:
        plain = name.partition(":")[0]
        found = search(load(name), numbers(name, asked.deals), asked.budget, asked.seconds)
        if isinstance(found, Attempt):
            print(f"{name}: none in {found.deals} deals, {found.lost} of them lost", flush=True)
            record({name: found} if name == plain else {})
        else:
            text = "".join(f"{line}\n" for line in found)
            (FOLDER / f"{plain}.txt").write_text(text, encoding="utf-8")
            print(f"{name}: {len(found) - 1} moves", flush=True)
            record({})
    record({})
    return 0


if __name__ == "__main__":
    sys.exit(main())
