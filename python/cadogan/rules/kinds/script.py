"""Fixed sequences of transfers: ``steps = [{ take = "all", from = "waste", to = "stock" }]``."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, Self

from cadogan.i18n.names import rule_label
from cadogan.i18n.text import gettext
from cadogan.rules.kinds.keys import Key
from cadogan.rules.kinds.kind import Action
from cadogan.rules.rulebook.condition import Condition
from cadogan.rules.rulebook.rulebook import Rule
from cadogan.rules.rulebook.step import PACK, Step

if TYPE_CHECKING:
    from cadogan.move_text import ParsedMove
    from cadogan.refusal import Refusals
    from cadogan.rules.check.actions import Actions as Reader
    from cadogan.rules.check.extent import Bounds
    from cadogan.rules.compile.compile import Tables
    from cadogan.rules.compile.symmetry import Symmetry
    from cadogan.rules.explain.english.actions import Actions as English
    from cadogan.rules.explain.german.actions import GermanActions as German
    from cadogan.rules.faults.report import Report
    from cadogan.rules.rulebook.rulebook import Rulebook
    from cadogan.rules.source.span import Path


@dataclass(frozen=True, slots=True)
class Script(Action):
    """A fixed sequence of transfers; without any, the rule only changes counters."""

    steps: tuple[Step, ...]

    KEY = "steps"
    KEYS = (
        Key(
            "steps",
            "list[StepShape]",
            "transfers carried out one after the other",
            "a list of transfers",
        ),
    )
    SECTION = "stock"
    TAKES_COVERED = True
    MAY_BE_EMPTY = True
    TITLED = True

    @classmethod
    def read(cls, raw: dict[str, Any], path: "Path", reader: "Reader") -> Self:
        if "steps" in raw and not raw["steps"]:
            reader.report.error(
                "out-of-range", (*path, "steps"), gettext("a script has at least one step")
            )
        return cls(reader.scripts.read_all(raw.get("steps", []), (*path, "steps")))

    def takes_from(self) -> set[int]:
        return {pile for step in self.steps for pile in step.sources}

    def puts_on(self) -> set[int]:
        return {pile for step in self.steps for pile in step.targets}

    def lays_down(self) -> set[int]:
        return {p for step in self.steps if step.face == "down" for p in step.targets}

    def turns_up(self) -> set[int]:
        return self.takes_from()

    def deals(self, piles: set[int]) -> bool:
        own = (step for step in self.steps if step.kind != "close_up")
        first = next((step for step in own if not piles.isdisjoint(step.targets)), None)
        return first is not None and first.kind == "deal"

    def can_stack(self, piles: set[int]) -> bool:
        return any(
            (
                step.to is not None
                and not piles.isdisjoint(step.to.piles)
                and not (step.only == "vacant" and step.each == 1)
            )
            or any(not piles.isdisjoint(way.overflow.piles[:1]) for way in step.ways)
            for step in self.steps
        )

    def separates(self, piles: set[int]) -> bool:
        return any(
            some is not None and not piles.isdisjoint(some.piles)
            for step in self.steps
            for some in (step.from_, step.to, step.piles)
        )

    def most_moves(self, bounds: "Bounds") -> int:
        return 1

    def demands(self) -> Iterator[tuple[str, Iterable[int], int]]:
        yield from ()  # A step that finds no cards does nothing.

    def lint(self, rule: Rule, index: int, book: "Rulebook", report: "Report") -> None:
        """Warns of a rule that gathers cards to be dealt again and has no limit."""
        gathered = self._gathers(book)
        if gathered is None or not self.is_endless(rule, book):
            return
        is_pack = gathered >= len(book.pile_names)
        report.warning(
            "endless-redeals",
            ("rule", index, "when" if rule.when else "steps"),
            gettext(
                'the rule "{name}" brings cards back to the {other} without limit',
                name=rule.name,
                other=PACK if is_pack else book.group_of(gathered).name,
            ),
            hint=gettext(
                "give a number of redeals, or a counter: "
                'when = "redeals < 2", add = {{ redeals = 1 }}'
            ),
        )

    def is_endless(self, rule: Rule, book: "Rulebook") -> bool:
        """Whether it brings cards back, to be dealt again, without limit."""
        return (
            rule.during != "layout"
            and not any(c.kind == "counter" and _uses_up(rule, c, book) for c in rule.when)
            and self._gathers(book) is not None
        )

    def _gathers(self, book: "Rulebook") -> int | None:
        """A pile to which it brings cards back, to be dealt again to where they came from.

        That is the stock, or a pile that it, or another script, deals to some of these piles.
        """
        refilled = {pile for other in book.rules for pile in other.action.puts_on()}
        dealing = [
            (set(step.sources), set(step.targets))
            for other in book.rules
            if isinstance(other.action, Script) and other.during != "layout"
            for step in other.action.steps
            if step.kind in ("deal", "take")
        ]
        for step in self.steps:
            if step.kind not in ("take", "gather") or step.to is None:
                continue
            (to,), sources = step.to.piles[:1], set(step.sources)
            again = to == book.source_pile or any(
                to in starts and sources & ends for starts, ends in dealing
            )
            if again and not sources.isdisjoint(refilled):
                return to
        return None

    def program(self, tables: "Tables") -> dict[str, Any]:
        return {"kind": "script", "steps": tables.steps(self.steps)}

    def fills(self, total: int) -> Iterator[tuple[Iterable[int], int]]:
        for step in self.steps:
            yield from step.fills()

    def is_even(self, rule: Rule, among: "Symmetry") -> bool:
        for step, following in zip_longest(self.steps, self.steps[1:]):
            if following is not None and among.is_shuffled(step, following):
                # All piles of the group are empty then, and in whatever order they were taken up,
                # the shuffle makes the same of their cards.
                return True
            if not among.step(step):
                return False
        return True

    def word(self, rule: Rule) -> str:
        return rule.verb or rule.name

    def write(self, source: str, target: str, count: int, transfers: Sequence[str] | None) -> str:
        raise AssertionError("a script is written as one word")

    def clicks(self) -> Sequence[int]:
        touched: list[int] = []
        for step in self.steps:
            for piles in (step.from_, step.piles, step.to):
                touched += piles.piles if piles is not None else ()
        return touched

    @classmethod
    def refusal(cls, parsed: "ParsedMove", at: "Refusals") -> str | None:
        return None  # A script is named; it is not written with piles.

    def instead(
        self, rule: Rule, sources: set[int], targets: set[int], ends: Mapping[str, str]
    ) -> str | None:
        if not any(
            sources.intersection(step.sources) and targets.intersection(step.targets)
            for step in self.steps
        ):
            return None
        if rule.forced:
            return gettext(
                "no single card goes from {start} to {end}: it happens automatically", **ends
            )
        return gettext(
            "no single card goes from {start} to {end}: it is done by '{word}'",
            **ends,
            word=rule_label(self.word(rule)),
        )

    def english(self, words: "English", *, forced: bool) -> list[str]:
        return words.steps(self.steps)

    def english_use(self, rule: Rule, words: "English") -> str:
        title = words.words.label(rule)
        return f"with each {title}" if rule.verb else f"at every “{title}”"

    def german(self, words: "German", *, forced: bool) -> list[str]:
        return words.steps(self.steps)

    def german_use(self, rule: Rule, words: "German", sooft: str) -> str:
        title = words.german.title(rule)
        return f"bei jedem Zug „{title}“" if rule.verb else f"jedes Mal bei „{title}“"


def _uses_up(rule: Rule, condition: Condition, book: "Rulebook") -> bool:
    """Whether a rule brings nearer the end of a condition on a counter that it needs."""
    if condition.counter in book.shuffles(rule):
        return condition.compare != "at-least"
    for effect in rule.effects:
        if effect.counter != condition.counter:
            continue
        if effect.kind == "set":
            return not condition.allows(effect.value)
        if effect.kind == "add" and effect.value > 0 and condition.compare != "at-least":
            return True
    return False
