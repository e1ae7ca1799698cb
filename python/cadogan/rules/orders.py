"""Orders of foundations: what a foundation takes at each height.

Either ``base`` and ``build`` (``"up by twos in suit"``, ``"up in suit, round the corner"``), or
``order`` with the ranks written out and ``build`` telling the suits only (``"in suit"``). With
``suits = "one each"`` a suit that one foundation of the group has begun cannot begin on another.
"""

import re
from collections.abc import Sequence
from typing import Any

from cadogan.rules.document import Path
from cadogan.rules.phrases import tell
from cadogan.rules.relations import Relation, parse_term
from cadogan.rules.report import Report, nearest, one_of
from cadogan.rules.rulebook import Counter, Order
from cadogan.rules.words import RANK_NAMES, RANKS, WordError, rank_mask, rank_of

MAX_HEIGHT = 64


class Orders:
    """Reads the orders of one game's foundations."""

    def __init__(self, ranks: Sequence[int], counters: Sequence[Counter], report: Report) -> None:
        self.ranks = tuple(ranks)
        self.counters = counters
        self.report = report

    def read(self, name: str, raw: dict[str, Any]) -> Order | None:
        """Reads the order of a group; ``None`` if it has none or faults were reported."""
        build, base, order = raw.get("build"), raw.get("base"), raw.get("order")
        if build is None and order is None:
            return None
        if isinstance(build, list):
            self.report.error(
                "one-phrase-wanted", (name, "build"), "a foundation is built in one way"
            )
            return None
        apart = raw.get("suits") == "one each"
        if order is not None:
            if base is not None:
                self.report.error(
                    "base-and-order",
                    (name, "base"),
                    "the order already says with which rank it begins",
                    key=True,
                    also=[((name, "order"), "here")],
                )
            return self._written(name, order, build or "in any suit", apart)
        if base is None:
            self.report.error(
                "missing-key", (name,), f'the foundation "{name}" does not say on which rank it begins',
                key=True, hint='give base = "ace"',
            )  # fmt: skip
            return None
        return self._built(name, str(base), str(build), apart)

    def _written(self, name: str, order: str, build: str, apart: bool) -> Order | None:
        path: Path = (name, "order")
        ranks = []
        for match in re.finditer(r"[^\s,]+", order):
            rank = rank_of(match.group())
            if rank is None:
                guess = nearest(match.group(), (*RANKS, *RANK_NAMES))
                self.report.error(
                    "unknown-rank",
                    path,
                    f'"{match.group()}" is no rank',
                    within=match.span(),
                    hint=f'did you mean "{guess}"?' if guess else f"ranks are {one_of(RANKS, 13)}",
                )
            else:
                ranks.append(rank)
        if not 1 <= len(ranks) <= MAX_HEIGHT:
            self.report.error("out-of-range", path, f"an order has from 1 to {MAX_HEIGHT} ranks")
            return None
        suit = self._suit(f"any rank {build}", (name, "build"), build)
        shown = " ".join(RANKS[rank] if rank != 9 else "10" for rank in ranks)
        return Order(
            tuple(rank_mask([r]) for r in ranks),
            suit,
            None,
            tuple(ranks),
            f"{shown}, {build}",
            apart,
        )

    def _built(self, name: str, base: str, build: str, apart: bool) -> Order | None:
        path: Path = (name, "build")
        try:
            term = parse_term(build)
        except WordError as error:
            tell(self.report, "unknown-build", path, build, error)
            return None
        if len(term.steps) != 1 or 0 in term.steps or term.never_on is not None:
            self.report.error(
                "unknown-build",
                path,
                f'"{build}" does not say what comes next on a foundation',
                hint='say "up in suit", "down in alternate colours", "up by twos in suit" and so on',
            )
            return None
        step = next(iter(term.steps))
        counter = None
        if base == "dealt":
            counter = next((i for i, c in enumerate(self.counters) if c.name == "base"), None)
            if len(self.ranks) != 13 or not term.corner or abs(step) != 1:
                self.report.error(
                    "base-needs-corner",
                    (name, "base"),
                    "a dealt base rank needs thirteen ranks built one by one, round the corner",
                    also=[(path, "built here")],
                )
                return None
            start = 0
        else:
            rank = rank_of(base)
            if rank is None or rank not in self.ranks:
                known = [RANK_NAMES[r] for r in self.ranks]
                guess = nearest(base, known)
                self.report.error(
                    "unknown-rank",
                    (name, "base"),
                    f'"{base}" is no rank of this game',
                    hint=f'did you mean "{guess}"?'
                    if guess
                    else f"say {one_of([*known, 'dealt'], 14)}",
                )
                return None
            start = self.ranks.index(rank)
        places = [start]
        while len(places) < len(self.ranks):
            following = places[-1] + step
            if term.corner:
                following %= len(self.ranks)
            if not 0 <= following < len(self.ranks) or following in places:
                break
            places.append(following)
        ranks = tuple(self.ranks[place] for place in places)
        suit = self._suit(f"any rank {term.suit}", path, build)
        begin = (
            "the rank of the first card dealt to them"
            if counter is not None
            else f"the {RANK_NAMES[ranks[0]]}"
        )
        return Order(
            tuple(rank_mask([r]) for r in ranks),
            suit,
            counter,
            ranks,
            f"{build} from {begin}",
            apart,
        )

    def _suit(self, phrase: str, path: Path, text: str) -> Relation | None:
        try:
            term = parse_term(phrase)
        except WordError as error:
            tell(self.report, "unknown-build", path, text, error)
            return None
        return None if term.suit == "in any suit" else Relation((term,), self.ranks)
