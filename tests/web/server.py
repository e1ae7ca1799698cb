"""A real server on loopback, in a thread."""

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import uvicorn

from cadogan.web.app import create_app
from cadogan.web.serve import listen, settings
from cadogan.web.state import AppState


@contextmanager
def running(state: AppState, proxies: Sequence[str] = (), **options: Any) -> Iterator[str]:
    """Runs a server.

    Args:
        state: The state of the application.
        proxies: The addresses of trusted proxies.
        options: Those of :func:`cadogan.web.app.create_app`.

    Yields:
        Its address.
    """
    bound = listen("127.0.0.1", 0)
    server = uvicorn.Server(settings(create_app(state, **options), proxies))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{bound.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(10)
        bound.close()
