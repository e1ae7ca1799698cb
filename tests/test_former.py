"""What was stored before the fields of the program were renamed (its format 1) still opens.

The files in ``tests/former`` were written then, with the rules files that lie there, too. They name
these by the digest of that time.
"""

import json
import shutil
import sqlite3
from pathlib import Path

import pytest

from cadogan import Position
from cadogan.study.run import run
from cadogan.study.store import Store as Results
from cadogan.study.verify import verify
from cadogan.table.engines import FILE
from cadogan.table.library import Library
from cadogan.table.service import Tables
from cadogan.table.statistics import results
from cadogan.table.store import Store
from tests.study.support import small_plan, steady

FORMER = Path(__file__).parent / "former"
GARDEN = "own.a-former-garden.acf2364192fc8d90a1aa4da58dd1e206"
KLONDIKE = "own.a-former-klondike.b17c4481eb34af282e79c1dda9d84d6b"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the files, where games are named without a folder."""
    place = tmp_path / "former"
    shutil.copytree(FORMER, place)
    monkeypatch.chdir(place)
    return place


def test_a_saved_game_opens() -> None:
    text = (FORMER / "saved.json").read_text(encoding="utf-8")
    position = Position.from_json(text)
    assert f"{position.hash:032x}" == json.loads(text)["hash"]
    assert position.to_json() == text


@pytest.fixture
def store(tmp_path: Path) -> Store:
    with sqlite3.connect(tmp_path / FILE) as database:
        database.executescript((FORMER / "tables.sql").read_text(encoding="utf-8"))
    database.close()
    return Store(None, tmp_path)


def test_tables_open_with_all_their_moves(store: Store) -> None:
    tables = Tables(store, Library(store))
    rows = {row.game: row for row, _ in store.tables()}
    garden, klondike = tables.get(rows[GARDEN].id), tables.get(rows[KLONDIKE].id)
    # The last of eight moves was taken back.
    assert (len(garden.nodes), garden.position.move_count) == (9, 7)
    assert (len(klondike.nodes), klondike.position.move_count) == (11, 10)
    for record in (garden, klondike):
        assert rows[record.game.name].digest == record.game.digest
        assert tables.go(record.key, record.version, 0).position.move_count == 0
    store.close()


def test_verdicts_are_found_again(store: Store) -> None:
    found = {result.game: result.deal_verdict for result in results(store)}
    assert found == {GARDEN: "winnable", KLONDIKE: "unwinnable"}
    tables = Tables(store, Library(store))
    for row, _ in store.tables():
        first = tables.get(row.id).nodes[0].position
        verdict = store.verdict(first.game.digest, f"{first.hash:032x}")
        assert verdict == found[row.game]
    store.close()


def test_the_text_file_of_a_game_opens(store: Store) -> None:
    tables = Tables(store, Library(store))
    record = tables.read((FORMER / "game.txt").read_text(encoding="utf-8"))
    assert (record.game.name, record.position.move_count) == (KLONDIKE, 10)
    store.close()


def test_the_results_of_a_study_count(folder: Path) -> None:
    results, plan = Results(folder / "study"), small_plan(5, games=["garden.toml", "klondike.toml"])
    before = [part.name for part in results.parts()]
    done = run(plan, results, steady())
    # Nothing is tried again.
    assert done.done == 0
    assert [part.name for part in results.parts()] == before
    seen = verify(results, plan, sample=2)
    assert (seen.parts, seen.skipped, seen.faults) == (4, 0, [])
