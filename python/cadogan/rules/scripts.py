"""Scripts: reading the transfers of ``steps`` and ``layout``.

.. code-block:: text

    { deal = 1, from = "stock", to = "columns", rounds = 4, face = "up" }
    { take = 14, from = "key", end = "top", to = "stock", at = "bottom", turned = true, face = "down" }
    { take = "3 * queens", ... }   { take = "3 * queens in waste", ... }   { take = "3 * queens of all but queens", ... }
    { gather = "columns", to = "stock", at = "bottom", turned = true, face = "down" }
    { route = [{ cards = "red cards", to = "army", overflow = "red-waste" }], from = "stock", until = "army" }
    { close = "columns", when_complete = "foundations" }
    { base = "base", of = "foundations.1" }
    { settle = true }
"""

import re
from collections.abc import Sequence
from typing import Any

from cadogan.rules.document import Path
from cadogan.rules.phrases import tell
from cadogan.rules.piles import PACK, Piles
from cadogan.rules.report import Report, nearest, one_of
from cadogan.rules.rulebook import Counter, PileSet, Quantity, Step, Way
from cadogan.rules.words import WordError, parse_class

MAX_VISITS = 2000
_KEYS = {
    "deal": ("deal", "from", "to", "rounds", "face"),
    "take": ("take", "from", "to", "end", "at", "turned", "face"),
    "gather": ("gather", "to", "at", "turned", "face"),
    "route": ("route", "from", "until"),
    "close": ("close", "when_complete"),
    "base": ("base", "of"),
    "settle": ("settle",),
}
_NEEDED = {
    "deal": ("from", "to"),
    "take": ("from", "to"),
    "gather": ("to",),
    "route": ("from",),
    "close": ("when_complete",),
    "base": ("of",),
    "settle": (),
}
_TIMES = re.compile(
    r"(?P<factor>\d{1,3})\s*\*\s*(?P<counter>[\w-]+)(?:\s+(?P<how>in|of)\s+(?P<rest>.+))?$"
)


