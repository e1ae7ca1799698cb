"""Plots of results, drawn by matplotlib as SVG or PNG.

The same records give the same file: it contains no dates and no random names.
"""

import io
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from cadogan.study.errors import StudyError
from cadogan.study.literature import published
from cadogan.study.players import PLAYERS
from cadogan.study.statistics import Tally, missing
from cadogan.study.summary import Summary

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_STYLE: Final = {
    "svg.hashsalt": "cadogan",
    "svg.fonttype": "none",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#e4e4e4",
    "axes.axisbelow": True,
}
_INK: Final = ("#1f5fa8", "#c2571a", "#3d8a4e", "#7d4ba0", "#8a6d1f", "#b03060", "#3b8ea5", "#555")
_MARKS: Final = MappingProxyType({"thoughtful": "o", "fair": "s", "greedy": "^", "random": "v"})
_WIDTH: Final = 8.0
_STEPS: Final = 60
"""The largest number of points of a curve."""
_BARS: Final = 40
"""The largest number of bars of a histogram."""
_CURVES: Final = 12
"""The largest number of curves that a reader can distinguish in one plot."""


def winnability(summaries: Sequence[Summary]) -> "Figure":
    """Plots the share of winnable deals of each game with its interval."""
    chosen = _of_solver(summaries)
    figure, axes = _figure(0.32 * len(chosen) + 1.2)
    others = published()
    for row, summary in enumerate(reversed(chosen)):
        _interval(axes, row, summary.tally, _INK[0], "o")
        if (value := others.get(summary.study.game)) is not None:
            axes.plot([value.share], [row], "d", color=_INK[1], markersize=5, fillstyle="none")
    _rows(axes, [summary.study.game for summary in reversed(chosen)])
    _shares(axes)
    axes.set_xlabel("deals that can be won, % (95 % interval, undecided deals counted both ways)")
    if any(summary.study.game in others for summary in chosen):
        axes.plot([], [], "d", color=_INK[1], fillstyle="none", label="published")
        axes.legend(loc="lower right", bbox_to_anchor=(1, 1), frameon=False)
    return figure


def ladder(summaries: Sequence[Summary]) -> "Figure":
    """Plots how often each player wins the same game."""
    games = list(dict.fromkeys(summary.study.game for summary in summaries))
    games = [game for game in games if sum(each.study.game == game for each in summaries) > 1]
    if not games:
        raise StudyError("no game was played by several players", "add players to the plan")
    figure, axes = _figure(0.5 * len(games) + 1.4)
    for row, game in enumerate(reversed(games)):
        for summary in (each for each in summaries if each.study.game == game):
            name = summary.study.player.name
            rank = PLAYERS.index(name)
            _interval(axes, row + 0.24 - 0.16 * rank, summary.tally, _INK[rank], _MARKS[name])
    for rank, name in enumerate(PLAYERS):
        if any(summary.study.player.name == name for summary in summaries):
            axes.plot([], [], _MARKS[name], color=_INK[rank], label=name)
    _rows(axes, list(reversed(games)))
    _shares(axes)
    axes.set_xlabel("deals won, % (95 % interval)")
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, 1.0 + 0.35 / len(games)), ncol=4,
                frameon=False)  # fmt: skip
    return figure


