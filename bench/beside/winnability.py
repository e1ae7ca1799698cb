"""Compares our win rates with Blake and Gent's: ``python -m bench.beside.winnability --help``.

Their figures are for presets of Solvitaire, so the presets are translated into rules files
(``cadogan import solvitaire``), and a study tries deals of each. When it is run again, with more
deals or larger budgets, too, the study continues. ``--table`` writes ``winnability.md``.
"""

import argparse
import sys
import tomllib
from collections.abc import Collection
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from rich.console import Console

from bench.beside.runs import PeerError, keep_to_one_core, run
from cadogan.exchange.solvitaire import rules_file
from cadogan.study.errors import StudyError
from cadogan.study.executors import local
from cadogan.study.literature import Value
from cadogan.study.plan import Plan, plan_of
from cadogan.study.report import bounds
from cadogan.study.run import Progress
from cadogan.study.run import run as run_study
from cadogan.study.store import Store
from cadogan.study.summary import Summary, summarize

HERE: Final = Path(__file__).parent
TABLE: Final = HERE / "winnability.md"
_HEADS: Final = (
    *(
        "Preset",
        "Published, %",
        "Deals",
        "Won",
        "Lost",
        "Undecided",
        "Ours, 95 % interval",
        "Inside",
    ),
)


def published() -> dict[str, Value]:
    """The published figures, by preset.

    >>> published()["klondike"].share
    81.945
    """
    data = tomllib.loads((HERE / "blake-gent.toml").read_text(encoding="utf-8"))
    return {
        each["preset"]: Value(
            each["preset"], each["share"], "blake-gent", "", each.get("half_width", 0.0)
        )
        for each in data["value"]
    }


def plan(rules: Path, deals: int, budgets: list[int], games: Collection[str] = ()) -> Plan:
    """The study of all presets with a figure, or only of some games."""
    data: dict[str, Any] = {
        "title": "Published win rates",
        "defaults": {"deals": f"cadogan:0..{deals - 1}", "budget": budgets},
        "study": [{"game": str(rules / f"{preset}.toml")} for preset in games or published()],
    }
    return plan_of(data, "winnability")


def translate(program: Path, rules: Path) -> None:
    """Writes a rules file for each preset that is not there yet."""
    rules.mkdir(parents=True, exist_ok=True)
    for preset in published():
        path = rules / f"{preset}.toml"
        if not path.exists():
            text = run([program, "--describe-game-rules", preset]).text
            path.write_text(rules_file(text, preset), encoding="utf-8")


def table(summaries: list[Summary]) -> str:
    """The comparison as a page."""
    date = datetime.now(UTC).date().isoformat()
    rows, outside = [], 0
    for each in summaries:
        value = published()[Path(each.study.game).stem]
        interval, tally = each.interval, each.tally
        if not tally.deals:
            continue
        inside = "yes"
        if value.share / 100 not in interval:
            inside = "within the errors of both" if interval.meets(value.interval) else "**no**"
            outside += inside == "**no**"
        counts = (tally.deals, tally.won, tally.lost, tally.undecided)
        rows.append((value.game, str(value), *map(str, counts), bounds(interval), inside))
    budgets = " and then ".join(f"{budget:,}" for budget in summaries[0].study.budgets)
    lines = [
        "# Published win rates and ours",
        "",
        f"Written on {date} by `python -m bench.beside.winnability --table`. The published",
        "figures are those of Charlie Blake and Ian P. Gent (Journal of Artificial Intelligence",
        "Research 85, article 21, 2026), tables 1 to 3, for a player that knows all cards. The",
        "games are presets of Solvitaire, translated by `cadogan import solvitaire`; our deals are",
        f"`cadogan:0` and following, with {budgets} nodes each. Our interval is Wilson's, and",
        "undecided deals count both ways.",
        "",
        f"| {' | '.join(_HEADS)} |",
        f"|---|{'--:|' * 6}---|",
        *(f"| {' | '.join(row)} |" for row in rows),
        "",
        f"{len(rows)} presets, {outside} of them outside. One in twenty is expected outside.",
    ]
    return "\n".join(lines) + "\n"


def main(arguments: list[str] | None = None) -> int:
    """Runs the study and writes the table.

    Args:
        arguments: The command line, without the name of the program.

    Returns:
        The exit code: 0, 2 if the study or the other program fails, 130 after Ctrl-C.
    """
    parser = argparse.ArgumentParser(
        prog="python -m bench.beside.winnability", description="Compare published win rates."
    )
    parser.add_argument("--solvitaire", type=Path, help="the program, for its rules")
    parser.add_argument("--out", type=Path, default=Path("out/blake-gent"), help="the folder")
    parser.add_argument("--deals", type=int, default=1_000, help="deals of each game (1,000)")
    parser.add_argument("--budget", type=int, nargs="+", default=[20_000, 200_000, 1_000_000])
    parser.add_argument("--games", nargs="+", metavar="PRESET", default=[], help="only these")
    parser.add_argument("--table", action="store_true", help=f"write {TABLE.name} and stop")
    options = parser.parse_args(arguments)
    err = Console(stderr=True, highlight=False, markup=False)
    rules = options.out / "rules"
    if not options.table and options.solvitaire is None:
        parser.error("say where the program is: --solvitaire PATH")
    try:
        if options.table:
            asked = plan(rules, options.deals, options.budget)
            found = summarize(Store(options.out / "store"), asked)
            TABLE.write_text(table(found), encoding="utf-8")
            return 0
        translate(options.solvitaire, rules)
        keep_to_one_core()
        store = Store(options.out / "store", create=True)

        asked = plan(rules, options.deals, options.budget, options.games)

        def report(progress: Progress) -> None:
            done = sum(tally.deals for tally in progress.tallies)
            err.print(f"{done:,} of {sum(progress.sizes):,} deals", end="\r")

        with local(1) as engine:
            run_study(asked, store, engine, report=report)
    except (PeerError, StudyError) as error:
        err.print(f"error: {error}")
        return 2
    except KeyboardInterrupt:
        err.print("Interrupted.")
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
