"""Every game has its goldens, and no golden is without its game."""

from pathlib import Path

import pytest

from cadogan.rules import catalogue
from tests import goldens
from tests.goldens import FOLDERS, golden
from tests.rules.explain.test_explain import CONSTRUCTS

NO_GAMES = {CONSTRUCTS.stem}


@pytest.mark.parametrize("kind", FOLDERS)
def test_every_game_has_its_goldens_and_no_others_are_left(kind: str) -> None:
    folder, ending = FOLDERS[kind]
    found = {path.stem.partition("+")[0] for path in folder.glob(f"*{ending}")} - NO_GAMES
    assert found == {*catalogue()}, "make game-goldens writes what is missing"


def test_the_games_that_lack_some_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert goldens.lacking() == []
    assert goldens.main([]) == 0
    assert goldens.main(["klondyke"]) == 2
    assert "There is no klondyke in the catalogue." in capsys.readouterr().err
    for game in catalogue():
        if game != "golf":
            (tmp_path / golden("perft", game).name).touch()
    monkeypatch.setitem(FOLDERS, "perft", (tmp_path, ".perft"))
    assert goldens.lacking() == ["golf"]
