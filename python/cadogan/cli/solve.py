"""``cadogan solve``: finds out whether a deal can be won."""

import re
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from cyclopts import Parameter

from cadogan.cli import INTERRUPTED, output
from cadogan.cli.choose import GameName, Json, Start, position_of

if TYPE_CHECKING:
    from cadogan import Position, Shortened, Verdict
    from cadogan.solver.difficulty import Difficulty as Rating
    from cadogan.solver.solve import Progress

HERE = Start()
BUDGET = 1_000_000
LARGEST = 10**18
Budget = Annotated[int, Parameter(name="--budget", help="The most nodes (positions) to search.")]
Memory = Annotated[
    str, Parameter(name="--memory", help="The most memory to use, approximately, such as 500MB.")
]
Threads = Annotated[
    int, Parameter(name="--threads", help="How many strategies to run in parallel.")
]
Disable = Annotated[
    list[str] | None,
    Parameter(
        name="--disable",
        help="A pruning to switch off. Repeat it for more; an unknown name lists them all.",
    ),
]
ShowLine = Annotated[
    bool, Parameter(name="--show-line", help="Print the moves, for 'cadogan replay'.")
]
Shorten = Annotated[
    bool, Parameter(name="--shorten", help="Shorten the line, with the same budget again.")
]
Shortest = Annotated[
    bool, Parameter(name="--shortest", help="Search for a shortest line, and report a lower bound.")
]
Format = Annotated[
    Literal["cadogan", "standard", "freecell-solver"],
    Parameter(
        name="--format", help="Print the moves for another program (FreeCell and similar games)."
    ),
]
CertificateFile = Annotated[
    Path | None,
    Parameter(name="--certificate", help="Write a proof of the loss to this file."),
]
Score = Annotated[
    bool, Parameter(name="--score", help="Search for the best score, and report a bound.")
]
Difficulty = Annotated[
    bool,
    Parameter(name="--difficulty", help="Find out how hard the deal is, from 0 to 100."),
]
ShowProgress = Annotated[bool, Parameter(name="--progress", help="Show progress.")]


def solve(
    game: GameName,
    /,
    *,
    start: Start = HERE,
    budget: Budget = BUDGET,
    memory: Memory = "2GB",
    threads: Threads = 1,
    disable: Disable = None,
    show_line: ShowLine = False,
    shorten: Shorten = False,
    shortest: Shortest = False,
    format: Format = "cadogan",
    certificate: CertificateFile = None,
    score: Score = False,
    difficulty: Difficulty = False,
    progress: ShowProgress = False,
    json: Json = False,
) -> int:
    """Find out whether a deal can be won.

    The verdict is winnable (with a line that was played to the end), unwinnable (proved), or
    unknown (the budget is spent). The search sees every card, including face-down ones. Ctrl-C
    stops it and prints what is known so far. With --certificate the exit status is 1 if there is no
    certificate.
    """
    from cadogan.exchange.lines import NotationError, write_line
    from cadogan.solver.solve import Search, SearchRequest

    if not 1 <= budget <= LARGEST:
        raise output.UsageError(
            f"a budget of {budget} nodes is not possible", f"give 1 to {LARGEST}"
        )
    limit = bytes_of(memory)
    try:
        SearchRequest(limit, threads, disable or ())
    except ValueError as fault:
        raise output.UsageError(*_split(str(fault))) from None
    position = position_of(game, start)
    book = position.game.rulebook
    if difficulty and position.move_count:
        raise output.UsageError("--difficulty is about a deal, not about a later position")
    if score and book.score is None:
        raise output.UsageError(f"{position.game.title} has no points", "leave out --score")
    if book.score is not None and (score or not (book.aim or book.score.won_from is not None)):
        if difficulty:
            raise output.UsageError(
                f"{position.game.title} is played for points", "leave out --difficulty"
            )
        return _best(position, budget, limit, threads, show_line, progress, json)
    live = _Live(progress)
    search = Search(
        position, budget, memory=limit, threads=threads, disable=disable or (), progress=live
    )
    try:
        verdict = search.result()
    except KeyboardInterrupt:
        search.cancel()
        verdict = search.result()
    finally:
        live.end()
    stopped = verdict.stop_reason == "interrupted"
    better = None
    if verdict.status == "winnable" and (shorten or shortest):
        better, stopped = _shorter(position, verdict, budget, limit, progress, shortest)
    rated = None
    if difficulty and verdict.status == "winnable" and not stopped:
        rated, stopped = _rated(position, verdict)
    line = verdict.line if better is None else better.line
    try:
        moves = (
            [move.text for move in line]
            if format == "cadogan"
            else write_line(position, line, format).splitlines()
        )
    except NotationError as fault:
        raise output.UsageError(str(fault), "leave out --format") from None
    if not json:
        said = f"{verdict}" if better is None else f"{verdict}; {better}"
        if format != "cadogan" and verdict.status == "winnable":
            # A program that reads the moves must see nothing else.
            output.note(said)
        else:
            output.data(f"# {said}" if show_line else said)
        if rated is not None:
            (output.note if format != "cadogan" else output.data)(
                f"# {rated}" if show_line else f"{rated}"
            )
        elif difficulty and not stopped:
            output.note("no difficulty: no line to a win is known")
        if show_line or format != "cadogan":
            for text in moves:
                output.data(text)
        _hint(verdict, budget)
    certified = None
    if certificate is not None and not stopped:
        from cadogan.cli.certificate import write_certificate

        try:
            certified = write_certificate(position, verdict, certificate, progress)
        except KeyboardInterrupt:
            output.note("no certificate: interrupted")
            stopped = True
    if json:
        output.data_json(_facts(position, verdict, better, rated, moves, certified))
    return INTERRUPTED if stopped else int(certified is False)


