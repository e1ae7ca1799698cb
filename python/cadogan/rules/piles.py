"""Names of piles: reading the phrases that name them, the links between them, the picture.

.. code-block:: text

    "garden"   "garden.3"   "stock"   "upper and lower"   "upper from last to first"
    "vacant ramparts"   "occupied navy"   "first vacant foundations"       (targets of a move)
    "waste or hand or stock"                     (a lane of sources: the first that is not empty)
"""

import re
from collections.abc import Mapping, Sequence

from cadogan.rules.document import Path
from cadogan.rules.phrases import paths
from cadogan.rules.report import Report, nearest, one_of
from cadogan.rules.rulebook import Group, Order, PileSet, Role, Shown

_ITEM = re.compile(
    r"(?:the\s+)?(?P<name>[\w-]+)(?:\.(?P<index>\d+))?(?P<back>\s+from\s+last\s+to\s+first)?$"
)
_JOIN = re.compile(r"\s*,\s*(?:and\s+)?|\s+and\s+")
_STATES = ("vacant", "occupied", "first vacant")
PACK = "pack"
"""The hidden pile that holds the pack during the layout when a game has no stock."""


class Piles:
    """The groups of a game, by name.

    Attributes:
        groups: In the order of the file.
        count: How many piles there are.
        source: The pile that holds the pack when the layout begins.
    """

    def __init__(self, report: Report) -> None:
        self.report = report
        self.groups: list[Group] = []
        self.count = 0
        self.source = 0
        self.order_ranks_by_group: dict[str, tuple[int, ...]] = {}
        self._by_pile: list[Group] = []

    def add(
        self, name: str, role: Role, count: int, shown: Shown, order: Order | None, mark: str | None
    ) -> None:
        """Adds a group at the end of the table."""
        group = Group(name, role, self.count, count, shown, order, mark)
        self.groups.append(group)
        self._by_pile += [group] * count
        self.count += count
        if order is not None:
            self.order_ranks_by_group[name] = order.ranks

    def close(self) -> None:
        """Says where the pack lies when the layout begins: on the stock, or on a hidden pile."""
        stocks = [group for group in self.groups if group.role == "stock"]
        if len(stocks) > 1 or (stocks and stocks[0].count != 1):
            self.report.error(
                "several-stocks",
                (stocks[-1].name,),
                "a game has one stock of one pile",
                key=True,
                also=[((stocks[0].name,), "a stock")] if len(stocks) > 1 else [],
            )
        self.source = stocks[0].first if stocks else self.count

    def group_of(self, pile: int) -> Group:
        """The group of a pile."""
        return self._by_pile[pile]

    def order_ranks(self, name: str) -> Sequence[int] | None:
        """The ranks of a group's order, for relations that follow it."""
        return self.order_ranks_by_group.get(name)

    def read(self, phrases: str | list[str], path: Path) -> PileSet:
        """Reads piles; faults are reported and leave piles out."""
        found: list[int] = []
        for phrase, place in paths(phrases, path):
            for item in _JOIN.split(phrase.strip()):
                found += self._item(item, phrase, place)
        text = phrases if isinstance(phrases, str) else " and ".join(phrases)
        return PileSet(tuple(found), " ".join(text.split()))

    def read_lanes(self, phrases: str | list[str], path: Path) -> tuple[PileSet, ...]:
        """Reads sources: each pile a lane of its own, unless joined by "or"."""
        lanes: list[PileSet] = []
        seen: set[int] = set()
        for phrase, place in paths(phrases, path):
            if re.search(r"\sor\s", phrase):
                piles: list[int] = []
                for item in re.split(r"\s+or\s+", phrase.strip()):
                    found = self._item(item, phrase, place)
                    if len(found) > 1:
                        self.report.error(
                            "one-pile-wanted",
                            place,
                            f'"{item}" is several piles; only single piles follow one another',
                        )
                    piles += found[:1]
                lanes.append(PileSet(tuple(piles), " ".join(phrase.split())))
            else:
                named = self.read(phrase, place)
                lanes += [PileSet((pile,), named.text) for pile in named.piles]
            for lane in lanes:
                for pile in lane.piles:
                    seen.add(pile)
        flat = [pile for lane in lanes for pile in lane.piles]
        if len(flat) != len(seen):
            twice = next(pile for pile in flat if flat.count(pile) > 1)
            self.report.error(
                "said-twice", path, f'"{self.group_of(twice).name}" stands here twice'
            )
        if not phrases:
            self.report.error("no-piles", path, "no pile is named here")
        return tuple(lanes)

    def read_targets(self, phrases: str | list[str], path: Path) -> tuple[PileSet, str]:
        """Reads targets.

        Returns:
            The piles, and ``"vacant"``, ``"first vacant"``, ``"occupied"`` or ``""``.
        """
        states = set()
        bare = []
        for phrase, _ in paths(phrases, path):
            state = next((s for s in _STATES if phrase.strip().startswith(s + " ")), "")
            rest = phrase.strip()[len(state) :].strip()
            states.add(state)
            bare.append(rest if state else phrase)
        if len(states) > 1:
            self.report.error(
                "mixed-targets",
                path,
                '"vacant" and "occupied" must be said of all targets of a rule alike',
                hint="write two rules",
            )
        if not bare:
            self.report.error("no-piles", path, "no pile is named here")
        found: list[int] = []
        for index, phrase in enumerate(bare):
            place = (*path, index) if isinstance(phrases, list) else path
            for pile in self.read(phrase, place).piles:
                if pile not in found:
                    found.append(pile)
        return PileSet(tuple(found), " and ".join(bare)), min(states, default="")

    def single(self, piles: PileSet, path: Path) -> int | None:
        """The only pile of a phrase that must name one."""
        if len(piles.piles) == 1:
            return piles.piles[0]
        if piles.piles:
            self.report.error(
                "one-pile-wanted",
                path,
                f'"{piles.text}" is {len(piles.piles)} piles; one is wanted',
            )
        return None

    def _item(self, item: str, phrase: str, path: Path) -> list[int]:
        start = phrase.find(item)
        match = _ITEM.match(item.strip())
        if match is None:
            self.report.error(
                "unknown-phrase",
                path,
                f'"{item.strip()}" does not name piles',
                hint='say "garden", "garden.3", "upper and lower" or "upper from last to first"',
            )
            return []
        name = match["name"]
        group = next((group for group in self.groups if group.name == name), None)
        if group is None:
            names = [group.name for group in self.groups]
            guess = nearest(name, names)
            at = phrase.find(name, max(start, 0))
            self.report.error(
                "unknown-group",
                path,
                f'there are no piles called "{name}"',
                within=(at, at + len(name)),
                hint=f'did you mean "{guess}"?' if guess else f"there are {one_of(names, 20)}",
            )
            return []
        piles = list(group.piles)
        if match["index"]:
            number = int(match["index"][:6])
            if not 1 <= number <= group.count:
                self.report.error(
                    "unknown-pile",
                    path,
                    f'"{name}" has {_piles(group.count)}; there is no "{name}.{number}"',
                )
                return []
            piles = [group.first + number - 1]
        return piles[::-1] if match["back"] else piles

    def links(
        self,
        sources: Sequence[int],
        to: PileSet,
        along: str | None,
        picture: Mapping[tuple[int, int], int],
        path: Path,
    ) -> dict[int, tuple[int, ...]]:
        """For each source, the targets it may serve."""
        if along == "same place":
            for pile in (*sources, *to.piles):
                other = self.group_of((to.piles or (pile,))[0])
                if self.group_of(pile).count != other.count:
                    self.report.error(
                        "uneven-groups",
                        path,
                        f'"{self.group_of(pile).name}" and "{other.name}" have different numbers of piles',
                        hint='"same place" links the first pile with the first, and so on',
                    )
                    break

            def linked(a: int, b: int) -> bool:
                return a - self.group_of(a).first == b - self.group_of(b).first
        elif along == "lines":
            where = {pile: place for place, pile in picture.items()}
            for pile in (*sources, *to.piles):
                if pile not in where:
                    self.report.error(
                        "not-in-picture",
                        path,
                        f'"{self.group_of(pile).name}" does not stand in the picture of the table',
                        hint='give picture = """...""" and a mark for the group',
                    )
                    return {}

            def linked(a: int, b: int) -> bool:
                return where[a][0] == where[b][0] or where[a][1] == where[b][1]
        else:

            def linked(a: int, b: int) -> bool:
                return True

        return {a: tuple(b for b in to.piles if a != b and linked(a, b)) for a in sources}


