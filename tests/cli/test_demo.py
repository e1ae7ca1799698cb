import re
from pathlib import Path

import pytest

from cadogan.cli import demo
from tests.games import write_game

MAKEFILE = Path(__file__).parents[2] / "Makefile"


def test_a_game_is_dealt_decided_and_gone_on_with(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_game(tmp_path)
    assert demo.main([f"{tmp_path}/tiny.toml=cadogan:2", "--budget", "1000"]) == 0
    out, err = capsys.readouterr()
    assert "Tiny" in out
    assert "foundations" in out
    assert "Verdict: " in out
    assert " nodes)" in out
    assert "tiny.toml --deal cadogan:2" in out.replace("\n", "")
    assert "game 1 of 1" in err


def test_all_games_are_shown_if_none_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert demo.main(["--budget", "10"]) == 0
    assert "Klondike" in capsys.readouterr().out


def test_the_deals_of_make_demo_are_decided_and_fit_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    text = MAKEFILE.read_text(encoding="utf-8").replace("\\\n", " ")
    games = re.findall(r"^DEMO :=(.*)$", text, re.MULTILINE)[0].split()
    assert len(games) == 6
    assert demo.main(games) == 0
    out = capsys.readouterr().out
    assert out.count("Verdict: ") == 6
    assert "unknown" not in out
    assert [line for line in out.splitlines() if len(line) > 80] == []


def test_an_interrupted_demo_ends_quietly(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(name: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(demo, "load", interrupted)
    assert demo.main([]) == 130
    assert "interrupted" in capsys.readouterr().err
