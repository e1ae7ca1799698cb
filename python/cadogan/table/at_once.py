"""The usual change of a table in one journey to PostgreSQL: one event, and the new summary.

A transaction of its own would take four: BEGIN, two statements and COMMIT. A single statement is
a transaction, too: it is on disk when the answer comes. Its connections always commit at once, and
its text is prepared, since switching and compiling take longer than the statement.
"""

import json
from collections.abc import Mapping
from typing import Any, Final

from sqlalchemy import Engine, Insert, Update, bindparam, select

from cadogan.table import schema

_COLUMNS: Final = [
    each.name for each in schema.events.c if each.name not in ("table_id", "previous")
]


class AtOnce:
    """Adds single events.

    Args:
        engine: PostgreSQL, with connections that commit each statement.
        sum_up: The statement that changes the summary, if the event follows the stored ones.
        add: The statement that adds an event.

    Attributes:
        engine: The engine.
    """

    def __init__(self, engine: Engine, sum_up: Update, add: Insert) -> None:
        self.engine = engine
        summed_up = sum_up.returning(schema.summaries.c.table_id).cte("summed_up")
        event = [bindparam(f"event_{name}", type_=schema.events.c[name].type) for name in _COLUMNS]
        both = add.from_select(["table_id", *_COLUMNS], select(summed_up.c.table_id, *event))
        self._text = str(both.compile(dialect=engine.dialect))

    def add(self, summary: Mapping[str, Any], event: Mapping[str, Any]) -> bool:
        """Adds an event and sums up: both or neither.

        Args:
            summary: The parameters of the first statement.
            event: The row of the event.

        Returns:
            Whether the event follows the stored ones; otherwise nothing is stored.
        """
        values = {**summary, **{f"event_{name}": event[name] for name in _COLUMNS}}
        values["event_data"] = json.dumps(event["data"])
        with self.engine.connect() as connection:
            return connection.exec_driver_sql(self._text, values).rowcount == 1