def _piles(count: int) -> str:
    return "one pile" if count == 1 else f"{count} piles"


def read_picture(text: str | None, piles: Piles, report: Report) -> dict[tuple[int, int], int]:
    """Reads the picture of the table.

    Each line is a row; words are places: ``.`` for an empty one, a group's mark (or its name when it
    has one pile) and the pile's number for a pile. A mark alone is the group's only pile.

    Returns:
        Pile numbers by (row, column).
    """
    found: dict[tuple[int, int], int] = {}
    seen: set[int] = set()
    marks = {group.mark: group for group in piles.groups if group.mark} | {
        g.name: g for g in piles.groups
    }
    for row, line in enumerate((text or "").strip("\n").splitlines()):
        for column, word in enumerate(line.split()):
            if set(word) <= {".", "-"}:
                continue
            match = re.fullmatch(r"([A-Za-z-]+?)(\d{0,3})", word)
            group = marks.get(match[1]) if match else None
            if match is None or group is None:
                report.error(
                    "unknown-mark",
                    ("picture",),
                    f'"{word}" in the picture stands for no pile',
                    hint=f"marks are {one_of([str(mark) for mark in marks], 20)}",
                )
                continue
            number = int(match[2] or 1)
            if not 1 <= number <= group.count:
                report.error(
                    "unknown-pile",
                    ("picture",),
                    f'"{word}" in the picture: "{group.name}" has {_piles(group.count)}',
                )
                continue
            pile = group.first + number - 1
            if pile in seen:
                report.error("said-twice", ("picture",), f'"{word}" stands twice in the picture')
            seen.add(pile)
            found[row, column] = pile
    return found
