"""Plots are drawn, the same each time, and nothing lies outside."""

from dataclasses import replace
from pathlib import Path

import numpy
import pytest

from cadogan.study.errors import StudyError
from cadogan.study.plots import KINDS, draw, points, save
from cadogan.study.scores import Scores
from cadogan.study.store import Store
from cadogan.study.summary import Summary, summarize
from tests.study.conftest import PLAN


def scored(summaries: list[Summary]) -> list[Summary]:
    """Summaries of games that are scored."""
    return [replace(each, scores=Scores((-3, 4, 4, 120))) for each in summaries]


@pytest.mark.parametrize("kind", KINDS)
def test_plots_are_drawn_and_are_the_same_each_time(
    store: Store, tmp_path: Path, kind: str
) -> None:
    summaries = scored(summarize(store, PLAN))
    first = draw(kind, summaries)
    assert first.startswith(b"<?xml")
    assert first == draw(kind, summaries)
    save(kind, summaries, tmp_path / "plot.png")
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_that_is_drawn_lies_outside(store: Store, kind: str) -> None:
    # Winning lines of Hochzeitszug are longer than a hundred moves.
    summaries = [
        replace(each, lengths=[*each.lengths, 700]) if each.lengths else each
        for each in scored(summarize(store, PLAN))
    ]
    (axes,) = KINDS[kind](summaries).axes
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    lines = [numpy.asarray(line.get_xydata()).tolist() for line in axes.get_lines()]
    assert any(lines)
    assert all(left <= x <= right and low <= y <= high for line in lines for x, y in line)


def test_a_histogram_counts_every_deal(store: Store) -> None:
    (summary, *_) = scored(summarize(store, PLAN))
    few = replace(summary, scores=Scores((1, 1, 2, 4)))
    (axes,) = points([few]).axes
    (line,) = axes.get_lines()
    xs, ys = (numpy.asarray(each).tolist() for each in (line.get_xdata(), line.get_ydata()))
    assert xs == [0.5, 0.5, 1.5, 1.5, 2.5, 2.5, 3.5, 3.5, 4.5, 4.5]
    assert ys == [0, 50, 50, 25, 25, 0, 0, 25, 25, 0]
    # 124 different numbers of points fit into bars of four.
    (axes,) = points([summary]).axes
    (line,) = axes.get_lines()
    assert numpy.asarray(line.get_ydata())[1::2].sum() == pytest.approx(100)
    with pytest.raises(StudyError, match="no game is scored"):
        points([replace(summary, scores=Scores(()))])


def test_a_plot_of_nothing_is_refused(tmp_path: Path, store: Store) -> None:
    empty = Store(tmp_path / "s", create=True)
    with pytest.raises(StudyError, match="no deal was tried yet"):
        draw("winnability", summarize(empty, PLAN))
    with pytest.raises(StudyError, match="unknown plot 'pie'"):
        draw("pie", summarize(store, PLAN))
    with pytest.raises(StudyError, match="cannot be written as 'jpg'"):
        save("cactus", summarize(store, PLAN), tmp_path / "x.jpg")
