"""``cadogan games`` and ``cadogan info``: the list of games, and what a game consists of."""

import contextlib
import json as json_module
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cadogan.cli import output
from cadogan.cli.choose import GameName, Json
from cadogan.storage import CATALOGUE, replace_file

if TYPE_CHECKING:
    from cadogan import Game

_ROOM = 20
"""The fewest columns for a text after a heading."""


def games(*, json: Json = False) -> None:
    """List the games of the catalogue."""
    rows = _summaries(sorted(CATALOGUE.glob("*.toml"), key=lambda path: path.stem))
    if json:
        output.data_json(rows)
        return
    name = max(len(row["name"]) for row in rows)
    longest = max(len(row["title"]) for row in rows)
    # A longer title moves only its own row to the right, so that variants have room in all others.
    title = min(longest, max(output.width() - name - len("    2 packs  ") - _ROOM, 0))
    for row in rows:
        lead = f"{row['name']:<{name}}  {row['title']:<{title}}  {_packs(row['packs']):<7}  "
        variants = ", ".join(row["variants"])
        output.data(_hang(lead, variants).rstrip())
    output.note(
        "\n'cadogan info GAME' describes a game, 'cadogan rules GAME' explains its rules.\n"
        "Choose a variant as in amazons:left-to-right."
    )


def info(game: GameName, /, *, json: Json = False) -> None:
    """Show the piles and variants of a game."""
    import cadogan

    loaded = cadogan.load(game)
    facts = _facts(loaded)
    if json:
        output.data_json(facts)
        return
    book = loaded.rulebook
    others = [f"{title} ({language})" for language, title in book.names.items()]
    output.data("; ".join([loaded.title, *others]))
    _fact("name", loaded.name)
    _fact("source", book.source)
    _fact("cards", f"{_packs(book.packs)}, {len(loaded.pack)} cards")
    if book.without:
        _fact("without", ", ".join(cards.text for cards in book.without))
    for remark in book.remarks:
        _fact("remark", remark)
    output.data("\npiles")
    longest = max(len(group.name) for group in book.groups)
    for group in book.groups:
        count = f"{group.count:>2} {'pile ' if group.count == 1 else 'piles'}"
        role = "" if group.role == group.name.removesuffix("s") else group.role
        built = [] if group.build_order is None else [group.build_order.text]
        about = ", ".join([*filter(None, [role]), *built])
        output.data(_hang(f"  {group.name:<{longest}}  {count}  ", about).rstrip())
    if loaded.variants:
        output.data("\nvariants")
        longest = max(len(variant.name) for variant in loaded.variants)
        for variant in loaded.variants:
            mark = "*" if variant.name in loaded.active_variants else " "
            output.data(_hang(f"{mark} {variant.name:<{longest}}  ", variant.why).rstrip())
        if not loaded.active_variants:
            first = f"{loaded.name}:{loaded.variants[0].name}"
            output.note(f"\nChoose a variant as in 'cadogan play {first}'.")


def _summaries(paths: list[Path]) -> list[dict[str, Any]]:
    """The facts about rules files for the list.

    Reading hundreds of files takes longer than everything else, so the rows are cached until a file
    changes. A missing, damaged or read-only cache costs only time.
    """
    from cadogan.rules.cache import folder

    place = folder()
    cache = None if place is None else place / "games.json"
    stamp = [[path.name, (status := path.stat()).st_mtime_ns, status.st_size] for path in paths]
    if cache is not None:
        with contextlib.suppress(OSError, ValueError, LookupError, TypeError):
            cached = json_module.loads(cache.read_text(encoding="utf-8"))
            if cached["stamp"] == stamp:
                return list(cached["rows"])
    rows = [_summary(path) for path in paths]
    if cache is not None:
        with contextlib.suppress(OSError):
            text = json_module.dumps({"stamp": stamp, "rows": rows})
            replace_file(cache, text, durable=False, private=True)
    return rows


def _summary(path: Path) -> dict[str, Any]:
    """The facts about one rules file for the list.

    It reads only the TOML, without the modules that check rules.
    """
    import tomllib

    raw = tomllib.loads(path.read_text(encoding="utf-8"))
    return {
        "name": path.stem,
        "title": raw.get("name", path.stem),
        "packs": raw.get("packs", 1),
        "variants": list(raw.get("variants", {})),
    }


def _facts(game: "Game") -> dict[str, Any]:
    book = game.rulebook
    return {
        "name": game.name,
        "title": game.title,
        "names": dict(book.names),
        "source": book.source,
        "version": book.version,
        "digest": game.digest,
        "packs": book.packs,
        "cards": len(game.pack),
        "without": [cards.text for cards in book.without],
        "groups": [
            {
                "name": group.name,
                "role": group.role,
                "piles": [group.pile_name(index) for index in range(group.count)],
                "shown": group.shown,
                "order": None if group.build_order is None else group.build_order.text,
            }
            for group in book.groups
        ],
        "remarks": list(book.remarks),
        "variants": [
            {"name": v.name, "why": v.why, "chosen": v.name in game.active_variants}
            for v in game.variants
        ],
    }


def _packs(number: int) -> str:
    return "1 pack" if number == 1 else f"{number} packs"


def _fact(name: str, text: str) -> None:
    output.data(_hang(f"  {name:<8}", text))


def _hang(lead: str, text: str) -> str:
    """A text after a heading, with further lines aligned to the first.

    If the heading leaves too little room, the text is below it.
    """
    width = output.width()
    below = len(lead) + _ROOM > width and len(lead) + len(text) > width
    indent = " " * (4 if below else len(lead))
    filled = textwrap.fill(
        text,
        width=width,
        initial_indent=indent,
        subsequent_indent=indent,
        break_on_hyphens=False,
    )
    return f"{lead.rstrip()}\n{filled}" if below else lead + filled[len(lead) :]
