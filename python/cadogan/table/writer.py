"""One writer for SQLite: changes that come at the same time go to the disk together.

Making sure that something is on the disk takes milliseconds, however much it is. SQLite has one
writer at a time, so fifty players who move at once would wait for fifty such pauses, one after the
other; here they wait for one or two. Each change stands or falls alone all the same.
"""

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Final

from sqlalchemy import Connection, Engine

MOST_TOGETHER: Final = 200

Change = Callable[[Connection], None]


class Writer:
    """Writes changes in the order in which they come.

    Args:
        engine: The database, set to write.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._waiting: queue.SimpleQueue[tuple[Change, Future[None]] | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()

    def write(self, change: Change) -> None:
        """Makes a change; it is on the disk when this returns.

        Raises:
            Exception: What the change raised. Nothing of it has happened then.
        """
        done: Future[None] = Future()
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="cadogan-disk", daemon=True)
                self._thread.start()
            self._waiting.put((change, done))
        done.result()

    def close(self) -> None:
        """Writes what is waiting, and ends."""
        with self._lock:
            if self._thread is not None:
                self._waiting.put(None)
                self._thread.join()
                self._thread = None

    def _run(self) -> None:
        while (first := self._waiting.get()) is not None:
            together = [first]
            ending = False
            while len(together) < MOST_TOGETHER and not self._waiting.empty():
                another = self._waiting.get()
                if another is None:
                    ending = True
                    break
                together.append(another)
            self._write(together)
            if ending:
                return

    def _write(self, together: list[tuple[Change, Future[None]]]) -> None:
        made: list[Future[None]] = []
        failed: list[tuple[Future[None], BaseException]] = []
        try:
            with self._engine.begin() as connection:
                for change, done in together:
                    try:
                        with connection.begin_nested():
                            change(connection)
                    except Exception as fault:
                        failed.append((done, fault))
                    else:
                        made.append(done)
        except BaseException as broken:
            # The commit itself has failed: nothing of all that has happened.
            told = {id(done) for done, _ in failed}
            failed += [(done, broken) for _, done in together if id(done) not in told]
            made = []
        for done, why in failed:
            done.set_exception(why)
        for done in made:
            done.set_result(None)
