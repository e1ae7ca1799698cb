"""Rules files of strangers, tried out in a process of their own before they are stored or loaded.

Whatever a rules file costs is bounded by the language. This is the second wall: should a file be
found that costs more, it costs this process, which is ended, and the file is refused in words.
"""

import contextlib
import gc
import multiprocessing
import signal
import threading
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Final

from cadogan.i18n.text import told
from cadogan.interrupts import blocked_sigint, unblock_sigint
from cadogan.rules import check_text
from cadogan.rules.faults.report import Report
from cadogan.rules.source.document import Document
from cadogan.rules.source.span import Span

SECONDS: Final = 10.0
"""By the clock, for one file; the slowest file known takes one on an idle machine."""

PROCESSOR: Final = 5
"""Seconds of the processor, in case that nobody is left to end the process."""

MEMORY: Final = 512 << 20
"""Bytes beyond what the process has when it begins."""

MOST_WAITING: Final = 8
"""Requests that may wait for their turn; each holds a thread of the server."""


class TooManyTrialsError(RuntimeError):
    """As many rules files are waiting to be tried as may."""


class NoTrialsError(RuntimeError):
    """The process that tries rules files cannot be started; no file is to blame for that."""


class Trials:
    """A process that tries out rules files, one at a time. It starts with the first of them."""

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
            text: The rules file.
            name: What to call it in messages.

        Returns:
            All faults and warnings. A file that takes too much has the fault ``too-costly``.

        Raises:
            TooManyTrialsError: If too many files are waiting.
            NoTrialsError: If the process cannot be started.
        """
        if not self._places.acquire(blocking=False):
            raise TooManyTrialsError(told("too many rules files are being checked at once"))
        try:
            with self._turn:
                report = self._ask(text, name)
        finally:
            self._places.release()
        return _too_costly(text, name) if report is None else report

    def close(self) -> None:
        """Ends the process; whoever waits for it has an answer at once."""
        with self._guard:
            self._closed = True
            if self._process is not None:
                self._process.kill()

    def _ask(self, text: str, name: str) -> Report | None:
        """The report; ``None`` if the file took too much."""
        if self._process is not None and not self._process.is_alive():
            self._forget()  # It was ended from outside while nobody needed it.
        try:
            pipe = self._connected()
            # A new process has time to import what it needs, which a slow disk may make long.
            if not self._ready and not pipe.poll(6 * self._seconds):
                raise EOFError
            self._ready = self._ready or pipe.recv() == "ready"
            pipe.send((text, name))
        except (OSError, EOFError, MemoryError) as error:
            self._forget()
            raise NoTrialsError(told("the server cannot try rules files now")) from error
        try:
            if pipe.poll(self._seconds):
                found: Report | None = pipe.recv()
                return found
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
    """What the process does: checks what it is sent, until the pipe is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    unblock_sigint()
    check_text('name = "A"\n[foundations]\npiles = 4\nbase = "ace"\nbuild = "up"\n', "warm")
    _limit_memory()
    with contextlib.suppress(EOFError, OSError):
        pipe.send("ready")
        while True:
            text, name = pipe.recv()
            _limit_time()
            try:
                report: Report | None = check_text(text, name)
            except MemoryError:
                report = None
            gc.collect()
            pipe.send(report)


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


def _too_costly(text: str, name: str) -> Report:
    report = Report(Document(name, text, {}))
    report.add_at(
        "too-costly",
        Span(1, 1, 1),
        told("to read this file and to deal its games takes too much time or memory"),
        hint=told("a smaller game, or fewer variants, will do"),
    )
    return report
