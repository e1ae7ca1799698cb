"""Fuzzes rules files: each is either refused with a message, or keeps all that games promise.

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
import signal
import sys
import tempfile
import time
import tomllib
import traceback
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from pathlib import Path
from types import FrameType
from typing import Any, Final

from cadogan.rules import check_text
from cadogan.rules.compile.program import Program
from cadogan.rules.rulebook.rulebook import Rulebook
from tests.attacks.examined import examine
from tests.attacks.grown import grown, grown_case
from tests.attacks.seeds import Key, keys_of, seeds_by_key
from tests.attacks.vocabulary import vocabulary

with contextlib.suppress(ImportError):  # Windows has no such limits; see `main`.
    import resource

SECONDS: Final = 1.0
"""Of the processor that the checks of a file may take; other programs may run at the same time."""

EXAMINATION: Final = 20.0
"""Seconds of the processor that the examination of a sound file may take."""

STUCK: Final = 60.0
"""Seconds by the clock after which a worker that reports nothing is ended."""

MEMORY: Final = 200 << 20
BATCH: Final = 200


class OverLimitError(Exception):
    """A case took too much."""


Readings = list[tuple[Rulebook, Program]]


def judge(text: str) -> tuple[str, Readings]:
    """Checks a file as the server does.

    Args:
        text: The rules file.

    Returns:
        ``"played"``, or the code of the first error, and the readings of a sound file.

    Raises:
        Exception: If a promise is broken.
    """
    readings: Readings = []
    report = check_text(text, "a.toml", lambda *reading: readings.append(reading))
    if not report.ok:
        fault = report.errors[0]
        assert fault.title
        assert fault.labels[0].span.line >= 1
        report.render()
        return fault.code, []
    return "played", readings


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
    phrases: set[str] = field(default_factory=set)
    """Phrases of the vocabulary that were in sound files."""
    keys: Counter[Key] = field(default_factory=Counter)
    """How many sound files had each key."""
    slowest: tuple[float, int] = (0.0, -1)

    def add(self, other: "Tally") -> None:
        """Adds what came of others."""
        self.cases += other.cases
        self.ends += other.ends
        self.findings += other.findings
        self.phrases |= other.phrases
        self.keys += other.keys
        self.slowest = max(self.slowest, other.slowest)


def try_case(seed: int, case: int, tally: Tally) -> None:
    """Judges one case under the limit of time, and examines it if it is sound."""
    begin = time.process_time()
    try:
        text, phrases = grown_case(seed, case)
        with _alarm(SECONDS):
            code, readings = judge(text)
        tally.slowest = max(tally.slowest, (time.process_time() - begin, case))
        tally.ends[code] += 1
        if readings:
            tally.phrases.update(phrases)
            tally.keys.update(keys_of(tomllib.loads(text)))
            with _alarm(EXAMINATION):
                examine(text, readings, case)
    except OverLimitError as error:
        tally.findings.append(Finding(case, "slow", f"more than {error} s"))
    except MemoryError:
        tally.findings.append(Finding(case, "memory", f"more than {MEMORY >> 20} MB"))
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException:  # A panic of the kernel is no Exception.
        tally.findings.append(Finding(case, "crash", traceback.format_exc(limit=-6)))
    tally.cases += 1


@contextlib.contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    def ring(_number: int, _frame: FrameType | None) -> None:
        raise OverLimitError(seconds)

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, seconds)
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
            answer: Tally | None = self.pipe.recv()
        except EOFError:
            return self.lost("died")
        return answer

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
    begin = answer = time.monotonic()
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
            if every and time.monotonic() - answer >= every:
                answer = time.monotonic()
                print(line(), flush=True)
    except KeyboardInterrupt:
        for worker in running:
            worker.process.kill()
        print("interrupted", flush=True)
    if every:
        print(line(), flush=True)
        for code, number in total.ends.most_common():
            print(f"  {number:9,} {code}")
        told_ = {
            f"{key} = {said!r}"
            for (_, key), values in vocabulary().items()
            for said, source in values
            if source == "manual" and isinstance(said, str)
        }
        print(f"phrases of the manual that no sound file had: {sorted(told_ - total.phrases)}")
        print("sound files with each key, the rarest first:")
        for key in sorted(seeds_by_key(), key=lambda key: total.keys[key]):
            share = total.keys[key] / max(total.ends["played"], 1)
            print(f"  {total.keys[key]:9,} {share:7.2%} {key[0].removesuffix('Shape')}.{key[1]}")
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
