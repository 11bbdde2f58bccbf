"""Verdicts: does a measured value lie inside the margin of a claim, outside, or can it not be said yet?"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

from numbluff_sim.analysis.statistics.estimates import Bounds, Estimate, Estimator

#: Alphas below this are not told apart: a claim decided here is decided.
SMALLEST_ALPHA = 1e-15
#: Chance with which the number of games that "would settle it" does, if the measured value is the true one.
SETTLE_POWER = 0.9


class Status(StrEnum):
    """What can be said of a claim."""

    HOLDS = "holds"  # the interval lies inside the margin
    DIFFERS = "differs"  # the interval lies outside
    INCONCLUSIVE = "inconclusive"  # it lies across an edge


@dataclass(frozen=True)
class Margin:
    """The values (both ends included) for which a claim counts as true; one end may be infinite."""

    low: float = -math.inf
    high: float = math.inf

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high


def status_at(estimator: Estimator, margin: Margin, alpha: float) -> Status:
    """Where the 1 - alpha interval lies."""
    estimate = estimator.at(alpha)
    if estimate.low in margin and estimate.high in margin:
        return Status.HOLDS
    if estimate.low > margin.high or estimate.high < margin.low:
        return Status.DIFFERS
    return Status.INCONCLUSIVE


def deciding_alpha(estimator: Estimator, margin: Margin) -> float:
    """The smallest alpha whose interval lies wholly on one side of the margin's edges: the p-value of the verdict.

    The true value is outside the interval with chance alpha at most, and a verdict is wrong only then. 1 if no interval
    decides.
    """
    from scipy import optimize

    if not math.isfinite(estimator.value):
        return 1.0

    def undecided(exponent: float) -> float:
        return 1.0 if status_at(estimator, margin, 10**exponent) is Status.INCONCLUSIVE else -1.0

    lowest, highest = math.log10(SMALLEST_ALPHA), math.log10(0.999)
    if undecided(lowest) < 0:
        return SMALLEST_ALPHA
    if undecided(highest) > 0:
        return 1.0
    return float(min(10 ** (optimize.bisect(undecided, lowest, highest, xtol=1e-4) + 2e-4), 0.999))


def games_needed(estimator: Estimator, margin: Margin, alpha: float, power: float) -> int | None:
    """Games at which the 1 - alpha interval would decide with chance `power`, if the measured value is the true one.

    The interval's half-width must shrink to the distance to the nearest edge, and leave room for the scatter of the
    value itself: with z = normal quantiles, half * (1 + z(power) / z(alpha)), falling with the square root of the
    games. The wider half counts: that of a skew interval of few games says too little on its narrow side. An interval
    that ends at its value (no hits, or nothing but hits) is taken to stay so and shrinks with the games themselves.
    None when the value lies on an edge or is undefined.
    """
    from scipy import stats

    if not math.isfinite(estimator.value):
        return None
    estimate = estimator.at(alpha)
    room = 1 + float(stats.norm.ppf(power) / stats.norm.isf(alpha / 2))
    half = max(estimate.value - estimate.low, estimate.high - estimate.value)
    distance = min(abs(edge - estimate.value) for edge in (margin.low, margin.high))
    if distance == 0 or not math.isfinite(half):
        return None
    one_sided = estimate.value in (estimate.low, estimate.high)
    return rounded_up(estimator.games * (half / distance if one_sided else (half * room / distance) ** 2))


def like(estimate: Estimate) -> Estimator:
    """An estimate as an estimator, for whom only its one interval is known: the halves of other levels follow from it
    by normal quantiles.
    """
    from scipy import stats

    known = float(stats.norm.isf(estimate.alpha / 2))

    def bounds(alpha: float) -> Bounds:
        factor = float(stats.norm.isf(alpha / 2)) / known
        return (
            estimate.value - factor * (estimate.value - estimate.low),
            estimate.value + factor * (estimate.high - estimate.value),
        )

    return Estimator(
        estimate.name,
        estimate.value,
        estimate.n,
        estimate.denominator,
        estimate.method,
        estimate.unit,
        estimate.games,
        bounds,
    )


def rounded_up(number: float) -> int:
    """At least `number`, to two significant digits."""
    if number <= 10:
        return max(math.ceil(number), 1)
    unit = int(10 ** (math.floor(math.log10(number)) - 1))
    return math.ceil(number / unit) * unit
