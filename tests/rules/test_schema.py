"""The JSON Schema of rules files: a file of its own, and what rules files say of it.

``UPDATE_GOLDENS=1`` writes the file.
"""

import functools
import json
import os
import tomllib
from uuid import UUID

import jsonschema
import pytest

from cadogan.rules import catalogue
from cadogan.rules.validate import schema as made
from cadogan.rules.validate.schema import SCHEMA_FILE, SCHEMA_LINE, schema, schema_text
from cadogan.storage import CATALOGUE

FILE = CATALOGUE / SCHEMA_FILE
WRITTEN = sorted(path.stem for path in CATALOGUE.glob("*.toml"))


@functools.cache
def validator() -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(schema())


def test_the_file_is_up_to_date() -> None:
    if os.environ.get("UPDATE_GOLDENS") == "1":
        FILE.write_text(schema_text(), encoding="utf-8")
    assert FILE.read_text(encoding="utf-8") == schema_text(), "UPDATE_GOLDENS=1 writes it"


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(schema())


def test_the_identifier_belongs_to_the_content(monkeypatch: pytest.MonkeyPatch) -> None:
    identifier = schema()["$id"]
    assert UUID(identifier.removeprefix("urn:uuid:")).version == 5
    assert schema()["$id"] == identifier
    monkeypatch.setattr(made, "_OVERRIDES", ())
    assert schema()["$id"] != identifier


@pytest.mark.parametrize("game", WRITTEN)
def test_a_rules_file_names_the_schema_and_fits_it(game: str) -> None:
    text = (CATALOGUE / f"{game}.toml").read_text(encoding="utf-8")
    assert text.splitlines()[0] == SCHEMA_LINE
    validator().validate(tomllib.loads(text))


def test_the_schema_finds_a_misspelt_key() -> None:
    rules = tomllib.loads((CATALOGUE / "klondike.toml").read_text(encoding="utf-8"))
    rules["tableau"]["spacey"] = "any card"
    faults = list(validator().iter_errors(rules))
    assert "spacey" in json.dumps([fault.message for fault in faults])


def test_the_schema_is_no_game() -> None:
    assert len(catalogue()) == len(WRITTEN)
