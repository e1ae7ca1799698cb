"""``cadogan games`` and ``cadogan show``: what there is."""

import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cadogan.cli import output
from cadogan.cli.choose import GameName, Json
from cadogan.storage import CATALOGUE

if TYPE_CHECKING:
    from cadogan import Game


def games(*, json: Json = False) -> None:
    """List the games of the catalogue."""
    rows = [_summary(path) for path in sorted(CATALOGUE.glob("*.toml"))]
    if json:
        output.data_json(rows)
        return
    name = max(len(row["name"]) for row in rows)
    title = max(len(row["title"]) for row in rows)
    for row in rows:
        lead = f"{row['name']:<{name}}  {row['title']:<{title}}  {_packs(row['packs']):<7}  "
        variants = ", ".join(row["variants"])
        output.data(_hang(lead, variants).rstrip())
    output.note(
        "\n'cadogan show GAME' tells more of a game, 'cadogan explain GAME' its rules.\n"
        "A variant is chosen as in amazons:left-to-right."
    )


def show(game: GameName, /, *, json: Json = False) -> None:
    """Show what a game consists of, and its variants."""
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
    _fact("cards", f"{_packs(book.packs)}, {len(loaded.pack)} cards are dealt")
    if book.without:
        _fact("without", ", ".join(cards.text for cards in book.without))
    for remark in book.remarks:
        _fact("remark", remark)
    output.data("\npiles")
    longest = max(len(group.name) for group in book.groups)
    for group in book.groups:
        count = f"{group.count:>2} {'pile ' if group.count == 1 else 'piles'}"
        role = "" if group.role == group.name.removesuffix("s") else group.role
        built = [] if group.order is None else [group.order.text]
        told = ", ".join([*filter(None, [role]), *built])
        output.data(_hang(f"  {group.name:<{longest}}  {count}  ", told).rstrip())
    if loaded.variants:
        output.data("\nvariants")
        longest = max(len(variant.name) for variant in loaded.variants)
        for variant in loaded.variants:
            mark = "*" if variant.name in loaded.active_variants else " "
            output.data(_hang(f"{mark} {variant.name:<{longest}}  ", variant.why).rstrip())
        if not loaded.active_variants:
            first = f"{loaded.name}:{loaded.variants[0].name}"
            output.note(f"\nA variant is chosen as in 'cadogan play {first}'.")


def _summary(path: Path) -> dict[str, Any]:
    """What the list says of a rules file.

    The list is the first thing a newcomer asks for. It reads the bare TOML, so that it need not
    wait for all that is imported to check rules.
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
                "order": None if group.order is None else group.order.text,
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
    """A text beside a lead, its further lines beneath the first."""
    return (
        textwrap.fill(
            text,
            width=max(output.width(), len(lead) + 20),
            initial_indent=lead,
            subsequent_indent=" " * len(lead),
            break_on_hyphens=False,
        )
        or lead
    )
