"""A record has no gaps; where an old database has one, the part before it is rescued."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from fastapi.testclient import TestClient
from sqlalchemy.exc import IntegrityError

from cadogan.table import schema
from cadogan.table.engines import open_engine
from cadogan.table.intent import Intent
from cadogan.table.library import Library
from cadogan.table.migrations import upgrade
from cadogan.table.record import Event
from cadogan.table.service import Tables
from cadogan.table.store import Conflict, Store
from cadogan.web.app import create_app
from cadogan.web.state import AppState

COLUMNS = ("table_id", "seq", "kind", "node", "data", "at")


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest) -> str | None:
    if request.param == "sqlite":
        return None
    address: str = request.getfixturevalue("postgres")
    return address


@pytest.fixture
def opened(url: str | None, tmp_path: Path) -> Iterator[Callable[[], Tables]]:
    found: list[Store] = []

    def another() -> Tables:
        found.append(Store(url, tmp_path))
        return Tables(found[-1], Library(found[-1]))

    yield another
    for store in found:
        store.close()


def run(tables: Tables, statement: str, **values: Any) -> Any:
    with tables.store._writer.begin() as connection:
        done = connection.execute(sa.text(statement), values)
        return done.all() if done.returns_rows else None


def played(tables: Tables, moves: int) -> str:
    record = tables.deal("klondike", "cadogan:1")
    for _ in range(moves):
        record = tables.move(record.key, record.version, Intent("deal"))[0]
    return record.key


def test_the_database_itself_refuses_a_gap(opened: Callable[[], Tables]) -> None:
    tables = opened()
    key = played(tables, 5)
    columns = ", ".join(COLUMNS)
    for seq in (7, 100, 0, -1):
        with pytest.raises(IntegrityError):
            run(
                tables,
                f"INSERT INTO events ({columns}) "
                "SELECT table_id, :seq, kind, node, data, at FROM events WHERE seq = 5",
                seq=seq,
            )
    with pytest.raises(IntegrityError):
        run(tables, "DELETE FROM events WHERE seq = 3")
    with pytest.raises(IntegrityError):
        run(tables, "UPDATE events SET seq = 7 WHERE seq = 5")
    assert tables.store.version(key) == 5


def test_what_does_not_follow_the_last_event_is_refused(opened: Callable[[], Tables]) -> None:
    tables = opened()
    key = played(tables, 3)
    record = tables.get(key)
    late = record.after([Event("mark", 0, {"name": "x"}, record.played)])
    for after in (0, 2, 4, 5):
        with pytest.raises(Conflict):
            tables.store.append(key, after, [Event("mark", 0, {"name": "x"}, record.played)], late)
        with pytest.raises(Conflict):
            tables.store.append(key, after, [], late)
    assert len(tables.store.events(key)) == 3


def old(url: str | None, folder: Path, rows: list[dict[str, Any]], events: list[Any]) -> None:
    """A database as it was before there were constraints."""
    engine = open_engine(url, folder)
    upgrade(engine, "0001")
    metadata = sa.MetaData()
    with engine.execution_options(writes=True).begin() as connection:
        metadata.reflect(connection)
        assert "previous" not in metadata.tables["events"].c
        for row in rows:
            for name, values in row.items():
                connection.execute(metadata.tables[name].insert(), values)
        connection.execute(metadata.tables["events"].insert(), events)
    engine.dispose()


def test_an_old_database_with_gaps_is_rescued(url: str | None, tmp_path: Path) -> None:
    # Three tables as they should be, taken from a database of today.
    source = tmp_path / "source"
    store = Store(folder=source)
    tables = Tables(store, Library(store))
    keys = [played(tables, 6) for _ in range(4)]
    with store.engine.connect() as connection:
        dealt = [dict(row) for row in connection.execute(sa.select(schema.tables)).mappings()]
        sums = [dict(row) for row in connection.execute(sa.select(schema.summaries)).mappings()]
        chosen = sa.select(*(schema.events.c[name] for name in COLUMNS))
        events = [dict(row) for row in connection.execute(chosen).mappings()]
    store.close()
    gaps = {keys[0]: (), keys[1]: (4,), keys[2]: (1, 3), keys[3]: (3, 5)}
    kept = [each for each in events if each["seq"] not in gaps[each["table_id"]]]
    old(url, tmp_path, [{"tables": dealt}, {"summaries": sums}], kept)

    state = AppState(url, tmp_path, workers=0)
    with TestClient(create_app(state), base_url="http://127.0.0.1:7617") as client:
        expected = {keys[0]: (6, 0), keys[1]: (3, 2), keys[2]: (0, 4), keys[3]: (2, 2)}
        for key, (version, stranded) in expected.items():
            table = client.get(f"/api/tables/{key}").json()
            assert (table["version"], table["turn"]) == (version, version)
            if stranded:
                assert table["stranded"]["key"] == "stranded"
                assert table["stranded"]["text"].startswith(f"{stranded} changes at this table")
                german = client.get(f"/api/tables/{key}?lang=de").json()["stranded"]["text"]
                assert german.startswith(f"{stranded} Änderungen an diesem Tisch")
            else:
                assert table["stranded"] is None
            # Nothing is gone, and it can be played on.
            count = "SELECT COUNT(*) FROM stranded_events WHERE table_id = :key"
            assert run(state.tables, count, key=key) == [(stranded,)]
            wish = {"version": version, "text": "deal"}
            assert client.post(f"/api/tables/{key}/moves", json=wish).status_code == 200
        lists = {each["id"]: each["turn"] for each in client.get("/api/tables").json()}
        assert lists == {key: version + 1 for key, (version, _) in expected.items()}
    state.close()
    # Once more, as every server does at its start: nothing else happens.
    store = Store(url, tmp_path)
    tables = Tables(store, Library(store))
    for key, (version, stranded) in expected.items():
        assert (tables.get(key).version, tables.get(key).stranded) == (version + 1, stranded)
    store.close()


@pytest.mark.parametrize(
    "damage",
    [
        {"kind": "move", "node": 4, "data": '{"move": "nonsense", "parent": 3}'},
        {"kind": "move", "node": 9, "data": '{"move": "deal", "parent": 3}'},
        {"kind": "move", "node": 4, "data": '{"move": "deal", "parent": "x"}'},
        {"kind": "goto", "node": 77, "data": "{}"},
        {"kind": "mark", "node": 0, "data": "[]"},
    ],
)
def test_what_cannot_be_repeated_is_set_aside(
    damage: dict[str, Any], opened: Callable[[], Tables]
) -> None:
    tables = opened()
    key = played(tables, 6)
    run(
        tables, "UPDATE events SET kind = :kind, node = :node, data = :data WHERE seq = 4", **damage
    )
    one, two = opened(), opened()
    found = one.get(key)
    assert (found.version, found.position.move_count, found.stranded) == (3, 3, 3)
    found = one.move(key, 3, Intent("deal"))[0]
    assert two.get(key).version == 4
    # Who has not seen it yet takes nothing away that was added since.
    assert tables.get(key).version == 4
    assert two.store.strand(found, None) == 0
    assert opened().get(key).version == 4
    seqs = run(tables, "SELECT seq FROM stranded_events ORDER BY id")
    assert [row[0] for row in seqs] == [4, 5, 6]


@pytest.mark.parametrize(
    "damage", ["data = '{\"mo'", "at = 'yesterday'", "data = 'NaN'", "node = 'x', kind = ''"]
)
@pytest.mark.parametrize("seq", [1, 4])
def test_an_event_that_cannot_even_be_read_is_set_aside(
    damage: str, seq: int, tmp_path: Path
) -> None:
    store = Store(folder=tmp_path)
    tables = Tables(store, Library(store))
    key = played(tables, 6)
    run(tables, f"UPDATE events SET {damage} WHERE seq = {seq}")
    # A service with the table in memory, one that reads all of it, and one that reads the rest.
    assert tables.get(key).version == 6
    fresh = Tables(store, Library(store))
    record = fresh.get(key)
    assert (record.version, record.stranded) == (seq - 1, 7 - seq)
    record = fresh.move(key, record.version, Intent("deal"))[0]
    assert (record.version, record.stranded) == (seq, 7 - seq)
    assert tables.get(key).version == seq
    store.close()
