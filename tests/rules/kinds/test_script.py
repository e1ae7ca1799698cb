"""Fixed sequences of transfers; their steps are read in ``check/scripts.py``."""

from pathlib import Path

import pytest

from cadogan.rules.kinds import Script
from tests.games import TINY, write_game
from tests.rules.reading import rule_codes, rule_of

BACK = 'steps = [{ take = "all", from = "waste", to = "stock" }]'


def test_reading() -> None:
    action = rule_of(BACK).action
    assert isinstance(action, Script)
    assert action.takes_from() == {11}
    assert action.puts_on() == {10}
    assert not action.deals({10})


@pytest.mark.parametrize(
    ("keys", "codes"),
    [
        ("steps = []", ["out-of-range"]),
        (f'{BACK}\nto = "waste"', ["key-does-not-fit"]),
        (f'{BACK}\nchoose = "card"', ["key-does-not-fit", "not-forced"]),
    ],
)
def test_faults(keys: str, codes: list[str]) -> None:
    assert rule_codes(keys) == codes


def test_its_moves_are_its_verb() -> None:
    rule = rule_of(f'{BACK}\nverb = "redeal"')
    assert rule.action.word(rule) == "redeal"


def test_a_script_without_a_verb_is_its_name(tmp_path: Path) -> None:
    script = '[[rule]]\nname = "Sweep up"\nsteps = [{ gather = "row.1", to = "row.2", at = "top" }]'
    position = write_game(tmp_path, TINY + script).deal("cadogan:1")
    assert "Sweep up" in [str(move) for move in position.moves()]
    assert position.play("sweep  UP").piles["row.1"] == ()
