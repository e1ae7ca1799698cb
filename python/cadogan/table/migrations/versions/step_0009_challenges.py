"""Challenges and their results."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Adds the tables."""
    op.create_table(
        "challenges",
        sa.Column("id", sa.String(16)),
        sa.Column("game", sa.String(400), nullable=False, comment="with variants"),
        sa.Column("digest", sa.String(64), nullable=False, comment="of the compiled rules"),
        sa.Column("deal", sa.String(100), comment="NULL if it was given card by card"),
        sa.Column("deck", sa.Text, comment="the cards, if the deal has no name"),
        sa.Column("player", sa.String(40), nullable=False, comment="the name shown"),
        sa.Column("player_id", sa.Integer, nullable=False, server_default="1", autoincrement=False),
        sa.Column("made", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_challenges"),
    )
    op.create_index("ix_challenges_player_id", "challenges", ["player_id"])
    op.create_table(
        "challenge_results",
        sa.Column("challenge", sa.String(16)),
        sa.Column("player", sa.String(40), comment="the name shown"),
        sa.Column("player_id", sa.Integer, nullable=False, server_default="1", autoincrement=False),
        sa.Column("won", sa.Boolean, nullable=False),
        sa.Column("points", sa.Integer, comment="NULL if the game is not scored"),
        sa.Column("moves", sa.Integer, nullable=False),
        sa.Column("seconds", sa.Float, comment="NULL if it was played elsewhere"),
        sa.Column("clean", sa.Boolean, nullable=False),
        sa.Column("first", sa.Boolean, nullable=False, comment="of the challenger"),
        sa.Column("line", sa.Text, nullable=False),
        sa.Column("table_id", sa.String(16), comment="NULL if it was played elsewhere"),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("challenge", "player", name="pk_challenge_results"),
    )
    op.create_index(
        "ix_challenge_results_table_id",
        "challenge_results",
        ["challenge", "table_id"],
        unique=True,
    )


def downgrade() -> None:
    """Does nothing: an older version ignores the tables."""
