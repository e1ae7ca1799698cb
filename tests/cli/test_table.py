"""``cadogan serve``, and files of the table on the command line."""

import os
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from cadogan.cli import main
from cadogan.table.game_file import write_game
from cadogan.table.intent import Intent
from cadogan.web.state import AppState


def test_a_file_of_the_table_is_replayed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    state = AppState(folder=tmp_path, workers=0)
    record = state.tables.deal("klondike:draw-three", "cadogan:617")
    for _ in range(3):
        intent = Intent(record.position.moves()[0].text)
        record, _ = state.tables.move(record.key, record.version, intent)
    record = state.tables.go(record.key, record.version, 1)
    record, _ = state.tables.move(record.key, record.version, Intent("deal"))
    file = tmp_path / "game.txt"
    file.write_text(write_game(record), encoding="utf-8")
    state.close()
    assert main(["replay", str(file)]) == 0
    assert "2 moves, all legal" in capsys.readouterr().out
    assert main(["replay", "klondike:draw-three", str(file), "--deal", "cadogan:617"]) == 0
    assert "2 moves, all legal" in capsys.readouterr().out


def test_a_file_that_tells_no_game_needs_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "line.txt"
    file.write_text("deal\n", encoding="utf-8")
    assert main(["replay", str(file)]) == 2
    assert "name the game first" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--host", "0.0.0.0", "--no-token"], "others than you"),
        (["--no-token", "--token", "new"], "give one of them"),
        (["--token-file", "/does/not/exist"], "cannot be read"),
        (["--token", "short"], "can be guessed"),
        (["--workers", "-1"], "are not possible"),
        (["--daily", "golff", "--port", "0"], "golff"),
        ([word for number in range(13) for word in ("--daily", f"g{number}")], "at most 12"),
        (["--database", "nonsense", "--port", "0"], "is invalid"),
    ],
)
def test_what_cannot_be_served_is_reported(
    words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", "--no-browser", *words]) == 2
    assert told in capsys.readouterr().err


def test_the_table_is_served_and_ends_with_ctrl_c(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "cadogan.cli", "serve", "--no-browser", "--port", "0"]
    environment = {**os.environ, "CADOGAN_HOME": str(tmp_path)}
    with subprocess.Popen(words, env=environment, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr is not None
        address = None
        for line in server.stderr:
            if match := re.search(r"(http://127\.0\.0\.1:\d+/)\?token=([\w-]{43})", line):
                address, token = match.groups()
                break
        assert address is not None
        request = urllib.request.Request(
            f"{address}api/about", headers={"Authorization": f"Bearer {token}"}
        )
        with urllib.request.urlopen(request, timeout=30) as answer:
            assert answer.status == 200
        server.send_signal(signal.SIGINT)
        server.wait(30)
    assert (tmp_path / "token").read_text(encoding="utf-8").strip() == token
    assert (tmp_path / "token").stat().st_mode & 0o077 == 0
    assert (tmp_path / "tables.sqlite3").exists()
    assert (tmp_path / "tables.sqlite3").stat().st_mode & 0o077 == 0
