"""Backups made while players move, and what is restored from them."""

import contextlib
import re
import sqlite3
import threading
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, func, insert, select

from cadogan.cli import main
from cadogan.table import migrations, schema
from cadogan.table.backup import BackupError, backup, restore
from cadogan.table.engines import FILE, open_engine
from cadogan.table.intent import Intent
from cadogan.table.library import Library
from cadogan.table.service import Tables
from cadogan.table.store import Store, now
from tests.documents import ROOT, blocks
from tests.table.postgres import empty

pytestmark = pytest.mark.takes_turns(5)

PLAYERS = 3
GAMES = ("klondike", "spider", "freecell")


class Playing:
    """Players who move as fast as the database allows, in threads."""

    def __init__(self, store: Store) -> None:
        self.tables = Tables(store, Library(store))
        self.acknowledged: dict[str, int] = {}
        self.enough = threading.Event()
        self._over = threading.Event()
        self._threads = [
            threading.Thread(target=self._play, args=(game, number))
            for number, game in enumerate(GAMES[:PLAYERS])
        ]

    def _play(self, game: str, seed: int) -> None:
        record = self.tables.deal(game, f"cadogan:{seed + 1}")
        while not self._over.is_set():
            moves = record.position.moves()
            if moves and record.version % 7:
                intent = Intent(moves[record.version % len(moves)].text, None, None, None)
                record, _ = self.tables.move(record.key, record.version, intent)
            else:
                record = self.tables.restart(record.key, record.version)
                intent = Intent(record.position.moves()[0].text, None, None, None)
                record, _ = self.tables.move(record.key, record.version, intent)
            self.acknowledged[record.key] = record.version
            if len(self.acknowledged) == PLAYERS and min(self.acknowledged.values()) > 10:
                self.enough.set()

    def __enter__(self) -> "Playing":
        for thread in self._threads:
            thread.start()
        assert self.enough.wait(60)
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join()


@pytest.mark.parametrize(
    ("source", "target"),
    [("sqlite", "sqlite"), ("postgresql", "postgresql"), ("sqlite", "postgresql")],
)
def test_a_backup_under_moves_has_every_acknowledged_one(
    source: str, target: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    address = request.getfixturevalue("postgres") if "postgresql" in (source, target) else None
    old = address if source == "postgresql" else None
    file = tmp_path / "backup.sqlite3"
    with contextlib.closing(Store(old, tmp_path / "old")) as store:
        store.save_rules("mine", "name = 'Mine'")
        store.set_setting("nothing", None)
        with Playing(store) as playing:
            before = dict(playing.acknowledged)
            made = backup(file, old, tmp_path / "old")
            after = dict(playing.acknowledged)
        line = {key: store.events(key) for key in before}
    if target == "postgresql" and address is not None:
        empty(address)
    new = address if target == "postgresql" else None
    assert made.rows["tables"] == PLAYERS
    assert restore(file, new, tmp_path / "new") == made
    with contextlib.closing(Store(new, tmp_path / "new")) as store:
        tables = Tables(store, Library(store))
        for key, version in before.items():
            found = store.events(key)
            assert len(found) >= version
            assert found == line[key][: len(found)]
            assert tables.get(key).version == len(found)
        assert store.rules()["mine"] == ("name = 'Mine'", False)
        assert store.setting("nothing") is None
        summary = select(schema.summaries.c.table_id, schema.summaries.c.version)
        with store.engine.connect() as connection:
            versions = {row[0]: row[1] for row in connection.execute(summary)}
        # Each summary fits its record: the copy is of one moment.
        assert versions == {key: store.version(key) for key in before}
    # The players did not wait for it.
    assert sum(after.values()) >= sum(before.values())


def strand(store: Store, row: dict[str, Any]) -> None:
    def change(connection: Connection) -> None:
        connection.execute(insert(schema.stranded_events), row)

    store.change(change, 1)


def test_numbers_continue_after_those_of_the_backup(tmp_path: Path, postgres: str) -> None:
    with contextlib.closing(Store(folder=tmp_path)) as store:
        key = Tables(store, Library(store)).deal("golf", "cadogan:1").key
        row = {"table_id": key, "seq": 9, "kind": "move", "node": 1, "data": {}, "at": now()}
        strand(store, row)
    backup(tmp_path / "copy", None, tmp_path)
    restore(tmp_path / "copy", postgres, tmp_path)
    with contextlib.closing(Store(postgres, tmp_path)) as store:
        strand(store, row)
        with store.engine.connect() as connection:
            count = select(func.count()).select_from(schema.stranded_events)
            assert connection.execute(count).scalar() == 2


def filled(folder: Path) -> Path:
    """A backup of a table with a move."""
    with contextlib.closing(Store(folder=folder)) as store:
        tables = Tables(store, Library(store))
        record = tables.deal("klondike", "cadogan:1")
        tables.move(record.key, record.version, Intent("deal", None, None, None))
    file = folder / "backup"
    backup(file, None, folder)
    return file


def test_nothing_is_overwritten(tmp_path: Path, postgres: str) -> None:
    file = filled(tmp_path)
    kept = file.read_bytes(), (tmp_path / FILE).read_bytes()
    with pytest.raises(BackupError, match="exists already and is not overwritten"):
        backup(file, None, tmp_path)
    with pytest.raises(BackupError, match="exists already and is not overwritten"):
        restore(file, None, tmp_path)
    restore(file, postgres, tmp_path)
    with pytest.raises(BackupError, match="has contents already"):
        restore(file, postgres, tmp_path)
    assert (file.read_bytes(), (tmp_path / FILE).read_bytes()) == kept
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith(".")) == []


