"""Deals of the day: the deals, the results, and the tables at which a hint was asked for."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds three tables, empty."""
    op.create_table(
        "daily_deals",
        sa.Column("day", sa.String(10)),
        sa.Column("digest", sa.String(64), comment="of the compiled rules"),
        sa.Column("deal", sa.String(100), comment="NULL if none was found"),
        sa.PrimaryKeyConstraint("day", "digest", name="pk_daily_deals"),
    )
    op.create_table(
        "daily_results",
        sa.Column("day", sa.String(10)),
        sa.Column("digest", sa.String(64), comment="of the compiled rules"),
        sa.Column("player", sa.String(40)),
        sa.Column("game", sa.String(400), nullable=False, comment="with variants"),
        sa.Column("moves", sa.Integer, nullable=False),
        sa.Column("seconds", sa.Float, comment="NULL if it was played elsewhere"),
        sa.Column("clean", sa.Boolean, nullable=False),
        sa.Column("late", sa.Boolean, nullable=False),
        sa.Column("line", sa.Text, nullable=False),
        sa.Column("table_id", sa.String(16), comment="NULL if it was played elsewhere"),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("day", "digest", "player", name="pk_daily_results"),
    )
    op.create_index("ix_daily_results_table_id", "daily_results", ["table_id"], unique=True)
    op.create_index("ix_daily_results_player", "daily_results", ["player"])
    op.create_table(
        "hinted",
        sa.Column("table_id", sa.String(16)),
        sa.PrimaryKeyConstraint("table_id", name="pk_hinted"),
    )


def downgrade() -> None:
    """Does nothing: an older version ignores the tables."""
