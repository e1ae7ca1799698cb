"""The puzzles of the table: which comes next, which tries count, what is stored."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cadogan.moves import MoveError
from cadogan.table.intent import Intent
from cadogan.table.library import Library
from cadogan.table.puzzles import Puzzles, ServedPuzzle
from cadogan.table.service import NoTableError
from cadogan.table.store import Store
from cadogan.web.state import AppState

Open = Callable[[], Puzzles]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Open]:
    """Opens the puzzles of the same database, each time as another server."""
    stores = list[Store]()

    def open_() -> Puzzles:
        stores.append(Store(folder=tmp_path))
        return Puzzles(stores[-1], Library(stores[-1]))

    yield open_
    for store in stores:
        store.close()


def right(puzzle: ServedPuzzle) -> Intent:
    return Intent(puzzle.saved.line[0])


def wrong(puzzle: ServedPuzzle) -> Intent:
    return Intent(puzzle.saved.wrong[0].move)


def test_every_shipped_puzzle_can_be_served(opened: Open) -> None:
    puzzles = opened()
    number, skip = sum(puzzles.games().values()), set[str]()
    assert number >= 220
    for _ in range(number):
        found = puzzles.next(skip=skip)
        skip.add(found.key)
    assert len(skip) == number
    with pytest.raises(NoTableError):
        puzzles.next(skip=skip)


def test_the_first_try_counts_and_is_stored(opened: Open) -> None:
    puzzles = opened()
    first = puzzles.next("golf")
    assert puzzles.next("golf").key == first.key
    before, grade = puzzles.player().rating, puzzles.standing(first).rating
    tried = puzzles.tried(first.key, wrong(first))
    assert (tried.is_right, tried.counted) == (False, True)
    assert tried.text.startswith("this move loses: all ")
    assert puzzles.player().rating.rating < before.rating
    assert puzzles.standing(first).rating.rating > grade.rating
    held = puzzles.player()
    assert (held.tried, held.solved) == (1, 0)

    again = opened()
    assert again.player() == held
    tried = again.tried(first.key, right(first))
    assert (tried.is_right, tried.counted) == (True, False)
    assert again.player() == held
    other = again.next("golf")
    assert other.key != first.key
    assert again.tried(other.key, right(other)).counted
    assert again.player().rating.rating > held.rating.rating
    assert (again.player().tried, again.player().solved) == (2, 1)


def test_two_servers_count_a_first_try_once(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = opened(), opened()
    puzzle = one.next()
    assert one.tried(puzzle.key, right(puzzle)).counted
    # The other server looked before the first one had stored it.
    monkeypatch.setattr(two, "is_new", lambda _: True)
    assert not two.tried(puzzle.key, right(puzzle)).counted
    assert two.player() == one.player()
    assert one.player().tried == 1


def test_an_illegal_move_is_no_try(opened: Open) -> None:
    puzzles = opened()
    puzzle = puzzles.next("king-albert")
    with pytest.raises(MoveError):
        puzzles.tried(puzzle.key, Intent("foundations.1 > foundations.2"))
    assert puzzles.is_new(puzzle)
    assert puzzles.player().tried == 0


def test_giving_up_counts_as_a_wrong_try(opened: Open) -> None:
    puzzles = opened()
    puzzle = puzzles.next()
    tried = puzzles.tried(puzzle.key, None)
    assert (tried.is_right, tried.counted, tried.move) == (False, True, None)
    assert (puzzles.player().tried, puzzles.player().solved) == (1, 0)


def test_a_player_who_solves_them_gets_harder_ones(opened: Open) -> None:
    puzzles = opened()
    grades = []
    for _ in range(12):
        puzzle = puzzles.next()
        grades.append(puzzles.standing(puzzle).rating.rating)
        puzzles.tried(puzzle.key, right(puzzle))
    assert sum(grades[-4:]) / 4 > sum(grades[:4]) / 4 + 200
    assert puzzles.player().rating.rating > 1900


def test_when_all_were_tried_the_oldest_comes_again(opened: Open) -> None:
    puzzles = opened()
    keys = []
    for _ in range(puzzles.games()["triple-alliance"]):
        puzzle = puzzles.next("triple-alliance")
        keys.append(puzzle.key)
        puzzles.tried(puzzle.key, None)
    assert len(set(keys)) == len(keys)
    assert puzzles.next("triple-alliance").key == keys[0]
    assert puzzles.next("triple-alliance", skip=keys[:1]).key == keys[1]


def test_changed_rules_take_their_puzzles_away(state: AppState) -> None:
    puzzle = state.puzzles.next("golf")
    known = state.puzzles._known()
    known[puzzle.key] = ("golf", "0" * 64, puzzle.saved)
    with pytest.raises(NoTableError):
        state.puzzles.get(puzzle.key)
    assert state.puzzles.next("golf").key != puzzle.key
