"""Compares our tables with those of PySolFC, card by card: ``python -m bench.beside.pysol --help``.

``pysol.toml`` names PySolFC's game for each game of ours that it has, too. ``--layouts`` is a file
of the tables that PySolFC lays out, before the player's first move, as JSON: by the number of the
game, its ``name`` and its ``deals``, which have for each deal number the stacks as pairs of a role
(``foundations``, ``rows``, ``reserves``, ``internals``, ``waste``, ``talon`` or ``others``) and
the cards. The top card is last; cards that lie face down have small letters::

    {"2": {"name": "Klondike", "deals": {"1": [["rows", "JD"], ["rows", "qs 2D"], ...], ...}}, ...}

For each deal ``pysol:N`` our piles must hold the same cards in the same order. A pile of ours must
be the same stack of PySolFC's in every deal; only foundations may change places with one another.
Cards that PySolFC turns from the talon to the waste before the first move, where ours are still on
the stock, are laid back, and counted. ``--table`` writes ``pysol.md``.
"""

import argparse
import json
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from cadogan import Game, load
from cadogan.cards import Card
from cadogan.deals import DealError, deck_for
from cadogan.layouts import deal_slots
from cadogan.storage import replacing

HERE: Final = Path(__file__).parent
RESULTS: Final = HERE.parent / "results" / "pysol.json"
TABLE: Final = HERE / "pysol.md"
DEALS: Final = ("pysol:617", "pysol:32000")
"""Deals whose decks are remembered, so that a test notices when they change."""
_HEADS: Final = ("Game", "PySolFC", "Deals", "Equal", "Dealt on", "Remarks")


@dataclass(frozen=True)
class Pile:
    """A pile on one of the two tables.

    Attributes:
        name: Its name.
        role: Its role, in the words of the program that laid it out.
        cards: Its cards; the top card is last.
        down: How many of them lie face down, or ``None`` if that does not count.
    """

    name: str
    role: str
    cards: tuple[str, ...]
    down: int | None = None


@dataclass(frozen=True)
class Tables:
    """Both tables of a deal."""

    deal: str
    ours: list[Pile]
    theirs: list[Pile]


@dataclass
class Compared:
    """The tables of a game, compared.

    Attributes:
        id: PySolFC's number of the game.
        name: PySolFC's name of the game.
        deals: The deals compared.
        equal: The deals with the same table.
        dealt: How many cards PySolFC has dealt on that are still on our stock.
        moved: Whether the piles of a group are in another order there.
        faces: The groups of which cards lie face up in one program only.
        first: The first difference, in words.
        decks: A hash of our decks of :data:`DEALS` if all tables are equal.
    """

    id: int
    name: str
    deals: int = 0
    equal: int = 0
    dealt: int = 0
    moved: bool = False
    faces: list[str] = field(default_factory=list)
    first: str = ""
    decks: str = ""

    @property
    def is_same(self) -> bool:
        """Whether all tables are the same, with the piles in the same order."""
        return self.equal == self.deals and not self.moved


def ours(game: Game, deal: str, *, settled: bool = False) -> list[Pile]:
    """Our table, either as it is laid out or after the forced rules.

    >>> [pile.cards for pile in ours(load("klondike"), "pysol:1")][5]
    ('2D', '7C')
    """
    book = game.rulebook
    slots = deal_slots(book)
    if slots is None or settled:
        position = game.deal(deal)
        return [
            Pile(name, role, tuple(map(str, cards)))
            for (name, cards), role in zip(position.piles.items(), book.roles.values(), strict=True)
        ]
    held: dict[int, list[str]] = {}
    down: Counter[int] = Counter()
    for code, pile in book.preset:
        held.setdefault(pile, []).append(str(Card(code)))
    for slot, card in sorted(
        zip(slots, deck_for(deal, book), strict=True), key=lambda each: each[0].depth
    ):
        held.setdefault(slot.pile, []).append(str(card))
        down[slot.pile] += slot.down
    names = {
        pile: (group.pile_name(number), group.role)
        for group in book.groups
        for number, pile in enumerate(group.piles)
    } | ({} if book.source_pile < len(book.pile_names) else {book.source_pile: ("stock", "stock")})
    return [
        Pile(name, role, tuple(held.get(pile, ())), None if role == "stock" else down[pile])
        for pile, (name, role) in names.items()
    ]


def theirs(stacks: Sequence[Sequence[str]]) -> list[Pile]:
    """PySolFC's table.

    >>> theirs([["rows", "jd 4C"]])
    [Pile(name='rows 1', role='rows', cards=('JD', '4C'), down=1)]
    """
    seen: Counter[str] = Counter()
    table = []
    for role, text in stacks:
        seen[role] += 1
        cards = text.split()
        down = None if role == "talon" else sum(card.islower() for card in cards)
        table.append(Pile(f"{role} {seen[role]}", role, tuple(map(str.upper, cards)), down))
    return table


