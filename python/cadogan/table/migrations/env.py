"""Run by alembic: it migrates on the connection that :func:`upgrade` has opened."""

from alembic import context

from cadogan.table.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
)
context.run_migrations()
