"""Parses what few moves ask for: ranks that a counter tells, places by rank, turns of piles.

.. code-block:: text

    which = "cards of the base rank"          space = "one rank below the base"
    which = "cards of rank called"            which = "ranks that lie in row.1"
    which = "ranks that lie in the pile before"
    to = "hours of its rank"                  to = "heaps of its suit"
    from = "clock at hour"                    to = "last occupied tableau"
"""

import re
from typing import TYPE_CHECKING, Any, Literal

from cadogan.i18n.text import told
from cadogan.rules.rulebook.rulebook import Asks, ByCounter, PileSet, Turn
from cadogan.rules.rulebook.words import (
    ANY,
    RANK_NAMES,
    CardClass,
    plural,
    rank_mask,
    suit_mask,
)
from cadogan.rules.source.span import Path

if TYPE_CHECKING:
    from cadogan.rules.check.actions import Actions

_NUMBERS = ("one", "two", "three", "four", "five", "six")
_CARDS = r"(?:(?:any |a |the )?cards? )?(?:of )?"
_BASE = re.compile(
    rf"{_CARDS}(?:(?:the )?base rank|(?P<number>{'|'.join(_NUMBERS)}) ranks? "
    r"(?P<way>below|above) the base)(?: of (?:the )?(?P<group>[\w-]+))?"
)
_RANK = re.compile(r"(?:any |a |the )?cards? of (?:the )?rank (?P<counter>[\w-]+)")
_LIE = re.compile(r"(?:cards of )?(?:the )?ranks that lie in (?P<piles>.+)")
_OF_ITS = re.compile(r"(?P<piles>.+?) of its (?P<what>rank|suit)")
_AT = re.compile(r"(?P<piles>.+?) at (?P<counter>[\w-]+)")
_LAST = "last occupied "


class AskReader:
    """Reads what few moves ask for, of one rule.

    Attributes:
        raw: The rule without these phrases, for the reading of the rest.
    """

    def __init__(self, raw: dict[str, Any], path: Path, reader: "Actions") -> None:
        self.path, self.reader, self.report = path, reader, reader.report
        self.raw = dict(raw)
        self._of_its: Literal["", "rank", "suit"] = ""
        self._turns: dict[str, str] = {}
        self._lie = ""
        self._last = False
        self._read_piles()
        self.which, self._which = self._cards("which")
        self.space, self._space = self._cards("space")

    def _read_piles(self) -> None:
        """Takes out of ``from`` and ``to`` what says more than the names of piles."""
        for key in ("from", "to"):
            text = self.raw.get(key)
            if not isinstance(text, str):
                continue
            text = " ".join(text.split())
            if key == "to" and text.startswith(_LAST):
                self._last = True
                text = f"occupied {text.removeprefix(_LAST)}"
            elif key == "to" and (match := _OF_ITS.fullmatch(text)):
                text = match["piles"]
                self._of_its = "rank" if match["what"] == "rank" else "suit"
            elif match := _AT.fullmatch(text):
                text, self._turns[key] = match["piles"], match["counter"]
            self.raw[key] = text

    def _cards(self, key: str) -> tuple[CardClass, ByCounter | None]:
        """Reads a class of cards, or a rank that a counter tells."""
        text = self.raw.get(key)
        path = (*self.path, key)
        if not isinstance(text, str):
            return ANY, None
        words = " ".join(text.split())
        if key == "which" and (match := _LIE.fullmatch(words)):
            self._lie = match["piles"]
            return ANY, None
        if match := _RANK.fullmatch(words):
            counter = self.reader.conditions.counter(match["counter"], path)
            if counter is None:
                return ANY, None
            return ANY, ByCounter(counter, 0, self.reader.ranks, words)
        if match := _BASE.fullmatch(words):
            return self._base(match, words, path)
        return self.reader.cards(self.raw, key, self.path), None

    def _base(
        self, match: re.Match[str], text: str, path: Path
    ) -> tuple[CardClass, ByCounter | None]:
        """Reads a rank that is counted from the base."""
        offset = 0
        if match["number"]:
            offset = _NUMBERS.index(match["number"]) + 1
            offset = -offset if match["way"] == "below" else offset
        groups = [group for group in self.reader.piles.groups if group.build_order is not None]
        if match["group"]:
            groups = [group for group in groups if group.name == match["group"]]
        orders = [group.build_order for group in groups if group.build_order is not None]
        bases = {order.base if order.base is not None else -1 - order.ranks[0] for order in orders}
        if len(bases) == 1 and not any(order.own_base for order in orders):
            base = bases.pop()
            if base >= 0:
                return ANY, ByCounter(base, offset, self.reader.ranks, text)
            ranks = self.reader.ranks
            rank = ranks[(ranks.index(-1 - base) + offset) % len(ranks)]
            return CardClass(rank_mask([rank]), plural(rank)), None
        if not any(
            self.report.is_faulty(group.name)
            for group in self.reader.piles.groups
            if group.role == "foundation"
        ):
            self.report.error(
                "not-a-foundation",
                path,
                told("the foundations have several bases")
                if bases
                else told("there are no foundations with a base"),
                hint=told('say of which: "{text} of {name}"', text=text, name=groups[0].name)
                if bases and not match["group"]
                else None,
            )
        return ANY, None

    def asks(self, sources: tuple[int, ...], to: PileSet) -> Asks:
        """What the rule asks for, given its piles."""
        of_its = self._of_its
        takes = self._takes(to) if of_its else ()
        return Asks(
            which=self._which,
            space=self._space,
            of_its=of_its if takes else "",
            takes=takes,
            ranks_in=self._ranks_in(to),
            ranks_text=self._lie,
            from_turn=self._turn("from", sources),
            to_turn=self._turn("to", to.piles),
            last_filled=self._last,
        )

    def _takes(self, to: PileSet) -> tuple[int, ...]:
        """The cards that each target takes."""
        ranks, suits = self.reader.ranks, self.reader.suits
        if self._of_its == "rank":
            takes = tuple(rank_mask([rank]) for rank in ranks)
            wanted = told("{number} ranks", number=len(ranks))
        else:
            takes = tuple(suit_mask(suit) for suit in suits)
            wanted = told("{number} suits", number=len(suits))
        if len(to.piles) == len(takes):
            return takes
        if to.piles and self.reader.piles.is_certain(*to.piles):
            self.report.error(
                "wrong-count",
                (*self.path, "to"),
                told(
                    '"{text}" is {number} piles, but there are {wanted}',
                    text=to.text,
                    number=len(to.piles),
                    wanted=wanted,
                ),
                hint=told("the first pile is for the {rank}, and so on", rank=RANK_NAMES[ranks[0]])
                if self._of_its == "rank"
                else None,
            )
        return ()

    def _ranks_in(self, to: PileSet) -> tuple[tuple[int, ...], ...]:
        """For each target the piles in which the rank of the card must lie."""
        if not self._lie:
            return ()
        if self._lie == "the pile before":
            before = []
            for pile in to.piles:
                first = self.reader.piles.group_of(pile).first
                before.append((pile - 1,) if pile > first else ())
            return tuple(before)
        piles = self.reader.piles.read(self._lie, (*self.path, "which"))
        return (piles.piles,) * len(to.piles)

    def _turn(self, key: str, piles: tuple[int, ...]) -> Turn | None:
        name = self._turns.get(key)
        if name is None:
            return None
        counter = self.reader.conditions.counter(name, (*self.path, key))
        return None if counter is None else Turn(counter, piles)
