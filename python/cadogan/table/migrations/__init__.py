"""The steps by which the database came to its present form, run by alembic when it is opened.

A new step: ``alembic`` is not needed on the command line; add a file to ``versions/`` with the next
number, and a test that opens a database of the step before.
"""

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Engine

FOLDER = Path(__file__).parent


def upgrade(engine: Engine, revision: str = "head") -> None:
    """Brings a database to the present form; an empty one is filled.

    Args:
        engine: The database.
        revision: The step to go to.
    """
    config = Config()
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    with engine.execution_options(writes=True).begin() as connection:
        if connection.dialect.name == "postgresql":
            # Two servers that start at once must not both make the tables.
            connection.exec_driver_sql("SELECT pg_advisory_xact_lock(20260401)")
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
