"""All data of a player: as a file to take along, and gone."""

import json
import zipfile
from collections.abc import Iterator
from datetime import datetime
from typing import IO, Any, Final

from sqlalchemy import Connection, Table, delete, select, update

from cadogan.table import schema
from cadogan.table.accounts import Player, keep_a_host
from cadogan.table.statistics import results, to_csv
from cadogan.table.store import Store, new_id, now
from cadogan.table.writer import MOST_ROWS_TOGETHER

OWN: Final = tuple(table for table in schema.metadata.sorted_tables if "player_id" in table.c)
"""The database tables with rows of players."""
OF_TABLES: Final = (schema.events, schema.stranded_events, schema.summaries, schema.hinted)
"""Those whose rows belong to a table of a player."""
SECRET: Final = frozenset({"hash", "password", "player_id", "folded", "previous"})
"""Columns that are left out: hashes, and what says nothing to the player."""
DATE: Final = (2026, 1, 1, 0, 0, 0)


def export(store: Store, player: Player, out: IO[bytes]) -> None:
    """Writes everything that is stored of a player: JSON files, rules files and a CSV, in a ZIP.

    Args:
        store: The database.
        player: The player.
        out: Where to write.
    """
    own = store.of(player.id)
    with (
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive,
        store.engine.connect() as connection,
    ):
        account = {"name": player.name, "role": player.role, "created": player.created}
        _write(archive, "account.json", {**account, "exported": now()})
        for table in OWN:
            if table.name not in ("tables", "rules"):
                rows = connection.execute(select(table).where(table.c.player_id == player.id))
                found = [_plain(row) for row in rows.mappings()]
                _write(archive, f"{table.name}.json", found)
        for key in _keys(connection, player.id):
            _write(archive, f"tables/{key}.json", _table(connection, player.id, key))
        for name, (text, _) in own.rules().items():
            archive.writestr(_entry(f"rules/{name}.toml"), text)
        archive.writestr(_entry("statistics.csv"), to_csv(results(own)))


def _table(connection: Connection, player: int, key: str) -> dict[str, Any]:
    """A table with all that hangs on it."""
    table = schema.tables
    where = (table.c.id == key) & (table.c.player_id == player)
    found = _plain(connection.execute(select(table).where(where)).mappings().one())
    for table in OF_TABLES:
        rows = connection.execute(select(table).where(table.c.table_id == key)).mappings()
        found[table.name] = [_plain(each) for each in rows]
    return found


def _keys(connection: Connection, player: int) -> list[str]:
    tables = schema.tables
    query = select(tables.c.id).where(tables.c.player_id == player).order_by(tables.c.begun)
    return list(connection.execute(query).scalars())


def _plain(row: Any) -> dict[str, Any]:
    return {key: value for key, value in row.items() if key not in SECRET}


def _entry(name: str) -> zipfile.ZipInfo:
    found = zipfile.ZipInfo(name, DATE)
    found.compress_type = zipfile.ZIP_DEFLATED
    return found


def _write(archive: zipfile.ZipFile, name: str, value: Any) -> None:
    text = json.dumps(value, indent=1, ensure_ascii=False, default=_date)
    archive.writestr(_entry(name), text.encode("utf-8", "surrogatepass"))


def _date(value: Any) -> str:
    assert isinstance(value, datetime)
    return value.isoformat()


def remove(store: Store, player: Player) -> None:
    """Removes an account with everything that is stored of it, in one transaction.

    Results of daily deals stay, without a name: others have compared theirs with them.

    Raises:
        AccountError: If no host would be left.
    """

    def change(connection: Connection) -> None:
        keep_a_host(connection, player.id)
        for some in _some(_keys(connection, player.id)):
            for table in OF_TABLES:
                connection.execute(delete(table).where(table.c.table_id.in_(some)))
        _forget_name(connection, player.id)
        for table in OWN:
            connection.execute(delete(table).where(table.c.player_id == player.id))
        connection.execute(delete(schema.players).where(schema.players.c.id == player.id))

    store.change(change, MOST_ROWS_TOGETHER)


def _some(keys: list[str], number: int = 500) -> Iterator[list[str]]:
    for first in range(0, len(keys), number):
        yield keys[first : first + number]


def _forget_name(connection: Connection, player: int) -> None:
    """Makes the results of a player those of nobody. Each gets a name that nobody can see."""
    table: Table = schema.daily_results
    mine = table.c.player_id == player
    keys = list(table.primary_key.columns)
    for row in connection.execute(select(*keys).where(mine)).mappings().all():
        where = [column == row[column.name] for column in keys]
        values = {"player_id": schema.SHARED, "player": new_id(), "table_id": None}
        connection.execute(update(table).where(*where).values(values))
