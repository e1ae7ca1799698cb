"""Files from strangers, or endless ones: read up to a limit, and not trusted."""

import hashlib
import json
import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from cadogan.rules import cache
from tests.cli.conftest import Run, home, run

__all__ = ["home", "run"]
ZERO = Path("/dev/zero")
DEALT = ("--deal", "cadogan:1")


@pytest.mark.skipif(not ZERO.exists(), reason="there is no /dev/zero")
@pytest.mark.parametrize(
    "words",
    [
        ("check", str(ZERO)),
        ("check", "-"),
        ("replay", "klondike", str(ZERO), *DEALT),
        ("replay", "klondike", "-", *DEALT),
        ("replay", str(ZERO)),
        ("play", "--load", str(ZERO)),
        ("play", "klondike", "--moves", str(ZERO), *DEALT),
        ("deal", "klondike", "--deck-file", str(ZERO)),
        ("moves", "klondike", *DEALT, "--moves-file", str(ZERO)),
        ("deal", "linked.toml", *DEALT),
        ("deal", "weighed.toml", *DEALT),
        ("solve", "weighed.toml", *DEALT),
        ("study", "run", "--plan", str(ZERO), "--out", "study"),
    ],
    ids=" ".join,
)
def test_a_file_without_end_is_read_up_to_a_limit(words: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "linked.toml").symlink_to(ZERO)
    from tests.games import TINY

    (tmp_path / "weighed.toml").write_text(TINY)
    (tmp_path / "weighed.weights.json").symlink_to(ZERO)
    # What reads on without end would end here.
    limited = f"ulimit -v 4000000; exec '{sys.executable}' -m cadogan.cli \"$@\""
    with ZERO.open("rb") as stdin:
        done = subprocess.run(
            ["sh", "-c", limited, "cadogan", *words], stdin=stdin, capture_output=True, text=True,
            timeout=60, cwd=tmp_path, env={**os.environ, "CADOGAN_HOME": str(tmp_path / "home")},
        )  # fmt: skip
    said = done.stdout + done.stderr
    if words[:2] == ("deal", "weighed.toml"):
        assert done.returncode == 0  # It needs no weights.
        return
    assert done.returncode in (1, 2)
    assert "more than" in said or "too much" in said
    for never in ("Traceback", "MemoryError", "not enough memory", "internal error"):
        assert never not in said


@pytest.mark.parametrize(
    "text", ['{"format": %s}', '{"session": 1, "position": {"format": %s}}', "[%s]", "%s"]
)
def test_a_number_of_many_digits_is_no_fault_of_ours(text: str, run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text(text % ("9" * 5001))
    result = run("play", "--load", str(file))
    assert result.status == 2
    # Text that is not JSON is read as the text of a game.
    known = "not a saved game" if text != "%s" else "does not name the game"
    assert known in result.err
    assert "internal error" not in result.err


@pytest.mark.parametrize("name", ["secrets", "secrets.toml", "secrets.toml:open", "./secrets"])
def test_a_saved_game_does_not_show_other_files(name: str, run: Run, tmp_path: Path) -> None:
    place = tmp_path / name.partition(":")[0]
    place.write_text("root:x:0:0:hunter2\n[credentials]\ntoken = 'hunter2'\n")
    game = tmp_path / "game.json"
    saved = {"format": 1, "game": str(tmp_path / name), "digest": "", "deal": "cadogan:1"}
    game.write_text(json.dumps({**saved, "line": [], "hash": ""}))
    result = run("play", "--load", str(game))
    assert result.status == 2
    assert "hunter2" not in result.out + result.err
    assert "rules file" in result.err or "have faults" in result.err


class Borrowed:
    """What the old cache would have called: builtins, through a module that it trusted."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def __reduce__(self) -> tuple[object, ...]:
        return open, (str(self.mark), "w")


@pytest.mark.parametrize("module", ["cadogan.rules.rulebook.words", "cadogan.rules.rulebook"])
def test_the_cache_of_rules_calls_nothing(
    module: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CADOGAN_CACHE")
    monkeypatch.setenv("CADOGAN_HOME", str(tmp_path / "home"))
    digest = cache.compiled("golf").digest
    (file,) = (tmp_path / "home" / "cache" / "rules").iterdir()
    mark = tmp_path / "mark"
    # dataclass(...) is a function in those modules, too: the filter of classes let it pass.
    attacks = [
        pickle.dumps((Borrowed(mark), b"", "")),
        f"c{module}\ndataclass\n(tR.".encode(),
        b'[[21,"os.system"],"",""]',
        b'[[-4,"os.system"],"",""]',
        b'[[11],"",""]',
        b'["golf","","' + digest.encode() + b'"]',
        b"[" * 100_000,
    ]
    for attack in attacks:
        file.write_bytes(hashlib.sha256(attack).digest() + attack)
        found = cache.compiled("golf")
        assert found.digest == digest
        assert found.rulebook.name == "Golf"
        assert not mark.exists()


def test_nothing_is_unpickled_from_a_file() -> None:
    """Where pickle is used at all, it is between processes of ours."""
    root = Path(cache.__file__).parents[1]
    users = {
        path.relative_to(root).as_posix()
        for path in root.rglob("*.py")
        if any(word in path.read_text(encoding="utf-8") for word in ("import pickle", "marshal"))
    }
    assert users == set()
