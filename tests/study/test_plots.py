"""Plots are drawn, the same each time, and nothing lies outside."""

from dataclasses import replace
from pathlib import Path

import numpy
import pytest

from cadogan.study.errors import StudyError
from cadogan.study.plots import KINDS, draw, save
from cadogan.study.store import Store
from cadogan.study.summary import summarize
from tests.study.conftest import PLAN


@pytest.mark.parametrize("kind", KINDS)
def test_plots_are_drawn_and_are_the_same_each_time(
    store: Store, tmp_path: Path, kind: str
) -> None:
    summaries = summarize(store, PLAN)
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
        for each in summarize(store, PLAN)
    ]
    (axes,) = KINDS[kind](summaries).axes
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    lines = [numpy.asarray(line.get_xydata()).tolist() for line in axes.get_lines()]
    assert any(lines)
    assert all(left <= x <= right and low <= y <= high for line in lines for x, y in line)


def test_a_plot_of_nothing_is_refused(tmp_path: Path, store: Store) -> None:
    empty = Store(tmp_path / "s", create=True)
    with pytest.raises(StudyError, match="no deal was tried yet"):
        draw("winnability", summarize(empty, PLAN))
    with pytest.raises(StudyError, match="unknown plot 'pie'"):
        draw("pie", summarize(store, PLAN))
    with pytest.raises(StudyError, match="cannot be written as 'jpg'"):
        save("cactus", summarize(store, PLAN), tmp_path / "x.jpg")
