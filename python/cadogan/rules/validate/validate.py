"""The stage ``validate``: reports and removes everything that does not fit the schema.

A file is compared with the models of :mod:`cadogan.rules.validate.schema`. Unknown keys and values
of the wrong type are reported and removed; a rule or step without a required key is removed as a
whole. The report marks removed values as faulty, so that later stages do not report mere
consequences.
"""

import re
from collections.abc import Collection
from dataclasses import replace
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel, ValidationError

from cadogan.i18n.text import gettext, term
from cadogan.rules.faults.report import Report, nearest, one_of
from cadogan.rules.source.reading import Reading
from cadogan.rules.source.span import Path
from cadogan.rules.validate.role_keys import ROLE_KEYS, role_of
from cadogan.rules.validate.schema import (
    GROUP_KEYS,
    HEADER_KEYS,
    MAX_VARIANTS,
    VARIANT_KEYS,
    AddedRuleShape,
    ChangeShape,
    CounterShape,
    GroupShape,
    HeaderShape,
    PartShape,
    RouteShape,
    RuleShape,
    ScoreShape,
    StepShape,
    VariantShape,
)

_NOUNS: dict[type[BaseModel], str] = {
    HeaderShape: gettext("a rules file"),
    GroupShape: gettext("a group of piles"),
    RuleShape: gettext("a rule"),
    AddedRuleShape: gettext("a rule"),
    ChangeShape: gettext("a rule"),
    StepShape: gettext("a step"),
    RouteShape: gettext("a route"),
    PartShape: gettext("a part of a joint play"),
    CounterShape: gettext("a counter"),
    ScoreShape: gettext("a score"),
    VariantShape: gettext("a variant"),
}
_LISTS_OF_TABLES = ("rule", "layout", "steps", "route", "together")
_TOO_LONG = ("string_too_long", "too_long")


def validate(reading: Reading, report: Report) -> Reading:
    """Compares a document with the schema.

    Args:
        reading: The document, after the variants were applied.
        report: Receives the faults.

    Returns:
        A copy in which every key is known and every value has its type, except that rules may lack
        a name. Removed rules, steps, routes and parts are ``None`` in their lists, so that the
        others keep their indices.
    """
    data = _validated(reading.data, report, reading.validated)
    rules = data.get("rule", () if "rule" not in reading.data else (None,))
    doubtful = any(rule is None or "name" not in rule for rule in rules)
    return replace(reading, data=data, doubtful_rules=doubtful)


def _validated(
    data: dict[str, Any], report: Report, variants: Collection[str] | None
) -> dict[str, Any]:
    valid = {key: _copied(value) for key, value in data.items() if key != "variants"}
    # A misspelt key explains why another is missing.
    for key, value in data.items():
        if key not in HEADER_KEYS and not isinstance(value, dict):
            _stray(key, value, report)
            del valid[key]
    head = {key: value for key, value in data.items() if key in HEADER_KEYS}
    _validate(HeaderShape, head, (), valid, report)
    for key, value in data.items():
        if key not in HEADER_KEYS and isinstance(value, dict):
            _validate(GroupShape, value, (key,), valid, report)
    valid["variants"] = _variants(data.get("variants", {}), report, variants)
    valid.setdefault("name", "")
    return valid


