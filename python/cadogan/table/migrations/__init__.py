"""The steps by which the database came to its present form, run by alembic when it is opened.

A new step: ``alembic`` is not needed on the command line; add a file to ``versions/`` with the next
number, set :data:`HEAD` to it, and add a test that opens a database of the step before.
"""

from pathlib import Path
from typing import Final

from sqlalchemy import Engine, inspect, text

FOLDER = Path(__file__).parent
HEAD: Final = "0002"
"""The last step."""


def is_current(engine: Engine) -> bool:
    """Whether a database has its present form, found out without importing alembic."""
    with engine.connect() as connection:
        if not inspect(connection).has_table("alembic_version"):
            return False
        found = connection.execute(text("SELECT version_num FROM alembic_version"))
        return list(found.scalars()) == [HEAD]


def upgrade(engine: Engine, revision: str = "head") -> None:
    """Brings a database to the present form; an empty one is filled.

    Args:
        engine: The database.
        revision: The step to go to.
    """
    if revision == "head" and is_current(engine):
        return
    # To import it takes longer than all else at the start of a game in the terminal.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    with engine.execution_options(writes=True).begin() as connection:
        if connection.dialect.name == "postgresql":
            # Two servers that start at once must not both make the tables.
            connection.exec_driver_sql("SELECT pg_advisory_xact_lock(20260401)")
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
