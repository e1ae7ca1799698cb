"""Parses the deals of scripts: the number of cards, the piles, and which of them are spared."""

import re
from typing import Any, Literal

from cadogan.i18n.text import gettext
from cadogan.rules.check.move_units import read_relation
from cadogan.rules.check.step_parts import StepParts
from cadogan.rules.rulebook.group import PileSet
from cadogan.rules.rulebook.relations import Relation
from cadogan.rules.rulebook.step import Ending, GoesUp, Quantity, Step
from cadogan.rules.source.span import Path
from cadogan.rules.source.values import listed as listed_phrases
from cadogan.rules.validate.schema import MAX_CARDS

MAX_VISITS = 2000
"""The largest number of visits of one deal."""
MAX_ALL_VISITS = 20_000
"""The largest number of visits of all deals of a game; it limits the size of the program."""
_ENDING = re.compile(
    r"piles that (?P<how>end in|are) (?:a )?sequences? (?P<build>.+?),? from (?P<cards>.+)"
)
_LEAVING = re.compile(r"(?:the )?first vacancy of each (?P<along>row|column)")
_BY = re.compile(r"(?P<numbers>\d{1,3}(?:, then \d{1,3})+) by (?P<counter>[\w-]+)")
_UP_TO = re.compile(r"up to (?:(?P<number>\d{1,3})|(?P<counter>[\w-]+))")
_GOES_UP = re.compile(r"(?P<cards>.+?) to (?P<piles>.+)")


class Dealing(StepParts):
    """Parses the deals of one game."""

    visits = 0
    """How many visits the deals read so far make."""

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
