"""Parses conditions: the phrases of ``when`` and ``aim``.

.. code-block:: text

    "stock is empty"                 "stock, hand and waste are empty"   "waste is not empty"
    "not all of stock, hand and waste are empty"
    "no tableau is vacant"           "some army is vacant"
    "stock holds red cards"          "stock holds no red cards"
    "top of key is a queen"          "relays < 2"     "queens >= 1"     "base is a queen"
    "base is known"                  "base is not known"
    "foundations are complete"       "no 'play' is possible"   "no 'play' from key is possible"
    "tableau holds complete sequences down in suit"   "rows of tableau lie in order up in suit"
    "rows of tableau together lie in order up in suit or else aces on queens, from aces"
    "only one row is occupied"
    "at least 2 of tableau are vacant"    "tableau holds at most 3 red kings"
    "some circle holds fewer than 3 cards"   "each row holds at least 2 cards"
    "ground at packet is empty"      "no top of columns is an ace or a king"
    "no places before row dealt are vacant"
    "rows, columns and diagonals of square add up to 15"
    "row-a holds more cards than row-b"   "either stock is empty or redeals = 2"
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from cadogan.i18n.text import gettext, term
from cadogan.rules.check.move_units import read_relation
from cadogan.rules.check.phrases import report_word
from cadogan.rules.check.piles import Piles, count_piles
from cadogan.rules.faults.report import Report, nearest, one_of
from cadogan.rules.kinds import KINDS
from cadogan.rules.rulebook.base import UNKNOWN
from cadogan.rules.rulebook.condition import Condition
from cadogan.rules.rulebook.counter import Chosen, Counter
from cadogan.rules.rulebook.group import PileSet
from cadogan.rules.rulebook.relations import Relation
from cadogan.rules.rulebook.words import CLASS_WORDS, CardClass, WordError, parse_class, rank_of
from cadogan.rules.source.span import Path
from cadogan.rules.source.values import listed, paths
from cadogan.rules.validate.schema import MAX_CARDS

MAX_CONDITIONS = 60

_NUMBER = re.compile(r"(?P<name>[\w-]+) ?(?P<sign><=|>=|==|<|>|=) ?(?P<number>\d{1,5})")
_KNOWN = re.compile(r"(?:the )?(?P<name>[\w-]+) is (?P<not>not )?known")
_RANK = re.compile(r"(?:the )?(?P<name>[\w-]+) is (?:an? |the )?(?P<rank>\w+)")
_EMPTY = re.compile(
    r"(?:(?P<which>no|some|all of|all|not all of) )?(?P<piles>.+?) (?:is|are) (?P<not>not )?"
    r"(?:empty|vacant)"
)
_HOLDS = re.compile(
    r"(?P<piles>.+?) holds? (?:(?P<no>no) |(?P<how>at least|at most|exactly|more than|fewer than) "
    r"(?P<number>\w+) )?(?P<cards>.+)"
)
_AT = re.compile(
    r"(?:the )?(?P<piles>[^,]+?) at (?P<counter>[\w-]+)(?P<end> from the end)? "
    r"is (?P<not>not )?(?:empty|vacant)"
)
_EACH = re.compile(
    r"(?P<which>some|each|every|no) (?:of )?(?P<piles>.+?) holds? "
    r"(?P<how>at least|at most|exactly|more than|fewer than) (?P<number>\w+) (?P<cards>.+)"
)
_SOME = re.compile(
    r"(?P<how>at least|at most) (?P<number>\w+) of (?P<piles>.+?) (?:is|are) (?P<not>not )?"
    r"(?:empty|vacant)"
)
_SIZE = re.compile(
    r"(?P<piles>.+?) holds? (?P<how>more|fewer|as many|at least as many|at most as many) cards "
    r"(?:than|as) (?P<than>.+)"
)
_TOPS = re.compile(
    r"(?P<which>some|each|every|no) top (?:card )?of (?P<piles>.+?) is (?P<cards>.+)"
)
_LINES = r"(?:rows|columns|diagonals)"
_LINE = re.compile(
    r"(?:the )?(?P<state>(?:vacant|occupied) )?(?P<piles>.+?) (?P<how>of|before) "
    r"(?:the )?(?P<line>row|column) (?P<counter>[\w-]+)"
)
_SUMS = re.compile(
    rf"(?:all |the )?(?P<along>{_LINES}(?:(?:,| and|, and) {_LINES})*) of (?P<piles>.+?) "
    r"adds? up to (?P<number>\d{1,4})"
)
_TOP = re.compile(r"(?:the )?top of (?P<pile>.+?) is (?P<cards>.+)")
_COMPLETE = re.compile(r"(?P<piles>.+?) (?:is|are) complete")
_ONLY = re.compile(
    r"only (?P<number>one|two|three|four) (?:of )?(?P<piles>.+?) (?:is|are) occupied"
)
_ONLY_NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4}
_ORDERED = re.compile(
    r"(?:(?:the )?(?P<along>rows|columns) of )?(?P<piles>.+?) "
    r"(?:(?P<whole>together )?lies? in order|(?P<complete>holds? complete sequences))"
    r"(?: (?P<build>.+?))?(?:, from (?P<first>.+))?"
)
_BLOCKED = re.compile(r"no '(?P<rule>.+)'(?: from (?P<piles>.+?))? is possible")
_SHAPES = (
    *(_NUMBER, _RANK, _BLOCKED, _ORDERED, _COMPLETE, _EMPTY, _TOP, _HOLDS, _SOME, _SIZE, _AT),
    *(_EACH, _TOPS, _SUMS, _KNOWN, _ONLY),
)
_BOUNDS: dict[str, tuple[Literal["below", "equal", "at-least"], int]] = {
    "at least": ("at-least", 0),
    "more than": ("at-least", 1),
    "exactly": ("equal", 0),
    "at most": ("below", 1),
    "fewer than": ("below", 0),
}
_SMALL = (
    *("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen"),
)
_WORDS = (
    *("empty", "vacant", "complete", "possible", "holds", "hold", "top", "is", "are", "not", "no"),
    *("some", "all", "of", "from", "and", "or", "the", "a", "an", "rows", "columns", "lie", "lies"),
    *("in", "order", "sequences"),
    *("either", "least", "most", "exactly", "more", "fewer", "than", "as", "many", "cards", "at"),
    *("diagonals", "add", "adds", "up", "to", "known", "together"),
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
        ranks: Sequence[int],
        picture: Mapping[tuple[int, float], int],
        doubtful_rules: bool = False,
    ) -> None:
        self.ranks = ranks
        self.picture = picture
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
                gettext("at most {most} conditions can be given", most=MAX_CONDITIONS),
            )
            return ()
        read = [self.read(phrase, place) for phrase, place in paths(phrases, path)]
        return tuple(condition for condition in read if condition is not None)

    def read(self, phrase: str, path: Path) -> Condition | None:
        """Reads one phrase."""
        text = " ".join(phrase.split())
        if text.startswith("either "):
            return self._either(text, path)
        if match := _NUMBER.fullmatch(text):
            return self._counter(match, text, path)
        if match := _KNOWN.fullmatch(text):
            return self._known(match, text, path)
        if (match := _RANK.fullmatch(text)) and (found := self._rank(match, text)):
            return found
        if match := _BLOCKED.fullmatch(text):
            return self._blocked(match, text, path)
        if match := _COMPLETE.fullmatch(text):
            return self._complete(match, text, path)
        if match := _SOME.fullmatch(text):
            return self._some(match, text, path)
        if match := _SIZE.fullmatch(text):
            return self._size(match, text, path)
        if match := _AT.fullmatch(text):
            return self._at(match, text, path)
        if match := _EACH.fullmatch(text):
            return self._each(match, text, path)
        if match := _TOPS.fullmatch(text):
            return self._tops(match, text, path)
        if match := _SUMS.fullmatch(text):
            return self._sums(match, text, path)
        if (match := _EMPTY.fullmatch(text)) and (found := self._empty(match, text, path)):
            return found
        if match := _ORDERED.fullmatch(text):
            return self._ordered(match, text, path)
        if match := _TOP.fullmatch(text):
            pile = self.piles.read(match["pile"], path)
            if self.piles.single(pile, path) is None:
                return None
            cards = self._cards(match["cards"], path)
            return None if cards is None else Condition("top", text, pile, cards=cards)
        if match := _ONLY.fullmatch(text):
            return self._only(match, text, path)
        if match := _HOLDS.fullmatch(text):
            piles = self.piles.read(match["piles"], path)
            cards = self._cards(match["cards"], path)
            if cards is None:
                return None
            how, number = "at least", 1
            if match["no"]:
                how = "fewer than"
            elif match["how"]:
                how, number = match["how"], self._small(match["number"], path)
            compare, bound = _BOUNDS[how]
            if compare != "equal" and number + bound < 1:
                always = gettext('"{text}" always holds', text=text)
                never = gettext('"{text}" never holds', text=text)
                title = always if compare == "at-least" else never
                self._empty_words(title, match["number"] or "", path)
            return Condition("holds", text, piles, number + bound, cards, compare=compare)
        self._not_understood(text, path)
        return None

    def _at(self, match: re.Match[str], text: str, path: Path) -> Condition | None:
        """Reads whether the pile is empty that a counter selects."""
        piles = self.piles.read(match["piles"], path)
        if match["end"]:
            piles = PileSet(piles.piles[::-1], piles.text)
        counter = self.counter(match["counter"], path)
        if counter is None:
            return None
        kind: Literal["vacant", "filled"] = "filled" if match["not"] else "vacant"
        each = (Condition(kind, text, PileSet((pile,), ""), number=1) for pile in piles.piles)
        return Condition("by-counter", text, piles, counter=counter, any_of=tuple(each))

    def _each(self, match: re.Match[str], text: str, path: Path) -> Condition | None:
        """Reads how many cards a pile holds alone, of some piles or of each."""
        piles = self.piles.read(match["piles"], path)
        cards = self._cards(match["cards"], path)
        number = self._small(match["number"], path)
        if cards is None:
            return None
        compare, bound = _BOUNDS[match["how"]]
        held, needed = number + bound, 1 if match["which"] == "some" else len(piles.piles)
        if match["which"] == "no":
            if compare == "equal":
                self.report.error(
                    "unknown-condition",
                    path,
                    gettext('the condition "{text}" is not understood', text=text),
                    hint=gettext('say "at least" or "at most"'),
                )
                return None
            compare = "below" if compare == "at-least" else "at-least"
        if compare != "equal" and held < 1:
            always = gettext('"{text}" always holds', text=text)
            never = gettext('"{text}" never holds', text=text)
            title = always if compare == "at-least" else never
            self._empty_words(title, match["number"], path)
        return Condition("each", text, piles, needed, cards, compare=compare, held=held)

    def _tops(self, match: re.Match[str], text: str, path: Path) -> Condition | None:
        """Reads whether top cards of several piles are of a class."""
        piles = self.piles.read(match["piles"], path)
        cards = self._cards(match["cards"], path)
        if cards is None:
            return None
        needed = 1 if match["which"] == "some" else len(piles.piles)
        compare: Literal["below", "at-least"] = "below" if match["which"] == "no" else "at-least"
        return Condition("each", text, piles, needed, cards, compare=compare, held=1, tops=True)

    def _sums(self, match: re.Match[str], text: str, path: Path) -> Condition | None:
        """Reads what the cards of lines of the picture add up to."""
        piles = self.piles.read(match["piles"], path)
        shapes = tuple(dict.fromkeys(re.findall(_LINES, match["along"])))
        lines: list[tuple[int, ...]] = []
        for shape in shapes:
            found = self.piles.lines(piles, shape, self.picture, path)
            if found is None:
                return None
            lines += found
        return Condition(
            "sums", text, piles, int(match["number"]), lines=tuple(lines), shapes=shapes
        )

    def _either(self, text: str, path: Path) -> Condition | None:
        """Reads conditions of which one must hold."""
        parts: list[str] = []
        for part in text.removeprefix("either ").split(" or "):
            # "or" can also stand within a condition: "stock holds kings or queens".
            if not parts or any(shape.fullmatch(part) for shape in _SHAPES):
                parts.append(part)
            else:
                parts[-1] += f" or {part}"
        if len(parts) < 2:
            self.report.error(
                "unknown-condition",
                path,
                gettext('"either" needs two conditions, joined by "or"'),
                hint=gettext('say "either stock is empty or redeals = 2"'),
            )
            return None
        read = [self.read(part, path) for part in parts]
        found = [condition for condition in read if condition is not None]
        for condition in found:
            if condition.kind in ("any-of", "blocked", "by-counter"):
                self.report.error(
                    "unknown-condition",
                    path,
                    gettext('"{text}" cannot be one of several conditions', text=condition.text),
                    word=condition.text,
                    hint=gettext("write two rules"),
                )
                return None
        return Condition("any-of", text, any_of=tuple(found)) if len(found) == len(parts) else None

    def _small(self, word: str, path: Path) -> int:
        """A number of cards or piles, in figures or in words."""
        if word.isdigit() and int(word) <= MAX_CARDS:
            return int(word)
        if word in _SMALL:
            return _SMALL.index(word)
        self.report.error(
            "out-of-range",
            path,
            gettext('"{word}" is not a number of cards or piles', word=word),
            word=word,
            hint=gettext("say a number from 0 to {most}", most=MAX_CARDS),
        )
        return 1

    def _some(self, match: re.Match[str], text: str, path: Path) -> Condition:
        """Reads how many piles are vacant or hold cards."""
        piles = self.piles.read(match["piles"], path)
        number, every = self._small(match["number"], path), len(piles.piles)
        vacant = match["not"] is None
        if number > every and self.piles.is_certain(*piles.piles):
            self.report.error(
                "out-of-range",
                path,
                gettext('"{text}" is only {count}', text=piles.text, count=count_piles(every)),
                word=match["number"],
            )
        if match["how"] == "at most":
            # At most two vacant: at least all but two hold cards.
            vacant, number = not vacant, max(0, every - number)
        if not number and every:
            self._empty_words(gettext('"{text}" always holds', text=text), match["number"], path)
        return Condition("vacant" if vacant else "filled", text, piles, number=number)

    def _empty_words(self, title: str, word: str, path: Path) -> None:
        """Reports a condition that says nothing, because of a number."""
        self.report.error("out-of-range", path, title, word=word)

    def _size(self, match: re.Match[str], text: str, path: Path) -> Condition:
        """Reads a comparison of the numbers of cards in piles."""
        piles, than = (self.piles.read(match[key], path) for key in ("piles", "than"))
        how = match["how"]
        if how in ("more", "at most as many"):
            # More than they hold: they hold fewer.
            piles, than = than, piles
        compare: Literal["below", "equal", "at-least"] = "equal"
        if how != "as many":
            compare = "below" if how in ("more", "fewer") else "at-least"
        return Condition("size", text, piles, compare=compare, than=than)

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
            gettext('there is no counter "{name}"', name=name),
            key=key,
            word=name,
            hint=gettext('did you mean "{guess}"?', guess=guess)
            if guess
            else gettext(
                "say {choices}, or add [counters.{name}]", choices=one_of(names, 12), name=name
            )
            if names
            else gettext("add [counters.{name}]", name=name),
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
                "out-of-range", path, gettext("a counter is compared with numbers up to 65534")
            )
            return None
        if kind != "equal" and bound < 1:
            always = gettext('"{text}" always holds', text=text)
            never = gettext('"{text}" never holds', text=text)
            self._empty_words(always if kind == "at-least" else never, match["number"], path)
        return Condition("counter", text, counter=counter, compare=kind, number=bound)

    def lines_chosen(
        self, phrase: Any, path: Path
    ) -> tuple[Literal["any", "vacant", "occupied"], PileSet, Chosen] | None:
        """The lines of the picture that a counter selects, if the words of a phrase say so."""
        text = " ".join(phrase.split()) if isinstance(phrase, str) else ""
        match = _LINE.fullmatch(text)
        if match is None:
            return None
        piles = self.piles.read(match["piles"], path)
        counter = self.counter(match["counter"], path)
        lines = self.piles.lines(piles, f"{match['line']}s", self.picture, path)
        along: Literal["row", "column"] = "row" if match["line"] == "row" else "column"
        how: Literal["of", "before"] = "of" if match["how"] == "of" else "before"
        chosen = Chosen(counter or 0, piles.piles, how, lines=tuple(lines or ()), along=along)
        state = (match["state"] or "any").strip()
        only: Literal["any", "vacant", "occupied"] = "vacant" if state == "vacant" else "any"
        return "occupied" if state == "occupied" else only, PileSet(piles.piles, text), chosen

    def _rank(self, match: re.Match[str], text: str) -> Condition | None:
        """Reads the rank that a counter stands for; ``None`` if it is another condition."""
        names = [counter.name for counter in self.counters]
        rank = rank_of(match["rank"])
        if match["name"] not in names or rank is None:
            return None
        counter = names.index(match["name"])
        return Condition(
            "counter", text, counter=counter, compare="equal", number=rank, is_rank=True
        )

    def _known(self, match: re.Match[str], text: str, path: Path) -> Condition | None:
        """Reads whether the player has chosen a base."""
        counter = self.counter(match["name"], path)
        if counter is None:
            return None
        if self.counters[counter].start != UNKNOWN:
            title = gettext('"{name}" is not a base that the player chooses', name=match["name"])
            self.report.error(
                "unknown-condition",
                path,
                title,
                word=match["name"],
                hint=gettext('say base = "chosen" where the foundations are described'),
            )
            return None
        compare: Literal["below", "at-least"] = "at-least" if match["not"] else "below"
        return Condition("counter", text, counter=counter, compare=compare, number=UNKNOWN)

    def _empty(self, match: re.Match[str], text: str, path: Path) -> Condition | None:
        which, inverted = match["which"], match["not"] is not None
        if inverted and which in ("no", "not all of"):
            return None
        if lines_chosen := self.lines_chosen(match["piles"], path):
            _, named, chosen = lines_chosen
            each = tuple(
                self._vacant(which, PileSet(some, ""), text, inverted=inverted)
                for some in chosen.lists()
            )
            return Condition(
                "by-counter", text, named, counter=chosen.counter, any_of=each, chosen=chosen
            )
        piles = self.piles.read(match["piles"], path)
        return self._vacant(which, piles, text, inverted=inverted)

    @staticmethod
    def _vacant(which: str | None, piles: PileSet, text: str, *, inverted: bool) -> Condition:
        every = len(piles.piles)
        if which == "no":
            return Condition("filled", text, piles, number=every)
        if which == "some" and not inverted:
            return Condition("vacant", text, piles, number=1)
        if inverted or which == "not all of":
            return Condition("filled", text, piles, number=1)
        return Condition("vacant", text, piles, number=every)

    def _only(self, match: re.Match[str], text: str, path: Path) -> Condition | None:
        """All but some of several piles are vacant."""
        piles = self.piles.read(match["piles"], path)
        number = len(piles.piles) - _ONLY_NUMBERS[match["number"]]
        if number < 1:
            if piles.piles and self.piles.is_certain(*piles.piles):
                self.report.error(
                    "wrong-count",
                    path,
                    gettext(
                        '"{text}" is never more than {count}',
                        text=piles.text,
                        count=count_piles(len(piles.piles)),
                    ),
                )
            return None
        return Condition("vacant", text, piles, number=number)

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
                    gettext('no rule is called "{name}"', name=name),
                    word=name,
                    hint=gettext('did you mean "{guess}"?', guess=guess)
                    if guess
                    else gettext("say {choices}", choices=known),
                )
            return None
        index = self.rule_names.index(name)
        rule = self.rules[index]
        asked = [kind for kind in KINDS if kind.MAY_BE_ASKED]
        names = [key for kind in asked for key in (kind.KEY, *kind.OTHER_KEYS)]
        others = [kind.KEY for kind in KINDS if kind not in asked]
        if not any(key in rule for key in names) or any(key in rule for key in others):
            self.report.error(
                "cannot-be-asked",
                path,
                gettext(
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
                gettext('"{name}" itself asks whether a rule is possible', name=name),
                word=name,
                also=[(("rule", index, "when"), gettext("here"))],
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

    def _ordered(self, match: re.Match[str], text: str, path: Path) -> Condition | None:
        piles = self.piles.read(match["piles"], path)
        if match["build"] is None:
            self.report.error(
                "unknown-condition",
                path,
                gettext('"{text}" does not say in which order', text=text),
                hint=gettext('say "{text} down in suit"', text=text),
            )
            return None
        ways = [
            read_relation(way, path, self.ranks, self.piles, self.report)
            for way in match["build"].split(" or else ")
        ]
        terms = tuple(term for way in ways if way is not None for term in way.terms)
        relation = Relation(terms, tuple(self.ranks)) if None not in ways else None
        first = self._cards(match["first"], path) if match["first"] else None
        along: Literal["rows", "columns"] | None = None
        lines: Sequence[tuple[int, ...]] | None = [(pile,) for pile in piles.piles]
        if match["along"]:
            along = "rows" if match["along"] == "rows" else "columns"
            lines = self.piles.lines(piles, along, self.picture, path)
        if relation is None or lines is None or (match["first"] and first is None):
            return None
        number = len(self.ranks) if match["complete"] else 0
        if match["whole"]:
            lines = [tuple(pile for line in lines for pile in line)]
        return Condition(
            *("ordered", text, piles, number, first),
            lines=tuple(lines),
            along=along,
            relation=relation,
            joined=match["whole"] is not None,
        )

    def _complete(self, match: re.Match[str], text: str, path: Path) -> Condition | None:
        piles = self.piles.read(match["piles"], path)
        for pile in piles.piles:
            if not self.piles.is_ordered(pile):
                name = self.piles.group_of(pile).name
                self.report.error(
                    "not-a-foundation",
                    path,
                    gettext('"{name}" has no order that could be complete', name=name),
                    word=name,
                    hint=gettext('say "no {name} is vacant" or "{name} is empty"', name=name),
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
            gettext('the condition "{text}" is not understood', text=text),
            word=word if guess else None,
            hint=gettext('did you mean "{guess}"?', guess=guess)
            if guess
            else gettext("say {choices}", choices=term(one_of(self._examples(), 20))),
        )

    def _examples(self) -> list[str]:
        """Conditions of the game, for hints."""
        groups = sorted(self.piles.groups, key=lambda group: group.role == "foundation")
        several = next((group for group in groups if group.count > 1), None)
        single = next((group for group in groups if group.count == 1), None)
        found = [f'"no {several.name} is vacant"'] if several is not None else []
        if any_group := single or several:
            one = any_group.name if any_group.count == 1 else f"{any_group.name}.1"
            found += [f'"{one} is empty"', f'"{one} holds red cards"', f'"top of {one} is a queen"']
        found += [f'"{counter.name} < 2"' for counter in self.counters[:1]]
        found += [f"\"no '{name}' is possible\"" for name in self.rule_names[:1] if name]
        return found