def cactus(summaries: Sequence[Summary]) -> "Figure":
    """Plots how many deals are decided within how many nodes."""
    chosen = _few([each for each in _of_solver(summaries) if each.decided_nodes], summaries)
    figure, axes = _figure(4.2)
    for place, summary in enumerate(chosen):
        deals, nodes = summary.tally.deals, summary.decided_nodes
        picked = _picked(len(nodes))
        axes.plot(
            [100 * (index + 1) / deals for index in picked],
            [max(nodes[index], 1) for index in picked],
            color=_INK[place % len(_INK)],
            linestyle=("-", "--", ":", "-.")[place // len(_INK) % 4],
            label=summary.study.game,
        )
    axes.set_yscale("log")
    axes.set_xlim(0, 100)
    axes.set_xlabel("deals decided, %")
    axes.set_ylabel("nodes")
    _legend(axes)
    return figure


def length(summaries: Sequence[Summary]) -> "Figure":
    """Plots the lengths of winning lines."""
    chosen = [each for each in _of_solver(summaries) if each.lengths]
    if not chosen:
        raise StudyError("no deal was won", "try more deals, or a larger budget")
    figure, axes = _figure(0.32 * len(chosen) + 1.2)
    for row, summary in enumerate(reversed(chosen)):
        many = summary.lengths
        at = [many[min(int(share * len(many)), len(many) - 1)] for share in (0.05, 0.25, 0.5)]
        at += [many[min(int(share * len(many)), len(many) - 1)] for share in (0.75, 0.95)]
        axes.plot([at[0], at[4]], [row, row], color=_INK[0], linewidth=1)
        axes.plot([at[1], at[3]], [row, row], color=_INK[0], linewidth=5, solid_capstyle="butt")
        axes.plot([at[2]], [row], "o", color="white", markersize=4, markeredgecolor=_INK[0])
    _rows(axes, [summary.study.game for summary in reversed(chosen)])
    axes.set_xlim(left=0)
    axes.set_xlabel("moves of the line found (median, the middle half, the middle nine tenths)")
    return figure


def points(summaries: Sequence[Summary]) -> "Figure":
    """Plots how the points of scored games are distributed, as histograms."""
    scored = [each for each in summaries if each.scores.points]
    if not scored:
        raise StudyError("no game is scored", "study one whose rules file has a [score]")
    chosen = _few(scored, summaries)
    figure, axes = _figure(4.2)
    least = min(each.scores.points[0] for each in chosen)
    most = max(each.scores.points[-1] for each in chosen)
    width = max(1, -(-(most + 1 - least) // _BARS))
    bars = (most - least) // width + 1
    several = len({each.study.player for each in chosen}) > 1
    for place, summary in enumerate(chosen):
        heights = [0.0] * bars
        for score in summary.scores.points:
            heights[(score - least) // width] += 100 / len(summary.scores.points)
        edges = [least - 0.5 + width * bar for bar in range(bars + 1)]
        # A histogram is drawn as its outline, so that several can be compared.
        axes.plot(
            [edge for edge in edges for _ in range(2)],
            [0.0, *(height for height in heights for _ in range(2)), 0.0],
            color=_INK[place % len(_INK)],
            linestyle=("-", "--", ":", "-.")[place // len(_INK) % 4],
            label=f"{summary.study.game}{f', {summary.study.player}' if several else ''}",
        )
    axes.set_ylim(bottom=0)
    axes.set_xlabel("points" if width == 1 else f"points, {width} to a bar")
    axes.set_ylabel("deals, %")
    _legend(axes)
    return figure


def progress(summaries: Sequence[Summary]) -> "Figure":
    """Plots how the intervals narrow as deals are tried."""
    chosen = _few(_of_solver(summaries), summaries)
    figure, axes = _figure(4.2)
    for place, summary in enumerate(chosen):
        points, lows, highs = [], [], []
        won = lost = 0
        # Choose the points evenly on the logarithmic axis.
        deals = len(summary.outcomes)
        wanted = {round(deals ** (step / _STEPS)) - 1 for step in range(_STEPS + 1)}
        for index, outcome in enumerate(summary.outcomes):
            won, lost = won + (outcome is True), lost + (outcome is False)
            if index in wanted and index >= 4:
                interval = Tally(won, lost, index + 1 - won - lost).interval()
                points.append(index + 1)
                lows.append(100 * interval.low)
                highs.append(100 * interval.high)
        color = _INK[place % len(_INK)]
        axes.fill_between(points, lows, highs, color=color, alpha=0.25, linewidth=0)
        axes.plot(points, lows, color=color, linewidth=0.8, label=summary.study.game)
        axes.plot(points, highs, color=color, linewidth=0.8)
    axes.set_xscale("log")
    axes.set_ylim(0, 100)
    axes.set_xlabel("deals")
    axes.set_ylabel("deals that can be won, %")
    _legend(axes)
    return figure


Draw = Callable[[Sequence[Summary]], "Figure"]
KINDS: Final[Mapping[str, Draw]] = MappingProxyType(
    {
        "winnability": winnability,
        "ladder": ladder,
        "cactus": cactus,
        "length": length,
        "points": points,
        "progress": progress,
    }
)
"""The kinds of plot."""


def draw(kind: str, summaries: Sequence[Summary], form: str = "svg") -> bytes:
    """Draws a plot.

    Args:
        kind: One of :data:`KINDS`.
        summaries: The results to draw.
        form: ``"svg"`` or ``"png"``.

    Returns:
        The contents of the file.

    Raises:
        StudyError: If there is nothing to draw, or the plot or the format is unknown.
    """
    if kind not in KINDS:
        raise StudyError(f"unknown plot {kind!r}", f"choose one of {', '.join(KINDS)}")
    if form not in ("svg", "png"):
        raise StudyError(f"a plot cannot be written as {form!r}", "name the file .svg or .png")
    known = [summary for summary in summaries if summary.tally.deals]
    if not known:
        raise StudyError("no deal was tried yet", "'cadogan study run' tries them")
    matplotlib = _matplotlib()
    with matplotlib.rc_context(_STYLE):
        figure = KINDS[kind](known)
        buffer = io.BytesIO()
        metadata = {"Date": None, "Creator": None} if form == "svg" else {"Software": None}
        figure.savefig(buffer, format=form, metadata=metadata, bbox_inches="tight", dpi=150)
    return buffer.getvalue()


def save(kind: str, summaries: Sequence[Summary], path: Path) -> None:
    """Draws a plot into a file; the ending of its name chooses the format.

    Raises:
        StudyError: If there is nothing to draw, or the plot or the format is unknown.
        OSError: If it cannot be written.
    """
    path.write_bytes(draw(kind, summaries, path.suffix.lstrip(".").lower()))


def _of_solver(summaries: Sequence[Summary]) -> list[Summary]:
    chosen = [summary for summary in summaries if summary.study.player.is_thoughtful]
    if not chosen:
        raise StudyError("the thoughtful player has tried no deal", "add it to the plan")
    return chosen


def _few(chosen: list[Summary], summaries: Sequence[Summary]) -> list[Summary]:
    """Limits the number of curves; games that several players tried come first."""
    if len(chosen) <= _CURVES:
        return chosen
    names = [summary.study.game for summary in summaries]
    ordered = sorted(chosen, key=lambda each: names.count(each.study.game) == 1)
    shown = {each.study.game for each in ordered[:_CURVES]}
    return [each for each in chosen if each.study.game in shown]


def _picked(number: int) -> list[int]:
    """Chooses evenly spaced indices, always including the last."""
    if number <= _STEPS:
        return list(range(number))
    return sorted({round((number - 1) * step / (_STEPS - 1)) for step in range(_STEPS)})


def _interval(axes: Any, row: float, tally: Tally, color: str, mark: str) -> None:
    interval = tally.interval()
    axes.plot([100 * interval.low, 100 * interval.high], [row, row], color=color, linewidth=2)
    if tally.won + tally.lost:
        low = 100 * tally.won / tally.deals
        high = 100 * (tally.won + tally.undecided) / tally.deals
        for share in dict.fromkeys((low, high)):
            axes.plot([share], [row], mark, color=color, markersize=4)


def _rows(axes: Any, names: Sequence[str]) -> None:
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(-0.6, len(names) - 0.4)
    axes.grid(visible=False, axis="y")


def _shares(axes: Any) -> None:
    axes.set_xlim(-1, 101)


def _legend(axes: Any) -> None:
    handles, _ = axes.get_legend_handles_labels()
    if handles:
        axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False)


def _figure(height: float) -> tuple["Figure", Any]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(_WIDTH, height))
    return figure, figure.subplots()


def _matplotlib() -> Any:
    try:
        import matplotlib
    except ImportError:
        raise missing("matplotlib") from None
    return matplotlib
