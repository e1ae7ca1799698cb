"""Blocks Ctrl-C (SIGINT) while worker processes start, so that they print no traceback.

A new process inherits the signal mask, and unblocks the signal when it is ready to handle it.
"""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker

SUPPORTED = hasattr(signal, "pthread_sigmask")
"""Whether the system can block signals; Windows cannot."""


@contextmanager
def blocked_sigint() -> Iterator[None]:
    """Blocks Ctrl-C in this thread, and in processes that it starts meanwhile."""
    if not SUPPORTED:
        yield
        return
    # The resource tracker starts with the first process and resets the mask, so start it before.
    resource_tracker.ensure_running()
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def unblock_sigint() -> None:
    """Unblocks Ctrl-C in a process that was started while it was blocked."""
    if SUPPORTED:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
