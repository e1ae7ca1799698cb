"""Parses conditions: the phrases of ``when`` and ``aim``.

.. code-block:: text

    "stock is empty"                 "stock, hand and waste are empty"   "waste is not empty"
    "not all of stock, hand and waste are empty"
    "no tableau is vacant"           "some army is vacant"
    "stock holds red cards"          "stock holds no red cards"
    "top of key is a queen"          "relays < 2"     "queens >= 1"
    "foundations are complete"       "no 'play' is possible"   "no 'play' from key is possible"
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from cadogan.i18n.text import term, told
from cadogan.rules.check.phrases import report_word
from cadogan.rules.check.piles import Piles
from cadogan.rules.faults.report import Report, nearest, one_of
from cadogan.rules.kinds import KINDS
from cadogan.rules.rulebook.rulebook import Condition, Counter
from cadogan.rules.rulebook.words import CLASS_WORDS, CardClass, WordError, parse_class
from cadogan.rules.source.span import Path
from cadogan.rules.source.values import listed, paths

MAX_CONDITIONS = 60

_EXAMPLES = (
    '"stock is empty", "no tableau is vacant", "stock holds red cards", "top of key is a queen", '
    '"redeals < 2" or "no \'play\' is possible"'
)
_NUMBER = re.compile(r"(?P<name>[\w-]+) ?(?P<sign><=|>=|==|<|>|=) ?(?P<number>\d{1,5})")
_EMPTY = re.compile(
    r"(?:(?P<which>no|some|all of|all|not all of) )?(?P<piles>.+?) (?:is|are) (?P<not>not )?"
    r"(?:empty|vacant)"
)
_HOLDS = re.compile(r"(?P<piles>.+?) holds? (?P<no>no )?(?P<cards>.+)")
_TOP = re.compile(r"(?:the )?top of (?P<pile>.+?) is (?P<cards>.+)")
_COMPLETE = re.compile(r"(?P<piles>.+?) (?:is|are) complete")
_BLOCKED = re.compile(r"no '(?P<rule>.+)'(?: from (?P<piles>.+?))? is possible")
_WORDS = (
    *("empty", "vacant", "complete", "possible", "holds", "hold", "top", "is", "are", "not", "no"),
    *("some", "all", "of", "from", "and", "or", "the", "a", "an"),
)


class Conditions:
    """Parses the conditions of one game.

    Attributes:
        doubtful_rules: Whether there are rules whose names cannot be read.
    """

    def __init__(
        self,
        piles: Piles,
        counters: Sequence[Counter],
        rules: Sequence[Mapping[str, Any]],
        report: Report,
        *,
        doubtful_rules: bool = False,
    ) -> None:
        self.piles = piles
        self.counters = counters
        self.rules = rules
        self.rule_names = [str(rule.get("name", "")) for rule in rules]
        self.report = report
        self.doubtful_rules = doubtful_rules

    def read_all(self, phrases: Any, path: Path) -> tuple[Condition, ...]:
        """Reads a phrase or a list of phrases, all of which must hold."""
        if len(listed(phrases)) > MAX_CONDITIONS:
            self.report.error(
                "too-many",
                path,
                told("at most {most} conditions can be given", most=MAX_CONDITIONS),
            )
            return ()
        read = [self.read(phrase, place) for phrase, place in paths(phrases, path)]
        return tuple(condition for condition in read if condition is not None)

    def read(self, phrase: str, path: Path) -> Condition | None:
        """Reads one phrase."""
        text = " ".join(phrase.split())
        if match := _NUMBER.fullmatch(text):
            return self._counter(match, text, path)
        if match := _BLOCKED.fullmatch(text):
            return self._blocked(match, text, path)
        if match := _COMPLETE.fullmatch(text):
            return self._complete(match, text, path)
        if (match := _EMPTY.fullmatch(text)) and (found := self._empty(match, text, path)):
            return found
        if match := _TOP.fullmatch(text):
            pile = self.piles.read(match["pile"], path)
            if self.piles.single(pile, path) is None:
                return None
            cards = self._cards(match["cards"], path)
            return None if cards is None else Condition("top", text, pile, cards=cards)
        if match := _HOLDS.fullmatch(text):
            piles = self.piles.read(match["piles"], path)
            cards = self._cards(match["cards"], path)
            if cards is None:
                return None
            compare: Literal["below", "at-least"] = "below" if match["no"] else "at-least"
            return Condition("holds", text, piles, 1, cards, compare=compare)
        self._not_understood(text, path)
        return None

    def counter(self, name: str, path: Path, *, key: bool = False) -> int | None:
        """The index of a counter; reports a fault if the name is unknown."""
        names = [counter.name for counter in self.counters]
        if name in names:
            return names.index(name)
        if self.report.is_faulty("counters", name):
            return None
        guess = nearest(name, names)
        self.report.error(
            "unknown-counter",
            path,
            told('there is no counter "{name}"', name=name),
            key=key,
            word=name,
            hint=told('did you mean "{guess}"?', guess=guess)
            if guess
            else told(
                "say {choices}, or add [counters.{name}]", choices=one_of(names, 12), name=name
            )
            if names
            else told("add [counters.{name}]", name=name),
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
                "out-of-range", path, told("a counter is compared with numbers up to 65534")
            )
            return None
        return Condition("counter", text, counter=counter, compare=kind, number=bound)

    def _empty(self, match: re.Match[str], text: str, path: Path) -> Condition | None:
        which, inverted = match["which"], match["not"] is not None
        if inverted and which in ("no", "not all of"):
            return None
        piles = self.piles.read(match["piles"], path)
        every = len(piles.piles)
        if which == "no":
            return Condition("filled", text, piles, number=every)
        if which == "some" and not inverted:
            return Condition("vacant", text, piles, number=1)
        if inverted or which == "not all of":
            return Condition("filled", text, piles, number=1)
        return Condition("vacant", text, piles, number=every)

    def _blocked(self, match: re.Match[str], text: str, path: Path) -> Condition | None:
        piles = self.piles.read(match["piles"], path) if match["piles"] else None
        name = match["rule"]
        if name not in self.rule_names:
            if not self._is_doubtful(name):
                guess = nearest(name, self.rule_names)
                known = one_of([f"'{rule}'" for rule in self.rule_names], 12)
                self.report.error(
                    "unknown-rule",
                    path,
                    told('no rule is called "{name}"', name=name),
                    word=name,
                    hint=told('did you mean "{guess}"?', guess=guess)
                    if guess
                    else told("say {choices}", choices=known),
                )
            return None
        index = self.rule_names.index(name)
        rule = self.rules[index]
        if any(kind.KEY in rule for kind in KINDS if not kind.MAY_BE_ASKED):
            self.report.error(
                "cannot-be-asked",
                path,
                told(
                    '"{name}" does not move cards from pile to pile, so one cannot ask for it',
                    name=name,
                ),
                word=name,
            )
            return None
        if any(_BLOCKED.fullmatch(" ".join(when.split())) for when in listed(rule.get("when"))):
            self.report.error(
                "cannot-be-asked",
                path,
                told('"{name}" itself asks whether a rule is possible', name=name),
                word=name,
                also=[(("rule", index, "when"), told("here"))],
            )
            return None
        return Condition("blocked", text, piles, rules=(index,))

    def _is_doubtful(self, rule: str) -> bool:
        """Whether a rule may be missing only because of another fault."""
        if self.doubtful_rules:
            return True
        of_stock = rule in ("turn", "deal", "redeal", "lay off")
        return any(
            self.report.is_faulty(group.name)
            for group in self.piles.groups
            if group.name in rule.split() or (of_stock and group.role in ("stock", "hand", "waste"))
        )

    def _complete(self, match: re.Match[str], text: str, path: Path) -> Condition | None:
        piles = self.piles.read(match["piles"], path)
        for pile in piles.piles:
            if not self.piles.is_ordered(pile):
                name = self.piles.group_of(pile).name
                self.report.error(
                    "not-a-foundation",
                    path,
                    told('"{name}" has no order that could be complete', name=name),
                    word=name,
                    hint=told('say "no {name} is vacant" or "{name} is empty"', name=name),
                )
                return None
        return Condition("complete", text, piles)

    def _cards(self, text: str, path: Path) -> CardClass | None:
        try:
            return parse_class(text)
        except WordError as error:
            report_word(self.report, "unknown-cards", path, "", error)
            return None

    def _not_understood(self, text: str, path: Path) -> None:
        """Reports a condition that is not understood, with a hint for its first unknown word."""
        names = [
            *(group.name for group in self.piles.groups),
            *(counter.name for counter in self.counters),
        ]
        strange = [
            part
            for part in re.findall(r"[^\W\d][\w-]*", text)
            if part not in names and part.lower() not in (*_WORDS, *CLASS_WORDS)
        ]
        guesses = [(part, nearest(part, _WORDS[:8])) for part in strange]
        guesses += [(part, nearest(part, names)) for part in strange]
        word, guess = next((pair for pair in guesses if pair[1]), (None, None))
        self.report.error(
            "unknown-condition",
            path,
            told('the condition "{text}" is not understood', text=text),
            word=word if guess else None,
            hint=told('did you mean "{guess}"?', guess=guess)
            if guess
            else told("say {choices}", choices=term(_EXAMPLES)),
        )
