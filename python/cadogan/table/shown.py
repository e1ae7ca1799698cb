"""Tables that their players show to others, by a link that can be withdrawn."""

import secrets
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, delete, insert, select

from cadogan.i18n.text import gettext
from cadogan.table import schema
from cadogan.table.accounts import hashed_secret
from cadogan.table.service import NoTableError
from cadogan.table.store import Store, now

MOST_SHOWN: Final = 100
"""The largest number of tables that a player shows; another one replaces the oldest."""


@dataclass(frozen=True, slots=True)
class ShownTable:
    """A table that is shown.

    Attributes:
        key: Its key.
        player: To whom it belongs.
    """

    key: str
    player: int


def show(store: Store, key: str) -> str:
    """Shows a table to everybody who has a link; an older link does not work any more.

    Args:
        store: The database of the player.
        key: The table.

    Returns:
        The secret in the link, which nobody can find out again.

    Raises:
        NoTableError: If the player has no such table.
    """
    if store.row(key) is None:
        raise NoTableError(gettext("there is no such table"))
    secret, table = secrets.token_urlsafe(24), schema.shown_tables
    values = {
        "table_id": key,
        "hash": hashed_secret(secret),
        "player_id": store.player,
        "made": now(),
    }
    newest = select(table.c.table_id).where(store.mine(table), table.c.table_id != key)
    newest = newest.order_by(table.c.made.desc()).limit(MOST_SHOWN - 1)

    def change(connection: Connection) -> None:
        stay = connection.execute(newest).scalars().all()
        old = store.mine(table) & table.c.table_id.not_in(stay)
        connection.execute(delete(table).where(old))
        connection.execute(insert(table).values(values))

    store.change(change, 2)
    return secret


def hide(store: Store, key: str) -> None:
    """Withdraws the link to a table of the player."""
    table = schema.shown_tables
    where = store.mine(table) & (table.c.table_id == key)

    def change(connection: Connection) -> None:
        connection.execute(delete(table).where(where))

    store.change(change, 1)


def is_shown(store: Store, key: str) -> bool:
    """Whether a table of the player is shown."""
    table = schema.shown_tables
    query = select(table.c.table_id).where(store.mine(table), table.c.table_id == key)
    with store.engine.connect() as connection:
        return connection.execute(query).first() is not None


def shown_table(store: Store, secret: str) -> ShownTable:
    """The table behind a link. A table that was put away is not shown.

    Raises:
        NoTableError: If the link does not work, or not any more.
    """
    table, summaries = schema.shown_tables, schema.summaries
    query = (
        select(table.c.table_id, table.c.player_id)
        .join(summaries, summaries.c.table_id == table.c.table_id)
        .where(table.c.hash == hashed_secret(secret), ~summaries.c.closed)
    )
    with store.engine.connect() as connection:
        row = connection.execute(query).first()
    if row is None:
        raise NoTableError(gettext("this table is not shown, or not any more"))
    return ShownTable(row.table_id, row.player_id)
