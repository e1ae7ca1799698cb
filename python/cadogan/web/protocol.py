"""The HTTP and WebSocket protocols of uvicorn, with limits of size and time.

The parser has no limits of its own, and the application does not see a request before its head is
complete. So this module limits the size of heads, closes idle connections and half-sent requests,
and counts connections, before any token is checked.
"""

import asyncio
import contextlib
import sys
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

LARGEST_HEAD: Final = 64 * 1024
"""The largest size of the first line and the headers of a request, in bytes."""
LARGEST_URL: Final = 40 * 1024
MOST_HEADERS: Final = 100
CHUNKING: Final = 8
"""In a chunked body, the largest overhead in bytes per byte of content."""
HEAD_SECONDS: Final = 15.0
"""The longest time for which a connection may be idle or a head incomplete."""
BODY_SECONDS: Final = 30.0
WRITE_SECONDS: Final = 60.0
"""A client must read the answer within this time."""
FAREWELL_SECONDS: Final = 2.0
"""So long a client may take to answer that the server stops."""
MOST_CONNECTIONS: Final = 4000
RESERVED_FILES: Final = 128
"""File descriptors for other uses than connections: the database, the page, processes."""


def most_connections() -> int:
    """Raises the limit of open files and returns the largest number of connections."""
    if sys.platform == "win32":
        return 400
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_CONNECTIONS + RESERVED_FILES
    if soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return max(16, min(MOST_CONNECTIONS, soft - RESERVED_FILES))


def _plain(status: bytes, text: bytes) -> bytes:
    """An answer without the application; the connection is closed after it."""
    return b"".join(
        (
            b"HTTP/1.1 " + status + b"\r\n",
            b"content-type: text/plain; charset=utf-8\r\n",
            b"content-length: " + str(len(text)).encode() + b"\r\n",
            b"cache-control: no-store\r\n",
            b"content-security-policy: default-src 'none'\r\n",
            b"x-content-type-options: nosniff\r\n",
            b"connection: close\r\n\r\n",
            text,
        )
    )


FULL: Final = _plain(
    b"503 Service Unavailable", b"too many connections are open\nhint: try again in a moment\n"
)
TOO_LONG_URL: Final = _plain(b"414 URI Too Long", b"the address is too long\n")
TOO_LARGE_HEAD: Final = _plain(
    b"431 Request Header Fields Too Large", b"the headers of the request are too large\n"
)
TOO_SLOW: Final = _plain(b"408 Request Timeout", b"the request took too long to arrive\n")
UNREADABLE: Final = _plain(b"400 Bad Request", b"this is not a request of HTTP\n")