def test_only_the_owner_reads_a_backup(tmp_path: Path) -> None:
    file = filled(tmp_path)
    assert file.stat().st_mode & 0o777 == 0o600
    restore(file, None, tmp_path / "new")
    assert (tmp_path / "new" / FILE).stat().st_mode & 0o777 == 0o600


def test_a_damaged_backup_is_refused(tmp_path: Path) -> None:
    file = filled(tmp_path)
    whole = file.read_bytes()
    for place in (4096, 5 * 4096, len(whole) - 4096):  # pages of the file
        file.write_bytes(whole[:place] + b"\xa5" * 2048 + whole[place + 2048 :])
        with pytest.raises(BackupError):
            restore(file, None, tmp_path / "new")
    for content in (b"", b"no database", whole[: len(whole) // 2]):
        file.write_bytes(content)
        with pytest.raises(BackupError):
            restore(file, None, tmp_path / "new")
    assert not (tmp_path / "new" / FILE).exists()
    with pytest.raises(BackupError, match="does not exist"):
        restore(tmp_path / "none", None, tmp_path / "new")


def test_a_damaged_database_gives_no_backup(tmp_path: Path) -> None:
    filled(tmp_path)
    path = tmp_path / FILE
    whole = path.read_bytes()
    path.write_bytes(whole[:8192] + b"\xa5" * 4096 + whole[12288:])
    with pytest.raises(BackupError) as refused:
        backup(tmp_path / "second", None, tmp_path)
    assert "rescue" in (refused.value.hint or "")
    assert not (tmp_path / "second").exists()


def test_a_backup_of_another_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = filled(tmp_path)
    with contextlib.closing(sqlite3.connect(file)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()
    with pytest.raises(BackupError, match="newer version"):
        restore(file, None, tmp_path / "new")


def test_an_old_backup_gets_the_current_format(tmp_path: Path) -> None:
    folder = tmp_path / "old"
    folder.mkdir()
    engine = open_engine(None, folder)
    migrations.upgrade(engine, "0002")
    engine.dispose()
    backup(tmp_path / "backup", None, folder)
    restore(tmp_path / "backup", None, tmp_path / "new")
    engine = open_engine(None, tmp_path / "new")
    assert migrations.is_current(engine)
    engine.dispose()


def test_without_a_database_there_is_no_backup(tmp_path: Path) -> None:
    with pytest.raises(BackupError, match="there is no database"):
        backup(tmp_path / "backup", None, tmp_path / "empty")
    assert not (tmp_path / "empty").exists()


def test_the_commands_say_what_they_did(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CADOGAN_HOME", str(tmp_path / "old"))
    (tmp_path / "old").mkdir()
    filled(tmp_path / "old")
    file = tmp_path / "saved"
    assert main(["backup", str(file)]) == 0
    assert capsys.readouterr().out == "saved 1 table with 1 change, 1 summaries\n"
    assert main(["backup", str(file)]) == 2
    assert "exists already and is not overwritten" in capsys.readouterr().err
    monkeypatch.setenv("CADOGAN_HOME", str(tmp_path / "new"))
    assert main(["restore", str(file)]) == 0
    done = capsys.readouterr()
    assert done.out == "restored 1 table with 1 change, 1 summaries\n"
    assert done.err.startswith("the last change is from 20")
    assert main(["restore", str(file)]) == 2
    assert "hint: move it away" in capsys.readouterr().err
    # As in the manual, but for the numbers.
    (shown,) = (each for each in blocks(ROOT / "docs/hosting.md") if each.language == "console")
    commands = [line for line in shown.text.splitlines() if line.startswith("$")]
    answers = [line for line in shown.text.splitlines() if not line.startswith("$")]
    assert commands == ["$ cadogan backup FILE", "$ cadogan restore FILE"]
    form = r"(saved|restored) \d+ tables with \d+ changes(, \d+ [a-z ]+)+"
    assert all(re.fullmatch(form, line) for line in answers)
