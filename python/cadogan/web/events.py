"""The WebSocket of a table: changes made elsewhere, and verdicts as they come."""

import asyncio
import contextlib
from typing import Annotated

from fastapi import APIRouter, Path, Query, WebSocket, WebSocketDisconnect

from cadogan.savefile import SavedGameError
from cadogan.table.service import NoTableError
from cadogan.trouble import trouble
from cadogan.web.state import AppState, spoken

router = APIRouter()
MOST_WAITING = 100
NO_TABLE = 4404
"""The code with which a socket to a table that is not there is closed."""
TOO_MANY = 4429
"""The code with which a socket is closed when its table or its client has enough of them."""
LATER = 1013
"""The code with which a socket is closed while the database cannot be used: try again later."""


@router.websocket("/api/tables/{key}/events")
async def events(
    socket: WebSocket,
    key: Annotated[str, Path(pattern=r"^[a-z0-9]{16}$")],
    lang: Annotated[str, Query(max_length=20)] = "en",
) -> None:
    """Tells of a table until the page goes away. What the page says is not listened to."""
    state: AppState = socket.app.state.app_state
    await socket.accept()
    loop = asyncio.get_running_loop()
    waiting: asyncio.Queue[str] = asyncio.Queue(MOST_WAITING)

    def put(text: str) -> None:
        if waiting.full():
            # Who does not read misses the old news, not the new.
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

    # A table may be large and its lock may be held: whatever touches it runs in a thread, so that
    # the event loop goes on serving the others.
    def first_event() -> str:
        record = state.tables.get(key)
        state.opened(record)
        return state.table_event(record, language)

    hearing = asyncio.create_task(_hear(socket))
    try:
        await socket.send_text(await asyncio.to_thread(first_event))
        while not hearing.done():
            told = asyncio.create_task(waiting.get())
            done, _ = await asyncio.wait({told, hearing}, return_when=asyncio.FIRST_COMPLETED)
            if told not in done:
                told.cancel()
                break
            await socket.send_text(told.result())
    except (NoTableError, SavedGameError, LookupError):
        await socket.close(NO_TABLE)
    except (WebSocketDisconnect, RuntimeError):
        pass  # the page has gone
    except Exception as fault:
        if trouble(fault) is None:
            raise
        await socket.close(LATER)
    finally:
        state.subscriptions.remove(key, send)
        hearing.cancel()
        # Nobody waits for this: the server may be shutting down.
        loop.run_in_executor(None, state.left, key)


async def _hear(socket: WebSocket) -> None:
    """Ends when the page goes away."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        while (await socket.receive())["type"] != "websocket.disconnect":
            pass
