"""The schema of the database; it is the same in SQLite and in PostgreSQL.

``events`` is the record; its rows never change. An event that cannot be replayed moves to
``stranded_events`` together with all later events. ``summaries`` holds what lists and statistics
need; it can be rebuilt from the record. Every change here needs a step in ``migrations/``.

What belongs to a player has a ``player_id``; everything else of a player hangs on one of their
tables. Without accounts there is one player, :data:`PLAYER`.
"""

from typing import Any, Final

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Computed,
    DateTime,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
)

PLAYER: Final = 1
"""The player at the machine: the only one without accounts."""
SHARED: Final = 0
"""Stands in place of a player for what belongs to none."""

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_name)s",
    }
)


def _player(primary_key: bool = True) -> "Column[Any]":
    return Column(
        "player_id",
        Integer,
        primary_key=primary_key,
        autoincrement=False,
        nullable=False,
        server_default="1",
    )


tables = Table(
    "tables",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("game", String(400), nullable=False, comment="with variants"),
    Column("digest", String(64), nullable=False, comment="of the compiled rules"),
    Column("deal", String(100), comment="NULL if it was given card by card"),
    Column("deck", Text, comment="the cards, if the deal has no name"),
    Column("root", String(32), nullable=False, comment="hash of the position after the deal"),
    Column("verdict", String(12), nullable=False, comment="option at the beginning"),
    Column("autoplay", Boolean, nullable=False, comment="option at the beginning"),
    Column("begun", DateTime(timezone=True), nullable=False),
    _player(primary_key=False),
)
Index("ix_tables_player_id", tables.c.player_id)

