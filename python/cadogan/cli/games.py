"""``cadogan games`` and ``cadogan info``: the list of games, and what a game consists of."""

import re
import textwrap
from collections.abc import Mapping
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from cyclopts import Parameter

from cadogan.cli import output
from cadogan.cli.choose import GameName, Json
from cadogan.i18n.text import gettext
from cadogan.rules.index import Entry, entries, kin_of, plain, sources, stamp
from cadogan.rules.rulebook.families import BOOKS, FAMILIES
from cadogan.storage import cached, stamp_of

if TYPE_CHECKING:
    from cadogan import Game

_ROOM = 20
"""The fewest columns for a text after a heading."""

Range = tuple[float, float]

Search = Annotated[
    str | None, Parameter(help="Only games with this text in a name, title or alias.")
]
Family = Annotated[str | None, Parameter(help="Only games of this family, such as fan.")]
Book = Annotated[str | None, Parameter(help="Only games of this book, such as lady-cadogan.")]
Packs = Annotated[str | None, Parameter(help="Only games with this number of packs: 1, or 2..4.")]
Winnable = Annotated[
    str | None,
    Parameter(help="Only games of which this share of deals can be won, in per cent: 50..90."),
]


class Rate(NamedTuple):
    """How many deals of a game can be won, in per cent: at least, and at most."""

    least: float
    most: float

    def __str__(self) -> str:
        least, most = f"{self.least:.0f}", f"{self.most:.0f}"
        return f"{least} %" if least == most else f"{least}-{most} %"


def games(
    *,
    search: Search = None,
    family: Family = None,
    packs: Packs = None,
    winnable: Winnable = None,
    book: Book = None,
    json: Json = False,
) -> None:
    """List the games of the catalogue, family by family."""
    chosen = list(entries().values())
    rates = _rates()
    if family is not None:
        wanted = _choice("family", family, FAMILIES)
        chosen = [game for game in chosen if game.family == wanted]
    if book is not None:
        wanted = _choice("book", book, BOOKS)
        chosen = [game for game in chosen if game.book == wanted]
    if packs is not None:
        low, high = _range("--packs", packs, "1, 2 or 2..4")
        chosen = [game for game in chosen if low <= game.packs <= high]
    if search is not None:
        chosen = [game for game in chosen if game.matches(search)]
    unknown = 0
    if winnable is not None:
        low, high = _range("--winnable", winnable, "50..90, 90.. or ..10")
        unknown = sum(game.name not in rates for game in chosen)
        chosen = [
            game
            for game in chosen
            if (rate := rates.get(game.name)) and low <= rate.least and rate.most <= high
        ]
    if json:
        output.data_json([_row(game, rates.get(game.name)) for game in chosen])
    else:
        _list(chosen, rates, search)
    if unknown:
        output.note(f"\nNot measured, and so not listed: {unknown} more.")
    if not chosen:
        output.note("No game fits.")
    elif not json:
        output.note(
            "\n'cadogan info GAME' describes a game, 'cadogan rules GAME' explains its rules.\n"
            "Choose a variant as in amazons:left-to-right. The percentage is the share of deals\n"
            "that can be won, as measured; - means not measured."
        )


def _list(chosen: list[Entry], rates: Mapping[str, Rate], search: str | None) -> None:
    """Prints games under the titles of their families, in columns as wide as a family needs."""
    order = {family: place for place, family in enumerate(FAMILIES)}
    chosen = sorted(chosen, key=lambda game: (order.get(game.family, len(order)), game.name))
    families = [(name, list(same)) for name, same in groupby(chosen, lambda game: game.family)]
    for number, (family, same) in enumerate(families):
        if number:
            output.data()
        output.data(
            f"{FAMILIES[family]} ({family})" if family in FAMILIES else gettext("Other games")
        )
        rows = [
            (game.name, _title(game, search), _packs(game.packs), str(rates.get(game.name, "-")))
            for game in same
        ]
        name, title, packs, rate = (max(map(len, column)) for column in zip(*rows, strict=True))
        # A longer title moves only its own row to the right.
        title = min(title, max(output.width() - name - packs - rate - len("        ") - _ROOM, 0))
        for row, game in zip(rows, same, strict=True):
            lead = f"{row[0]:<{name}}  {row[1]:<{title}}  {row[2]:<{packs}}  {row[3]:>{rate}}  "
            output.data(_hang(lead, ", ".join(game.variants)).rstrip())


