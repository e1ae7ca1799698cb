"""Ratings by Glicko-2: how strong a player is, how hard a puzzle is, and how sure that is.

After Mark E. Glickman, *Example of the Glicko-2 system* (2013); the names of the steps are his.
Every result is a rating period of its own, as on the large chess sites.

This is our own code because no package for it is well kept: those for Python are copies of one
script of 2009, without types, with players that change in place and a constant that all share.
The tests compare with Glickman's worked example.
"""

from dataclasses import dataclass
from math import exp, log, pi, sqrt
from typing import Final

SCALE: Final = 173.7178
CENTRE: Final = 1500.0
TAU: Final = 0.5
"""How much the volatility may change."""
WIDEST: Final = 350.0
"""The deviation of somebody of whom nothing is known."""
NARROWEST: Final = 45.0
"""No rating is surer than this, so it can always change."""
CLOSE: Final = 1e-6


@dataclass(frozen=True, slots=True)
class Rating:
    """A rating.

    Attributes:
        rating: The strength.
        deviation: Its standard deviation.
        volatility: How much the strength itself is expected to change.
    """

    rating: float = CENTRE
    deviation: float = WIDEST
    volatility: float = 0.06

    def after(self, results: "list[tuple[Rating, float]]") -> "Rating":
        """The rating after a rating period.

        Args:
            results: The opponents, and the score against each: 1 for a win, 0 for a loss.

        >>> player = Rating(1500, 200)
        >>> opponents = Rating(1400, 30), Rating(1550, 100), Rating(1700, 300)
        >>> after = player.after(list(zip(opponents, (1, 0, 0))))
        >>> round(after.rating, 2), round(after.deviation, 2), round(after.volatility, 5)
        (1464.05, 151.52, 0.06)
        """
        mu, phi = (self.rating - CENTRE) / SCALE, self.deviation / SCALE
        precision = gain = 0.0
        for other, score in results:
            g = 1 / sqrt(1 + 3 * (other.deviation / SCALE) ** 2 / pi**2)
            expected = 1 / (1 + exp(-g * (mu - (other.rating - CENTRE) / SCALE)))
            precision += g * g * expected * (1 - expected)
            gain += g * (score - expected)
        if not results:
            return Rating(self.rating, self._deviation(sqrt(phi**2 + self.volatility**2)))
        v = 1 / precision
        sigma = self._volatility(phi, v, v * gain)
        phi = 1 / sqrt(1 / (phi**2 + sigma**2) + precision)
        return Rating(CENTRE + SCALE * (mu + phi**2 * gain), self._deviation(phi), sigma)

    @staticmethod
    def _deviation(phi: float) -> float:
        return min(max(SCALE * phi, NARROWEST), WIDEST)

    def _volatility(self, phi: float, v: float, delta: float) -> float:
        """The new volatility: the root of Glickman's function, by the Illinois algorithm."""
        a = log(self.volatility**2)

        def f(x: float) -> float:
            total = phi**2 + v + exp(x)
            return exp(x) * (delta**2 - total) / (2 * total**2) - (x - a) / TAU**2

        low = a
        if delta**2 > phi**2 + v:
            high = log(delta**2 - phi**2 - v)
        else:
            steps = 1
            while f(a - steps * TAU) < 0:
                steps += 1
            high = a - steps * TAU
        f_low, f_high = f(low), f(high)
        while abs(high - low) > CLOSE:
            middle = low + (low - high) * f_low / (f_high - f_low)
            f_middle = f(middle)
            if f_middle * f_high <= 0:
                low, f_low = high, f_high
            else:
                f_low /= 2
            high, f_high = middle, f_middle
        return exp(low / 2)
