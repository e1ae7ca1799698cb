"""Players: what belongs to one has a ``player_id``; accounts, sessions, invitations.

Everything that is in the database belongs to player 1, the player at the machine. The ratings of
puzzles belong to no player, and get 0.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds the column, to primary keys too, and the tables of accounts."""
    op.add_column("tables", _player())
    op.create_index("ix_tables_player_id", "tables", ["player_id"])
    for name, (columns, key) in _scoped().items():
        _add_to_key(name, columns, key)
    op.create_index("ix_daily_results_table_id", "daily_results", ["table_id"], unique=True)
    op.create_index("ix_daily_results_player", "daily_results", ["player"])
    op.execute("UPDATE ratings SET player_id = 0 WHERE key <> 'player'")
    _accounts()


def _player() -> "sa.Column[Any]":
    return sa.Column("player_id", sa.Integer, nullable=False, server_default="1")


def _scoped() -> "dict[str, tuple[list[sa.Column[Any]], list[str]]]":
    """The columns of each table whose primary key grows, and its old primary key."""

    def game() -> "sa.Column[Any]":
        return sa.Column("game", sa.String(400), nullable=False, comment="with variants")

    return {
        "rules": (
            [
                sa.Column("name", sa.String(100)),
                sa.Column("text", sa.Text, nullable=False),
                sa.Column("added", sa.DateTime(timezone=True), nullable=False),
                sa.Column(
                    "hidden", sa.Boolean, nullable=False, comment="taken off the list by the player"
                ),
            ],
            ["name"],
        ),
        "favourites": ([sa.Column("game", sa.String(400))], ["game"]),
        "settings": (
            [sa.Column("key", sa.String(40)), sa.Column("value", sa.JSON, nullable=False)],
            ["key"],
        ),
        "ratings": (
            [
                sa.Column("key", sa.String(16), comment="of a puzzle, or 'player'"),
                sa.Column("rating", sa.Float, nullable=False),
                sa.Column("deviation", sa.Float, nullable=False),
                sa.Column("volatility", sa.Float, nullable=False),
                sa.Column("tried", sa.Integer, nullable=False),
                sa.Column("solved", sa.Integer, nullable=False),
            ],
            ["key"],
        ),
        "first_tries": (
            [
                sa.Column("puzzle", sa.String(16)),
                game(),
                sa.Column("solved", sa.Boolean, nullable=False),
                sa.Column(
                    "rating", sa.Float, nullable=False, comment="of the player, after it"
                ),
                sa.Column("at", sa.DateTime(timezone=True), nullable=False),
            ],
            ["puzzle"],
        ),
        "daily_results": (
            [
                sa.Column("day", sa.String(10)),
                sa.Column("digest", sa.String(64), comment="of the compiled rules"),
                sa.Column("player", sa.String(40), comment="the name shown"),
                game(),
                sa.Column("moves", sa.Integer, nullable=False),
                sa.Column("seconds", sa.Float, comment="NULL if it was played elsewhere"),
                sa.Column("clean", sa.Boolean, nullable=False),
                sa.Column("late", sa.Boolean, nullable=False),
                sa.Column("line", sa.Text, nullable=False),
                sa.Column("table_id", sa.String(16), comment="NULL if it was played elsewhere"),
                sa.Column("at", sa.DateTime(timezone=True), nullable=False),
            ],
            ["day", "digest", "player"],
        ),
    }  # fmt: skip


def _add_to_key(name: str, columns: "list[sa.Column[Any]]", key: list[str]) -> None:
    """Rebuilds a table with the new column: SQLite cannot change a primary key."""
    before = f"{name}_before"
    connection = op.get_bind()
    for index in sa.inspect(connection).get_indexes(name):
        op.drop_index(str(index["name"]), name)
    if connection.dialect.name == "postgresql":
        # Otherwise the new table could not have a constraint of this name.
        old = sa.inspect(connection).get_pk_constraint(name)["name"]
        op.drop_constraint(str(old), name, type_="primary")
    op.rename_table(name, before)
    op.create_table(
        name,
        *columns,
        _player(),
        sa.PrimaryKeyConstraint(*key, "player_id", name=f"pk_{name}"),
    )
    names = ", ".join(column.name for column in columns)
    op.execute(f"INSERT INTO {name} ({names}) SELECT {names} FROM {before}")
    op.drop_table(before)


def _accounts() -> None:
    at = sa.DateTime(timezone=True)
    op.create_table(
        "players",
        sa.Column("id", sa.BigInteger, autoincrement=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("folded", sa.String(120), nullable=False, comment="the name, to compare it"),
        sa.Column("password", sa.String(200), nullable=False, comment="a hash by Argon2id"),
        sa.Column("role", sa.String(8), nullable=False, comment="player or host"),
        sa.Column("created", at, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_players"),
    )
    op.create_index("ix_players_folded", "players", ["folded"], unique=True)
    op.create_table(
        "sessions",
        sa.Column("hash", sa.String(64), comment="of the secret in the cookie"),
        sa.Column("id", sa.String(16), nullable=False),
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column(
            "agent", sa.String(200), nullable=False, comment="the browser, as it names itself"
        ),
        sa.Column("begun", at, nullable=False),
        sa.Column("seen", at, nullable=False),
        sa.Column("until", at, nullable=False),
        sa.PrimaryKeyConstraint("hash", name="pk_sessions"),
    )
    op.create_index("ix_sessions_player_id", "sessions", ["player_id"])
    op.create_table(
        "invitations",
        sa.Column("hash", sa.String(64), comment="of the secret in the link"),
        sa.Column("id", sa.String(16), nullable=False),
        sa.Column("role", sa.String(8), nullable=False),
        sa.Column("note", sa.String(80), nullable=False, comment="for whom it is"),
        sa.Column(
            "player_id", sa.Integer, comment="who may choose a new password; NULL: a new player"
        ),
        sa.Column("made", at, nullable=False),
        sa.Column("until", at, nullable=False),
        sa.PrimaryKeyConstraint("hash", name="pk_invitations"),
    )
    op.create_table(
        "shown_tables",
        sa.Column("table_id", sa.String(16)),
        sa.Column("hash", sa.String(64), nullable=False, comment="of the secret in the link"),
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("made", at, nullable=False),
        sa.PrimaryKeyConstraint("table_id", name="pk_shown_tables"),
    )
    op.create_index("ix_shown_tables_hash", "shown_tables", ["hash"], unique=True)
    op.create_table(
        "attempts",
        sa.Column("key", sa.String(64), comment="hash of a name or of an address"),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("since", at, nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_attempts"),
    )


def downgrade() -> None:
    """Does nothing: an older version cannot use the primary keys."""
