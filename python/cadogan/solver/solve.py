"""Verdicts: whether a position can be won.

The kernel searches. Here its answer is checked: a line that wins is played again, move by move as
a player would, before anybody sees it.
"""

import functools
import hashlib
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, final

from cadogan import _kernel
from cadogan.game import Position
from cadogan.moves import Move
from cadogan.solver.config import ENDING, NodeShares, WeightSets, check, check_shares, config_for
from cadogan.storage import CATALOGUE

Status = Literal["winnable", "unwinnable", "unknown"]
StopReason = Literal["decided", "budget", "memory", "exhausted", "interrupted"]

BUDGET: Final = 1_000_000
"""Positions searched if nothing else is asked for."""

MEMORY: Final = 2 << 30
"""Bytes used at most, about, if nothing else is asked for."""


@functools.cache
def solver_version() -> str:
    """A fingerprint of the solver, twelve hexadecimal digits.

    Two solvers with the same one give the same answers to the same questions, line and nodes and
    all: it is made of the sources of the kernel and of the weights in the catalogue.

    >>> len(solver_version())
    12
    """
    mixed = hashlib.sha256(_kernel.fingerprint.encode())
    for path in sorted(CATALOGUE.glob("*" + ENDING)):
        mixed.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return mixed.hexdigest()[:12]


PRUNINGS: Final = _kernel.prunings
"""What ``solve(disable=...)`` may name; no verdict depends on any of them."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of a search.

    Two verdicts are equal if they say the same; how long it took does not count.

    Attributes:
        status: ``"winnable"`` (there is a line), ``"unwinnable"`` (there is none) or ``"unknown"``.
        line: The player's moves to a win, if it is winnable; what they force is not told.
        nodes: How many positions were searched.
        budget: How many might be searched.
        strategy: The strategy that decided it, or was tried last.
        seconds: How long it took, by the clock on the wall.
        proof: What the verdict rests on, in words; empty if it is unknown.
        collision_bound: At most so likely is it that two positions of the proof were taken for one.
        stop_reason: Why the search ended: it was ``"decided"``, the ``"budget"`` was spent, the
            ``"memory"`` was used up, all enabled strategies were ``"exhausted"``, or it was
            ``"interrupted"``.
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

    def __str__(self) -> str:
        if self.status == "winnable":
            moves = "1 move" if len(self.line) == 1 else f"{len(self.line)} moves"
            return f"winnable in {moves} ({self.nodes:,} nodes)"
        if self.status == "unwinnable":
            return f"unwinnable ({self.nodes:,} nodes)"
        why = {"memory": ", out of memory", "interrupted": ", interrupted"}.get(
            self.stop_reason, ""
        )
        return f"unknown after {self.nodes:,} nodes{why}"

    def _repr_html_(self) -> str:
        from cadogan.pictures.html import verdict_html

        return verdict_html(self)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a search has come.

    Attributes:
        nodes: Positions searched so far.
        memory: Bytes used, about.
        depth: How many moves deep a depth-first search is; how many positions another one has
            looked beyond.
        round: The present round, from 0 on; each gives every strategy more nodes than the last.
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
    """Searches for a line that wins, knowing all cards.

    The same question gives the same answer, line and nodes and all, also with more threads. Ctrl-C
    interrupts; other threads of Python run meanwhile. :class:`Search` does the same in the
    background, and :class:`Analysis` remembers.

    Args:
        position: Where to begin.
        budget: How many positions may be searched.
        memory: About how many bytes may be used, by all threads together; by default 2 GiB. If
            they do not suffice, the verdict is unknown.
        threads: How many strategies may be tried at the same time.
        disable: Names of :data:`PRUNINGS` that are not to be used.
        progress: Is called some twenty times a second. What it raises ends the search.
        weights: What features of a position count, by name, where it is not what is built in; or
            several such sets. By default those that stand beside the rules file.
        shares: How much of the search some strategies get, by name, in hundredths of the usual
            share. By default what stands beside the rules file.

    Returns:
        The verdict. A line in it has been played from the position to a win.

    Raises:
        ValueError: If the budget or another number is out of range, or there is no such
            pruning, weight or strategy.

    >>> from cadogan import load
    >>> verdict = solve(load("flower-garden").deal("cadogan:1"), budget=10)
    >>> verdict.status, verdict.nodes
    ('unknown', 10)
    """
    request = SearchRequest(memory, threads, disable, weights, shares)

    def tell(*numbers: object) -> bool:
        if progress is not None:
            progress(Progress(*numbers))  # type: ignore[arg-type]
        return True

    return request.ask(position, budget, tell)[0]


@final
class Search:
    """A search under way in the background, on a thread of its own.

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
        """Begins to search; the arguments are those of :func:`solve`.

        ``progress`` is called on the thread of the search.
        """
        request = SearchRequest(memory, threads, disable, weights, shares)
        _check_budget(budget)
        self._cancelled = threading.Event()
        # A thread whose join was interrupted by Ctrl-C takes itself for ended; an event does not.
        self._over = threading.Event()
        self._progress: Progress | None = None
        self._verdict: Verdict | None = None
        self._fault: BaseException | None = None

        def tell(*numbers: object) -> bool:
            self._progress = Progress(*numbers)  # type: ignore[arg-type]
            if progress is not None:
                progress(self._progress)
            return not self._cancelled.is_set()

        def work() -> None:
            try:
                self._verdict, _ = request.ask(position, budget, tell)
            except BaseException as fault:  # It is raised where the result is asked for.
                self._fault = fault
            finally:
                self._over.set()

        # A program that ends does not wait for it.
        threading.Thread(target=work, name="cadogan search", daemon=True).start()

    @property
    def progress(self) -> Progress | None:
        """How far the search has come; ``None`` for the first moment."""
        return self._progress

    def done(self) -> bool:
        """Whether the result is there."""
        return self._over.is_set()

    def cancel(self) -> None:
        """Ends the search soon; its result is what is known by then."""
        self._cancelled.set()

    def result(self, timeout: float | None = None) -> Verdict:
        """Waits for the verdict.

        Args:
            timeout: How long to wait, in seconds; without it, as long as it takes.

        Raises:
            TimeoutError: If it is not there yet. The search continues.
        """
        if not self._over.wait(timeout):
            raise TimeoutError("the search is not over yet")
        if self._fault is not None:
            raise self._fault
        assert self._verdict is not None
        return self._verdict


