"""The WebSocket of a table: changes made elsewhere, and new verdicts."""

import asyncio
import contextlib
import logging
from typing import Annotated

from fastapi import APIRouter, Path, Query, WebSocket, WebSocketDisconnect

from cadogan.rules import RulesError, UnknownGameError
from cadogan.savefile import SavedGameError
from cadogan.table.library import FaultyGameError
from cadogan.table.service import NoTableError
from cadogan.trouble import trouble
from cadogan.web.state import StateDep, spoken

router = APIRouter()
_log = logging.getLogger(__name__)
MOST_WAITING = 100
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
    state: StateDep,
    key: Annotated[str, Path(pattern=r"^[a-z0-9]{16}$")],
    lang: Annotated[str, Query(max_length=20)] = "en",
) -> None:
    """Sends the events of a table until the client disconnects. Incoming messages are ignored."""
    await socket.accept()
    loop = asyncio.get_running_loop()
    waiting: asyncio.Queue[str] = asyncio.Queue(MOST_WAITING)

    def put(text: str) -> None:
        if waiting.full():
            # A client that does not read misses old events, not new ones.
            waiting.get_nowait()
        waiting.put_nowait(text)

    def send(text: str) -> None:
        with contextlib.suppress(RuntimeError):  # the loop may have ended
            loop.call_soon_threadsafe(put, text)

    language = spoken(lang)
    client = "" if socket.client is None else socket.client.host
    if not state.subscriptions.add(key, language, send, client):
        await socket.close(TOO_MANY)
        return

    # A table may be large and its lock may be held: everything that uses it runs in a thread, so
    # that the event loop can serve other requests.
    def first_event() -> str:
        record = state.tables.get(key)
        state.opened(record)
        state.subscriptions.begins_at(key, record.version)
        return state.table_event(record, language)

    hearing = asyncio.create_task(_hear(socket))
    try:
        await socket.send_text(await asyncio.to_thread(first_event))
        while not hearing.done():
            event = asyncio.create_task(waiting.get())
            done, _ = await asyncio.wait({event, hearing}, return_when=asyncio.FIRST_COMPLETED)
            if event not in done:
                event.cancel()
                break
            await socket.send_text(event.result())
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
        loop.run_in_executor(None, state.left, key)


async def _close(socket: WebSocket, code: int) -> None:
    with contextlib.suppress(RuntimeError):  # the client has disconnected
        await socket.close(code)


async def _hear(socket: WebSocket) -> None:
    """Returns when the client disconnects."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        while (await socket.receive())["type"] != "websocket.disconnect":
            pass
