"""Tables, their events and summaries; verdicts, rules, favourites, settings."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Creates all tables."""
    op.create_table(
        "tables",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("game", sa.String(400), nullable=False, comment="with variants"),
        sa.Column("digest", sa.String(64), nullable=False, comment="of the compiled rules"),
        sa.Column("deal", sa.String(100), comment="NULL if it was given card by card"),
        sa.Column("deck", sa.Text, comment="the cards, if the deal has no name"),
        sa.Column(
            "root", sa.String(32), nullable=False, comment="hash of the position after the deal"
        ),
        sa.Column("verdict", sa.String(12), nullable=False, comment="option at the beginning"),
        sa.Column("autoplay", sa.Boolean, nullable=False, comment="option at the beginning"),
        sa.Column("begun", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "events",
        sa.Column("table_id", sa.String(16), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("node", sa.Integer, nullable=False),
        sa.Column("data", sa.JSON, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "summaries",
        sa.Column("table_id", sa.String(16), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("turn", sa.Integer, nullable=False),
        sa.Column("made", sa.Integer, nullable=False),
        sa.Column("outcome", sa.String(4)),
        sa.Column("won", sa.Boolean, nullable=False),
        sa.Column("closed", sa.Boolean, nullable=False),
        sa.Column("seconds", sa.Float, nullable=False),
        sa.Column("played", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended", sa.DateTime(timezone=True)),
    )
    op.create_index("ix_summaries_played", "summaries", ["played"])
    op.create_table(
        "verdicts",
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("hash", sa.String(32), primary_key=True, comment="of the position"),
        sa.Column("status", sa.String(10), nullable=False),
        sa.Column("nodes", sa.Integer, nullable=False),
    )
    op.create_table(
        "rules",
        sa.Column("name", sa.String(100), primary_key=True),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("added", sa.DateTime(timezone=True), nullable=False),
        sa.Column("hidden", sa.Boolean, nullable=False, comment="taken off the list by the player"),
    )
    op.create_table("favourites", sa.Column("game", sa.String(400), primary_key=True))
    op.create_table(
        "settings",
        sa.Column("key", sa.String(40), primary_key=True),
        sa.Column("value", sa.JSON, nullable=False),
    )


def downgrade() -> None:
    """Does nothing: this is the first migration."""
