import os
from pathlib import Path

import pytest

from cadogan.storage import cached, data_folder, replace_file, stamp_of


def test_the_folder_is_where_the_user_wants_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("CADOGAN_HOME", raising=False)
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.delenv("LOCALAPPDATA", raising=False)
    assert data_folder() == tmp_path / ".local" / "share" / "cadogan"
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "xdg"))
    assert data_folder() == tmp_path / "xdg" / "cadogan"
    monkeypatch.setenv("CADOGAN_HOME", str(tmp_path / "mine"))
    assert data_folder() == tmp_path / "mine"


def test_a_write_that_fails_leaves_the_old_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.json"
    replace_file(path, "old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        replace_file(path, "new")
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["game.json"]


def test_the_text_is_on_disk_before_it_takes_the_old_ones_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.json"
    replace_file(path, "old")
    seen = []
    monkeypatch.setattr(os, "fsync", lambda _: seen.append(path.read_text()))
    replace_file(path, "new")
    assert seen == ["old", "new"]


def test_what_is_made_of_the_same_things_is_made_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("CADOGAN_CACHE", raising=False)
    monkeypatch.setenv("CADOGAN_HOME", str(tmp_path / "home"))
    source = tmp_path / "source.txt"
    made: list[str] = []

    def make() -> dict[str, str]:
        made.append(source.read_text())
        return {"text": made[-1]}

    for text in ("one", "one", "three"):
        if not source.exists() or source.read_text() != text:
            source.write_text(text)
        assert cached("made.json", stamp_of([source]), make) == {"text": text}
    assert made == ["one", "three"]
    monkeypatch.setenv("CADOGAN_CACHE", "")
    assert cached("made.json", stamp_of([source]), make) == {"text": "three"}
    assert made == ["one", "three", "three"]
