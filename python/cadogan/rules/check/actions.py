"""Rules: reading one core rule, what it does and when.

The keys of a rule determine what it does: each kind but the move has a key of its own, and all
other rules move cards ``from`` piles ``to`` piles (see :mod:`cadogan.rules.kinds`).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from cadogan.i18n.text import gettext
from cadogan.rules.check.asks import AskReader
from cadogan.rules.check.conditions import Conditions
from cadogan.rules.check.move_units import (
    read_match,
    read_neighbours,
    read_relation,
    read_unit,
)
from cadogan.rules.check.phrases import report_word
from cadogan.rules.check.piles import Piles
from cadogan.rules.check.scripts import Scripts
from cadogan.rules.faults.report import Report, one_of
from cadogan.rules.kinds import KINDS, Action, Move
from cadogan.rules.rulebook.asks import Unit
from cadogan.rules.rulebook.card_sets import CardSet
from cadogan.rules.rulebook.counter import Effect
from cadogan.rules.rulebook.neighbours import Neighbours
from cadogan.rules.rulebook.relations import Relation
from cadogan.rules.rulebook.rulebook import Rule
from cadogan.rules.rulebook.words import ANY, CardClass, WordError, parse_class
from cadogan.rules.source.span import Path
from cadogan.rules.validate.schema import MAX_CARDS

MAX_EFFECTS = 60
_OF_FORCED = {
    "during": gettext('"during" belongs to forced rules only'),
    **{key.name: key.only_forced for kind in KINDS for key in kind.KEYS},
}
_TELLING = {key: kind for kind in KINDS if kind is not Move for key in (kind.KEY, *kind.OTHER_KEYS)}
_EMPTY = next(kind for kind in KINDS if kind.MAY_BE_EMPTY)
_MOVING = tuple(key.name for key in Move.KEYS)
_TALLY = re.compile(r"(?:(?P<times>\d{1,4}) ?\* ?)?(?P<counter>[\w-]+)")
_RULE_KEYS = ("name", "why", "verb", "forced", "during", "when", "set", "add")


def changes_only(raw: Mapping[str, Any]) -> bool:
    """Whether a rule only changes counters: it says nothing of cards."""
    says_nothing = not any(key in raw for key in (*_TELLING, *_MOVING))
    return says_nothing and ("set" in raw or "add" in raw)


class Actions:
    """Reads the rules of one game."""

    def __init__(
        self,
        piles: Piles,
        conditions: Conditions,
        scripts: Scripts,
        picture: Mapping[tuple[int, float], int],
        ranks: Sequence[int],
        suits: Sequence[int],
        report: Report,
    ) -> None:
        self.suits = tuple(suits)
        self.piles = piles
        self.conditions = conditions
        self.scripts = scripts
        self.picture = picture
        self.ranks = tuple(ranks)
        self.report = report

    def read(self, raw: dict[str, Any], path: Path) -> Rule | None:
        """Reads a rule; ``None`` if faults were reported that leave nothing of it."""
        action = self._action(raw, path)
        when = self.conditions.read_all(raw.get("when"), (*path, "when"))
        effects = self._effects(raw, path)
        if action is None:
            return None
        return Rule(
            name=raw.get("name", ""),
            action=action,
            verb=raw.get("verb"),
            forced=raw.get("forced", False),
            during=raw.get("during", "play"),
            when=when,
            effects=effects,
            why=raw.get("why", ""),
        )

    def _action(self, raw: dict[str, Any], path: Path) -> Action | None:
        kind = next((kind for key, kind in _TELLING.items() if key in raw), Move)
        if changes_only(raw) and not any(self.report.is_faulty(*path, key) for key in _MOVING):
            kind = _EMPTY
        telling = (*_TELLING, "from", "to")
        if self.report.is_clean or not any(
            self.report.is_faulty(*path, other) for other in telling if other not in raw
        ):
            self._check_keys(raw, kind, path)
        self._check_forced(raw, path)
        return kind.read(raw, path, self)

    def _check_keys(self, raw: dict[str, Any], kind: type[Action], path: Path) -> None:
        key, known = kind.KEY, (*(key.name for key in kind.KEYS), *_RULE_KEYS)
        for other in raw:
            if other in known:
                continue
            if _TELLING.get(other, kind) is not kind:
                title = gettext(
                    'a rule has either "{key}" or "{other}", not both', key=key, other=other
                )
            else:
                title = gettext('"{other}" does not fit a rule with "{key}"', other=other, key=key)
            self.report.error(
                "key-does-not-fit",
                (*path, other),
                title,
                key=True,
                hint=gettext("such a rule knows {choices}", choices=one_of(known, 30)),
                also=[((*path, key), gettext("this says what it does"))] if key in raw else [],
            )

    def _check_forced(self, raw: dict[str, Any], path: Path) -> None:
        if raw.get("forced", False) or self.report.is_faulty(*path, "forced"):
            return
        for key, title in _OF_FORCED.items():
            if title and key in raw and not (key == "choose" and raw[key] == "nothing"):
                self.report.error(
                    "not-forced",
                    (*path, key),
                    title,
                    key=True,
                    hint=gettext("in a free rule the player chooses anyway")
                    if key == "choose"
                    else gettext("add forced = true"),
                )

    def _effects(self, raw: dict[str, Any], path: Path) -> tuple[Effect, ...]:
        # The points come last among what is added: they are what other counters say by then.
        effects = [
            *self._changes("set", raw, path),
            *self._counts(raw, path),
            *self._changes("add", raw, path),
        ]
        if len(effects) > MAX_EFFECTS:
            self.report.error(
                "too-many",
                path,
                gettext("a rule changes at most {most} counters", most=MAX_EFFECTS),
            )
        return tuple(effects)

    def _changes(
        self, kind: Literal["set", "add"], raw: dict[str, Any], path: Path
    ) -> Iterator[Effect]:
        """Counters that get a value, or grow."""
        for name, value in raw.get(kind, {}).items():
            place = (*path, kind, name)
            counter = self.conditions.counter(name, place, key=True)
            if isinstance(value, str) and (match := _TALLY.fullmatch(" ".join(value.split()))):
                yield from self._tally(match, counter, place, grows=kind == "add")
            elif isinstance(value, str) and kind == "add":
                self.report.error(
                    "unknown-phrase",
                    place,
                    gettext('"{text}" is not a value for a counter', text=value),
                    hint=gettext('say a number, the name of a counter, or "5 * COUNTER"'),
                )
            elif isinstance(value, str):
                yield from self._rank_effect(value, counter, raw, place)
            elif counter is not None:
                yield Effect(kind, counter, value)

    def _counts(self, raw: dict[str, Any], path: Path) -> Iterator[Effect]:
        """Counters that grow by the moved cards of a class."""
        for name, text in raw.get("count", {}).items():
            counter = self.conditions.counter(name, (*path, "count", name), key=True)
            cards = self.read_class(text, (*path, "count", name))
            if counter is not None and cards is not None:
                yield Effect("count", counter, cards=cards)

    def _tally(
        self, match: re.Match[str], counter: int | None, path: Path, *, grows: bool
    ) -> list[Effect]:
        """A counter that becomes a multiple of another counter, or grows by it."""
        other = self.conditions.counter(match["counter"], path)
        times = int(match["times"] or 1)
        if not 1 <= times <= MAX_CARDS:
            self.report.error(
                "out-of-range",
                path,
                gettext("a multiple of a counter is from 1 to {most} times", most=MAX_CARDS),
            )
            return []
        if counter is None or other is None:
            return []
        return [Effect("tally", counter, times, of=other, grows=grows)]

    def _rank_effect(
        self, text: str, counter: int | None, raw: dict[str, Any], path: Path
    ) -> list[Effect]:
        """A counter that becomes the rank of the moved card."""
        once = re.fullmatch(r"\s*its\s+rank\s*(?P<once>,?\s*once)?\s*", text)
        if once is None or "from" not in raw:
            self.report.error(
                "unknown-phrase",
                path,
                gettext('"{text}" is not a value for a counter', text=text)
                if once is None
                else gettext("only a rule that moves a card from pile to pile knows its rank"),
                hint=gettext('say a number, or "its rank"') if once is None else None,
            )
            return []
        if counter is not None and self.conditions.counters[counter].cap < 12:
            self.report.error(
                "out-of-range",
                path,
                gettext(
                    'the counter "{name}" must be able to reach 12, the rank of the king',
                    name=self.conditions.counters[counter].name,
                ),
            )
        kept = once["once"] is not None
        return [] if counter is None else [Effect("rank", counter, once=kept)]

    # -- phrases -----------------------------------------------------------------------------------

    @property
    def telling(self) -> tuple[str, ...]:
        """The keys that say that a rule is of another kind than a move."""
        return tuple(_TELLING)

    @staticmethod
    def named(raw: dict[str, Any]) -> str:
        """A rule by its name, for reports."""
        return (
            gettext('the rule "{name}"', name=raw["name"])
            if "name" in raw
            else gettext("this rule")
        )

    def cards(self, raw: dict[str, Any], key: str, path: Path) -> CardClass:
        """Reads the class of cards of a key; all cards, if the key is missing or not understood."""
        cards = self.read_class(raw[key], (*path, key)) if key in raw else None
        return ANY if cards is None else cards

    def read_class(self, text: str, path: Path) -> CardClass | None:
        """Reads a class of cards, reporting what is not understood."""
        try:
            return parse_class(text)
        except WordError as error:
            report_word(self.report, "unknown-cards", path, text, error)
            return None

    def read_relation(
        self,
        phrases: str | list[str],
        path: Path,
        *,
        use: Literal["building", "order", "comparison"] = "order",
    ) -> Relation | None:
        """Reads a rule of building, reporting what is not understood.

        Args:
            phrases: One phrase, or several alternatives.
            path: Their place.
            use: Whether cards are laid on piles, lie in an order, or are only compared.
        """
        relation = read_relation(phrases, path, self.ranks, self.piles, self.report, use=use)
        ways = {term.begun for term in relation.terms} if relation is not None else {""}
        if ways in ({""}, {"each"}):
            return relation
        title = gettext('all ways of building here must end in "as begun", or none')
        if "all" in ways:
            title = gettext('"all as begun" is only for foundations')
        self.report.error("unknown-build", path, title, word="as begun")
        return None

    def asking(self, raw: dict[str, Any], path: Path) -> AskReader:
        """What a move asks for that few moves ask for."""
        return AskReader(raw, path, self)

    def read_match(
        self, phrases: str | list[str], size: tuple[int, int], path: Path
    ) -> tuple[Relation | None, tuple[CardSet, ...]]:
        """Reads which cards belong together: two by a rule of building, and other sets."""
        return read_match(phrases, size, path, self.ranks, self.piles, self.report)

    def read_neighbours(self, phrase: str, piles: Sequence[int], path: Path) -> Neighbours | None:
        """Reads how cards are related to those beside them, reporting what is not understood."""
        return read_neighbours(phrase, piles, self.picture, path, self.ranks, self.piles)

    def read_unit(self, phrase: str, path: Path) -> Unit:
        """Reads which cards move together, reporting what is not understood."""
        return read_unit(phrase, path, self.read_relation, self.ranks, self.report)
