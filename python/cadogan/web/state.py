"""The state that all routes share: the database, the games, the tables, the search workers."""

import copy
import os
import threading
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Annotated, Self

from fastapi import Depends, Query, Request
from starlette.requests import HTTPConnection

from cadogan.i18n.text import LANGUAGES
from cadogan.table import daily
from cadogan.table.accounts import Accounts
from cadogan.table.challenges import Challenges
from cadogan.table.deal_search import Searches
from cadogan.table.drawings import Drawings
from cadogan.table.hints import Adviser, Hint
from cadogan.table.jobs import SharedPool
from cadogan.table.library import Library
from cadogan.table.news import open_news
from cadogan.table.old_games import take_over
from cadogan.table.puzzles import Puzzles
from cadogan.table.rates import Rates
from cadogan.table.record import Record
from cadogan.table.reviews import Reviews
from cadogan.table.service import StaleError, Tables
from cadogan.table.store import Store
from cadogan.table.verdicts import Verdicts, VerdictState
from cadogan.table.workers import Pool
from cadogan.web import models, serialize
from cadogan.web.door import CurrentPlayer
from cadogan.web.metrics import Metrics
from cadogan.web.readiness import Readiness
from cadogan.web.relay import Relay
from cadogan.web.subscriptions import Subscriptions

MAX_CACHED_VIEWS = 40
"""How many rendered tables are cached."""
_Stamp = tuple[int, datetime, VerdictState]


