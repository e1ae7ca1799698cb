"""Compares Cadogan with Solvitaire: ``python -m bench.beside.solvitaire --solvitaire PATH``.

Both get the deals ``solvitaire:N`` of the games of ``games.toml`` in turn, on one core. Solvitaire
gets a time limit and its best mode, which first searches with streamliners that may miss wins, and
then without. Cadogan gets a node budget, either given or calibrated on other deals so that it
takes at most the time limit. For each deal it is checked that both have the same table. Every
contradiction of verdicts is reported.
"""

import argparse
import csv
import json
import re
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from rich.console import Console

from bench.beside.runs import PeerError, calibrated, keep_to_one_core, run, solved
from cadogan import Game, Position, load
from cadogan.exchange.solvitaire import SolvitaireError, rules_file
from cadogan.storage import CATALOGUE

HERE = Path(__file__).parent
RESULTS = HERE.parent / "results" / "solvitaire.json"
MODES = {"best": "smart-solvability", "plain": "none"}
CALIBRATION = tuple(f"solvitaire:{number}" for number in range(100_001, 100_041))
"""The deals for calibrating budgets; they are not measured."""
_VERDICTS = {
    "solved": "winnable",
    "unsolvable": "unwinnable",
    "timed-out": "unknown",
    "memory-limit-reached": "unknown",
}
_LETTERS = {"winnable": "w", "unwinnable": "l", "unknown": "-"}


@dataclass(frozen=True)
class Pair:
    """A game and its counterpart in Solvitaire.

    Attributes:
        game: The name of our game, with variants, or of a rules file beside this module.
        preset: The name in Solvitaire.
        rules: The rules in Solvitaire's format, if it has no name for the game.
        name: The name of the pair in the results.
        change: A variant of our game that is not in the rules file.
        misses: Why Solvitaire may report a winnable deal as unwinnable.
    """

    game: str
    preset: str | None = None
    rules: dict[str, Any] | None = None
    name: str = ""
    change: str = ""
    misses: str = ""

    def __post_init__(self) -> None:
        if not self.name:
            object.__setattr__(self, "name", self.game)

    def load(self, folder: Path) -> Game:
        """Loads our game.

        Args:
            folder: Where a rules file may be written.
        """
        if not self.change:
            return load(str(HERE / self.game) if self.game.endswith(".toml") else self.game)
        path = folder / f"{self.name.replace(' ', '-').replace(':', '-')}.toml"
        text = (CATALOGUE / f"{self.game}.toml").read_text(encoding="utf-8")
        path.write_text(f"{text}\n[variants.here]\n{self.change}", encoding="utf-8")
        return load(f"{path}:here")


@dataclass(frozen=True)
class Deal:
    """Both verdicts of a deal; seconds are processor time."""

    game: str
    deal: str
    ours: str
    our_nodes: int
    our_seconds: float
    theirs: str
    their_seconds: float
    misses: str = ""

    @property
    def missed(self) -> bool:
        """Whether we have a winning line that Solvitaire is known to miss."""
        return bool(self.misses) and (self.ours, self.theirs) == ("winnable", "unwinnable")

    @property
    def contradiction(self) -> bool:
        """Whether the verdicts contradict each other, and no known reason explains it."""
        return {self.ours, self.theirs} == {"winnable", "unwinnable"} and not self.missed


@dataclass(frozen=True)
class Row:
    """A game in the table of results.

    Attributes:
        first: The seed of the first deal.
        ours: Our verdicts, one letter per deal: ``w``, ``l``, or ``-`` for unknown.
        theirs: Solvitaire's verdicts.
    """

    game: str
    first: int
    deals: int
    limit: float
    nodes: int
    our_won: int
    our_lost: int
    our_seconds: float
    their_won: int
    their_lost: int
    their_seconds: float
    both: int
    contradictions: int
    missed: int
    ours: str
    theirs: str

    @classmethod
    def of(cls, deals: list[Deal], limit: float, nodes: int) -> "Row":
        """Counts the deals of a game."""
        ours, theirs = Counter(d.ours for d in deals), Counter(d.theirs for d in deals)
        return cls(
            game=deals[0].game,
            first=int(deals[0].deal.partition(":")[2]),
            deals=len(deals),
            limit=limit,
            nodes=nodes,
            our_won=ours["winnable"],
            our_lost=ours["unwinnable"],
            our_seconds=round(sum(d.our_seconds for d in deals), 3),
            their_won=theirs["winnable"],
            their_lost=theirs["unwinnable"],
            their_seconds=round(sum(d.their_seconds for d in deals), 3),
            both=sum("unknown" not in (d.ours, d.theirs) for d in deals),
            contradictions=sum(d.contradiction for d in deals),
            missed=sum(d.missed for d in deals),
            ours="".join(_LETTERS[d.ours] for d in deals),
            theirs="".join(_LETTERS[d.theirs] for d in deals),
        )