events = Table(
    "events",
    metadata,
    Column("table_id", String(16), ForeignKey("tables.id"), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("kind", String(8), nullable=False),
    Column("node", Integer, nullable=False),
    Column("data", JSON, nullable=False),
    Column("at", DateTime(timezone=True), nullable=False),
    Column("previous", Integer, Computed("NULLIF(seq - 1, 0)", persisted=True)),
    # Each event except the first refers to the one before it, so there is never a gap.
    CheckConstraint("seq > 0", name="counted"),
    ForeignKeyConstraint(
        ["table_id", "previous"], ["events.table_id", "events.seq"], name="fk_events_previous"
    ),
)

stranded_events = Table(
    "stranded_events",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("table_id", String(16), ForeignKey("tables.id"), nullable=False, index=True),
    Column("seq", Integer, nullable=False),
    Column("kind", String(8), nullable=False),
    Column("node", Integer, nullable=False),
    Column("data", JSON, nullable=False),
    Column("at", DateTime(timezone=True), nullable=False),
)

summaries = Table(
    "summaries",
    metadata,
    Column("table_id", String(16), ForeignKey("tables.id"), primary_key=True),
    Column("version", Integer, nullable=False),
    Column("turn", Integer, nullable=False),
    Column("made", Integer, nullable=False),
    Column("outcome", String(4)),
    Column("won", Boolean, nullable=False),
    Column("closed", Boolean, nullable=False),
    Column("seconds", Float, nullable=False),
    Column("played", DateTime(timezone=True), nullable=False),
    Column("ended", DateTime(timezone=True)),
    Column("scoring", String(8), comment="none, most or fewest; NULL if not known yet"),
    Column("points_only", Boolean, comment="whether the game has points, but no wins"),
    Column("points", Integer, comment="NULL while the game is open, and if it is not scored"),
)
Index("ix_summaries_played", summaries.c.played)

verdicts = Table(
    "verdicts",
    metadata,
    Column("digest", String(64), primary_key=True),
    Column("hash", String(32), primary_key=True, comment="of the position"),
    Column("status", String(10), nullable=False),
    Column("nodes", Integer, nullable=False),
    Column("proof", Text, comment="NULL if only the statistics know it"),
    Column("line", JSON(none_as_null=True), comment="that wins: moves and hashes"),
    Column("found", DateTime(timezone=True), comment="NULL if it stays, as those on deals"),
)

searches = Table(
    "searches",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("player_id", Integer, nullable=False),
    Column("game", String(400), nullable=False, comment="with variants"),
    Column("state", String(12), nullable=False),
    Column("tried", Integer, nullable=False),
    Column("unwinnable", Integer, nullable=False),
    Column("unknown", Integer, nullable=False),
    Column("nodes", BigInteger, nullable=False, comment="that were searched"),
    Column("deal", String(100), comment="NULL if none is found"),
    Column("level", String(8), comment="how hard the deal is to be; NULL if no matter"),
    Column("rated", JSON, nullable=False, comment="how hard the deals are that can be won"),
    Column("seen", DateTime(timezone=True), nullable=False, comment="by the process that runs it"),
)

jobs = Table(
    "jobs",
    metadata,
    Column("digest", String(64), primary_key=True, comment="of the compiled rules"),
    Column("hash", String(32), primary_key=True, comment="of the position"),
    Column("budget", Integer, primary_key=True, autoincrement=False, comment="the largest"),
    Column("urgency", Integer, nullable=False),
    Column("game", String(400), nullable=False, comment="with variants"),
    Column("deck", Text, nullable=False),
    Column("moves", Text, nullable=False),
    Column("budgets", String(200), nullable=False, comment="that are left"),
    Column("nodes", BigInteger, nullable=False, comment="that were searched"),
    Column("asked", DateTime(timezone=True), nullable=False),
    Column("asker", String(16), comment="process; NULL if several ask"),
    Column("wanted_until", DateTime(timezone=True), nullable=False),
    Column("worker", String(16), comment="process that has taken it"),
    Column("leased_until", DateTime(timezone=True)),
    Column("attempts", Integer, nullable=False, comment="without an answer"),
    Column("done", Boolean, nullable=False, comment="nothing is left to try"),
)

rules = Table(
    "rules",
    metadata,
    Column("name", String(100), primary_key=True),
    Column("text", Text, nullable=False),
    Column("added", DateTime(timezone=True), nullable=False),
    Column("hidden", Boolean, nullable=False, comment="taken off the list by the player"),
    _player(),
)

favourites = Table("favourites", metadata, Column("game", String(400), primary_key=True), _player())

settings = Table(
    "settings",
    metadata,
    Column("key", String(40), primary_key=True),
    Column("value", JSON, nullable=False),
    _player(),
)

ratings = Table(
    "ratings",
    metadata,
    Column("key", String(16), primary_key=True, comment="of a puzzle, or 'player'"),
    Column("rating", Float, nullable=False),
    Column("deviation", Float, nullable=False),
    Column("volatility", Float, nullable=False),
    Column("tried", Integer, nullable=False),
    Column("solved", Integer, nullable=False),
    _player(),
)

first_tries = Table(
    "first_tries",
    metadata,
    Column("puzzle", String(16), primary_key=True),
    Column("game", String(400), nullable=False, comment="with variants"),
    Column("solved", Boolean, nullable=False),
    Column("rating", Float, nullable=False, comment="of the player, after it"),
    Column("at", DateTime(timezone=True), nullable=False),
    _player(),
)

daily_deals = Table(
    "daily_deals",
    metadata,
    Column("day", String(10), primary_key=True),
    Column("digest", String(64), primary_key=True, comment="of the compiled rules"),
    Column("deal", String(100), comment="NULL if none was found"),
)

daily_results = Table(
    "daily_results",
    metadata,
    Column("day", String(10), primary_key=True),
    Column("digest", String(64), primary_key=True, comment="of the compiled rules"),
    Column("player", String(40), primary_key=True, index=True, comment="the name shown"),
    Column("game", String(400), nullable=False, comment="with variants"),
    Column("moves", Integer, nullable=False),
    Column("seconds", Float, comment="NULL if it was played elsewhere"),
    Column("clean", Boolean, nullable=False),
    Column("late", Boolean, nullable=False),
    Column("line", Text, nullable=False),
    Column("table_id", String(16), comment="NULL if it was played elsewhere"),
    Column("at", DateTime(timezone=True), nullable=False),
    _player(),
)
Index("ix_daily_results_table_id", daily_results.c.table_id, unique=True)

hinted = Table("hinted", metadata, Column("table_id", String(16), primary_key=True))

players = Table(
    "players",
    metadata,
    # SQLite would not store an INTEGER in the row, and a damaged file could not be rescued.
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("name", String(40), nullable=False),
    Column("folded", String(120), nullable=False, comment="the name, to compare it"),
    Column("password", String(200), nullable=False, comment="a hash by Argon2id"),
    Column("role", String(8), nullable=False, comment="player or host"),
    Column("created", DateTime(timezone=True), nullable=False),
)
Index("ix_players_folded", players.c.folded, unique=True)

sessions = Table(
    "sessions",
    metadata,
    Column("hash", String(64), primary_key=True, comment="of the secret in the cookie"),
    Column("id", String(16), nullable=False),
    Column("player_id", Integer, nullable=False, index=True),
    Column("agent", String(200), nullable=False, comment="the browser, as it names itself"),
    Column("begun", DateTime(timezone=True), nullable=False),
    Column("seen", DateTime(timezone=True), nullable=False),
    Column("until", DateTime(timezone=True), nullable=False),
)

invitations = Table(
    "invitations",
    metadata,
    Column("hash", String(64), primary_key=True, comment="of the secret in the link"),
    Column("id", String(16), nullable=False),
    Column("role", String(8), nullable=False),
    Column("note", String(80), nullable=False, comment="for whom it is"),
    Column("player_id", Integer, comment="who may choose a new password; NULL: a new player"),
    Column("made", DateTime(timezone=True), nullable=False),
    Column("until", DateTime(timezone=True), nullable=False),
)

shown_tables = Table(
    "shown_tables",
    metadata,
    Column("table_id", String(16), primary_key=True),
    Column("hash", String(64), nullable=False, comment="of the secret in the link"),
    Column("player_id", Integer, nullable=False),
    Column("made", DateTime(timezone=True), nullable=False),
)
Index("ix_shown_tables_hash", shown_tables.c.hash, unique=True)

attempts = Table(
    "attempts",
    metadata,
    Column("key", String(64), primary_key=True, comment="hash of a name or of an address"),
    Column("number", Integer, nullable=False),
    Column("since", DateTime(timezone=True), nullable=False),
)
