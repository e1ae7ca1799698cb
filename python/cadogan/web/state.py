"""What all routes need: the store, the games, the tables, and who looks for verdicts."""

import os
import threading
from datetime import datetime
from pathlib import Path
from typing import Annotated

from fastapi import Depends, Query, Request

from cadogan.i18n.text import LANGUAGES
from cadogan.table.deal_search import Searches
from cadogan.table.hints import Adviser, Hint
from cadogan.table.library import Library
from cadogan.table.record import Record
from cadogan.table.service import StaleError, Tables
from cadogan.table.store import Store
from cadogan.table.verdicts import Verdicts, VerdictState
from cadogan.table.workers import Pool
from cadogan.web import models, serialize
from cadogan.web.subscriptions import Subscriptions

MAX_CACHED_VIEWS = 40
"""Tables that are kept in words: until those who play there now have their answers."""
_Stamp = tuple[int, datetime, VerdictState]


class AppState:
    """Everything that is open while the server runs.

    Args:
        database: The address of the database; by default SQLite in the data folder.
        folder: The data folder; by default the user's.
        workers: How many processes look for verdicts; 0 for none. By default as many as leave one
            processor to the server.
    """

    def __init__(
        self,
        database: str | None = None,
        folder: Path | None = None,
        workers: int | None = None,
    ) -> None:
        self.store = Store(database, folder)
        self.library = Library(self.store)
        self.tables = Tables(self.store, self.library)
        self.workers = max(1, (os.cpu_count() or 2) - 1) if workers is None else workers
        self.pool = Pool(self.workers)
        self.verdicts = Verdicts(self.store, self.library, self.pool, self._found_out)
        self.searches = Searches(self.library, self.pool)
        self.subscriptions = Subscriptions()
        self.tables.listen(self._changed)
        self._over: set[str] = set()
        self._render_lock = threading.Lock()
        self._told: dict[tuple[str, str], tuple[_Stamp, models.Table]] = {}

    def close(self) -> None:
        """Ends what runs, and closes the store."""
        self.searches.close()
        self.pool.close()
        self.library.close()
        self.store.close()

    def _changed(self, record: Record) -> None:
        """A table has changed: its tabs are told. While it has any its verdict is looked for."""
        if self.subscriptions.heard(record.key):
            self.verdicts.look(record)
        if record.over and record.key not in self._over:
            self._over.add(record.key)
            self.verdicts.deal_is_over(record)
        self.subscriptions.tell(record.key, lambda language: self.table_event(record, language))

    def _found_out(self, record: Record, standing: VerdictState) -> None:
        """Something new is known of a table: its tabs are told."""

        def event(language: str) -> str:
            told = models.VerdictEvent(
                version=record.version,
                node=record.node,
                verdict=serialize.verdict(standing, record.options.verdict, language),
            )
            return told.model_dump_json(by_alias=True)

        self.subscriptions.tell(record.key, event)

    def opened(self, record: Record) -> None:
        """Somebody looks at a table."""
        self.verdicts.look(record)

    def left(self, key: str) -> None:
        """Somebody does not look at a table any more."""
        if not self.subscriptions.heard(key):
            self.verdicts.leave(key)

    def table_event(self, record: Record, language: str) -> str:
        """The news that a table has changed."""
        table = self.table(record, language)
        event = models.TableEvent.model_construct(type="table", table=table)
        return event.model_dump_json(by_alias=True)

    def table(self, record: Record, language: str) -> models.Table:
        """A table as it is told."""
        standing = self.verdicts.standing(record)
        # A change is told to the socket and then in the answer: it is put into words once.
        stamp = record.version, record.played, standing
        with self._render_lock:
            kept = self._told.get((record.key, language))
        if kept is not None and kept[0] == stamp:
            return kept[1]
        verdict = serialize.verdict(standing, record.options.verdict, language)
        table = serialize.table(record, verdict, language)
        with self._render_lock:
            self._told[record.key, language] = stamp, table
            if len(self._told) > MAX_CACHED_VIEWS:
                del self._told[next(iter(self._told))]
        return table

    def hint(self, key: str, version: int, language: str) -> models.Hint:
        """Advises a move at a table.

        Raises:
            StaleError: If the table has changed.
        """
        record = self.tables.get(key)
        if record.version != version:
            raise StaleError(record)
        at = record.position
        if rest := self.verdicts.line_from(key, at):
            return serialize.hint(at, Hint(rest[0], True, len(rest), None), language)
        found = Adviser().hint(at)
        if found.proved and found.verdict is not None:
            line = tuple(move.text for move in found.verdict.line)
            self.verdicts.learn(key, at, line)
        return serialize.hint(at, found, language)

    def settings(self) -> models.Settings:
        """What the player has set; what cannot be read any more is as at the beginning."""
        kept = self.store.setting("settings")
        known = {key: value for key, value in (kept or {}).items() if key in _SETTINGS}
        try:
            found = models.Settings.model_validate(known)
            found.model_dump_json()
        except (ValueError, RecursionError):
            return models.Settings()
        return found


_SETTINGS = models.Settings.model_fields


# Both are coroutines, though they wait for nothing: a function would be run in a thread each time.


async def state(request: Request) -> AppState:
    """The state of a request."""
    found: AppState = request.app.state.app_state
    return found


async def language(
    request: Request,
    lang: Annotated[
        str | None,
        Query(
            max_length=20,
            description="The language of texts; by default that of Accept-Language.",
        ),
    ] = None,
) -> str:
    """The language in which a request is answered."""
    return _language(request, lang)


def asked(request: Request) -> str:
    """The language of a request, where no route has read it."""
    return _language(request, request.query_params.get("lang"))


def _language(request: Request, wish: str | None) -> str:
    return spoken(wish or request.headers.get("accept-language", ""))


def spoken(wish: str) -> str:
    """The first language of a list, as of ``Accept-Language``, that is spoken here."""
    for part in wish.split(","):
        name = part.split(";")[0].strip().lower()[:2]
        if name in LANGUAGES:
            return name
    return LANGUAGES[0]


StateDep = Annotated[AppState, Depends(state)]
Language = Annotated[str, Depends(language)]
