"""Compares all games of Solvitaire, deal by deal: ``python -m bench.beside.presets --help``.

Every preset is translated into a rules file (``cadogan import solvitaire``). Both programs get the
deals ``solvitaire:N`` of the whole pack with small budgets, and deals of a small pack, which both
mostly decide. For each deal it is checked that both have the same table.

The comparison goes round all games, a few deals each time, and saves what it has found after each
game. When it is run again, it continues there. ``--table`` writes the counts to ``presets.md``.
"""

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.progress import Progress

from bench.beside.runs import PeerError, keep_to_one_core, run
from bench.beside.solvitaire import Pair, Solvitaire, compare, presets
from cadogan.exchange.solvitaire import SolvitaireError, complete_rules, rules_file
from cadogan.storage import replacing

HERE: Final = Path(__file__).parent
RESULTS: Final = HERE.parent / "results" / "presets.json"
TABLE: Final = HERE / "presets.md"
_ROUND: Final = 10
_HEADS: Final = (
    *("Game", "Deals", "Cadogan: won, lost", "Solvitaire: won, lost", "Both", "Contradictions"),
    *("Small deals", "Both", "Contradictions"),
)
_LETTERS: Final = {"winnable": "w", "unwinnable": "l", "unknown": "-"}


@dataclass
class Compared:
    """What both programs said of the deals of a game, from deal 1 on.

    Attributes:
        ours: Our verdicts, one letter per deal: ``w``, ``l``, or ``-`` for unknown.
        theirs: Solvitaire's verdicts.
    """

    ours: str = ""
    theirs: str = ""

    def number(self, ours: str, theirs: str) -> int:
        """How many deals have these verdicts; a letter may stand for several."""
        pairs = zip(self.ours, self.theirs, strict=True)
        return sum(one in ours and other in theirs for one, other in pairs)

    @property
    def contradictions(self) -> list[int]:
        """The deals on which the programs contradict each other."""
        pairs = enumerate(zip(self.ours, self.theirs, strict=True), 1)
        return [deal for deal, pair in pairs if {*pair} == {"w", "l"}]


@dataclass
class Preset:
    """The comparison of one game, with the whole pack and with a small one."""

    whole: Compared = field(default_factory=Compared)
    small: Compared = field(default_factory=Compared)


