"""``cadogan replay``: lines that win, and the first move that is wrong."""

import json
from pathlib import Path

from .conftest import Run

FREECELL = ("freecell", "--deal", "ms:1")

KLONDIKE = ("klondike", "--deal", "cadogan:1")


def test_a_line_of_the_solver_replays_and_wins(run: Run, tmp_path: Path) -> None:
    solved = run("solve", *FREECELL, "--show-line")
    assert solved.status == 0
    assert solved.out.startswith("# winnable in ")
    file = tmp_path / "line.txt"
    file.write_text(solved.out)
    replayed = run("replay", "freecell", str(file), "--deal", "ms:1", "--won")
    assert replayed.status == 0
    assert replayed.out.endswith("all legal: won\n")
    piped = run("replay", "freecell", "-", "--deal", "ms:1", "--draw", stdin=solved.out)
    assert "Won." in piped.out


def test_replay_names_the_first_wrong_move_and_its_reason(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "line.txt"
    file.write_text("# a line\n\ngarden.3 > garden.2\ngarden.1 > garden.5  # not so\nrubbish\n")
    result = run("replay", "flower-garden", str(file), "--deal", "cadogan:1")
    assert result.status == 1
    assert result.out.startswith(f"move 2, line 4 of {file}: illegal move 'garden.1 > garden.5': ")
    assert "the garden builds down" in result.out


def test_replay_as_json(run: Run) -> None:
    words = ("replay", "flower-garden", "-", "--deal", "cadogan:1", "--json")
    wrong = run(*words, stdin="garden.3 > garden.2\nrubbish")
    assert wrong.status == 1
    facts = json.loads(wrong.out)
    assert facts["ok"] is False
    assert facts["moves"] == 1
    assert facts["wrong"]["line"] == 2
    good = run(*words, stdin="garden.3 > garden.2")
    assert good.status == 0
    assert json.loads(good.out) == {"ok": True, "moves": 1, "outcome": None, "wrong": None}


def test_a_line_that_does_not_win_is_wrong_only_if_it_has_to(run: Run) -> None:
    words = ("replay", "flower-garden", "-", "--deal", "cadogan:1")
    legal = run(*words, stdin="garden.3 > garden.2")
    assert (legal.status, legal.out) == (0, "1 move, all legal: the game is not over\n")
    assert run(*words, "--won", stdin="garden.3 > garden.2").status == 1
