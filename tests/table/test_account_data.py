"""All data of a player: exported, and removed."""

import io
import json
import zipfile
from typing import Any

from sqlalchemy import select

from cadogan.table import account_data, schema, shown
from cadogan.table.accounts import Accounts, Player
from cadogan.table.puzzles import Puzzles
from cadogan.table.service import Tables
from cadogan.table.store import now
from tests.games import TINY
from tests.table.test_accounts import PASSWORD, club, session_of, tables
from tests.table.test_store import opened, play

__all__ = ["club", "opened", "tables"]


def furnish(tables: Tables, player: Player, club: Accounts) -> Tables:
    """Gives a player something of every kind."""
    own = tables.of(player.id)
    own.library.add(TINY)
    record = own.deal("golf", "cadogan:1")
    record = play(own, record, record.position.moves()[0].text)
    own.bookmark(record.key, record.version, 0, "a note")
    own.store.set_favourite("golf", True)
    own.store.set_setting("settings", {"deck": "large"})
    puzzles = Puzzles(own.store, own.library)
    puzzles.tried(puzzles.next().key, None)
    shown.show(own.store, record.key)
    session_of(club, player.name)
    club.invite(player=player)
    result = {"day": "2026-11-23", "digest": "d" * 64, "player": player.name, "game": "golf"}
    facts = {"moves": 1, "clean": True, "late": False, "line": "deal", "at": now()}
    values = {**result, **facts, "table_id": record.key, "player_id": player.id}
    with own.store.engine.execution_options(writes=True).begin() as connection:
        connection.execute(schema.daily_results.insert().values(values))
        game: dict[str, Any] = {"game": "golf", "player_id": player.id}
        challenge = {**game, "id": f"c{player.id}", "digest": "d" * 64, "made": now()}
        connection.execute(schema.challenges.insert().values({**challenge, "player": player.name}))
        facts = {"won": True, "moves": 1, "clean": True, "first": True, "line": "deal", "at": now()}
        whose = {"player": player.name, "player_id": player.id}
        values = {"challenge": challenge["id"], **whose, **facts, "table_id": record.key}
        connection.execute(schema.challenge_results.insert().values(values))
        counts = dict.fromkeys(("tried", "unwinnable", "unknown", "nodes"), 0)
        search = {**game, **counts, "id": f"s{player.id}", "state": "found", "rated": []}
        connection.execute(schema.searches.insert().values({**search, "seen": now()}))
        connection.execute(schema.hinted.insert().values(table_id=record.key))
    return own


def rows_of(tables: Tables, player: Player) -> dict[str, int]:
    """How many rows of each database table are of a player."""
    found: dict[str, int] = {}
    with tables.store.engine.connect() as connection:
        keys = select(schema.tables.c.id).where(schema.tables.c.player_id == player.id)
        for table in account_data.OWN:
            mine = select(table).where(table.c.player_id == player.id)
            found[table.name] = len(connection.execute(mine).all())
        for table in account_data.OF_TABLES:
            mine = select(table).where(table.c.table_id.in_(keys))
            found[table.name] = len(connection.execute(mine).all())
    return found


def test_a_removed_account_leaves_nothing(club: Accounts, tables: Tables) -> None:
    bea, cea = (club.add(name, PASSWORD) for name in ("Bea", "Cea"))
    own = furnish(tables, bea, club)
    furnish(tables, cea, club)
    before = rows_of(tables, cea)
    # Of every kind there is something, else this test would not notice it.
    assert {name for name, rows in rows_of(tables, bea).items() if not rows} == {"stranded_events"}
    keys = [row.id for row, _ in own.store.tables()]
    account_data.remove(tables.store, bea)
    assert set(rows_of(tables, bea).values()) == {0}
    assert rows_of(tables, cea) == before
    with tables.store.engine.connect() as connection:
        for table in schema.metadata.sorted_tables:
            assert "Bea" not in str(connection.execute(select(table)).all()), table.name
        for table in account_data.OF_TABLES:
            where = table.c.table_id.in_(keys)
            assert connection.execute(select(table).where(where)).all() == []
        results = connection.execute(select(schema.daily_results)).all()
    # The result stays, without a name.
    assert sorted(result.player_id for result in results) == [schema.SHARED, cea.id]
    assert club.named("Bea") is None
    assert club.add("Bea", PASSWORD).id != bea.id
    assert rows_of(tables, bea) == dict.fromkeys(rows_of(tables, bea), 0)


def test_an_export_has_everything(club: Accounts, tables: Tables) -> None:
    bea = club.add("Bea", PASSWORD)
    own = furnish(tables, bea, club)
    furnish(tables, club.players()[0], club)
    out = io.BytesIO()
    account_data.export(tables.store, bea, out)
    with zipfile.ZipFile(out) as archive:
        assert archive.testzip() is None
        texts = {name: archive.read(name).decode() for name in archive.namelist()}
    files: dict[str, Any] = {
        name: json.loads(text) for name, text in texts.items() if name.endswith(".json")
    }
    assert files["account.json"]["name"] == "Bea"
    assert files["settings.json"] == [{"key": "settings", "value": {"deck": "large"}}]
    assert files["favourites.json"] == [{"game": "golf"}]
    assert len(files["first_tries.json"]) == len(files["sessions.json"]) == 1
    assert files["daily_results.json"][0]["player"] == "Bea"
    ((row, _),) = own.store.tables()
    table = files[f"tables/{row.id}.json"]
    assert [event["kind"] for event in table["events"]] == ["move", "mark"]
    assert table["deal"] == "cadogan:1"
    assert table["summaries"][0]["made"] == 1
    assert [name for name in texts if name.startswith("tables/")] == [f"tables/{row.id}.json"]
    (rules,) = (name for name in texts if name.endswith(".toml"))
    assert texts[rules] == TINY
    assert row.id in texts["statistics.csv"]
    # Everything that a removal removes is in it, and nothing of others, and no secret.
    kinds = {table.name for table in account_data.OWN} - {"tables", "rules"}
    assert {f"{kind}.json" for kind in kinds} <= set(texts)
    everything = "".join(texts.values())
    assert "Ada" not in everything
    assert "argon2" not in everything
    assert '"hash"' not in everything
