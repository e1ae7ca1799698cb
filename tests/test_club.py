"""The players of the bench of a club are as good clients as a browser."""

import asyncio
from typing import Any, cast

from websockets.http11 import Request
from websockets.server import ServerProtocol

from bench.club import Events


class Wire(asyncio.Transport):
    """A connection to a server that is right here."""

    def __init__(self) -> None:
        super().__init__()
        self.server = ServerProtocol()

    def write(self, data: Any) -> None:
        self.server.receive_data(data)


def test_a_socket_takes_events_in_pieces_and_answers_a_ping() -> None:
    heard: list[bytes] = []
    events, wire = Events("/api/tables/key/events", 80, heard.append), Wire()
    events.connection_made(wire)
    (request,) = wire.server.events_received()
    wire.server.send_response(wire.server.accept(cast(Request, request)))
    assert not events.opened.is_set()
    wire.server.send_text(b"the table")
    wire.server.send_ping(b"1234")
    wire.server.send_text(b"short")
    wire.server.send_text(b"long" * 100)
    for byte in b"".join(wire.server.data_to_send()):
        events.data_received(bytes([byte]))
    assert events.opened.is_set()
    assert heard == [b"short", b"long" * 100]
    (pong,) = wire.server.events_received()
    assert cast(Any, pong).data == b"1234"
