"""Variants: named readings of a game, written as overrides in the same file.

``amazons:left-to-right`` is the game with the table ``[variants.left-to-right]`` laid over it; several
are joined by ``+``. A variant may override any key of any group and of the head; change, drop and add
rules by name:

.. code-block:: text

    [variants.queens-free]
    why = "a queen may go up from any column"
    drop = ["..."]
    [[variants.queens-free.change]]      # rule = the name of a rule, and the keys that differ
    [[variants.queens-free.add]]         # a whole rule; before = the name of another, else at the end
"""

from collections.abc import Callable, Sequence
from typing import Any

from cadogan.rules.document import Path
from cadogan.rules.report import Report, nearest, one_of

_OWN_KEYS = ("why", "drop", "change", "add")


def overlay(
    data: dict[str, Any], chosen: Sequence[str], report: Report
) -> tuple[dict[str, Any], Callable[[Path], Path]]:
    """Lays variants over a document.

    Args:
        data: The document as read.
        chosen: Names of the variants, in order.
        report: Where faults go (unknown names of variants and rules, clashes).

    Returns:
        The document that results, without changing ``data``, and a function that leads a path in it
        back to where it was written.
    """
    merged = {key: value for key, value in data.items() if key != "rule"}
    origins: dict[Path, Path] = {}
    written = data.get("rule", [])
    rules: list[tuple[Any, Path, dict[str, Path]]] = [
        (rule, ("rule", index), {})
        for index, rule in enumerate(written if isinstance(written, list) else [])
    ]
    variants = data.get("variants", {})
    for name in chosen:
        table = variants.get(name) if isinstance(variants, dict) else None
        if not isinstance(table, dict):
            guess = nearest(name, variants) if isinstance(variants, dict) else None
            report.error(
                "unknown-variant",
                ("variants",),
                f'there is no variant "{name}"',
                key=True,
                hint=f'did you mean "{guess}"?'
                if guess
                else (
                    f"there are {one_of(variants, 20)}" if variants else "the file has no variants"
                ),
            )
            continue
        home: Path = ("variants", name)
        for key, value in table.items():
            if key not in _OWN_KEYS:
                _merge(merged, key, value, (), (*home, key), origins)
        _drop(rules, table.get("drop", []), home, report)
        _change(rules, table.get("change", []), home, report)
        _add(rules, table.get("add", []), home, report)
    if rules or "rule" in data:
        merged["rule"] = [rule for rule, _, _ in rules]
    if not isinstance(written, list):
        merged["rule"] = written
    for index, (_, home, fields) in enumerate(rules):
        origins[("rule", index)] = home
        for field, place in fields.items():
            origins[("rule", index, field)] = place
    merged["variants"] = data.get("variants", {})

    def back(path: Path) -> Path:
        for length in range(len(path), 0, -1):
            if (found := origins.get(path[:length])) is not None:
                return (*found, *path[length:])
        return path

    return merged, back


def _merge(
    target: dict[str, Any], key: str, value: Any, path: Path, home: Path, origins: dict[Path, Path]
) -> None:
    here = (*path, key)
    old = target.get(key)
    if isinstance(value, dict) and isinstance(old, dict):
        inner = dict(old)
        for inner_key, inner_value in value.items():
            _merge(inner, inner_key, inner_value, here, (*home, inner_key), origins)
        target[key] = inner
    else:
        target[key] = value
        origins[here] = home


def _find(
    rules: list[tuple[Any, Path, dict[str, Path]]], name: Any, path: Path, report: Report
) -> int | None:
    names = [rule.get("name") for rule, _, _ in rules if isinstance(rule, dict)]
    if name in names:
        return next(
            i for i, (r, _, _) in enumerate(rules) if isinstance(r, dict) and r.get("name") == name
        )
    known = [n for n in names if isinstance(n, str)]
    guess = nearest(name, known) if isinstance(name, str) else None
    report.error(
        "unknown-rule",
        path,
        f'no rule of this file is called "{name}"',
        hint=f'did you mean "{guess}"?'
        if guess
        else (f"there are {one_of(known)}" if known else None),
    )
    return None


def _drop(
    rules: list[tuple[Any, Path, dict[str, Path]]], names: Any, home: Path, report: Report
) -> None:
    for number, name in enumerate(names if isinstance(names, list) else ()):
        index = _find(rules, name, (*home, "drop", number), report)
        if index is not None:
            del rules[index]


def _change(
    rules: list[tuple[Any, Path, dict[str, Path]]], changes: Any, home: Path, report: Report
) -> None:
    for number, change in enumerate(changes if isinstance(changes, list) else ()):
        if not isinstance(change, dict) or "rule" not in change:
            continue
        place: Path = (*home, "change", number)
        index = _find(rules, change["rule"], (*place, "rule"), report)
        if index is None:
            continue
        rule, origin, fields = rules[index]
        changed = {key: value for key, value in change.items() if key not in ("rule", "before")}
        rules[index] = (
            {**rule, **changed},
            origin,
            {**fields, **{key: (*place, key) for key in changed}},
        )


def _add(
    rules: list[tuple[Any, Path, dict[str, Path]]], added: Any, home: Path, report: Report
) -> None:
    for number, rule in enumerate(added if isinstance(added, list) else ()):
        if not isinstance(rule, dict):
            continue
        place: Path = (*home, "add", number)
        index: int | None = len(rules)
        if "before" in rule:
            index = _find(rules, rule["before"], (*place, "before"), report)
        body = {key: value for key, value in rule.items() if key != "before"}
        rules.insert(len(rules) if index is None else index, (body, place, {}))
