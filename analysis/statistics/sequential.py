"""Confidence sequences: intervals that hold at every number of games at once, so that a run may stop itself whenever
they are narrow enough.

An interval at a fixed number of games covers the truth with chance 1 - alpha there; looked at again and again until it
is narrow, it no longer does. A confidence sequence pays for the looks: with chance 1 - alpha the truth lies in all of
them. At n games it is the fixed interval at alpha_n = 2 (1 - Phi(z_n)), with Robbins' normal mixture boundary in the
place of the normal quantile,

    z_n = sqrt((n r + 1) / (n r) * log((n r + 1) / alpha^2)),

where r > 0 chooses the number of games at which the boundary is tightest; it is valid for any r. It holds for means of
independent games with estimated variance asymptotically, as the normal intervals do (asymptotic confidence sequences),
and so for ratios and other smooth functions of such means, and, being at alpha_n, for every method that is at least as
wide as the normal interval.

Sources: H. Robbins, Statistical methods related to the law of the iterated logarithm, Annals of Mathematical Statistics
41 (1970), 1397-1409; I. Waudby-Smith, D. Arbour, R. Sinha, E. H. Kennedy and A. Ramdas, Time-uniform central limit
theory and asymptotic confidence sequences, Annals of Statistics 52 (2024), 2613-2640: theorem 2.2 is the boundary, the
choice of r is that of its appendix on tuning.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import count
from statistics import NormalDist

from numbluff_sim.analysis.statistics.estimates import ALPHA, Bounds, Estimate, Estimator
from numbluff_sim.errors import ConfigError, nearest_name

#: Games at which the boundary is tightest.
BEST_AT = 1_000_000
#: The first look, and how many times as many games the next one has (a ratio of whole numbers).
FIRST_LOOK = 10_000
GROWTH = (11, 10)
#: Smallest alpha an interval is asked for: the methods end before 0.
LEAST_ALPHA = 1e-300
#: A half-width this many times smaller than the standard error of one game takes 10^200 games: infinitely many.
LEAST_RATIO = 1e100
EXAMPLE = (
    "METRIC:5% (relative half-width) or METRIC:0.001 (half-width in the metric's unit), such as frappe_parfaite:5%"
)
METHOD = "confidence sequence"


@cache
def tuning(alpha: float, best_at: float = BEST_AT) -> float:
    """The r at which the boundary is tightest after `best_at` games: n r = x with log((x + 1) / alpha^2) = x."""
    from scipy.special import lambertw

    return float(-lambertw(-(alpha**2) / math.e, -1).real - 1) / best_at


def boundary(games: float, alpha: float = ALPHA, best_at: float = BEST_AT) -> float:
    """z_n: standard errors on each side that hold at all numbers of games at once."""
    x = games * tuning(alpha, best_at)
    return math.sqrt((x + 1) / x * math.log((x + 1) / alpha**2))


def fixed_alpha(games: float, alpha: float = ALPHA, family: int = 1, best_at: float = BEST_AT) -> float:
    """alpha_n: the alpha of the fixed interval that the sequence has after so many games.

    Of a `family` of intervals held together each gets the boundary at alpha / family; what is asked of the family is
    that many times its alpha_n.
    """
    return max(min(family * math.erfc(boundary(games, alpha / family, best_at) / math.sqrt(2)), 1.0), LEAST_ALPHA)


def sequential(estimator: Estimator, games: int, alpha: float = ALPHA, best_at: float = BEST_AT) -> Estimate:
    """The estimate after `games` games with its interval of the 1 - alpha confidence sequence."""
    estimate = estimator.at(fixed_alpha(games, alpha, estimator.family, best_at))
    return replace(estimate, level=1 - alpha, method=f"{METHOD} of {estimate.method}")


def always_valid(estimator: Estimator, best_at: float = BEST_AT) -> Estimator:
    """The same with intervals of the confidence sequence at every alpha: for a run that is looked at again with more
    games.
    """
    family = estimator.family

    def bounds(alpha: float) -> Bounds:
        return estimator.bounds(fixed_alpha(estimator.games, alpha, family, best_at))

    return replace(estimator, bounds=bounds, method=f"{METHOD} of {estimator.method}")


def spent(alpha: float, look: int) -> float:
    """The part of alpha that the look of this number (from 1) at the same claims spends: alpha / (look (look + 1)).

    All looks, however many, spend alpha together, whatever they share (Bonferroni).
    """
    return alpha / (look * (look + 1))


def looks(most: int, period: int, first: int = FIRST_LOOK) -> Iterator[int]:
    """Numbers of games at which a run looks at itself: each a tenth more than the last one, and finally `most`.

    They are multiples of `period` (games between two blocks of detail games) where that is short, of 64 else; they do
    not depend on `most`.
    """
    unit = period if period <= first else 64
    games = -(-first // unit) * unit
    while games < most:
        yield games
        games = max(-(-games * GROWTH[0] // GROWTH[1] // unit) * unit, games + unit)
    yield most


@dataclass(frozen=True)
class Precision:
    """How precise a metric is wanted: the half-width of its interval at most `half_width`, relative to the value or
    in the unit of the metric.
    """

    metric: str
    half_width: float
    relative: bool

    @classmethod
    def read(cls, text: str, known: Collection[str], events: Mapping[str, str], option: str = "--until") -> Precision:
        """From "METRIC:5%" or "METRIC:0.001"; the name of one of the game's `events` stands for its metric. Raises
        ConfigError.
        """
        name, colon, width = (part.strip() for part in text.rpartition(":"))
        if not colon:
            raise ConfigError(f'"{text}" says no precision', file=option, key=text, value=text, expected=EXAMPLE)
        metric = known_metric(name, known, events, option)
        relative = width.endswith("%")
        try:
            number = float(width.removesuffix("%")) / (100 if relative else 1)
        except ValueError:
            number = math.nan
        if not (math.isfinite(number) and number > 0):
            raise ConfigError(
                f'"{width}" is no precision of {metric}', file=option, key=metric, value=width, expected=EXAMPLE
            )
        return cls(metric, number, relative)

    def width(self, estimate: Estimate) -> float:
        """The wider half of an interval, as the precision is stated; infinite for what is undefined, and relative to
        a value of 0 (never seen).
        """
        half = max(estimate.high - estimate.value, estimate.value - estimate.low)
        if self.relative:
            half = half / abs(estimate.value) if estimate.value else math.inf
        return math.inf if math.isnan(half) else half

    def reached(self, estimate: Estimate) -> bool:
        """Whether the interval is as narrow as wanted."""
        return self.width(estimate) <= self.half_width

    def shown(self, width: float) -> str:
        """A half-width as it is stated: "4.9 %" or "0.00102"."""
        if not math.isfinite(width):
            return "unknown"
        return f"{100 * width:.3g} %" if self.relative else f"{width:.3g}"

    def __str__(self) -> str:
        return (
            f"{self.metric}:{100 * self.half_width:.10g}%" if self.relative else f"{self.metric}:{self.half_width:.10g}"
        )


def known_metric(name: str, known: Collection[str], events: Mapping[str, str], option: str) -> str:
    """A metric's name, or that of an event (which has a metric of its own). Raises ConfigError."""
    metric = name if name in known else events.get(name, name)
    if metric in known:
        return metric
    raise ConfigError(
        f'"{name}" is not a metric of this configuration',
        file=option,
        key=name,
        value=name,
        expected="a metric that `numbluff check --list-metrics` shows, or an event's name",
        nearest=nearest_name(name, [*events, *known]),
    )


