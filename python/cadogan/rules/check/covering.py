"""Parses which places of the picture cover others, and when a place is open.

.. code-block:: text

    covered = "by the two below"       "by the one above"       "by those below"
    open    = "while the place below is vacant"
    open    = "while a place to the left or to the right is vacant"
    open    = "while all places above or below are vacant"
    open    = "while one of the nearest places below, to the left or to the right is vacant"

Only places of tableaux and reserves cover others. Where the picture ends, nothing covers a card.
"""

import re
from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from cadogan.i18n.text import gettext
from cadogan.rules.check.piles import Piles
from cadogan.rules.faults.report import Report
from cadogan.rules.rulebook.group import Covering, Group, Side
from cadogan.rules.source.span import Path

_NUMBERS: Final = {"one": 1, "two": 2, "three": 3, "those": None}
_COVERED = re.compile(r"by (?:the )?(?P<number>\w+)(?: cards?| places?)? (?P<side>above|below)")
_OPEN = re.compile(
    r"(?:while|when) (?P<which>the place|a place|all places|one of the nearest places) "
    r"(?P<sides>.+) (?:is|are) vacant"
)
_OR = re.compile(r", or |, | or ")
_SIDE = re.compile(r"(?:the place |a place |all places )?(?:(?:to )?(?:the |its )?)(?P<side>\w+)")
_SIDES: Final[tuple[Side, ...]] = ("above", "below", "left", "right")


def read_coverings(
    groups: Mapping[str, Any],
    piles: Piles,
    picture: Mapping[tuple[int, float], int],
    report: Report,
) -> tuple[Covering, ...]:
    """Reads ``covered`` and ``open`` of all groups.

    Args:
        groups: The tables of the groups, by name.
        piles: The piles.
        picture: The picture of the table.
        report: Receives the faults.
    """
    reader = _Reader(piles, picture, report)
    found = (reader.read(group, groups[group.name]) for group in piles.groups)
    return tuple(covering for covering in found if covering is not None)


