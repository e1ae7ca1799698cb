"""Every fault that a rules file can have, with an example and the exact text that a user sees.

``UPDATE_GOLDENS=1`` rewrites the texts; read each of them as an author would.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from cadogan.rules import RulesError, check_text, load_rules
from cadogan.rules.faults.codes import CODES
from cadogan.rules.faults.report import Report

FOLDER = Path(__file__).parent / "errors"
UPDATE = os.environ.get("UPDATE_GOLDENS") == "1"

# Files that are too long to be stored in the repository.
MADE = {
    "file-too-large": f'name = "The Garden"\n{"# and so on" * 7000}\n',
    "too-many-values": f'name = "The Garden"\nremarks = [{"1, " * 5000}]\n',
    "too-costly": 'name = "The Garden"\naim = "row is empty"\n'
    "remarks = ["
    + 700 * "'', "
    + "]\n"
    + '[row]\nrole = "tableau"\npiles = 4\ndeal = 13\nbuild = "down"\n'
    + "".join(f"[variants.v{number}]\n" for number in range(40)),
    "text-too-long": f'name = "{"The Garden " * 1000}"\n',
}
EXAMPLES = sorted([*(path.stem for path in FOLDER.glob("*.toml")), *MADE])


def report_of(example: str) -> Report:
    """The report of an example; ``# loaded as:`` on its first line names a variant."""
    if example in MADE:
        return check_text(MADE[example], f"{example}.toml")
    source = (FOLDER / f"{example}.toml").read_bytes()
    loaded = re.match(rb"# loaded as: [^:\n]+:(?P<variant>\S+)", source)
    if loaded is None:
        return check_text(source, f"{example}.toml")
    with pytest.raises(RulesError) as caught:
        load_rules(f"{example}.toml:{loaded['variant'].decode()}")
    return caught.value.report


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)


@pytest.mark.parametrize("example", EXAMPLES)
def test_example(example: str) -> None:
    text = report_of(example).render() + "\n"
    golden = FOLDER / f"{example}.out"
    if UPDATE:
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")


def test_every_code_has_an_example() -> None:
    told = {fault.code for example in EXAMPLES for fault in report_of(example).faults}
    assert told == set(CODES)


def test_every_text_has_an_example() -> None:
    assert {path.stem for path in FOLDER.glob("*.out")} == set(EXAMPLES)


def places() -> Iterator[tuple[str, int, int, int]]:
    for example in EXAMPLES:
        for fault in report_of(example).faults:
            for label in fault.labels:
                yield example, label.span.line, label.span.column, label.span.end


def test_places_are_in_the_file() -> None:
    lines = {
        example: MADE[example].split("\n")
        if example in MADE
        else (FOLDER / f"{example}.toml").read_text(errors="replace").split("\n")
        for example in EXAMPLES
    }
    for example, line, column, end in places():
        assert 1 <= line <= len(lines[example]), example
        assert 1 <= column <= end <= len(lines[example][line - 1]) + 1, example
