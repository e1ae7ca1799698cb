"""Games that older versions stored as files become tables, and no file is lost."""

import errno
import json
import os
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

import cadogan
from cadogan import Position
from cadogan.table.library import OWN, Library
from cadogan.table.old_games import read_old, take_over
from cadogan.table.service import Tables
from cadogan.table.statistics import results
from cadogan.table.store import Store
from cadogan.web.state import AppState

WRITTEN = """\
{
 "session": 1,
 "position": {
  "format": 1,
  "game": "flower-garden",
  "digest": "DIGEST",
  "deal": "cadogan:1",
  "line": [
   "garden.3 > garden.2",
   "garden.2 > garden.3"
  ],
  "hash": "86a48cb64c620219b1ea321d4cdf3fa7"
 },
 "redo": [
  "garden.2 > garden.5"
 ]
}
""".replace("DIGEST", cadogan.load("flower-garden").digest)
"""As an older version wrote it."""


def session(position: Position, *redo: str) -> str:
    data = {"session": 1, "position": json.loads(position.to_json()), "redo": list(redo)}
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def played(game: str, moves: int) -> Position:
    position = cadogan.load(game).deal("cadogan:1")
    for _ in range(moves):
        position = position.play(position.moves()[-1])
    return position


def old_file(home: Path, folder: str, text: str, *, at: datetime) -> Path:
    path = home / "games" / folder / f"{at.astimezone():%Y%m%d-%H%M%S}-abc123.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    os.utime(path, (at.timestamp() + 600, at.timestamp() + 600))
    return path


Open = Callable[[], Tables]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Open]:
    stores, libraries = list[Store](), list[Library]()

    def another() -> Tables:
        stores.append(Store(folder=tmp_path))
        libraries.append(Library(stores[-1]))
        return Tables(stores[-1], libraries[-1])

    yield another
    for library in libraries:
        library.close()
    for store in stores:
        store.close()


def at(day: int) -> datetime:
    return datetime(2026, 3, day, 20, tzinfo=UTC)


def test_old_games_become_tables(opened: Open, tmp_path: Path) -> None:
    first = old_file(tmp_path, "flower-garden", WRITTEN, at=at(1))
    won = cadogan.load("freecell").deal("ms:1")
    for move in cadogan.solve(won).line:
        won = won.play(move)
    second = old_file(tmp_path, "freecell", session(won), at=at(3))
    third = old_file(tmp_path, "klondike", session(played("klondike", 5)), at=at(2))
    tables = opened()
    assert take_over(tables) == []
    rows = tables.store.tables()
    assert [row.game for row, _ in rows] == ["freecell", "klondike", "flower-garden"]
    assert [row.begun for row, _ in rows] == [at(3), at(2), at(1)]
    garden = tables.get(rows[2][0].id)
    assert [node.move and node.move.text for node in garden.nodes] == [
        None, "garden.3 > garden.2", "garden.2 > garden.3", "garden.2 > garden.5",
    ]  # fmt: skip
    assert garden.node == 2
    assert garden.ahead() == [3]
    assert (garden.played - garden.begun).total_seconds() == 600
    assert tables.get(rows[1][0].id).position == played("klondike", 5)
    # They count like the games that are begun now.
    assert {each.game: each.result for each in results(tables.store)} == {
        "freecell": "won", "klondike": "open", "flower-garden": "open",
    }  # fmt: skip
    for path in (first, second, third):
        assert not path.exists()
        assert path.with_name(path.name + ".stored").exists()
    # Each is moved only once, however many programs start.
    assert take_over(opened()) == []
    assert len(tables.store.tables()) == 3


def test_what_is_stored_can_be_read_again(opened: Open, tmp_path: Path) -> None:
    old_file(tmp_path, "flower-garden", WRITTEN, at=at(1))
    tables = opened()
    take_over(tables)
    ((row, _),) = tables.store.tables()
    before, again = tables.get(row.id), opened().get(row.id)
    assert (again.node, again.ahead(), again.version) == (2, [3], before.version)
    assert again.seconds == before.seconds
    assert again.position.line == before.position.line


