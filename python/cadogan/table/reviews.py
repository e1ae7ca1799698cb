"""Reviews of the games at the tables, found by the worker processes.

A review has at most one search at a time. It goes on while somebody looks at it, and what it finds
is known to the verdicts of all tables, as what they find is known to it.
"""

import threading
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Final

from cadogan.game import Position
from cadogan.i18n.text import Translatable, gettext
from cadogan.solver.review import Choice, Loss, Review, Turn, Wanted
from cadogan.table.library import Library
from cadogan.table.record import Record
from cadogan.table.verdicts import Verdicts
from cadogan.table.workers import BUDGETS, REVIEWS, Answer, Asked, Asking, Question

MOVE_BUDGETS: Final = (20_000, 100_000)
"""The node budgets of successive attempts for a move that was not played."""
MOST_MOVES: Final = 2_000
"""The longest line that is reviewed."""
MOST_KNOWN: Final = 40
"""How many reviews are in memory."""
MOST_RUNNING: Final = 20
LEASE: Final = 20.0
"""For how many seconds a review goes on after somebody has looked at it."""


class TooManyReviewsError(RuntimeError):
    """The largest number of reviews is already running."""


class NotOverError(ValueError):
    """The game is still being played, or it has no win."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A review as far as it has come.

    Attributes:
        line: Its positions.
        turns: What is known about each.
        text: How the game went.
        loss: Where the game was lost, if it was.
        choices: The legal moves of the position in which it was lost, if that is known.
        nodes: The positions searched for it.
        is_searching: Whether it goes on.
        is_complete: Whether nothing is left to search.
    """

    line: tuple[Position, ...]
    turns: list[Turn]
    text: Translatable
    loss: Loss | None
    choices: list[Choice]
    nodes: int
    is_searching: bool
    is_complete: bool


@dataclass(slots=True)
class _Running:
    review: Review
    end: Position
    seen_at: float = 0.0
    job: Asked | None = None
    is_complete: bool = False
    lock: threading.RLock = field(default_factory=threading.RLock)


class Reviews:
    """The reviews of all tables.

    Args:
        verdicts: What is known about positions.
        library: The games.
        pool: The worker processes.
    """

    def __init__(self, verdicts: Verdicts, library: Library, pool: Asking) -> None:
        self._verdicts = verdicts
        self._library = library
        self._pool = pool
        self._lock = threading.Lock()
        self._known: OrderedDict[tuple[str, int], _Running] = OrderedDict()

    def look(self, record: Record, node: int) -> Seen:
        """Begins the review of a line, or continues it, and returns what is known.

        Args:
            record: The table.
            node: The position at which the line ends.

        Raises:
            NotOverError: If the game is still being played and its verdict is switched off, or
                if points decide it.
            TooManyReviewsError: If too many reviews are running, or the line is too long.
        """
        end = record.nodes[node].position
        _check(record, end)
        running = self._running(record, node, end)
        with running.lock:
            running.seen_at = time.monotonic()
            if running.job is None:
                self._go_on(running)
            review = running.review
            loss = review.loss()
            return Seen(
                review.line,
                review.turns(),
                review.text(),
                loss,
                [] if loss is None or loss.move is None else review.choices(loss.move - 1),
                review.nodes,
                running.job is not None,
                running.is_complete,
            )

    def _running(self, record: Record, node: int, end: Position) -> _Running:
        key = record.key, node
        with self._lock:
            known = self._known.get(key)
            if known is None or known.end is not end:
                searching = sum(each.job is not None for each in self._known.values())
                if searching >= MOST_RUNNING:
                    raise TooManyReviewsError(
                        gettext("{number} reviews are already running", number=searching)
                    )
        if known is None or known.end is not end:
            # Outside of the lock: a long line takes a while.
            digest = record.game.digest
            line = [record.nodes[each].position for each in record.path_to(node)]
            review = Review(line, lambda each: self._verdicts.finding(digest, each))
            known = _Running(review, end)
        with self._lock:
            old = self._known.get(key)
            if old is not None and old.end is end:
                known = old
            self._known[key] = known
            self._known.move_to_end(key)
            dropped = [old] if old is not None and old is not known else []
            while len(self._known) > MOST_KNOWN:
                dropped.append(self._known.popitem(last=False)[1])
        for each in dropped:
            if (job := each.job) is not None:
                job.cancel()
        return known

    def _go_on(self, running: _Running) -> None:
        """Asks for the next search, if one is needed and somebody looks."""
        running.job = None
        if running.is_complete or not self._pool.is_answered:
            return
        if time.monotonic() - running.seen_at > LEASE:
            return
        wanted = running.review.wanted()
        if wanted is None:
            running.is_complete = True
            return

        def on_answer(answer: Answer) -> None:
            self._answered(running, wanted, answer)

        question = Question.of(wanted.position, self._library.address(wanted.position.game.name))
        budgets = BUDGETS if wanted.is_played else MOVE_BUDGETS
        running.job = self._pool.ask(question, on_answer, urgency=REVIEWS, budgets=budgets)

    def _answered(self, running: _Running, wanted: Wanted, answer: Answer) -> None:
        with running.lock:
            decided = answer.status != "unknown"
            if answer.dropped:
                # It goes on when somebody looks again.
                running.job = None
                return
            if decided:
                self._verdicts.add(wanted.position, answer)
            running.review.spend(wanted.position, answer.nodes, decided=decided or not answer.final)
            if answer.final:
                self._go_on(running)


def _check(record: Record, end: Position) -> None:
    book = record.game.rulebook
    if book.score is not None and not (book.aim or book.score.won_from is not None):
        raise NotOverError(gettext("points decide this game: there is no win that could be lost"))
    is_over = record.over or end.outcome is not None or record.position.outcome is not None
    if not is_over and record.options.verdict == "none":
        raise NotOverError(
            gettext(
                "the game is still being played, and the review says whether it can be won: "
                "put the table away first, or switch the verdict on"
            )
        )
    if end.move_count > MOST_MOVES:
        raise NotOverError(
            gettext("a game of more than {number} moves is not reviewed", number=MOST_MOVES)
        )