class Solvitaire:
    """The other program, configured for one game."""

    def __init__(self, program: Path, pair: Pair, mode: Literal["best", "plain"], folder: Path):
        self.program = program
        self.mode = MODES[mode]
        self._stretch = 1.0
        if pair.preset is not None:
            self._rules = ["--type", pair.preset]
        else:
            path = folder / f"{pair.name.replace(':', '+')}.json"
            path.write_text(json.dumps(pair.rules), encoding="utf-8")
            self._rules = ["--custom-rules", str(path)]

    def table(self, seed: int) -> tuple[str, float]:
        """Returns Solvitaire's table of a deal as JSON, and the seconds it takes without search."""
        done = run([self.program, *self._rules, "--random", str(seed), "--deal-only"])
        return done.text, done.seconds

    def verdict(self, seed: int, limit: float) -> tuple[str, float]:
        """Returns Solvitaire's verdict of a deal, and the seconds it took.

        Its limit is wall-clock time. On a busy machine the limit is extended by the ratio of
        wall-clock time to processor time of the last deals.
        """
        limit_ms = max(1, round(1000 * limit * self._stretch))
        asked = ["--classify", "--timeout", str(limit_ms), "--streamliners", self.mode]
        command: list[str | Path] = [self.program, *self._rules, "--random", str(seed), *asked]
        done = run(command, patience=60 + 10 * limit)
        if done.wall > 0.05:
            ratio = min(4.0, max(1.0, done.wall / max(done.seconds, 1e-6)))
            self._stretch += (ratio - self._stretch) / 4
        found = verdict_of(done.text)
        return found, done.seconds


def verdict_of(text: str) -> str:
    """Translates the outcome at the end of a line of Solvitaire's output.

    Raises:
        PeerError: If the outcome is unknown.

    >>> verdict_of("7, timed-out, 100, 5, 5, 0, 0, 0, 5, 7, 9, 9, unsolvable, 218, unsolvable")
    'unwinnable'
    """
    word = text.strip().rpartition(",")[2].strip()
    if word not in _VERDICTS:
        raise PeerError(f"the output of Solvitaire is not understood: {text.strip()[-80:]!r}")
    return _VERDICTS[word]


def same_table(text: str, position: Position) -> bool:
    """Whether a deal of Solvitaire equals our position, except for the order of the piles.

    Solvitaire does not show face-down cards; only their number is compared.

    Args:
        text: The deal, in JSON.
        position: Our position after the deal.
    """
    table = json.loads(text)
    if rows := table.get("accordion") or list(zip(*table.get("sequences", ()), strict=True)):
        # The order of these piles counts. Solvitaire writes an ace of spades for a gap.
        gap = None if "accordion" in table else "AS"
        wanted = [card.replace("10", "T") if card != gap else "" for row in rows for card in row]
        book = position.game.rulebook
        # Its columns, if the rows have a picture.
        places = sorted((column, row, pile) for (row, column), pile in book.picture.items())
        names = [book.pile_names[pile] for *_, pile in places] or book.pile_names
        found = [position.piles[name] for name in names]
        return ["".join(map(str, pile)) for pile in found][: len(wanted)] == wanted
    theirs = {_ROLES[key]: _piles(key, value) for key, value in table.items()}
    ours: dict[str, list[tuple[str, ...]]] = {}
    for group in position.game.rulebook.groups:
        for index in range(group.count):
            name = group.pile_name(index)
            down = position.face_down[name]
            hide = [group.role == "tableau" and hidden for hidden in down]
            pile = zip(position.piles[name], hide, strict=True)
            ours.setdefault(group.role, []).append(
                tuple("##" if hidden else str(card) for card, hidden in pile)
            )
    return all(
        sorted(filter(None, ours.get(role, ()))) == sorted(filter(None, theirs.get(role, ())))
        for role in {*ours, *theirs}
    )


_ROLES = {
    "tableau piles": "tableau",
    "foundations": "foundation",
    "cells": "cell",
    "reserve": "reserve",
    "stock": "stock",
    "waste": "waste",
    "hole": "waste",
}


