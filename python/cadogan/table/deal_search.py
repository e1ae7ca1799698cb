"""Searches for deals that can be won, and for easy or hard ones among them."""

import copy
import itertools
import queue
import threading
import time
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Final, Literal, Self

from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.exc import SQLAlchemyError

from cadogan.deals import random_deal
from cadogan.game import Game, Position, load
from cadogan.i18n.text import gettext
from cadogan.solver.difficulty import difficulty
from cadogan.solver.solve import solve
from cadogan.table import schema
from cadogan.table.library import Library
from cadogan.table.schema import PLAYER
from cadogan.table.store import Store, new_id, now
from cadogan.table.trials import NoTrialsError, TooManyTrialsError, Trials
from cadogan.table.workers import DEALS, Answer, Asking, Question
from cadogan.trouble import trouble

BUDGET: Final = 100_000
"""The node budget per deal; a deal that needs more is skipped."""
MOST_DEALS: Final = 200
MOST_KEPT: Final = 100
MOST_RUNNING: Final = 4
"""The largest number of searches of a player that run at the same time."""
MOST_RUNNING_OF_ALL: Final = 20
POLL: Final = 0.1
"""How often, in seconds, a search checks whether it was cancelled."""
SAVE: Final = 1.0
"""How often, in seconds, other processes learn how far it is, and can cancel it."""
LOST: Final = timedelta(seconds=60)
"""A search that was not saved for so long has ended with its process."""
FORGOTTEN: Final = timedelta(days=1)
"""How long other processes know a search."""
SAMPLE: Final = 9
"""Of so many deals that can be won, the easiest, the middle or the hardest is taken."""
RATING_SECONDS: Final = 20.0
"""Wall-clock seconds to find out how hard a deal is; one that takes longer is skipped."""

Level = Literal["easy", "middling", "hard"]
_PROGRESS: Final = ("state", "tried", "unwinnable", "unknown", "nodes", "deal", "rated")


class TooManySearchesError(RuntimeError):
    """The largest number of searches is already running."""


@dataclass(slots=True)
class Search:
    """The state of a search for a deal that can be won.

    Attributes:
        id: Its key.
        game: The game, with variants.
        state: Whether it is running, or how it ended.
        tried: How many deals were tried.
        unwinnable: How many of them cannot be won.
        unknown: How many were skipped.
        nodes: How many positions were searched.
        deal: The deal that was found.
        player: Who began it.
        saved: When it was saved for other processes, if it is.
        level: How hard the deal is to be, compared with other deals of the game.
        rated: The deals that can be won whose difficulty is known, from 0 to 100.
    """

    id: str
    game: str
    state: Literal["searching", "found", "not-found", "cancelled"] = "searching"
    tried: int = 0
    unwinnable: int = 0
    unknown: int = 0
    nodes: int = 0
    deal: str | None = None
    player: int = PLAYER
    saved: float | None = None
    level: Level | None = None
    rated: dict[str, int] = field(default_factory=dict)
    stopped: threading.Event = field(default_factory=threading.Event)