class _Reader:
    """Finds in the picture what lies beside what."""

    def __init__(
        self, piles: Piles, picture: Mapping[tuple[int, float], int], report: Report
    ) -> None:
        self.piles = piles
        self.report = report
        self.where = {pile: place for place, pile in picture.items()}
        covering = ("tableau", "reserve")
        self.places = sorted(
            (place, pile)
            for place, pile in picture.items()
            if piles.group_of(pile).role in covering
        )

    def read(self, group: Group, raw: Mapping[str, Any]) -> Covering | None:
        """Reads the covering of one group."""
        keys = [key for key in ("covered", "open") if key in raw]
        if not keys:
            return None
        if len(keys) == 2:
            self.report.error(
                "key-does-not-fit",
                (group.name, "open"),
                gettext('"covered" and "open" exclude each other'),
                key=True,
                also=[((group.name, "covered"), gettext("here"))],
            )
            return None
        path: Path = (group.name, keys[0])
        text = " ".join(raw[keys[0]].split()).lower()
        found = self._covered(text, path) if keys[0] == "covered" else self._open(text, path)
        if found is None or not self._in_picture(group, path):
            return None
        sides, which, number = found
        whole, nearest = which == "all places", which == "one of the nearest places"
        find = self._nearest_ways if nearest else partial(self._ways, whole=whole)
        ways = tuple(find(pile, sides) for pile in group.piles)
        is_covered = keys[0] == "covered"
        covering = Covering(group.name, text, is_covered, sides, whole, number, ways, nearest)
        self._check(group, covering, path)
        return covering

    def _covered(self, text: str, path: Path) -> tuple[tuple[Side, ...], str, int | None] | None:
        match = _COVERED.fullmatch(text)
        if match is None or match["number"] not in _NUMBERS:
            self.report.error(
                "unknown-phrase",
                path,
                gettext('"{text}" does not say what covers a card', text=text),
                hint=gettext('say "by the two below", "by the one below" or "by those below"'),
            )
            return None
        return (_side(match["side"]),), "", _NUMBERS[match["number"]]

    def _open(self, text: str, path: Path) -> tuple[tuple[Side, ...], str, int | None] | None:
        match = _OPEN.fullmatch(text)
        words = _OR.split(match["sides"]) if match else []
        sides = [side for side in map(_SIDE.fullmatch, words) if side and side["side"] in _SIDES]
        if match is None or len(sides) != len(words):
            self.report.error(
                "unknown-phrase",
                path,
                gettext('"{text}" does not say when a card is open', text=text),
                hint=gettext(
                    'say "while the place below is vacant", "while a place to the left or to the '
                    'right is vacant", "while all places above or below are vacant" or "while one '
                    'of the nearest places below, to the left or to the right is vacant"'
                ),
            )
            return None
        found = tuple(dict.fromkeys(_side(side["side"]) for side in sides))
        return found, match["which"], None

    def _in_picture(self, group: Group, path: Path) -> bool:
        lost = next((pile for pile in group.piles if pile not in self.where), None)
        if lost is None:
            return True
        if not self.report.is_faulty("picture") and self.piles.is_certain(group.first):
            self.report.error(
                "not-in-picture",
                path,
                gettext(
                    '"{name}" does not stand in the picture of the table',
                    name=group.pile_name(lost - group.first),
                ),
                key=True,
                hint=gettext("the picture shows what lies beside and over what")
                if self.where
                else gettext('add picture = """...""", and a mark for each group in it'),
            )
        return False

    def _ways(
        self, pile: int, sides: tuple[Side, ...], *, whole: bool
    ) -> tuple[tuple[int, ...], ...]:
        """The sets of piles one of which must be vacant; none if the pile is always open."""
        ways = [self._beside(pile, side, whole=whole) for side in sides]
        return () if not all(ways) else tuple(dict.fromkeys(ways))

    def _nearest_ways(self, pile: int, sides: tuple[Side, ...]) -> tuple[tuple[int, ...], ...]:
        """The piles one of which must be vacant; none where no place lies on the first side."""
        found = [self._nearest(pile, side) for side in sides]
        return tuple((other,) for some in found for other in some) if found[0] else ()

    def _nearest(self, pile: int, side: Side) -> tuple[int, ...]:
        """The nearest places on one side of a place, whatever empty room lies between.

        In the row above or below, these are the places that overlap it, or else the first one to
        the left and the first one to the right.
        """
        row, column = self.where[pile]
        if side in ("above", "below"):
            row += 1 if side == "below" else -1
            if beside := self._beside(pile, side, whole=False):
                return beside
        line = [(place[1] - column, other) for place, other in self.places if place[0] == row]
        left = [other for across, other in line if across < 0][-1:]
        right = [other for across, other in line if across > 0][:1]
        return (*(left if side != "right" else ()), *(right if side != "left" else ()))

    def _beside(self, pile: int, side: Side, *, whole: bool) -> tuple[int, ...]:
        """The places on one side of a place: those that touch it, or all to the edge."""
        row, column = self.where[pile]
        found = []
        for (other_row, other_column), other in self.places:
            down, across = other_row - row, other_column - column
            if side in ("above", "below"):
                distance: float = down if side == "below" else -down
                in_line = abs(across) < 1
            else:
                distance = across if side == "right" else -across
                in_line = down == 0
            if in_line and (distance > 0 if whole else distance == 1):
                found.append(other)
        return tuple(found)

    def _check(self, group: Group, covering: Covering, path: Path) -> None:
        """Whether the picture shows what the phrase says."""
        if self.report.is_faulty("picture"):
            return
        sides = [(pile, side) for pile in group.piles for side in covering.sides]
        if not any(
            self._nearest(pile, side) if covering.nearest else self._beside(pile, side, whole=False)
            for pile, side in sides
        ):
            self.report.error(
                "not-in-picture",
                path,
                gettext('in the picture nothing lies beside "{name}" in that way', name=group.name),
                key=True,
                hint=gettext('"/" shifts the places after it by half a place'),
            )
        for pile, ways in zip(group.piles, covering.ways, strict=True):
            many = max(map(len, ways), default=0)
            if not covering.covered and not covering.whole and many > 1:
                self.report.error(
                    "wrong-count",
                    path,
                    gettext(
                        'in the picture {number} places lie beside "{name}" in that way, not one',
                        name=group.pile_name(pile - group.first),
                        number=many,
                    ),
                    hint=gettext(
                        'say covered = "by those below", or "while all places below are vacant"'
                    ),
                )
                return
            if covering.number is not None and ways and len(ways[0]) != covering.number:
                self.report.error(
                    "wrong-count",
                    path,
                    gettext(
                        'in the picture "{name}" is covered by {number}, not {wanted}',
                        name=group.pile_name(pile - group.first),
                        number=len(ways[0]),
                        wanted=covering.number,
                    ),
                    hint=gettext('"/" shifts the places after it by half a place'),
                )
                return


def _side(word: str) -> Side:
    return next(side for side in _SIDES if side == word)