class Http(HttpToolsProtocol):
    """An HTTP connection."""

    most = MOST_CONNECTIONS

    def __init__(self, *args: Any, **keywords: Any) -> None:
        super().__init__(*args, **keywords)
        self._refused = False
        self._in_head = True
        self._asked = False
        self._raw = self._body = self._head = self._headers = 0
        self._deadline: asyncio.TimerHandle | None = None
        self._stalled: asyncio.TimerHandle | None = None

    # Connections.

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Counts the connection, and closes it if there are too many."""
        super().connection_made(transport)
        here = self.client and self.client[0]
        clients = (getattr(each, "client", None) for each in self.connections)
        same = sum(client is not None and client[0] == here for client in clients)
        if len(self.connections) > self.most or same > self.most * 3 // 4:
            self._refuse(FULL)
        else:
            self._await(HEAD_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        """Removes the connection from the count."""
        self._await(None)
        if self._stalled is not None:
            self._stalled.cancel()
        super().connection_lost(exc)

    # Limits of size.

    def data_received(self, data: bytes) -> None:
        """Passes data to the parser, unless a limit is exceeded."""
        if self._refused:
            return
        if self._deadline is None and (self.cycle is None or self.cycle.response_complete):
            # On an idle connection, any data begins a head, even an empty line.
            self._in_head, self._asked = True, False
            self._raw = self._body = 0
            self._await(HEAD_SECONDS)
        self._raw += len(data)
        super().data_received(data)
        if not self._refused and not self.transport.is_closing() and self._is_too_large():
            self._refuse(TOO_LONG_URL if len(self._url()) > LARGEST_URL else TOO_LARGE_HEAD)

    def _is_too_large(self) -> bool:
        if self._in_head:
            return self._raw > LARGEST_HEAD
        # Bytes outside the body are chunk headers or trailers, which count as headers.
        return self._raw - self._body > LARGEST_HEAD * 5 + CHUNKING * self._body

    def _url(self) -> bytes:
        return getattr(self, "url", b"")

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self._in_head = self._asked = True
        self._raw = self._body = self._head = self._headers = 0
        if self._deadline is None:
            self._await(HEAD_SECONDS)

    def on_url(self, url: bytes) -> None:
        """Receives a part of the address."""
        super().on_url(url)
        self._head += len(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Receives a header, unless there are too many."""
        self._head += len(name) + len(value) + 4
        self._headers += 1
        if self._head <= LARGEST_HEAD and self._headers <= MOST_HEADERS:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Starts the application, unless the head is too large."""
        if self._refused:
            return
        self._in_head = False
        if len(self.url) > LARGEST_URL:
            self._refuse(TOO_LONG_URL)
        elif self._head > LARGEST_HEAD or self._headers > MOST_HEADERS:
            self._refuse(TOO_LARGE_HEAD)
        else:
            self._await(BODY_SECONDS)
            super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Receives a part of the body."""
        self._body += len(body)
        if not self._refused:
            super().on_body(body)

    def on_message_complete(self) -> None:
        """A request is complete."""
        self._await(None)
        if not self._refused:
            super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        """Hands the connection over to the WebSocket protocol."""
        if self._refused:
            return
        self._await(None)
        super().handle_websocket_upgrade()

    def send_400_response(self, msg: str) -> None:
        """Refuses data that is not HTTP."""
        self._refuse(UNREADABLE)

    def _refuse(self, answer: bytes) -> None:
        """Answers without the application, and closes the connection."""
        self._refused = True
        self._await(None)
        if self.cycle is None or self.cycle.response_complete or not self.cycle.response_started:
            self.transport.write(answer)
        self.transport.close()

    # Limits of time.

    def _await(self, seconds: float | None) -> None:
        """Sets or clears the deadline of the connection."""
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = None
        if seconds is not None:
            self._deadline = self.loop.call_later(seconds, self._overdue, seconds)

    def _overdue(self, seconds: float) -> None:
        self._deadline = None
        if self.transport.is_closing():
            return
        if self.flow.read_paused:  # the server is the slow side
            self._await(seconds)
        elif not self._asked:
            self.transport.close()
        else:
            self._refuse(TOO_SLOW)

    def pause_writing(self) -> None:
        """The client does not read the answer."""
        super().pause_writing()
        self._stalled = self.loop.call_later(WRITE_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """The client reads again."""
        super().resume_writing()
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None


class WebSocket(WebSocketsSansIOProtocol):
    """A WebSocket connection."""

    def shutdown(self) -> None:
        """Closes the connection because the server stops; a silent client must not delay that."""
        super().shutdown()
        self.loop.call_later(FAREWELL_SECONDS, self.transport.close)

    def send_receive_event_to_app(self) -> None:
        """Passes a message on, unless it is a text message with invalid UTF-8."""
        if self.curr_msg_data_type == "text":
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:
                self.frames = []
                self.conn.fail(1007, "the message is not valid UTF-8")
                self.queue.put_nowait({"type": "websocket.disconnect", "code": 1007})
                self.transport.write(b"".join(self.conn.data_to_send()))
                self.close_sent = True
                self.transport.close()
                return
        super().send_receive_event_to_app()


def limited(most: int) -> type[asyncio.Protocol]:
    """The protocol class of a server with a limited number of connections."""
    return type("Http", (Http,), {"most": most})
