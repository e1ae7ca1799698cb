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
from cadogan.rules.check.conditions import Conditions
from cadogan.rules.check.move_units import read_relation
from cadogan.rules.check.phrases import report_word
from cadogan.rules.check.piles import Piles
from cadogan.rules.faults.report import Report, nearest, one_of
from cadogan.rules.rulebook.relations import Relation
from cadogan.rules.rulebook.rulebook import (
    PACK,
    SHUFFLES,
    ByCounter,
    Chosen,
    Ending,
    GoesUp,
    PileSet,
    Quantity,
    Runs,
    Step,
    Way,
)
from cadogan.rules.rulebook.words import CardClass, WordError, parse_class
from cadogan.rules.source.span import Path
from cadogan.rules.source.values import listed as listed_phrases
from cadogan.rules.validate.schema import MAX_CARDS

MAX_STEPS = 1000
MAX_VISITS = 2000
"""The largest number of visits of one deal."""
MAX_ALL_VISITS = 20_000
"""The largest number of visits of all deals of a game; it limits the size of the program."""
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
_HELD = re.compile(r"(?P<factor>\d{1,3}) ?\* ?(?P<cards>.+) in (?P<pile>.+)")
_RUNS = re.compile(
    r"(?P<along>rows|columns) in order (?P<build>.+?)(?:,? (?:from|beginning with) (?P<cards>.+))?"
)
_ENDING = re.compile(
    r"piles that (?P<how>end in|are) (?:a )?sequences? (?P<build>.+?),? from (?P<cards>.+)"
)
_LEAVING = re.compile(r"(?:the )?first vacancy of each (?P<along>row|column)")
_AT = re.compile(r"(?:the )?(?P<piles>.+?) at (?P<counter>[\w-]+)(?P<end> from the end)?")
_ROUND = re.compile(
    r"round (?:the )?(?P<piles>.+?) (?P<how>from|after) (?P<counter>[\w-]+)(?P<end> from the end)?"
)
_BY = re.compile(r"(?P<numbers>\d{1,3}(?:, then \d{1,3})+) by (?P<counter>[\w-]+)")
_BUT = re.compile(r"(?:the )?(?P<piles>.+?) but the last (?P<counter>[\w-]+)")
_UP_TO = re.compile(r"up to (?:(?P<number>\d{1,3})|(?P<counter>[\w-]+))")
_GOES_UP = re.compile(r"(?P<cards>.+?) to (?P<piles>.+)")
_RANK = re.compile(
    r"cards? of (?:rank (?P<counter>[\w-]+)|the base rank(?: of (?:the )?(?P<group>[\w-]+))?)"
)
_TIMES = re.compile(r"(?P<factor>\d{1,3}) ?\* ?(?P<counter>[\w-]+)(?: of (?P<cards>.+))?")


