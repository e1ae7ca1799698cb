"""Parses the orders of foundations: what a foundation takes at each height.

A group has either ``base`` and ``build`` (``"up by twos in suit"``, ``"up in suit, round the
corner"``), or ``order`` with all ranks and a ``build`` with the suits only (``"in suit"``). With
``suits = "one each"``, a suit that one foundation of the group has begun cannot begin on another.
"""

import re
from collections.abc import Sequence
from typing import Any

from cadogan.i18n.text import term as phrase
from cadogan.i18n.text import told
from cadogan.rules.check.phrases import report_word
from cadogan.rules.faults.report import Report, nearest, one_of
from cadogan.rules.rulebook.relations import Relation, Term, parse_term
from cadogan.rules.rulebook.rulebook import Counter, Order
from cadogan.rules.rulebook.words import RANK_NAMES, RANKS, WordError, plural, rank_mask, rank_of
from cadogan.rules.source.span import Path

MAX_HEIGHT = 64


class Orders:
    """Parses the orders of the foundations of one game."""

    def __init__(self, ranks: Sequence[int], counters: Sequence[Counter], report: Report) -> None:
        self.ranks = tuple(ranks)
        self.counters = counters
        self.report = report

    def read(self, name: str, raw: dict[str, Any]) -> Order | None:
        """Reads the order of a group; ``None`` if it has none or is faulty."""
        build, base, order = raw.get("build"), raw.get("base"), raw.get("order")
        if build is None and order is None:
            return None
        if isinstance(build, list):
            self.report.error(
                "one-phrase-wanted",
                (name, "build"),
                told("a foundation is built in one way, not in several"),
                hint=told("groups of foundations may be built in different ways: make two groups"),
            )
            return None
        apart = raw.get("suits") == "one each"
        if order is not None:
            if base is not None:
                self.report.error(
                    "base-and-order",
                    (name, "base"),
                    told("the order already says with which rank it begins"),
                    key=True,
                    also=[((name, "order"), told("the order"))],
                )
            return self._written(name, order, build or "in any suit", apart)
        if base is None:
            if not self.report.is_faulty(name, "base"):
                self.report.error(
                    "missing-key",
                    (name,),
                    told('the foundation "{name}" does not say on which rank it begins', name=name),
                    key=True,
                    hint=told('add base = "ace"'),
                    missing="base",
                )
            return None
        return self._built(name, base, str(build), apart)

    def _written(self, name: str, order: str, build: str, apart: bool) -> Order | None:
        path: Path = (name, "order")
        ranks: list[int] = []
        words = list(re.finditer(r"[^\s,]+", order))
        for match in words:
            rank = rank_of(match.group())
            if rank is None:
                self._no_rank(
                    match.group(),
                    path,
                    match.span(),
                    told('"{word}" is not a rank', word=match.group()),
                )
            elif rank not in self.ranks:
                if not self.report.is_faulty("ranks"):
                    title = told("there are no {ranks} in this game", ranks=phrase(plural(rank)))
                    self._no_rank(match.group(), path, match.span(), title)
            else:
                ranks.append(rank)
        if not 1 <= len(words) <= MAX_HEIGHT:
            self.report.error(
                "out-of-range", path, told("an order has from 1 to {most} ranks", most=MAX_HEIGHT)
            )
        try:
            term = parse_term(f"any rank {build}")
        except WordError:
            self.report.error(
                "unknown-build",
                (name, "build"),
                told('"{build}" does not say which suits follow each other', build=build),
                hint=told('where an order is written out, build tells the suits only: "in suit"'),
            )
            return None
        if len(ranks) != len(words) or not 1 <= len(words) <= MAX_HEIGHT:
            return None
        shown = " ".join(RANKS[rank] if rank != 9 else "10" for rank in ranks)
        return self._order(ranks, term, None, f"{shown}, {build}", apart)

    def _built(self, name: str, base: str, build: str, apart: bool) -> Order | None:
        path: Path = (name, "build")
        term = None
        try:
            term = parse_term(build)
        except WordError as error:
            report_word(self.report, "unknown-build", path, build, error)
        if term and (len(term.steps) != 1 or 0 in term.steps or term.never_on is not None):
            self.report.error(
                "unknown-build",
                path,
                told('"{build}" does not say what comes next on a foundation', build=build),
                hint=told('say "up in suit", "down in alternate colours" or "up by twos in suit"'),
            )
            term = None
        step = next(iter(term.steps)) if term else 0
        if base == "dealt":
            start, counter = 0, self._base_counter(name)
            if term and (len(self.ranks) != 13 or not term.corner or step != 1):
                self.report.error(
                    "base-needs-corner",
                    (name, "base"),
                    told(
                        "a dealt base rank needs thirteen ranks built up one by one, "
                        "round the corner"
                    ),
                    also=[(path, told("built here"))],
                    hint=told('say build = "up in suit, round the corner"'),
                )
                return None
        else:
            rank, counter = self._base_rank(name, base), None
            if rank is None:
                return None
            start = self.ranks.index(rank)
        if term is None:
            return None
        ranks = [self.ranks[place] for place in self._places(start, step, term.corner)]
        begin = "the rank of the first card dealt to them"
        if counter is None:
            begin = f"the {RANK_NAMES[ranks[0]]}"
        return self._order(ranks, term, counter, f"{build} from {begin}", apart)

    def _places(self, start: int, step: int, corner: bool) -> list[int]:
        places = [start]
        while len(places) < len(self.ranks):
            following = places[-1] + step
            if corner:
                following %= len(self.ranks)
            if not 0 <= following < len(self.ranks) or following in places:
                break
            places.append(following)
        return places

    def _order(
        self, ranks: Sequence[int], term: Term, counter: int | None, text: str, apart: bool
    ) -> Order:
        relation = None
        if term.suit != "in any suit":
            suit = parse_term(f"any rank {term.suit}")
            relation = Relation((suit,), self.ranks)
        wants = tuple(rank_mask([rank]) for rank in ranks)
        return Order(wants, relation, counter, tuple(ranks), text, apart)

    def _base_counter(self, name: str) -> int | None:
        places = {counter.name: index for index, counter in enumerate(self.counters)}
        own = f"base-{name}" if f"base-{name}" in places else "base"
        index = places.get(own)
        if index is not None and self.counters[index].cap < 12:
            self.report.error(
                "out-of-range",
                ("counters", own, "cap"),
                told(
                    'the counter "{name}" must be able to reach 12, the rank of the king', name=own
                ),
            )
        return index

    def _base_rank(self, name: str, base: str) -> int | None:
        rank = rank_of(base)
        if rank is not None and rank in self.ranks:
            return rank
        if rank is None or not self.report.is_faulty("ranks"):
            title = (
                told('"{base}" is not a rank', base=base)
                if rank is None
                else told("there are no {ranks} in this game", ranks=phrase(plural(rank)))
            )
            self._no_rank(base, (name, "base"), None, title, "dealt")
        return None

    def _no_rank(
        self, word: str, path: Path, within: tuple[int, int] | None, title: str, *more: str
    ) -> None:
        ranks = range(13) if self.report.is_faulty("ranks") else self.ranks
        known = [RANK_NAMES[rank] for rank in ranks]
        guess = nearest(word, [*known, "jack"]) if rank_of(word) is None else None
        self.report.error(
            "unknown-rank",
            path,
            title,
            within=within,
            hint=told('did you mean "{guess}"?', guess=guess)
            if guess
            else told("say {choices}", choices=one_of([*known, *more], 14)),
        )
