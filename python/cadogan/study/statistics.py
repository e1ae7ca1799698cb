"""Intervals, comparisons, and stopping rules.

Undecided deals are counted both ways, as Blake and Gent do (JAIR 85, 2026, section 8.1): as lost
for the lower end of an interval, and as won for the upper end. So the interval is valid however
many deals are undecided; it is wide if there are many.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist
from typing import Any, Final, Literal

from cadogan.study.errors import StudyError

Method = Literal["wilson", "exact"]
METHODS: Final[tuple[Method, ...]] = ("wilson", "exact")
CONFIDENCE: Final = 0.95


@dataclass(frozen=True, slots=True)
class Tally:
    """How many deals were won, lost, or left undecided.

    >>> tally = Tally(won=50, lost=40, undecided=10)
    >>> tally.deals, tally.interval()
    (100, Interval(low=0.4038..., high=0.6905...))
    """

    won: int = 0
    lost: int = 0
    undecided: int = 0

    @property
    def deals(self) -> int:
        """The number of all deals."""
        return self.won + self.lost + self.undecided

    def interval(self, method: Method = "wilson", confidence: float = CONFIDENCE) -> "Interval":
        """Computes the interval of the share of deals won; undecided deals count both ways."""
        if not self.deals:
            return Interval(0.0, 1.0)
        low, _ = proportion(self.won, self.deals, method, confidence)
        _, high = proportion(self.won + self.undecided, self.deals, method, confidence)
        return Interval(low, high)


@dataclass(frozen=True, slots=True)
class Interval:
    """An interval of shares.

    Attributes:
        low: The lower bound.
        high: The upper bound.
    """

    low: float
    high: float

    @property
    def half_width(self) -> float:
        """Half the distance between the bounds."""
        return (self.high - self.low) / 2

    def __contains__(self, share: float) -> bool:
        return self.low <= share <= self.high

    def meets(self, other: "Interval") -> bool:
        """Whether the two intervals overlap."""
        return self.low <= other.high and other.low <= self.high


def proportion(
    won: int, deals: int, method: Method = "wilson", confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """Computes the interval of a share, by Wilson's or by Clopper and Pearson's exact method.

    >>> [round(bound, 4) for bound in proportion(8, 10, "exact")]
    [0.4439, 0.9748]
    """
    if method == "wilson":  # which needs no scipy
        z = NormalDist().inv_cdf(0.5 + confidence / 2)
        share, weight = won / deals, z * z / deals
        centre = (share + weight / 2) / (1 + weight)
        spread = z * sqrt(share * (1 - share) / deals + weight / (4 * deals)) / (1 + weight)
        low, high = centre - spread, centre + spread
        return (low if won else 0.0), (high if won < deals else 1.0)
    test = _scipy().binomtest(won, deals).proportion_ci(confidence, method)
    return float(test.low), float(test.high)


@dataclass(frozen=True, slots=True)
class Paired:
    """The same deals under two sets of rules, or played by two players.

    Attributes:
        table: How many deals have each pair of results. A pair is the result in the first and the
            result in the second, each ``"won"``, ``"lost"`` or ``"undecided"``.
    """

    table: dict[tuple[str, str], int]

    @property
    def deals(self) -> int:
        """How many deals were tried in both."""
        return sum(self.table.values())

    @property
    def first_only(self) -> int:
        """How many deals were won in the first and lost in the second."""
        return self.table.get(("won", "lost"), 0)

    @property
    def second_only(self) -> int:
        """How many deals were lost in the first and won in the second."""
        return self.table.get(("lost", "won"), 0)

    def p_value(self) -> float:
        """Computes McNemar's exact test on the deals decided in both.

        Returns:
            How likely such a difference is by chance alone.
        """
        return mcnemar(self.first_only, self.second_only)

    def cautious_p_value(self) -> float:
        """Like :meth:`p_value`, but counts undecided deals against the difference found."""
        get = self.table.get
        # How many undecided deals can count for each side.
        first = get(("won", "undecided"), 0) + get(("undecided", "lost"), 0)
        second = get(("undecided", "won"), 0) + get(("lost", "undecided"), 0)
        either = get(("undecided", "undecided"), 0)
        b, c = self.first_only, self.second_only
        if b >= c:
            c = min(b, c + second + either) if b > c else c
        else:
            b = min(c, b + first + either)
        return mcnemar(b, c)


def mcnemar(first_only: int, second_only: int) -> float:
    """Computes the two-sided p-value of McNemar's exact test.

    >>> mcnemar(0, 0), round(mcnemar(10, 2), 4)
    (1.0, 0.0386)
    """
    if not first_only + second_only:
        return 1.0
    return float(_scipy().binomtest(first_only, first_only + second_only, 0.5).pvalue)


@dataclass(frozen=True, slots=True)
class Stop:
    """When a study stops: as soon as one of the limits is reached. ``None`` means no limit.

    Attributes:
        half_width: Half the width of the interval, as a share (0.01 is one per cent).
        deals: The number of deals.
        nodes: The number of nodes of all deals together.
    """

    half_width: float | None = None
    deals: int | None = None
    nodes: int | None = None

    def __bool__(self) -> bool:
        return any(limit is not None for limit in (self.half_width, self.deals, self.nodes))

    def is_enough(self, tally: Tally, nodes: int) -> bool:
        """Whether one of the limits is reached."""
        return (
            (self.deals is not None and tally.deals >= self.deals)
            or (self.nodes is not None and nodes >= self.nodes)
            or (self.half_width is not None and tally.interval().half_width <= self.half_width)
        )

    def checkpoints(self, deals: int) -> Sequence[int]:
        """Returns after how many deals the limits are checked, at growing distances.

        The checkpoints do not depend on the course of a run, so a study always stops at the same
        deal.

        >>> Stop(half_width=0.01).checkpoints(200)
        (100, 130, 160, 200)
        """
        if not self:
            return (deals,)
        points, point = [], 100
        while point < deals:
            points.append(point)
            point = point * 13 // 100 * 10
        # A study does not try more deals than its limit.
        if self.deals is not None:
            points = [each for each in points if each < self.deals] + [min(self.deals, deals)]
        else:
            points.append(deals)
        return tuple(points)


def _scipy() -> Any:
    try:
        from scipy import stats
    except ImportError:
        raise missing("scipy") from None
    return stats


def missing(package: str) -> StudyError:
    """Returns the error for an optional package that is not installed."""
    extra = "cluster" if package in ("distributed", "dask_jobqueue") else "study"
    return StudyError(
        f"{package.replace('_', '-')} is not installed, and this needs it",
        f"pip install 'cadogan[{extra}]'",
    )
