"""The server process: it tells systemd its state, and ends gently."""

import gc
import os
import signal
import socket
import time
from types import FrameType
from typing import Final

import uvicorn

from cadogan.web.state import AppState

GRACE_SECONDS: Final = 10
"""So long running requests may take after the server was asked to stop."""

YOUNG, MIDDLE, OLD = 700, 10, 100
"""How many new objects, and collections of the younger generation, come before a collection."""


def collect_rarely() -> None:
    """Makes full garbage collections rare, and takes out of them what is there for good.

    A full collection looks at every object, and nobody is answered meanwhile: 0.1 seconds with 500
    players. By default there is one for each thousand moves, with these thresholds one for ten
    thousand. A request leaves nothing that only a collection removes, a connection some kilobytes.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, MIDDLE, OLD)


class Server(uvicorn.Server):
    """A server that stops in steps.

    On ``SIGTERM`` it reports at ``/readyz`` that it is about to stop, so that a proxy sends no new
    clients. After ``drain`` seconds it accepts no connections, closes sockets with 1012 ("service
    restart", after which pages connect again), lets running requests end, and returns. A second
    signal skips the wait.

    Args:
        config: The configuration.
        state: The state of the application.
        drain: For how many seconds it goes on after ``SIGTERM``.
    """

    def __init__(self, config: uvicorn.Config, state: AppState, drain: float = 0.0) -> None:
        super().__init__(config)
        self._state = state
        self._drain = drain
        self._until: float | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begins to listen, and reports it to systemd."""
        await super().startup(sockets)
        notify("READY=1")

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Handles the signals that end the server."""
        self._state.stopping = True
        notify("STOPPING=1")
        if sig != signal.SIGTERM:
            super().handle_exit(sig, frame)
        elif self._until is None:
            # Not noted as a signal: uvicorn would raise it again, which ends the process at once.
            self._until = time.monotonic() + self._drain
        else:
            self.should_exit = True

    async def on_tick(self, counter: int) -> bool:
        """Whether the server ends now; asked ten times a second."""
        is_over = self._until is not None and time.monotonic() >= self._until
        return await super().on_tick(counter) or is_over


def notify(state: str) -> None:
    """Reports a state to systemd, if it has started this process with ``Type=notify``."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address.startswith(("/", "@")):
        return
    # A name that begins with @ is one of the abstract namespace.
    target = "\0" + address[1:] if address.startswith("@") else address
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
            sender.sendto(state.encode(), target)
    except OSError:
        return  # Systemd ends a service that does not report, and says so.