@final
class Analysis:
    """The verdicts on one position, remembered.

    Asking again costs nothing. Asking with a larger budget continues where the search ended, with
    the same answer as if that had been the budget from the beginning. A verdict that is decided is
    given whatever the budget.

    Args:
        position: The position.
        memory: As for :func:`solve`, and so are the others.
        threads: How many strategies may be tried at the same time.
        disable: Prunings that are not to be used.

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
        """Whether the game can be won from the position, knowing all cards.

        Args:
            budget: How many positions may be searched, those searched before included.
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
    """A line that was made shorter.

    Attributes:
        line: The player's moves to a win.
        lower_bound: No line to a win has fewer moves, as far as that is proved.
        nodes: How many positions were searched.
        seconds: How long it took, by the clock on the wall.
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
            return f"made shorter, {moves}"
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
    """Makes a line that wins shorter.

    The longer it may search, the shorter the line becomes. The same question has the same answer.

    Args:
        position: Where the line begins.
        line: Moves to a win, as a :class:`Verdict` has them. What follows the win is left out.
        budget: How many positions may be searched, moves of the line that are played again
            counted.
        shortest: Whether to look for a line of which it is proved that none is shorter. What is
            found may fall short of that; :attr:`Shortened.lower_bound` tells. Better begin with a
            line that was made shorter without this.
        memory: About how many bytes may be used; by default 2 GiB.
        progress: Is called some twenty times a second. If it returns a false value other than
            ``None``, what was reached by then is given.

    Returns:
        The shorter line, which has been played from the position to a win.

    Raises:
        ValueError: If the line does not win, or a number is out of range.
        MoveError: If a move of the line cannot be made.

    >>> from cadogan import load
    >>> position = load("freecell").deal("ms:1")
    >>> line = solve(position).line
    >>> len(shorten(position, line, 100_000).line) < len(line)
    True
    """
    _check_budget(budget)
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

    def tell(*numbers: object) -> bool:
        if progress is None:
            return True
        told = progress(Progress(*numbers))  # type: ignore[arg-type]
        return told is None or bool(told)

    found, lower_bound, nodes = _kernel.shorten(
        position._state, codes, budget, memory=request.memory, shortest=shortest, observer=tell
    )
    return Shortened(replayed(position, found), lower_bound, nodes, time.monotonic() - begun)


@final
class SearchRequest:
    """What is asked of the kernel, but for the position and the budget. Used by :func:`solve`."""

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
        tell: Callable[[int, int, int, int, str], object] | None = None,
        checkpoint: _kernel.Checkpoint | None = None,
    ) -> tuple[Verdict, _kernel.Checkpoint | None]:
        """Searches, and plays what was found.

        Returns:
            The verdict, and where the search can go on if it is unknown.
        """
        _check_budget(budget)
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
            observer=tell,
            checkpoint=checkpoint,
        )
        status = _STATUSES[report.status]
        verdict = Verdict(
            status=status,
            line=replayed(position, report.line) if status == "winnable" else (),
            nodes=report.nodes,
            budget=budget,
            strategy=report.strategy,
            seconds=time.monotonic() - begun,
            proof=report.proof,
            collision_bound=report.collision_bound,
            stop_reason=_STOP_REASONS[report.end],
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
            raise ValueError(f"there is no pruning {names}; there are {', '.join(PRUNINGS)}")


def _check_budget(budget: int) -> None:
    if budget < 0:
        raise ValueError(f"a budget of {budget} nodes cannot be spent")


_STATUSES: dict[str, Status] = {
    "winnable": "winnable",
    "unwinnable": "unwinnable",
    "unknown": "unknown",
}
_STOP_REASONS: dict[str, StopReason] = {
    "decided": "decided",
    "budget": "budget",
    "memory": "memory",
    "helpless": "exhausted",
    "interrupted": "interrupted",
}


def replayed(position: Position, codes: Sequence[int]) -> tuple[Move, ...]:
    """Plays a line of the search by the texts of its moves.

    Raises:
        RuntimeError: If it does not win: a verdict is never wrong, not even by a fault of ours.
    """
    start, line = position, []
    for code in codes:
        move = next((move for move in position.moves() if move.code == code), None)
        if move is None:
            raise RuntimeError(
                f"the search played a move ({code:#x}) that is not legal in {position}"
            )
        position = position.play(move.text)
        line.append(move)
    if position.outcome != "won":
        raise RuntimeError(f"the search found a line from {start} that does not win: {position}")
    return tuple(line)
