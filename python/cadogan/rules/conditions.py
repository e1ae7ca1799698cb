"""Conditions: reading the phrases after ``when`` and ``aim``.

.. code-block:: text

    "stock is empty"                 "stock, hand and waste are empty"   "waste is not empty"
    "not all of stock, hand and waste are empty"
    "no tableau is vacant"           "some army is vacant"
    "stock holds red cards"          "stock holds no red cards"
    "top of key is a queen"          "relays < 2"     "queens >= 1"
    "foundations are complete"       "no 'play' is possible"   "no 'play' from key is possible"
"""

import re
from collections.abc import Sequence
from typing import Any, Literal

from cadogan.rules.document import Path
from cadogan.rules.phrases import paths, tell
from cadogan.rules.piles import Piles
from cadogan.rules.report import Report, nearest, one_of
from cadogan.rules.rulebook import Condition, Counter
from cadogan.rules.words import WordError, parse_class

_EXAMPLES = (
    '"stock is empty", "no tableau is vacant", "stock holds red cards", "top of key is a queen", '
    '"redeals < 2" or "no \'play\' is possible"'
)
_NUMBER = re.compile(r"(?P<name>[\w-]+)\s*(?P<sign><=|>=|<|>|=|==)\s*(?P<number>\d{1,5})$")
_EMPTY = re.compile(
    r"(?P<not_all>not\s+all\s+of\s+)?(?P<piles>.+?)\s+(?:is|are)\s+(?P<not>not\s+)?empty$"
)
_VACANT = re.compile(r"(?P<which>no|some)\s+(?P<piles>.+?)\s+(?:is|are)\s+vacant$")
_HOLDS = re.compile(r"(?P<piles>.+?)\s+holds?\s+(?P<no>no\s+)?(?P<cards>.+)$")
_TOP = re.compile(r"(?:the\s+)?top\s+of\s+(?P<pile>.+?)\s+is\s+(?P<cards>.+)$")
_COMPLETE = re.compile(r"(?P<piles>.+?)\s+(?:is|are)\s+complete$")
_BLOCKED = re.compile(r"no\s+'(?P<rule>[^']+)'(?:\s+from\s+(?P<piles>.+?))?\s+is\s+possible$")


class Conditions:
    """Reads the conditions of one game."""

    def __init__(
        self, piles: Piles, counters: Sequence[Counter], rule_names: Sequence[str], report: Report
    ) -> None:
        self.piles = piles
        self.counters = counters
        self.rule_names = list(rule_names)
        self.report = report

    def read_all(self, phrases: Any, path: Path) -> tuple[Condition, ...]:
        """Reads a phrase or a list of phrases, all of which must hold."""
        read = [self.read(phrase, place) for phrase, place in paths(phrases, path)]
        return tuple(condition for condition in read if condition is not None)

    def read(self, phrase: str, path: Path) -> Condition | None:
        """Reads one phrase."""
        text = " ".join(phrase.split())
        if match := _NUMBER.match(text):
            return self._counter(match, text, path)
        if match := _BLOCKED.match(text):
            return self._blocked(match, text, path)
        if match := _VACANT.match(text):
            piles = self.piles.read(match["piles"], path)
            if match["which"] == "no":
                return Condition("filled", text, piles, number=len(piles.piles))
            return Condition("vacant", text, piles, number=1)
        if match := _EMPTY.match(text):
            piles = self.piles.read(match["piles"], path)
            if match["not"] or match["not_all"]:
                return Condition("filled", text, piles, number=1)
            return Condition("vacant", text, piles, number=len(piles.piles))
        if match := _COMPLETE.match(text):
            return self._complete(match, text, path)
        if match := _TOP.match(text):
            pile = self.piles.read(match["pile"], path)
            self.piles.single(pile, path)
            cards = self._cards(match["cards"], path)
            return Condition("top", text, pile, cards=cards) if cards else None
        if match := _HOLDS.match(text):
            piles = self.piles.read(match["piles"], path)
            cards = self._cards(match["cards"], path)
            if cards is None:
                return None
            if match["no"]:
                return Condition("holds", text, piles, 1, cards, compare="below")
            return Condition("holds", text, piles, 1, cards, compare="at-least")
        self.report.error(
            "unknown-condition",
            path,
            f'the condition "{text}" is not understood',
            hint=f"say {_EXAMPLES}",
        )
        return None

    def counter(self, name: str, path: Path, *, key: bool = False) -> int | None:
        """The number of a counter; a fault is reported if there is none of that name."""
        names = [counter.name for counter in self.counters]
        if name in names:
            return names.index(name)
        guess = nearest(name, names)
        self.report.error(
            "unknown-counter",
            path,
            f'there is no counter "{name}"',
            key=key,
            hint=f'did you mean "{guess}"?'
            if guess
            else (f"there are {one_of(names, 12)}" if names else f"add [counters.{name}]"),
        )
        return None

    def _counter(self, match: re.Match[str], text: str, path: Path) -> Condition | None:
        counter = self.counter(match["name"], path)
        if counter is None:
            return None
        number = int(match["number"])
        compare: dict[str, tuple[Literal["below", "equal", "at-least"], int]] = {
            "<": ("below", number),
            "<=": ("below", number + 1),
            "=": ("equal", number),
            "==": ("equal", number),
            ">=": ("at-least", number),
            ">": ("at-least", number + 1),
        }
        kind, bound = compare[match["sign"]]
        if bound > 65535:
            self.report.error(
                "out-of-range", path, "a counter is compared with numbers up to 65534"
            )
            return None
        return Condition("counter", text, counter=counter, compare=kind, number=bound)

    def _blocked(self, match: re.Match[str], text: str, path: Path) -> Condition | None:
        name = match["rule"]
        if name not in self.rule_names:
            guess = nearest(name, self.rule_names)
            self.report.error(
                "unknown-rule",
                path,
                f'no rule is called "{name}"',
                hint=f'did you mean "{guess}"?'
                if guess
                else f"there are {one_of(self.rule_names, 12)}",
            )
            return None
        piles = self.piles.read(match["piles"], path) if match["piles"] else None
        return Condition("blocked", text, piles, rules=(self.rule_names.index(name),))

    def _complete(self, match: re.Match[str], text: str, path: Path) -> Condition | None:
        piles = self.piles.read(match["piles"], path)
        for pile in piles.piles:
            if self.piles.group_of(pile).order is None:
                name = self.piles.group_of(pile).name
                self.report.error(
                    "not-a-foundation", path, f'"{name}" has no order that could be complete',
                    hint=f'say "no {name} is vacant" or "{name} is empty"',
                )  # fmt: skip
                return None
        return Condition("complete", text, piles)

    def _cards(self, text: str, path: Path) -> Any:
        try:
            return parse_class(text)
        except WordError as error:
            tell(self.report, "unknown-cards", path, text, error)
            return None
