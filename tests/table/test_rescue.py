"""Databases that are damaged in many ways, and what ``cadogan rescue`` recovers."""

import os
import random
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert

from cadogan.table import schema
from cadogan.table.engines import FILE, StoreError
from cadogan.table.intent import Intent
from cadogan.table.library import Library
from cadogan.table.puzzles import Puzzles
from cadogan.table.rescue import Rescue, RescueError, rescue
from cadogan.table.service import Tables
from cadogan.table.store import Store, now
from tests.cli.conftest import Run, home, run
from tests.conftest import THOROUGH
from tests.games import TINY

pytestmark = pytest.mark.takes_turns(5)

__all__ = ["home", "run"]
PAGE = 4096
TABLES = 100
"""So many that most pages of the file hold rows: every database has some fifty others."""
DAILY = {"day": "2026-11-23", "digest": "d" * 64}
RESULT = {"player": "Ada", "game": "golf", "moves": 1, "clean": True, "late": False, "line": "deal"}
ADA = 2**31 - 1
ACCOUNT = {"password": "$argon2id$", "role": "host"}
PLAYERS = schema.PLAYER, ADA
OTHERS: dict[str, dict[str, Any]] = {
    "daily_deals": {**DAILY, "deal": "cadogan:1"},
    "daily_results": {**DAILY, **RESULT, "at": now()},
    "hinted": {"table_id": "0" * 16},
    "players": {"id": ADA, "name": "Ada", "folded": "ada", **ACCOUNT, "created": now()},
    "challenges": {
        "id": "c" * 16, "game": "golf", "digest": "d" * 64, "deal": "cadogan:1", "player": "Ada",
        "player_id": ADA, "made": now(),
    },
    "challenge_results": {
        "challenge": "c" * 16, "player": "Ada", "player_id": ADA, "won": False, "moves": 0,
        "clean": True, "first": True, "line": "", "at": now(),
    },
    "shown_tables": {"table_id": "0" * 16, "hash": "e" * 64, "player_id": ADA, "made": now()},
}  # fmt: skip
"""A row of each database table that this test fills directly."""


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with much in it, copied while the server runs: a part is in the log only."""
    folder = tmp_path_factory.mktemp("sound")
    store = Store(folder=folder)
    library = Library(store)
    tables = Tables(store, library)
    own, _ = library.add(TINY)
    library.of(ADA).add(TINY)
    chance = random.Random(11)
    everybodys = tables
    for number in range(TABLES):
        game = (own, "klondike", "golf", "freecell")[number % 4]
        tables = everybodys.of(PLAYERS[number % 5 == 0])
        record = tables.deal(game, f"cadogan:{number}")
        for _ in range(15 + 5 * (number % 5)):
            if chance.random() < 0.2 and record.position.move_count:
                record = tables.undo(record.key, record.version)
                continue
            moves = record.position.moves()
            if not moves:
                break
            text = chance.choice(moves).text
            record, _ = tables.move(record.key, record.version, Intent(text, None, None, None))
        if number == 3 * TABLES // 4:
            for verdict in range(500):
                store.save_verdict("d" * 64, f"{verdict:032x}", "winnable", 1)
            with store.engine.connect() as connection:
                connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    store.of(ADA).set_favourite("golf", True)
    store.set_favourite("klondike", True)
    store.set_favourite("klondike", False)
    store.set_setting("settings", {"deck": "large"})
    puzzles = Puzzles(store, tables.library)
    puzzles.tried(puzzles.next().key, None)
    with store.engine.execution_options(writes=True).begin() as connection:
        for table, values in OTHERS.items():
            connection.execute(insert(getattr(schema, table)).values(values))
    kept = folder / "kept"
    kept.mkdir()
    for name in (FILE, f"{FILE}-wal"):
        shutil.copyfile(folder / name, kept / name)
    store.close()
    shutil.copyfile(folder / FILE, kept / "closed")
    return kept


@pytest.fixture
def closed(sound: Path, tmp_path: Path) -> Path:
    """The database after the server has ended: no log."""
    file = tmp_path / FILE
    shutil.copyfile(sound / "closed", file)
    return file


@pytest.fixture
def killed(sound: Path, tmp_path: Path) -> Path:
    """The database after the server was killed: with its log."""
    file = tmp_path / FILE
    shutil.copyfile(sound / FILE, file)
    shutil.copyfile(sound / f"{FILE}-wal", tmp_path / f"{FILE}-wal")
    return file


def events_in(file: Path) -> dict[str, int]:
    connection = sqlite3.connect(file)
    query = "SELECT tables.id, COUNT(seq) FROM tables LEFT JOIN events ON id = table_id GROUP BY 1"
    found = dict(connection.execute(query))
    connection.close()
    return found


def rescued(file: Path) -> Rescue:
    """Rescues, and plays on at every table that was rescued."""
    before = {path: path.read_bytes() for path in file.parent.iterdir() if path.is_file()}
    found = rescue(file, file.with_name("new"))
    # The old files are as they were, and nothing else has been left behind.
    after = {path: path.read_bytes() for path in file.parent.iterdir() if path.is_file()}
    assert after.pop(file.with_name("new"))
    assert after == before
    assert found.to.stat().st_mode & 0o777 == 0o600
    folder = file.parent / "again"
    folder.mkdir()
    shutil.copyfile(found.to, folder / FILE)
    store = Store(folder=folder)
    try:
        everybodys = Tables(store, Library(store))
        listed = [(player, *found) for player in PLAYERS for found in store.of(player).tables()]
        partly = [loss for loss in found.losses if loss.reason is None]
        assert len(listed) == found.whole + len(partly)
        for player, row, summary in listed:
            tables = everybodys.of(player)
            record = tables.get(row.id)
            assert record.version == summary["version"] == tables.store.version(row.id)
            assert record.made == summary["made"]
            moves = record.position.moves()
            if moves and not record.position.outcome:
                intent = Intent(moves[0].text, None, None, None)
                tables.move(row.id, record.version, intent)
        for loss in partly:
            versions = [store.of(player).version(loss.key) for player in PLAYERS]
            assert max(versions) >= loss.rescued
            assert loss.rescued < loss.changes
    finally:
        store.close()
    return found


def test_what_is_whole_is_copied_whole(closed: Path) -> None:
    found = rescued(closed)
    assert not found.damaged
    assert (found.whole, found.losses) == (TABLES, [])
    others = {"rules": 2, "verdicts": 500, "favourites": 1, "settings": 1}
    assert found.other == {**others, "ratings": 2, "first_tries": 1, **dict.fromkeys(OTHERS, 1)}
    assert events_in(found.to) == events_in(closed)


def test_no_table_of_the_schema_is_forgotten(closed: Path) -> None:
    """A new table is rescued, and has a row here, or it is said that it is left."""
    left = {"searches", "jobs", "attempts", "sessions", "invitations"}
    of_tables = {"tables", "events", "stranded_events", "summaries"}
    assert {*rescued(closed).other, *of_tables, *left} == set(schema.metadata.tables)


def test_the_log_counts_too(killed: Path, sound: Path) -> None:
    found = rescued(killed)
    assert not found.damaged
    assert (found.whole, found.losses) == (TABLES, [])
    assert events_in(found.to) == events_in(sound / "closed")


@pytest.mark.slow
def test_every_page_may_be_overwritten(closed: Path, tmp_path: Path, sound: Path) -> None:
    """One page is lost, and never more than what stood there."""
    whole = (sound / "closed").read_bytes()
    before = events_in(sound / "closed")
    pages = range(len(whole) // PAGE)
    chosen = pages if THOROUGH else [0, 1, *random.Random(5).sample(pages, 2)]
    for page in chosen:
        for filling in (b"\0" * PAGE, os.urandom(PAGE)):
            folder = tmp_path / f"{page}-{filling[:1].hex()}"
            folder.mkdir()
            file = folder / FILE
            file.write_bytes(whole[: page * PAGE] + filling + whole[(page + 1) * PAGE :])
            found = rescued(file)
            after = events_in(found.to)
            assert all(after[key] <= before[key] for key in after)
            # A leaf of the events has some forty of them; a gap costs those behind it, too. A leaf
            # of the tables has some twenty.
            lost = sum(before.values()) - sum(after.values())
            assert lost < sum(before.values()) / 3, page
            shutil.rmtree(folder)


@pytest.mark.parametrize("first", range(0, 10, 3))
def test_many_pages_overwritten(first: int, closed: Path) -> None:
    pages = closed.stat().st_size // PAGE
    with closed.open("r+b") as file:
        for page in range(first, pages, 10):
            file.seek(page * PAGE)
            file.write(os.urandom(PAGE))
    with pytest.raises(StoreError, match="damaged|not a database") as answer:
        Store(folder=closed.parent)
    assert "cadogan rescue" in str(answer.value.hint)
    found = rescued(closed)
    assert found.damaged
    assert found.losses
    assert found.whole >= TABLES / 16


@pytest.mark.parametrize("share", [0.9, 0.5, 0.2])
def test_a_truncated_file(share: float, closed: Path) -> None:
    os.truncate(closed, int(closed.stat().st_size * share))
    found = rescued(closed)
    assert found.damaged
    assert found.whole >= TABLES / 2 or share < 0.9
    assert found.whole or share < 0.5


@pytest.mark.parametrize("share", [0.5, 0.0])
def test_a_truncated_file_with_its_log(share: float, killed: Path) -> None:
    os.truncate(killed, int(killed.stat().st_size * share))
    if share:
        again = killed.parent / "again"
        shutil.copytree(killed.parent, again)
        with pytest.raises(StoreError, match="the database is damaged"):
            Store(folder=again)
        shutil.rmtree(again)
    found = rescued(killed)
    # What was played last is in the log.
    assert found.whole >= TABLES / 16
    assert found.damaged


def test_a_log_of_garbage(killed: Path) -> None:
    log = killed.with_name(f"{FILE}-wal")
    log.write_bytes(b"no log" + os.urandom(log.stat().st_size))
    with pytest.raises(StoreError, match="the database is damaged"):
        Store(folder=killed.parent)
    found = rescued(killed)
    assert found.damaged
    # What had been moved to the file itself is there.
    assert found.whole >= TABLES // 2


def test_a_log_with_damage_in_the_middle(killed: Path) -> None:
    log = killed.with_name(f"{FILE}-wal")
    with log.open("r+b") as file:
        file.seek(log.stat().st_size // 3)
        file.write(os.urandom(300))
    assert rescued(killed).whole >= TABLES // 2


def test_what_is_no_database_is_reported(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "notes"
    file.write_bytes(os.urandom(50_000))
    with pytest.raises(RescueError, match="holds no data of a Cadogan database"):
        rescue(file, tmp_path / "new")
    assert not (tmp_path / "new").exists()
    empty = tmp_path / "empty"
    empty.touch()
    (tmp_path / "other").touch()
    for words, said in (
        ((str(empty),), "holds no data"),
        ((str(tmp_path / "none"),), "does not exist"),
        ((str(tmp_path),), "is not a file"),
        (("/dev/zero", "--to", str(tmp_path / "new")), "is not a file"),
        ((str(file), "--to", str(tmp_path / "other")), "is not overwritten"),
    ):
        result = run("rescue", *words)
        assert result.status == 2
        assert said in result.err
        assert "Traceback" not in result.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["empty", "notes", "other"]


def test_the_command_says_what_was_lost(closed: Path, run: Run) -> None:
    assert run("rescue", str(closed), "--to", str(closed.with_name("copy"))).status == 0
    with closed.open("r+b") as file:
        for page in range(3, closed.stat().st_size // PAGE, 10):
            file.seek(page * PAGE)
            file.write(bytes(PAGE))
    result = run("rescue", str(closed))
    assert result.status == 1
    assert "changes rescued" in result.out
    assert "tables are complete" in result.out
    assert closed.with_name(f"{FILE}.rescued").exists()


def test_a_table_whose_rules_are_lost_is_reported(closed: Path) -> None:
    with sqlite3.connect(closed) as connection:
        connection.execute("DELETE FROM rules")
    connection.close()
    found = rescued(closed)
    lost = [loss for loss in found.losses if loss.reason]
    assert len(lost) == TABLES // 4
    assert all("rules file" in str(loss.reason) for loss in lost)
    assert found.whole == TABLES - len(lost)


def test_an_event_that_cannot_be_repeated_ends_its_table(closed: Path) -> None:
    with sqlite3.connect(closed) as connection:
        (key,) = connection.execute("SELECT table_id FROM events WHERE seq = 10").fetchone()
        what = """kind = 'move', node = 999, data = '{"move": "x", "parent": 0}'"""
        connection.execute(f"UPDATE events SET {what} WHERE table_id = ? AND seq = 7", (key,))
    connection.close()
    found = rescued(closed)
    (loss,) = found.losses
    assert (loss.key, loss.rescued, loss.reason) == (key, 6, None)
