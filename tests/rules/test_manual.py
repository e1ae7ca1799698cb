"""The manual of the language: its examples are checked, its lists are complete."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from cadogan.rules import check_text, expand_text
from cadogan.rules.check.piles import RESERVED
from cadogan.rules.faults.codes import CODES
from cadogan.rules.rulebook.families import FAMILIES
from cadogan.rules.rulebook.relations import parse_term
from cadogan.rules.rulebook.words import parse_class
from cadogan.rules.validate.schema import (
    AddedRuleShape,
    ChangeShape,
    CounterShape,
    GroupShape,
    HeaderShape,
    PartShape,
    RouteShape,
    StepShape,
    VariantShape,
)
from tests.rules.test_fuzz import toml

MANUAL = (Path(__file__).parents[2] / "docs" / "language.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```toml\n(.*?)^```", MANUAL, re.MULTILINE | re.DOTALL)
SECTIONS = {
    match[1]: match[2]
    for match in re.finditer(
        r"^#{2,3} ([^\n]+)\n(.*?)(?=^#{2,3} |\Z)", MANUAL, re.MULTILINE | re.DOTALL
    )
}

# Examples that are no whole file change this game: their groups take the place of its groups.
BASE = """
name = "A"
[counters.passes]
cap = 9
[foundations]
piles = 4
base  = "ace"
build = "up in suit"
[tableau]
piles = 3
build = "down"
[reserve]
[garden]
role  = "reserve"
piles = 4
[stock]
[waste]
[hand]
"""


def phrases(section: str) -> list[str]:
    """The phrases in the first column of a section's tables."""
    return re.findall(r"^\| `([^`]+)` \|", SECTIONS[section], re.MULTILINE)


def whole(example: str) -> str:
    """An example as a file that can be checked."""
    data = tomllib.loads(example)
    if "name" in data:
        return example
    base: dict[str, Any] = tomllib.loads(BASE)
    base["counters"] |= data.pop("counters", {})
    return "\n".join(f"{key} = {toml(value)}" for key, value in (base | data).items())


def errors(text: str) -> str:
    report = check_text(text, "a.toml")
    return "" if report.ok else report.render()


@pytest.mark.parametrize("example", EXAMPLES)
def test_examples(example: str, tmp_path: Path) -> None:
    text = whole(example)
    assert errors(text) == ""
    path = tmp_path / "a.toml"
    path.write_text(text, encoding="utf-8")
    assert errors(expand_text(str(path))) == ""


def test_whole_games_are_sound() -> None:
    games = [example for example in EXAMPLES if example.startswith("name")]
    warnings = [check_text(game, "a.toml").warnings for game in games]
    # The piquet game has an aim of its own, the others fill their foundations.
    assert warnings == [[] for _ in games]


@pytest.mark.parametrize("phrase", phrases("Classes of cards"))
def test_classes(phrase: str) -> None:
    assert parse_class(phrase).text == phrase


@pytest.mark.parametrize("phrase", phrases("Rules of building"))
def test_rules_of_building(phrase: str) -> None:
    assert parse_term(phrase, {"foundations": (0, 1)}.get).text == phrase


@pytest.mark.parametrize("phrase", phrases("Conditions"))
def test_conditions(phrase: str) -> None:
    rule = f'[[rule]]\nname = "x"\nfrom = "garden"\nto = "waste"\nwhen = {toml(phrase)}'
    picture = 'picture = "tableau.1 tableau.2 tableau.3"'
    chosen = BASE.replace('"ace"', '"chosen"').replace("in suit", "in suit, round the corner")
    game = chosen if phrase.startswith("base ") else BASE
    assert errors(f"{picture}\n{game}\n{rule}") == ""


@pytest.mark.parametrize("phrase", phrases("Units of cards"))
def test_units(phrase: str) -> None:
    rule = f'[[rule]]\nname = "x"\nfrom = "garden"\nto = "waste"\ncards = {toml(phrase)}'
    assert errors(f"{BASE}\n{rule}") == ""


@pytest.mark.parametrize("phrase", phrases("Names of piles"))
def test_names_of_piles(phrase: str) -> None:
    source, target = ("stock", phrase) if "vacant" in phrase else (phrase, "tableau")
    if phrase.startswith("occupied"):
        source, target = "stock", phrase
    rule = f'[[rule]]\nname = "x"\nfrom = "{source}"\nto = "{target}"'
    assert errors(f"{BASE}\n{rule}") == ""


@pytest.mark.parametrize("number", phrases("Scripts")[-5:])
def test_numbers_of_cards(number: str) -> None:
    value = number if number.isdigit() else toml(number)
    rule = f'[[rule]]\nname = "x"\nsteps = [{{ take = {value}, from = "waste", to = "stock" }}]'
    assert errors(f"{BASE}\n{rule}") == ""


def test_every_key_is_reported() -> None:
    shapes = (
        *(HeaderShape, GroupShape, AddedRuleShape, ChangeShape, StepShape, RouteShape),
        *(PartShape, CounterShape, VariantShape),
    )
    keys = {field.alias or name for shape in shapes for name, field in shape.model_fields.items()}
    told = set(re.findall(r"`(\w+)`", MANUAL)) | set(re.findall(r"(\w+) =", MANUAL))
    assert keys <= told


def test_families_are_listed() -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \| (.+) \|$", SECTIONS["Families"], re.MULTILINE)
    assert rows == list(FAMILIES.items())


def test_words_that_cannot_be_names_are_listed() -> None:
    (row,) = re.findall(r"^\| Names of groups and counters \|.*", SECTIONS["Limits"], re.MULTILINE)
    assert set(re.findall(r"`(\w+)`", row)) == RESERVED


ANSWERS = re.findall(r"`(\w+ = [^`]+)`", SECTIONS["How do I say ...?"])


@pytest.mark.parametrize("answer", ANSWERS)
def test_answers_have_keys_that_exist(answer: str) -> None:
    (name,) = tomllib.loads(answer.replace("\n", " "))
    shapes = (HeaderShape, GroupShape, AddedRuleShape)
    assert any(name in shape.model_fields for shape in shapes)


def test_every_code_is_reported() -> None:
    rows = re.findall(
        r"^\| `([a-z0-9-]+)` \| (.+) \|$", SECTIONS["What can be wrong"], re.MULTILINE
    )
    assert rows == list(CODES.items())