def _copied(value: Any) -> Any:
    """A copy of plain data."""
    if isinstance(value, dict):
        return {key: _copied(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_copied(inner) for inner in value]
    return value


def _variants(
    variants: Any, report: Report, wanted: Collection[str] | None
) -> dict[str, dict[str, Any]]:
    """The variants that are tables; their overrides are checked when they are chosen."""
    if not isinstance(variants, dict):
        return {}
    if len(variants) > MAX_VARIANTS:
        report.error(
            "too-many",
            ("variants", list(variants)[MAX_VARIANTS]),
            gettext(
                "a game has at most {most} variants, not {number}",
                most=MAX_VARIANTS,
                number=len(variants),
            ),
            key=True,
        )
        wanted = ()
    for name, table in variants.items():
        if not isinstance(table, dict) or (wanted is not None and name not in wanted):
            continue
        own = {key: table[key] for key in VARIANT_KEYS if key in table}
        _validate(VariantShape, own, ("variants", name), None, report)
        for key in ("rule", "variants", "core"):
            if key in table:
                report.error(
                    "unknown-key",
                    ("variants", name, key),
                    gettext('a variant cannot override "{key}"', key=key),
                    key=True,
                    hint=gettext("rules are changed with change, drop and add")
                    if key == "rule"
                    else None,
                )
    return {
        name: {**table, "why": table["why"] if isinstance(table.get("why"), str) else ""}
        for name, table in variants.items()
        if isinstance(table, dict)
    }


def _stray(key: str, value: Any, report: Report) -> None:
    """Reports a top-level value that is neither a part of the head nor a group."""
    if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        report.error(
            "wrong-type",
            (key,),
            gettext('"{key}" is a list of tables; a group of piles is one table', key=key),
            key=True,
            hint=gettext("write [{key}], with single brackets", key=key),
        )
        return
    guess = nearest(key, HEADER_KEYS)
    hint = gettext("known are {choices}", choices=one_of(HEADER_KEYS, 20))
    if guess:
        hint = gettext('did you mean "{guess}"?', guess=guess)
        report.mark_faulty((guess,))
    elif key in GROUP_KEYS:
        hint = gettext(
            '"{key}" belongs to a group of piles, below a header such as [tableau]', key=key
        )
    report.error(
        "unknown-key",
        (key,),
        gettext('a rules file has no key "{key}"', key=key),
        key=True,
        hint=hint,
    )


def _validate(
    model: type[BaseModel],
    value: dict[str, Any],
    path: Path,
    valid: dict[str, Any] | None,
    report: Report,
) -> None:
    try:
        model.model_validate(value)
    except ValidationError as error:
        role = role_of(str(path[0]), value) if model is GroupShape else None
        reported: set[tuple[Path, bool]] = set()
        details = error.errors(include_url=False, include_context=False, include_input=False)
        # Again, misspelt keys first.
        for detail in sorted(details, key=lambda detail: detail["type"] == "missing"):
            kind = detail["type"]
            inner, shape, expects = _place(model, value, detail["loc"])
            if (inner, kind == "missing") in reported:
                continue
            reported.add((inner, kind == "missing"))
            _report(kind, (*path, *inner), _at(value, inner), shape, expects, role, report)
            if valid is not None:
                whole = (*path, *inner)
                lost = not issubclass(shape, RuleShape) and (
                    kind == "missing" or _is_needed(shape, inner[-1])
                )
                _remove(valid, whole[:-1] if lost else whole)


def _is_needed(shape: type[BaseModel], key: str | int) -> bool:
    """Whether a key of a table is required."""
    fields = shape.model_fields.items()
    return any(field.is_required() for name, field in fields if key in (name, field.alias))


def _place(
    model: type[BaseModel], value: Any, loc: tuple[int | str, ...]
) -> tuple[Path, type[BaseModel], str]:
    """Converts a pydantic location to a path of the file.

    Returns:
        The path, the model that the last key belongs to, and what its value should be.
    """
    path: list[int | str] = []
    shape, expects = model, ""
    for part in loc:
        if isinstance(value, dict) and isinstance(part, str):
            field = next((f for n, f in shape.model_fields.items() if part in (n, f.alias)), None)
            if field is None and part not in value:
                # The name of a union member, which is not in the file.
                continue
            extra = field.json_schema_extra if field is not None else None
            if isinstance(extra, dict):
                expects = str(extra["expects"])
            path.append(part)
            if part not in value:
                break
            value = value[part]
            inner = _inner_model(field.annotation) if field is not None else None
            shape = inner or shape
        elif isinstance(value, list) and isinstance(part, int) and part < len(value):
            path.append(part)
            value = value[part]
    return tuple(path), shape, expects


def _inner_model(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for part in getattr(annotation, "__args__", ()):
        found = _inner_model(part)
        if found is not None:
            return found
    return None


def _choices(shape: type[BaseModel], key: str) -> list[str]:
    """The words that a key takes, if it takes some words only."""
    field = next((f for name, f in shape.model_fields.items() if key in (name, f.alias)), None)
    parts = () if field is None else (field.annotation, *getattr(field.annotation, "__args__", ()))
    words = [word for part in parts if get_origin(part) is Literal for word in get_args(part)]
    return [word for word in words if isinstance(word, str)]


def _at(value: Any, path: Path) -> Any:
    for step in path:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            return None
    return value


def _remove(valid: dict[str, Any], path: Path) -> None:
    """Removes a value; for an element of a list of phrases or numbers, the whole list."""
    while path and isinstance(path[-1], int):
        holder = path[-2] if len(path) > 1 else None
        if holder in _LISTS_OF_TABLES:
            break
        path = path[:-1]
    owner = _at(valid, path[:-1])
    if not path or owner is None:
        return
    if isinstance(owner, list):
        owner[int(path[-1])] = None
    elif isinstance(owner, dict):
        owner.pop(str(path[-1]), None)


def _report(
    kind: str,
    path: Path,
    value: Any,
    shape: type[BaseModel],
    expects: str,
    role: str | None,
    report: Report,
) -> None:
    key = next((part for part in reversed(path) if isinstance(part, str)), "")
    if kind != "extra_forbidden":
        # Where the names in a table are free, its key is the one that is known.
        own = {field.alias or name for name, field in shape.model_fields.items()}
        key = next((str(part) for part in reversed(path) if part in own), key)
    noun, known = _NOUNS[shape], [f.alias or name for name, f in shape.model_fields.items()]
    if shape is GroupShape and role is not None:
        noun, known = gettext("a {role}", role=role), list(ROLE_KEYS[role])
    if kind == "missing":
        if report.is_faulty(*path):
            return
        report.error(
            "missing-key",
            path[:-1],
            gettext('{noun} must have a "{key}"', noun=noun, key=key),
            key=True,
            hint=gettext("add {key}, {expects}", key=key, expects=term(expects)),
            missing=key,
        )
    elif kind == "extra_forbidden":
        guess = nearest(key, known)
        if guess:
            hint = gettext('did you mean "{guess}"?', guess=guess)
            report.mark_faulty((*path[:-1], guess))
        elif key in HEADER_KEYS:
            hint = gettext(
                '"{key}" belongs to the head of the file, above the first header', key=key
            )
        else:
            hint = gettext("known are {choices}", choices=one_of(known, 40))
        report.error(
            "unknown-key",
            path,
            gettext('{noun} has no key "{key}"', noun=noun, key=key),
            key=True,
            hint=hint,
        )
    elif kind in ("literal_error", "string_pattern_mismatch") and isinstance(value, str):
        quoted = re.findall(r'"([^"]+)"', expects)
        choices = _choices(shape, key) or quoted
        guess = nearest(value, choices)
        advice: str | None = None
        if guess:
            advice = gettext('did you mean "{guess}"?', guess=guess)
        elif len(choices) > len(quoted):
            advice = gettext("known are {choices}", choices=one_of(choices, 40))
        report.error(
            "unknown-choice",
            path,
            gettext('"{key}" must be {expects}', key=key, expects=term(expects)),
            hint=advice,
        )
    elif kind in _TOO_LONG:
        report.error("out-of-range", path, gettext('"{key}" is too long', key=key))
    elif kind.startswith(("greater_than", "less_than", "string_too", "too_")):
        report.error(
            "out-of-range",
            path,
            gettext('"{key}" must be {expects}', key=key, expects=term(expects)),
        )
    else:
        report.error(
            "wrong-type",
            path,
            gettext('"{key}" must be {expects}', key=key, expects=term(expects)),
            hint=_hint(key, value, expects),
        )


def _hint(key: str, value: Any, expects: str) -> str | None:
    """A hint what a value of the wrong kind probably means."""
    if isinstance(value, dict) and key in ("rule", "layout"):
        return gettext("write [[{key}]], with double brackets", key=key)
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    if isinstance(value, str) and value.strip().lower() in ("true", "false", "yes", "no"):
        truth = value.strip().lower() in ("true", "yes")
        return (
            gettext("write {value}, without quotes", value=str(truth).lower())
            if "true" in expects
            else None
        )
    if isinstance(value, str) and re.fullmatch(r"\s*[0-9]{1,5}\s*", value):
        return (
            gettext("write {value}, without quotes", value=value.strip())
            if "number" in expects
            else None
        )
    if isinstance(value, int | float) and "number" not in expects:
        return gettext("text goes in quotes")
    return None
