"""Runs the server."""

import gc
import socket
import sys
import threading
import webbrowser
from collections.abc import Iterable
from typing import Final

import uvicorn
from fastapi import FastAPI

from cadogan.web.app import create_app
from cadogan.web.guard import LOOPBACK
from cadogan.web.protocol import WebSocket, limited, most_connections
from cadogan.web.state import AppState

PORT: Final = 7617


def listen(host: str, port: int | None) -> socket.socket:
    """A socket to serve at. Without a port the usual one is taken, or any that is free.

    Raises:
        OSError: If the port is taken, or the host is none of this machine's.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for wanted in (PORT, 0) if port is None else (port,):
        # The protocol is named because asyncio sets TCP_NODELAY on such sockets only; without it
        # every answer waits 40 ms for the acknowledgement of its first part.
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
    raise AssertionError("one of the ports was tried last")


def serve(
    state: AppState,
    bound: socket.socket,
    *,
    token: str | None = None,
    hosts: Iterable[str] = LOOPBACK,
    open_at: str | None = None,
    ticket: str | None = None,
) -> None:
    """Serves until the process is told to end.

    Args:
        state: What is served.
        bound: The socket.
        token: The secret that everybody must know who comes, if there is one.
        hosts: Names this server goes by.
        ticket: Opens the door once, in place of the token, soon after the start.
        open_at: An address to be opened in the browser when the server answers.
    """
    server = uvicorn.Server(settings(create_app(state, token=token, hosts=hosts, ticket=ticket)))
    # A collection of garbage that goes through all the modules takes 100 ms, in which nobody is
    # answered. What is there now stays, so it need not be gone through.
    gc.collect()
    gc.freeze()
    # The thread that reads and writes waits for one that computes no longer than this.
    sys.setswitchinterval(0.001)
    if open_at is not None:
        threading.Timer(0.5, webbrowser.open, [open_at]).start()
    try:
        server.run(sockets=[bound])
    finally:
        state.close()


def settings(app: FastAPI) -> uvicorn.Config:
    """How the server runs: with limits wherever there can be one."""
    return uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        http=limited(most_connections()),
        ws=WebSocket,
        ws_max_size=65536,
        ws_per_message_deflate=False,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=3,
        lifespan="off",
    )
