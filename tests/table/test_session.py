import json

import pytest

import cadogan
from cadogan.table import Session

GAME = cadogan.load("klondike")


def begun(moves: int = 0) -> Session:
    session = Session(GAME.deal("cadogan:1"))
    for _ in range(moves):
        session.play(session.position.moves()[-1])
    return session


def test_undo_and_redo_go_back_and_forth_through_the_same_positions() -> None:
    session = begun()
    first = session.position
    positions = [first, *(session.play(session.position.moves()[-1]) for _ in range(5))]
    for position in positions[-2::-1]:
        assert session.undo() is position
    assert session.undo() is None
    for position in positions[1:]:
        assert session.redo() is position
    assert session.redo() is None


def test_another_move_forgets_what_was_taken_back() -> None:
    session = begun(3)
    session.undo()
    session.play(session.position.moves()[0])
    assert session.redo() is None


def test_the_same_move_again_is_a_redo() -> None:
    session = begun(3)
    last = session.position
    session.undo()
    session.undo()
    session.play(session.position.moves()[-1])
    assert session.redo() is last


def test_restart_can_be_taken_back_move_by_move() -> None:
    session = begun(4)
    session.undo()
    end = session.position
    session.restart()
    assert session.position.move_count == 0
    for _ in range(3):
        session.redo()
    assert session.position is end
    assert session.redo() is not None


def test_an_illegal_move_changes_nothing() -> None:
    session = begun(2)
    session.undo()
    before = session.to_json()
    with pytest.raises(cadogan.MoveError):
        session.play("tableau.1 > tableau.1")
    assert session.to_json() == before


def test_every_change_is_kept_before_it_is_answered() -> None:
    kept: list[str] = []
    session = Session(GAME.deal("cadogan:1"), keep=kept.append)
    for change in (
        lambda: session.play(session.position.moves()[-1]),
        lambda: session.play("deal"),
        session.undo,
        session.redo,
        session.restart,
    ):
        count = len(kept)
        answer = change()
        assert len(kept) == count + 1
        assert answer is not None
        assert Session.from_json(kept[-1]).position == answer


def test_a_session_written_and_read_has_the_same_past_and_future() -> None:
    session = begun(6)
    session.undo()
    session.undo()
    again = Session.from_json(session.to_json())
    assert again.to_json() == session.to_json()
    for step in (session.redo, session.redo):
        step()
    again.redo()
    again.redo()
    assert again.position == session.position
    assert again.position.line == session.position.line
    while session.undo():
        assert again.undo() == session.position
    assert again.undo() is None


def test_a_bare_position_can_be_taken_up() -> None:
    position = begun(3).position
    assert Session.from_json(position.to_json()).position == position


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: "",
        lambda text: text[: len(text) // 2],
        lambda text: "[]",
        lambda text: "null",
        lambda text: "[" * 100_000,
        lambda text: text.replace('"session": 1', '"session": 99'),
        lambda text: text.replace('"position"', '"pasition"'),
        lambda text: text.replace('"redo": [', '"redo": [3, '),
        lambda text: text.replace('"redo": [', '"redo": ["no such move", '),
        lambda text: text.replace('"cadogan:1"', '"cadogan:2"'),
        lambda text: json.dumps({"session": 1}),
    ],
)
def test_a_damaged_session_is_told(damage: object) -> None:
    session = begun(3)
    session.undo()
    assert callable(damage)
    with pytest.raises(cadogan.SavedGameError):
        Session.from_json(damage(session.to_json()))
