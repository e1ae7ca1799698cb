"""The migrations of the database, run by alembic when the database is opened.

To add a migration, add a file with the next number to ``versions/``, and a test that opens a
database of the previous version. The command line of ``alembic`` is not needed.
"""

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Engine

FOLDER = Path(__file__).parent


def upgrade(engine: Engine, revision: str = "head") -> None:
    """Migrates a database; an empty one gets all tables.

    Args:
        engine: The database.
        revision: The revision to migrate to.
    """
    config = Config()
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    with engine.execution_options(writes=True).begin() as connection:
        if connection.dialect.name == "postgresql":
            # Two servers that start at the same time must not both create the tables.
            connection.exec_driver_sql("SELECT pg_advisory_xact_lock(20260401)")
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
