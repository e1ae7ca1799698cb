"""The migrations of the database, run by alembic when the database is opened.

To add a migration, add a file with the next number to ``versions/``, set :data:`HEAD` to it, and
add a test that opens a database of the previous version. The command line of ``alembic`` is not
needed.
"""

from pathlib import Path
from typing import Final

from sqlalchemy import Engine, inspect, text

FOLDER = Path(__file__).parent
HEAD: Final = "0008"
"""The latest revision."""


def is_current(engine: Engine) -> bool:
    """Whether a database is up to date; this does not import alembic."""
    with engine.connect() as connection:
        if not inspect(connection).has_table("alembic_version"):
            return False
        found = connection.execute(text("SELECT version_num FROM alembic_version"))
        return list(found.scalars()) == [HEAD]


def upgrade(engine: Engine, revision: str = "head") -> None:
    """Migrates a database; an empty one gets all tables.

    Args:
        engine: The database.
        revision: The revision to migrate to.
    """
    if revision == "head" and is_current(engine):
        return
    # Importing alembic would take longer than anything else when a game starts in the terminal.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    with engine.execution_options(writes=True).begin() as connection:
        if connection.dialect.name == "postgresql":
            # Two servers that start at the same time must not both create the tables.
            connection.exec_driver_sql("SELECT pg_advisory_xact_lock(20260401)")
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
