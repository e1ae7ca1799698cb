"""Parses what few moves ask for: ranks that a counter tells, places by rank, turns of piles.

.. code-block:: text

    which = "cards of the base rank"          space = "one rank below the base"
    which = "cards of rank called"            which = "ranks that lie in row.1"
    which = "ranks that lie in the pile before"
    to = "hours of its rank"                  to = "heaps of its suit"
    from = "clock at hour"                    to = "last occupied tableau"
    to = "emptiest tableau"
    build = "down, round the corner, never on the base"
    uncovers = "no card of the sequence or a card for foundations"
    along = "the piles that it covers"
"""

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from cadogan.i18n.text import gettext
from cadogan.rules.check.move_units import is_from_under
from cadogan.rules.rulebook.asks import Asks, Uncovers
from cadogan.rules.rulebook.counter import ByCounter, Turn
from cadogan.rules.rulebook.group import PileSet
from cadogan.rules.rulebook.words import (
    ANY,
    RANK_NAMES,
    CardClass,
    plural,
    rank_mask,
    suit_mask,
)
from cadogan.rules.source.span import Path
from cadogan.rules.source.values import paths

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
_EMPTIEST = "emptiest "
_NEVER_ON = re.compile(
    r"(?<!\s)\s*(?:,\s*)?\bnever on (?:the base|(?:any )?cards? of (?:the )?base rank)"
    r"(?: of (?:the )?(?P<group>[\w-]+))?(?=\s*(?:,|or else|$))"
)
_NO_CARD_OF_IT = re.compile(r"no (?:other )?card of (?:the|its|the same) sequence")
_COVERS = re.compile(r"the (?:piles?|places?|cards?) that it covers")
_OR = re.compile(r"(?<!\s)\s+or\s+(?=a card for|no card|nothing|a face-down)")
_FOR = re.compile(r"(?:a|any) card for (?P<piles>.+)")


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
        self._last = self._emptiest = False
        self.drops = _COVERS.fullmatch(" ".join(str(raw.get("along", "")).split())) is not None
        self._read_piles()
        self._never_on = self._read_never_on()
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
            elif key == "to" and text.startswith(_EMPTIEST):
                self._emptiest = True
                text = text.removeprefix(_EMPTIEST)
            elif key == "to" and (match := _OF_ITS.fullmatch(text)):
                text = match["piles"]
                self._of_its = "rank" if match["what"] == "rank" else "suit"
            elif match := _AT.fullmatch(text):
                text, self._turns[key] = match["piles"], match["counter"]
            self.raw[key] = text

    def _read_never_on(self) -> ByCounter | None:
        """Takes out of the ways of building that nothing lies on the base."""
        found: list[tuple[re.Match[str], Path]] = []
        missing: list[Path] = []
        for key in ("build", "cards"):
            written = self.raw.get(key)
            if not isinstance(written, str | list):
                continue
            plain = []
            for phrase, place in paths(written, (*self.path, key)):
                ways = phrase.split(" or else ") if key == "cards" else [phrase]
                for way in ways:
                    match = _NEVER_ON.search(way)
                    if match is not None:
                        found.append((match, place))
                    elif key == "build" or (" " in way and "sequence" in phrase):
                        missing.append(place)
                plain.append(_NEVER_ON.sub("", phrase))
            self.raw[key] = plain if isinstance(written, list) else plain[0]
        if not found:
            return None
        if missing:
            self.report.error(
                "unknown-build",
                missing[0],
                gettext(
                    '"never on the base" must stand in all ways of building of a rule, or in none'
                ),
            )
        match, place = found[0]
        text = "the base" if match["group"] is None else f"the base of {match['group']}"
        cards, by_counter = self._base_of(match["group"], 0, text, place)
        if by_counter is None and cards is not ANY:
            self.report.error(
                "unknown-build",
                place,
                gettext("the base is known before the deal"),
                hint=gettext('say "never on {cards}"', cards=cards.text),
            )
        return by_counter

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
        return self._base_of(match["group"], offset, text, path)

    def _base_of(
        self, name: str | None, offset: int, text: str, path: Path
    ) -> tuple[CardClass, ByCounter | None]:
        """The cards of the base rank, or so many ranks from it."""
        groups = [group for group in self.reader.piles.groups if group.build_order is not None]
        if name:
            groups = [group for group in groups if group.name == name]
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
                gettext("the foundations have several bases")
                if bases
                else gettext("there are no foundations with a base"),
                hint=gettext('say of which: "{text} of {name}"', text=text, name=groups[0].name)
                if bases and not name
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
            emptiest=self._emptiest,
            never_on=self._never_on,
            uncovers=self._uncovers(),
            drops=self.drops,
            longest=self.raw.get("longest"),
        )

    def _uncovers(self) -> Uncovers | None:
        """What the cards may leave on their pile."""
        if "uncovers" not in self.raw:
            return None
        path = (*self.path, "uncovers")
        unit = self.raw.get("cards", "one card")
        found = Uncovers()
        if is_from_under(unit):
            self.report.error(
                "key-does-not-fit",
                path,
                gettext("a card from under others uncovers nothing"),
                key=True,
            )
            return None
        for phrase, place in paths(self.raw["uncovers"], path):
            for words in _OR.split(phrase.strip()):
                found = self._add_uncovered(found, " ".join(words.split()), unit, place)
        return found if found.texts else None

    def _add_uncovered(self, found: Uncovers, words: str, unit: str, place: Path) -> Uncovers:
        texts = (*found.texts, words)
        if words == "nothing":
            return replace(found, nothing=True, texts=texts)
        if words in ("a face-down card", "face-down cards"):
            return replace(found, hidden=True, texts=texts)
        if _NO_CARD_OF_IT.fullmatch(words):
            if not unit.strip().startswith("a sequence"):
                self.report.error(
                    "key-does-not-fit",
                    place,
                    gettext("only sequences can be whole"),
                    hint=gettext('say cards = "a sequence down in suit"'),
                )
                return found
            return replace(found, whole=True, texts=texts)
        if match := _FOR.fullmatch(words):
            known = self.reader.piles
            piles = known.read(match["piles"], place)
            others = [pile for pile in piles.piles if not known.is_ordered(pile)]
            if others:
                name = known.group_of(others[0]).name
                title = gettext('"{order}" has no order of its own', order=name)
                self.report.error("not-a-foundation", place, title)
                return found
            return replace(found, wanted_by=(*found.wanted_by, *piles.piles), texts=texts)
        cards = self.reader.read_class(words, place)
        if cards is None:
            return found
        if found.cards is not None:
            cards = CardClass(found.cards.mask | cards.mask, f"{found.cards.text} or {cards.text}")
        return replace(found, cards=cards, texts=texts)

    def _takes(self, to: PileSet) -> tuple[int, ...]:
        """The cards that each target takes."""
        ranks, suits = self.reader.ranks, self.reader.suits
        if self._of_its == "rank":
            takes = tuple(rank_mask([rank]) for rank in ranks)
            wanted = gettext("{number} ranks", number=len(ranks))
        else:
            takes = tuple(suit_mask(suit) for suit in suits)
            wanted = gettext("{number} suits", number=len(suits))
        if len(to.piles) == len(takes):
            return takes
        if to.piles and self.reader.piles.is_certain(*to.piles):
            self.report.error(
                "wrong-count",
                (*self.path, "to"),
                gettext(
                    '"{text}" is {number} piles, but there are {wanted}',
                    text=to.text,
                    number=len(to.piles),
                    wanted=wanted,
                ),
                hint=gettext(
                    "the first pile is for the {rank}, and so on", rank=RANK_NAMES[ranks[0]]
                )
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
