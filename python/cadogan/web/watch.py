"""Sees every request: gives it an identifier, counts it, and logs it."""

import logging
import re
import secrets
import time
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cadogan.web.health import OPEN
from cadogan.web.logs import request_id
from cadogan.web.metrics import SOCKET, Metrics

HEADER: Final = "x-request-id"
_ID: Final = re.compile(r"[A-Za-z0-9._-]{8,64}")
_log = logging.getLogger(__name__)


class Watch:
    """Sees every request and every socket, also those that the guard refuses.

    Args:
        app: The application with its guard.
        metrics: Where requests are counted.
        is_behind_proxy: Whether the identifiers of requests come from a proxy.
    """

    def __init__(self, app: ASGIApp, metrics: Metrics, *, is_behind_proxy: bool = False) -> None:
        self._app = app
        self._metrics = metrics
        self._is_behind_proxy = is_behind_proxy

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        name = self._name(scope)
        request_id.set(name)
        begun, status = time.perf_counter(), 0

        async def seen(message: Message) -> None:
            nonlocal status
            match message["type"]:
                case "http.response.start":
                    status = message["status"]
                    MutableHeaders(scope=message)[HEADER] = name
                case "websocket.accept":
                    status = 101
                case "websocket.close" if not status:
                    status = 403
            await send(message)

        try:
            await self._app(scope, receive, seen)
        finally:
            self._note(scope, status, time.perf_counter() - begun)

    def _name(self, scope: Scope) -> str:
        """The identifier of a request: that of the proxy, or a new one."""
        given = Headers(scope=scope).get(HEADER, "") if self._is_behind_proxy else ""
        return given if _ID.fullmatch(given) else secrets.token_hex(8)

    def _note(self, scope: Scope, status: int, seconds: float) -> None:
        is_socket = scope["type"] == "websocket"
        found = scope.get("route")
        method: str = SOCKET if is_socket else scope["method"]
        route: str | None = SOCKET if is_socket else None if found is None else found.path
        self._metrics.request(method, route, status, seconds)
        if scope["path"] in OPEN and status == 200:
            return  # They come every few seconds, and say nothing.
        # Never the address: it may have a token or the key of a table in it.
        fields = {
            "method": method,
            "route": route,
            "status": status,
            "ms": round(1000 * seconds, 1),
        }
        _log.info("request", extra={"fields": fields})
