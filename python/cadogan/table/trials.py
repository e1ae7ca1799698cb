"""Tries untrusted rules files in a separate process before they are stored or loaded.

The language bounds what a rules file can cost. This is the second line of defence: if a file still
costs too much, only this process is killed, and the file is refused with a message.
"""

import contextlib
import gc
import multiprocessing
import signal
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, Final, ParamSpec, TypeVar

from cadogan.i18n.text import gettext
from cadogan.interrupts import blocked_sigint, unblock_sigint
from cadogan.rules import check_text
from cadogan.rules.faults.report import Report
from cadogan.rules.source.document import Document
from cadogan.rules.source.span import Span

SECONDS: Final = 10.0
"""Wall-clock seconds for one file. The slowest known file takes one second on an idle machine."""

PROCESSOR: Final = 5
"""Processor seconds, in case the parent is gone and cannot kill the process."""

MEMORY: Final = 512 << 20
"""How many bytes the process may allocate after its start."""

MOST_WAITING: Final = 8
"""How many requests may wait for their turn; each holds a thread of the server."""

Given = ParamSpec("Given")
Found = TypeVar("Found")


class TooManyTrialsError(RuntimeError):
    """Too many rules files are waiting to be tried."""


class NoTrialsError(RuntimeError):
    """The process that tries rules files cannot be started; no file is to blame for that."""


class Trials:
    """Tries rules files one at a time in a separate process, which starts with the first file.

    Args:
        seconds: The time limit for one file.
    """

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._turn = threading.Lock()
        self._places = threading.BoundedSemaphore(1 + MOST_WAITING)
        self._guard = threading.Lock()
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None
        self._ready = False
        self._closed = False

    def check(self, text: str, name: str = "rules") -> Report:
        """Checks a rules file as :func:`cadogan.rules.check_text` does, within limits.

        Args:
            text: The text of the rules file.
            name: The name of the file in messages.

        Returns:
            All faults and warnings. A file that exceeds the limits has the fault ``too-costly``.

        Raises:
            TooManyTrialsError: If too many files are waiting.
            NoTrialsError: If the process cannot be started.
        """
        report = self.run(check_text, text, name)
        return too_costly(text, name) if report is None else report

    def run(
        self, task: Callable[Given, Found], *given: Given.args, **named: Given.kwargs
    ) -> Found | None:
        """Does something in the process, within limits.

        Args:
            task: A function of a module; what it is given and returns can be pickled.
            given: What it is given.
            named: What it is given by name.

        Returns:
            What it returns; ``None`` if it exceeded the limits.

        Raises:
            TooManyTrialsError: If too many tasks are waiting.
            NoTrialsError: If the process cannot be started.
        """
        if not self._places.acquire(blocking=False):
            raise TooManyTrialsError(gettext("too many rules files are being checked at once"))
        try:
            with self._turn:
                found: Found | None = self._ask(task, given, named)
                return found
        finally:
            self._places.release()

    def close(self) -> None:
        """Kills the process. Threads that wait for it get an answer at once."""
        with self._guard:
            self._closed = True
            if self._process is not None:
                self._process.kill()

    def _ask(self, *request: Any) -> Any:
        """What the process answers; ``None`` if the limits were exceeded."""
        if self._process is not None and not self._process.is_alive():
            self._forget()  # It was ended from outside while nobody needed it.
        try:
            pipe = self._connected()
            # Give a new process extra time for its imports, which are slow on a slow disk.
            if not self._ready and not pipe.poll(6 * self._seconds):
                raise EOFError
            self._ready = self._ready or pipe.recv() == "ready"
            pipe.send(request)
        except (OSError, EOFError, MemoryError) as error:
            self._forget()
            raise NoTrialsError(gettext("the server cannot try rules files now")) from error
        try:
            if pipe.poll(self._seconds):
                return pipe.recv()
        except (OSError, EOFError):
            pass
        self._forget()
        return None

    def _connected(self) -> Connection:
        with self._guard:
            if self._closed:
                raise EOFError
            if self._pipe is None:
                context = multiprocessing.get_context("spawn")
                ours, theirs = context.Pipe()
                process = context.Process(
                    target=work, args=(theirs,), name="cadogan-trials", daemon=True
                )
                try:
                    with blocked_sigint():
                        process.start()
                except BaseException:
                    ours.close()
                    raise
                finally:
                    theirs.close()
                self._process, self._pipe = process, ours
            return self._pipe

    def _forget(self) -> None:
        with self._guard:
            if self._pipe is not None:
                self._pipe.close()
            if self._process is not None:
                self._process.kill()
                self._process.join()
            self._pipe = self._process = None
            self._ready = False


def work(pipe: Connection) -> None:
    """The main loop of the process: it does what it is asked until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    unblock_sigint()
    check_text('name = "A"\n[foundations]\npiles = 4\nbase = "ace"\nbuild = "up"\n', "warm")
    _limit_memory()
    with contextlib.suppress(EOFError, OSError):
        pipe.send("ready")
        while True:
            task, given, named = pipe.recv()
            _limit_time()
            try:
                found = task(*given, **named)
            except MemoryError:
                found = None
            gc.collect()
            pipe.send(found)


def _limit_memory() -> None:
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        pages = int(Path("/proc/self/statm").read_text().split()[0])
        most = pages * resource.getpagesize() + MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _limit_time() -> None:
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        used = resource.getrusage(resource.RUSAGE_SELF)
        spent = int(used.ru_utime + used.ru_stime)
        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (spent + 1 + PROCESSOR, hard))


def too_costly(text: str, name: str) -> Report:
    """The report about a file that exceeded the limits."""
    report = Report(Document(name, text, {}))
    report.add_at(
        "too-costly",
        Span(1, 1, 1),
        gettext("reading this file and dealing its games takes too much time or memory"),
        hint=gettext("make the game smaller, or define fewer variants"),
    )
    return report
