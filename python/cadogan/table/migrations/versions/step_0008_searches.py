"""Searches for deals that can be won, about which every process may be asked."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Adds the table."""
    op.create_table(
        "searches",
        sa.Column("id", sa.String(16)),
        sa.Column("player_id", sa.Integer, nullable=False),
        sa.Column("game", sa.String(400), nullable=False, comment="with variants"),
        sa.Column("state", sa.String(12), nullable=False),
        sa.Column("tried", sa.Integer, nullable=False),
        sa.Column("unwinnable", sa.Integer, nullable=False),
        sa.Column("unknown", sa.Integer, nullable=False),
        sa.Column("nodes", sa.BigInteger, nullable=False, comment="that were searched"),
        sa.Column("deal", sa.String(100), comment="NULL if none is found"),
        sa.Column("level", sa.String(8), comment="how hard the deal is to be; NULL if no matter"),
        sa.Column(
            "rated", sa.JSON, nullable=False, comment="how hard the deals are that can be won"
        ),
        sa.Column(
            "seen",
            sa.DateTime(timezone=True),
            nullable=False,
            comment="by the process that runs it",
        ),
        sa.PrimaryKeyConstraint("id", name="pk_searches"),
    )


def downgrade() -> None:
    """Does nothing: an older version ignores the table."""
