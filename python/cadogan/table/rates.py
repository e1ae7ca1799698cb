"""How often a rules file comes out that is being written.

Deals are searched one after the other with a small budget, in a process of their own. A search goes
on while somebody looks at it. What is not decided counts both ways, so the share that is shown is
an honest interval.
"""

import contextlib
import threading
import time
from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

from cadogan.table.drafts import decide
from cadogan.table.store import new_id
from cadogan.table.trials import NoTrialsError, TooManyTrialsError, Trials

BUDGET: Final = 30_000
"""The node budget per deal."""
MOST_DEALS: Final = 200
MOST_NODES: Final = 2_000_000
"""After so many nodes no further deal is searched."""
SECONDS: Final = 5.0
"""Wall-clock seconds for a deal; one that takes longer is undecided."""
MOST_SECONDS: Final = 60.0
"""Seconds for all deals of a file."""
MOST_OF_PLAYER: Final = 3
"""How many files of a player are in memory."""
MOST_OF_ALL: Final = 60
LEASE: Final = 4.0
"""For how many seconds a search goes on after somebody has looked at it."""


@dataclass(slots=True)
class Rate:
    """How many deals of a file were won, lost or left undecided so far.

    Attributes:
        id: Its key.
        player: Who writes the file.
        digest: The digest of the compiled rules.
        text: The rules file.
        won: How many deals can be won.
        lost: How many cannot.
        undecided: How many were given up.
        nodes: How many positions were searched.
        seconds: How long that took.
        seen_at: When somebody looked last.
    """

    id: str
    player: int
    digest: str
    text: str
    won: int = 0
    lost: int = 0
    undecided: int = 0
    nodes: int = 0
    seconds: float = 0.0
    seen_at: float = 0.0

    @property
    def deals(self) -> int:
        """The number of all deals tried."""
        return self.won + self.lost + self.undecided

    @property
    def is_complete(self) -> bool:
        """Whether no further deal is searched."""
        return self.deals >= MOST_DEALS or self.nodes >= MOST_NODES or self.seconds >= MOST_SECONDS


class Rates:
    """All files whose deals are searched. They take turns, deal by deal."""

    def __init__(self) -> None:
        self._trials = Trials(SECONDS)
        self._known: OrderedDict[str, Rate] = OrderedDict()
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._closed = False

    def begin(self, player: int, text: str, digest: str) -> Rate:
        """Starts to search the deals of a file, or continues where its rules are the same.

        Args:
            player: Who writes it.
            text: The text, without errors.
            digest: The digest of the compiled rules.
        """
        with self._changed:
            own = [rate for rate in self._known.values() if rate.player == player]
            rate = next((rate for rate in own if rate.digest == digest), None)
            if rate is None:
                rate = Rate(new_id(), player, digest, text)
                self._known[rate.id] = rate
                for old in own[: len(own) + 1 - MOST_OF_PLAYER]:
                    del self._known[old.id]
                while len(self._known) > MOST_OF_ALL:
                    self._known.popitem(last=False)
            self._seen(rate)
            return rate

    def look(self, player: int, key: str) -> Rate | None:
        """Returns what is known, and lets the search go on; ``None`` if the key is unknown."""
        with self._changed:
            rate = self._known.get(key)
            if rate is None or rate.player != player:
                return None
            self._seen(rate)
            return rate

    def close(self) -> None:
        """Ends all searches and the process."""
        with self._changed:
            self._closed = True
            self._known.clear()
            self._changed.notify_all()
        self._trials.close()

    def _seen(self, rate: Rate) -> None:
        rate.seen_at = time.monotonic()
        self._known.move_to_end(rate.id)
        if self._thread is None and not self._closed:
            self._thread = threading.Thread(target=self._run, name="cadogan-rates", daemon=True)
            self._thread.start()
        self._changed.notify_all()

    def _next(self) -> Rate | None:
        """The file whose turn it is: of those that are looked at, the one with the fewest deals."""
        with self._changed:
            while not self._closed:
                now = time.monotonic()
                waiting = [
                    rate
                    for rate in self._known.values()
                    if not rate.is_complete and now - rate.seen_at < LEASE
                ]
                if waiting:
                    return min(waiting, key=lambda rate: rate.deals)
                self._changed.wait()
            return None

    def _run(self) -> None:
        while (rate := self._next()) is not None:
            begun = time.monotonic()
            found = None
            with contextlib.suppress(NoTrialsError, TooManyTrialsError):
                found = self._trials.run(decide, rate.text, f"cadogan:{rate.deals + 1}", BUDGET)
            status, nodes = found or ("unknown", 0)
            with self._changed:
                rate.won += status == "winnable"
                rate.lost += status == "unwinnable"
                rate.undecided += status == "unknown"
                rate.nodes += nodes
                rate.seconds += time.monotonic() - begun
