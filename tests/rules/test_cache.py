"""The cache of compiled rules."""

import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from cadogan.rules import RulesError, UnknownGameError, cache, load_rules
from tests.games import write_game


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("CADOGAN_CACHE")
    monkeypatch.setenv("CADOGAN_HOME", str(tmp_path / "home"))
    return tmp_path / "home" / "cache" / "rules"


@pytest.mark.parametrize("name", ["flower-garden", "amazons:left-to-right+queens-free"])
def test_what_is_stored_is_what_was_compiled(name: str, folder: Path) -> None:
    first = cache.compiled(name)
    (file,) = folder.iterdir()
    written = file.read_bytes()
    again = cache.compiled(name)
    rules = load_rules(name)
    for found in (first, again):
        assert found.rulebook == rules.rulebook
        assert found.program == rules.program.to_bytes()
        assert found.digest == rules.digest
    assert again.rulebook is not first.rulebook
    assert file.read_bytes() == written


def test_another_text_is_another_game(folder: Path, tmp_path: Path) -> None:
    name = write_game(tmp_path).name
    before = cache.compiled(name)
    path = Path(name)
    path.write_text(path.read_text().replace("down", "up"))
    after = cache.compiled(name)
    assert before.digest != after.digest
    assert after.digest == load_rules(name).digest
    assert len(list(folder.iterdir())) == 2


@pytest.mark.parametrize("damage", [b"", b"rubbish", b"\0" * 10_000])
def test_what_is_damaged_is_made_anew(damage: bytes, folder: Path) -> None:
    digest = cache.compiled("golf").digest
    (file,) = folder.iterdir()
    whole = file.read_bytes()
    file.write_bytes(whole[:40] + damage)
    assert cache.compiled("golf").digest == digest
    assert file.read_bytes() == whole


class Stranger:
    def __reduce__(self) -> tuple[object, ...]:
        return os.putenv, ("CADOGAN_STRANGER", "was here")


def test_only_rulebooks_are_made(folder: Path) -> None:
    import hashlib

    digest = cache.compiled("golf").digest
    (file,) = folder.iterdir()
    data = pickle.dumps((Stranger(), b"", ""))
    file.write_bytes(hashlib.sha256(data).digest() + data)
    assert cache.compiled("golf").digest == digest


def test_without_a_folder_nothing_is_stored(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CADOGAN_CACHE", "")
    assert cache.compiled("golf").rulebook.name == "Golf"
    assert not folder.exists()
    monkeypatch.delenv("CADOGAN_CACHE")
    folder.parent.parent.mkdir()
    folder.parent.write_text("a file stands in the way")
    assert cache.compiled("golf").rulebook.name == "Golf"


def test_the_cache_does_not_grow_for_ever(folder: Path) -> None:
    folder.mkdir(parents=True)
    for number in range(cache._MAX_ENTRIES):
        (folder / str(number)).touch()
    cache.compiled("golf")
    assert len(list(folder.iterdir())) == 1


def test_faults_are_reported_every_time(folder: Path, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.toml"
    wrong.write_text('name = "Wrong"\n')
    for _ in range(2):
        with pytest.raises(RulesError):
            cache.compiled(str(wrong))
        with pytest.raises(UnknownGameError):
            cache.compiled("flower-graden")


def test_a_game_that_is_stored_needs_no_compiler(folder: Path) -> None:
    cache.compiled("golf")
    code = (
        "import sys, cadogan; cadogan.load('golf').deal('cadogan:1');"
        "heavy = {'pydantic', 'cadogan.rules.pipeline', 'cadogan.rules.check.check'};"
        "print(*sorted(heavy & {*sys.modules}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
