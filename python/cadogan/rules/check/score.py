"""Parses the score: the table ``[score]``."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from cadogan.i18n.text import gettext
from cadogan.rules.check.conditions import Conditions
from cadogan.rules.check.phrases import report_word
from cadogan.rules.check.scripts import Scripts
from cadogan.rules.faults.report import Report, nearest, one_of
from cadogan.rules.rulebook.score import CRIBBAGE, POKER, Along, Score, ScoreTerm
from cadogan.rules.rulebook.words import CardClass, WordError, parse_class
from cadogan.rules.source.span import Path

_CARDS = re.compile(r"(?P<cards>.+) in (?P<piles>.+)")
_LINES = re.compile(r"(?:the )?(?P<along>rows and columns|rows|columns) of (?P<piles>.+)")
_IN_ORDER = re.compile(r"(?:the )?(?P<along>rows|columns) of (?P<piles>.+?) in order (?P<how>.+)")
_CARDS_OF_A_HAND = {"poker": (5, 5), "cribbage": (2, 5)}


def read_score(
    raw: Mapping[str, Any] | None,
    conditions: Conditions,
    scripts: Scripts,
    picture: Mapping[tuple[int, float], int],
    report: Report,
) -> Score | None:
    """Reads the score of a game; ``None`` if it has none."""
    if raw is None:
        return None
    reader = _Reader(raw, conditions, scripts, picture, report)
    terms = tuple(reader.terms())
    if not terms and not report.is_faulty("score"):
        report.error(
            "missing-key",
            ("score",),
            gettext("nothing says what the points are given for"),
            key=True,
            hint=gettext("add cards, counters, in_order, bonus or hands"),
        )
    return Score(raw.get("aim", "most"), raw.get("start", 0), terms, raw.get("won_from"))


class _Reader:
    def __init__(
        self,
        raw: Mapping[str, Any],
        conditions: Conditions,
        scripts: Scripts,
        picture: Mapping[tuple[int, float], int],
        report: Report,
    ) -> None:
        self.raw = raw
        self.conditions = conditions
        self.scripts = scripts
        self.piles = conditions.piles
        self.picture = picture
        self.report = report

    def terms(self) -> Iterator[ScoreTerm]:
        for text, points in self.raw.get("cards", {}).items():
            path: Path = ("score", "cards", text)
            phrase = " ".join(text.split())
            match = _CARDS.fullmatch(phrase)
            cards = self._cards(match["cards"] if match else "any card", path)
            if cards is not None:
                piles = self.piles.read(match["piles"] if match else phrase, path)
                yield ScoreTerm("cards", phrase, (points,), piles, cards)
        for name, points in self.raw.get("counters", {}).items():
            counter = self.conditions.counter(name, ("score", "counters", name), key=True)
            if counter is not None:
                yield ScoreTerm("counter", name, (points,), counter=counter)
        for text, points in self.raw.get("in_order", {}).items():
            path = ("score", "in_order", text)
            phrase = " ".join(text.split())
            match = _IN_ORDER.fullmatch(phrase)
            if match is None:
                self.report.error(
                    "unknown-phrase",
                    path,
                    gettext('"{text}" does not say which cards lie in order', text=phrase),
                    key=True,
                    hint=gettext('say "rows of GROUP in order up in suit, from twos"'),
                )
                continue
            piles = self.piles.read(match["piles"], path)
            runs = self.scripts.read_runs(f"{match['along']} in order {match['how']}", piles, path)
            if runs is not None:
                yield ScoreTerm(*("runs", phrase, (points,), piles), lines=runs.lines, runs=runs)
        for text, points in self.raw.get("bonus", {}).items():
            when = self.conditions.read(text, ("score", "bonus", text))
            if when is not None:
                yield ScoreTerm("bonus", when.text, (points,), when=when)
        if (term := self._hands()) is not None:
            yield term

    def _cards(self, text: str, path: Path) -> CardClass | None:
        try:
            return parse_class(text)
        except WordError as error:
            report_word(self.report, "unknown-cards", path, "", error)
            return None

    def _hands(self) -> ScoreTerm | None:
        hands: dict[str, int] | None = self.raw.get("hands")
        for key in ("lines", "starter") if hands is None else ():
            if key in self.raw and not self.report.is_faulty("score", "hands"):
                self.report.error(
                    "key-does-not-fit",
                    ("score", key),
                    gettext('"{key}" belongs to hands, but the score has none', key=key),
                    key=True,
                )
        if not hands:
            return None
        known = dict.fromkeys((*POKER, *CRIBBAGE))
        strange = [name for name in hands if name not in known]
        for name in strange:
            guess = nearest(name, known)
            self.report.error(
                "unknown-choice",
                ("score", "hands", name),
                gettext('"{name}" is not a hand', name=name),
                key=True,
                hint=gettext('did you mean "{guess}"?', guess=guess)
                if guess
                else gettext("say {choices}", choices=one_of(known, 20)),
            )
        poker = [name for name in hands if name in POKER and name not in CRIBBAGE]
        cribbage = [name for name in hands if name in CRIBBAGE and name not in POKER]
        if poker and cribbage:
            self.report.error(
                "key-does-not-fit",
                ("score", "hands", cribbage[0]),
                gettext('"{name}" counts at cribbage, not at poker', name=cribbage[0]),
                key=True,
                also=[(("score", "hands", poker[0]), gettext("a hand at poker"))],
            )
        if strange or (poker and cribbage):
            return None
        if "starter" in self.raw and not cribbage:
            self.report.error(
                "key-does-not-fit",
                ("score", "starter"),
                gettext("a starter counts at cribbage only"),
                key=True,
            )
            return None
        return self._lines("cribbage" if cribbage else "poker", hands)

    def _lines(self, kind: str, hands: dict[str, int]) -> ScoreTerm | None:
        phrase = " ".join(self.raw.get("lines", "").split())
        path: Path = ("score", "lines")
        if not phrase:
            if not self.report.is_faulty(*path):
                self.report.error(
                    "missing-key",
                    ("score", "hands"),
                    gettext("nothing says where the hands lie"),
                    key=True,
                    hint=gettext('add lines = "rows and columns of GROUP"'),
                )
            return None
        match = _LINES.fullmatch(phrase)
        if match is None:
            self.report.error(
                "unknown-phrase",
                path,
                gettext('"{text}" does not say where the hands lie', text=phrase),
                hint=gettext(
                    'say "rows of GROUP", "columns of GROUP" or "rows and columns of GROUP"'
                ),
            )
            return None
        piles = self.piles.read(match["piles"], path)
        starter = None
        if "starter" in self.raw:
            named = self.piles.read(self.raw["starter"], ("score", "starter"))
            starter = self.piles.single(named, ("score", "starter"))
            if starter is None:
                return None
        along: Along = "both"
        lines: list[tuple[int, ...]] = []
        for each in ("rows", "columns"):
            if each in match["along"]:
                found = self.piles.lines(
                    piles, "rows" if each == "rows" else "columns", self.picture, path
                )
                if found is None:
                    return None
                lines += found
        if match["along"] in ("rows", "columns"):
            along = "rows" if match["along"] == "rows" else "columns"
        least, most = _CARDS_OF_A_HAND[kind]
        odd = next((line for line in lines if not least <= len(line) <= most), None)
        if odd is not None and self.piles.is_certain(*piles.piles):
            self.report.error(
                "wrong-count",
                path,
                gettext("a line has {count} places", count=len(odd)),
                hint=gettext("a hand at poker has five cards")
                if kind == "poker"
                else gettext("a hand at cribbage has two to five cards, without the starter"),
            )
        if kind == "poker":
            royal = {"royal flush": hands.get("straight flush", 0)}
            points = tuple((royal | hands).get(name, 0) for name in POKER)
            return ScoreTerm("poker", phrase, points, piles, lines=tuple(lines), along=along)
        points = tuple(hands.get(name, 0) for name in CRIBBAGE)
        return ScoreTerm(
            *("cribbage", phrase, points, piles), lines=tuple(lines), along=along, starter=starter
        )
