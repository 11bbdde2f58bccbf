"""An estimate: a number with its interval, and what it was counted on.

`Estimator` knows its interval at any alpha; `Estimate` is one of these, ready to print. The unit of all statistics is
the game: rounds of one game depend on each other, and every method below (`analysis.statistics.intervals`) accounts for
it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from numbluff_sim.encoding import HighEnd, LowEnd, Undefined, as_json

Bounds = tuple[float, float]
#: Units of values that are written in percent: a share, and one share minus another (in percentage points).
SHARE, SHARE_DIFFERENCE = "share", "share difference"
UNKNOWN: Bounds = (-math.inf, math.inf)
#: Two-sided error chance of a single interval wherever no other is stated.
ALPHA = 0.05


def percent_scale(unit: str) -> int:
    """The factor with which values of a unit are written: 100 for shares and their differences."""
    return 100 if unit in (SHARE, SHARE_DIFFERENCE) else 1


@dataclass(frozen=True)
class Estimate:
    """A value with its two-sided interval.

    `level` = 1 - alpha; `n` counts `denominator` units ("rounds", "games", "player-rounds", ...) behind the value, out
    of `games` games; `unit` is that of the value ("share", "points", "rounds", ...). An undefined value is nan, an
    unbounded side infinite.
    """

    name: str
    value: Undefined
    low: LowEnd
    high: HighEnd
    level: float
    n: int
    denominator: str
    method: str
    unit: str
    games: int

    @property
    def alpha(self) -> float:
        """The two-sided error chance of the interval."""
        return 1 - self.level

    @property
    def defined(self) -> bool:
        """Whether anything was observed to estimate the value from."""
        return not math.isnan(self.value)

    def to_json(self) -> dict[str, object]:
        """JSON-able: what is not finite becomes None."""
        found: dict[str, object] = as_json(self)
        return found


@dataclass(frozen=True)
class Estimator:
    """A value whose interval can be asked for at any alpha: `bounds(alpha) -> (low, high)`, nested for falling alpha.

    `smooth`: the value is a smooth function of sums over games, so that its error can also be had from resampling them
    (not so quantiles, maxima). `family`: how many intervals `bounds` holds together by Bonferroni, each at alpha /
    family.
    """

    name: str
    value: float
    n: float
    denominator: str
    method: str
    unit: str
    games: int
    bounds: Callable[[float], Bounds]
    smooth: bool = True
    family: int = 1

    def at(self, alpha: float = ALPHA) -> Estimate:
        """The estimate with its two-sided 1 - alpha interval."""
        low, high = UNKNOWN if math.isnan(self.value) else self.bounds(alpha)
        return Estimate(
            self.name,
            float(self.value),
            float(low),
            float(high),
            1 - alpha,
            int(self.n),
            self.denominator,
            self.method,
            self.unit,
            self.games,
        )

    def one_of(self, count: int) -> Estimator:
        """The same as one of `count` simultaneous intervals: each at alpha / count (Bonferroni), valid under any
        dependence.
        """
        bounds = self.bounds
        method = f"{self.method}; simultaneous for {count} (Bonferroni)"
        return replace(self, bounds=lambda alpha: bounds(alpha / count), method=method, family=count * self.family)


@dataclass(frozen=True)
class TestResult:
    """A test of one hypothesis: its statistic, degrees of freedom and p-value."""

    __test__ = False  # not a test case, whatever pytest makes of the name
    name: str
    hypothesis: str
    statistic: float
    df: int
    p_value: float
    games: int
    method: str


def series(estimates: Mapping[str, Estimate], stem: str) -> list[Estimate]:
    """The estimates named `stem` with one whole number in place of `*` (or at the end), in the order of that number.

    series(m, "seat_*_win_share") and series(m, "pot_median_round") (= "pot_median_round_*").
    """
    pattern = re.compile(re.escape(stem if "*" in stem else f"{stem}_*").replace(r"\*", r"(\d+)"))
    found = [(int(match[1]), estimate) for name, estimate in estimates.items() if (match := pattern.fullmatch(name))]
    return [estimate for _, estimate in sorted(found, key=lambda pair: pair[0])]


def named(estimators: Iterable[Estimator]) -> dict[str, Estimator]:
    """By name, in order; a name given twice is a mistake."""
    result: dict[str, Estimator] = {}
    for estimator in estimators:
        if estimator.name in result:
            raise ValueError(f"two estimators are named {estimator.name}")
        result[estimator.name] = estimator
    return result
