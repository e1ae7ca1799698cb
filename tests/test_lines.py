"""Games that are won, from the first deal to the last card.

Every file of ``tests/lines`` is a note of a game and its deal, and the player's moves, one a line.
The lines were found by ``tests/won_lines.py`` or by playing at random with a few rules of thumb;
here they are only replayed: on the engine and, for games that have one, on the oracle.
"""

from pathlib import Path

import pytest

from cadogan import Position
from tests import won_lines
from tests.conftest import ALL
from tests.goldens import UPDATE
from tests.oracles.beside import GAMES, MORE_GAMES, Beside

FOLDER = Path(__file__).parent / "lines"
FILES = sorted(path.stem for path in FOLDER.glob("*.txt"))


def line_of(name: str) -> tuple[Position, list[str]]:
    note, *moves = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return Position.parse(note), moves


def test_games_have_a_line_or_a_reason() -> None:
    assert set(GAMES) <= set(FILES)
    assert len(FILES) >= 300
    # A game that was just written may lack its line for a while; 'make game-goldens' finds it.
    missing = won_lines.missing()
    assert len(missing) <= (0 if ALL else 20), "run 'python -m tests.won_lines' for these games"
    assert not set(FILES) & won_lines.attempts().keys()


def test_the_page_says_which_games_have_a_line() -> None:
    if UPDATE:
        won_lines.PAGE.write_text(won_lines.page(), encoding="utf-8")
    assert won_lines.PAGE.read_text(encoding="utf-8") == won_lines.page()


@pytest.mark.parametrize("name", FILES)
def test_the_engine_plays_the_line_to_a_win(name: str) -> None:
    position, moves = line_of(name)
    for move in moves:
        assert position.outcome is None
        legal = {str(other): other for other in position.moves()}
        assert move in legal
        position = position.play(legal[move])
    assert position.outcome == "won"
    assert position.moves() == []
    assert [str(move) for move in position.line if not move.forced] == moves
    assert Position.from_json(position.to_json()) == position


@pytest.mark.parametrize("name", [name for name in (*GAMES, *MORE_GAMES) if name in FILES])
def test_the_oracle_confirms_the_line(name: str) -> None:
    position, moves = line_of(name)
    game, _, variant = position.game.name.partition(":")
    both = Beside(game, variant)
    state, other = both.start(bytes(card.code for card in position.deck))
    for number, move in enumerate(moves, start=1):
        code = next(legal.code for legal in position.moves() if str(legal) == move)
        position = position.play(move)
        state = state.play(code)[0]
        other = both.same(both.engine_table(state), both.successors(other))
        assert other is not None, f"move {number}, {move}, is not one of the oracle's"
    assert both.oracle.outcome(other) == "won"
    assert both.oracle.successors(other) == []
