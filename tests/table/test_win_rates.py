"""The figures that come with Cadogan belong to the rules they were measured by."""

import json
from pathlib import Path

import pytest

from cadogan import load
from cadogan.rules import catalogue
from cadogan.table.win_rates import FILE, chances, is_measured
from tests.games import write_game


@pytest.mark.parametrize("name", catalogue())
def test_figures_add_up(name: str) -> None:
    game = load(name)
    found = chances(game)
    assert is_measured(name) or found is None
    if found is None:
        return
    assert 0 <= found.won <= found.won + found.undecided <= found.deals
    # The bounds of the share: undecided deals count as lost in one and as won in the other.
    assert found.low <= found.won / found.deals
    assert (found.won + found.undecided) / found.deals <= found.high
    assert 0 <= found.seen_won <= found.seen_deals
    for is_open in (True, False):
        difficulty = found.difficulty(is_open)
        assert difficulty is None or 0 <= difficulty <= 1


def test_every_figure_is_of_a_game_that_can_be_loaded() -> None:
    for name in json.loads(FILE.read_text(encoding="utf-8")):
        assert load(name).name == name


def test_other_rules_have_no_figures(tmp_path: Path) -> None:
    assert chances(write_game(tmp_path)) is None
    # The name alone does not count.
    assert is_measured("freecell")
    assert chances(write_game(tmp_path, name="freecell")) is None
