"""Puzzles: exactly one move keeps the win, and that is proved."""

import pytest

from cadogan import load, solve
from cadogan.solver.puzzles import find_puzzles


@pytest.mark.parametrize("name", ["beleaguered-castle", "golf"])
def test_every_other_move_loses_and_the_answer_wins(name: str) -> None:
    game = load(name)
    found = 0
    for number in range(1, 30):
        deal = game.deal(f"cadogan:{number}")
        verdict = solve(deal, 30_000)
        if not verdict.line:
            continue
        line = [move.text for move in verdict.line]
        puzzle = next(find_puzzles(deal, line, budget=3_000), None)
        if puzzle is None:
            continue
        found += 1
        position = puzzle.position
        assert position.move_count == puzzle.played
        assert puzzle.answer.text == line[puzzle.played]
        others = [move for move in position.moves() if move != puzzle.answer]
        assert len(others) == puzzle.wrong >= 2
        # A search with more nodes agrees.
        for move in others:
            assert solve(position.play(move), 30_000).status == "unwinnable"
        for text in line[puzzle.played :]:
            position = position.play(text)
        assert position.outcome == "won"
        if found == 2:
            break
    assert found


def test_a_line_must_win() -> None:
    deal = load("fourteen-out").deal("cadogan:1")
    with pytest.raises(ValueError, match="does not win"):
        next(find_puzzles(deal, []))


def test_the_last_moves_are_no_puzzles() -> None:
    deal = load("fourteen-out").deal("cadogan:1")
    line = [move.text for move in solve(deal).line]
    for puzzle in find_puzzles(deal, line, left=10):
        assert len(line) - puzzle.played >= 10