def _best(
    position: "Position",
    budget: int,
    memory: int,
    threads: int,
    show_line: bool,
    progress: bool,
    json: bool,
) -> int:
    """Searches for the best score and prints it."""
    from cadogan.solver.score import best_score

    live = _Live(progress)
    try:
        found = best_score(position, budget, memory=memory, threads=threads, progress=live)
    finally:
        live.end()
    moves = [move.text for move in found.line]
    if json:
        output.data_json(
            {
                "game": position.game.name,
                "deal": position.deal_name,
                "score": found.score,
                "bound": found.bound,
                "aim": found.aim,
                "proved": found.is_proved,
                "end": found.stop_reason,
                "nodes": found.nodes,
                "budget": budget,
                "seconds": round(found.seconds, 3),
                "line": moves,
            }
        )
        return 0
    output.data(f"# {found}" if show_line else f"{found}")
    for text in moves if show_line else ():
        output.data(text)
    return 0


def _shorter(
    position: "Position",
    verdict: "Verdict",
    budget: int,
    memory: int,
    progress: bool,
    shortest: bool,
) -> "tuple[Shortened, bool]":
    """The shortened line, and whether Ctrl-C interrupted the work."""
    import signal

    from cadogan import shorten

    pressed = False

    def note(signal: int, frame: object) -> None:
        nonlocal pressed
        pressed = True

    live = _Live(progress)
    before = signal.signal(signal.SIGINT, note)

    def observe(progress: "Progress") -> bool:
        live(progress)
        return not pressed

    try:
        better = shorten(position, verdict.line, budget, memory=memory, progress=observe)
        if shortest and not pressed:
            better = shorten(
                position, better.line, budget, shortest=True, memory=memory, progress=observe
            )
    finally:
        signal.signal(signal.SIGINT, before)
        live.end()
    return better, pressed


def _rated(position: "Position", verdict: "Verdict") -> "tuple[Rating | None, bool]":
    """How hard the deal is, and whether Ctrl-C interrupted the work."""
    from cadogan.solver.difficulty import difficulty

    try:
        return difficulty(position, verdict), False
    except KeyboardInterrupt:
        output.note("no difficulty: interrupted")
        return None, True


def _facts(
    position: "Position",
    verdict: "Verdict",
    better: "Shortened | None",
    rated: "Rating | None",
    moves: list[str],
    certified: bool | None,
) -> dict[str, Any]:
    return {
        "game": position.game.name,
        "deal": position.deal_name,
        "status": verdict.status,
        "end": verdict.stop_reason,
        "nodes": verdict.nodes,
        "strategy": verdict.strategy,
        "budget": verdict.budget,
        "seconds": round(verdict.seconds, 3),
        "proof": verdict.proof or None,
        "collision_bound": verdict.collision_bound,
        "shuffled": verdict.shuffled,
        "certified": certified,
        "at_least": None if better is None else better.lower_bound,
        "difficulty": None if rated is None else {"figure": rated.figure, **asdict(rated.signs)},
        "line": moves if verdict.status == "winnable" else None,
    }


def _hint(verdict: "Verdict", budget: int) -> None:
    if verdict.status != "unknown":
        return
    if verdict.stop_reason == "budget":
        output.note(f"try a larger budget: --budget {min(budget * 10, LARGEST)}")
    elif verdict.stop_reason == "memory":
        output.note("try more memory: --memory 8GB")
    elif verdict.stop_reason == "exhausted":
        output.note("all enabled strategies are exhausted; a larger budget would not help")
    elif verdict.stop_reason == "restless":
        output.note(
            "the forced rules of the game never end after some moves; "
            "'cadogan play' names them when you try such a move"
        )


_SIZE: Final = re.compile(r"(?P<number>\d+(\.\d+)?)\s*(?P<unit>[kmgt]?)i?b?", re.IGNORECASE)
_UNITS: Final = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}


def bytes_of(text: str) -> int:
    """Reads an amount of memory, in bytes.

    >>> bytes_of("2GB") == bytes_of("2048 MB") == 2**31
    True
    """
    match = _SIZE.fullmatch(text.strip())
    size = int(float(match["number"]) * _UNITS[match["unit"].lower()]) if match else 0
    if not 1 <= size < 1 << 60:
        raise output.UsageError(
            f"{text!r} is not an amount of memory", "write, for example, 500MB or 2GB"
        )
    return size


def _split(text: str) -> tuple[str, str | None]:
    """Splits a message into the problem and, after the semicolon, the hint."""
    wrong, _, right = text.partition("; ")
    return wrong, right or None


class _Live:
    """The progress of a search: one live line on a terminal, elsewhere a line every two seconds.

    Args:
        wanted: Whether to show anything.
    """

    def __init__(self, wanted: bool) -> None:
        self._wanted = wanted
        self._on_terminal = sys.stderr.isatty()
        self._begun = self._shown_at = time.monotonic()
        self._shown = False

    def __call__(self, progress: "Progress") -> None:
        now = time.monotonic()
        if not self._wanted or now - self._shown_at < (0.1 if self._on_terminal else 2):
            return
        self._shown_at = now
        speed = progress.nodes / max(now - self._begun, 1e-3)
        text = (
            f"{progress.nodes:,} nodes, {speed:,.0f} a second, {progress.memory >> 20} MB, "
            f"{progress.strategy}, round {progress.round + 1}"
        )
        if self._on_terminal:
            sys.stderr.write(f"\r\x1b[K{text[: output.width() - 1]}")
            sys.stderr.flush()
            self._shown = True
        else:
            output.note(text)

    def end(self) -> None:
        """Clears the line."""
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            self._shown = False