class AppState:
    """The resources that are open while the server runs.

    Args:
        database: The address of the database; by default SQLite in the data folder.
        folder: The data folder; by default the user's.
        workers: How many processes search for verdicts; 0 for none. The default leaves one
            processor to the server.
        games_of_the_day: The games of which a deal is served each day.
        accounts: Whether players log in. Otherwise there is one player.

    Attributes:
        problems: Games of older versions that could not be moved into the database.
        stopping: Whether the server is about to stop.
    """

    def __init__(
        self,
        database: str | None = None,
        folder: Path | None = None,
        workers: int | None = None,
        games_of_the_day: Sequence[str] = daily.GAMES,
        *,
        accounts: bool = False,
    ) -> None:
        self.store = Store(database, folder)
        self.library = Library(self.store)
        self.tables = Tables(self.store, self.library)
        # Import the games that older versions stored as files.
        self.problems = take_over(self.tables) if database is None else []
        self.workers = max(1, (os.cpu_count() or 2) - 1) if workers is None else workers
        self.news = open_news(self.store.engine)
        own = self._own_pool = Pool(self.workers)
        # Several processes share what they search; one has it in memory.
        self.pool = (
            SharedPool(self.store, self.library, self.news, own) if self.news.is_shared else own
        )
        self.verdicts = Verdicts(self.store, self.library, self.pool, self._found_out)
        self.reviews = Reviews(self.verdicts, self.library, self.pool)
        self.puzzles = Puzzles(self.store, self.library)
        self.searches = Searches(
            self.library, self.pool, self.store if self.news.is_shared else None
        )
        self.rates = Rates()
        self.daily = daily.Daily(
            self.store, self.library, self.tables, self.searches, games_of_the_day
        )
        self.challenges = Challenges(self.store, self.library, self.tables)
        self.accounts = Accounts(self.store) if accounts else None
        self.subscriptions = Subscriptions()
        self.drawings = Drawings()
        self.metrics = Metrics(self.store, self._loads)
        self.readiness = Readiness(self.store)
        self.stopping = False
        self.relay = Relay(self.news, self.tables, self.subscriptions, self._show)
        self.tables.listen(self._changed)
        self._over: set[str] = set()
        self._render_lock = threading.Lock()
        self._rendered: dict[tuple[str, str], tuple[_Stamp, str]] = {}

    def of(self, player: int) -> Self:
        """The application as a player sees it.

        Tables, rules files, settings, puzzles, results and searches are those of the player.
        Verdicts and reviews are found by position, and what is rendered by table: these are shared.
        """
        if player == self.store.player:
            return self
        view = copy.copy(self)
        view.store = self.store.of(player)
        view.library = self.library.of(player)
        view.tables = self.tables.of(player)
        view.puzzles = self.puzzles.of(player)
        view.searches = self.searches.of(player)
        view.daily = self.daily.of(player)
        view.challenges = self.challenges.of(player)
        return view

    def close(self) -> None:
        """Stops all searches and closes the database."""
        self.relay.close()
        self.searches.close()
        self.rates.close()
        self.pool.close()
        self.drawings.close()
        self.news.close()
        self.library.close()
        self.store.close()

    def _loads(self) -> tuple[int, int, int]:
        """How many sockets are open, and how many searches are running and waiting."""
        return self.subscriptions.count(), *self._own_pool.load()

    def _changed(self, record: Record) -> None:
        """A table has changed here: notify its tabs and the other processes."""
        self.news.publish("table", record.key, record.version)
        if record.over and record.key not in self._over:
            self._over.add(record.key)
            self.verdicts.deal_is_over(record)
        self._show(record)

    def _show(self, record: Record) -> None:
        """Notify the tabs of a table, and search for its verdict while there are any."""
        if self.subscriptions.has_listeners(record.key):
            self.verdicts.look(record)
        self.subscriptions.publish(
            record.key, lambda language: self.table_event(record, language), record.version
        )

    def _found_out(self, record: Record, standing: VerdictState) -> None:
        """The verdict of a table has changed: notify its tabs."""
        if not standing.searching and standing.status != "off":
            self.metrics.verdict(standing.status)

        def event(language: str) -> str:
            event = models.VerdictEvent(
                version=record.version,
                node=record.node,
                verdict=serialize.verdict(standing, record, language),
            )
            return event.model_dump_json(by_alias=True)

        self.subscriptions.publish(record.key, event)

    def opened(self, record: Record) -> None:
        """A client has opened a table."""
        self.verdicts.look(record)

    def left(self, key: str) -> None:
        """A client has left a table."""
        if not self.subscriptions.has_listeners(key):
            self.verdicts.leave(key)

    def table_event(self, record: Record, language: str) -> str:
        """The event for a changed table, as JSON: a :class:`models.TableEvent`."""
        return f'{{"type":"table","table":{self.table_text(record, language)}}}'

    def table(self, record: Record, language: str) -> models.Table:
        """A table as a model."""
        return self._table(record, self.verdicts.standing(record), language)

    def _table(self, record: Record, standing: VerdictState, language: str) -> models.Table:
        verdict = serialize.verdict(standing, record, language)
        return serialize.table(record, verdict, language)

    def table_text(self, record: Record, language: str) -> str:
        """A table as JSON, cached: a :class:`models.Table`."""
        standing = self.verdicts.standing(record)
        # A change is sent to the sockets and in the answer: render it once.
        stamp = record.version, record.played, standing
        with self._render_lock:
            cached = self._rendered.get((record.key, language))
        if cached is not None and cached[0] == stamp:
            return cached[1]
        text = self._table(record, standing, language).model_dump_json(by_alias=True)
        with self._render_lock:
            self._rendered[record.key, language] = stamp, text
            if len(self._rendered) > MAX_CACHED_VIEWS:
                del self._rendered[next(iter(self._rendered))]
        return text

    def hint(self, key: str, version: int, language: str) -> models.Hint:
        """Advises a move at a table.

        Raises:
            StaleError: If the table has changed.
        """
        record = self.tables.get(key)
        if record.version != version:
            raise StaleError(record)
        at = record.position
        if not record.won:
            self.daily.hinted(key)
        if rest := self.verdicts.line_from(key, at):
            return serialize.hint(at, Hint(rest[0], True, len(rest), None), language)
        found = Adviser().hint(at)
        if found.proved and found.verdict is not None:
            line = tuple(move.text for move in found.verdict.line)
            self.verdicts.learn(key, at, line)
        return serialize.hint(at, found, language)

    def settings(self) -> models.Settings:
        """The player's settings; unreadable ones have their defaults."""
        saved = self.store.setting("settings")
        known = {key: value for key, value in (saved or {}).items() if key in _SETTINGS}
        try:
            found = models.Settings.model_validate(known)
            found.model_dump_json()
        except (ValueError, RecursionError):
            return models.Settings()
        return found


_SETTINGS = models.Settings.model_fields


# Both are coroutines although they await nothing: plain functions would run in a thread.


async def everybodys(connection: HTTPConnection) -> AppState:
    """The state for routes that need no player."""
    found: AppState = connection.app.state.app_state
    return found


async def state(connection: HTTPConnection, player: CurrentPlayer) -> AppState:
    """The state of a request: what its player may see and change, and nothing else."""
    found: AppState = connection.app.state.app_state
    return found.of(player)


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
    """The language of the answer to a request."""
    return _language(request, lang)


def asked(request: Request) -> str:
    """The language of a request that has not reached a route."""
    return _language(request, request.query_params.get("lang"))


def _language(request: Request, wanted: str | None) -> str:
    return spoken(wanted or request.headers.get("accept-language", ""))


def spoken(wanted: str) -> str:
    """The first supported language of a list such as ``Accept-Language``."""
    for part in wanted.split(","):
        name = part.split(";")[0].strip().lower()[:2]
        if name in LANGUAGES:
            return name
    return LANGUAGES[0]


StateDep = Annotated[AppState, Depends(state)]
EverybodysState = Annotated[AppState, Depends(everybodys)]
Language = Annotated[str, Depends(language)]