def shrunk(rules: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The rules of a game with about twenty cards, in which other numbers shrink alike.

    Args:
        rules: Solvitaire's rules, complete.

    Returns:
        Rules for a pack of five ranks, or for two packs of three.

    >>> shrunk(complete_rules('{"tableau piles": {"count": 6}, "reserve": {"size": 16}}'))[
    ...     "reserve"
    ... ]
    {'size': 6, 'stacked': False}
    """
    ranks = 3 if rules["two decks"] else 5
    share = ranks / 13

    def scaled(number: int) -> int:
        return max(1, round(number * share)) if number else 0

    small: dict[str, Any] = {name: dict(keys) for name, keys in rules.items() if _is_table(keys)}
    # Solvitaire's own schema refuses this key, which its reader knows.
    del small["foundations"]["complete piles"]
    small |= {"two decks": rules["two decks"], "max rank": ranks}
    for section, key in (("stock", "size"), ("reserve", "size"), ("accordion", "size")):
        small[section][key] = scaled(rules[section][key])
    cells, piles = rules["cells"], rules["tableau piles"]["count"]
    small["cells"]["count"] = min(cells["count"], max(1, scaled(cells["count"])))
    small["cells"]["pre-filled"] = min(small["cells"]["count"], scaled(cells["pre-filled"]))
    small["tableau piles"]["count"] = max(2, round(piles * share**0.5)) if piles else 0
    packs, foundations = 2 if rules["two decks"] else 1, rules["foundations"]
    laid = {"none": 0, "one": 1, "all": 4 * packs}[foundations["initial cards"]]
    left = 4 * ranks * packs - (laid if foundations["present"] else 0) - small["reserve"]["size"]
    left -= small["stock"]["size"] + small["cells"]["pre-filled"]
    # No pile of the tableau is vacant at first.
    lacking = max(0, small["tableau piles"]["count"] - left)
    small["stock"]["size"] = max(0, small["stock"]["size"] - lacking)
    return small


def _is_table(value: object) -> bool:
    return isinstance(value, Mapping)


def read() -> dict[str, Preset]:
    """The saved comparison."""
    if not RESULTS.exists():
        return {}
    data = json.loads(RESULTS.read_text(encoding="utf-8"))
    return {
        name: Preset(Compared(**each["whole"]), Compared(**each["small"]))
        for name, each in data["games"].items()
    }


def save(found: Mapping[str, Preset]) -> None:
    """Saves the comparison, a line for each game."""
    games = ",\n".join(
        f"{json.dumps(name)}: {json.dumps(asdict(each))}" for name, each in sorted(found.items())
    )
    date = datetime.now(UTC).date().isoformat()
    RESULTS.parent.mkdir(exist_ok=True)
    with replacing(RESULTS) as path:
        path.write_text(f'{{"date": "{date}", "games": {{\n{games}\n}}}}\n', encoding="utf-8")


def table() -> str:
    """The counts as a page."""
    date = json.loads(RESULTS.read_text(encoding="utf-8"))["date"]
    found = read()
    lines = [
        "# All games of Solvitaire, deal by deal",
        "",
        f"Written on {date} by `python -m bench.beside.presets --table`. The games are those of",
        "[Solvitaire](https://github.com/thecharlieblake/Solvitaire), translated by",
        "`cadogan import solvitaire`; the deals are `solvitaire:1` and following. *Both* counts",
        "the deals that both programs decided with small budgets. The small packs have five ranks,",
        "those of games with two packs three ranks.",
        "",
        f"| {' | '.join(_HEADS)} |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    rows = [(name, each) for name, each in sorted(found.items())]
    for name, each in rows:
        whole, small = each.whole, each.small
        ours, theirs = Counter(whole.ours), Counter(whole.theirs)
        cells = (
            *(name, len(whole.ours), f"{ours['w']} + {ours['l']}"),
            *(f"{theirs['w']} + {theirs['l']}", whole.number("wl", "wl")),
            *(_contradictions(whole), len(small.ours), small.number("wl", "wl")),
            _contradictions(small),
        )
        lines.append(f"| {' | '.join(map(str, cells))} |")

    def total(kind: str) -> str:
        each = [getattr(preset, kind) for _, preset in rows]
        deals, both = sum(len(c.ours) for c in each), sum(c.number("wl", "wl") for c in each)
        wrong = sum(len(c.contradictions) for c in each)
        return f"{deals:,} deals, {both:,} decided by both, {wrong} contradictions"

    lines += ["", f"{len(rows)} games. Whole packs: {total('whole')}."]
    lines += [f"Small packs: {total('small')}."]
    notes = (HERE / "presets-notes.md").read_text(encoding="utf-8")
    return "\n".join(lines) + "\n\n" + notes


def _contradictions(compared: Compared) -> str:
    wrong = compared.contradictions
    return f"{len(wrong)} ({', '.join(map(str, wrong))})" if wrong else "0"


def pairs(program: Path, folder: Path, name: str) -> Iterator[tuple[str, Pair]]:
    """A game with the whole pack, and with a small one if that makes a game."""
    text = run([program, "--describe-game-rules", name]).text
    small = shrunk(complete_rules(text))
    for kind, rules in (("whole", text), ("small", json.dumps(small))):
        path = folder / f"{name}-{kind}.toml"
        with suppress(SolvitaireError):
            path.write_text(rules_file(rules, name), encoding="utf-8")
            if kind == "whole":
                yield kind, Pair(str(path), preset=name, name=name)
            else:
                yield kind, Pair(str(path), rules=small, name=f"small {name}")


def main(arguments: list[str] | None = None) -> int:
    """Runs the comparison.

    Args:
        arguments: The command line, without the name of the program.

    Returns:
        The exit code: 0, 1 if verdicts contradict, 2 if the other program cannot be used, 130
        after Ctrl-C.
    """
    parser = argparse.ArgumentParser(
        prog="python -m bench.beside.presets", description="Compare all games of Solvitaire."
    )
    parser.add_argument("--solvitaire", type=Path, help="the program")
    parser.add_argument("--table", action="store_true", help=f"write {TABLE.name} and stop")
    parser.add_argument("--games", nargs="+", metavar="GAME", help="only these games")
    parser.add_argument("--deals", type=int, default=200, help="deals of each game (200)")
    parser.add_argument("--nodes", type=int, default=20_000, help="our budget (20,000)")
    parser.add_argument("--limit", type=float, default=0.2, help="seconds for Solvitaire (0.2)")
    parser.add_argument(
        "--small-nodes", type=int, default=200_000, help="for small packs (200,000)"
    )
    parser.add_argument("--small-limit", type=float, default=1.0, help="for small packs (1)")
    options = parser.parse_args(arguments)
    if options.table:
        TABLE.write_text(table(), encoding="utf-8")
        return 0
    if options.solvitaire is None:
        parser.error("say where the program is: --solvitaire PATH")
    err = Console(stderr=True, highlight=False, markup=False)
    keep_to_one_core()
    found, code = read(), 0
    with tempfile.TemporaryDirectory() as folder, Progress(console=err) as progress:
        here = Path(folder)
        try:
            names = options.games or presets(options.solvitaire)
            games = {name: dict(pairs(options.solvitaire, here, name)) for name in names}
            loaded = {
                (name, kind): (pair.load(here), Solvitaire(options.solvitaire, pair, "best", here))
                for name, each in games.items()
                for kind, pair in each.items()
            }
            task = progress.add_task("deals", total=options.deals * len(loaded))
            progress.update(
                task, completed=sum(len(getattr(found[n], k).ours) for n, k in loaded if n in found)
            )
            for last in range(_ROUND, options.deals + _ROUND, _ROUND):
                for (name, kind), (game, theirs) in loaded.items():
                    compared = getattr(found.setdefault(name, Preset()), kind)
                    first, to = len(compared.ours) + 1, min(last, options.deals)
                    small = kind == "small"
                    limit = options.small_limit if small else options.limit
                    nodes = options.small_nodes if small else options.nodes
                    for deal in compare(
                        games[name][kind], game, theirs, range(first, to + 1), nodes, limit
                    ):
                        compared.ours += _LETTERS[deal.ours]
                        compared.theirs += _LETTERS[deal.theirs]
                        if deal.contradiction:
                            code = 1
                            err.print(
                                f"{kind} {deal.game} {deal.deal}: {deal.ours}, "
                                f"Solvitaire says {deal.theirs}"
                            )
                        progress.update(task, advance=1)
                    save(found)
        except PeerError as error:
            err.print(f"error: {error}")
            code = 2
        except KeyboardInterrupt:
            err.print("Interrupted.")
            code = 130
    return code


if __name__ == "__main__":
    sys.exit(main())
