"""``cadogan puzzles``: made into a file, and checked."""

import json
from pathlib import Path

from .conftest import Run


def test_puzzles_are_made_and_checked(run: Run, tmp_path: Path) -> None:
    made = run("puzzles", "make", "golf", "fourteen-out", "--count", "2", "--to", str(tmp_path))
    assert made.status == 0
    file = tmp_path / "golf.json"
    assert made.out.splitlines()[0] == f"Golf: 2 puzzles, saved as {file}"
    assert (tmp_path / "fourteen-out.json").exists()
    checked = run("puzzles", "check", str(file))
    assert checked.status == 0
    assert checked.out.startswith("Golf: 2 of 2 puzzles are right; ")
    facts = json.loads(run("puzzles", "check", str(file), "--json").out)
    assert facts["ok"]
    assert facts["alternatives"] >= 4
    data = json.loads(file.read_text())
    data["puzzles"][1]["wrong"].pop()
    file.write_text(json.dumps(data))
    wrong = run("puzzles", "check", str(file))
    assert wrong.status == 1
    assert "puzzle 2, cadogan:" in wrong.out
    assert "1 of 2 puzzles are right" in wrong.out
    assert not json.loads(run("puzzles", "check", str(file), "--json").out)["ok"]


def test_too_few_puzzles_are_reported(run: Run, tmp_path: Path) -> None:
    words = ("puzzles", "make", "golf", "--deals", "1", "--count", "5", "--to", str(tmp_path))
    assert run(*words).status == 1


def test_what_cannot_be_done(run: Run, tmp_path: Path) -> None:
    assert run("puzzles", "make", "golf", "--count", "0").status == 2
    assert run("puzzles", "make", "golf", "--to", str(tmp_path / "no")).status == 2
    file = tmp_path / "golf.json"
    file.write_text("{}")
    result = run("puzzles", "check", str(file))
    assert result.status == 2
    assert "'format' is missing" in result.err
    assert run("puzzles", "check", str(file), "--budget", "0").status == 2
    file.write_text('{"format": 1, "game": "golf", "digest": "0", "puzzles": []}')
    assert "have changed" in run("puzzles", "check", str(file)).err