class Searches:
    """All searches.

    Args:
        library: The games.
        pool: The worker processes.
        store: The database, if other processes may be asked about a search, too.
    """

    def __init__(self, library: Library, pool: Asking, store: Store | None = None) -> None:
        self._library = library
        self._pool = pool
        self._rows = None if store is None else _Rows(store)
        self._known: OrderedDict[str, Search] = OrderedDict()
        self._lock = threading.Lock()
        self._ratings = Trials(RATING_SECONDS)
        self._player = PLAYER

    def of(self, player: int) -> Self:
        """The searches of another player."""
        if player == self._player:
            return self
        view = copy.copy(self)
        view._library = self._library.of(player)
        view._player = player
        return view

    def begin(
        self, game: Game, names: Iterable[str] | None = None, level: Level | None = None
    ) -> Search:
        """Starts a search.

        Args:
            game: The game.
            names: The deals to try, in this order; by default random ones. A search that could
                not decide one of them for lack of a process is cancelled: otherwise it would skip
                a deal that another server finds.
            level: How hard the deal is to be. Without it, the first that can be won is found.

        Raises:
            TooManySearchesError: If too many are running.
        """
        with self._lock:
            running = [s for s in self._known.values() if s.state == "searching"]
            own = [search for search in running if search.player == self._player]
            if len(own) >= MOST_RUNNING or len(running) >= MOST_RUNNING_OF_ALL:
                raise TooManySearchesError(
                    gettext("{number} searches are already running", number=len(running))
                )
            search = Search(new_id(), game.name, player=self._player, level=level)
            self._known[search.id] = search
            while len(self._known) > MOST_KEPT:
                self._known.popitem(last=False)
        if self._rows is not None and names is None:
            self._rows.add(search)
        thread = threading.Thread(target=self._run, args=(search, game, names), daemon=True)
        thread.start()
        return search

    def get(self, key: str) -> Search | None:
        """Returns a search, or ``None`` if the key is unknown."""
        search = self._known.get(key)
        if search is None and self._rows is not None:
            search = self._rows.get(key)
        return search if search is not None and search.player == self._player else None

    def cancel(self, key: str) -> Search | None:
        """Cancels a search."""
        search = self.get(key)
        if search is not None:
            self._cancel(search)
        return search

    def _cancel(self, search: Search) -> None:
        with self._lock:
            if search.state == "searching":
                search.state = "cancelled"
        search.stopped.set()
        # For another process that runs it.
        self._save(search)

    def close(self) -> None:
        """Cancels all searches."""
        for search in list(self._known.values()):
            self._cancel(search)
        self._ratings.close()

    def _save(self, search: Search) -> None:
        """Saves a search for other processes; ends it if one of them has cancelled it."""
        if self._rows is None or search.saved is None:
            return
        search.saved = time.monotonic()
        try:
            is_over = not self._rows.save(search)
        except SQLAlchemyError as fault:
            if trouble(fault) is None:
                raise
            return  # the next time
        if is_over and search.state == "searching":
            search.state = "cancelled"
            search.stopped.set()

    def _run(self, search: Search, game: Game, names: Iterable[str] | None) -> None:
        self._try(search, game, names)
        self._save(search)

    def _try(self, search: Search, game: Game, names: Iterable[str] | None) -> None:
        for name in itertools.islice(_random() if names is None else names, MOST_DEALS):
            if search.stopped.is_set():
                return
            answer = self._ask(search, game.deal(name))
            if answer is None:
                return
            if names is not None and answer.status == "unknown" and answer.nodes == 0:
                self._cancel(search)
                return
            figure = None
            if search.level is not None and answer.status == "winnable":
                figure = self._rate(search, name)
            with self._lock:
                if search.state != "searching":
                    return
                search.tried += 1
                search.nodes += answer.nodes
                search.unwinnable += answer.status == "unwinnable"
                search.unknown += answer.status == "unknown"
                if figure is not None:
                    search.rated[name] = figure
                elif answer.status == "winnable" and search.level is None:
                    search.deal = name
                if search.deal is not None or len(search.rated) >= SAMPLE:
                    break
        with self._lock:
            if search.state == "searching":
                if search.rated:
                    search.deal = _of_level(search)
                search.state = "not-found" if search.deal is None else "found"

    def _ask(self, search: Search, position: Position) -> Answer | None:
        """Searches one deal; ``None`` if the search was cancelled."""
        if not self._pool.is_answered:
            verdict = solve(position, budget=BUDGET)
            return Answer(verdict.status, (), (), verdict.nodes, True)
        answers: queue.SimpleQueue[Answer] = queue.SimpleQueue()
        question = Question.of(position, self._library.address(position.game.name))
        job = self._pool.ask(question, answers.put, urgency=DEALS, budgets=(BUDGET,))
        while not search.stopped.is_set():
            try:
                return answers.get(timeout=POLL)
            except queue.Empty:
                if search.saved is not None and time.monotonic() > search.saved + SAVE:
                    self._save(search)
        job.cancel()
        return None

    def _rate(self, search: Search, deal: str) -> int | None:
        """How hard a deal is; ``None`` if that takes too long."""
        address = self._library.address(search.game)
        while not search.stopped.is_set():
            try:
                return self._ratings.run(rate, address, deal)
            except TooManyTrialsError:
                search.stopped.wait(10 * POLL)
            except NoTrialsError:
                return None
        return None


def rate(address: str, deal: str) -> int | None:
    """How hard a deal is, from 0 to 100. Runs in a process of its own.

    Args:
        address: The name or path of the game.
        deal: The name of the deal.

    >>> rate("golf", "cadogan:1") in range(101)
    True
    """
    position = load(address).deal(deal)
    found = difficulty(position, solve(position, budget=BUDGET))
    return None if found is None else found.figure


def _of_level(search: Search) -> str:
    by_figure = sorted(search.rated, key=lambda deal: search.rated[deal])
    place = {"easy": 0, "middling": len(by_figure) // 2, "hard": -1}
    return by_figure[place[search.level or "easy"]]


class _Rows:
    """The searches of all processes, in the database.

    Args:
        store: The database.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def add(self, search: Search) -> None:
        """Adds a search, and forgets old ones."""
        table = schema.searches

        def change(connection: Connection) -> None:
            connection.execute(delete(table).where(table.c.seen < now() - FORGOTTEN))
            values = {
                "id": search.id, "player_id": search.player, "game": search.game,
                "level": search.level, **_progress(search),
            }  # fmt: skip
            connection.execute(insert(table).values(values))

        self._store.change(change, 1)
        search.saved = time.monotonic()

    def save(self, search: Search) -> bool:
        """Saves how far a search is; returns whether it was still running."""
        table, running = schema.searches, list[int]()
        where = table.c.id == search.id, table.c.state == "searching"

        def change(connection: Connection) -> None:
            changed = connection.execute(update(table).where(*where).values(_progress(search)))
            running[:] = [changed.rowcount]

        self._store.change(change, 1)
        return running == [1]

    def get(self, key: str) -> Search | None:
        """A search that some process has begun."""
        table = schema.searches
        with self._store.engine.connect() as connection:
            row = connection.execute(select(table).where(table.c.id == key)).mappings().first()
        if row is None:
            return None
        names = ("id", "game", "level", *_PROGRESS)
        search = Search(**{name: row[name] for name in names}, player=row["player_id"], saved=0.0)
        if search.state == "searching" and row["seen"] < now() - LOST:
            search.state = "cancelled"
        return search


def _progress(search: Search) -> dict[str, Any]:
    return {name: getattr(search, name) for name in _PROGRESS} | {"seen": now()}


def _random() -> Iterator[str]:
    while True:
        yield str(random_deal())
