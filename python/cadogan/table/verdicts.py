"""Whether the games at the tables can still be won, and if not, since which move.

If a game cannot be won before a move, it cannot be won after it. So when a position is found
unwinnable, a binary search finds the first such position of its line.
"""

import logging
import threading
from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from cadogan.game import Position
from cadogan.moves import Move, MoveError
from cadogan.solver.review import Finding, gap, inferred, key_of
from cadogan.solver.solve import Status as Known
from cadogan.table.library import Library
from cadogan.table.record import Record
from cadogan.table.store import Store
from cadogan.table.workers import (
    HERE,
    SINCE,
    STATISTICS,
    Answer,
    Asked,
    Asking,
    Question,
    hashes_along,
)

MOST_KNOWN: Final = 200_000
MOST_LINES: Final = 500
MOST_TRAILS: Final = 1_000
"""The largest number of tables whose path from the deal is cached, at 80 bytes a position."""
ROOT_BUDGETS: Final = (100_000,)
"""The node budgets for the verdict on a deal after the game, for the statistics."""

Status = Literal["off", "unknown", "winnable", "unwinnable"]
Key = tuple[str, int]
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class VerdictState:
    """What is known about the verdict of a table.

    Attributes:
        status: Whether the game can be won; ``off`` if the verdict is switched off.
        searching: Whether a search is running.
        nodes: How many positions were searched so far.
        since: The move after which it could not be won, 0 for the deal.
        exact: Whether ``since`` is known to be the first such move.
    """

    status: Status
    searching: bool = False
    nodes: int = 0
    since: int | None = None
    exact: bool = False


OFF: Final = VerdictState("off")
Listener = Callable[[Record, VerdictState], None]


@dataclass(slots=True)
class _Search:
    """The current search for a table."""

    job: Asked
    record: Record
    node: int
    nodes: int = 0


@dataclass(frozen=True, slots=True)
class _Trail:
    """The positions from the deal to the current one.

    Attributes:
        numbers: The numbers of their nodes, which increase along every line.
        keys: For each its outcome, if the game has ended there, or else its hash.
    """

    numbers: tuple[int, ...] = ()
    keys: tuple[Finding | int, ...] = ()


