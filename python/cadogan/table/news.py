"""News between the server processes that share a database.

News name what has changed, and its version; they carry no content. A process that needs the
content reads it from the database. With SQLite one process serves everybody, so nobody else needs
news. With PostgreSQL they travel by LISTEN and NOTIFY.

News can be late, arrive twice or be lost: a process may be killed between its change and its news,
and a connection may break. So a listener is also called with ``None``, after every reconnection:
then it reads everything that it follows.
"""

import json
import logging
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final, Literal

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import SQLAlchemyError

from cadogan.trouble import trouble

Topic = Literal["table", "jobs", "verdict", "cancelled", "workers"]
"""What has changed: a table; the queue of jobs; a job that others wait for, or nobody any more."""
Listener = Callable[[Sequence[tuple[str, int]] | None], None]
"""Called with the keys and versions that have changed, or ``None``: any may have."""

CHANNEL: Final = "cadogan"
MOST_TOGETHER: Final = 50
"""Items in one notification, which has at most 8,000 bytes."""
MOST_WAITING: Final = 10_000
"""Items that wait while the database is away. When there are more, every listener reads all."""
GATHER: Final = 0.05
"""Seconds for which news wait for others: one notification wakes every process once."""
POLL: Final = 0.5
"""Seconds after which the threads check whether they should end."""
RETRY: Final = 1.0
"""Seconds between attempts to connect."""
PROBE: Final = 10.0
"""Seconds without news after which the connection is tested."""
_NOTIFY: Final = text("SELECT pg_notify(:channel, :items)")
_log = logging.getLogger(__name__)


class News:
    """News in a single process: there is nobody else to notify.

    Attributes:
        is_shared: Whether other processes can get news.
        process: The name of this process among those that share the database.
    """

    is_shared = False

    def __init__(self) -> None:
        self.process = secrets.token_hex(8)
        self._listeners: dict[Topic, list[Listener]] = {}

    @property
    def is_connected(self) -> bool:
        """Whether news from other processes arrive at present."""
        return True

    def publish(self, topic: Topic, key: str, version: int = 0) -> None:
        """Notifies the other processes of a change that is in the database. Never blocks.

        Args:
            topic: What has changed.
            key: Which one.
            version: Its version.
        """

    def listen(self, topic: Topic, listener: Listener) -> None:
        """Registers a listener for news of other processes; it must not block."""
        self._listeners.setdefault(topic, []).append(listener)

    def close(self) -> None:
        """Ends the connections."""


def open_news(engine: Engine) -> News:
    """The news of all processes that use a database."""
    return PostgresNews(engine) if engine.dialect.name == "postgresql" else News()


