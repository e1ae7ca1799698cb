"""Fuzzes rules files: each is either refused with a message, or loads, deals and lists moves.

    python -m tests.attacks.fuzz_rules --cases 1000000 --seed 1 --workers 2

Every case is judged in a worker process under limits of time and memory. What goes wrong is written
out as a small file, with the number of its case: ``--first N --cases 1`` repeats it. A run is
determined by its seed; it can be divided among machines by ranges of cases. A run that is
interrupted says with which ``--first`` and ``--cases`` it goes on.
"""

import argparse
import contextlib
import gc
import hashlib
import importlib.util
import multiprocessing
import random
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from pathlib import Path
from types import FrameType
from typing import Any, Final

from cadogan import _kernel
from cadogan.pictures.layout import lay_out
from cadogan.rules import check_text
from cadogan.rules.check.extent import MAX_MOVES, most_moves
from cadogan.rules.compile.compile import compile_rulebook
from cadogan.rules.compile.program import Program
from cadogan.rules.explain import explain
from cadogan.rules.faults.report import Report
from cadogan.rules.pipeline import exclusions, read_rulebook
from cadogan.rules.read.read import read_document
from cadogan.rules.rulebook.rulebook import Rulebook
from tests.attacks.grown import grown

with contextlib.suppress(ImportError):  # Windows has no such limits; see `main`.
    import resource

SECONDS: Final = 1.0
"""Of the processor that a case may take; other programs may run at the same time."""

STUCK: Final = 60.0
"""Seconds by the clock after which a worker that reports nothing is ended."""

MEMORY: Final = 200 << 20
MOVES: Final = 8
BATCH: Final = 200


class OverLimitError(Exception):
    """A case took too much."""


def judge(text: str, case: int) -> str:
    """Checks a file as the server does, and plays what is sound.

    Args:
        text: The rules file.
        case: Its number, which decides on additional checks.

    Returns:
        ``"played"``, or the code of the first error.

    Raises:
        Exception: If a promise is broken.
    """
    readings: list[tuple[Rulebook, Program]] = []
    report = check_text(text, "a.toml", lambda *reading: readings.append(reading))
    if not report.ok:
        fault = report.errors[0]
        assert fault.title
        assert fault.labels[0].span.line >= 1
        report.render()
        return fault.code
    chance = random.Random(case)
    # The plain game as often as one of its variants.
    at = 0 if chance.random() < 0.5 else chance.randrange(len(readings))
    book, program = readings[at]
    play(book, program, chance)
    if book.variants and case % 4 == 0:
        exclusions(text, "a.toml")
    if case % 8 == 0:
        document = read_document(text, "a.toml")
        again = read_rulebook(document, "a", book.chosen, Report(document))[1]
        assert again == book, "what is checked is read again alike"
        assert again is not None
        assert compile_rulebook(again) == program
        explain(book)
        lay_out(book)
    return "played"


def play(book: Rulebook, compiled: Program, chance: random.Random) -> None:
    """Deals a game and makes some moves; what the kernel promises of each position is asserted."""
    program = _kernel.Program(compiled.to_bytes())
    deck = list(book.deck)
    chance.shuffle(deck)
    try:
        state = program.deal(bytes(deck))
    except RuntimeError as error:
        assert "come to rest" in str(error)
        return
    most = most_moves(book)
    cards = Counter([*book.deck, *(card for card, _ in book.preset)])
    for _ in range(MOVES):
        moves = state.moves()
        assert len(moves) <= MAX_MOVES, f"{len(moves)} moves"
        made = Counter(move >> 24 for move in moves)
        for rule, number in made.items():
            assert number <= most[rule], (
                f"{book.rules[rule].name}: {number} moves, not {most[rule]}"
            )
        held = Counter(byte & 63 for heap in state.piles() for byte in heap)
        assert held == cards, "a card is lost or doubled"
        assert state.hash128() == state.hash_from_scratch()
        if not moves:
            return
        assert len(set(moves)) == len(moves), "a move is listed twice"
        move = chance.choice(moves)
        assert state.is_legal(move)
        state.transfers(move)
        try:
            state, _ = state.play(move)
        except RuntimeError as error:
            assert "come to rest" in str(error)
            return


