"""Whether the games at the tables can still be won, and since when they cannot.

Whoever could not win before a move cannot win after it. So when a position is found unwinnable, the
first such position of its line is looked for by halves.
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
from cadogan.table.library import Library
from cadogan.table.record import Record
from cadogan.table.store import Store
from cadogan.table.workers import HERE, SINCE, STATISTICS, Answer, Job, Pool, Question, hashes_along

MOST_KNOWN: Final = 200_000
MOST_LINES: Final = 500
MOST_TRAILS: Final = 40
"""Tables whose way from the deal is remembered; of others it is read again."""
ROOT_BUDGETS: Final = (100_000,)
"""What is spent on a deal after the game, for the statistics."""

Status = Literal["off", "unknown", "winnable", "unwinnable"]
Known = Literal["unknown", "winnable", "unwinnable"]
Key = tuple[str, int]
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class VerdictState:
    """What is known of a game in play.

    Attributes:
        status: Whether it can be won from here; ``off`` if nobody has asked.
        searching: Whether somebody is finding out.
        nodes: How many positions were searched so far.
        since: The move after which it could not be won any more, 0 for the deal.
        exact: Whether ``since`` is known to be the first such move.
    """

    status: Status
    searching: bool = False
    nodes: int = 0
    since: int | None = None
    exact: bool = False


OFF: Final = VerdictState("off")
UNKNOWN: Final[tuple[Known, int]] = "unknown", 0
Listener = Callable[[Record, VerdictState], None]


@dataclass(slots=True)
class _Search:
    """What is being found out for a table."""

    job: Job
    record: Record
    node: int
    nodes: int = 0


@dataclass(frozen=True, slots=True)
class _Trail:
    """The positions from the deal to where a player is.

    Attributes:
        numbers: The numbers of their nodes, which grow along every line.
        marks: For each its verdict, if the game has ended there, or else its hash.
    """

    numbers: tuple[int, ...] = ()
    marks: tuple[Known | int, ...] = ()


class Verdicts:
    """The verdicts of all tables.

    The lock is held only for a moment. Whatever takes as long as a game has moves, and whatever
    touches the disk, is done without it: all tables wait for it.

    Args:
        store: Where verdicts on deals are kept.
        library: The games.
        pool: Who searches.
        told: Called, from any thread, when something new is known of a table.
    """

    def __init__(self, store: Store, library: Library, pool: Pool, told: Listener) -> None:
        self._store = store
        self._library = library
        self._pool = pool
        self._told = told
        self._lock = threading.RLock()
        self._known: OrderedDict[Key, tuple[Literal["winnable", "unwinnable"], int]] = OrderedDict()
        self._spent: OrderedDict[Key, int] = OrderedDict()
        # No positions: they would hold those before them in memory, long after their table.
        self._lines: OrderedDict[str, tuple[tuple[int, ...], tuple[str, ...]]] = OrderedDict()
        self._trails: OrderedDict[str, _Trail] = OrderedDict()
        self._searches: dict[str, _Search] = {}

    # What is known.

    def standing(self, record: Record) -> VerdictState:
        """What is known of a table now."""
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
        """The positions of a line. Only those that were not there the last time are looked at."""
        with self._lock:
            old = self._trails.get(record.key, _Trail())
        new, common = list[int](), 0
        number: int | None = record.node
        while number is not None:
            place = bisect_left(old.numbers, number)
            if old.numbers[place : place + 1] == (number,) and old.marks[place] == _mark(
                record.nodes[number].position
            ):
                common = place + 1
                break
            new.append(number)
            number = record.nodes[number].parent
        new.reverse()
        if not new and common == len(old.numbers):
            return old
        marks = tuple(_mark(record.nodes[number].position) for number in new)
        trail = _Trail((*old.numbers[:common], *new), (*old.marks[:common], *marks))
        with self._lock:
            self._trails[record.key] = trail
            self._trails.move_to_end(record.key)
            while len(self._trails) > MOST_TRAILS:
                self._trails.popitem(last=False)
        return trail

    def _along(self, record: Record, trail: _Trail) -> list[Known]:
        """What is known of the positions of a line, with what follows from each other's."""
        found: list[Known] = []
        known, digest = self._known, record.game.digest
        for mark in trail.marks:
            at = (mark, 0) if isinstance(mark, str) else known.get((digest, mark), UNKNOWN)
            found.append(at[0])
            if at[0] == "unwinnable":
                break
        for index in range(len(found) - 2, -1, -1):
            if found[index + 1] == "winnable":
                found[index] = "winnable"
        rest: list[Known] = ["unwinnable"] * (len(trail.marks) - len(found))
        return found + rest

    def left(self, position: Position) -> int | None:
        """How many moves are left of a line that wins, if one is known."""
        known = self._known.get(_key(position))
        return known[1] if known is not None and known[0] == "winnable" else None

    def line_from(self, key: str, position: Position) -> list[Move]:
        """The rest of the line that was found for a table, if it leads through a position."""
        with self._lock:
            kept = self._lines.get(key)
        if kept is None:
            return []
        hashes, texts = kept
        mark = position.hash
        if mark not in hashes:
            return []
        # Equal positions may differ by an interchange of piles, and then other moves win.
        return _winning(position, texts[hashes.index(mark) :])

    # Finding out.

    def look(self, record: Record) -> None:
        """Has a table's verdict found out, if it is wanted; an older search for it ends."""
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
        """Nobody looks at a table any more."""
        with self._lock:
            self._trails.pop(key, None)
            search = self._searches.pop(key, None)
            if search is not None:
                search.job.cancel()

    def deal_is_over(self, record: Record) -> None:
        """Has a deal's verdict found out for the statistics, when there is nothing else to do."""
        first = record.nodes[0].position
        digest, mark = record.game.digest, f"{first.hash:032x}"
        if record.won:
            self._store.keep_verdict(digest, mark, "winnable", 0)
            return
        if self._store.verdict(digest, mark) is not None:
            return

        def told(answer: Answer) -> None:
            if answer.final and not answer.dropped:
                self._store.keep_verdict(digest, mark, answer.status, answer.nodes)

        question = Question.of(first, self._library.address(record.game.name))
        self._pool.ask(question, told, urgency=STATISTICS, budgets=ROOT_BUDGETS)

    def _wanted(self, record: Record) -> "_Wanted | None":
        """The position whose verdict would tell most."""
        if record.options.verdict == "none" or not self._pool.size:
            return None
        trail = self._trail(record)
        statuses = self._along(record, trail)
        if statuses[-1] == "winnable":
            return None
        if statuses[-1] == "unknown":
            wanted = len(statuses) - 1
        else:
            first = statuses.index("unwinnable")
            last = max((i for i in range(first) if statuses[i] == "winnable"), default=-1)
            if first - last <= 1:
                return None
            wanted = (first + last) // 2
        number = trail.numbers[wanted]
        position = record.nodes[number].position
        if _key(position) in self._spent:
            return None
        return _Wanted(number, position)

    def _begin(self, record: Record, node: int, position: Position) -> None:
        def told(answer: Answer) -> None:
            self._answered(search, position, answer)

        question = Question.of(position, self._library.address(record.game.name))
        # The player waits for the verdict on where he is; since when is less urgent.
        urgency = HERE if node == record.node else SINCE
        with self._lock:
            if (other := self._searches.get(record.key)) is not None:
                other.job.cancel()  # it was begun meanwhile
            job = self._pool.ask(question, told, urgency=urgency)
            search = _Search(job, record, node)
            self._searches[record.key] = search

    def _answered(self, search: _Search, position: Position, answer: Answer) -> None:
        with self._lock:
            # How the table stands by now: the player may have gone on while it was looked for.
            record = search.record
            search.nodes += answer.nodes
            current = self._searches.get(record.key) is search
            if current and answer.final:
                del self._searches[record.key]
            # What was dropped is not asked again at once: that would drop another question.
            if not answer.dropped:
                self._take_in(record, search, position, answer)
        if current and answer.final and not answer.dropped:
            try:
                self.look(record)
            except Exception:
                # What was found out is still saved and told.
                _log.exception("the verdict of table %s is not looked for any more", record.key)
        # Written without the lock: whoever asks for a standing must not wait for the disk.
        if not answer.dropped and answer.status != "unknown" and position.move_count == 0:
            mark = f"{position.hash:032x}"
            self._store.keep_verdict(record.game.digest, mark, answer.status, answer.nodes)
        if current:
            self._told(record, self.standing(record))

    def _take_in(self, record: Record, search: _Search, position: Position, answer: Answer) -> None:
        if answer.status == "winnable":
            self._keep_line(record.key, position, answer.line, answer.hashes)
        elif answer.status == "unwinnable":
            self._keep(_key(position), "unwinnable", 0)
        elif answer.final:
            self._spent[_key(position)] = max(1, search.nodes)
            while len(self._spent) > MOST_KNOWN:
                self._spent.popitem(last=False)

    def learn(self, key: str, position: Position, line: tuple[str, ...]) -> None:
        """Takes in a line that wins, found elsewhere."""
        hashes = hashes_along(position, line)
        with self._lock:
            self._keep_line(key, position, line, hashes)

    def _keep_line(
        self, key: str, position: Position, line: tuple[str, ...], hashes: tuple[int, ...]
    ) -> None:
        self._lines[key] = hashes, line
        self._lines.move_to_end(key)
        while len(self._lines) > MOST_LINES:
            self._lines.popitem(last=False)
        for place, mark in enumerate(hashes):
            self._keep((position.game.digest, mark), "winnable", len(line) - place)

    def _keep(self, key: Key, status: Literal["winnable", "unwinnable"], left: int) -> None:
        self._known[key] = status, left
        while len(self._known) > MOST_KNOWN:
            self._known.popitem(last=False)


@dataclass(frozen=True, slots=True)
class _Wanted:
    number: int
    position: Position


def _key(position: Position) -> Key:
    return position.game.digest, position.hash


def _mark(position: Position) -> Known | int:
    match position.outcome:
        case "won":
            return "winnable"
        case "lost":
            return "unwinnable"
    return position.hash


def _winning(position: Position, texts: tuple[str, ...]) -> list[Move]:
    """The moves of a line, if it wins from a position."""
    moves = []
    try:
        for text in texts:
            position = position.play(text)
            assert position.last_move is not None
            moves.append(position.last_move)
    except MoveError:
        return []
    return moves if position.outcome == "won" else []