class PostgresNews(News):
    """News by LISTEN and NOTIFY.

    A thread sends what was published meanwhile in one statement, outside the transaction of the
    change: PostgreSQL commits transactions that notify one after the other.

    Args:
        engine: The database.
    """

    is_shared = True

    def __init__(self, engine: Engine) -> None:
        super().__init__()
        self._engine = engine.execution_options(isolation_level="AUTOCOMMIT")
        self._waiting: dict[tuple[Topic, str], int] = {}
        self._is_lossy = False
        self._wake = threading.Condition()
        self._connected = threading.Event()
        self._closed = False
        self._threads = [
            threading.Thread(target=run, name=f"cadogan-news-{name}", daemon=True)
            for name, run in (("out", self._send), ("in", self._receive))
        ]
        for thread in self._threads:
            thread.start()

    @property
    def is_connected(self) -> bool:
        """Whether news from other processes arrive at present."""
        return self._connected.is_set()

    def publish(self, topic: Topic, key: str, version: int = 0) -> None:
        """Notifies the other processes of a change that is in the database. Never blocks."""
        with self._wake:
            is_first = not self._waiting
            self._waiting[topic, key] = max(version, self._waiting.get((topic, key), 0))
            if len(self._waiting) > MOST_WAITING:
                self._waiting.clear()
                self._is_lossy = True
            if is_first:
                self._wake.notify()

    def close(self) -> None:
        """Sends what waits, if the database can be reached, and ends the connections."""
        with self._wake:
            self._closed = True
            self._wake.notify()
        for thread in self._threads:
            thread.join(4 * POLL)

    # Sending.

    def _send(self) -> None:
        connection: Connection | None = None
        while True:
            with self._wake:
                while not (self._closed or self._waiting or self._is_lossy):
                    self._wake.wait()
                self._wake.wait_for(lambda: self._closed, GATHER)
                taken, self._waiting = self._waiting, {}
                lossy, self._is_lossy = self._is_lossy, False
                closed = self._closed
            try:
                if taken or lossy:
                    connection = connection or self._engine.connect()
                    _notify(connection, self.process, taken, lossy)
            except SQLAlchemyError as fault:
                if trouble(fault) is None:
                    _log.exception("news could not be sent")
                if connection is not None:
                    connection.invalidate()
                    connection = None
                with self._wake:
                    for place, version in taken.items():
                        self._waiting[place] = max(version, self._waiting.get(place, 0))
                    self._is_lossy |= lossy
                if not closed:
                    time.sleep(RETRY)
            if closed:
                if connection is not None:
                    connection.close()
                return

    # Receiving.

    def _receive(self) -> None:
        while not self._closed:
            try:
                self._receive_while_connected()
            except Exception as fault:
                if not self._closed and not _is_away(fault):
                    _log.exception("news could not be received")
            self._connected.clear()
            if not self._closed:
                time.sleep(RETRY)

    def _receive_while_connected(self) -> None:
        with self._engine.connect() as borrowed:
            # News hold a connection for as long as the server runs: take it out of the pool.
            borrowed.detach()
            driver: Any = borrowed.connection.dbapi_connection
            try:
                self._receive_from(driver)
            except Exception:
                borrowed.invalidate()
                driver.close()
                raise

    def _receive_from(self, driver: Any) -> None:
        driver.execute(f"LISTEN {CHANNEL}")
        self._connected.set()
        self._tell_all(None)
        heard = time.monotonic()
        while not self._closed:
            for notification in driver.notifies(timeout=POLL):
                heard = time.monotonic()
                self._tell(notification.payload)
            if time.monotonic() - heard > PROBE:
                driver.execute("SELECT 1")
                heard = time.monotonic()

    def _tell(self, payload: str) -> None:
        process, items = json.loads(payload)
        if process == self.process:
            return
        if items is None:
            self._tell_all(None)
            return
        found: dict[Topic, list[tuple[str, int]]] = {}
        for topic, key, version in items:
            found.setdefault(topic, []).append((key, version))
        for topic, of_topic in found.items():
            self._tell_listeners(topic, of_topic)

    def _tell_all(self, items: None) -> None:
        for topic in list(self._listeners):
            self._tell_listeners(topic, items)

    def _tell_listeners(self, topic: Topic, items: list[tuple[str, int]] | None) -> None:
        for listener in self._listeners.get(topic, ()):
            try:
                listener(items)
            except Exception:
                _log.exception("news of %s were not taken in", topic)


def _notify(
    connection: Connection, process: str, items: dict[tuple[Topic, str], int], lossy: bool
) -> None:
    """Sends news.

    Args:
        connection: A connection to the database.
        process: The process that sends them.
        items: The news.
        lossy: Whether others were dropped.
    """
    listed = [(*place, version) for place, version in items.items()]
    parts: list[Any] = [
        listed[first : first + MOST_TOGETHER] for first in range(0, len(listed), MOST_TOGETHER)
    ]
    for part in [*parts, None] if lossy else parts:
        heard = json.dumps([process, part], separators=(",", ":"))
        connection.execute(_NOTIFY, {"channel": CHANNEL, "items": heard})


def _is_away(fault: Exception) -> bool:
    """Whether the database is away: it will be back."""
    with suppress(Exception):
        return trouble(fault) is not None
    return False
