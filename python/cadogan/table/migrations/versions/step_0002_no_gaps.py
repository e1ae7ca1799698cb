"""Events without gaps: each refers to the one before it; events behind a gap are set aside."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

COLUMNS = "table_id, seq, kind, node, data, at"
# For each table, the first event whose predecessor is missing.
BEHIND = """
    SELECT table_id, MIN(seq) AS first FROM events AS one
    WHERE seq <> 1 AND NOT EXISTS (
        SELECT 1 FROM events AS other
        WHERE other.table_id = one.table_id AND other.seq = one.seq - 1
    )
    GROUP BY table_id
"""


def upgrade() -> None:
    """Sets aside events behind gaps, and adds constraints that prevent new gaps."""
    op.create_table("stranded_events", sa.Column("id", sa.Integer, primary_key=True), *_columns())
    op.create_index("ix_stranded_events_table_id", "stranded_events", ["table_id"])
    connection = op.get_bind()
    for gap in connection.execute(sa.text(BEHIND)).mappings().all():
        where = "FROM events WHERE table_id = :table_id AND seq >= :first"
        aside = f"INSERT INTO stranded_events ({COLUMNS}) SELECT {COLUMNS} {where} ORDER BY seq"
        connection.execute(sa.text(aside), dict(gap))
        connection.execute(sa.text(f"DELETE {where}"), dict(gap))
    if connection.dialect.name == "sqlite":
        # SQLite cannot add constraints to an existing table.
        op.rename_table("events", "events_before")
        op.create_table("events", *_columns(key=True), _previous(), *_constraints())
        op.execute(
            f"INSERT INTO events ({COLUMNS}) SELECT {COLUMNS} FROM events_before "
            "ORDER BY table_id, seq"
        )
        op.drop_table("events_before")
        return
    op.add_column("events", _previous())
    op.create_check_constraint(op.f("ck_events_counted"), "events", "seq > 0")
    op.create_foreign_key(
        "fk_events_previous", "events", "events", ["table_id", "previous"], ["table_id", "seq"]
    )


def _columns(key: bool = False) -> list[sa.Column[object]]:
    return [
        sa.Column(
            "table_id",
            sa.String(16),
            sa.ForeignKey("tables.id"),
            primary_key=key,
            nullable=False,
        ),
        sa.Column("seq", sa.Integer, primary_key=key, autoincrement=False, nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("node", sa.Integer, nullable=False),
        sa.Column("data", sa.JSON, nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
    ]


def _previous() -> sa.Column[int]:
    return sa.Column("previous", sa.Integer, sa.Computed("NULLIF(seq - 1, 0)", persisted=True))


def _constraints() -> tuple[sa.CheckConstraint, sa.ForeignKeyConstraint]:
    return (
        sa.CheckConstraint("seq > 0", name="counted"),
        sa.ForeignKeyConstraint(
            ["table_id", "previous"], ["events.table_id", "events.seq"], name="fk_events_previous"
        ),
    )


def downgrade() -> None:
    """Does nothing: events that were set aside stay there."""
