"""The best score: found, bounded, and proved."""

import itertools
import random
from pathlib import Path

import pytest

from cadogan import Position, best_score, load
from tests.games import deal_with, write_game

SQUARE = """
name    = "A little square"
ranks   = "A 2 3 4 5"
suits   = "hearts spades"
picture = \"\"\"
 H Q1 Q2
 S Q3 Q4
\"\"\"

[stock]

[hand]
mark = "H"

[starter]
role = "reserve"
mark = "S"

[square]
role  = "cell"
mark  = "Q"
piles = 4
from  = "hand"

[[rule]]
name   = "the next card is turned up"
forced = true
during = "always"
when   = "some square is vacant"
from   = "stock"
to     = "vacant hand"

[[rule]]
name   = "the starter is turned up"
forced = true
when   = "no square is vacant"
from   = "stock"
to     = "vacant starter"

[score]
lines   = "rows and columns of square"
starter = "starter"
hands   = { "fifteen" = 2, "pair" = 2, "run" = 1, "his nobs" = 1 }
"""


def play_on(position: Position, places: list[int]) -> Position:
    """The position when the cards have gone to these places of the square."""
    for place in places:
        position = position.play(f"hand > square.{place}")
    return position


def test_the_best_of_all_ways_is_found_and_proved(tmp_path: Path) -> None:
    game = write_game(tmp_path, SQUARE)
    pack = [f"{rank}{suit}" for rank in "A2345" for suit in "HS"]
    for seed in range(4):
        random.Random(seed).shuffle(pack)
        position = deal_with(game, " ".join(pack))
        ends = [play_on(position, list(ways)) for ways in itertools.permutations(range(1, 5))]
        found = best_score(position, 50_000)
        assert found.is_proved
        assert found.score == max(end.score or 0 for end in ends)
        assert str(found).startswith(f"best {found.score}, proved")


@pytest.mark.parametrize("name", ["poker-square", "cribbage-square", "golf:scored"])
def test_no_game_is_better_than_the_bound(name: str) -> None:
    chance = random.Random(3)
    for deal in (1, 2):
        positions = [load(name).deal(f"cadogan:{deal}")]
        while moves := positions[-1].moves():
            positions.append(positions[-1].play(chance.choice(moves)))
        scores = [position.score or 0 for position in positions]
        for place in range(0, len(positions), 5):
            found = best_score(positions[place], 1)
            assert found.bound is not None
            if found.aim == "most":
                assert found.bound >= max(found.score, *scores[place:])
            else:
                assert found.bound <= min(found.score, *scores[place:])


def test_the_line_reaches_the_score() -> None:
    position = load("poker-square").deal("cadogan:3")
    found = best_score(position, 3_000)
    for move in found.line:
        position = position.play(move)
    assert position.score == found.score > 0
    assert found == best_score(load("poker-square").deal("cadogan:3"), 3_000)


def test_few_points_are_good_too() -> None:
    found = best_score(load("golf:scored").deal("cadogan:1"), 50_000)
    assert (found.score, found.bound, found.is_proved) == (0, 0, True)


def test_games_without_points() -> None:
    with pytest.raises(ValueError, match="no points"):
        best_score(load("golf").deal("cadogan:1"))
