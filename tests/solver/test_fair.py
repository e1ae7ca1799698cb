"""The fair player as a function: its games are legal, and depend on the seed and the options.

``tests/study/test_players.py`` shows that it does not peek.
"""

import pytest

from cadogan import Position, load
from cadogan.solver.fair import OPTIONS, play_fair

QUICK = {**OPTIONS, "budget": 20_000, "samples": 4, "solver": 100}


def replayed(position: Position, codes: tuple[int, ...]) -> Position:
    for code in codes:
        position = position.play(next(move for move in position.moves() if move.code == code))
    return position


@pytest.mark.parametrize("name", ["klondike:draw-three", "golf", "la-belle-lucie"])
def test_a_fair_game_is_legal_and_repeats_itself(name: str) -> None:
    position = load(name).deal("cadogan:3")
    game = play_fair(position, 7, QUICK)
    assert game == play_fair(position, 7, QUICK)
    assert game.won is (replayed(position, game.codes).outcome == "won")
    assert game.nodes >= len(game.codes)


def test_it_begins_with_the_deal_wherever_the_position_is() -> None:
    position = load("klondike").deal("cadogan:3")
    later = position.play(position.moves()[0])
    assert play_fair(later, 1, QUICK) == play_fair(position, 1, QUICK)


def test_the_options_count() -> None:
    position = load("klondike").deal("cadogan:3")
    assert len(play_fair(position, options={**QUICK, "moves": 5}).codes) == 5
    lines = {play_fair(position, seed, QUICK).codes for seed in range(6)}
    assert len(lines) > 1


def test_a_game_for_points_has_a_score() -> None:
    assert play_fair(load("poker-square").deal("cadogan:3"), options=QUICK).score is not None