class Scripts:
    """Reads the steps of one game."""

    def __init__(self, piles: Piles, counters: Sequence[Counter], report: Report) -> None:
        self.piles = piles
        self.counters = counters
        self.report = report

    def read(self, raw: dict[str, Any], path: Path, *, layout: bool = False) -> list[Step]:
        """Reads one step; an empty list if faults were reported."""
        kinds = [key for key in _KEYS if key in raw]
        if len(kinds) != 1:
            self.report.error(
                "unclear-step",
                path,
                "a step does one thing" if kinds else "this step does nothing",
                hint=f"give one of {one_of(_KEYS, 8)}",
            )
            return []
        kind = kinds[0]
        sound = True
        for key in raw:
            if key not in _KEYS[kind]:
                sound = False
                guess = nearest(key, _KEYS[kind])
                self.report.error(
                    "key-does-not-fit",
                    (*path, key),
                    f'"{key}" does not fit a step with "{kind}"',
                    key=True,
                    hint=f'did you mean "{guess}"?'
                    if guess
                    else f"there it knows {one_of(_KEYS[kind])}",
                )
        for key in _NEEDED[kind]:
            if key not in raw:
                sound = False
                self.report.error("missing-key", path, f'a step with "{kind}" lacks "{key}"')
        if kind == "settle" and not layout:
            sound = False
            self.report.error(
                "key-does-not-fit",
                (*path, "settle"),
                "settling belongs to the layout only",
                key=True,
            )
        if not sound:
            return []
        before = len(self.report.errors)
        step: Step = getattr(self, f"_{kind}")(raw, path)
        return [step] if len(self.report.errors) == before else []

    def _source(self, raw: dict[str, Any], path: Path) -> PileSet:
        if raw["from"] == PACK and self.piles.source == self.piles.count:
            return PileSet((self.piles.source,), PACK)
        return self._one(raw["from"], (*path, "from"))

    def _one(self, phrase: Any, path: Path) -> PileSet:
        piles = self.piles.read(phrase, path)
        self.piles.single(piles, path)
        return piles

    def _deal(self, raw: dict[str, Any], path: Path) -> Step:
        to = self.piles.read(raw["to"], (*path, "to"))
        rounds = raw.get("rounds", 1)
        if len(to.piles) * rounds > MAX_VISITS:
            self.report.error(
                "out-of-range", (*path, "rounds"), f"a deal makes at most {MAX_VISITS} visits"
            )
        return Step(
            "deal",
            source=self._source(raw, path),
            to=PileSet(
                to.piles * rounds, to.text if rounds == 1 else f"{to.text}, {rounds} rounds"
            ),
            each=raw["deal"],
            face=raw.get("face", "up"),
        )

    def _take(self, raw: dict[str, Any], path: Path) -> Step:
        to = self._one(raw["to"], (*path, "to"))
        return Step(
            "take",
            source=self._source(raw, path),
            to=to,
            number=self._quantity(raw["take"], (*path, "take")),
            from_end=raw.get("end", "top"),
            to_end=raw.get("at", "top"),
            reverse=raw.get("turned", False),
            face=raw.get("face", "keep"),
        )

    def _gather(self, raw: dict[str, Any], path: Path) -> Step:
        return Step(
            "gather",
            piles=self.piles.read(raw["gather"], (*path, "gather")),
            to=self._one(raw["to"], (*path, "to")),
            to_end=raw.get("at", "top"),
            reverse=raw.get("turned", False),
            face=raw.get("face", "keep"),
        )

    def _route(self, raw: dict[str, Any], path: Path) -> Step:
        ways = []
        for index, way in enumerate(raw["route"]):
            place = (*path, "route", index)
            try:
                cards = parse_class(way["cards"])
            except WordError as error:
                tell(self.report, "unknown-cards", (*place, "cards"), way["cards"], error)
                continue
            vacant = self.piles.read(way["to"], (*place, "to")) if "to" in way else PileSet((), "")
            ways.append(Way(cards, vacant, self._one(way["overflow"], (*place, "overflow"))))
        until = self.piles.read(raw["until"], (*path, "until")) if "until" in raw else None
        return Step("route", source=self._source(raw, path), ways=tuple(ways), until=until)

    def _close(self, raw: dict[str, Any], path: Path) -> Step:
        piles = self.piles.read(raw["close"], (*path, "close"))
        partners = self.piles.read(raw["when_complete"], (*path, "when_complete"))
        if len(piles.piles) != len(partners.piles):
            self.report.error(
                "uneven-groups",
                (*path, "when_complete"),
                f'"{piles.text}" and "{partners.text}" have different numbers of piles',
            )
        for pile in partners.piles:
            if self.piles.group_of(pile).order is None:
                self.report.error(
                    "not-a-foundation",
                    (*path, "when_complete"),
                    f'"{self.piles.group_of(pile).name}" has no order that could be complete',
                )
                break
        return Step("close", piles=piles, partners=partners)

    def _base(self, raw: dict[str, Any], path: Path) -> Step:
        names = [counter.name for counter in self.counters]
        if raw["base"] not in names:
            self.report.error(
                "unknown-counter", (*path, "base"), f'there is no counter "{raw["base"]}"'
            )
            return Step("base")
        return Step(
            "base", counter=names.index(raw["base"]), piles=self._one(raw["of"], (*path, "of"))
        )

    def _settle(self, raw: dict[str, Any], path: Path) -> Step:
        return Step("settle")

    def _quantity(self, value: int | str, path: Path) -> Quantity:
        if isinstance(value, int):
            if not 1 <= value <= 416:
                self.report.error("out-of-range", path, "a number of cards is from 1 to 416")
            return Quantity("fixed", str(value), value)
        text = " ".join(value.split())
        if text == "all":
            return Quantity("all", text)
        match = _TIMES.match(text)
        if match is None:
            self.report.error(
                "unknown-phrase",
                path,
                f'"{text}" is not a number of cards',
                hint='say 14, "all", "3 * COUNTER", "3 * queens in waste" or "3 * COUNTER of all but queens"',
            )
            return Quantity("all", text)
        factor, name, rest = int(match["factor"]), match["counter"], match["rest"]
        if match["how"] == "in":
            pile = self._one(rest, path)
            try:
                cards = parse_class(name)
            except WordError as error:
                tell(self.report, "unknown-cards", path, text, error)
                return Quantity("all", text)
            return Quantity(
                "held", text, factor, cards=cards, pile=pile.piles[0] if pile.piles else 0
            )
        names = [counter.name for counter in self.counters]
        if name not in names:
            guess = nearest(name, names)
            self.report.error(
                "unknown-counter",
                path,
                f'there is no counter "{name}"',
                hint=f'did you mean "{guess}"?' if guess else f"add [counters.{name}]",
            )
            return Quantity("all", text)
        if match["how"] == "of":
            try:
                cards = parse_class(rest)
            except WordError as error:
                tell(self.report, "unknown-cards", path, text, error)
                return Quantity("all", text)
            return Quantity("until", text, factor, names.index(name), cards)
        return Quantity("times", text, factor, names.index(name))
