"""The progress of a study on standard error: a live table, or a line every ten seconds."""

import contextlib
import sys
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from cadogan.cli import output

if TYPE_CHECKING:
    from rich.table import Table

    from cadogan.study.run import Progress, Report

EVERY: Final = 10.0
"""Seconds between two lines without a terminal."""
LINES: Final = 12
"""How many of the studies in progress are shown."""


@contextlib.contextmanager
def meter(quiet: bool) -> "Iterator[Report | None]":
    """A callback that shows the progress of a run."""
    if quiet:
        yield None
    elif sys.stderr.isatty():
        from rich.console import Console
        from rich.live import Live

        with Live(console=Console(stderr=True), transient=True, refresh_per_second=4) as live:
            yield lambda progress: live.update(_table(progress))
    else:
        yield _Lines().show


class _Lines:
    def __init__(self) -> None:
        self.shown_at = time.monotonic()

    def show(self, progress: "Progress") -> None:
        if time.monotonic() - self.shown_at < EVERY:
            return
        self.shown_at = time.monotonic()
        done = sum(tally.deals for tally in progress.tallies)
        output.note(f"{done:,} of {sum(progress.sizes):,} deals, {_pace(progress)}")


def _pace(progress: "Progress") -> str:
    rate = progress.done / progress.seconds if progress.seconds else 0.0
    pace = f"{rate:,.1f} a second"
    if progress.seconds_left is not None:
        pace += f", about {_time(progress.seconds_left)} left"
    if progress.lost:
        pace += f", {progress.lost} workers lost"
    return pace


def _time(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}"


def _table(progress: "Progress") -> "Table":
    from rich.progress_bar import ProgressBar
    from rich.table import Table

    table = Table(box=None, pad_edge=False, caption=_pace(progress), caption_justify="left")
    for name in ("game", "player", "", "deals", "won", "lost", "undecided", "interval, %"):
        table.add_column(name, justify="left" if name in ("game", "player", "") else "right")
    rows = list(zip(progress.studies, progress.tallies, progress.sizes, strict=True))
    begun = [row for row in rows if 0 < row[1].deals < row[2]] or rows[-1:]
    for study, tally, size in begun[:LINES]:
        interval = tally.interval()
        table.add_row(
            output.clean(study.game),
            str(study.player),
            ProgressBar(total=size, completed=tally.deals, width=16),
            f"{tally.deals:,} of {size:,}",
            f"{tally.won:,}",
            f"{tally.lost:,}",
            f"{tally.undecided:,}",
            f"{100 * interval.low:.1f} to {100 * interval.high:.1f}" if tally.deals else "-",
        )
    return table