def laid_back(tables: Sequence[Tables]) -> tuple[list[Tables], int]:
    """Lays cards back on PySolFC's talon that are still on the stock in our game.

    In every deal, they must have gone from the talon to the same stacks, in the same order.

    Returns:
        The tables, and the number of cards laid back.
    """
    first = tables[0]
    stock = next((place for place, pile in enumerate(first.ours) if pile.role == "stock"), None)
    talon = next((place for place, pile in enumerate(first.theirs) if pile.role == "talon"), None)
    if stock is None or talon is None:
        return list(tables), 0
    number = len(first.ours[stock].cards) - len(first.theirs[talon].cards)
    stacks = [[list(pile.cards) for pile in each.theirs] for each in tables]
    for turn in range(number, 0, -1):
        cards = [each.ours[stock].cards[-turn:][:1] for each in tables]
        place = next(
            (
                place
                for place in range(len(stacks[0]))
                if place != talon
                and all(tuple(s[place][-1:]) == card for s, card in zip(stacks, cards, strict=True))
            ),
            None,
        )
        if place is None:
            return list(tables), 0
        for each in stacks:
            each[talon].append(each[place].pop())
    back = [
        Tables(
            each.deal,
            each.ours,
            [
                pile if list(pile.cards) == cards else replace(pile, cards=tuple(cards), down=None)
                for pile, cards in zip(each.theirs, held, strict=True)
            ],
        )
        for each, held in zip(tables, stacks, strict=True)
    ]
    return back, max(number, 0)


def compare(game: Game, entry: Mapping[str, Any], number: int) -> Compared:
    """Compares all deals of a game.

    Forced rules may have changed PySolFC's tables or not, so both of ours are compared.

    Args:
        game: Our game.
        entry: The entry of PySolFC's game in the file of its tables.
        number: PySolFC's number of the game.
    """
    found = Compared(number, entry["name"], len(entry["deals"]))
    for settled in (False, True):
        try:
            tables = [
                Tables(
                    f"pysol:{deal}", ours(game, f"pysol:{deal}", settled=settled), theirs(stacks)
                )
                for deal, stacks in entry["deals"].items()
            ]
        except DealError as error:
            found.first = str(error)
            return found
        tables, dealt = laid_back(tables)
        partners = _partners(tables)
        wrong = [(each.deal, _difference(each, partners)) for each in tables]
        faults = [f"{deal}: {text}" for deal, text in wrong if text]
        equal = len(tables) - len(faults)
        if equal > found.equal or not found.first:
            found.equal, found.dealt, found.first = equal, dealt, next(iter(faults), "")
            found.moved = bool(equal) and _moved(game, partners)
            found.faces = sorted({*_faces(game, tables, partners)}) if equal else []
        if not faults:
            found.decks = decks(game)
            break
    return found


def decks(game: Game) -> str:
    """A hash of our decks of :data:`DEALS`."""
    texts = [" ".join(map(str, deck_for(deal, game.rulebook))) for deal in DEALS]
    return sha256("\n".join(texts).encode()).hexdigest()[:16]


def _partners(tables: Sequence[Tables]) -> dict[int, int]:
    """The piles, by their places, that hold the same cards in most deals."""
    places = range(len(tables[0].theirs))
    votes: Counter[tuple[int, int]] = Counter()
    for each in tables:
        where: dict[tuple[str, ...], list[int]] = {}
        for place in places:
            where.setdefault(each.theirs[place].cards, []).append(place)
        for place, pile in enumerate(each.ours):
            votes.update((place, other) for other in where.get(pile.cards, ()) if pile.cards)
    pairs: dict[int, int] = {}
    for (place, other), number in votes.most_common():
        if number * 2 > len(tables) and place not in pairs and other not in pairs.values():
            pairs[place] = other
    return pairs


def _difference(tables: Tables, partners: Mapping[int, int]) -> str:
    """The first difference of two tables, or nothing."""
    alike = {
        place: other
        for place, other in partners.items()
        if tables.ours[place].cards == tables.theirs[other].cards
    }
    rest = [pile for place, pile in enumerate(tables.ours) if place not in alike and pile.cards]
    waiting = [
        pile
        for place, pile in enumerate(tables.theirs)
        if place not in alike.values() and pile.cards
    ]
    # Foundations may stand in the order of their suits there, and in the order of play here.
    if all(pile.role == "foundation" for pile in rest) and Counter(
        pile.cards for pile in rest
    ) == Counter(pile.cards for pile in waiting):
        return ""
    for pile in rest:
        if all(pile.cards != each.cards for each in waiting):
            near = max(waiting, key=lambda each: _likeness(pile, each), default=None)
            there = f"{near.name} {' '.join(near.cards)}" if near else "nothing"
            return f"{pile.name} has {' '.join(pile.cards)}, PySolFC's {there}"
    return "the piles change places" if rest else "PySolFC has more piles"


def _likeness(one: Pile, other: Pile) -> tuple[int, int]:
    alike = Counter(one.cards) & Counter(other.cards)
    return -abs(len(one.cards) - len(other.cards)), sum(alike.values())


def _moved(game: Game, partners: Mapping[int, int]) -> bool:
    """Whether piles of a group are not in the same order there."""
    for group in game.rulebook.groups:
        order = [partners[pile] for pile in group.piles if pile in partners]
        if group.role != "foundation" and order != sorted(order):
            return True
    return False