def _title(game: Entry, search: str | None) -> str:
    """A title, with the alias that was searched for."""
    wanted = plain(search or "")
    if wanted and not any(wanted in plain(text) for text in (game.name, game.title)):
        others = [*game.titles, *game.titled]
        found = next((title for title in others if wanted in plain(title)), None)
        if found is not None:
            return f"{game.title} ({found})"
    return game.title


def _choice(noun: str, text: str, titles: Mapping[str, str]) -> str:
    """The family or book that is meant, by its name or title."""
    from cadogan.rules.faults.report import nearest, one_of

    for name, title in titles.items():
        if plain(text) in (plain(name), plain(title)):
            return name
    guess = nearest(text, titles)
    raise output.UsageError(
        f"there is no {noun} called {text!r}",
        f"did you mean {guess}?" if guess else f"say {one_of(titles, 40)}",
    )


def _range(option: str, text: str, example: str) -> Range:
    """The bounds of a range; each may be missing."""
    number = r"(\d+(?:\.\d+)?)"
    found = re.fullmatch(rf"{number}|{number}?(?:\.\.|-){number}?", text.replace("%", "").strip())
    if found is None or not any(found.groups()):
        raise output.UsageError(f"{option} {text!r} is not a range", f"write {example}")
    if found[1]:
        return float(found[1]), float(found[1])
    low, high = float(found[2] or 0), float(found[3] or "inf")
    if low > high:
        raise output.UsageError(f"{option} {text!r} ends before it begins", f"write {example}")
    return low, high


def _row(game: Entry, rate: Rate | None) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.title,
        "packs": game.packs,
        "variants": list(game.variants),
        "names": dict(game.names),
        "aliases": list(game.aliases),
        "family": game.family or None,
        "book": game.book or None,
        "source": game.source,
        "winnable": None if rate is None else {"least": rate.least, "most": rate.most},
    }


def _rates() -> dict[str, Rate]:
    """What studies have found; only figures of the present rules.

    To know which rules a figure belongs to, the game must be loaded, so the result is cached.
    """
    from cadogan.table.win_rates import FILE

    found = cached("rates.json", [*stamp(), *stamp_of([FILE]), *sources()], _measured)
    return {name: Rate(*bounds) for name, bounds in found.items()}


def _measured() -> dict[str, Rate]:
    import cadogan
    from cadogan.table.win_rates import chances, is_measured

    found = {}
    for name in filter(is_measured, entries()):
        if figures := chances(cadogan.load(name)):
            won, decided = figures.won, figures.won + figures.undecided
            bounds = (round(100 * number / figures.deals, 2) for number in (won, decided))
            found[name] = Rate(*bounds)
    return found


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
    if book.aliases:
        _fact("also", ", ".join(book.aliases))
    if book.family:
        _fact("family", f"{FAMILIES[book.family]} ({book.family})")
    _fact("source", book.source)
    _fact("cards", f"{_packs(book.packs)}, {len(loaded.pack)} cards")
    if book.without:
        _fact("without", ", ".join(cards.text for cards in book.without))
    if book.history:
        _fact("history", book.history)
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
    if kin := _kin(loaded):
        output.data(_hang("\nlike this: ", ", ".join(kin)))
    if loaded.variants:
        output.data("\nvariants")
        longest = max(len(variant.name) for variant in loaded.variants)
        for variant in loaded.variants:
            mark = "*" if variant.name in loaded.active_variants else " "
            output.data(_hang(f"{mark} {variant.name:<{longest}}  ", variant.why).rstrip())
        if not loaded.active_variants:
            first = f"{loaded.name}:{loaded.variants[0].name}"
            output.note(f"\nChoose a variant as in 'cadogan play {first}'.")


def _kin(game: "Game") -> list[str]:
    """The games that are like one of the catalogue."""
    name = game.name.partition(":")[0]
    return kin_of(name) if name in entries() else []


def _facts(game: "Game") -> dict[str, Any]:
    book = game.rulebook
    return {
        "name": game.name,
        "title": game.title,
        "names": dict(book.names),
        "aliases": list(book.aliases),
        "family": book.family or None,
        "book": book.book or None,
        "kin": _kin(game),
        "source": book.source,
        "history": book.history,
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