def games_until(now: float, half: float, asked: float, alpha: float = ALPHA, family: int = 1) -> float:
    """Games at which a half-width of the sequence, `half` after `now` games, is down to `asked`: errors fall with
    the square root of the games.
    """
    if half <= asked:
        return now
    if not math.isfinite(half):
        return math.inf
    error = half / boundary(now, alpha / family) * math.sqrt(now)
    return games_of_sequence(error, asked, alpha, family)


def games_of_sequence(error: float, asked: float, alpha: float = ALPHA, family: int = 1) -> float:
    """Games at which the sequence of a metric whose standard error is `error` after one game has the half-width
    `asked`, at least 1.

    Infinite where `asked` is so small that no run ever has them.
    """
    from scipy import optimize

    if error / LEAST_RATIO >= asked:
        return math.inf

    def excess(log_games: float) -> float:
        games = math.exp(log_games)
        return math.log(error / asked) + math.log(boundary(games, alpha / family)) - log_games / 2

    upper = next(10.0**k for k in count(1) if excess(math.log(10.0**k)) < 0)
    return math.exp(optimize.brentq(excess, 0.0, math.log(upper))) if excess(0.0) > 0 else 1.0


def games_of_fixed(error: float, asked: float, alpha: float = ALPHA, family: int = 1) -> float:
    """Games at which the fixed interval of a metric whose standard error is `error` after one game has the half-width
    `asked`.

    Infinite where `asked` is so small that no run ever has them.
    """
    if error / LEAST_RATIO >= asked:
        return math.inf
    return (NormalDist().inv_cdf(1 - alpha / family / 2) * error / asked) ** 2
