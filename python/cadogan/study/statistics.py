"""Intervals, comparisons, and when enough is known.

Undecided deals are counted both ways, as Blake and Gent do (JAIR 85, 2026, section 8.1): the lower
end of an interval takes them for lost, the upper end for won. So an interval is honest however many
there are, and wide if there are many.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from cadogan.study.errors import StudyError

Method = Literal["wilson", "exact"]
METHODS: Final[tuple[Method, ...]] = ("wilson", "exact")
CONFIDENCE: Final = 0.95


@dataclass(frozen=True, slots=True)
class Tally:
    """How many deals were won, lost, and neither.

    >>> tally = Tally(won=50, lost=40, undecided=10)
    >>> tally.deals, tally.interval()
    (100, Interval(low=0.4038..., high=0.6905...))
    """

    won: int = 0
    lost: int = 0
    undecided: int = 0

    @property
    def deals(self) -> int:
        """All deals."""
        return self.won + self.lost + self.undecided

    def interval(self, method: Method = "wilson", confidence: float = CONFIDENCE) -> "Interval":
        """Where the share of deals that come out lies, with the undecided counted both ways."""
        if not self.deals:
            return Interval(0.0, 1.0)
        low, _ = proportion(self.won, self.deals, method, confidence)
        _, high = proportion(self.won + self.undecided, self.deals, method, confidence)
        return Interval(low, high)


@dataclass(frozen=True, slots=True)
class Interval:
    """A share between two bounds."""

    low: float
    high: float

    @property
    def half_width(self) -> float:
        """Half the distance of the bounds."""
        return (self.high - self.low) / 2

    def __contains__(self, share: float) -> bool:
        return self.low <= share <= self.high

    def meets(self, other: "Interval") -> bool:
        """Whether two intervals have a share in common."""
        return self.low <= other.high and other.low <= self.high


def proportion(
    won: int, deals: int, method: Method = "wilson", confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """The interval of a share, by Wilson's formula or the exact one of Clopper and Pearson.

    >>> [round(bound, 4) for bound in proportion(8, 10, "exact")]
    [0.4439, 0.9748]
    """
    test = _scipy().binomtest(won, deals).proportion_ci(confidence, method)
    return float(test.low), float(test.high)


@dataclass(frozen=True, slots=True)
class Paired:
    """The same deals under two sets of rules, or played by two players.

    Attributes:
        table: How many deals came out so in the first and so in the second, by ``"won"``,
            ``"lost"`` and ``"undecided"``.
    """

    table: dict[tuple[str, str], int]

    @property
    def deals(self) -> int:
        """How many deals were tried in both."""
        return sum(self.table.values())

    @property
    def first_only(self) -> int:
        """Won in the first and lost in the second."""
        return self.table.get(("won", "lost"), 0)

    @property
    def second_only(self) -> int:
        """Lost in the first and won in the second."""
        return self.table.get(("lost", "won"), 0)

    def p_value(self) -> float:
        """McNemar's exact test on the deals decided in both: how likely is it by chance alone?"""
        return mcnemar(self.first_only, self.second_only)

    def cautious_p_value(self) -> float:
        """The same, with every undecided deal taken against the difference that was found."""
        get = self.table.get
        # What the undecided deals can add to the one side and to the other.
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
    """The p-value of McNemar's exact test, two-sided.

    >>> mcnemar(0, 0), round(mcnemar(10, 2), 4)
    (1.0, 0.0386)
    """
    if not first_only + second_only:
        return 1.0
    return float(_scipy().binomtest(first_only, first_only + second_only, 0.5).pvalue)


@dataclass(frozen=True, slots=True)
class Stop:
    """When a study has found out enough. Each limit is looked at by itself; ``None`` is no limit.

    Attributes:
        half_width: Half the width of the interval, as a share (0.01 is one per cent).
        deals: A number of deals.
        nodes: Positions searched in all deals together.
    """

    half_width: float | None = None
    deals: int | None = None
    nodes: int | None = None

    def __bool__(self) -> bool:
        return any(limit is not None for limit in (self.half_width, self.deals, self.nodes))

    def is_enough(self, tally: Tally, nodes: int) -> bool:
        """Whether a study may stop with these deals."""
        return (
            (self.deals is not None and tally.deals >= self.deals)
            or (self.nodes is not None and nodes >= self.nodes)
            or (self.half_width is not None and tally.interval().half_width <= self.half_width)
        )

    def checkpoints(self, deals: int) -> Sequence[int]:
        """After how many deals it is asked whether that is enough: ever more rarely.

        They hang on nothing that happens during a run, so that a study stops at the same deal
        however it is run.

        >>> Stop(half_width=0.01).checkpoints(200)
        (100, 130, 160, 200)
        """
        if not self:
            return (deals,)
        points, point = [], 100
        while point < deals:
            points.append(point)
            point = point * 13 // 100 * 10
        # A study does not go beyond the number of deals that is enough.
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
    """What to say when an optional package is not installed."""
    extra = "cluster" if package in ("distributed", "dask_jobqueue") else "study"
    return StudyError(
        f"{package.replace('_', '-')} is not installed, and this needs it",
        f"pip install 'cadogan[{extra}]'",
    )
