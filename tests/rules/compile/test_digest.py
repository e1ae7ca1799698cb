"""The digest of a program does not depend on what its keys are called."""

import copy
from pathlib import Path

import pytest

from cadogan.rules.compile.digest import digest
from cadogan.rules.pipeline import load_rules

FORMER = Path(__file__).parents[2] / "former"


@pytest.mark.parametrize(
    ("name", "former"),
    [
        ("garden", "16cd7aaf5e550983ae0ffd1594ba4e253e6b8e668cedabbe688dfe0687d6110d"),
        ("klondike", "daf7d7b3d381e752fdd46faebb7d83f35d556718bd07cabeb0ce7d127aae46c3"),
    ],
)
def test_it_is_that_of_format_1(name: str, former: str) -> None:
    rules = load_rules(str(FORMER / f"{name}.toml"))
    assert rules.program.data["format"] == 2
    assert rules.digest == former == digest(rules.program.data)


def test_it_depends_on_what_the_tables_say() -> None:
    data = load_rules("klondike").program.data
    other = copy.deepcopy(data)
    (move,) = (rule["action"] for rule in other["rules"] if rule["name"] == "build on tableau")
    move["space"] = "1"
    assert digest(other) != digest(data)


def test_two_keys_of_one_former_name_are_refused() -> None:
    with pytest.raises(ValueError, match="same name"):
        digest({"action": {"piles": "1", "exchange": "2"}})
