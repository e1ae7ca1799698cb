"""Ctrl-C, kept from processes that begin: those would tell of it in a traceback.

What is masked here is masked in the new process, which takes it when it is ready for it.
"""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker

SUPPORTED = hasattr(signal, "pthread_sigmask")
"""Whether it can be held back; on Windows it cannot."""


@contextmanager
def blocked_sigint() -> Iterator[None]:
    """Keeps Ctrl-C from this thread, and from processes that it begins meanwhile."""
    if not SUPPORTED:
        yield
        return
    # It begins with the first process, and takes the mask off.
    resource_tracker.ensure_running()
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def unblock_sigint() -> None:
    """Takes Ctrl-C again in a process that began while it was held back."""
    if SUPPORTED:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