def test_a_file_that_cannot_be_read_is_reported_and_renamed(opened: Open, tmp_path: Path) -> None:
    broken = [
        old_file(tmp_path, "klondike", "{broken", at=at(1)),
        old_file(tmp_path, "klondike", session(played("klondike", 2), "no move"), at=at(2)),
    ]
    broken.append(old_file(tmp_path, "flower-garden", "", at=at(3)))
    broken[2].write_bytes(b"\xff\xfe")
    old_file(tmp_path, "flower-garden", WRITTEN, at=at(4))
    texts = [path.read_bytes() for path in broken]
    tables = opened()
    problems = take_over(tables)
    assert {problem.path for problem in problems} == set(broken)
    for path, text in zip(broken, texts, strict=True):
        (problem,) = [each for each in problems if each.path == path]
        assert str(path) in str(problem)
        assert problem.aside == path.with_name(path.name + ".unreadable")
        assert problem.aside.read_bytes() == text
    assert [row.game for row, _ in tables.store.tables()] == ["flower-garden"]
    assert take_over(opened()) == []


def test_files_aside_are_never_written_over(opened: Open, tmp_path: Path) -> None:
    for text in ("one", "two", "three"):
        old_file(tmp_path, "klondike", text, at=at(1))
        take_over(opened())
    assert sorted(path.read_text() for path in tmp_path.glob("games/*/*")) == [
        "one", "three", "two",
    ]  # fmt: skip


def test_a_game_of_a_rules_file_takes_its_rules_along(opened: Open, tmp_path: Path) -> None:
    source = Path(cadogan.__file__).parent / "catalogue" / "klondike.toml"
    rules = tmp_path / "elsewhere" / "mine.toml"
    rules.parent.mkdir()
    shutil.copy(source, rules)
    position = played(f"{rules}:draw-three", 3)
    old_file(tmp_path, "mine", session(position), at=at(1))
    gone = tmp_path / "elsewhere" / "gone.toml"
    shutil.copy(source, gone)
    lost = old_file(tmp_path, "gone", session(played(str(gone), 3)), at=at(2))
    gone.unlink()
    tables = opened()
    (problem,) = take_over(tables)
    assert problem.path == lost
    ((row, _),) = tables.store.tables()
    assert row.game.startswith(OWN)
    assert row.game.endswith(":draw-three")
    rules.unlink()
    again = opened()
    assert again.get(row.id).position == position
    assert again.library.text(row.game) == source.read_text(encoding="utf-8")


def test_a_full_disk_leaves_the_files_for_the_next_start(
    opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = old_file(tmp_path, "flower-garden", WRITTEN, at=at(1))

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    tables = opened()
    with monkeypatch.context() as patch:
        patch.setattr(tables.store, "begin", full)
        (problem,) = take_over(tables)
    assert "full" in problem.reason
    assert problem.aside is None
    assert path.exists()
    assert take_over(tables) == []
    assert not path.exists()


def test_a_start_that_was_killed_between_makes_no_second_table(
    opened: Open, tmp_path: Path
) -> None:
    path = old_file(tmp_path, "flower-garden", WRITTEN, at=at(1))
    tables = opened()
    take_over(tables)
    path.with_name(path.name + ".stored").rename(path)
    assert take_over(opened()) == []
    assert not path.exists()
    assert len(tables.store.tables()) == 1


def test_a_server_moves_them_too_and_reports_what_it_cannot_move(tmp_path: Path) -> None:
    old_file(tmp_path, "flower-garden", WRITTEN, at=at(1))
    broken = old_file(tmp_path, "klondike", "{broken", at=at(2))
    house = AppState(folder=tmp_path, workers=0)
    assert [problem.path for problem in house.problems] == [broken]
    assert [row.game for row, _ in house.store.tables()] == ["flower-garden"]
    house.close()


def test_a_bare_position_can_be_read(opened: Open) -> None:
    position = played("klondike", 3)
    assert read_old(position.to_json(), opened().library).position == position


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: "",
        lambda text: text[: len(text) // 2],
        lambda text: "[]",
        lambda text: "null",
        lambda text: "[" * 100_000,
        lambda text: text.replace('"session": 1', '"session": 99'),
        lambda text: text.replace('"position"', '"pasition"'),
        lambda text: text.replace('"redo": [', '"redo": [3, '),
        lambda text: text.replace('"redo": [', '"redo": ["no such move", '),
        lambda text: text.replace('"cadogan:1"', '"cadogan:2"'),
        lambda text: json.dumps({"session": 1}),
    ],
)
def test_a_damaged_game_is_reported(damage: Callable[[str], str], opened: Open) -> None:
    library = opened().library
    assert read_old(WRITTEN, library).position.move_count == 2
    with pytest.raises(cadogan.SavedGameError):
        read_old(damage(WRITTEN), library)
