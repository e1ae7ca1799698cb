import json
import sys
from pathlib import Path

import pytest

import cadogan
from cadogan.cli import output

from .conftest import Run

CATALOGUE = Path(cadogan.__file__).parent / "catalogue"


def test_a_strangers_file_cannot_command_the_terminal(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (CATALOGUE / "golf.toml").read_text().replace('"Golf"', r'"Go\u001b[2Jlf\u009b"', 1)
    file = tmp_path / "golf.toml"
    file.write_text(text)
    dealt = (str(file), "--deal", "cadogan:1")
    for color in ("", "1"):
        monkeypatch.setenv("FORCE_COLOR", color)
        for words in (("deal", *dealt), ("info", str(file)), ("deal", *dealt, "--json")):
            result = run(*words)
            assert "\x1b[2J" not in result.out + result.err
            assert "\x9b" not in result.out + result.err


def test_json_keeps_what_the_text_must_not_show(capsys: pytest.CaptureFixture[str]) -> None:
    for text in ("Golf", "Go\x9blf", "Pik Dame für zwei ♠", "\u202e"):
        output.data_json({"name": text})
        out = capsys.readouterr().out
        assert json.loads(out) == {"name": text}
        assert output.clean(out) == out


def test_errors_have_a_hint_on_a_line_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    output.error("it is wrong", "do it so")
    assert capsys.readouterr().err == "error: it is wrong\nhint: do it so\n"


def test_colours_are_for_terminals_unless_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    assert not output.coloured(sys.stdout)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    assert output.coloured(sys.stdout)
    monkeypatch.setenv("TERM", "dumb")
    assert not output.coloured(sys.stdout)
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert output.coloured(sys.stdout)
    monkeypatch.setenv("NO_COLOR", "1")
    assert not output.coloured(sys.stdout)