class Scripts:
    """Parses the steps of one game."""

    def __init__(
        self, piles: Piles, conditions: Conditions, ranks: Sequence[int], report: Report
    ) -> None:
        self.piles = piles
        self.ranks = ranks
        self.conditions = conditions
        self.report = report
        self.visits = 0
        self._in_layout = False
        self.layout: tuple[Step, ...] = ()

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

    # -- the steps ---------------------------------------------------------------------------------

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

    def _deal(self, raw: dict[str, Any], path: Path) -> Step:
        only: Literal["any", "vacant", "occupied"]
        phrases: str | list[str]
        lines_chosen = self.conditions.lines_chosen(raw["to"], (*path, "to"))
        taker = self._chosen(raw, "to", path, round_too=True) if not lines_chosen else None
        if lines_chosen is None:
            only, phrases = ("any", "") if taker else _dealt_to(raw["to"])
        else:
            only, phrases, taker = lines_chosen[0], "", lines_chosen[1:]
        if only == "any" and any(_state(phrase) for phrase in listed_phrases(phrases)):
            self.report.error(
                "mixed-targets",
                (*path, "to"),
                gettext('"vacant" or "occupied" must apply to all piles of a deal alike'),
                hint=gettext("write two steps"),
            )
            phrases = [phrase.removeprefix(_state(phrase)) for phrase in phrases]
        to = taker[0] if taker else self.piles.read(phrases, (*path, "to"), again=True)
        if lines_chosen is not None and (now := self._at_first(lines_chosen[2])) is not None:
            to, taker = PileSet(now, to.text), None
            if not now:
                selecting = self.conditions.counters[lines_chosen[2].counter]
                self.report.error(
                    "no-piles",
                    (*path, "to"),
                    gettext("no row of the picture is selected when the game begins"),
                    hint=gettext(
                        'the counter "{name}" is {start} then',
                        name=selecting.name,
                        start=selecting.start,
                    ),
                )
        source = self._dealt_from(raw, path)
        self._apart(source, to, path)
        by_pass, counter = self._by_pass(raw, taker is not None, path)
        each, up_to = (max(by_pass), None) if by_pass else self._number_dealt(raw, path)
        goes_up = self._goes_up(raw, source, path)
        leaves, lines = self._leaving(raw, only, to, path)
        rounds = raw.get("rounds", 1)
        if rounds > 1 and only != "any":
            self.report.error(
                "key-does-not-fit",
                (*path, "rounds"),
                gettext('cards go to "{only}" piles in one round', only=only),
                key=True,
                hint=gettext('say how many each of them gets: "deal = {number}"', number=rounds),
            )
        visits = len(to.piles) * rounds
        self.visits += visits
        if visits > MAX_VISITS or self.visits > MAX_ALL_VISITS:
            self.report.error(
                "too-many",
                (*path, "rounds" if "rounds" in raw else "to"),
                gettext(
                    "a deal makes at most {most} visits, all deals {all}",
                    most=MAX_VISITS,
                    all=MAX_ALL_VISITS,
                ),
            )
            return Step("deal")
        return Step(
            "deal",
            from_=source,
            to=PileSet(
                to.piles * rounds, to.text if rounds == 1 else f"{to.text}, {rounds} rounds"
            ),
            each=each,
            by_pass=by_pass,
            counter=counter,
            up_to=up_to,
            emptiest_first="order" in raw,
            passes_over=self._passes_over(raw, path),
            goes_up=goes_up,
            takes_turns=(("to", taker[1]),) if taker else (),
            only=only,
            apart=self._kept_apart(raw, path),
            leaves=leaves,
            lines=lines,
            face=raw.get("face", "up"),
        )

    def _by_pass(
        self, raw: dict[str, Any], chosen: bool, path: Path
    ) -> tuple[tuple[int, ...], int]:
        """The numbers of cards among which a counter selects, and the counter."""
        place, value = (*path, "deal"), raw["deal"]
        match = _BY.fullmatch(" ".join(value.split())) if isinstance(value, str) else None
        if match is None:
            return (), 0
        numbers = tuple(int(number) for number in re.findall(r"\d+", match["numbers"]))
        if not all(1 <= number <= MAX_CARDS for number in numbers):
            title = gettext("a number of cards is from 1 to {most}", most=MAX_CARDS)
            self.report.error("out-of-range", place, title)
            return (1, 1), 0
        for key in ("order", "rounds", *(["to"] if chosen else [])):
            if key in raw:
                self.report.error(
                    "key-does-not-fit",
                    (*path, key),
                    gettext('"{key}" does not fit a deal whose number a counter decides', key=key),
                    key=True,
                )
        return numbers, self.conditions.counter(match["counter"], place) or 0

    def _number_dealt(self, raw: dict[str, Any], path: Path) -> tuple[int, Quantity | None]:
        """The most cards that a pile gets at a visit, and up to what number it gets any."""
        place, value = (*path, "deal"), raw["deal"]
        match = None if isinstance(value, int) else _UP_TO.fullmatch(" ".join(value.split()))
        if not isinstance(value, int) and match is None:
            self.report.error(
                "unknown-phrase",
                place,
                gettext('"{text}" is not a number of cards to deal', text=value),
                hint=gettext('say 1, "up to 3", "up to COUNTER" or "3, then 2 by COUNTER"'),
            )
            return 1, None
        if match is None:
            if "order" in raw:
                self.report.error(
                    "key-does-not-fit",
                    (*path, "order"),
                    gettext("the emptiest pile gets the next card only up to a number"),
                    key=True,
                    hint=gettext('say deal = "up to 3"'),
                )
            return value, None
        for key in ("rounds", "leaving", *(["replaced"] if raw.get("replaced") is False else [])):
            if key in raw:
                self.report.error(
                    "key-does-not-fit",
                    (*path, key),
                    gettext('"{key}" does not fit a deal up to a number', key=key),
                    key=True,
                )
        if match["number"]:
            number = self._quantity(int(match["number"]), place)
            return max(number.number, 1), number
        counter = self.conditions.counter(match["counter"], place)
        return MAX_CARDS, Quantity("times", match["counter"], 1, counter or 0)

    def _goes_up(self, raw: dict[str, Any], source: PileSet, path: Path) -> GoesUp | None:
        """The cards that go up instead of being dealt."""
        place = (*path, "goes_up")
        if "goes_up" not in raw:
            if "replaced" in raw and not self.report.is_faulty(*place):
                self.report.error(
                    "key-does-not-fit",
                    (*path, "replaced"),
                    gettext('"replaced" belongs to a deal with "goes_up"'),
                    key=True,
                )
            return None
        text = " ".join(raw["goes_up"].split())
        match = _GOES_UP.fullmatch(text)
        if match is None:
            ordered = tuple(pile for pile in range(self.piles.count) if self.piles.is_ordered(pile))
            to = PileSet(ordered, "")
        else:
            to = self.piles.read(match["piles"], place)
        cards = self._cards(match["cards"] if match else text, place, raw["goes_up"])
        wrong = next((pile for pile in to.piles if not self.piles.is_ordered(pile)), None)
        if not to.piles and match is None:
            self.report.error(
                "not-a-foundation", place, gettext("there are no foundations to which cards go up")
            )
        elif wrong is not None:
            name = self.piles.group_of(wrong).name
            self.report.error(
                "not-a-foundation",
                place,
                gettext('"{name}" has no order that could want a card', name=name),
                word=name,
            )
        if "apart" in raw:
            self.report.error(
                "key-does-not-fit",
                place,
                gettext('"{key}" does not fit a deal with "{other}"', key="goes_up", other="apart"),
                key=True,
            )
        self._apart(source, to, path)
        return None if cards is None else GoesUp(cards, to, raw.get("replaced", True))

    def _passes_over(self, raw: dict[str, Any], path: Path) -> Ending | None:
        """The piles that a deal passes over because of the sequence at their top."""
        if "passes_over" not in raw:
            return None
        place, text = (*path, "passes_over"), " ".join(raw["passes_over"].split())
        match = _ENDING.fullmatch(text)
        if match is None:
            self.report.error(
                "unknown-phrase",
                place,
                gettext('"{text}" does not say which piles are passed over', text=text),
                hint=gettext(
                    'say "piles that end in a sequence down in suit, from kings" or "{other}"',
                    other="piles that are a sequence down in suit, from kings",
                ),
            )
            return None
        cards = self._cards(match["cards"], place, text)
        relation = read_relation(match["build"], place, self.ranks, self.piles, self.report)
        if cards is None or relation is None:
            return None
        return Ending(text, relation, cards, match["how"] == "are")

    def _leaving(
        self, raw: dict[str, Any], only: str, to: PileSet, path: Path
    ) -> tuple[Literal["rows", "columns"] | None, tuple[tuple[int, ...], ...]]:
        """The lines in which a deal leaves the first vacancy."""
        if "leaving" not in raw:
            return None, ()
        place = (*path, "leaving")
        match = _LEAVING.fullmatch(" ".join(raw["leaving"].split()))
        if match is None:
            self.report.error(
                "unknown-phrase",
                place,
                gettext('"{text}" is not understood here', text=raw["leaving"]),
                hint=gettext('say "the first vacancy of each row" or "... of each column"'),
            )
            return None, ()
        if only != "vacant":
            self.report.error(
                "key-does-not-fit",
                place,
                gettext("only a deal to vacancies can leave some of them"),
                key=True,
                hint=gettext('say to = "vacant GROUP"'),
            )
            return None, ()
        along: Literal["rows", "columns"] = "rows" if match["along"] == "row" else "columns"
        return along, tuple(self.piles.lines(to, along, self.conditions.picture, place) or ())

    def _dealt_from(self, raw: dict[str, Any], path: Path) -> PileSet:
        """The piles of a deal's "from": one, or several joined by "or"."""
        written = raw["from"]
        if not isinstance(written, str) or " or " not in written:
            return self._source(raw, path)
        lanes = self.piles.read_lanes(written, (*path, "from"))
        return lanes[0] if lanes else PileSet((), written)

    def _kept_apart(self, raw: dict[str, Any], path: Path) -> Relation | None:
        if "apart" not in raw:
            return None
        path = (*path, "apart")
        return read_relation(
            raw["apart"], path, self.ranks, self.piles, self.report, use="comparison"
        )

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

    def _rank(self, text: str, path: Path) -> ByCounter | None:
        """A rank that a counter tells: "cards of rank called", "cards of the base rank"."""
        match = _RANK.fullmatch(" ".join(text.split()))
        if match is None:
            return None
        base = "base" if match["group"] is None else f"base-{match['group']}"
        counter = self.conditions.counter(match["counter"] or base, path)
        return ByCounter(counter or 0, 0, tuple(self.ranks), text)

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

    def _base(self, raw: dict[str, Any], path: Path) -> Step:
        counter = self.conditions.counter(raw["base"], (*path, "base"))
        return Step("base", counter=counter or 0, piles=self._one(raw["of"], (*path, "of")))

    def _shuffle(self, raw: dict[str, Any], path: Path) -> Step:
        counter = self.conditions.counter(SHUFFLES, (*path, "shuffle"))
        piles = self._one(raw["shuffle"], (*path, "shuffle"))
        return Step("shuffle", counter=counter or 0, piles=piles)

    # -- numbers of cards --------------------------------------------------------------------------

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


def _state(phrase: str) -> Literal["", "vacant", "occupied"]:
    """What a pile must hold to be dealt to, if a phrase begins with it."""
    words = phrase.split()
    if len(words) > 1 and words[0] == "vacant":
        return "vacant"
    return "occupied" if len(words) > 1 and words[0] == "occupied" else ""


def _dealt_to(
    phrases: str | list[str],
) -> tuple[Literal["any", "vacant", "occupied"], str | list[str]]:
    """What piles must hold to be dealt to, and the phrases without that."""
    (state, *others) = {_state(phrase) for phrase in listed_phrases(phrases)} or {""}
    if others or not state:
        return "any", phrases
    bare = [phrase.split(state, 1)[1].strip() for phrase in listed_phrases(phrases)]
    return state, bare if isinstance(phrases, list) else bare[0]
