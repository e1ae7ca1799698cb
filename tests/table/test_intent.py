"""What is played without a player: safe moves, and the end of a game."""

from cadogan import load, solve
from cadogan.table.intent import finishing_line, safe_moves


def test_safe_moves_are_made_as_long_as_there_are_any() -> None:
    position = load("freecell").deal("ms:1").play("tableau.6 > cells").play("tableau.6 > cells")
    after = list(safe_moves(position))
    assert len(after) > 1
    assert after[0].undo() is position
    assert after[0] == position.play(position.safe_moves()[0])
    assert not after[-1].safe_moves()
    assert list(safe_moves(after[-1])) == []


def test_a_game_is_finished_when_only_foundation_moves_remain() -> None:
    position = load("flower-garden").deal("cadogan:1")
    assert finishing_line(position) == []
    line = solve(position).line
    for move in line[:-10]:
        position = position.play(move)
    rest = finishing_line(position)
    assert rest[0].undo() is position
    assert rest[-1].outcome == "won"