def _piles(key: str, value: Any) -> list[tuple[str, ...]]:
    """The piles of a deal: a list of cards is a pile, and an empty text is an empty pile."""
    if key in ("stock", "waste", "hole"):
        value = [[value] if isinstance(value, str) else value]
    return [tuple(card.replace("10", "T") for card in pile if card) for pile in value]


def pairs(file: str = "games") -> list[Pair]:
    """Reads the games that both programs know.

    Args:
        file: ``"games"``, or ``"small"`` for games that are decided quickly.

    Returns:
        The pairs.
    """
    told = tomllib.loads((HERE / f"{file}.toml").read_text(encoding="utf-8"))
    return [Pair(**entry) for entry in told["pair"]]


def imported(program: Path, folder: Path) -> tuple[list[Pair], list[str]]:
    """Translates all games that the other program knows.

    Args:
        program: The other program.
        folder: Where the rules files are written.

    Returns:
        The games that a rules file can say, and why the others cannot be said.

    Raises:
        PeerError: If the other program does not list its games.
    """
    found: list[Pair] = []
    others: list[str] = []
    for name in presets(program):
        text = run([program, "--describe-game-rules", name]).text
        path = folder / f"{name}.toml"
        try:
            path.write_text(rules_file(text, name), encoding="utf-8")
        except SolvitaireError as error:
            others += [f"{name}: {fault}" for fault in error.faults]
            continue
        found.append(Pair(str(path), preset=name, name=name))
    return found, others


def presets(program: Path) -> list[str]:
    """The names of all games that the other program knows.

    Raises:
        PeerError: If it does not list its games.
    """
    listed = run([program, "--available-game-types"]).text.splitlines()
    found = list(filter(re.compile(r"[a-z0-9-]+").fullmatch, map(str.strip, listed)))
    if not found:
        raise PeerError(f"{program} lists no games")
    return found


def compare(
    pair: Pair, game: Game, theirs: Solvitaire, seeds: range, nodes: int, limit: float
) -> Iterator[Deal]:
    """Gives deals to both programs; they take turns at being first.

    Raises:
        PeerError: If the other program fails or lays out another table.
    """
    for seed in seeds:
        position = game.deal(f"solvitaire:{seed}")
        text, idle = theirs.table(seed)
        if not same_table(text, position):
            raise PeerError(f"Solvitaire lays out another table for {position}")
        if seed % 2:
            verdict, seconds = solved(position, nodes)
            word, their_seconds = theirs.verdict(seed, limit)
        else:
            word, their_seconds = theirs.verdict(seed, limit)
            verdict, seconds = solved(position, nodes)
        yield Deal(
            pair.name,
            f"solvitaire:{seed}",
            verdict.status,
            verdict.nodes,
            seconds,
            word,
            max(0.0, their_seconds - idle),
            pair.misses,
        )


HEADS = (
    "| Game | Deals | Limit, s | Nodes | Cadogan: won, lost | s | Solvitaire: won, lost | s "
    "| Ratio | Contradictions |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
)


def line_of(row: Row) -> str:
    """Formats a row as a line of Markdown."""
    ratio = row.their_seconds / row.our_seconds if row.our_seconds else float("inf")
    return (
        f"| {row.game} | {row.deals} | {row.limit:g} | {row.nodes:,} "
        f"| {row.our_won} + {row.our_lost} | {row.our_seconds:.2f} "
        f"| {row.their_won} + {row.their_lost} | {row.their_seconds:.2f} "
        f"| {ratio:.1f} | {row.contradictions} |"
    )


def keep(rows: list[Row], path: Path) -> None:
    """Replaces the rows of the same games in a file of results."""
    kept: dict[str, Any] = {}
    if path.exists():
        kept = {row["game"]: row for row in json.loads(path.read_text(encoding="utf-8"))}
    kept |= {row.game: asdict(row) for row in rows}
    order = [pair.name for pair in (*pairs(), *pairs("small"))]
    told = sorted(kept.values(), key=lambda row: order.index(row["game"]))
    path.parent.mkdir(exist_ok=True)
    body = ",\n".join(json.dumps(row) for row in told)
    path.write_text(f"[\n{body}\n]\n", encoding="utf-8")


