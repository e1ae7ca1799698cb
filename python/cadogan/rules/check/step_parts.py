"""Parses what the steps of scripts have in common: piles, numbers of cards, classes of cards."""

import re
from collections.abc import Sequence
from typing import Any, Literal

from cadogan.i18n.text import gettext
from cadogan.rules.check.conditions import Conditions
from cadogan.rules.check.phrases import report_word
from cadogan.rules.check.piles import Piles
from cadogan.rules.faults.report import Report, one_of
from cadogan.rules.rulebook.counter import ByCounter, Chosen
from cadogan.rules.rulebook.group import PileSet
from cadogan.rules.rulebook.step import PACK, Quantity
from cadogan.rules.rulebook.words import CardClass, WordError, parse_class
from cadogan.rules.source.span import Path
from cadogan.rules.validate.schema import MAX_CARDS

_HELD = re.compile(r"(?P<factor>\d{1,3}) ?\* ?(?P<cards>.+) in (?P<pile>.+)")
_AT = re.compile(r"(?:the )?(?P<piles>.+?) at (?P<counter>[\w-]+)(?P<end> from the end)?")
_ROUND = re.compile(
    r"round (?:the )?(?P<piles>.+?) (?P<how>from|after) (?P<counter>[\w-]+)(?P<end> from the end)?"
)
_BUT = re.compile(r"(?:the )?(?P<piles>.+?) but the last (?P<counter>[\w-]+)")
_RANK = re.compile(
    r"cards? of (?:rank (?P<counter>[\w-]+)|the base rank(?: of (?:the )?(?P<group>[\w-]+))?)"
)
_TIMES = re.compile(r"(?P<factor>\d{1,3}) ?\* ?(?P<counter>[\w-]+)(?: of (?P<cards>.+))?")


class StepParts:
    """Parses parts of the steps of one game."""

    def __init__(
        self, piles: Piles, conditions: Conditions, ranks: Sequence[int], report: Report
    ) -> None:
        self.piles = piles
        self.ranks = ranks
        self.conditions = conditions
        self.report = report
        self._in_layout = False

    def _source(self, raw: dict[str, Any], path: Path) -> PileSet:
        if raw["from"] == PACK and self.piles.source == self.piles.count:
            return PileSet((self.piles.source,), PACK)
        return self._one(raw["from"], (*path, "from"))

    def _target(self, raw: dict[str, Any], path: Path) -> PileSet:
        if raw["to"] == PACK and self.piles.source == self.piles.count:
            return PileSet((self.piles.source,), PACK)
        return self._one(raw["to"], (*path, "to"))

    def _one(self, phrase: Any, path: Path) -> PileSet:
        piles = self.piles.read(phrase, path)
        self.piles.single(piles, path)
        return piles

    def _chosen(
        self, raw: dict[str, Any], key: str, path: Path, *, round_too: bool = False
    ) -> tuple[PileSet, Chosen] | None:
        """The pile that a counter selects, if the words of a key say so."""
        phrase = raw[key]
        text = " ".join(phrase.split()) if isinstance(phrase, str) else ""
        but = _BUT.fullmatch(text) if round_too else None
        match = but or _AT.fullmatch(text) or (_ROUND.fullmatch(text) if round_too else None)
        if match is None:
            return None
        piles = self.piles.read(match["piles"], (*path, key))
        counter = self.conditions.counter(match["counter"], (*path, key))
        words = match.groupdict().get("how")
        how: Literal["at", "from", "after", "but"] = "at" if but is None else "but"
        if words is not None:
            how = "from" if words == "from" else "after"
        named = PileSet(piles.piles, text)
        from_end = but is None and match["end"] is not None
        return named, Chosen(counter or 0, piles.piles, how, from_end)

    def _at_first(self, chosen: Chosen) -> tuple[int, ...] | None:
        """The piles that a counter selects in the layout, if nothing changes it there."""
        counters = self.conditions.counters
        if not self._in_layout or not counters:
            return None
        counter = counters[chosen.counter]
        changing = [
            rule
            for rule in self.conditions.rules
            if rule.get("during", "play") != "play"
            and counter.name in {**rule.get("set", {}), **rule.get("add", {})}
        ]
        lists = chosen.lists()
        return lists[counter.start] if not changing and counter.start < len(lists) else None

    def _same_counter(self, chosen: Sequence[tuple[str, Chosen]], path: Path) -> None:
        """Reports a step in which two counters select piles."""
        if len({(each.counter, len(each.piles)) for _, each in chosen}) > 1:
            self.report.error(
                "key-does-not-fit",
                (*path, chosen[-1][0]),
                gettext("one counter selects all piles of a step, among as many piles each"),
            )

    def _apart(self, source: PileSet, to: PileSet, path: Path) -> None:
        """Reports a transfer from a pile to itself."""
        for pile in to.piles:
            if pile in source.piles and pile < self.piles.count:
                group = self.piles.group_of(pile)
                name = group.pile_name(pile - group.first)
                self.report.error(
                    "onto-itself",
                    (*path, "to"),
                    gettext('cards cannot go from "{name}" to itself', name=name),
                )
                return

    def _along(self, raw: dict[str, Any], path: Path, *known: str) -> str | None:
        """The value of "along"; ``None`` if there is none, or one that does not fit the step."""
        along: str | None = raw.get("along")
        if along is None or along in known:
            return along
        self.report.error(
            "unknown-choice",
            (*path, "along"),
            gettext('"{along}" is not a way for this step', along=along),
            hint=gettext("say {choices}", choices=one_of(f'"{word}"' for word in known)),
        )
        return None

    def _rank(self, text: str, path: Path) -> ByCounter | None:
        """A rank that a counter tells: "cards of rank called", "cards of the base rank"."""
        match = _RANK.fullmatch(" ".join(text.split()))
        if match is None:
            return None
        base = "base" if match["group"] is None else f"base-{match['group']}"
        counter = self.conditions.counter(match["counter"] or base, path)
        return ByCounter(counter or 0, 0, tuple(self.ranks), text)

    def _quantity(self, value: int | str, path: Path) -> Quantity:
        if isinstance(value, int):
            if not 1 <= value <= MAX_CARDS:
                self.report.error(
                    "out-of-range",
                    path,
                    gettext("a number of cards is from 1 to {most}", most=MAX_CARDS),
                )
            return Quantity("fixed", str(value), value)
        text = " ".join(value.split())
        if text == "all":
            return Quantity("all", text)
        if match := _HELD.fullmatch(text):
            pile = self._one(match["pile"], path)
            cards = self._cards(match["cards"], path, value)
            return Quantity(
                "held",
                text,
                int(match["factor"]),
                cards=cards,
                pile=pile.piles[0] if pile.piles else 0,
            )
        if match := _TIMES.fullmatch(text):
            counter = self.conditions.counter(match["counter"], path) or 0
            if match["cards"] is None:
                return Quantity("times", text, int(match["factor"]), counter)
            cards = self._cards(match["cards"], path, value)
            return Quantity("until", text, int(match["factor"]), counter, cards)
        self.report.error(
            "unknown-phrase",
            path,
            gettext('"{text}" is not a number of cards', text=text),
            hint=gettext(
                'say 14, "all", "3 * COUNTER", "3 * queens in waste" '
                'or "3 * COUNTER of all but queens"'
            ),
        )
        return Quantity("all", text)

    def _cards(self, text: str, path: Path, whole: str) -> CardClass | None:
        try:
            return parse_class(text)
        except WordError as error:
            report_word(self.report, "unknown-cards", path, whole if whole == text else "", error)
            return None
