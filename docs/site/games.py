"""The pages of games: one for each game of the catalogue, and the table of all with links to them.

They are made of the rules files and of what studies and tests know, so nobody maintains them.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import cadogan
from bench import shelf
from cadogan.pictures.board import board
from cadogan.rules.explain import explain
from cadogan.rules.index import Entry, entries, kin_of
from cadogan.rules.rulebook.families import BOOKS, FAMILIES
from cadogan.storage import CATALOGUE
from cadogan.table.win_rates import chances

DEAL: Final = "cadogan:1"
TABLE: Final = f"../docs/{shelf.PAGE.name}"


def write_games(place: Path) -> None:
    """Writes a page and a picture for each game into a folder, and the table beside it."""
    place.mkdir()
    checks = shelf.cross_checks()
    for name, entry in entries().items():
        game = cadogan.load(name)
        (place / f"{name}.svg").write_text(board(game.deal(DEAL)), encoding="utf-8")
        page = "\n".join(_page(entry, game, checks[name]))
        (place / f"{name}.md").write_text(page, encoding="utf-8")
    table = shelf.page(f"../{place.name}/{{}}.md".format)
    (place / TABLE).write_text(table, encoding="utf-8")


def _page(entry: Entry, game: cadogan.Game, checks: Sequence[shelf.Check]) -> Iterator[str]:
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
        family = FAMILIES[entry.family]
        yield f"| Family | [{family}]({TABLE}#{_anchor(family)}) |"
    if entry.book:
        yield f"| Book | {BOOKS[entry.book]} |"
    if entry.source:
        yield f"| Source | {entry.source} |"
    measured = chances(game)
    yield f"| Can be won | {shelf.won(measured)} |"
    yield f"| A fair player wins | {shelf.fair(measured, seen=shelf.is_open(entry.name))} |"
    yield f"| Cross-checks | {', '.join(map(str, checks)) or 'none yet'} |"
    if kin := kin_of(entry.name):
        links = (f"[{entries()[other].title}]({other}.md)" for other in kin)
        yield f"| Like this | {', '.join(links)} |"
    yield rest
    text = (CATALOGUE / f"{entry.name}.toml").read_text(encoding="utf-8")
    yield from ("## The rules file", "", "```toml", text.rstrip(), "```", "")


def _anchor(title: str) -> str:
    """The name of a heading as the site makes it."""
    return re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")
