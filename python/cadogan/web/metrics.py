"""The figures of a server for Prometheus. They say nothing about players."""

from collections.abc import Callable, Iterator
from importlib.metadata import version
from typing import Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector
from sqlalchemy import func, select
from sqlalchemy.exc import SQLAlchemyError

from cadogan.table import schema
from cadogan.table.store import Store

SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"})
OTHER: Final = "other"
"""The label of routes and methods that do not exist: clients must not make up new labels."""
SOCKET: Final = "websocket"
"""The label of all sockets, as a method and as a route."""

Loads = Callable[[], tuple[int, int, int]]
"""Returns how many sockets are open, and how many searches are running and waiting."""


class Metrics:
    """The figures of one server.

    Args:
        store: The database, where open tables are counted.
        loads: What is counted when the figures are asked for.
    """

    def __init__(self, store: Store, loads: Loads) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "cadogan_requests",
            "Requests, by method, route and status.",
            ("method", "route", "status"),
            registry=self._registry,
        )
        self._seconds = Histogram(
            "cadogan_request_seconds",
            "The time until a request was answered.",
            ("method", "route"),
            buckets=SECONDS,
            registry=self._registry,
        )
        self.moves = Counter(
            "cadogan_moves", "Moves that players made at this server.", registry=self._registry
        )
        self._verdicts = Counter(
            "cadogan_verdicts",
            "Searches for the verdict of a table that have ended, by verdict.",
            ("verdict",),
            registry=self._registry,
        )
        for verdict in ("winnable", "unwinnable", "unknown"):
            self._verdicts.labels(verdict)
        ProcessCollector(registry=self._registry)
        PlatformCollector(registry=self._registry)
        self._registry.register(_Now(store, loads))

    def request(self, method: str, route: str | None, status: int, seconds: float) -> None:
        """Counts a request.

        Args:
            method: Its method, or :data:`SOCKET`.
            route: The path of its route with the names of parameters, if there is such a route.
            status: The status of the answer; 0 if there was none.
            seconds: How long it took. Not counted for sockets, which stay open.
        """
        known = method if method in METHODS or method == SOCKET else OTHER
        where = OTHER if route is None else route
        self._requests.labels(known, where, str(status)).inc()
        if method != SOCKET:
            self._seconds.labels(known, where).observe(seconds)

    def verdict(self, verdict: str) -> None:
        """Counts the end of a search for the verdict of a table."""
        self._verdicts.labels(verdict).inc()

    def text(self) -> bytes:
        """All figures in Prometheus' text format."""
        return generate_latest(self._registry)


class _Now(Collector):
    """Figures that are looked up when they are asked for."""

    def __init__(self, store: Store, loads: Loads) -> None:
        self._store = store
        self._loads = loads

    def describe(self) -> Iterator[GaugeMetricFamily]:
        """Nothing: the figures must not be looked up before somebody asks."""
        return iter(())

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """The figures."""
        info = GaugeMetricFamily("cadogan_info", "The version of the server.", labels=["version"])
        info.add_metric([version("cadogan")], 1)
        yield info
        sockets, running, waiting = self._loads()
        yield GaugeMetricFamily("cadogan_sockets", "Open sockets of tables.", sockets)
        searches = GaugeMetricFamily(
            "cadogan_searches", "Searches of this server, by state.", labels=["state"]
        )
        searches.add_metric(["running"], running)
        searches.add_metric(["waiting"], waiting)
        yield searches
        query = select(func.count()).select_from(schema.summaries).where(~schema.summaries.c.closed)
        try:
            with self._store.engine.connect() as connection:
                tables = connection.execute(query).scalar_one()
        except SQLAlchemyError:
            return  # No figure is better than a wrong one; /readyz reports the database.
        yield GaugeMetricFamily("cadogan_open_tables", "Tables that are not put away.", tables)
