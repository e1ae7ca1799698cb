"""Parses the phrases that name piles, and which pile serves which.

.. code-block:: text

    "garden"   "garden.3"   "garden.2 to 5"   "upper and lower"   "upper from last to first"
    "vacant ramparts"   "occupied navy"   "first vacant foundations"       (targets of a move)
    "waste or hand or stock"                     (a lane of sources: the first that is not empty)
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from cadogan.i18n.text import gettext, term
from cadogan.rules.faults.report import Report, nearest, one_of
from cadogan.rules.rulebook.asks import Along
from cadogan.rules.rulebook.group import BuildOrder, Covering, Group, PileSet, Role, Shown
from cadogan.rules.rulebook.neighbours import SIDES, Direction, beside, read_sides
from cadogan.rules.rulebook.step import PACK
from cadogan.rules.source.span import Path
from cadogan.rules.source.values import paths

_ITEM = re.compile(
    r"(?:the\s+)?(?P<name>[\w-]+)"
    r"(?:\.(?P<index>\d+)(?:\s+to\s+(?:(?P=name)\.)?(?P<end>\d+))?)?"
    r"(?P<back>\s+from\s+last\s+to\s+first)?"
)
_JOIN = re.compile(r"\s*,\s*(?:and\s+)?|\s+and\s+")
_WORD = re.compile(r"[\w-]+")
_OR = re.compile(r"\s+or\s+")
_STATES = ("vacant", "occupied", "first vacant")
MAX_NAMED = 4000
"""The largest number of piles in a phrase, even of a deal; the rest of a list is not read."""

RESERVED = frozenset(
    {PACK, "vacant", "occupied", "first", "last", "top", "the", "and", "or", "not", "no", "all"}
    | {"some", "any", "is", "are", "of", "from", "to", "up", "down", "nothing"}
)
"""Words that cannot be names of piles, because they have other meanings in phrases."""


class Piles:
    """The groups of a game.

    Attributes:
        groups: The groups, in the order of the file.
        count: The number of piles.
        source: The pile that holds the pack when the layout begins.
    """

    def __init__(self, report: Report, strangers: Iterable[str] = ()) -> None:
        self.report = report
        self.groups: list[Group] = []
        self.count = 0
        self.source = 0
        # Tables of the file that are not groups because they have no role.
        self._strangers = tuple(strangers)
        self._by_name: dict[str, Group] = {}
        self._by_pile: list[Group] = []
        self._whole: dict[str, PileSet] = {}
        self._lanes: dict[str, list[PileSet]] = {}
        self._unknown: dict[str, dict[Path, Path]] = {}
        # For each pile those that it covers.
        self._covers: dict[int, list[int]] = {}

    def add(
        self,
        name: str,
        role: Role,
        count: int,
        shown: Shown,
        order: BuildOrder | None,
        mark: str | None,
        holds: int | None = None,
    ) -> None:
        """Adds a group after the others."""
        group = Group(name, role, self.count, count, shown, order, mark, holds)
        self.groups.append(group)
        self._by_name[name] = group
        self._by_pile += [group] * count
        if _WORD.fullmatch(name):
            self._whole[name] = PileSet(tuple(group.piles), name)
        self.count += count

    def close(self) -> None:
        """Determines where the pack lies before the layout: on the stock, or on a hidden pile."""
        stocks = [group for group in self.groups if group.role == "stock"]
        if len(stocks) > 1:
            self.report.error(
                "several-stocks",
                (stocks[1].name,),
                gettext("a game has one stock"),
                key=True,
                also=[((stocks[0].name,), gettext("this one"))],
            )
        elif stocks and stocks[0].count != 1:
            self.report.error(
                "several-stocks", (stocks[0].name, "piles"), gettext("a stock is one pile")
            )
        self.source = stocks[0].first if stocks else self.count

    def finish(self) -> None:
        """Reports unknown names of groups, each once."""
        for name, mentions in self._unknown.items():
            if self.report.is_faulty(name) or nearest(name, self._strangers) or not self.groups:
                continue
            guess = nearest(name, self._by_name)
            hint = (
                gettext('did you mean "{guess}"?', guess=guess)
                if guess
                else gettext("say {choices}", choices=one_of(self._by_name, 20))
            )
            if name == PACK and self.source < self.count:
                hint = gettext(
                    'say "{name}": it holds the pack', name=self.group_of(self.source).name
                )
            path, *others = mentions.values()
            self.report.error(
                "unknown-group",
                path,
                gettext('there are no piles called "{name}"', name=name),
                word=name,
                hint=hint,
                also=[(other, gettext("and here")) for other in others[:3]],
            )

    def examples(self) -> list[str]:
        """Phrases that name piles of the game, for hints."""
        named = [group.name for group in self.groups]
        phrases = [f'"{name}"' for name in named[:1]]
        several = next((group for group in self.groups if group.count > 1), None)
        if several is not None:
            phrases.append(f'"{several.name}.{min(3, several.count)}"')
        if len(named) > 1:
            phrases.append(f'"{named[0]} and {named[1]}"')
        if several is not None:
            phrases.append(f'"{several.name} from last to first"')
        return phrases

    def group_of(self, pile: int) -> Group:
        """The group of a pile."""
        return self._by_pile[pile]

    def is_ordered(self, pile: int) -> bool:
        """Whether a pile takes cards in an order, even one that is not understood."""
        group = self.group_of(pile)
        return group.build_order is not None or (
            group.role == "foundation"
            and any(self.report.is_faulty(group.name, key) for key in ("build", "base", "order"))
        )

    def is_certain(self, *piles: int) -> bool:
        """Whether the numbers of piles of the groups of these piles are known."""
        names = {self.group_of(pile).name for pile in piles}
        return not any(self.report.is_faulty(name, "piles") for name in names)

    def order_ranks(self, name: str) -> Sequence[int] | None:
        """The ranks of a group's order, for relations that use it."""
        group = self._by_name.get(name)
        if group is not None and group.build_order is not None:
            return group.build_order.ranks
        doubtful = self.report.is_faulty(name) if group is None else self.is_ordered(group.first)
        return () if doubtful else None

    def ordered_names(self) -> list[str]:
        """The groups that have an order."""
        return [group.name for group in self.groups if group.build_order is not None]

    # -- phrases -----------------------------------------------------------------------------------

    def read(
        self,
        phrases: str | list[str],
        path: Path,
        *,
        again: bool = False,
    ) -> PileSet:
        """Parses names of piles; piles with faults are left out.

        Args:
            phrases: A phrase or several.
            path: Their place.
            again: Whether a pile may be named more than once.
        """
        if isinstance(phrases, str) and (whole := self._whole.get(phrases)) is not None:
            return whole
        found: list[int] = []
        for phrase, place in paths(phrases, path):
            for item in _JOIN.split(phrase.strip()) if phrase.strip() else ():
                found += self._item(item, place)
            if len(found) > MAX_NAMED:
                break
        if not again and len(set(found)) < len(found):
            self._twice(found, path)
            found = list(dict.fromkeys(found))
        self._check_named(phrases, path)
        text = phrases if isinstance(phrases, str) else " and ".join(phrases)
        return PileSet(tuple(found), " ".join(text.split()))

    def read_lanes(self, phrases: str | list[str], path: Path) -> tuple[PileSet, ...]:
        """Parses sources: each pile is its own lane, unless piles are joined by "or"."""
        lanes: list[PileSet] = []
        for phrase, place in paths(phrases, path):
            if phrase in self._by_name:
                lanes += self._lanes_of(phrase)
            elif _OR.search(phrase):
                piles: list[int] = []
                for item in _OR.split(phrase.strip()):
                    found = self._item(item, place)
                    if len(found) > 1:
                        self.report.error(
                            "one-pile-wanted",
                            place,
                            gettext(
                                '"{item}" is several piles; only single piles follow one another',
                                item=item,
                            ),
                            word=item,
                        )
                    piles += found[:1]
                lanes.append(PileSet(tuple(piles), " ".join(phrase.split())))
            else:
                named = self.read(phrase, place, again=True)
                lanes += [PileSet((pile,), named.text) for pile in named.piles]
            if len(lanes) > MAX_NAMED:
                break
        flat = [pile for lane in lanes for pile in lane.piles]
        if len(set(flat)) < len(flat):
            self._twice(flat, path)
        self._check_named(phrases, path)
        return tuple(lanes)

    def _lanes_of(self, name: str) -> Sequence[PileSet]:
        """The piles of a group as lanes, cached because many rules name the same groups."""
        if name not in self._lanes:
            piles = self._by_name[name].piles
            self._lanes[name] = [PileSet((pile,), name) for pile in piles]
        return self._lanes[name]

    def read_targets(self, phrases: str | list[str], path: Path) -> tuple[PileSet, str]:
        """Parses targets.

        Returns:
            The piles, and ``"vacant"``, ``"first vacant"``, ``"occupied"`` or ``""``.
        """
        states: dict[str, None] = {}
        bare: list[str] = []
        found: list[int] = []
        for phrase, place in paths(phrases, path):
            text = " ".join(phrase.split())
            state = next((state for state in _STATES if text.startswith(state + " ")), "")
            states[state] = None
            bare.append(text[len(state) :].strip())
            found += self.read(bare[-1], place, again=True).piles
            if len(found) > MAX_NAMED:
                break
        if len(states) > 1:
            self.report.error(
                "mixed-targets",
                path,
                gettext('"vacant" or "occupied" must apply to all targets of a rule alike'),
                hint=gettext("write two rules"),
            )
        if len(set(found)) < len(found):
            self._twice(found, path)
        self._check_named(phrases, path)
        piles = tuple(dict.fromkeys(found))
        return PileSet(piles, " and ".join(bare)), min(states, default="")

    def single(self, piles: PileSet, path: Path) -> int | None:
        """The only pile of a phrase that must name one."""
        if len(piles.piles) > 1 and self.is_certain(*piles.piles):
            name = self.group_of(piles.piles[0]).name
            self.report.error(
                "one-pile-wanted",
                path,
                gettext(
                    '"{text}" is {number} piles; one is wanted',
                    text=piles.text,
                    number=len(piles.piles),
                ),
                hint=gettext('say "{name}.1"', name=name) if len(piles.text.split()) == 1 else None,
            )
        return piles.piles[0] if len(piles.piles) == 1 else None

    def _check_named(self, phrases: str | list[str], path: Path) -> None:
        if not phrases:
            self.report.error("no-piles", path, gettext("no pile is named here"))
        for phrase, place in paths(phrases, path):
            if not phrase.strip():
                self.report.error("no-piles", place, gettext("no pile is named here"))

    def _twice(self, piles: Sequence[int], path: Path) -> None:
        twice = next(pile for place, pile in enumerate(piles) if pile in piles[:place])
        group = self.group_of(twice)
        name = group.pile_name(twice - group.first)
        self.report.error("said-twice", path, gettext('"{name}" is named twice here', name=name))

    def _item(self, item: str, path: Path) -> list[int]:
        match = _ITEM.fullmatch(item.strip())
        if item.strip() in self._by_name:
            # An invalid name may have been reported already.
            return list(self._by_name[item.strip()].piles)
        if match is None:
            hint = gettext("say {choices}", choices=one_of(self.examples(), 20))
            if item.split()[:1] in (["vacant"], ["occupied"], ["first"]):
                hint = gettext(
                    '"vacant" and "occupied" are only for targets of rules that move cards '
                    '"from" piles "to" piles'
                )
            elif _OR.search(item):
                hint = gettext('"or" joins single piles in "from" only; elsewhere give a list')
            self.report.error(
                "unknown-phrase",
                path,
                gettext('"{text}" does not name piles', text=" ".join(item.split())),
                word=item,
                hint=hint,
            )
            return []
        name = match["name"]
        group = self._by_name.get(name)
        if group is None:
            mentions = self._unknown.setdefault(name, {})
            mentions.setdefault(self.report.origin(path), path)
            self.report.mark_faulty(path)
            return []
        piles = list(group.piles)
        if match["index"]:
            first = self._place(group, match["index"], f"{name}.{match['index']}", path)
            last = first
            if match["end"] is not None:
                last = self._place(group, match["end"], match["end"], path)
            if first is None or last is None:
                return []
            if match["end"] is not None and last <= first:
                self.report.error(
                    "unknown-phrase",
                    path,
                    gettext('"{text}" does not name piles', text=" ".join(item.split())),
                    word=item,
                    hint=gettext(
                        'begin with the lower number; "{name} from last to first" turns them round',
                        name=f"{name}.{last + 1} to {first + 1}",
                    )
                    if last < first
                    else gettext('say "{name}"', name=f"{name}.{first + 1}"),
                )
                return []
            piles = piles[first : last + 1]
        return piles[::-1] if match["back"] else piles

    def _place(self, group: Group, digits: str, word: str, path: Path) -> int | None:
        """The place of a pile within its group, counted from 0; ``None`` if there is none."""
        number = int(digits[:6])
        if 1 <= number <= group.count:
            return number - 1
        if self.is_certain(group.first):
            self.report.error(
                "unknown-pile",
                path,
                gettext(
                    'there is no "{name}.{number}": "{name}" has {count}',
                    name=group.name,
                    number=number,
                    count=count_piles(group.count),
                ),
                word=word,
            )
        return None

    # -- along -------------------------------------------------------------------------------------

    def along(
        self,
        sources: Sequence[int],
        to: PileSet,
        text: str | None,
        picture: Mapping[tuple[int, float], int],
        path: Path,
    ) -> Along:
        """Which source serves which target."""
        sides: tuple[Direction, ...] = ()
        if text is not None and text not in ("same place", "lines"):
            sides = self.sides(text, path)
            text = " or ".join(side.text for side in sides) or None
        if sides:
            found = self.beside(sources, sides, picture, path)
            targets = set(to.piles)
            served = {
                pile: tuple(other for other in others if other in targets)
                for pile, others in found.items()
            }
            return Along(served, text, sides)
        return Along(self._served(sources, to, text, picture, path), text)

    def cover(self, coverings: Sequence[Covering]) -> None:
        """Takes note of which piles cover which."""
        by_name = {group.name: group for group in self.groups}
        for covering in coverings:
            for pile, ways in zip(by_name[covering.group].piles, covering.ways, strict=True):
                for cover in dict.fromkeys(other for way in ways for other in way):
                    self._covers.setdefault(cover, []).append(pile)

    def along_covers(self, sources: Sequence[int], to: PileSet, path: Path) -> Along:
        """Each source serves the targets that it covers."""
        targets = set(to.piles)
        served = {
            pile: tuple(other for other in self._covers.get(pile, ()) if other in targets)
            for pile in sources
        }
        if not any(served.values()) and self.is_certain(*sources, *to.piles):
            self.report.error(
                "key-does-not-fit",
                path,
                gettext("no pile covers a pile to which cards go"),
                hint=gettext('say covered = "by the two below" in the group that is covered'),
            )
        return Along(served, "covered")

    def sides(self, phrase: str, path: Path) -> tuple[Direction, ...]:
        """Reads where places lie beside others; reports what is not understood."""
        sides = read_sides(phrase)
        if not sides:
            self.report.error(
                "unknown-phrase",
                path,
                gettext('"{text}" does not say which places belong together', text=phrase),
                hint=gettext('say "same place", "lines", {sides}', sides=term(SIDES)),
            )
        return sides

    def beside(
        self,
        piles: Iterable[int],
        sides: Sequence[Direction],
        picture: Mapping[tuple[int, float], int],
        path: Path,
    ) -> dict[int, tuple[int, ...]]:
        """For each pile those that lie beside it."""
        piles = tuple(piles)
        if all(down for side in sides for down, _ in side.steps) and not any(
            side.turn for side in sides
        ):
            lost = [pile for pile in piles if pile not in picture.values()]
            if lost:
                self._not_in_picture(lost[0], bool(picture), path)
                return {}
        return beside(piles, sides, picture, {pile: self.group_of(pile).piles for pile in piles})

    def _served(
        self,
        sources: Sequence[int],
        to: PileSet,
        text: str | None,
        picture: Mapping[tuple[int, float], int],
        path: Path,
    ) -> dict[int, tuple[int, ...]]:
        """For each source, its possible targets."""
        if text == "same place":
            place = {pile: pile - self.group_of(pile).first for pile in (*sources, *to.piles)}
            self._check_even(place, path)
            there: dict[int, list[int]] = {}
            for pile in to.piles:
                there.setdefault(place[pile], []).append(pile)
            return {a: tuple(b for b in there.get(place[a], ()) if a != b) for a in sources}
        if text == "lines":
            where = {pile: place for place, pile in picture.items()}
            lost = [pile for pile in (*sources, *to.piles) if pile not in where]
            if lost:
                self._not_in_picture(lost[0], bool(picture), path)
                return {}
            return {
                a: tuple(
                    b
                    for b in to.piles
                    if a != b and (where[a][0] == where[b][0] or where[a][1] == where[b][1])
                )
                for a in sources
            }
        # Rules from all piles to all piles are common, so share the tuple instead of copying it.
        served = dict.fromkeys(sources, to.piles)
        for index, pile in enumerate(to.piles):
            if pile in served:
                served[pile] = to.piles[:index] + to.piles[index + 1 :]
        return served

    def lines(
        self,
        piles: PileSet,
        along: str,
        picture: Mapping[tuple[int, float], int],
        path: Path,
    ) -> list[tuple[int, ...]] | None:
        """The rows, columns or diagonals of some piles in the picture; ``None`` after a fault."""
        where = {pile: place for place, pile in picture.items()}
        lost = [pile for pile in piles.piles if pile not in where]
        if lost:
            self._not_in_picture(lost[0], bool(picture), path)
            return None
        if along == "diagonals":
            return self._diagonals(piles, where, path)
        which = 0 if along == "rows" else 1
        found: dict[float, list[int]] = {}
        for pile in sorted(piles.piles, key=where.__getitem__):
            found.setdefault(where[pile][which], []).append(pile)
        return [tuple(found[line]) for line in sorted(found)]

    def _diagonals(
        self, piles: PileSet, where: Mapping[int, tuple[int, float]], path: Path
    ) -> list[tuple[int, ...]] | None:
        """The two diagonals of a square."""
        there = {where[pile]: pile for pile in piles.piles}
        rows = sorted({row for row, _ in there})
        columns = sorted({column for _, column in there})
        if len(rows) != len(columns) or len(there) != len(rows) * len(columns):
            self.report.error(
                "unknown-condition",
                path,
                gettext('"{text}" is no square, so it has no diagonals', text=piles.text),
            )
            return None
        return [
            tuple(there[place] for place in zip(rows, way, strict=True))
            for way in (columns, columns[::-1])
        ]

    def _check_even(self, piles: Iterable[int], path: Path) -> None:
        groups = list({self.group_of(pile).name: self.group_of(pile) for pile in piles}.values())
        for group in groups[1:]:
            if group.count != groups[0].count and self.is_certain(group.first, groups[0].first):
                self.report.error(
                    "uneven-groups",
                    path,
                    gettext(
                        '"{name}" has {count}, "{other}" has {given}',
                        name=groups[0].name,
                        count=count_piles(groups[0].count),
                        other=group.name,
                        given=group.count,
                    ),
                    hint=gettext('"same place" links the first pile with the first, and so on'),
                )
                return

    def _not_in_picture(self, pile: int, drawn: bool, path: Path) -> None:
        if self.report.is_faulty("picture") or not self.is_certain(pile):
            return
        group = self.group_of(pile)
        name = group.pile_name(pile - group.first)
        self.report.error(
            "not-in-picture",
            path,
            gettext('"{name}" does not stand in the picture of the table', name=name),
            hint=gettext("what lies above, below or in one line is read from the picture")
            if drawn
            else gettext('add picture = """...""", and a mark for each group in it'),
        )


def count_piles(count: int) -> str:
    """Formats a number of piles.

    >>> count_piles(1), count_piles(8)
    ('one pile', '8 piles')
    """
    return gettext("one pile") if count == 1 else gettext("{count} piles", count=count)
