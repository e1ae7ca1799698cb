"""What every request of the API passes before its route: it is plain text, and it waits its turn.

Routes run in threads, and there are forty. A change waits for the disk, and a table that is being
changed lets nobody look at it; so while the database is locked, players who move would soon have
all threads. Each kind of request may have some of them. The others wait in the event loop, where
waiting costs nothing, and whoever waits too long is told so.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any, Final

from fastapi import Depends, Request

from cadogan.i18n.text import told
from cadogan.trouble import BUSY_SECONDS, BusyError
from cadogan.web import models
from cadogan.web.problems import Refused, message

MOST_CHANGES: Final = 20
"""Threads that change something at the same time."""
MOST_TABLES: Final = 10
"""Threads that look at tables at the same time."""
_TABLES: Final = "/api/tables/"
_UNCHANGING: Final = ("/api/rules/check", "/hint")


class Turns:
    """Who may have a thread. All of it happens in one event loop."""

    def __init__(self) -> None:
        self._changes = asyncio.Semaphore(MOST_CHANGES)
        self._tables = asyncio.Semaphore(MOST_TABLES)

    def line(self, method: str, path: str) -> asyncio.Semaphore | None:
        """The line in which a request waits; ``None`` if it needs none."""
        if method not in ("GET", "HEAD") and not path.endswith(_UNCHANGING):
            return self._changes
        return self._tables if path.startswith(_TABLES) else None


async def admit(request: Request) -> AsyncIterator[None]:
    """Lets a request pass when it is its turn.

    Raises:
        Refused: If there is a NUL in it, which is no part of a text and which PostgreSQL refuses.
        BusyError: If it had to wait too long.
    """
    if await _has_nul(request):
        why = message("nul", told("a text has no character NUL"))
        raise Refused(422, models.Problem(code="invalid", message=why))
    turns: Turns = request.app.state.turns
    line = turns.line(request.method, request.url.path)
    if line is None:
        yield
        return
    try:
        await asyncio.wait_for(line.acquire(), BUSY_SECONDS)
    except TimeoutError:
        raise BusyError from None
    try:
        yield
    finally:
        line.release()


# The turn ends before the answer is sent: who reads slowly keeps nobody waiting.
ADMITTED: Final = Depends(admit, scope="function")


async def _has_nul(request: Request) -> bool:
    parts = (
        *request.path_params.values(),
        *(text for pair in request.query_params.multi_items() for text in pair),
    )
    if any("\0" in part for part in parts if isinstance(part, str)):
        return True
    body = await request.body()
    # JSON has no raw NUL in texts; it can only be an escape, or the body is UTF-16 or UTF-32.
    if b"u0000" not in body and b"\0" not in body:
        return False
    try:
        return any("\0" in text for text in _texts(await request.json()))
    except (ValueError, RecursionError):
        return False  # The route reports what is wrong with the body.


def _texts(value: Any) -> Iterator[str]:
    """All texts in a value of JSON, names too."""
    waiting = [value]
    while waiting:
        found = waiting.pop()
        if isinstance(found, str):
            yield found
        elif isinstance(found, dict):
            waiting += [*found, *found.values()]
        elif isinstance(found, list):
            waiting += found
