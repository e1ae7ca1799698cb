"""Runs the command line inside the test."""

import io
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from cadogan.cli import main

GOLDEN = Path(__file__).parent / "golden"


@dataclass(frozen=True)
class Result:
    status: int
    out: str
    err: str


Run = Callable[..., Result]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for saved games, and a terminal that is the same everywhere."""
    folder = tmp_path / "home"
    monkeypatch.setenv("CADOGAN_HOME", str(folder))
    monkeypatch.setenv("COLUMNS", "80")
    for name in ("NO_COLOR", "FORCE_COLOR", "CADOGAN_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    return folder


@pytest.fixture
def run(home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs ``cadogan`` with words, and with a text as its standard input."""

    def run(*words: str, stdin: str = "", width: int = 80) -> Result:
        monkeypatch.setenv("COLUMNS", str(width))
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        capsys.readouterr()
        status = main(words)
        said = capsys.readouterr()
        return Result(status, said.out, said.err)

    return run


@pytest.fixture
def golden() -> Callable[[str, str], None]:
    """Compares a text with the file of that name; ``UPDATE_GOLDENS=1`` writes the file."""

    def golden(name: str, text: str) -> None:
        path = GOLDEN / f"{name}.txt"
        if os.environ.get("UPDATE_GOLDENS"):
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert text == path.read_text(encoding="utf-8"), f"{name} has changed; UPDATE_GOLDENS=1"

    return golden
