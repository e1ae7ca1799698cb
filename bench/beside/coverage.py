"""How many games of other programs the language can say: ``python -m bench.beside.coverage``.

Writes the tables of ``docs/coverage.md`` from ``coverage.toml``, which has what was read by hand,
and ``pysolfc-games.csv``, which lists PySolFC's games and ours. It needs neither program.
"""

import csv
import re
import sys
import textwrap
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from cadogan.rules.files import split_name
from cadogan.rules.index import entries
from cadogan.storage import CATALOGUE

HERE: Final = Path(__file__).parent
PAGE: Final = HERE.parents[1] / "docs" / "coverage.md"
_WAYS: Final = {
    "plain": "keys and phrases of roles",
    "rules": "also rules of its own",
    "listed": "a rule or a group for each of several piles",
    "no": "cannot be said",
}


@dataclass(frozen=True, slots=True)
class TheirGame:
    """A game of PySolFC.

    Attributes:
        number: Its number there.
        name: Its name there.
        family: Its family there.
        ours: The game of the catalogue that plays it, with variants; empty if there is none.
    """

    number: int
    name: str
    family: str
    ours: str


def games() -> list[TheirGame]:
    """PySolFC's games with the French pack."""
    with (HERE / "pysolfc-games.csv").open(encoding="utf-8", newline="") as file:
        return [
            TheirGame(int(row["number"]), row["name"], row["family"], row["game"])
            for row in csv.DictReader(file)
        ]


def findings() -> dict[str, Any]:
    """What was read by hand."""
    return tomllib.loads((HERE / "coverage.toml").read_text(encoding="utf-8"))


def is_ours(name: str) -> bool:
    """Whether the catalogue has a game, with variants."""
    base, variants = split_name(name)
    entry = entries().get(base)
    return entry is not None and set(filter(None, variants)) <= set(entry.variants)


def tables() -> dict[str, str]:
    """The generated parts of the page, by name."""
    found, theirs = findings(), games()
    why = {number: reason for reason, numbers in found["cannot"].items() for number in numbers}
    by_number = {game.number: game for game in theirs}
    return {
        "families": _families(theirs, why),
        "estimate": _estimate(theirs, why, found["sample"], set(map(int, found["read"].split()))),
        "cannot": _table(
            ("What is missing", "Games of PySolFC"),
            (
                (reason, ", ".join(f"{by_number[number].name} ({number})" for number in numbers))
                for reason, numbers in found["cannot"].items()
            ),
        ),
        "sample": _table(
            ("Game", "Family", "Said", "With what"),
            (
                (f"{by_number[int(number)].name} ({number})", by_number[int(number)].family, *said)
                for number, said in found["sample"].items()
            ),
        ),
        "aisleriot": _aisleriot(found),
        "contorted": _contorted(found),
    }


def _families(theirs: Sequence[TheirGame], why: Mapping[int, str]) -> str:
    all_of = Counter(game.family for game in theirs)
    ours = Counter(game.family for game in theirs if game.ours)
    cannot = Counter(game.family for game in theirs if game.number in why and not game.ours)
    order = sorted(all_of, key=lambda family: (-all_of[family], family))
    counts = [
        (number, ours[family], cannot[family], number - ours[family] - cannot[family])
        for family in order
        for number in [all_of[family]]
    ]
    rows = [(family, *count) for family, count in zip(order, counts, strict=True)]
    sums = ("**All**", *map(sum, zip(*counts, strict=True)))
    heads = ("Family in PySolFC", "Games", "In the catalogue", "Cannot be said", "Others")
    return _table(heads, [*rows, sums])


