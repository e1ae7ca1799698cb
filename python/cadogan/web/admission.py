"""What happens to every API request before its route: a check for NUL, and admission.

Routes run in a pool of forty threads. A change waits for the disk, and while a table is changed,
nobody can read it. So while the database is locked, players who move could soon occupy all threads.
Therefore each kind of request may use a limited number of them. Other requests wait in the event
loop, where waiting costs nothing, and are refused if they wait too long.
"""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from typing import Any, Final

from fastapi import Request, Response
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from cadogan.i18n.text import gettext
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


class AdmittedRoute(APIRoute):
    """A route that waits until a request may have a thread.

    A dependency that ends with the request would do the same and take a quarter of the time that
    the event loop spends with a move.
    """

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Returns what answers a request."""
        answer = super().get_route_handler()

        async def admitted(request: Request) -> Response:
            await _refuse_nul(request)
            queues: Queues = request.app.state.queues
            queue = queues.queue(request.method, request.scope["path"])
            if queue is None:
                return await answer(request)
            try:
                # A timer costs more than the rest, and usually there is nothing to wait for.
                async with asyncio.timeout(BUSY_SECONDS if queue.locked() else None):
                    await queue.acquire()
            except TimeoutError:
                raise BusyError from None
            try:
                # The answer is sent later: slow readers delay nobody.
                return await answer(request)
            finally:
                queue.release()

        return admitted


async def _refuse_nul(request: Request) -> None:
    """Refuses a request that contains a NUL character, which PostgreSQL does not store."""
    try:
        has_nul = await _has_nul(request)
    except ClientDisconnect:
        raise HTTPException(400) from None  # nobody reads it
    if has_nul:
        why = message("nul", gettext("texts must not contain the character NUL"))
        raise Refused(422, models.Problem(code="invalid", message=why))


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
