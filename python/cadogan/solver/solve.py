"""Verdicts: whether a position can be won.

The kernel searches; this module checks its answer. A winning line is replayed move by move, by the
rules of play, before it is returned.
"""

import functools
import hashlib
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, final

from cadogan import _kernel
from cadogan.game import OUTCOMES, Position
from cadogan.moves import Move
from cadogan.solver.config import ENDING, NodeShares, WeightSets, check, check_shares, config_for
from cadogan.storage import CATALOGUE

Status = Literal["winnable", "unwinnable", "unknown"]
StopReason = Literal["decided", "budget", "memory", "exhausted", "restless", "interrupted"]

BUDGET: Final = 1_000_000
"""The default budget, in positions."""

MEMORY: Final = 2 << 30
"""The default limit of memory, approximately, in bytes."""


@functools.cache
def solver_version() -> str:
    """A hash of the solver, twelve hexadecimal digits.

    Two solvers with the same version give the same answers to the same questions, including the
    line and the number of nodes: the hash covers the sources of the kernel and the search
    configurations of the catalogue.

    >>> len(solver_version())
    12
    """
    mixed = hashlib.sha256(_kernel.fingerprint.encode())
    for path in sorted(CATALOGUE.glob("*" + ENDING)):
        mixed.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return mixed.hexdigest()[:12]


PRUNINGS: Final = _kernel.prunings
"""The names that ``solve(disable=...)`` accepts. No verdict depends on any pruning."""


@final
class _Line:
    """The line of a verdict: moves, or a function that returns them when first asked for."""

    def __get__(self, verdict: "Verdict", owner: object = None) -> tuple[Move, ...]:
        line: tuple[Move, ...] | Callable[[], tuple[Move, ...]] = verdict.__dict__["line"]
        if not isinstance(line, tuple):
            line = verdict.__dict__["line"] = line()
        return line

    def __set__(
        self, verdict: "Verdict", line: tuple[Move, ...] | Callable[[], tuple[Move, ...]]
    ) -> None:
        verdict.__dict__["line"] = line


@dataclass(frozen=True)
class Verdict:
    """The result of a search.

    Two verdicts are equal if they say the same; the time it took does not count.

    Attributes:
        status: ``"winnable"`` (a line is known), ``"unwinnable"`` (proved) or ``"unknown"``.
        line: The player's moves to a win, if it is winnable, without forced moves.
        nodes: The number of positions searched.
        budget: The largest number of positions that could be searched.
        strategy: The strategy that decided it, or the last one tried.
        seconds: The elapsed time.
        proof: What the verdict rests on, in words; empty if it is unknown.
        collision_bound: An upper bound of the probability that the proof confused two positions.
        stop_reason: Why the search ended: it was ``"decided"``, the ``"budget"`` was spent, the
            ``"memory"`` was used up, all enabled strategies were ``"exhausted"``, all but what
            follows moves after which forced rules never end (``"restless"``: a fault of the rules
            file), or it was ``"interrupted"``.
        shuffled: Whether the game shuffles cards after the deal. Then the verdict is about the
            shuffles that follow from this deal.
    """

    status: Status
    line: tuple[Move, ...]
    nodes: int
    budget: int
    strategy: str
    seconds: float = field(default=0.0, compare=False)
    proof: str = ""
    collision_bound: float = 0.0
    stop_reason: StopReason = "decided"
    shuffled: bool = False

    def __str__(self) -> str:
        given = " with the shuffles of this deal" if self.shuffled else ""
        if self.status == "winnable":
            moves = "1 move" if len(self.line) == 1 else f"{len(self.line)} moves"
            return f"winnable in {moves}{given} ({self.nodes:,} nodes)"
        if self.status == "unwinnable":
            return f"unwinnable{given} ({self.nodes:,} nodes)"
        why = {
            "memory": ", out of memory",
            "restless": ", because forced rules never end",
            "interrupted": ", interrupted",
        }.get(self.stop_reason, "")
        return f"unknown after {self.nodes:,} nodes{why}"

    def _repr_html_(self) -> str:
        from cadogan.pictures.html import verdict_html

        return verdict_html(self)


