"""The WebSocket of a table: changes made elsewhere, and new verdicts."""

import asyncio
import contextlib
import json
import logging
from collections.abc import Callable
from typing import Annotated, Final

from fastapi import APIRouter, Path, Query, WebSocket, WebSocketDisconnect

from cadogan.rules import RulesError, UnknownGameError
from cadogan.savefile import SavedGameError
from cadogan.table.accounts import NotLoggedInError
from cadogan.table.library import FaultyGameError
from cadogan.table.service import NoTableError
from cadogan.trouble import trouble
from cadogan.web.door import Visitor, cookie
from cadogan.web.state import AppState, EverybodysState, spoken
from cadogan.web.subscriptions import MOST_AT_A_TABLE, MOST_WATCHERS
from cadogan.web.watching import Secret, watched

router = APIRouter()
_log = logging.getLogger(__name__)
MOST_WAITING = 100
CHECK: Final = 10.0
"""Seconds after which it is checked again whether a client may see a table."""
NO_LOGIN = 4401
"""Close code: nobody is logged in, or not any more."""
NO_TABLE = 4404
"""Close code: there is no such table."""
TOO_MANY = 4429
"""Close code: the table or the client has too many sockets."""
FAULT = 1011
"""Close code: an internal error."""
LATER = 1013
"""Close code: the database cannot be used; try again later."""


@router.websocket("/api/tables/{key}/events")
async def events(
    socket: WebSocket,
    state: EverybodysState,
    visitor: Visitor,
    key: Annotated[str, Path(pattern=r"^[a-z0-9]{16}$")],
    lang: Annotated[str, Query(max_length=20)] = "en",
) -> None:
    """Sends the events of a table until the client disconnects. Incoming messages are ignored."""
    await socket.accept()
    accounts = state.accounts
    if accounts is None:
        await _Stream(socket, state, key, lang).run()
        return
    if visitor is None:
        await _close(socket, NO_LOGIN)
        return
    secret = socket.cookies[cookie(socket)]

    def check() -> None:
        if accounts.session(secret) is None:
            raise NotLoggedInError

    await _Stream(socket, state.of(visitor.player.id), key, lang, check=check).run()


@router.websocket("/api/watch/{secret}/events")
async def watch(
    socket: WebSocket,
    state: EverybodysState,
    secret: Secret,
    lang: Annotated[str, Query(max_length=20)] = "en",
) -> None:
    """Sends the events of a table that is shown, as long as it is."""
    await socket.accept()
    try:
        found = await asyncio.to_thread(watched, state, secret)
    except LookupError:
        await _close(socket, NO_TABLE)
        return
    except Exception as fault:
        await _close(socket, FAULT if trouble(fault) is None else LATER)
        return

    def check() -> None:
        watched(state, secret)

    owners = state.of(found.player)
    await _Stream(socket, owners, found.key, lang, check=check, watches=True).run()


class _Stream:
    """The events of a table, sent to one client.

    Args:
        socket: The client.
        state: The state, as the player of the table sees it.
        key: The table.
        lang: The language of the texts.
        check: Raises an exception if the client may not see the table any more.
        watches: Whether the client is not the player.
    """

    def __init__(
        self,
        socket: WebSocket,
        state: AppState,
        key: str,
        lang: str,
        *,
        check: Callable[[], None] | None = None,
        watches: bool = False,
    ) -> None:
        self._socket = socket
        self._state = state
        self._key = key
        self._language = spoken(lang)
        self._check = check
        self._watches = watches
        self._loop = asyncio.get_running_loop()
        self._waiting: asyncio.Queue[str | None] = asyncio.Queue(MOST_WAITING)

    def _put(self, text: str | None) -> None:
        if self._waiting.full():
            # A client that does not read misses old events, not new ones.
            self._waiting.get_nowait()
        self._waiting.put_nowait(text)

    def _send(self, text: str) -> None:
        if self._watches:
            text = _without_notes(text)
        with contextlib.suppress(RuntimeError):  # the loop may have ended
            self._loop.call_soon_threadsafe(self._put, text)

    def _first(self) -> str:
        state = self._state
        record = state.tables.get(self._key)
        state.opened(record)
        state.subscriptions.begins_at(self._key, record.version)
        text = state.table_event(record, self._language)
        return _without_notes(text) if self._watches else text

    async def run(self) -> None:
        """Sends events until the client disconnects, or may not see the table any more."""
        state, key, socket, send = self._state, self._key, self._socket, self._send
        client = "" if socket.client is None else socket.client.host
        most = MOST_WATCHERS if self._watches else MOST_AT_A_TABLE
        if not state.subscriptions.add(key, self._language, send, client, most):
            await socket.close(TOO_MANY)
            return
        hearing = asyncio.create_task(self._hear())
        try:
            # A table may be large and its lock may be held: everything that uses it runs in a
            # thread, so that the event loop can serve other requests.
            await socket.send_text(await asyncio.to_thread(self._first))
            await self._pass_on()
        except NotLoggedInError:
            await _close(socket, NO_LOGIN)
        except (NoTableError, SavedGameError, UnknownGameError, RulesError, FaultyGameError):
            await _close(socket, NO_TABLE)
        except (WebSocketDisconnect, RuntimeError):
            pass  # the client has disconnected
        except Exception as fault:
            known = trouble(fault)
            if known is None:
                _log.exception("the socket of table %s failed", key)
            await _close(socket, FAULT if known is None else LATER)
        finally:
            state.subscriptions.remove(key, send)
            hearing.cancel()
            # Do not wait: the server may be shutting down.
            self._loop.run_in_executor(None, state.left, key)

    async def _pass_on(self) -> None:
        """Sends what is reported until the client disconnects."""
        checked = self._loop.time()
        while True:
            text: str | None = ""
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout_at(None if self._check is None else checked + CHECK):
                    text = await self._waiting.get()
            if text is None:
                return
            # Who watches sees nothing more once the link is withdrawn.
            is_due = self._loop.time() >= checked + CHECK or self._watches
            if self._check is not None and is_due:
                await asyncio.to_thread(self._check)
                checked = self._loop.time()
            if text:
                await self._socket.send_text(text)

    async def _hear(self) -> None:
        """Waits until the client disconnects, and reports that."""
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            while (await self._socket.receive())["type"] != "websocket.disconnect":
                pass
        self._put(None)


def _without_notes(text: str) -> str:
    """An event without what is for the player only."""
    event = json.loads(text)
    if "table" in event:
        event["table"]["bookmarks"] = []
    return json.dumps(event, ensure_ascii=False)


async def _close(socket: WebSocket, code: int) -> None:
    with contextlib.suppress(RuntimeError):  # the client has disconnected
        await socket.close(code)
