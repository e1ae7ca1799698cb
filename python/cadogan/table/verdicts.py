"""Whether the games at the tables can still be won, and since when they cannot.

Whoever could not win before a move cannot win after it. So when a position is found unwinnable, the
first such position of its line is looked for by halves.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from cadogan.game import Position
from cadogan.moves import Move
from cadogan.table.library import Library
from cadogan.table.record import Record
from cadogan.table.store import Store
from cadogan.table.workers import HERE, SINCE, STATISTICS, Answer, Job, Pool, Question, hashes_along

MOST_KNOWN: Final = 200_000
ROOT_BUDGETS: Final = (100_000,)
"""What is spent on a deal after the game, for the statistics."""

Status = Literal["off", "unknown", "winnable", "unwinnable"]
Key = tuple[str, int]


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
Listener = Callable[[Record, VerdictState], None]


@dataclass(slots=True)
class _Search:
    """What is being found out for a table."""

    job: Job
    record: Record
    node: int
    nodes: int = 0


class Verdicts:
    """The verdicts of all tables.

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
        self._lines: OrderedDict[str, tuple[Position, tuple[str, ...]]] = OrderedDict()
        self._searches: dict[str, _Search] = {}

    # What is known.

    def standing(self, record: Record) -> VerdictState:
        """What is known of a table now."""
        if record.options.verdict == "none":
            return OFF
        with self._lock:
            path = [record.nodes[number].position for number in record.path()]
            statuses = self._along(path)
            search = self._searches.get(record.key)
            searching = search is not None and search.node == record.node
            spent = self._spent.get(_key(record.position), 0)
            nodes = search.nodes if search is not None and searching else spent
            if statuses[-1] == "unwinnable":
                since = statuses.index("unwinnable")
                exact = since == 0 or statuses[since - 1] == "winnable"
                return VerdictState("unwinnable", searching, nodes, path[since].move_count, exact)
            return VerdictState(statuses[-1], searching, nodes)

    def _along(self, path: list[Position]) -> list[Literal["unknown", "winnable", "unwinnable"]]:
        """What is known of the positions of a line, with what follows from each other's."""
        found: list[Literal["unknown", "winnable", "unwinnable"]] = []
        for position in path:
            if found and found[-1] == "unwinnable":
                found.append("unwinnable")
            else:
                found.append(self._of(position))
        for index in range(len(found) - 2, -1, -1):
            if found[index + 1] == "winnable":
                found[index] = "winnable"
        return found

    def _of(self, position: Position) -> Literal["unknown", "winnable", "unwinnable"]:
        if position.outcome == "won":
            return "winnable"
        if position.outcome == "lost":
            return "unwinnable"
        known = self._known.get(_key(position))
        return "unknown" if known is None else known[0]

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
        at, texts = kept
        for index in range(len(texts) + 1):
            if at == position and at.piles == position.piles:
                return _replayed(position, texts[index:])
            if index < len(texts):
                at = at.play(texts[index])
        return []

    # Finding out.

    def look(self, record: Record) -> None:
        """Has a table's verdict found out, if it is wanted; an older search for it ends."""
        with self._lock:
            search = self._searches.get(record.key)
            wanted = self._wanted(record)
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
        numbers = record.path()
        path = [record.nodes[number].position for number in numbers]
        statuses = self._along(path)
        if statuses[-1] == "winnable":
            return None
        if statuses[-1] == "unknown":
            wanted = len(path) - 1
        else:
            first = statuses.index("unwinnable")
            last = max((i for i in range(first) if statuses[i] == "winnable"), default=-1)
            if first - last <= 1:
                return None
            wanted = (first + last) // 2
        if _key(path[wanted]) in self._spent:
            return None
        return _Wanted(numbers[wanted], path[wanted])

    def _begin(self, record: Record, node: int, position: Position) -> None:
        def told(answer: Answer) -> None:
            self._answered(search, position, answer)

        question = Question.of(position, self._library.address(record.game.name))
        # The player waits for the verdict on where he is; since when is less urgent.
        urgency = HERE if node == record.node else SINCE
        with self._lock:
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
                if current and answer.final:
                    self.look(record)
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
        self._lines[key] = position, line
        self._lines.move_to_end(key)
        while len(self._lines) > 500:
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


def _replayed(position: Position, texts: tuple[str, ...]) -> list[Move]:
    moves = []
    for text in texts:
        position = position.play(text)
        assert position.last_move is not None
        moves.append(position.last_move)
    return moves
