"""Parses scripts: the steps of ``steps`` and ``layout``.

.. code-block:: text

    { deal = 1, from = "stock", to = "columns", rounds = 4, face = "up" }
    { take = 14, from = "key", end = "top", to = "stock", at = "bottom", turned = true }
    { take = "3 * queens", from = "waste", end = "bottom", to = "stock", face = "down" }
    { take = "3 * queens in waste", ... }   { take = "3 * queens of all but queens", ... }
    { gather = "columns", to = "stock", at = "bottom", turned = true, face = "down" }
    { route = [{ cards = "red cards", to = "army", overflow = "waste" }], from = "stock" }
    { deal = "3, then 2, then 1 by redeals", from = "stock", to = "waste" }
    { deal = "up to 3", from = "stock", to = "columns", order = "emptiest first" }
    { deal = 1, from = "stock", to = "columns", goes_up = "aces" }
    { deal = 1, ..., passes_over = "piles that end in a sequence down in suit, from kings" }
    { take = "all", from = "row", to = "columns", along = "same place" }
    { gather = "columns at turn", to = "stock" }   { deal = 1, ..., to = "round columns from turn" }
    { to_bottom = "kings", of = "columns" }        { slip = "kings", of = "columns" }
    { turn = "columns", face = "up" }
    { pick = "aces", from = "stock", to = "foundations.1" }
    { pick = "cards of the base rank", from = "stock", to = "foundations.2 to 4" }
    { close = "columns", when_complete = "foundations" }
    { close_up = "row" }   { deal = 1, from = "stock", to = "vacant row" }
    { close_up = "square", along = "columns" }
    { base = "base", of = "foundations.1" }
    { shuffle = "stock" }
    { gather = "field", except = "rows in order up in suit, from twos", to = "stock" }
    { deal = 1, from = "stock", to = "vacant field", leaving = "the first vacancy of each row" }
    { lay_out = true }                             { settle = true }
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Literal

from cadogan.i18n.text import gettext, listed
from cadogan.rules.check.dealing import Dealing
from cadogan.rules.check.move_units import read_relation
from cadogan.rules.faults.report import nearest, one_of
from cadogan.rules.rulebook.counter import SHUFFLES, Chosen
from cadogan.rules.rulebook.group import PileSet
from cadogan.rules.rulebook.step import PACK, Runs, Step, Way
from cadogan.rules.source.span import Path

MAX_STEPS = 1000
MAX_WAYS = 60

_KEYS = {
    "deal": (
        *("deal", "from", "to", "rounds", "face", "apart", "leaving", "goes_up", "replaced"),
        *("order", "passes_over"),
    ),
    "take": ("take", "from", "to", "along", "end", "at", "turned", "face"),
    "gather": ("gather", "except", "to", "at", "turned", "face"),
    "route": ("route", "from", "until"),
    "to_bottom": ("to_bottom", "of"),
    "slip": ("slip", "of"),
    "turn": ("turn", "face", "turned"),
    "pick": ("pick", "from", "to", "face"),
    "close": ("close", "when_complete"),
    "close_up": ("close_up", "along"),
    "base": ("base", "of"),
    "shuffle": ("shuffle",),
    "lay_out": ("lay_out",),
    "settle": ("settle",),
}
_NEEDED = {
    "deal": ("from", "to"),
    "take": ("from", "to"),
    "gather": ("to",),
    "route": ("from",),
    "to_bottom": ("of",),
    "slip": ("of",),
    "turn": ("face",),
    "pick": ("from", "to"),
    "close": ("when_complete",),
    "close_up": (),
    "base": ("of",),
    "shuffle": (),
    "lay_out": (),
    "settle": (),
}
_PILES = (
    *("from", "to", "gather", "turn", "close", "close_up", "until", "when_complete", "of"),
    "shuffle",
)
_RUNS = re.compile(
    r"(?P<along>rows|columns) in order (?P<build>.+?)(?:,? (?:from|beginning with) (?P<cards>.+))?"
)


class Scripts(Dealing):
    """Parses the steps of one game."""

    layout: tuple[Step, ...] = ()

    def read_all(
        self, steps: Sequence[Any], path: Path, *, layout: bool = False
    ) -> tuple[Step, ...]:
        """Parses the steps of a script or of the layout; steps with earlier faults are ``None``."""
        if len(steps) > MAX_STEPS:
            self.report.error(
                "too-many", path, gettext("there are at most {most} steps", most=MAX_STEPS)
            )
            return ()
        found: list[Step] = []
        for index, raw in enumerate(steps):
            if raw is not None and list(raw) == ["lay_out"]:
                found += self._laid_out((*path, index, "lay_out"), layout=layout)
            elif raw is not None and (step := self.read(raw, (*path, index), layout=layout)):
                found.append(step)
        if layout:
            self.layout = tuple(found)
        return tuple(found)

    def _laid_out(self, path: Path, *, layout: bool) -> list[Step]:
        """The steps of the layout, for a script that lays the table out again."""
        title = gettext("the layout cannot repeat itself") if layout else ""
        if not layout and any(step.kind not in ("deal", "settle") for step in self.layout):
            title = gettext("only a layout that does nothing but deal can be repeated")
        if title:
            self.report.error("key-does-not-fit", path, title, key=True)
        elif not self.layout and not self.report.is_faulty("layout"):
            self.report.error("unclear-step", path, gettext("no cards are laid out"), key=True)
        return [replace(step, again=True) for step in self.layout if step.kind == "deal"]

    def read(self, raw: dict[str, Any], path: Path, *, layout: bool = False) -> Step | None:
        """Parses one step; ``None`` if it has faults."""
        kind = self._kind(raw, path)
        if kind is None:
            for key in _PILES:
                if key in raw and raw[key] != PACK:
                    self.piles.read(raw[key], (*path, key), again=True)
            return None
        if kind == "settle" and not layout:
            self.report.error(
                "key-does-not-fit",
                (*path, "settle"),
                gettext("forced rules settle in the layout only"),
                key=True,
                hint=gettext("in play they are carried out after every move"),
            )
            return None
        readers: dict[str, Callable[[dict[str, Any], Path], Step]] = {
            "deal": self._deal,
            "take": self._take,
            "gather": self._gather,
            "route": self._route,
            "to_bottom": self._sink,
            "slip": self._slip,
            "turn": self._turn,
            "pick": self._pick,
            "close": self._close,
            "close_up": self._close_up,
            "base": self._base,
            "shuffle": self._shuffle,
            "settle": lambda raw, path: Step("settle"),
        }
        self._in_layout = layout
        before = self.report.error_count
        step = readers[kind](raw, path)
        return step if self.report.error_count == before else None

    def _kind(self, raw: dict[str, Any], path: Path) -> str | None:
        """The kind of a step; ``None`` if it is unclear or a key is missing."""
        doubtful = not self.report.is_clean and any(
            self.report.is_faulty(*path, key) for key in (*_KEYS, "from", "to") if key not in raw
        )
        kinds = [key for key in _KEYS if key in raw]
        if len(kinds) != 1:
            if not doubtful:
                self.report.error(
                    "unclear-step",
                    path,
                    gettext("a step does one thing, not {text} at once", text=listed(kinds, "and"))
                    if kinds
                    else gettext("this step does nothing"),
                    hint=gettext("give one of {choices}", choices=one_of(_KEYS, 8)),
                )
            return None
        kind = kinds[0]
        sound = not doubtful
        for key in raw:
            if key not in _KEYS[kind]:
                sound = False
                guess = nearest(key, [known for known in _KEYS[kind] if known not in raw])
                self.report.error(
                    "key-does-not-fit",
                    (*path, key),
                    gettext('"{key}" does not fit a step with "{kind}"', key=key, kind=kind),
                    key=True,
                    hint=gettext('did you mean "{guess}"?', guess=guess)
                    if guess
                    else gettext("such a step knows {choices}", choices=one_of(_KEYS[kind])),
                )
        for key in _NEEDED[kind]:
            if key not in raw:
                sound = False
                if not self.report.is_faulty(*path, key):
                    self.report.error(
                        "missing-key",
                        path,
                        gettext('a step with "{kind}" must have "{key}"', kind=kind, key=key),
                        missing=key,
                    )
        return kind if sound else None

    def _sink(self, raw: dict[str, Any], path: Path) -> Step:
        return Step(
            "sink",
            piles=self.piles.read(raw["of"], (*path, "of")),
            cards=self._cards(raw["to_bottom"], (*path, "to_bottom"), raw["to_bottom"]),
        )

    def _slip(self, raw: dict[str, Any], path: Path) -> Step:
        return Step(
            "slip",
            piles=self.piles.read(raw["of"], (*path, "of")),
            cards=self._cards(raw["slip"], (*path, "slip"), raw["slip"]),
        )

    def _turn(self, raw: dict[str, Any], path: Path) -> Step:
        return Step(
            "turn",
            piles=self.piles.read(raw["turn"], (*path, "turn")),
            face=raw["face"],
            turned=raw.get("turned", False),
        )

    def _pick(self, raw: dict[str, Any], path: Path) -> Step:
        to = self.piles.read(raw["to"], (*path, "to"))
        source = self._source(raw, path)
        self._apart(source, to, path)
        rank = self._rank(raw["pick"], (*path, "pick"))
        return Step(
            "pick",
            from_=source,
            to=to,
            rank=rank,
            cards=None if rank else self._cards(raw["pick"], (*path, "pick"), raw["pick"]),
            face=raw.get("face", "up"),
        )

    def _take(self, raw: dict[str, Any], path: Path) -> Step:
        if raw["to"] == "same pile":
            return self._turn_round(raw, path)
        if self._along(raw, path, "same place"):
            source = self.piles.read(raw["from"], (*path, "from"))
            to = self.piles.read(raw["to"], (*path, "to"))
            self._check_even(source, to, path)
            giver = taker = None
        else:
            giver, taker = self._chosen(raw, "from", path), self._chosen(raw, "to", path)
            to = taker[0] if taker else self._one(raw["to"], (*path, "to"))
            source = giver[0] if giver else self._source(raw, path)
        if not (giver and taker):
            self._apart(source, to, path)
        turns: list[tuple[Literal["from", "to"], Chosen]] = []
        turns += [("from", giver[1])] if giver else []
        turns += [("to", taker[1])] if taker else []
        self._same_counter(turns, path)
        return Step(
            "take",
            from_=source,
            to=to,
            takes_turns=tuple(turns),
            number=self._quantity(raw["take"], (*path, "take")),
            end=raw.get("end", "top"),
            at=raw.get("at", "top"),
            turned=raw.get("turned", False),
            face=raw.get("face", "keep"),
        )

    def _check_even(self, source: PileSet, to: PileSet, path: Path) -> None:
        """Reports piles that should be linked one by one, and are not as many as the others."""
        several = len(source.piles) > 1
        if not source.piles or not to.piles or (several and len(source.piles) == len(to.piles)):
            return
        if self.piles.is_certain(*source.piles, *to.piles):
            self.report.error(
                "uneven-groups",
                (*path, "along"),
                gettext(
                    '"{text}" and "{other}" have different numbers of piles: {number} and {fewer}',
                    text=source.text,
                    other=to.text,
                    number=len(source.piles),
                    fewer=len(to.piles),
                )
                if several
                else gettext('"{text}" is a single pile', text=source.text),
            )

    def _turn_round(self, raw: dict[str, Any], path: Path) -> Step:
        """A step that brings cards of each of some piles from one end to the other."""
        piles = self.piles.read(raw["from"], (*path, "from"))
        step = Step(
            "take",
            from_=piles,
            to=piles,
            number=self._quantity(raw["take"], (*path, "take")),
            end=raw.get("end", "top"),
            at=raw.get("at", "top"),
        )
        if step.end == step.at:
            self.report.error(
                "onto-itself",
                (*path, "to"),
                gettext("cards go from one end of a pile to the same end"),
                hint=gettext('say end = "bottom" and at = "top", or the other way round'),
            )
        for key in ("turned", "face"):
            if key in raw:
                self.report.error(
                    "key-does-not-fit",
                    (*path, key),
                    gettext('"{key}" does not fit a step to the "same pile"', key=key),
                    key=True,
                )
        return step

    def _gather(self, raw: dict[str, Any], path: Path) -> Step:
        giver = self._chosen(raw, "gather", path)
        piles = giver[0] if giver else self.piles.read(raw["gather"], (*path, "gather"))
        to = self._target(raw, path)
        self._apart(piles, to, path)
        return Step(
            "gather",
            piles=piles,
            to=to,
            takes_turns=(("from", giver[1]),) if giver else (),
            at=raw.get("at", "top"),
            turned=raw.get("turned", False),
            face=raw.get("face", "keep"),
            runs=self._runs(raw, piles, path),
        )

    def _runs(self, raw: dict[str, Any], piles: PileSet, path: Path) -> Runs | None:
        """The cards that lie in order and are not gathered."""
        if "except" not in raw:
            return None
        return self.read_runs(raw["except"], piles, (*path, "except"))

    def read_runs(self, phrase: str, piles: PileSet, place: Path) -> Runs | None:
        """Reads which cards lie in order at the beginning of lines; ``None`` after a fault."""
        text = " ".join(phrase.split())
        match = _RUNS.fullmatch(text)
        if match is None:
            self.report.error(
                "unknown-phrase",
                place,
                gettext('"{text}" is not understood here', text=phrase),
                hint=gettext('say "rows in order up in suit, from twos"'),
            )
            return None
        cards = self._cards(match["cards"] or "any card", place, phrase)
        relation = read_relation(match["build"], place, self.ranks, self.piles, self.report)
        along: Literal["rows", "columns"] = "rows" if match["along"] == "rows" else "columns"
        lines = self.piles.lines(piles, along, self.conditions.picture, place)
        if cards is None or relation is None or lines is None:
            return None
        return Runs(text, along, tuple(lines), cards, relation)

    def _route(self, raw: dict[str, Any], path: Path) -> Step:
        source = self._source(raw, path)
        ways = [
            self._way(way, source, (*path, "route", index))
            for index, way in enumerate(raw["route"])
            if way is not None
        ]
        if not raw["route"]:
            self.report.error(
                "out-of-range", (*path, "route"), gettext("a route has at least one way")
            )
        routed = 0
        for index, way in enumerate(ways):
            if way is not None and not way.cards.mask & ~routed:
                self.report.error(
                    "said-twice",
                    (*path, "route", index, "cards"),
                    gettext("all these cards go one of the ways before this one"),
                )
            routed |= 0 if way is None else way.cards.mask
        if len(ways) > MAX_WAYS:
            self.report.error(
                "too-many",
                (*path, "route"),
                gettext("a route has at most {most} ways", most=MAX_WAYS),
            )
        until = self.piles.read(raw["until"], (*path, "until")) if "until" in raw else None
        return Step(
            "route",
            from_=source,
            ways=tuple(way for way in ways if way is not None),
            until=until,
        )

    def _way(self, raw: dict[str, Any], source: PileSet, path: Path) -> Way | None:
        cards = self._cards(raw["cards"], (*path, "cards"), raw["cards"])
        vacant = self.piles.read(raw["to"], (*path, "to")) if "to" in raw else PileSet((), "")
        overflow = self._one(raw["overflow"], (*path, "overflow"))
        self._apart(source, vacant, path)
        self._apart(source, overflow, path)
        return Way(cards, vacant, overflow) if cards is not None else None

    def _close(self, raw: dict[str, Any], path: Path) -> Step:
        place = (*path, "when_complete")
        piles = self.piles.read(raw["close"], (*path, "close"))
        partners = self.piles.read(raw["when_complete"], place)
        certain = self.piles.is_certain(*piles.piles, *partners.piles)
        if len(piles.piles) != len(partners.piles) and certain:
            self.report.error(
                "uneven-groups",
                place,
                gettext(
                    '"{text}" and "{other}" have different numbers of piles: {number} and {fewer}',
                    text=piles.text,
                    other=partners.text,
                    number=len(piles.piles),
                    fewer=len(partners.piles),
                ),
            )
        for pile in partners.piles:
            if not self.piles.is_ordered(pile):
                name = self.piles.group_of(pile).name
                self.report.error(
                    "not-a-foundation",
                    place,
                    gettext('"{name}" has no order that could be complete', name=name),
                    word=name,
                )
                break
        return Step("close", piles=piles, partners=partners)

    def _close_up(self, raw: dict[str, Any], path: Path) -> Step:
        piles = self.piles.read(raw["close_up"], (*path, "close_up"))
        along = self._along(raw, path, "rows", "columns")
        if along is None:
            return Step("close_up", piles=piles)
        way: Literal["rows", "columns"] = "rows" if along == "rows" else "columns"
        lines = self.piles.lines(piles, way, self.conditions.picture, (*path, "along"))
        return Step("close_up", piles=piles, along=way, lines=tuple(lines or ()))

    def _base(self, raw: dict[str, Any], path: Path) -> Step:
        counter = self.conditions.counter(raw["base"], (*path, "base"))
        return Step("base", counter=counter or 0, piles=self._one(raw["of"], (*path, "of")))

    def _shuffle(self, raw: dict[str, Any], path: Path) -> Step:
        counter = self.conditions.counter(SHUFFLES, (*path, "shuffle"))
        piles = self._one(raw["shuffle"], (*path, "shuffle"))
        return Step("shuffle", counter=counter or 0, piles=piles)