def _estimate(
    theirs: Sequence[TheirGame],
    why: Mapping[int, str],
    sample: Mapping[str, Sequence[str]],
    read: Set[int],
) -> str:
    ours = sum(bool(game.ours) for game in theirs)
    cannot = sum(game.number in why and not game.ours for game in theirs)
    others = len(theirs) - ours - cannot
    neither = {game.number for game in theirs if not game.ours and game.number not in why}
    drawn = sum(int(number) in neither for number in sample)
    own = len(read & neither)
    ways = Counter(said[0] for said in sample.values())
    share = 100 * (len(theirs) - cannot) / len(theirs)
    lines = [
        f"- {ours} of {len(theirs)} games are in the catalogue, as games or as variants.",
        f"- {cannot} cannot be said; they are listed below with what is missing.",
        (
            f"- {others} are neither. Of these, {drawn} belong to the sample, and {own} more have "
            f"code of their own, which was read; the other {others - drawn - own} put together, "
            "with another deal or another number of piles, what covered games have."
        ),
        f"- So {len(theirs) - cannot} of {len(theirs)} games can be said: {share:.1f} %.",
        f"- Of the {len(sample)} games of the sample, "
        + ", ".join(f"{ways[way]} need {text}" for way, text in _WAYS.items() if way != "no")
        + f"; {ways['no']} cannot be said.",
    ]
    return "\n".join(_wrapped(line) for line in lines)


def _aisleriot(found: Mapping[str, Any]) -> str:
    names, cannot = found["aisleriot_names"], found.get("aisleriot_cannot", {})
    theirs = found["aisleriot_games"].split()
    ours = {game: names.get(game, game) for game in theirs}
    there = {game: name for game, name in ours.items() if is_ours(name)}
    rest = [(game, cannot.get(game, "can be said")) for game in theirs if game not in there]
    lines = [
        (
            f"{len(there) if rest else 'All'} of AisleRiot's {len(theirs)} games are in the "
            "catalogue. Those that have another name there:"
        ),
        "",
        ", ".join(f"{game} is `{name}`" for game, name in there.items() if game != name) + ".",
    ]
    if not rest:
        return "\n".join(map(_wrapped, lines))
    lines += ["", "The others:", ""]
    return "\n".join(map(_wrapped, lines)) + "\n" + _table(("Game", "What is missing"), rest)


def lines(name: str) -> int:
    """How many lines of a game's file tell its rules.

    Empty lines, comments, variants, titles and sources are not counted.
    """
    text = (CATALOGUE / f"{split_name(name)[0]}.toml").read_text(encoding="utf-8")
    head, bracket, rest = text.split("\n[variants", 1)[0].partition("\n[")
    lines = [line for line in head.splitlines() if not _TITLE.match(line)]
    lines += f"{bracket}{rest}".splitlines()
    return sum(line.strip() != "" and not line.startswith("#") for line in lines)


_TITLE: Final = re.compile(r"(?:name|names|aliases|family|kin|book|source|history)\s*=")
MOST_LINES: Final = 40


def _contorted(found: Mapping[str, Any]) -> str:
    ours, reasons = found["contorted"], found["long"]
    counts = {title: lines(name) for title, name in ours.items()}
    long = {title: count for title, count in counts.items() if count > MOST_LINES}
    short = ", ".join(
        f"{title} (`{ours[title]}`, {count})"
        for title, count in counts.items()
        if title not in long
    )
    few = len(counts) - len(long)
    head = f"{few} of the {len(counts)} have at most {MOST_LINES} lines: {short}."
    rows = [(f"{title} (`{ours[title]}`)", n, reasons[ours[title]]) for title, n in long.items()]
    return f"{_wrapped(head)}\n\nThe others:\n\n" + _table(("Game", "Lines", "Why"), rows)


def _table(heads: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def _wrapped(line: str) -> str:
    indent = "  " if line.startswith("- ") else ""
    return textwrap.fill(line, 116, subsequent_indent=indent, break_on_hyphens=False)


def page(text: str) -> str:
    """The page with its generated parts."""
    for name, table in tables().items():
        begin, end = f"<!-- begin: {name} -->\n", f"<!-- end: {name} -->"
        before, rest = text.split(begin)
        text = f"{before}{begin}{table}\n{end}{rest.split(end)[1]}"
    return text


def main() -> int:
    """Writes the page."""
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
