"""Variants: named changes of a game, written as overrides in the same file.

``amazons:left-to-right`` is the game with the overrides of ``[variants.left-to-right]``; several
variants are joined by ``+``. A variant may override any key of any group and of the head; change,
drop and add rules by name; and drop groups:

.. code-block:: text

    [variants.queens-free]
    why = "a queen may go up from any column"
    drop = ["..."]
    [[variants.queens-free.change]]      # rule = the name of a rule, and the keys that differ
    [[variants.queens-free.add]]         # a whole rule; before = the name of another

The tables are not validated yet: values that are not tables or lists are skipped here, and
:mod:`cadogan.rules.validate.validate` reports them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from cadogan.i18n.text import gettext
from cadogan.rules.faults.report import Report, nearest, one_of
from cadogan.rules.source.reading import Reading
from cadogan.rules.source.span import Path
from cadogan.rules.validate.schema import group_names

OWN_KEYS = ("why", "drop", "change", "add")
"""The keys of a variant that are not overrides."""

FIXED_KEYS = ("rule", "variants", "core")
"""The keys that a variant cannot override."""


def overlay(reading: Reading, report: Report) -> Reading:
    """Applies the variants of a reading to the document.

    Args:
        reading: The document as read; it is not changed.
        report: Receives faults such as unknown variants and rules. It can then map values of
            variants to their places.
    """
    overlaid = _Overlay(reading.data, report)
    for name in dict.fromkeys(reading.chosen):
        overlaid.lay(name)
        if reading.chosen.count(name) > 1:
            twice = gettext('the variant "{name}" is named twice', name=name)
            report.error("said-twice", ("variants", name), twice, key=True)
    data, back = overlaid.result()
    report.redirect(back)
    return replace(reading, data=data)


def touched(table: Any) -> set[str]:
    """The top-level keys that a variant may change; variants without a common one are compatible.

    >>> sorted(touched({"why": "fewer", "cells": {"piles": 2}, "drop": ["reserve"]}))
    ['cells', 'reserve', 'rule']
    """
    if not isinstance(table, dict):
        return set()
    keys = {key for key in table if key not in OWN_KEYS}
    if any(table.get(key) for key in OWN_KEYS if key != "why"):
        keys.add("rule")
    return keys | {name for name in _list(table.get("drop")) if isinstance(name, str)}


def disputed(data: dict[str, Any], first: str, second: str) -> list[str]:
    """The keys that two variants set differently, so that the later one would win.

    Args:
        data: The document as read.
        first: The name of a variant.
        second: The name of another.

    Returns:
        The keys, such as ``"cells.piles"``, and the names of rules in quotation marks.
    """
    readings = []
    for chosen in ((first, second), (second, first)):
        overlaid = _Overlay(data, None)
        for name in chosen:
            overlaid.lay(name)
        rules = {written.name: written.rule for written in overlaid.rules}
        readings.append((overlaid.merged, rules))
    (one, its_rules), (other, other_rules) = readings
    names = [*its_rules, *(name for name in other_rules if name not in its_rules)]
    return [
        *_differing({**one, "rule": None}, {**other, "rule": None}),
        *(f'"{name}"' for name in names if its_rules.get(name) != other_rules.get(name)),
    ]


def _differing(one: dict[str, Any], other: dict[str, Any], head: str = "") -> list[str]:
    """The keys of two tables that differ, as dotted paths."""
    found = []
    for key in [*one, *(key for key in other if key not in one)]:
        a, b = one.get(key), other.get(key)
        if isinstance(a, dict) and isinstance(b, dict):
            found += _differing(a, b, f"{head}{key}.")
        elif a != b or (key in one) != (key in other):
            found.append(f"{head}{key}")
    return found


@dataclass
class _Written:
    """A rule with its place, and the places of keys that variants changed."""

    rule: Any
    home: Path
    changed: dict[str, Path] = field(default_factory=dict)

    @property
    def name(self) -> str | None:
        name = self.rule.get("name") if isinstance(self.rule, dict) else None
        return name if isinstance(name, str) else None


class _Overlay:
    def __init__(self, data: dict[str, Any], report: Report | None) -> None:
        self.data = data
        self.report = report
        self.merged = dict(data)
        self.origins: dict[Path, Path] = {}
        variants = data.get("variants")
        self.variants: dict[str, Any] = variants if isinstance(variants, dict) else {}
        rules = data.get("rule")
        self.listed = isinstance(rules, list)
        self.rules = [
            _Written(rule, ("rule", index))
            for index, rule in enumerate(rules if isinstance(rules, list) else [])
        ]

    def lay(self, name: str) -> None:
        table = self.variants.get(name)
        if not isinstance(table, dict):
            if name not in self.variants:
                self._unknown(name)
            return
        home: Path = ("variants", name)
        for key, value in table.items():
            if key not in OWN_KEYS and key not in FIXED_KEYS:
                self._merge(self.merged, key, value, (), (*home, key))
        for number, target in enumerate(_list(table.get("drop"))):
            self._drop(target, (*home, "drop", number))
        for number, change in enumerate(_list(table.get("change"))):
            if isinstance(change, dict):
                self._change(change, (*home, "change", number))
        for number, rule in enumerate(_list(table.get("add"))):
            if isinstance(rule, dict):
                self._add(rule, (*home, "add", number))

    def result(self) -> tuple[dict[str, Any], Callable[[Path], Path]]:
        if self.listed or (self.rules and "rule" not in self.data):
            self.merged["rule"] = [written.rule for written in self.rules]
            for index, written in enumerate(self.rules):
                self.origins["rule", index] = written.home
                for key, place in written.changed.items():
                    self.origins["rule", index, key] = place
        origins = self.origins

        if not origins:
            return self.merged, lambda path: path

        def back(path: Path) -> Path:
            for length in range(len(path), 0, -1):
                if (found := origins.get(path[:length])) is not None:
                    return (*found, *path[length:])
            return path

        return self.merged, back

    def _unknown(self, name: str) -> None:
        if self.report is None:
            return
        guess = nearest(name, self.variants)
        known = one_of(self.variants, 20)
        hint = (
            gettext("say {choices}", choices=known)
            if known
            else gettext("the file has no variants")
        )
        self.report.error(
            "unknown-variant",
            ("variants",),
            gettext('there is no variant "{name}"', name=name),
            key=True,
            hint=gettext('did you mean "{guess}"?', guess=guess) if guess else hint,
        )

    def _merge(self, target: dict[str, Any], key: str, value: Any, path: Path, home: Path) -> None:
        here = (*path, key)
        old = target.get(key)
        if isinstance(value, dict) and isinstance(old, dict):
            inner = dict(old)
            for inner_key, inner_value in value.items():
                self._merge(inner, inner_key, inner_value, here, (*home, inner_key))
            target[key] = inner
        else:
            target[key] = value
            self.origins[here] = home

    def _drop(self, name: Any, place: Path) -> None:
        groups = group_names(self.merged)
        if name in groups and name not in {written.name for written in self.rules}:
            del self.merged[name]
            return
        index = self._find(name, place, groups)
        if index is not None:
            del self.rules[index]

    def _change(self, change: dict[str, Any], place: Path) -> None:
        if "rule" not in change:
            return
        index = self._find(change["rule"], (*place, "rule"))
        if index is None:
            return
        written = self.rules[index]
        changed = {key: value for key, value in change.items() if key != "rule"}
        self.rules[index] = _Written(
            {**written.rule, **changed},
            written.home,
            {**written.changed, **{key: (*place, key) for key in changed}},
        )

    def _add(self, rule: dict[str, Any], place: Path) -> None:
        index = self._find(rule["before"], (*place, "before")) if "before" in rule else None
        body = {key: value for key, value in rule.items() if key != "before"}
        self.rules.insert(len(self.rules) if index is None else index, _Written(body, place))

    def _find(self, name: Any, path: Path, groups: Sequence[str] = ()) -> int | None:
        """The index of a rule in the list; reports a fault if the name is unknown.

        Args:
            name: The name.
            path: Its place.
            groups: Groups that are also allowed.
        """
        if not isinstance(name, str):
            return None
        names = [written.name for written in self.rules]
        if name in names:
            return names.index(name)
        if self.report is None:
            return None
        known = [name for name in names if name is not None]
        guess = nearest(name, [*known, *groups])
        if guess:
            hint: str | None = gettext('did you mean "{guess}"?', guess=guess)
        elif name.split()[:1] in _OF_ROLES:
            hint = gettext("the rules of a role are changed with the keys of its group")
        else:
            hint = gettext("say {choices}", choices=one_of(known)) if known else None
        # A rule with an unreadable name may be the one.
        if guess or None not in names:
            kind = gettext("no rule and no group") if groups else gettext("no rule")
            self.report.error(
                "unknown-rule",
                path,
                gettext('{kind} of this file is called "{name}"', kind=kind, name=name),
                hint=hint,
            )
        return None


_OF_ROLES = (["play"], ["build"], ["keep"], ["return"], ["turn"], ["deal"], ["redeal"], ["lay"])


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
