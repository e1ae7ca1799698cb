"""The JSON Schema that editors use."""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from cadogan.rules import catalogue, expand_text
from cadogan.rules.validate.schema import GROUP_KEYS, HEADER_KEYS, schema
from cadogan.storage import CATALOGUE

VALIDATOR = Draft202012Validator(schema())
SHAPE_FAULTS = ("unknown-key", "wrong-type", "unknown-choice", "doubled-brackets")


def faults_of(text: str) -> list[str]:
    data = tomllib.loads(text)
    return ["/".join(map(str, error.path)) for error in VALIDATOR.iter_errors(data)]


def properties(part: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(part, dict):
        for key, value in part.get("properties", {}).items():
            yield f"{path}/{key}", value
        for key, value in part.items():
            yield from properties(value, f"{path}/{key}")
    elif isinstance(part, list):
        for value in part:
            yield from properties(value, path)


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(schema())


@pytest.mark.parametrize("game", catalogue())
def test_the_catalogue_fits(game: str) -> None:
    assert faults_of((CATALOGUE / f"{game}.toml").read_text()) == []
    assert faults_of(expand_text(game)) == []


@pytest.mark.parametrize("example", SHAPE_FAULTS)
def test_faults_of_shape_do_not_fit(example: str) -> None:
    assert faults_of((Path(__file__).parents[1] / "errors" / f"{example}.toml").read_text())


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("biuld = 3", "biuld"),
        ('[garden]\nbiuld = "down"', "garden"),
        ('[garden]\ndeal = "two"', "garden/deal"),
        ('[[rule]]\nname = "a"\nform = "b"', "rule/0"),
        ('[[rule]]\nname = "a"\nsteps = [{ dael = 1 }]', "rule/0/steps/0"),
        ("[variants.a]\ngarden.piles = 0", "variants/a/garden/piles"),
        ("[variants.a]\npacks = 9", "variants/a/packs"),
        ('[variants.a]\ndrop = "x"', "variants/a/drop"),
        ("[[variants.a.change]]\nforced = true", "variants/a/change/0"),
        ('[[variants.a.add]]\nname = "x"\nbefore = 3', "variants/a/add/0/before"),
    ],
)
def test_slips_do_not_fit(text: str, place: str) -> None:
    assert faults_of(f'name = "A"\n{text}') == [place]


def test_every_key_is_described() -> None:
    told = dict(properties(schema()))
    assert {key for path in told for key in [path.rpartition("/")[2]]} >= {
        *HEADER_KEYS,
        *GROUP_KEYS,
    }
    for path, value in told.items():
        assert value.get("description", "").endswith("."), path


def test_nothing_of_the_checker_is_in_it() -> None:
    assert "Shape" not in str(schema())
    assert "expects" not in str(schema())
