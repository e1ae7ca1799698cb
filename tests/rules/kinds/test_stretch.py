"""Cards beside each other in a row that leave together."""

from pathlib import Path

import pytest

from cadogan import load
from cadogan.rules.kinds import Stretch
from tests.games import deal_with, write_game
from tests.rules.reading import book_of, rule_codes

GAME = """
name  = "Between"
packs = 1
ranks = "A 2 3 4"
suits = "hearts spades"
aim   = "only two row are occupied"

[row]
role   = "reserve"
piles  = 8
deal   = 1
closes = "at once"

[discard]

[[rule]]
name       = "throw out what lies between"
neighbours = "row"
number     = [1, 2]
between    = "same rank"
to         = "discard"
"""
SUMS = GAME.replace("[1, 2]", "[2, 8]").replace(
    'between    = "same rank"', "adding_to  = [5, 14]\nworth = { fours = 10 }"
)


def test_reading() -> None:
    action = book_of(GAME).rules[-1].action
    assert isinstance(action, Stretch)
    assert (action.least, action.most, action.sums, action.to) == (1, 2, (), 8)
    assert action.between is not None
    action = book_of(SUMS).rules[-1].action
    assert isinstance(action, Stretch)
    assert (action.sums, [action.counts(rank) for rank in range(4)]) == ((5, 14), [1, 2, 3, 10])


@pytest.mark.parametrize(
    ("keys", "codes"),
    [
        ('neighbours = "garden"\nto = "waste"', ["missing-key"]),
        ('neighbours = "garden"\nadding_to = 10', ["missing-key"]),
        ('neighbours = "garden"\nadding_to = []\nto = "waste"', ["out-of-range"]),
        ('neighbours = "garden"\nadding_to = 9\nto = "garden"', ["one-pile-wanted"]),
        ('neighbours = "garden"\nadding_to = 9\nto = "garden.1"', ["onto-itself"]),
        ('neighbours = "garden"\nadding_to = 9\nto = "foundations.1"', ["mixed-targets"]),
        ('neighbours = "garden"\nbetween = "same rnak"\nto = "waste"', ["unknown-build"]),
        (
            'neighbours = "garden"\nadding_to = 9\nnumber = 0\nto = "waste"',
            ["out-of-range"],
        ),
        (
            'neighbours = "garden"\nbetween = "same rank"\nworth = { kings = 9 }\nto = "waste"',
            ["key-does-not-fit"],
        ),
        (
            'neighbours = "garden"\nadding_to = 9\nworth = { "red kings" = 9 }\nto = "waste"',
            ["unknown-cards"],
        ),
    ],
)
def test_faults(keys: str, codes: list[str]) -> None:
    assert rule_codes(keys) == codes


def test_cards_between_two_of_a_rank_leave(tmp_path: Path) -> None:
    position = deal_with(write_game(tmp_path, GAME), "AH 2H AS 3H 4H 2S 4S 3S")
    assert [str(move) for move in position.moves()] == ["row.2 > discard", "row.6 > discard"]
    after = position.play("row.2 > discard")
    assert [str(after.piles[f"row.{place}"][0]) for place in range(1, 8)] == (
        ["AH", "AS", "3H", "4H", "2S", "4S", "3S"]
    )
    assert str(after.piles["discard"][0]) == "2H"
    two = after.play("row.5 > discard")
    assert [str(move) for move in two.moves()] == ["row.4 + row.5"]
    done = two.play("row.5 + row.4")
    assert [str(card) for card in done.piles["discard"]] == ["2H", "2S", "4H", "4S"]
    assert [str(done.piles[f"row.{place}"][0]) for place in range(1, 5)] == ["AH", "AS", "3H", "3S"]


def test_why_cards_do_not_leave(tmp_path: Path) -> None:
    position = deal_with(write_game(tmp_path, GAME), "AH 2H AS 3H 4H 2S 4S 3S")
    assert position.why_not("row.4 > discard") == (
        "AS and 4H, between which they lie, do not belong together (same rank)"
    )
    assert position.why_not("row.1 > discard") == "they do not lie between two cards"
    assert position.why_not("row.2 + row.4") == "row.2 and row.4 do not lie beside each other"
    assert position.why_not("row.2 + row.3 + row.4") == "1 to 2 cards leave at a time, not 3"
    after = position.play("row.2 > discard")
    assert after.why_not("row.8 > discard") == "row.8 is empty"
    assert "leave only together with their neighbours" in str(after.why_not("row.1 > row.2"))


def test_neighbours_that_add_up_leave(tmp_path: Path) -> None:
    position = deal_with(write_game(tmp_path, SUMS), "AH 2H AS 3H 4H 2S 4S 3S")
    assert [str(move) for move in position.moves()] == [
        "row.3 + row.4 + row.5",
    ]
    assert position.why_not("row.1 + row.2") == "AH and 2H add up to 3, not to 5 or 14"
    assert position.why_not("row.4 > discard") == "2 to 8 cards leave at a time, not 1"
    after = position.play("row.3 + row.4 + row.5")
    assert len(after.piles["discard"]) == 3
    assert str(after.piles["row.3"][0]) == "2S"


def test_a_game_of_the_catalogue() -> None:
    position = load("decade").deal("cadogan:1")
    assert all(" + " in str(move) for move in position.moves())
