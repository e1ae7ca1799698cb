"""Whether the database of the server can be used."""

import asyncio
import time
from typing import Final

from sqlalchemy.exc import SQLAlchemyError

from cadogan.table.migrations import is_current
from cadogan.table.store import Store

CHECK_SECONDS: Final = 3.0
"""A database that has not answered in this time is not ready."""
FRESH_SECONDS: Final = 1.0
"""So long the answer of the database is used again."""


class Readiness:
    """Whether the server can play: the database answers, has its format, and nobody stops.

    Args:
        store: The database.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._check: asyncio.Task[bool] | None = None
        self._asked = float("-inf")

    async def database(self) -> bool:
        """Whether the database answers and is up to date. There is one check at a time."""
        check, at = self._check, time.monotonic()
        if check is None or (check.done() and at - self._asked > FRESH_SECONDS):
            self._asked = at
            check = self._check = asyncio.create_task(asyncio.to_thread(self._is_current))
        try:
            return await asyncio.wait_for(asyncio.shield(check), CHECK_SECONDS)
        except TimeoutError:
            return False

    def _is_current(self) -> bool:
        try:
            return is_current(self._store.engine)
        except (SQLAlchemyError, OSError):
            return False