@dataclass(slots=True)
class Finding:
    """A case in which something went wrong."""

    case: int
    kind: str
    detail: str


@dataclass(slots=True)
class Tally:
    """What came of some cases."""

    cases: int = 0
    next: int = 0
    """The first case of the worker that it has not judged."""
    ends: Counter[str] = field(default_factory=Counter)
    findings: list[Finding] = field(default_factory=list)
    slowest: tuple[float, int] = (0.0, -1)

    def add(self, other: "Tally") -> None:
        """Adds what came of others."""
        self.cases += other.cases
        self.ends += other.ends
        self.findings += other.findings
        self.slowest = max(self.slowest, other.slowest)


def try_case(seed: int, case: int, tally: Tally) -> None:
    """Judges one case under the limit of time."""
    begin = time.process_time()
    try:
        text = grown(seed, case)
        with _alarm():
            tally.ends[judge(text, case)] += 1
    except OverLimitError:
        tally.findings.append(Finding(case, "slow", f"more than {SECONDS} s"))
    except MemoryError:
        tally.findings.append(Finding(case, "memory", f"more than {MEMORY >> 20} MB"))
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException:  # A panic of the kernel is no Exception.
        tally.findings.append(Finding(case, "crash", traceback.format_exc(limit=-6)))
    tally.cases += 1
    tally.slowest = max(tally.slowest, (time.process_time() - begin, case))


