"""Runs the server."""

import socket
import sys
import threading
import webbrowser
from collections.abc import Iterable, Sequence
from typing import Final

import uvicorn
from fastapi import FastAPI
from uvicorn.config import LOGGING_CONFIG

from cadogan.web.app import create_app
from cadogan.web.guard import LOOPBACK
from cadogan.web.logs import Kind
from cadogan.web.protocol import WebSocket, limited, most_connections
from cadogan.web.running import GRACE_SECONDS, Server, collect_rarely
from cadogan.web.state import AppState

PORT: Final = 7617


def listen(host: str, port: int | None) -> socket.socket:
    """Opens a listening socket. Without a port it tries the default port, then any free one.

    Raises:
        OSError: If the port is in use, or the host is not an address of this machine.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for wanted in (PORT, 0) if port is None else (port,):
        # Name the protocol, because asyncio sets TCP_NODELAY only on such sockets. Without it every
        # answer waits 40 ms for the acknowledgement of its first part.
        made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            made.bind((host, wanted))
        except OSError:
            made.close()
            if wanted == 0 or port is not None:
                raise
            continue
        made.listen(128)
        return made
    raise AssertionError("the last port either bound or raised")


def serve(
    state: AppState,
    bound: socket.socket,
    *,
    token: str | None = None,
    hosts: Iterable[str] = LOOPBACK,
    open_at: str | None = None,
    ticket: str | None = None,
    metrics_token: str | None = None,
    proxies: Sequence[str] = (),
    drain: float = 0.0,
    log: Kind = "text",
) -> None:
    """Serves until the process receives a signal to end.

    Args:
        state: The state of the application.
        bound: The listening socket.
        token: The secret that every client must know, if there is one.
        hosts: The host names of this server.
        ticket: A secret for one use soon after the start, in place of the token.
        open_at: An address to open in the browser as soon as the server answers.
        metrics_token: The secret with which other machines may read the figures.
        proxies: The addresses of proxies that are trusted to name the client and its scheme.
        drain: For how many seconds the server goes on after ``SIGTERM``, reported as not ready.
        log: How the log is written; see :func:`cadogan.web.logs.log_json`.
    """
    app = create_app(
        state,
        token=token,
        hosts=hosts,
        ticket=ticket,
        metrics_token=metrics_token,
        is_behind_proxy=bool(proxies),
    )
    server = Server(settings(app, proxies, log), state, drain)
    collect_rarely()
    # The longest time for which the I/O thread waits for a computing thread.
    sys.setswitchinterval(0.001)
    if open_at is not None:
        threading.Timer(0.5, webbrowser.open, [open_at]).start()
    try:
        server.run(sockets=[bound])
    finally:
        state.close()


def settings(app: FastAPI, proxies: Sequence[str] = (), log: Kind = "text") -> uvicorn.Config:
    """The configuration of uvicorn, with all limits that it supports.

    Args:
        app: The application.
        proxies: The addresses of proxies that are trusted to name the client and its scheme.
        log: How the log is written.
    """
    return uvicorn.Config(
        app,
        log_config=LOGGING_CONFIG if log == "text" else None,
        log_level="warning",
        access_log=False,
        server_header=False,
        # Without a trusted proxy, such headers are what clients claim of themselves.
        proxy_headers=bool(proxies),
        forwarded_allow_ips=list(proxies),
        http=limited(most_connections()),
        ws=WebSocket,
        ws_max_size=65536,
        ws_per_message_deflate=False,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=GRACE_SECONDS,
        lifespan="off",
    )
