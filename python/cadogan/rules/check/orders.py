"""Parses the orders of foundations: what a foundation takes at each height.

A group has either ``base`` and ``build`` (``"up by twos in suit"``, ``"up in suit, round the
corner"``), or ``order`` with all ranks and a ``build`` with the suits only (``"in suit"``). With
``suits = "one each"``, a suit that one foundation of the group has begun cannot begin on another.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from math import gcd
from typing import Any

from cadogan.i18n.text import gettext
from cadogan.i18n.text import term as phrase
from cadogan.rules.check.phrases import report_word
from cadogan.rules.faults.report import Report, nearest, one_of
from cadogan.rules.rulebook.base import Base
from cadogan.rules.rulebook.counter import Counter
from cadogan.rules.rulebook.group import BuildOrder
from cadogan.rules.rulebook.relations import Relation, Term, parse_term
from cadogan.rules.rulebook.words import (
    NUMBERS,
    RANK_NAMES,
    RANKS,
    WordError,
    plural,
    rank_mask,
    rank_of,
)
from cadogan.rules.source.span import Path
from cadogan.rules.source.values import listed, paths

MAX_HEIGHT = 64
_BY_FIRST = re.compile(r"\bup by its first card\b")
_ROUND = re.compile(r"(?:,\s*)?\bround\s+the\s+corner(?:\s+(?P<times>\w+)\s+times)?\s*$")
_EVERY = frozenset((low, high) for low in range(13) for high in range(13))


class Orders:
    """Parses the orders of the foundations of one game."""

    def __init__(self, ranks: Sequence[int], counters: Sequence[Counter], report: Report) -> None:
        self.ranks = tuple(ranks)
        self.counters = counters
        self.report = report

    def read(self, name: str, raw: dict[str, Any]) -> BuildOrder | None:
        """Reads the order of a group; ``None`` if it has none or is faulty."""
        build, base, order = raw.get("build"), raw.get("base"), raw.get("order")
        if build is None and order is None:
            return None
        if isinstance(build, list) and not all("as begun" in phrase for phrase in build):
            self.report.error(
                "one-phrase-wanted",
                (name, "build"),
                gettext("a foundation is built in one way, not in several"),
                hint=gettext(
                    'add ", as begun" to each if the second card decides; else make a group for '
                    "each way"
                ),
            )
            return None
        one_suit_each = raw.get("suits") == "one each"
        if order is not None:
            later = Base.read(base) if base is not None else None
            round_too = _ROUND.search(str(build or ""))
            if later is not None and round_too is not None:
                made = self._ring(name, raw, round_too, later)
                return self._with_waits(name, made, raw)
            if base is not None:
                self.report.error(
                    "base-and-order",
                    (name, "base"),
                    gettext("the order already says with which rank it begins"),
                    key=True,
                    also=[((name, "order"), gettext("the order"))],
                )
            made = self._written(name, order, str(build or "in any suit"), one_suit_each)
            return self._with_waits(name, made, raw)
        if base is None:
            if not self.report.is_faulty(name, "base"):
                self.report.error(
                    "missing-key",
                    (name,),
                    gettext(
                        'the foundation "{name}" does not say on which rank it begins', name=name
                    ),
                    key=True,
                    hint=gettext('add base = "ace"'),
                    missing="base",
                )
            return None
        return self._with_waits(name, self._built(name, base, build or "", one_suit_each), raw)

    def _ring(
        self, name: str, raw: dict[str, Any], found: re.Match[str], later: Base
    ) -> BuildOrder | None:
        """Reads an order that goes round and may begin anywhere."""
        times = NUMBERS.get(found["times"] or "one", 0)
        suit = found.string[: found.start()].strip(" ,") or "in any suit"
        made = self._written(name, raw["order"], suit, raw.get("suits") == "one each")
        if made is None:
            return None
        wrong: tuple[str, str] | None = None
        if not times or times * len(made.ranks) > MAX_HEIGHT:
            title = gettext("an order has from 1 to {most} ranks", most=MAX_HEIGHT)
            wrong = "build", title
        elif len(set(made.ranks)) < len(made.ranks):
            wrong = "order", gettext("an order that goes round has each rank once")
        elif later.every or later.piles or (raw.get("piles", 1) > 1 and not later.own):
            wrong = "base", gettext("where an order goes round, each foundation has its own base")
        if wrong is not None:
            hint = gettext('say base = "dealt, each its own"') if wrong[0] == "base" else None
            self.report.error("out-of-range", (name, wrong[0]), wrong[1], hint=hint)
            return None
        ring = made.ranks
        pairs = frozenset(zip(ring, ring[1:] + ring[:1], strict=True))
        clause = parse_term(f"any rank {suit}")
        term = replace(clause, neighbours=pairs, anything=False, text=f"in order {suit}")
        every = rank_mask(ring)
        return replace(
            made,
            wants=(every,) * (times * len(ring)),
            relation=Relation((term,), self.ranks),
            text=f"{made.text}, round the corner",
            ring=times,
            chosen=later.chosen,
        )

    def _with_waits(
        self, name: str, order: BuildOrder | None, raw: dict[str, Any]
    ) -> BuildOrder | None:
        """Lets cards wait, where the first rank alone says which of them are misplaced."""
        if raw.get("misplaced") != "wait" or order is None:
            return order
        known = raw.get("base") is None or Base.read(raw["base"]) is None
        for key, fits in (("suits", "suits" not in raw), ("base", known)):
            if not fits:
                self.report.error(
                    "key-does-not-fit",
                    (name, key),
                    gettext(
                        "whether a card is misplaced depends on its rank alone, which must be "
                        "known before the deal"
                    ),
                    key=True,
                    also=[((name, "misplaced"), gettext("here cards wait for their place"))],
                )
        return replace(order, waits=True)

    def _written(self, name: str, order: str, build: str, one_suit_each: bool) -> BuildOrder | None:
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
                    gettext('"{word}" is not a rank', word=match.group()),
                )
            elif rank not in self.ranks:
                if not self.report.is_faulty("ranks"):
                    title = gettext("there are no {ranks} in this game", ranks=phrase(plural(rank)))
                    self._no_rank(match.group(), path, match.span(), title)
            else:
                ranks.append(rank)
        if not 1 <= len(words) <= MAX_HEIGHT:
            self.report.error(
                "out-of-range",
                path,
                gettext("an order has from 1 to {most} ranks", most=MAX_HEIGHT),
            )
        try:
            term = parse_term(f"any rank {build}")
        except WordError:
            self.report.error(
                "unknown-build",
                (name, "build"),
                gettext('"{build}" does not say which suits follow each other', build=build),
                hint=gettext(
                    'where an order is written out, build tells the suits only: "in suit"'
                ),
            )
            return None
        if len(ranks) != len(words) or not 1 <= len(words) <= MAX_HEIGHT:
            return None
        shown = " ".join(RANKS[rank] if rank != 9 else "10" for rank in ranks)
        return self._order(ranks, term, None, f"{shown}, {build}", one_suit_each)

    def _built(
        self, name: str, base: str, build: str | list[str], one_suit_each: bool
    ) -> BuildOrder | None:
        path: Path = (name, "build")
        later, counter = Base.read(base), None
        written = build
        by_first = isinstance(build, str) and _BY_FIRST.search(build) is not None
        if isinstance(build, str) and by_first:
            build = _BY_FIRST.sub("up", build)
            if not self._goes_by_first(later, path):
                return None
        ways = self._ways(build, path)
        if later is not None:
            start = 0
            if not later.own:
                counter = self._base_counter(later.of or name)
            if any(
                step and (not term.corner or len(self._places(0, term, step)) < len(self.ranks))
                for term, step in ways
            ):
                self.report.error(
                    "base-needs-corner",
                    (name, "base"),
                    gettext(
                        "a base that is not known before the deal needs a way of building that "
                        "comes round to all ranks"
                    ),
                    also=[(path, gettext("built here"))],
                    hint=gettext('say build = "up in suit, round the corner"'),
                )
                return None
        else:
            rank = self._base_rank(name, base)
            if rank is None:
                return None
            start = self.ranks.index(rank)
        if not ways:
            return None
        lists = [
            [self.ranks[place] for place in self._places(start, term, step)] for term, step in ways
        ]
        if len({len(ranks) for ranks in lists}) > 1:
            self.report.error(
                "unknown-build",
                path,
                gettext("these ways of building end after different numbers of cards"),
                hint=gettext('add "round the corner"'),
            )
            return None
        begin = f"the {RANK_NAMES[lists[0][0]]}"
        if later is not None:
            begin = "the rank of the first card dealt to them"
            if later.chosen or later.own:
                begin = "the rank of their first card"
        term, text = ways[0][0], " or ".join(listed(written))
        order = self._order(lists[0], term, counter, f"{text} from {begin}", one_suit_each)
        if term.neighbours:
            every = rank_mask(self.ranks)
            rest = (every,) * (len(self.ranks) - 1)
            order = replace(order, wants=(order.wants[0] if later is None else every, *rest))
        phrases: tuple[Relation, ...] = ()
        if len(ways) > 1 or not ways[0][1] or (later is not None and abs(ways[0][1]) > 1):
            phrases = tuple(self._direction(term, step) for term, step in ways)
        return replace(
            order,
            ways=tuple(tuple(rank_mask([rank]) for rank in ranks) for ranks in lists[1:]),
            phrases=phrases,
            one_way=term.begun == "all",
            own_base=later is not None and later.own,
            by_first=by_first,
            chosen=later is not None and later.chosen,
        )

    def _goes_by_first(self, later: Base | None, path: Path) -> bool:
        """Whether piles can be built in steps as long as the value of their first card."""
        if later is None or not later.own:
            self.report.error(
                "unknown-build",
                path,
                gettext("only foundations that have a base each can go by their first card"),
                hint=gettext('say base = "dealt, each its own"'),
            )
            return False
        length = len(self.ranks)
        if any(gcd(step, length) > 1 for step in range(1, length)):
            self.report.error(
                "unknown-build",
                path,
                gettext(
                    "{number} ranks do not all come round in steps of any length",
                    number=length,
                ),
                hint=gettext("this takes a number of ranks that nothing divides, such as 13"),
            )
            return False
        return True

    def _direction(self, term: Term, step: int) -> Relation:
        """One way of building."""
        steps = frozenset({step}) if step else term.steps
        return Relation((replace(term, steps=steps, begun=""),), self.ranks)

    def _ways(self, build: str | list[str], path: Path) -> list[tuple[Term, int]]:
        """The ways to build: each a term, and its step in the order of ranks.

        The step is 0 if any rank comes next. None if there are faults.
        """
        ways: list[tuple[Term, int]] = []
        for words, place in paths(build, path):
            try:
                term = parse_term(words)
            except WordError as error:
                report_word(self.report, "unknown-build", place, words, error)
                return []
            several = term.steps if term.begun else ()
            every = term.anything or len(term.neighbours) == 169
            if term.never_on is None and every and isinstance(build, str):
                ways.append((replace(term, anything=False, neighbours=_EVERY), 0))
            elif term.never_on is None and 0 not in term.steps and len(several or term.steps) == 1:
                ways.append((term, next(iter(term.steps))))
            elif term.never_on is None and several:
                ways += [(term, step) for step in sorted(several, reverse=True)]
            else:
                hint = gettext(
                    'say "up in suit", "down in alternate colours" or "up by twos in suit"'
                )
                if len(term.steps) > 1:
                    hint = gettext(
                        'say "{build}, as begun" if the second card decides', build=words
                    )
                self.report.error(
                    "unknown-build",
                    place,
                    gettext('"{build}" does not say what comes next on a foundation', build=words),
                    hint=hint,
                )
                return []
        if len({(term.suit, term.begun) for term, _ in ways}) > 1:
            self.report.error(
                "unknown-build",
                path,
                gettext('the ways of building differ in their suits or in "as begun"'),
                hint=gettext("they may differ in their ranks only"),
            )
            return []
        return ways

    def _places(self, start: int, term: Term, step: int) -> list[int]:
        """The places of the ranks of a foundation in the order of ranks, bottom first."""
        if not step:
            others = [place for place in range(len(self.ranks)) if place != start]
            return [start, *others]
        places = [start]
        while len(places) < len(self.ranks):
            following = places[-1] + step
            if term.corner:
                following %= len(self.ranks)
            if not 0 <= following < len(self.ranks) or following in places:
                break
            places.append(following)
        return places

    def _order(
        self, ranks: Sequence[int], term: Term, counter: int | None, text: str, one_suit_each: bool
    ) -> BuildOrder:
        relation = None
        if term.suit != "in any suit":
            suit = parse_term(f"any rank {term.suit}")
            relation = Relation((suit,), self.ranks)
        wants = tuple(rank_mask([rank]) for rank in ranks)
        return BuildOrder(wants, relation, counter, tuple(ranks), text, one_suit_each)

    def _base_counter(self, name: str) -> int | None:
        places = {counter.name: index for index, counter in enumerate(self.counters)}
        own = f"base-{name}" if f"base-{name}" in places else "base"
        index = places.get(own)
        if index is not None and self.counters[index].cap < 12:
            self.report.error(
                "out-of-range",
                ("counters", own, "cap"),
                gettext(
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
                gettext('"{base}" is not a rank', base=base)
                if rank is None
                else gettext("there are no {ranks} in this game", ranks=phrase(plural(rank)))
            )
            self._no_rank(base, (name, "base"), None, title, "dealt", "chosen")
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
            hint=gettext('did you mean "{guess}"?', guess=guess)
            if guess
            else gettext("say {choices}", choices=one_of([*known, *more], 14)),
        )