# Writing the moves of a line takes longer than most searches, and many callers do not need them.
Verdict.line = _Line()  # type: ignore[assignment]


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a search.

    Attributes:
        nodes: Positions searched so far.
        memory: Bytes used, approximately.
        depth: The depth of a depth-first search in moves; for other strategies, the number of
            positions expanded.
        round: The current round, from 0. Each round gives every strategy more nodes than the last.
        strategy: The strategy whose turn it is.
    """

    nodes: int
    memory: int
    depth: int
    round: int
    strategy: str


Observer = Callable[[Progress], object]


def solve(
    position: Position,
    budget: int = BUDGET,
    *,
    memory: int | None = None,
    threads: int = 1,
    disable: Iterable[str] = (),
    progress: Observer | None = None,
    weights: Mapping[str, int] | Sequence[Mapping[str, int]] | None = None,
    shares: Mapping[str, int] | None = None,
) -> Verdict:
    """Searches for a winning line, with knowledge of all cards.

    The same question gives the same answer, including the line and the number of nodes, with any
    number of threads. Ctrl-C interrupts the search; other Python threads run meanwhile.
    :class:`Search` does the same in the background, and :class:`Analysis` caches the result.

    Args:
        position: The position to search from.
        budget: The largest number of positions to search.
        memory: The limit of memory in bytes, approximately, for all threads together; by default
            2 GiB. If it is reached, the verdict is unknown.
        threads: The number of strategies that may run at the same time.
        disable: Names of :data:`PRUNINGS` that the search does not use.
        progress: Called about twenty times a second. An exception that it raises ends the search.
        weights: The weights of features by name, where they differ from the built-in ones, or
            several such sets. By default those beside the rules file.
        shares: The shares of the nodes that some strategies get, by name, in hundredths of the
            usual share. By default those beside the rules file.

    Returns:
        The verdict. Its line, if any, has been replayed to a win.

    Raises:
        ValueError: If the budget or another number is out of range, or a pruning, weight or
            strategy is unknown.

    >>> from cadogan import load
    >>> verdict = solve(load("flower-garden").deal("cadogan:1"), budget=10)
    >>> verdict.status, verdict.nodes
    ('unknown', 10)
    """
    request = SearchRequest(memory, threads, disable, weights, shares)

    def observe(*numbers: object) -> bool:
        if progress is not None:
            progress(Progress(*numbers))  # type: ignore[arg-type]
        return True

    return request.ask(position, budget, observe)[0]


@final
class Search:
    """A search in the background, on its own thread.

    >>> from cadogan import load
    >>> search = Search(load("spider").deal("cadogan:1"), 10**12)
    >>> search.cancel()
    >>> search.result().stop_reason
    'interrupted'
    """

    def __init__(
        self,
        position: Position,
        budget: int = BUDGET,
        *,
        memory: int | None = None,
        threads: int = 1,
        disable: Iterable[str] = (),
        progress: Observer | None = None,
        weights: Mapping[str, int] | Sequence[Mapping[str, int]] | None = None,
        shares: Mapping[str, int] | None = None,
    ) -> None:
        """Starts the search; the arguments are those of :func:`solve`.

        ``progress`` is called on the search thread.
        """
        request = SearchRequest(memory, threads, disable, weights, shares)
        check_budget(budget)
        self._cancelled = threading.Event()
        # `Thread.is_alive` is wrong after an interrupted `join`; an `Event` is not.
        self._over = threading.Event()
        self._progress: Progress | None = None
        self._verdict: Verdict | None = None
        self._fault: BaseException | None = None

        def observe(*numbers: object) -> bool:
            self._progress = Progress(*numbers)  # type: ignore[arg-type]
            if progress is not None:
                progress(self._progress)
            return not self._cancelled.is_set()

        def work() -> None:
            try:
                self._verdict, _ = request.ask(position, budget, observe)
            except BaseException as fault:  # `result` raises it again.
                self._fault = fault
            finally:
                self._over.set()

        # The interpreter does not wait for it when it exits.
        threading.Thread(target=work, name="cadogan search", daemon=True).start()

    @property
    def progress(self) -> Progress | None:
        """The latest progress; ``None`` before the first report."""
        return self._progress

    def done(self) -> bool:
        """Whether the search has ended."""
        return self._over.is_set()

    def cancel(self) -> None:
        """Asks the search to end; its result is what is known by then."""
        self._cancelled.set()

    def result(self, timeout: float | None = None) -> Verdict:
        """Waits for the verdict.

        Args:
            timeout: The longest time to wait, in seconds; without it, there is no limit.

        Raises:
            TimeoutError: If the search has not ended yet. It continues.
        """
        if not self._over.wait(timeout):
            raise TimeoutError("the search is not over yet")
        if self._fault is not None:
            raise self._fault
        assert self._verdict is not None
        return self._verdict


@final
class Analysis:
    """The cached verdicts on one position.

    Asking again costs nothing. A larger budget continues the search where it ended and gives the
    same answer as if that had been the budget from the beginning. Once the position is decided,
    every budget returns that verdict.

    Args:
        position: The position.
        memory: The limit of memory in bytes, as for :func:`solve`.
        threads: The number of strategies that may run at the same time.
        disable: Prunings that the search does not use.

    >>> from cadogan import load
    >>> analysis = Analysis(load("flower-garden").deal("cadogan:1"))
    >>> analysis.verdict(10).status, analysis.verdict(5000).status
    ('unknown', 'winnable')
    """

    def __init__(
        self,
        position: Position,
        *,
        memory: int | None = None,
        threads: int = 1,
        disable: Iterable[str] = (),
    ) -> None:
        self.position = position
        self._request = SearchRequest(memory, threads, disable)
        self._verdict: Verdict | None = None
        self._checkpoint: _kernel.Checkpoint | None = None

    def verdict(self, budget: int = BUDGET) -> Verdict:
        """Returns whether the game can be won from the position, with knowledge of all cards.

        Args:
            budget: The largest number of positions, including those searched before.
        """
        verdict = self._verdict
        if verdict is None or (verdict.stop_reason == "budget" and verdict.budget < budget):
            verdict, self._checkpoint = self._request.ask(
                self.position, budget, checkpoint=self._checkpoint
            )
            self._verdict = verdict
        return verdict


@dataclass(frozen=True, slots=True)
class Shortened:
    """The result of :func:`shorten`.

    Attributes:
        line: The player's moves to a win.
        lower_bound: A proved lower bound: every line to a win has at least this many moves.
        nodes: The number of positions searched.
        seconds: The elapsed time.
    """

    line: tuple[Move, ...]
    lower_bound: int
    nodes: int
    seconds: float = field(default=0.0, compare=False)

    @property
    def is_shortest(self) -> bool:
        """Whether it is proved that no line is shorter."""
        return self.lower_bound >= len(self.line)

    def __str__(self) -> str:
        length = len(self.line)
        moves = "1 move" if length == 1 else f"{length} moves"
        if self.is_shortest:
            return f"shortest, {moves}"
        if self.lower_bound <= 1:
            return f"shortened to {moves}"
        return f"at least {self.lower_bound}, at most {moves}"


def shorten(
    position: Position,
    line: Iterable[Move | str],
    budget: int = BUDGET,
    *,
    shortest: bool = False,
    memory: int | None = None,
    progress: Observer | None = None,
) -> Shortened:
    """Shortens a winning line.

    A larger budget gives a shorter line. The same question has the same answer.

    Args:
        position: The position in which the line begins.
        line: Moves to a win, such as :attr:`Verdict.line`. Moves after the win are ignored.
        budget: The largest number of positions to search, including replayed moves of the line.
        shortest: Whether to search for a line that is proved to be shortest. The budget may not
            suffice; see :attr:`Shortened.lower_bound`. It is best to shorten the line without
            this option first.
        memory: The limit of memory in bytes, approximately; by default 2 GiB.
        progress: Called about twenty times a second. If it returns a false value other than
            ``None``, the search ends with the best line so far.

    Returns:
        The shorter line, which has been replayed to a win.

    Raises:
        ValueError: If the line does not win, or a number is out of range.
        MoveError: If a move of the line cannot be played.

    >>> from cadogan import load
    >>> position = load("freecell").deal("ms:1")
    >>> line = solve(position).line
    >>> len(shorten(position, line, 100_000).line) < len(line)
    True
    """
    check_budget(budget)
    request = SearchRequest(memory)
    begun = time.monotonic()
    codes = []
    here = position
    for move in line:
        if here.outcome == "won":
            break
        here = here.play(move)
        assert here.last_move is not None
        codes.append(here.last_move.code)
    if here.outcome != "won":
        raise ValueError(f"the line does not win: {here}")

    def observe(*numbers: object) -> bool:
        if progress is None:
            return True
        answer = progress(Progress(*numbers))  # type: ignore[arg-type]
        return answer is None or bool(answer)

    found, lower_bound, nodes = _kernel.shorten(
        position._state, codes, budget, memory=request.memory, shortest=shortest, observer=observe
    )
    check_line(position, found)
    return Shortened(moves_of(position, found), lower_bound, nodes, time.monotonic() - begun)


@final
class SearchRequest:
    """The parameters of a search, except the position and the budget. Used by :func:`solve`."""

    def __init__(
        self,
        memory: int | None = None,
        threads: int = 1,
        disable: Iterable[str] = (),
        weights: Mapping[str, int] | Sequence[Mapping[str, int]] | None = None,
        shares: Mapping[str, int] | None = None,
    ) -> None:
        self.memory = MEMORY if memory is None else memory
        self.threads = threads
        self.disable = tuple(sorted({disable} if isinstance(disable, str) else {*disable}))
        sets = [weights] if isinstance(weights, Mapping) else weights
        self.weights: WeightSets | None = None
        if sets is not None:
            check([dict(values) for values in sets])
            self.weights = tuple(tuple(sorted(values.items())) for values in sets)
        self.shares: NodeShares | None = None
        if shares is not None:
            check_shares(dict(shares))
            self.shares = tuple(sorted(shares.items()))
        self._check()

    def ask(
        self,
        position: Position,
        budget: int,
        observer: Callable[[int, int, int, int, str], object] | None = None,
        checkpoint: _kernel.Checkpoint | None = None,
    ) -> tuple[Verdict, _kernel.Checkpoint | None]:
        """Searches, and replays the line that was found.

        Returns:
            The verdict, and the state from which the search can continue if it is unknown.
        """
        check_budget(budget)
        begun = time.monotonic()
        config = config_for(position.game.name)
        report = _kernel.solve(
            position._state,
            budget,
            memory=self.memory,
            threads=self.threads,
            without=self.disable,
            weights=config.weight_sets if self.weights is None else self.weights,
            shares=config.node_shares if self.shares is None else self.shares,
            observer=observer,
            checkpoint=checkpoint,
        )
        status = _STATUSES[report.status]
        line: tuple[Move, ...] | Callable[[], tuple[Move, ...]] = ()
        if status == "winnable":
            codes = report.line
            check_line(position, codes)
            line = functools.partial(moves_of, position, codes)
        verdict = Verdict(
            status=status,
            line=line,  # type: ignore[arg-type]
            nodes=report.nodes,
            budget=budget,
            strategy=report.strategy,
            seconds=time.monotonic() - begun,
            proof=report.proof,
            collision_bound=report.collision_bound,
            stop_reason=STOP_REASONS[report.end],
            shuffled=position.game.rulebook.is_shuffled,
        )
        return verdict, report.checkpoint

    def _check(self) -> None:
        if self.memory < 1:
            raise ValueError(f"nothing can be searched in {self.memory} bytes")
        if not 1 <= self.threads <= 1024:
            raise ValueError(f"{self.threads} threads: give from 1 to 1024")
        unknown = [name for name in self.disable if name not in PRUNINGS]
        if unknown:
            names = ", ".join(f'"{name}"' for name in unknown)
            raise ValueError(f"unknown pruning {names}; choose from {', '.join(PRUNINGS)}")


def check_budget(budget: int) -> None:
    """Raises ``ValueError`` for a budget that cannot be spent."""
    if budget < 0:
        raise ValueError(f"a budget of {budget} nodes cannot be spent")


_STATUSES: dict[str, Status] = {
    "winnable": "winnable",
    "unwinnable": "unwinnable",
    "unknown": "unknown",
}
STOP_REASONS: dict[str, StopReason] = {
    "decided": "decided",
    "budget": "budget",
    "memory": "memory",
    "helpless": "exhausted",
    "endless": "restless",
    "interrupted": "interrupted",
}


def check_line(position: Position, codes: Sequence[int]) -> None:
    """Replays a line of the search by the rules.

    Raises:
        RuntimeError: If it does not win. So even a bug of the search cannot produce a wrong line.
    """
    played, outcome = position._state.replay(codes)
    if played < len(codes):
        raise RuntimeError(
            f"the search played a move ({codes[played]:#x}) that is not legal after {played} moves "
            f"from {position}"
        )
    if OUTCOMES[outcome] != "won":
        raise RuntimeError(f"the search found a line from {position} that does not win: {codes}")


def moves_of(position: Position, codes: Sequence[int]) -> tuple[Move, ...]:
    """The moves of a line that can be played, as players see them."""
    # Positions are not made for the states in between: nobody asks for them, and they take longer
    # than most searches.
    notation, state, line = position._game._notation, position._state, list[Move]()
    for code in codes:
        line.append(next(move for move in notation.moves(state) if move.code == code))
        state, _ = state.play(code)
    return tuple(line)
