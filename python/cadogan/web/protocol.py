"""How connections speak HTTP and WebSocket: as uvicorn does it, with limits of size and time.

The parser has no limits of its own, and what it is given is not seen by the application before a
head is complete. So heads are measured here, half-sent requests and idle connections are closed
here, and connections are counted here, before anybody is asked for a token.
"""

import asyncio
import contextlib
import sys
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

LARGEST_HEAD: Final = 64 * 1024
"""Bytes of the first line and the headers of a request."""
LARGEST_URL: Final = 40 * 1024
MOST_HEADERS: Final = 100
CHUNKING: Final = 8
"""Bytes that may frame a byte of a body that comes in chunks."""
HEAD_SECONDS: Final = 15.0
"""A connection may be silent, and a head half sent, for so long."""
BODY_SECONDS: Final = 30.0
WRITE_SECONDS: Final = 60.0
"""Whoever asks must read the answer in this time."""
MOST_CONNECTIONS: Final = 4000
RESERVED_FILES: Final = 128
"""File descriptors that are not for connections: the database, files of the page, processes."""


def most_connections() -> int:
    """How many connections there may be, after asking the system for as many files as it allows."""
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
    """An answer of the server itself, after which the connection is closed."""
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
    """A connection that speaks HTTP."""

    most = MOST_CONNECTIONS

    def __init__(self, *args: Any, **keywords: Any) -> None:
        super().__init__(*args, **keywords)
        self._refused = False
        self._in_head = True
        self._asked = False
        self._raw = self._body = self._told = self._headers = 0
        self._deadline: asyncio.TimerHandle | None = None
        self._stalled: asyncio.TimerHandle | None = None

    # Who may connect.

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Counts the connection, and turns it away if there are too many."""
        super().connection_made(transport)
        here = self.client and self.client[0]
        clients = (getattr(each, "client", None) for each in self.connections)
        same = sum(client is not None and client[0] == here for client in clients)
        if len(self.connections) > self.most or same > self.most * 3 // 4:
            self._refuse(FULL)
        else:
            self._await(HEAD_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forgets the connection."""
        self._await(None)
        if self._stalled is not None:
            self._stalled.cancel()
        super().connection_lost(exc)

    # How much may come.

    def data_received(self, data: bytes) -> None:
        """Has the parser read some bytes, unless they are too many."""
        if self._refused:
            return
        if self._deadline is None and (self.cycle is None or self.cycle.response_complete):
            # Anything that comes on an idle connection begins a head, even an empty line.
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
        # What is no body is the frame of its chunks, and trailers, which are headers, too.
        return self._raw - self._body > LARGEST_HEAD * 5 + CHUNKING * self._body

    def _url(self) -> bytes:
        return getattr(self, "url", b"")

    def on_message_begin(self) -> None:
        """Begins a head."""
        super().on_message_begin()
        self._in_head = self._asked = True
        self._raw = self._body = self._told = self._headers = 0
        if self._deadline is None:
            self._await(HEAD_SECONDS)

    def on_url(self, url: bytes) -> None:
        """Takes in a part of the address."""
        super().on_url(url)
        self._told += len(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Takes in a header, unless there are too many."""
        self._told += len(name) + len(value) + 4
        self._headers += 1
        if self._told <= LARGEST_HEAD and self._headers <= MOST_HEADERS:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Begins the answer, unless the head is too large."""
        if self._refused:
            return
        self._in_head = False
        if len(self.url) > LARGEST_URL:
            self._refuse(TOO_LONG_URL)
        elif self._told > LARGEST_HEAD or self._headers > MOST_HEADERS:
            self._refuse(TOO_LARGE_HEAD)
        else:
            self._await(BODY_SECONDS)
            super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Takes in a part of the body."""
        self._body += len(body)
        if not self._refused:
            super().on_body(body)

    def on_message_complete(self) -> None:
        """Ends a request."""
        self._await(None)
        if not self._refused:
            super().on_message_complete()

    def handle_websocket_upgrade(self) -> None:
        """Hands the connection over."""
        if self._refused:
            return
        self._await(None)
        super().handle_websocket_upgrade()

    def send_400_response(self, msg: str) -> None:
        """Refuses what is not HTTP."""
        self._refuse(UNREADABLE)

    def _refuse(self, answer: bytes) -> None:
        """Answers without the application, and closes the connection."""
        self._refused = True
        self._await(None)
        if self.cycle is None or self.cycle.response_complete or not self.cycle.response_started:
            self.transport.write(answer)
        self.transport.close()

    # How long it may take.

    def _await(self, seconds: float | None) -> None:
        """Sets a deadline for what is being sent, or takes it away."""
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = None
        if seconds is not None:
            self._deadline = self.loop.call_later(seconds, self._overdue, seconds)

    def _overdue(self, seconds: float) -> None:
        self._deadline = None
        if self.transport.is_closing():
            return
        if self.flow.read_paused:  # it is we who are slow
            self._await(seconds)
        elif not self._asked:
            self.transport.close()
        else:
            self._refuse(TOO_SLOW)

    def pause_writing(self) -> None:
        """The client does not read what it is sent."""
        super().pause_writing()
        self._stalled = self.loop.call_later(WRITE_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """The client reads again."""
        super().resume_writing()
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None


class WebSocket(WebSocketsSansIOProtocol):
    """A connection that speaks WebSocket."""

    def send_receive_event_to_app(self) -> None:
        """Hands on a message, unless it is a text that is none."""
        if self.curr_msg_data_type == "text":
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:
                self.frames = []
                self.conn.fail(1007, "this text is not UTF-8")
                self.queue.put_nowait({"type": "websocket.disconnect", "code": 1007})
                self.transport.write(b"".join(self.conn.data_to_send()))
                self.close_sent = True
                self.transport.close()
                return
        super().send_receive_event_to_app()


def limited(most: int) -> type[asyncio.Protocol]:
    """The class of connections of a server that has so many at most."""
    return type("Http", (Http,), {"most": most})
