"""The exchange of two top cards."""

from pathlib import Path

import pytest

from cadogan import load
from cadogan.rules.kinds import Swap
from tests.games import TINY, deal_with, play_all, write_game
from tests.rules.reading import rule_codes, rule_of

EXCHANGE = """
[[rule]]
name     = "exchange"
exchange = "row"
"""


def test_reading() -> None:
    action = rule_of('exchange = "garden"').action
    assert isinstance(action, Swap)
    assert action.piles.piles == tuple(range(4, 10))


@pytest.mark.parametrize(
    ("keys", "codes"),
    [
        ('exchange = "garden.1"', ["wrong-count"]),
        ('exchange = "gardn"', ["unknown-group"]),
        ('exchange = "garden"\nto = "waste"', ["key-does-not-fit"]),
    ],
)
def test_faults(keys: str, codes: list[str]) -> None:
    assert rule_codes(keys) == codes


def test_cards_change_places(tmp_path: Path) -> None:
    position = write_game(tmp_path, TINY + EXCHANGE).deal("cadogan:1")
    assert "row.1 <> row.3" in [str(move) for move in position.moves()]
    after = position.play("row.3<>ROW.1")
    assert after.piles["row.1"][-1] == position.piles["row.3"][-1]


def test_cards_that_do_not_change_places(tmp_path: Path) -> None:
    garden = load("flower-garden").deal("cadogan:1")
    assert garden.why_not("garden.1 <> garden.2") == (
        "cards of garden.1 and garden.2 do not change places"
    )
    rule = '[[rule]]\nname = "exchange"\nexchange = "row"\nwhen = "some foundations is vacant"'
    game = write_game(tmp_path, TINY + rule)
    position = play_all(
        deal_with(game, "3S 3H 2S 2H AS AH"), "row.2 > foundations.1; row.3 > foundations.2"
    )
    assert position.why_not("row.1 <> row.2") == (
        "'exchange' is allowed only when some foundations is vacant"
    )
    assert position.why_not("foundations.1 <> row.2") == (
        "cards of foundations.1 and row.2 do not change places"
    )