@contextlib.contextmanager
def _alarm() -> Iterator[None]:
    def ring(_number: int, _frame: FrameType | None) -> None:
        raise OverLimitError

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def _size() -> int:
    """Bytes of address space of this process; 0 where that is not known."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    except (OSError, ValueError):
        return 0


def _peak() -> int:
    """Bytes of memory that this process had at most."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def work(seed: int, cases: range, current: Any, pipe: Connection) -> None:
    """What a worker does: judges cases and sends a tally of each batch."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    grown(seed, 0)
    for warm in range(3):
        try_case(seed, warm, Tally())
    # What is loaded now stays; there is no need to search it for garbage again and again.
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000)
    if size := _size():
        resource.setrlimit(resource.RLIMIT_AS, (size + MEMORY, size + MEMORY))
    least = _peak()
    tally = Tally()
    for case in cases:
        current.value = case
        try_case(seed, case, tally)
        if (peak := _peak()) - least > MEMORY:
            tally.findings.append(Finding(case, "memory", f"peak {peak - least >> 20} MB higher"))
            least = peak
        if tally.cases >= BATCH or tally.findings:
            tally.next = case + cases.step
            pipe.send(tally)
            tally = Tally()
    tally.next = cases.stop
    pipe.send(tally)
    pipe.send(None)


class _Worker:
    """A process that judges a range of cases. If it dies, another one continues after the case."""

    def __init__(self, seed: int, cases: range) -> None:
        self.seed = seed
        self.cases = cases
        self.next = cases.start
        self._context = multiprocessing.get_context("spawn")
        self._start(cases)

    def _start(self, cases: range) -> None:
        self.current = self._context.Value("q", cases.start, lock=False)
        self.pipe, theirs = self._context.Pipe(duplex=False)
        self.process = self._context.Process(
            target=work, args=(self.seed, cases, self.current, theirs), daemon=True
        )
        self.process.start()
        theirs.close()
        self.heard = time.monotonic()
        self.seen = cases.start

    def read(self) -> Tally | None:
        """What it sends; ``None`` when it has done its work."""
        self.heard = time.monotonic()
        try:
            told: Tally | None = self.pipe.recv()
        except EOFError:
            return self.lost("died")
        return told

    def is_stuck(self) -> bool:
        """Whether it has been at one case for too long."""
        if self.current.value != self.seen:
            self.seen, self.heard = self.current.value, time.monotonic()
        return time.monotonic() - self.heard > STUCK

    def lost(self, why: str) -> Tally:
        """Ends the process and begins another one behind the case it was at."""
        case = int(self.current.value)
        self.process.kill()
        self.process.join()
        after = case + self.cases.step
        self._start(range(after, self.cases.stop, self.cases.step))
        finding = Finding(case, why, f"the worker {why}")
        return Tally(1, after, findings=[finding])


def fuzz(
    seed: int, first: int, cases: int, workers: int, out: Path, *, every: float = 10.0
) -> Tally:
    """Judges a range of cases.

    Args:
        seed: Names the run.
        first: The first case.
        cases: How many.
        workers: Processes.
        out: The folder for what goes wrong.
        every: Seconds between two lines of progress; 0 for none.
    """
    out.mkdir(parents=True, exist_ok=True)
    total = Tally()
    end = first + cases
    begin = told = time.monotonic()
    running = [_Worker(seed, range(first + k, end, workers)) for k in range(workers)]

    def line() -> str:
        total.next = min((worker.next for worker in running), default=end)
        return _line(total, cases, time.monotonic() - begin)

    try:
        while running:
            ready = set(wait([worker.pipe for worker in running], timeout=1.0))
            for worker in list(running):
                tally = None
                if worker.pipe in ready:
                    tally = worker.read()
                    if tally is None:
                        worker.process.join()
                        running.remove(worker)
                        continue
                elif worker.is_stuck():
                    tally = worker.lost("hung")
                if tally is not None:
                    worker.next = tally.next
                    total.add(tally)
                    for finding in tally.findings:
                        _keep(finding, seed, out)
            if every and time.monotonic() - told >= every:
                told = time.monotonic()
                print(line(), flush=True)
    except KeyboardInterrupt:
        for worker in running:
            worker.process.kill()
        print("interrupted", flush=True)
    if every:
        print(line(), flush=True)
        for code, number in total.ends.most_common():
            print(f"  {number:9,} {code}")
        if total.next < end:
            print(f"continue with --seed {seed} --first {total.next} --cases {end - total.next}")
    return total


def _keep(finding: Finding, seed: int, out: Path) -> None:
    try:
        text = grown(seed, finding.case)
    except Exception:  # That is the finding, then.
        text = ""
    mark = hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:8]
    file = out / f"{finding.kind}-{seed}-{finding.case}-{mark}.toml"
    head = "".join(f"# {line}\n" for line in finding.detail.splitlines())
    file.write_text(f"{head}{text}", encoding="utf-8", errors="surrogateescape")
    print(f"{finding.kind}: case {finding.case}: {file}", flush=True)


def _line(total: Tally, cases: int, seconds: float) -> str:
    rate = total.cases / max(seconds, 0.001)
    slow, case = total.slowest
    return (
        f"{total.cases:,} of {cases:,} cases, {rate:.0f} a second, all below {total.next}; "
        f"{total.ends['played']:,} played, {len(total.findings)} findings; "
        f"the slowest took {slow:.2f} s (case {case})"
    )


def main(arguments: list[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description="Fuzz rules files.")
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the first case")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--out", type=Path, default=Path(tempfile.gettempdir()) / "cadogan-fuzz")
    wish = parser.parse_args(arguments)
    if importlib.util.find_spec("resource") is None:
        print("error: fuzzing needs limits of memory, which this system lacks", file=sys.stderr)
        print("hint: run it on Linux or macOS", file=sys.stderr)
        return 2
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    total = fuzz(wish.seed, wish.first, wish.cases, wish.workers, wish.out)
    return 1 if total.findings else 0


if __name__ == "__main__":
    sys.exit(main())
