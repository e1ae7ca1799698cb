"""Brings changes that other processes made at tables to the subscribers of this one."""

import logging
import threading
from collections.abc import Callable, Sequence
from typing import Final

from cadogan.table.news import News
from cadogan.table.record import Record
from cadogan.table.service import Tables
from cadogan.trouble import trouble
from cadogan.web.subscriptions import Subscriptions

CHECK: Final = 15.0
"""Seconds after which the versions of all followed tables are compared with the database, in case
news were lost: their sender may have been killed."""
RETRY: Final = 1.0
"""Seconds between attempts to read them."""
_log = logging.getLogger(__name__)


class Relay:
    """Reads the tables that have subscribers here and have changed elsewhere.

    Args:
        news: News of other processes.
        tables: The tables.
        subscriptions: The subscribers of this process.
        changed: Called with the current record of such a table.
    """

    def __init__(
        self,
        news: News,
        tables: Tables,
        subscriptions: Subscriptions,
        changed: Callable[[Record], None],
    ) -> None:
        self._tables = tables
        self._subscriptions = subscriptions
        self._changed = changed
        self._wake = threading.Condition()
        self._waiting: dict[str, None] = {}
        self._checks = False
        self._closed = False
        self._thread: threading.Thread | None = None
        if news.is_shared:
            self._thread = threading.Thread(target=self._run, name="cadogan-relay", daemon=True)
            self._thread.start()
            news.listen("table", self.hear)

    def hear(self, items: Sequence[tuple[str, int]] | None) -> None:
        """Takes in news; ``None`` if some may have been missed."""
        with self._wake:
            if items is None:
                self._checks = True
            for key, version in items or ():
                if self._subscriptions.is_behind(key, version):
                    self._waiting[key] = None
            if self._waiting or self._checks:
                self._wake.notify()

    def close(self) -> None:
        """Ends the thread."""
        with self._wake:
            self._closed = True
            self._wake.notify()
        if self._thread is not None:
            self._thread.join(5)

    def _run(self) -> None:
        while True:
            with self._wake:
                if not (self._closed or self._waiting or self._checks or self._wake.wait(CHECK)):
                    self._checks = True
                if self._closed:
                    return
                keys, self._waiting = list(self._waiting), {}
                checks, self._checks = self._checks, False
            try:
                if checks:
                    keys = list(dict.fromkeys([*keys, *self._behind()]))
                for key in keys:
                    self._bring(key)
            except Exception as fault:
                if trouble(fault) is None:
                    _log.exception("changes of other processes were not brought to subscribers")
                with self._wake:
                    self._checks = True
                    self._wake.wait(RETRY)

    def _behind(self) -> list[str]:
        """The tables whose subscribers have not got the current version."""
        versions = self._tables.store.versions(self._subscriptions.keys())
        return [key for key, at in versions.items() if self._subscriptions.is_behind(key, at)]

    def _bring(self, key: str) -> None:
        try:
            record = self._tables.of_owner(key).get(key)
        except (LookupError, ValueError) as fault:
            _log.warning("table %s cannot be shown: %s", key, fault)
            return
        if self._subscriptions.is_behind(key, record.version):
            self._changed(record)
