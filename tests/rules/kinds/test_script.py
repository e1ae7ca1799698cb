"""Fixed sequences of transfers; their steps are read in ``check/scripts.py``."""

from pathlib import Path

import pytest

from cadogan.rules.explain import explain
from cadogan.rules.kinds import Script
from cadogan.solver.solve import solve
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


SWITCH = """
[counters.way]
cap = 1
[[rule]]
name = "up from here"
verb = "up"
when = "way = 0"
set = { way = 1 }
[[rule]]
name = "downwards"
verb = "down"
set = { way = 0 }
"""


def test_a_rule_that_only_changes_counters(tmp_path: Path) -> None:
    game = write_game(tmp_path, TINY + SWITCH)
    position = game.deal("cadogan:1")
    assert {"up", "down"} & {str(move) for move in position.moves()} == {"up"}
    after = position.play("up")
    assert (after.counters["way"], after.piles) == (1, position.piles)
    assert {"up", "down"} & {str(move) for move in after.moves()} == {"down"}
    assert after.play("down").hash == position.hash
    assert solve(position).status != "unknown"
    assert "**Up.** As long as the way is nought, the way becomes one." in explain(game.rulebook)
    assert "wird der Zähler „way“ auf eins gesetzt" in explain(game.rulebook, "de")


def test_a_rule_that_only_changes_counters_is_no_move_to_ask_for() -> None:
    switch = '[[rule]]\nname = "y"\nset = { passes = 1 }'
    assert rule_codes(f'from = "stock"\nto = "waste"\nwhen = "no \'y\' is possible"\n{switch}') == [
        "cannot-be-asked"
    ]
    assert rule_codes('set = { passes = 1 }\nwhich = "kings"') == ["missing-key"]
    assert rule_codes('when = "passes < 1"') == ["missing-key"]


def test_its_moves_are_its_verb() -> None:
    rule = rule_of(f'{BACK}\nverb = "redeal"')
    assert rule.action.word(rule) == "redeal"


def test_a_script_without_a_verb_is_its_name(tmp_path: Path) -> None:
    script = '[[rule]]\nname = "Sweep up"\nsteps = [{ gather = "row.1", to = "row.2", at = "top" }]'
    position = write_game(tmp_path, TINY + script).deal("cadogan:1")
    assert "Sweep up" in [str(move) for move in position.moves()]
    assert position.play("sweep  UP").piles["row.1"] == ()