def main(arguments: list[str] | None = None) -> int:
    """Runs the comparison and prints its results.

    Args:
        arguments: The command line, without the name of the program.

    Returns:
        The exit code: 0, 1 if verdicts contradict, 2 if the other program cannot be used, 130
        after Ctrl-C.
    """
    known = {pair.name: pair for pair in (*pairs(), *pairs("small"))}
    parser = argparse.ArgumentParser(
        prog="python -m bench.beside.solvitaire", description="Compare with Solvitaire."
    )
    parser.add_argument("--solvitaire", type=Path, help="the program")
    parser.add_argument("--table", action="store_true", help="print the saved table")
    parser.add_argument("--games", nargs="+", choices=known, metavar="GAME")
    parser.add_argument("--small", action="store_true", help="small games (default: all others)")
    parser.add_argument(
        "--imported", action="store_true", help="all games of Solvitaire, translated"
    )
    parser.add_argument("--deals", type=_range, default=range(1, 101), help="seeds (1-100)")
    parser.add_argument("--limit", type=float, default=1.0, help="seconds a deal (1)")
    parser.add_argument("--nodes", type=int, help="our budget (as many as fit into the limit)")
    parser.add_argument(
        "--most", type=int, default=2_500_000, help="the greatest budget for a second (2,500,000)"
    )
    parser.add_argument("--mode", choices=MODES, default="best", help="of Solvitaire (best)")
    parser.add_argument("--csv", type=Path, help="write what both said of every deal there")
    parser.add_argument("--keep", action="store_true", help=f"keep the table in {RESULTS.name}")
    options = parser.parse_args(arguments)
    err = Console(stderr=True, highlight=False, markup=False)
    if options.table:
        print_rows([Row(**row) for row in json.loads(RESULTS.read_text(encoding="utf-8"))])
        return 0
    if options.solvitaire is None:
        parser.error("say where the program is: --solvitaire PATH")
    names = options.games or [pair.name for pair in pairs("small" if options.small else "games")]
    keep_to_one_core()
    deals: list[Deal] = []
    rows: list[Row] = []
    code = 0
    print(HEADS)
    with tempfile.TemporaryDirectory() as folder:
        try:
            if options.imported:
                translated, others = imported(options.solvitaire, Path(folder))
                known = {pair.name: pair for pair in translated}
                names = list(known)
                for reason in others:
                    err.print(reason)
            for name in names:
                game = known[name].load(Path(folder))
                theirs = Solvitaire(options.solvitaire, known[name], options.mode, Path(folder))
                nodes = options.nodes
                if nodes is None:
                    tried = [game.deal(deal) for deal in CALIBRATION]
                    nodes = calibrated(tried, options.limit, int(options.most * options.limit))
                found = list(
                    compare(known[name], game, theirs, options.deals, nodes, options.limit)
                )
                deals += found
                rows.append(Row.of(found, options.limit, nodes))
                print(line_of(rows[-1]), flush=True)
                for deal in found:
                    told = f"{deal.game} {deal.deal}: {deal.ours}, Solvitaire says {deal.theirs}"
                    if deal.contradiction:
                        code = 1
                        err.print(told)
                    elif deal.missed:
                        err.print(f"{told}, since {deal.misses}")
        except PeerError as error:
            err.print(f"error: {error}")
            code = 2
        except KeyboardInterrupt:
            err.print("Interrupted.")
            code = 130
    if rows:
        print(total_of(rows))
    if options.keep and rows:
        keep(rows, RESULTS)
    if options.csv and deals:
        with options.csv.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, list(asdict(deals[0])))
            writer.writeheader()
            writer.writerows(asdict(deal) for deal in deals)
    return code


def print_rows(rows: list[Row]) -> None:
    """Prints a table and its total."""
    print(HEADS)
    for row in rows:
        print(line_of(row))
    print(total_of(rows))


def total_of(rows: list[Row]) -> str:
    """Summarizes all rows."""
    ours = sum(row.our_won + row.our_lost for row in rows)
    theirs = sum(row.their_won + row.their_lost for row in rows)
    deals = sum(row.deals for row in rows)
    return (
        f"\n{len(rows)} games, {deals} deals: Cadogan decided {ours} in "
        f"{sum(row.our_seconds for row in rows):.1f} s, Solvitaire {theirs} in "
        f"{sum(row.their_seconds for row in rows):.1f} s; both decided "
        f"{sum(row.both for row in rows)}, with {sum(row.contradictions for row in rows)} "
        f"contradictions and {sum(row.missed for row in rows)} wins that Solvitaire is known "
        "to miss."
    )


def _range(text: str) -> range:
    match = re.fullmatch(r"(\d{1,9})(?:-(\d{1,9}))?", text)
    if match is None or int(match[2] or match[1]) < int(match[1]):
        raise argparse.ArgumentTypeError(f"{text!r} is not a range of deals such as 1-100")
    return range(int(match[1]), int(match[2] or match[1]) + 1)


if __name__ == "__main__":
    sys.exit(main())
