"""The points of scored games: their mean with an interval, and how they are distributed."""

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cadogan.study.players import SCORED


@dataclass(frozen=True, slots=True)
class Scores:
    """The points of the deals of a study, smallest first.

    >>> scores = Scores((1, 2, 3, 4))
    >>> scores.mean, scores.quantile(0.5), [round(end, 3) for end in scores.interval()]
    (2.5, 2.5, [0.446, 4.554])
    """

    points: Sequence[int]

    @classmethod
    def of_notes(cls, notes: Iterable[str]) -> "Scores":
        """Reads the points in the notes of records.

        >>> Scores.of_notes(["score 9", "", "score -3"]).points
        (-3, 9)
        """
        found = [note.removeprefix(SCORED) for note in notes if note.startswith(SCORED)]
        return cls(tuple(sorted(map(int, found))))

    @property
    def mean(self) -> float:
        """The mean."""
        return statistics.fmean(self.points)

    def quantile(self, share: float) -> float:
        """The points that this share of the deals do not exceed, interpolated between deals."""
        place = share * (len(self.points) - 1)
        below = math.floor(place)
        above = min(below + 1, len(self.points) - 1)
        return self.points[below] + (place - below) * (self.points[above] - self.points[below])

    def interval(self) -> tuple[float, float] | None:
        """The interval of 95 % for the mean, by Student's distribution; ``None`` for one deal."""
        number = len(self.points)
        if number < 2:
            return None
        error = statistics.stdev(self.points) / math.sqrt(number)
        width = error * _student(number - 1)
        return self.mean - width, self.mean + width


def _student(freedom: int) -> float:
    """The 97.5 % quantile of Student's distribution.

    Few degrees of freedom are in the table; for more the expansion of Cornish and Fisher is right
    to three digits.
    """
    if freedom <= len(_QUANTILES):
        return _QUANTILES[freedom - 1]
    z = statistics.NormalDist().inv_cdf(0.975)
    first = (z**3 + z) / (4 * freedom)
    second = (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
    return z + first + second


_QUANTILES = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228)
