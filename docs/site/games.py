"""The pages of games: one for each game of the catalogue, and the table of all.

They are made of the rules files and of what studies and tests know, so nobody keeps them.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Final

import cadogan
from cadogan.pictures.board import board
from cadogan.rules.explain import explain
from cadogan.rules.index import Entry, entries, kin_of
from cadogan.rules.rulebook.families import BOOKS, FAMILIES
from cadogan.storage import CATALOGUE
from cadogan.table.win_rates import Chances, chances

ROOT: Final = Path(__file__).parent.parent.parent
DEAL: Final = "cadogan:1"
UNKNOWN: Final = "not known"


def write_games(place: Path) -> None:
    """Writes the pages into a folder: ``index.md``, and a page and a picture for each game."""
    place.mkdir()
    checks = cross_checks()
    figures: dict[str, Chances | None] = {}
    for name, entry in entries().items():
        game = cadogan.load(name)
        figures[name] = chances(game)
        (place / f"{name}.svg").write_text(board(game.deal(DEAL)), encoding="utf-8")
        page = "\n".join(_page(entry, game, figures[name], checks.get(name, [])))
        (place / f"{name}.md").write_text(page, encoding="utf-8")
    text = "\n".join(_table(figures, checks))
    (place / "index.md").write_text(text, encoding="utf-8")


def cross_checks() -> Mapping[str, list[str]]:
    """What each game was compared with, as the files of tests and benchmarks say."""
    found: dict[str, list[str]] = {name: [] for name in entries()}
    for path in sorted((ROOT / "tests" / "oracles").glob("*.py")):
        if (name := path.stem.replace("_", "-")) in found:
            found[name].append("oracle")
    beside = (ROOT / "bench" / "beside" / "games.toml").read_text(encoding="utf-8")
    for name in dict.fromkeys(re.findall(r'"([a-z0-9-]+)[":]', beside)):
        if name in found:
            found[name].append("Solvitaire")
    for path in sorted((ROOT / "tests" / "lines").glob("*.txt")):
        if path.stem in found:
            found[path.stem].append("won line")
    return found


def _page(
    entry: Entry, game: cadogan.Game, measured: Chances | None, checks: list[str]
) -> Iterator[str]:
    """The page of a game; no navigation lists it, since there are hundreds."""
    title, _, rest = explain(game.rulebook).partition("\n")
    yield from ("---", "orphan: true", "---", "", title, "")
    yield f"![The table of {entry.title}, deal {DEAL}]({entry.name}.svg)"
    yield ""
    yield from ("| | |", "|---|---|")
    yield f"| Name | `{entry.name}` |"
    if german := entry.names.get("de"):
        yield f"| In German | {german} |"
    if entry.family:
        yield f"| Family | [{FAMILIES[entry.family]}](index.md#{_anchor(FAMILIES[entry.family])}) |"
    if entry.book:
        yield f"| Book | {BOOKS[entry.book]} |"
    yield f"| Can be won | {_won(measured)} |"
    yield f"| A fair player wins | {_fair(measured)} |"
    yield f"| Compared with | {', '.join(checks) or 'nothing yet'} |"
    if kin := kin_of(entry.name):
        links = (f"[{entries()[other].title}]({other}.md)" for other in kin)
        yield f"| Like this | {', '.join(links)} |"
    yield rest
    text = (CATALOGUE / f"{entry.name}.toml").read_text(encoding="utf-8")
    yield from ("## The rules file", "", "```toml", text.rstrip(), "```", "")


def _table(figures: Mapping[str, Chances | None], checks: Mapping[str, list[str]]) -> Iterator[str]:
    """The table of all games, family by family."""
    measured = sum(each is not None for each in figures.values())
    yield from ("# All games", "")
    yield (
        f"{len(entries())} games, of which {measured} have been measured. The interval has the "
        "share of deals that can be won, with a certainty of 95 per cent; a fair player sees only "
        "what a person sees. *Oracle*: a second program plays the game by its words alone, and "
        "both agree; *Solvitaire*: verdicts are compared with that solver; *won line*: a won "
        "game is stored and replayed move by move."
    )
    order = {family: place for place, family in enumerate(FAMILIES)}
    shelf = sorted(entries().values(), key=lambda each: (order.get(each.family, 99), each.title))
    for family, games in groupby(shelf, lambda each: each.family):
        yield from ("", f"## {FAMILIES.get(family, 'Other games')}", "")
        yield "| Game | Packs | Can be won | Fair player | Compared with | Source |"
        yield "|---|--:|---|---|---|---|"
        for each in games:
            yield (
                f"| [{each.title}]({each.name}.md) | {each.packs} | {_won(figures[each.name])} | "
                f"{_fair(figures[each.name])} | {', '.join(checks.get(each.name, []))} | "
                f"{each.source} |"
            )
    yield ""


def _won(measured: Chances | None) -> str:
    if measured is None or not measured.deals:
        return UNKNOWN
    return f"{100 * measured.low:.1f} to {100 * measured.high:.1f} % ({measured.deals:,} deals)"


def _fair(measured: Chances | None) -> str:
    if measured is None or not measured.seen_deals:
        return UNKNOWN
    share = 100 * measured.seen_won / measured.seen_deals
    return f"{share:.1f} % ({measured.seen_deals:,} deals)"


def _anchor(title: str) -> str:
    """The name of a heading as the site makes it."""
    return re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")
