"""Files of puzzles, and the sets that come with the package: every alternative is solved again."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

import cadogan
from cadogan import load
from cadogan.solver.puzzle_file import (
    PuzzleFileError,
    PuzzleSet,
    SavedPuzzle,
    check_puzzle,
    make_puzzles,
    position_of,
    read_puzzles,
    write_puzzles,
)
from cadogan.solver.puzzles import depth_after

SETS = sorted((Path(cadogan.__file__).parent / "puzzles").glob("*.json"))


def first(game: str) -> SavedPuzzle:
    return next(each for each in make_puzzles(load(game)) if each is not None)


@pytest.mark.sample(4)
@pytest.mark.parametrize("file", SETS, ids=lambda file: file.stem)
def test_the_puzzles_of_the_package_have_one_answer(file: Path) -> None:
    found = read_puzzles(file.read_text(encoding="utf-8"))
    game = load(found.game)
    assert game.digest == found.digest
    assert len(found.puzzles) >= 10
    assert len({position_of(game, each).hash for each in found.puzzles}) == len(found.puzzles)
    assert [check_puzzle(game, each) for each in found.puzzles] == [None] * len(found.puzzles)


def test_puzzles_of_the_package_are_many() -> None:
    counts = [len(read_puzzles(file.read_text(encoding="utf-8")).puzzles) for file in SETS]
    assert len(counts) >= 10
    assert sum(counts) >= 200
    assert sum(file.stat().st_size for file in SETS) < 1 << 20


def test_what_was_written_is_read() -> None:
    game, puzzle = load("golf"), first("golf")
    found = PuzzleSet("golf", game.digest, (puzzle,))
    assert read_puzzles(write_puzzles(found)) == found
    assert puzzle.rating == 900 + 60 * puzzle.depth


def test_the_depth_is_the_longest_of_the_shortest_ways() -> None:
    game, puzzle = load("golf"), first("golf")
    here = position_of(game, puzzle)
    for each in puzzle.wrong:
        assert depth_after(here.play(each.move)) == each.depth
    # A position that can be won, or after which very much can follow, has none.
    assert depth_after(here) is None
    assert depth_after(game.deal("cadogan:1"), 3) is None


def test_a_puzzle_that_is_none_is_found_out() -> None:
    game, puzzle = load("golf"), first("golf")
    assert check_puzzle(game, puzzle) is None
    wrong = puzzle.wrong[0]
    for broken, fault in (
        (replace(puzzle, line=puzzle.line[:-1]), "its line does not win"),
        (replace(puzzle, line=()), "its line does not win"),
        (replace(puzzle, wrong=puzzle.wrong[1:]), "not all the other legal moves"),
        (replace(puzzle, line=("nonsense",)), "nonsense"),
        (replace(puzzle, deal="cadogan:x"), "is not the number of a deal"),
        (
            replace(puzzle, wrong=(replace(wrong, depth=99), *puzzle.wrong[1:])),
            f"the depth of {wrong.move} is not 99",
        ),
    ):
        assert fault in (check_puzzle(game, broken) or "")
    # At the deal several moves keep the win: as a puzzle it is refused.
    line = puzzle.moves + puzzle.line
    moves = [move.text for move in game.deal(puzzle.deal).moves() if move.text != line[0]]
    early = SavedPuzzle(puzzle.deal, (), line, tuple(replace(wrong, move=text) for text in moves))
    assert "is not proved to lose" in (check_puzzle(game, early) or "")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "not JSON"),
        ("[]", "not a file of puzzles"),
        ('{"format": 2}', "its format is not 1"),
        ('{"format": "1"}', "'format' is not of the right type"),
        ('{"format": 1, "puzzles": [1]}', "a puzzle is not an object"),
        ('{"format": 1, "puzzles": [{"wrong": [1]}]}', "a wrong move is not an object"),
        ('{"format": 1, "puzzles": []}', "'game' is missing"),
        (
            json.dumps({"format": 1, "puzzles": [{"wrong": [], "moves": "a;" * 6000, "line": ""}]}),
            "more than 5000 moves",
        ),
        (json.dumps({"format": 1, "puzzles": [0] * 10_001}), "more than 10000 puzzles"),
    ],
)
def test_other_files_are_refused(text: str, fault: str) -> None:
    with pytest.raises(PuzzleFileError, match=fault):
        read_puzzles(text)
