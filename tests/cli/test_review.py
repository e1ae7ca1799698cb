"""``cadogan review``: where a game was lost, from the file of a game."""

import json
from pathlib import Path

import pytest

from cadogan import load, solve
from cadogan.storage import CATALOGUE

from .conftest import Run

GAME = """\
# Cadogan game 1
# game: beleaguered-castle
# deal: cadogan:5
rows.2 > rows.7
rows.4 > rows.6
rows.4 > rows.5
rows.7 > rows.5
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    made = tmp_path / "game.txt"
    made.write_text(GAME)
    return made


def test_a_review_names_the_losing_move_and_its_proof(run: Run, file: Path) -> None:
    result = run("review", str(file))
    assert result.status == 0
    lines = result.out.splitlines()
    assert lines[0] == "Beleaguered Castle  ·  cadogan:5  ·  4 moves"
    assert lines[1] == "Move 3 lost the game"
    assert lines[2].startswith("  after move 3: even an easier game is lost: its ")
    assert lines[3].startswith("  after move 2: a line of ")
    assert lines[4] == "  kept the win: rows.7 > rows.4"
    assert "    3  rows.4 > rows.5  unwinnable  #####       1 of 2" in lines
    quick = run("review", str(file), "--loss-only")
    assert quick.out.splitlines()[1] == lines[1]
    assert "kept the win" not in quick.out


def test_a_review_as_json(run: Run, file: Path) -> None:
    facts = json.loads(run("review", str(file), "--json").out)
    assert facts["loss"]["move"] == 3
    assert [turn["status"] for turn in facts["turns"]] == ["winnable"] * 3 + ["unwinnable"] * 2
    kept = [each["move"] for each in facts["loss"]["moves"] if each["status"] == "winnable"]
    assert kept == ["rows.7 > rows.4"]
    position = load("beleaguered-castle").deal("cadogan:5")
    for turn in facts["turns"][1:3]:
        position = position.play(turn["move"])
    assert solve(position.play(kept[0])).status == "winnable"
    assert solve(position.play(facts["turns"][3]["move"])).status == "unwinnable"


def test_try_again_from_the_position_before_the_losing_move(
    run: Run, file: Path, tmp_path: Path
) -> None:
    again = tmp_path / "again.txt"
    assert run("review", str(file), "--loss-only", "--again", str(again)).status == 0
    replayed = run("replay", str(again))
    assert replayed.out == "2 moves, all legal: the game is not over\n"
    assert run("review", str(again), "--loss-only", "--again", str(file)).status == 1


def test_little_budget_leaves_a_game_undecided(run: Run, file: Path) -> None:
    result = run("review", str(file), "--budget", "1")
    assert "not decided" in result.out
    assert "  ?" in result.out


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("rubbish", "is not the file of a game"),
        (GAME.replace("rows.4 > rows.6", "rows.1 > rows.1"), "move 2, line 5 of"),
        (GAME.replace("# deal", "# digest: 00\n# deal"), "have changed since"),
    ],
)
def test_files_without_a_game_to_review(run: Run, file: Path, text: str, fault: str) -> None:
    file.write_text(text)
    result = run("review", str(file))
    assert result.status == 2
    assert fault in result.err


def test_a_game_of_points_has_nothing_to_review(run: Run, file: Path, tmp_path: Path) -> None:
    rules = tmp_path / "square.toml"
    rules.write_text((CATALOGUE / "poker-square.toml").read_text().replace("won_from = 200", ""))
    file.write_text(f"# game: {rules}\n# deal: cadogan:1\n")
    result = run("review", str(file))
    assert result.status == 2
    assert "points decide Poker Square: there is no win that could be lost" in result.err


def test_a_budget_must_be_possible(run: Run, file: Path) -> None:
    assert run("review", str(file), "--budget", "0").status == 2
