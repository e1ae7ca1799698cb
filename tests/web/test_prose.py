"""The rules in words, and whether all of them are in the language asked for."""

from pathlib import Path

import pytest

from cadogan import load
from cadogan.rules import catalogue
from cadogan.web.prose import rules_in
from tests.games import TINY, write_game


@pytest.mark.parametrize("name", catalogue())
def test_games_of_the_catalogue_are_told_completely(name: str) -> None:
    game = load(name)
    english, in_english = rules_in(game, "en")
    german, in_german = rules_in(game, "de")
    assert in_english
    assert in_german
    assert english != german


def test_what_nobody_has_translated_is_said(tmp_path: Path) -> None:
    note = 'remarks = ["A sentence of the author."]\n'
    text, complete = rules_in(write_game(tmp_path, note + TINY), "de")
    assert "A sentence of the author." in text
    assert not complete
    assert rules_in(write_game(tmp_path, note + TINY), "en")[1]
