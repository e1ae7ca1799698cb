"""The progress of a study: nothing, a line every ten seconds, or a live table."""

import sys
import time
from dataclasses import replace

import pytest

from cadogan.cli.meter import EVERY, meter
from cadogan.study.plan import plan_of
from cadogan.study.run import Progress
from cadogan.study.statistics import Tally

PLAN = plan_of(
    {"title": "A plan", "study": [{"game": "golf", "deals": "cadogan:0..9999", "budget": 100}]},
    "plan",
)
PROGRESS = Progress(PLAN.studies, [Tally(won=30, lost=15, undecided=5)], [10_000], 50, 20, 3980, 0)


def test_a_line_is_written_every_ten_seconds(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = 0.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    with meter(quiet=False) as report:
        assert report is not None
        report(PROGRESS)
        assert capsys.readouterr().err == ""
        now += EVERY
        report(PROGRESS)
        report(PROGRESS)
        line = "50 of 10,000 deals, 2.5 a second, about 1:06:20 left\n"
        assert capsys.readouterr().err == line
        now += EVERY
        report(replace(PROGRESS, seconds_left=None, lost=2))
        line = "50 of 10,000 deals, 2.5 a second, 2 workers lost\n"
        assert capsys.readouterr().err == line


def test_quiet_is_quiet() -> None:
    with meter(quiet=True) as report:
        assert report is None


def test_a_terminal_has_a_table(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "120")
    with meter(quiet=False) as report:
        assert report is not None
        report(PROGRESS)
    shown = capsys.readouterr().err
    for text in ("golf", "50 of 10,000", "30", "15", "2.5 a second"):
        assert text in shown
