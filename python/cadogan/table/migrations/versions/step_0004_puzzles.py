"""Puzzles: the ratings of the player and of the puzzles, and the first try of each puzzle."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds two tables, empty."""
    op.create_table(
        "ratings",
        sa.Column("key", sa.String(16), comment="of a puzzle, or 'player'"),
        sa.Column("rating", sa.Float, nullable=False),
        sa.Column("deviation", sa.Float, nullable=False),
        sa.Column("volatility", sa.Float, nullable=False),
        sa.Column("tried", sa.Integer, nullable=False),
        sa.Column("solved", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_ratings"),
    )
    op.create_table(
        "first_tries",
        sa.Column("puzzle", sa.String(16)),
        sa.Column("game", sa.String(400), nullable=False, comment="with variants"),
        sa.Column("solved", sa.Boolean, nullable=False),
        sa.Column("rating", sa.Float, nullable=False, comment="of the player, after it"),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("puzzle", name="pk_first_tries"),
    )


def downgrade() -> None:
    """Does nothing: an older version ignores the tables."""
