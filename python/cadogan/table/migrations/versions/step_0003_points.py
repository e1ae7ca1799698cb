"""Points in the summaries. Those of older tables are added when statistics are first computed."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Adds empty columns; :func:`cadogan.table.statistics.add_points` fills them."""
    for column in (
        sa.Column("scoring", sa.String(8), comment="none, most or fewest; NULL if not known yet"),
        sa.Column("points_only", sa.Boolean, comment="whether the game has points, but no wins"),
        sa.Column(
            "points", sa.Integer, comment="NULL while the game is open, and if it is not scored"
        ),
    ):
        op.add_column("summaries", column)


def downgrade() -> None:
    """Does nothing: an older version ignores the columns."""
