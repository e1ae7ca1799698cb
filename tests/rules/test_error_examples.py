"""Every key of the language has an example of a fault, so that its message was read once."""

from collections.abc import Iterator
from typing import Any

from cadogan.rules.faults.report import Label
from cadogan.rules.source.document import Document
from cadogan.rules.source.span import Path
from cadogan.rules.validate.schema import HEADER_KEYS, VARIANT_KEYS
from tests.attacks.vocabulary import SHAPES, keys, place
from tests.rules.test_errors import EXAMPLES, folder, report_of

__all__ = ["folder"]


def place_of(path: Path, data: Any) -> tuple[str, str] | None:
    """The shape and the key of a path."""
    steps = [step for step in path if isinstance(step, str)]
    if not steps:
        return None
    if steps[0] == "variants" and len(steps) > 2:
        steps = steps[2:]
        if steps[0] in VARIANT_KEYS and len(steps) == 1:
            return "VariantShape", steps[0]
        if steps[0] in ("add", "change"):
            shape = "AddedRuleShape" if steps[0] == "add" else "ChangeShape"
            return _of_rule(shape, steps[1:])
    if steps[0] == "rule":
        return _of_rule("RuleShape", steps[1:]) or ("HeaderShape", "rule")
    if steps[0] == "layout":
        return _of_step(steps[1:]) or ("HeaderShape", "layout")
    if steps[0] == "counters" and len(steps) > 2:
        return "CounterShape", steps[2]
    if steps[0] == "score" and len(steps) > 1:
        return "ScoreShape", steps[1]
    if steps[0] in HEADER_KEYS:
        return "HeaderShape", steps[0]
    return ("GroupShape", steps[1]) if len(steps) > 1 else None


def _of_rule(shape: str, steps: list[str]) -> tuple[str, str] | None:
    if not steps:
        return None
    if steps[0] == "steps" and len(steps) > 1:
        return _of_step(steps[1:])
    if steps[0] == "together" and len(steps) > 1:
        return "PartShape", steps[1]
    return shape, steps[0]


def _of_step(steps: list[str]) -> tuple[str, str] | None:
    if steps and steps[0] == "route" and len(steps) > 1:
        return "RouteShape", steps[1]
    return ("StepShape", steps[0]) if steps else None


def blamed(document: Document, label: Label) -> Path:
    """The path of what a fault points at: the smallest part of the file that has the place."""
    start = document.offset(label.span.line, label.span.column)
    tables = (document._places.values, document._places.keys)
    found = [
        (end - begin, path)
        for table in tables
        for path, (begin, end) in table.items()
        if begin <= start < max(end, begin + 1)
    ]
    return min(found, default=(0, ()), key=lambda each: (each[0], -len(each[1])))[1]


def with_examples() -> Iterator[tuple[str, str]]:
    for example in EXAMPLES:
        report = report_of(example)
        for fault in report.errors:
            for label in fault.labels:
                path = blamed(report.document, label)
                if (found := place_of(path, report.document.data)) is not None:
                    yield found


def test_every_key_has_an_example_of_a_fault() -> None:
    known = {place(shape, key) for shape in SHAPES for key in keys(shape)}
    shown = set(with_examples())
    # What is said of rules is said of those that variants add or change, too.
    rules = ("AddedRuleShape", "ChangeShape")
    shown |= {("RuleShape", key) for shape, key in shown if shape in rules}
    assert known - shown == set()
