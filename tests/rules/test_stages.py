"""The result of each stage for the six games; programs are the same on both sides.

``UPDATE_GOLDENS=1`` rewrites the dumps.
"""

import os
from pathlib import Path

import pytest

from cadogan import _kernel
from cadogan.rules import load_rules
from cadogan.rules.compile.program import Program
from cadogan.rules.dump import dump_document, dump_program, dump_rulebook
from cadogan.rules.read.read import read_document
from cadogan.storage import CATALOGUE
from tests.catalogue import all_readings

STAGES = Path(__file__).parent / "stages"
SIX = (
    "amazons",
    "besieged-city",
    "empress-of-india",
    "flower-garden",
    "hochzeitszug",
    "the-queens",
)


@pytest.mark.parametrize("game", SIX)
@pytest.mark.parametrize("stage", ["document", "rulebook", "program"])
def test_stage(game: str, stage: str) -> None:
    if stage == "document":
        source = (CATALOGUE / f"{game}.toml").read_bytes()
        text = dump_document(read_document(source, f"{game}.toml").data)
    elif stage == "rulebook":
        text = dump_rulebook(load_rules(game).rulebook)
    else:
        text = dump_program(load_rules(game).program)
    golden = STAGES / f"{game}.{stage}.txt"
    if os.environ.get("UPDATE_GOLDENS") == "1":
        golden.write_text(text, encoding="utf-8")
    assert text == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", all_readings())
def test_the_program_is_the_same_on_both_sides(name: str) -> None:
    program = load_rules(name).program
    data = program.to_bytes()
    assert Program.from_bytes(data) == program
    assert Program.from_bytes(data).to_bytes() == data
    assert _kernel.Program(data).to_bytes() == data


@pytest.mark.parametrize("name", all_readings())
def test_every_reading_can_be_dumped(name: str) -> None:
    rules = load_rules(name)
    assert rules.rulebook.name in dump_rulebook(rules.rulebook)
    assert rules.digest in dump_program(rules.program)
