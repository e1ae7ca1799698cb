"""Jobs of searches that several processes share, and what their answers need."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Adds the table and the columns."""
    op.add_column(
        "verdicts",
        sa.Column("proof", sa.Text, comment="NULL if only the statistics know it"),
    )
    op.add_column(
        "verdicts",
        sa.Column("line", sa.JSON(none_as_null=True), comment="that wins: moves and hashes"),
    )
    op.add_column(
        "verdicts",
        sa.Column(
            "found", sa.DateTime(timezone=True), comment="NULL if it stays, as those on deals"
        ),
    )
    op.create_table(
        "jobs",
        sa.Column("digest", sa.String(64), comment="of the compiled rules"),
        sa.Column("hash", sa.String(32), comment="of the position"),
        sa.Column("budget", sa.Integer, autoincrement=False, comment="the largest"),
        sa.Column("urgency", sa.Integer, nullable=False),
        sa.Column("game", sa.String(400), nullable=False, comment="with variants"),
        sa.Column("deck", sa.Text, nullable=False),
        sa.Column("moves", sa.Text, nullable=False),
        sa.Column("budgets", sa.String(200), nullable=False, comment="that are left"),
        sa.Column("nodes", sa.BigInteger, nullable=False, comment="that were searched"),
        sa.Column("asked", sa.DateTime(timezone=True), nullable=False),
        sa.Column("asker", sa.String(16), comment="process; NULL if several ask"),
        sa.Column("wanted_until", sa.DateTime(timezone=True), nullable=False),
        sa.Column("worker", sa.String(16), comment="process that has taken it"),
        sa.Column("leased_until", sa.DateTime(timezone=True)),
        sa.Column("attempts", sa.Integer, nullable=False, comment="without an answer"),
        sa.Column("done", sa.Boolean, nullable=False, comment="nothing is left to try"),
        sa.PrimaryKeyConstraint("digest", "hash", "budget", name="pk_jobs"),
    )


def downgrade() -> None:
    """Does nothing: an older version ignores the table and the columns."""
