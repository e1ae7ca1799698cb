import os
from pathlib import Path

import pytest

from cadogan.storage import data_folder, replace_file
from cadogan.table.save_folder import Saves, file_name


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


def test_every_game_begun_has_a_file_of_its_own(tmp_path: Path) -> None:
    kept = Saves(tmp_path)
    assert len({kept.begin("klondike") for _ in range(20)}) == 20


def test_the_file_written_last_comes_first(tmp_path: Path) -> None:
    kept = Saves(tmp_path)
    paths = [kept.begin(game) for game in ("klondike", "amazons:chance", "klondike")]
    for age, path in enumerate(paths):
        replace_file(path, "")
        os.utime(path, ns=(age, age))
    assert kept.latest() == paths[::-1]
    assert kept.latest("klondike") == [paths[2], paths[0]]
    assert kept.latest("amazons") == []


def test_a_path_makes_a_name_that_is_neither_a_path_nor_another_game() -> None:
    name = file_name("/home/me/klondike.toml")
    assert "/" not in name
    assert name != file_name("/home/you/klondike.toml")
    assert ".." not in file_name("../../x.toml")
    assert file_name("klondike") == "klondike"


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


def test_files_put_aside_are_kept_under_names_of_their_own(tmp_path: Path) -> None:
    kept = Saves(tmp_path)
    path = kept.begin("klondike")
    aside = []
    for text in ("one", "two", "three"):
        replace_file(path, text)
        aside.append(kept.set_aside(path))
    assert [entry.read_text() for entry in aside] == ["one", "two", "three"]
    assert kept.latest() == []