def _faces(game: Game, tables: Sequence[Tables], partners: Mapping[int, int]) -> Iterator[str]:
    """The groups whose cards lie the other way up there."""
    for each in tables:
        for place, partner in partners.items():
            here, there = each.ours[place].down, each.theirs[partner].down
            group = next((g for g in game.rulebook.groups if place in g.piles), None)
            if group and group.shown == "all" and None not in (here, there) and here != there:
                yield group.name


def read() -> dict[str, Compared]:
    """The saved comparison, by our games."""
    if not RESULTS.exists():
        return {}
    data = json.loads(RESULTS.read_text(encoding="utf-8"))
    return {game: Compared(**each) for game, each in data["games"].items()}


def save(found: Mapping[str, Compared]) -> None:
    """Saves the comparison, a line for each game."""
    games = ",\n".join(
        f"{json.dumps(game)}: {json.dumps(asdict(each))}" for game, each in sorted(found.items())
    )
    date = datetime.now(UTC).date().isoformat()
    with replacing(RESULTS) as path:
        path.write_text(f'{{"date": "{date}", "games": {{\n{games}\n}}}}\n', encoding="utf-8")


def pairs() -> tuple[dict[str, int], dict[str, str]]:
    """PySolFC's numbers of our games, and why tables differ.

    >>> pairs()[0]["klondike"]
    2
    """
    data = tomllib.loads((HERE / "pysol.toml").read_text(encoding="utf-8"))
    return data["games"], data["explained"]


def unexplained(found: Mapping[str, Compared]) -> list[str]:
    """The games whose tables differ for no known reason, or no longer differ."""
    explained = pairs()[1]
    return sorted(game for game, each in found.items() if each.is_same == (game in explained))


def table() -> str:
    """The comparison as a page."""
    data = json.loads(RESULTS.read_text(encoding="utf-8"))
    found, (_, explained) = read(), pairs()
    lines = [
        "# PySolFC's tables and ours, card by card",
        "",
        f"Written on {data['date']} by `python -m bench.beside.pysol --table`. For the deals",
        "`pysol:N`, the tables that [PySolFC](https://github.com/shlomif/PySolFC) lays out before",
        "the first move are compared with ours: the same cards in the same order in every pile,",
        "and the same piles in every deal. Half of the numbers are below 32000, where PySolFC has",
        "another shuffle. *Dealt on* counts the cards that it has dealt from the talon before the",
        "first move, to the waste or to other piles, and that still lie on our stock.",
        "",
        f"| {' | '.join(_HEADS)} |",
        "|---|---|--:|--:|--:|---|",
    ]
    for game, each in sorted(found.items()):
        remarks = [explained[game]] if game in explained else []
        if each.equal and each.faces:
            remarks.append(f"Other cards lie face up: {', '.join(each.faces)}.")
        cells = (game, f"{each.name} ({each.id})", each.deals, each.equal, each.dealt or "")
        lines.append(f"| {' | '.join(map(str, cells))} | {' '.join(remarks)} |")
    deals = sum(each.deals for each in found.values())
    same = [game for game, each in found.items() if each.is_same]
    files = len({game.partition(":")[0] for game in same})
    moved = sum(each.moved and each.equal == each.deals for each in found.values())
    lines += [
        "",
        f"{len(found)} games and variants, {deals:,} deals. {len(same)} games and variants of",
        f"{files} rules files have the same tables, and {moved} the same piles in another order.",
        f"{len(found) - len(same) - moved} differ for the reasons given,",
        f"{len(unexplained(found))} for none.",
    ]
    return "\n".join(lines) + "\n"


def main(arguments: list[str] | None = None) -> int:
    """Runs the comparison.

    Args:
        arguments: The command line, without the name of the program.

    Returns:
        The exit code: 0, or 1 if a table differs for no reason that ``pysol.toml`` gives.
    """
    parser = argparse.ArgumentParser(
        prog="python -m bench.beside.pysol",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--layouts", type=Path, help="PySolFC's tables, as JSON")
    parser.add_argument("--table", action="store_true", help=f"write {TABLE.name} and stop")
    parser.add_argument("--games", nargs="+", metavar="GAME", help="only these games of ours")
    options = parser.parse_args(arguments)
    if options.table:
        TABLE.write_text(table(), encoding="utf-8")
        return 0
    if options.layouts is None:
        parser.error("say where PySolFC's tables are: --layouts FILE")
    entries = json.loads(options.layouts.read_text(encoding="utf-8"))
    numbers, explained = pairs()
    found = {
        game: compare(load(game), entries[str(numbers[game])], numbers[game])
        for game in options.games or numbers
    }
    for game, each in sorted(found.items()):
        if not each.is_same:
            reason = explained.get(game, "NOT EXPLAINED")
            print(f"{game}: {each.equal} of {each.deals} equal. {reason} {each.first}")
    wrong = unexplained(found)
    same = sum(each.is_same for each in found.values())
    print(
        f"{len(found)} games and variants, {same} with the same tables, {len(wrong)} unexplained",
        file=sys.stderr,
    )
    if not options.games:
        save(found)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