class Verdicts:
    """The verdicts of all tables.

    The lock is held only for a moment. Everything that takes time in proportion to the length of a
    game, or uses the disk, happens without it, because all tables share it.

    Args:
        store: Where verdicts on deals are stored.
        library: The games.
        pool: The worker processes.
        listener: Called, from any thread, when the verdict of a table changes.
    """

    def __init__(self, store: Store, library: Library, pool: Asking, listener: Listener) -> None:
        self._store = store
        self._library = library
        self._pool = pool
        self._listener = listener
        self._lock = threading.RLock()
        self._known: OrderedDict[Key, Finding] = OrderedDict()
        self._spent: OrderedDict[Key, int] = OrderedDict()
        # No positions: each would keep its whole line in memory, even after its table is closed.
        self._lines: OrderedDict[str, tuple[tuple[int, ...], tuple[str, ...]]] = OrderedDict()
        self._trails: OrderedDict[str, _Trail] = OrderedDict()
        self._searches: dict[str, _Search] = {}

    # Known verdicts.

    def standing(self, record: Record) -> VerdictState:
        """What is known about a table now."""
        if record.options.verdict == "none":
            return OFF
        trail = self._trail(record)
        statuses = self._along(record, trail)
        with self._lock:
            search = self._searches.get(record.key)
            searching = search is not None and search.node == record.node
            spent = self._spent.get(_key(record.position), 0)
            nodes = search.nodes if search is not None and searching else spent
        if statuses[-1] == "unwinnable":
            since = statuses.index("unwinnable")
            exact = since == 0 or statuses[since - 1] == "winnable"
            turn = record.nodes[trail.numbers[since]].position.move_count
            return VerdictState("unwinnable", searching, nodes, turn, exact)
        return VerdictState(statuses[-1], searching, nodes)

    def _trail(self, record: Record) -> _Trail:
        """The positions of a line. Only the new ones since the last call are computed."""
        with self._lock:
            old = self._trails.get(record.key, _Trail())
        new, common = list[int](), 0
        number: int | None = record.node
        while number is not None:
            place = bisect_left(old.numbers, number)
            if old.numbers[place : place + 1] == (number,) and old.keys[place] == key_of(
                record.nodes[number].position
            ):
                common = place + 1
                break
            new.append(number)
            number = record.nodes[number].parent
        new.reverse()
        if not new and common == len(old.numbers):
            return old
        keys = tuple(key_of(record.nodes[number].position) for number in new)
        trail = _Trail((*old.numbers[:common], *new), (*old.keys[:common], *keys))
        with self._lock:
            self._trails[record.key] = trail
            self._trails.move_to_end(record.key)
            while len(self._trails) > MOST_TRAILS:
                self._trails.popitem(last=False)
        return trail

    def _along(self, record: Record, trail: _Trail) -> list[Known]:
        """What is known about the positions of a line, and what follows from it."""
        found: list[Known] = []
        known, digest = self._known, record.game.digest
        for position_key in trail.keys:
            if isinstance(position_key, Finding):
                at: Finding | None = position_key
            else:
                at = known.get((digest, position_key))
            found.append("unknown" if at is None else at.status)
            if found[-1] == "unwinnable":
                break
        rest: list[Known] = ["unwinnable"] * (len(trail.keys) - len(found))
        return inferred(found) + rest

    def left(self, position: Position) -> int | None:
        """The number of moves left of a winning line, if one is known."""
        known = self._known.get(_key(position))
        return None if known is None else known.left

    def finding(self, digest: str, position_hash: int) -> Finding | None:
        """What is known about a position of the game with a digest."""
        return self._known.get((digest, position_hash))

    def line_from(self, key: str, position: Position) -> list[Move]:
        """The rest of the winning line of a table, if it goes through a position."""
        with self._lock:
            line = self._lines.get(key)
        if line is None:
            return []
        hashes, texts = line
        position_key = position.hash
        if position_key not in hashes:
            return []
        # Equal positions may differ in the order of piles, and then other moves win.
        return _winning(position, texts[hashes.index(position_key) :])

    # Searching.

    def look(self, record: Record) -> None:
        """Starts the search for the verdict of a table, if needed; it replaces an older search."""
        wanted = self._wanted(record)
        with self._lock:
            search = self._searches.get(record.key)
            if search is not None:
                if wanted is not None and search.node == wanted.number:
                    search.record = record
                    return
                search.job.cancel()
                del self._searches[record.key]
        if wanted is not None:
            self._begin(record, wanted.number, wanted.position)

    def leave(self, key: str) -> None:
        """Ends the search for a table that no client has open."""
        with self._lock:
            self._trails.pop(key, None)
            search = self._searches.pop(key, None)
            if search is not None:
                search.job.cancel()

    def deal_is_over(self, record: Record) -> None:
        """Starts a search for the verdict on a deal, with low priority, for the statistics."""
        first = record.nodes[0].position
        digest, position_key = record.game.digest, f"{first.hash:032x}"
        if record.won:
            self._store.save_verdict(digest, position_key, "winnable", 0)
            return
        if self._store.verdict(digest, position_key) is not None:
            return

        def on_answer(answer: Answer) -> None:
            if answer.final and not answer.dropped:
                self._store.save_verdict(digest, position_key, answer.status, answer.nodes)

        question = Question.of(first, self._library.address(record.game.name))
        self._pool.ask(question, on_answer, urgency=STATISTICS, budgets=ROOT_BUDGETS)

    def _wanted(self, record: Record) -> "_Wanted | None":
        """The position whose verdict is most informative."""
        if record.options.verdict == "none" or not self._pool.is_answered:
            return None
        trail = self._trail(record)
        statuses = self._along(record, trail)
        if statuses[-1] == "winnable":
            return None
        if statuses[-1] == "unknown":
            wanted = len(statuses) - 1
        else:
            last, first = gap(statuses)
            if first - last <= 1:
                return None
            wanted = (first + last) // 2
        number = trail.numbers[wanted]
        position = record.nodes[number].position
        if _key(position) in self._spent:
            return None
        return _Wanted(number, position)

    def _begin(self, record: Record, node: int, position: Position) -> None:
        def on_answer(answer: Answer) -> None:
            self._answered(search, position, answer)

        question = Question.of(position, self._library.address(record.game.name))
        # The player waits for the verdict on the current position; `since` is less urgent.
        urgency = HERE if node == record.node else SINCE
        with self._lock:
            if (other := self._searches.get(record.key)) is not None:
                other.job.cancel()  # another thread began it meanwhile
            job = self._pool.ask(question, on_answer, urgency=urgency)
            search = _Search(job, record, node)
            self._searches[record.key] = search

    def _answered(self, search: _Search, position: Position, answer: Answer) -> None:
        with self._lock:
            # The current record: the player may have moved during the search.
            record = search.record
            search.nodes += answer.nodes
            current = self._searches.get(record.key) is search
            if current and answer.final:
                del self._searches[record.key]
            # Do not repeat a dropped question immediately: that would drop another one.
            if not answer.dropped:
                self._take_in(record, search, position, answer)
        if current and answer.final and not answer.dropped:
            try:
                self.look(record)
            except Exception:
                # The result is still stored and reported.
                _log.exception("the search for the verdict of table %s has stopped", record.key)
        # Write without the lock, so that readers do not wait for the disk.
        if not answer.dropped and answer.status != "unknown" and position.move_count == 0:
            position_key = f"{position.hash:032x}"
            self._store.save_verdict(record.game.digest, position_key, answer.status, answer.nodes)
        if current:
            self._listener(record, self.standing(record))

    def _take_in(self, record: Record, search: _Search, position: Position, answer: Answer) -> None:
        if answer.status == "winnable":
            self._keep_line(record.key, answer.line, answer.hashes)
        if answer.status != "unknown":
            self._add(position, answer)
        elif answer.final:
            self._spent[_key(position)] = max(1, search.nodes)
            while len(self._spent) > MOST_KNOWN:
                self._spent.popitem(last=False)

    def learn(self, key: str, position: Position, line: tuple[str, ...]) -> None:
        """Adds a winning line that was found elsewhere."""
        hashes = hashes_along(position, line)
        with self._lock:
            self._keep_line(key, line, hashes)
            self._add(position, Answer("winnable", line, hashes, 0, True))

    def add(self, position: Position, answer: Answer) -> None:
        """Adds the verdict of a search that was asked for elsewhere."""
        with self._lock:
            self._add(position, answer)

    def _keep_line(self, key: str, line: tuple[str, ...], hashes: tuple[int, ...]) -> None:
        self._lines[key] = hashes, line
        self._lines.move_to_end(key)
        while len(self._lines) > MOST_LINES:
            self._lines.popitem(last=False)

    def _add(self, position: Position, answer: Answer) -> None:
        digest, nodes = position.game.digest, answer.nodes
        if answer.status == "unwinnable":
            found = Finding.searched("unwinnable", answer.proof, nodes, 0)
            self._known[digest, position.hash] = found
        for place, position_key in enumerate(answer.hashes):
            left = len(answer.line) - place
            found = Finding.searched("winnable", answer.proof, nodes if place == 0 else 0, left)
            self._known[digest, position_key] = found
        while len(self._known) > MOST_KNOWN:
            self._known.popitem(last=False)


@dataclass(frozen=True, slots=True)
class _Wanted:
    number: int
    position: Position


def _key(position: Position) -> Key:
    return position.game.digest, position.hash


def _winning(position: Position, texts: tuple[str, ...]) -> list[Move]:
    """The moves of a line, if it wins from a position; otherwise none."""
    moves = []
    try:
        for text in texts:
            position = position.play(text)
            assert position.last_move is not None
            moves.append(position.last_move)
    except MoveError:
        return []
    return moves if position.outcome == "won" else []
