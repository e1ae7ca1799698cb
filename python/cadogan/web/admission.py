"""What happens to every API request before its route: a check for NUL, and admission.

Routes run in a pool of forty threads. A change waits for the disk, and while a table is changed,
nobody can read it. So while the database is locked, players who move could soon occupy all threads.
Therefore each kind of request may use a limited number of them. Other requests wait in the event
loop, where waiting costs nothing, and are refused if they wait too long.
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
"""The largest number of threads that change something at the same time."""
MOST_TABLES: Final = 10
"""The largest number of threads that read tables at the same time."""
MOST_PICTURES: Final = 4
"""The largest number of threads that draw pictures to share, or wait for one."""
_TABLES: Final = "/api/tables/"
MOST_PASSWORDS: Final = 4
"""The largest number of threads that check a password, or wait for that."""
_PASSWORDS: Final = (
    "/api/account/sessions", "/api/account/password", "/api/account/removal",
    "/api/invitations/accept",
)  # fmt: skip
_UNCHANGING: Final = ("/api/rules/check", "/api/rules/form", "/hint", "/review")


class Queues:
    """Limits the number of threads per kind of request. Used in one event loop only."""

    def __init__(self) -> None:
        self._changes = asyncio.Semaphore(MOST_CHANGES)
        self._tables = asyncio.Semaphore(MOST_TABLES)
        self._passwords = asyncio.Semaphore(MOST_PASSWORDS)
        self._pictures = asyncio.Semaphore(MOST_PICTURES)

    def queue(self, method: str, path: str) -> asyncio.Semaphore | None:
        """The semaphore for which a request waits; ``None`` if it is not limited."""
        if method in ("POST", "PUT") and path in _PASSWORDS:
            return self._passwords
        if path.endswith(("/picture", "/pictures")) and not path.startswith("/api/games/"):
            return self._pictures
        if method not in ("GET", "HEAD") and not path.endswith(_UNCHANGING):
            return self._changes
        return self._tables if path.startswith(_TABLES) else None


async def admit(request: Request) -> AsyncIterator[None]:
    """Waits until a request may have a thread.

    Raises:
        Refused: If it contains a NUL character, which PostgreSQL does not store.
        BusyError: If it had to wait too long.
    """
    if await _has_nul(request):
        why = message("nul", told("texts must not contain the character NUL"))
        raise Refused(422, models.Problem(code="invalid", message=why))
    queues: Queues = request.app.state.queues
    queue = queues.queue(request.method, request.url.path)
    if queue is None:
        yield
        return
    try:
        async with asyncio.timeout(BUSY_SECONDS):
            await queue.acquire()
    except TimeoutError:
        raise BusyError from None
    try:
        yield
    finally:
        queue.release()


# "function" releases the semaphore before the answer is sent: slow readers delay nobody.
ADMITTED: Final = Depends(admit, scope="function")


async def _has_nul(request: Request) -> bool:
    parts = (
        *request.path_params.values(),
        *(text for pair in request.query_params.multi_items() for text in pair),
    )
    if any("\0" in part for part in parts if isinstance(part, str)):
        return True
    body = await request.body()
    # Strings in JSON have no raw NUL: either it is an escape, or the body is UTF-16 or UTF-32.
    if b"u0000" not in body and b"\0" not in body:
        return False
    try:
        return any("\0" in text for text in _texts(await request.json()))
    except (ValueError, RecursionError):
        return False  # The route reports what is wrong with the body.


def _texts(value: Any) -> Iterator[str]:
    """All strings in a JSON value, including keys."""
    waiting = [value]
    while waiting:
        found = waiting.pop()
        if isinstance(found, str):
            yield found
        elif isinstance(found, dict):
            waiting += [*found, *found.values()]
        elif isinstance(found, list):
            waiting += found
