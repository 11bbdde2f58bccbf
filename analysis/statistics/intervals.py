"""Interval methods, each a factory of an `Estimator`. scipy and statsmodels do the mathematics.

Proportions: Wilson, or Clopper-Pearson for rare events (fewer than RARE hits or misses) and for gates. Where the trials
are rounds of the same games, hits and trials are first divided by the measured design effect (variance between games
over that of independent trials).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cache, lru_cache, partial
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from numbluff_sim.analysis.statistics.clusters import ValueWithError
from numbluff_sim.analysis.statistics.estimates import UNKNOWN, Bounds, Estimator
from numbluff_sim.analysis.statistics.skewed import contrast, gamma

#: Below this many hits or misses Wilson's interval is replaced by Clopper and Pearson's.
RARE = 50


def proportion(
    name: str,
    hits: float,
    trials: float,
    *,
    denominator: str,
    games: int,
    design_effect: float = 1.0,
    gate: bool = False,
    unit: str = "share",
) -> Estimator:
    """A share of independent trials, or of clustered ones with their design effect (values below 1 count as 1, nan
    as unmeasured: 1).

    gate: always an exact interval (Clopper-Pearson), for what a verdict hangs on; else Wilson's where both kinds are
    frequent.
    """
    effect = design_effect if design_effect > 1 else 1.0
    exact = gate or min(hits, trials - hits) < RARE
    method = "Clopper-Pearson" if exact else "Wilson"
    if effect > 1:
        method += f" on n / {effect:.3g} (design effect)"

    def bounds(alpha: float) -> Bounds:
        low, high = (clopper_pearson if exact else wilson)(hits / effect, trials / effect, alpha)
        return min(low, hits / trials), max(high, hits / trials)  # Wilson at 0 and 1 misses by a rounding error

    return Estimator(name, hits / trials if trials else math.nan, trials, denominator, method, unit, games, bounds)


def clopper_pearson(hits: float, trials: float, alpha: float) -> Bounds:
    """Exact binomial bounds (Clopper and Pearson 1934), each end missed with at most alpha / 2. Hits may be
    fractions.
    """
    if hits in (0, trials):  # in closed form: most runs need no more, and SciPy takes a tenth of a second to load
        beyond = -math.expm1(math.log(alpha / 2) / trials) if trials else 1.0
        return (0.0, beyond) if hits == 0 else (1.0 - beyond, 1.0)
    from scipy.special import betainccinv, betaincinv  # scipy.stats and statsmodels take a second

    return float(betaincinv(hits, trials - hits + 1, alpha / 2)), float(betainccinv(hits + 1, trials - hits, alpha / 2))


def wilson(hits: float, trials: float, alpha: float) -> Bounds:
    """The score interval of a binomial proportion (Wilson 1927)."""
    z2 = NormalDist().inv_cdf(alpha / 2) ** 2
    share = hits / trials
    half = math.sqrt(z2 * (share * (1 - share) / trials + z2 / (4 * trials**2)))
    middle, scale = share + z2 / (2 * trials), 1 + z2 / trials
    return (middle - half) / scale, (middle + half) / scale


def binomial_design_effect(rate: ValueWithError, trials: float) -> float:
    """Variance of the rate between games over that of independent trials; nan where none or all were hits."""
    independent = rate.value * (1 - rate.value) / trials if trials else math.nan
    return rate.error**2 / independent if independent and independent > 0 else math.nan


def mean(
    name: str,
    measured: ValueWithError,
    *,
    n: float,
    denominator: str,
    games: int,
    unit: str,
    within: Bounds = (0.0, math.inf),
    method: str = "ratio estimator, errors clustered by game, Student t",
) -> Estimator:
    """A mean or ratio of per-game sums.

    When all games are alike the spread is unmeasured, not zero: then at most the Clopper-Pearson upper bound for 0 of
    `games` games differ, by no more than the distance to the ends of `within` (the least and most one game can hold, in
    the unit of the value).

    Rare counts (a value above the floor 0, or below the ceiling, by fewer than sqrt(RARE) errors: fewer than RARE
    affected games, or few large ones) are skew: they have the gamma interval, exact for Poisson counts (`gamma`).
    """
    value, error, (floor, ceiling) = measured.value, measured.error, within
    alike = games > 1 and error == 0
    rare = math.isfinite(error) and error > 0
    few, many = (
        rare and 0 < distance < math.sqrt(RARE) * error for distance in (value if floor == 0 else 0.0, ceiling - value)
    )
    if games < 2 or math.isnan(error):
        method = "nothing to measure the spread with: no interval"

    def bounds(alpha: float) -> Bounds:
        if games < 2 or math.isnan(error):
            return UNKNOWN
        if alike:
            others = clopper_pearson(0, games, alpha)[1]
            return value - others * (value - floor), value + others * (ceiling - value)
        from scipy.special import stdtrit

        half = -float(stdtrit(min(games - 1, measured.df), alpha / 2)) * error
        if few or many:
            wider = half / -NormalDist().inv_cdf(alpha / 2)  # the error, for what is not known of it
            ends = gamma(value if few else ceiling - value, wider, alpha)
            return (ends[0], min(ends[1], ceiling)) if few else (max(ceiling - ends[1], floor), ceiling - ends[0])
        return max(value - half, floor), min(value + half, ceiling)

    if few or many:
        method = "gamma, exact for rare counts (errors clustered by game)"
    if alike:
        method = "all games alike; Clopper-Pearson for the share of games that are not"
    return Estimator(name, value, n, denominator, method, unit, games, bounds)


def inverse(name: str, rate: Estimator, *, unit: str) -> Estimator:
    """1 / rate with the ends of its interval inverted: "1 game in so many". Infinite at a rate of 0 (an unbounded
    upper end).
    """

    def invert(x: float) -> float:
        return 1 / x if x > 0 else math.inf

    def bounds(alpha: float) -> Bounds:
        low, high = rate.bounds(alpha)
        return invert(high), invert(low)

    value = math.nan if math.isnan(rate.value) else invert(rate.value)
    return Estimator(
        name, value, rate.n, rate.denominator, f"{rate.method}, inverted", unit, rate.games, bounds, family=rate.family
    )


def difference(name: str, first: Estimator, second: Estimator) -> Estimator:
    """first - second from the box of their two intervals at alpha / 2: valid under any dependence, of one run or of
    two.
    """

    def bounds(alpha: float) -> Bounds:
        a, b = first.bounds(alpha / 2), second.bounds(alpha / 2)
        return a[0] - b[1], a[1] - b[0]

    return Estimator(
        name,
        first.value - second.value,
        min(first.n, second.n),
        first.denominator,
        f"difference of two intervals at alpha / 2 ({first.method})",
        first.unit,
        min(first.games, second.games),
        bounds,
        smooth=first.smooth and second.smooth,
        family=2 * max(first.family, second.family),
    )


def quantile(
    name: str,
    counts: NDArray[np.integer],
    q: float,
    *,
    denominator: str,
    games: int,
    unit: str,
    width: float = 1.0,
    design_effect: float = 1.0,
) -> Estimator:
    """The q-quantile of a histogram (bin i holds i*width .. (i+1)*width - 1, in `unit`), distribution-free.

    counts: int64 (bins,).

    The interval is that between two order statistics whose ranks are binomial quantiles, at n over the design effect;
    its ends are the outer ends of the bins they fall in. The value is the middle of its bin.
    """
    cumulative = np.cumsum(counts)
    total = float(cumulative[-1])

    def bin_of(probability: float) -> int:
        return min(int(np.searchsorted(cumulative, (probability - 1e-12) * total)), len(counts) - 1)

    effective = math.floor(max(total / max(design_effect, 1.0), 1.0))

    def bounds(alpha: float) -> Bounds:
        low_rank, high_rank = order_ranks(effective, q, alpha)
        highest = len(counts) * width - 1
        low = 0.0 if low_rank < 1 else bin_of(low_rank / effective) * width
        high = highest if high_rank > effective else (bin_of(high_rank / effective) + 1) * width - 1
        return low, high

    value = bin_of(q) * width + (width - 1) / 2 if total else math.nan
    return Estimator(
        name,
        value,
        total,
        denominator,
        "order statistics (binomial)" + (f", n / {design_effect:.3g}" if design_effect > 1 else ""),
        unit,
        games,
        bounds,
        smooth=False,
    )


@lru_cache(4096)
def order_ranks(n: int, q: float, alpha: float) -> Bounds:
    """Ranks r, s with P(X_(r) <= x_q <= X_(s)) >= 1 - alpha in a sample of n: r = B(alpha / 2), s = B(1 - alpha / 2) +
    1, B the quantile of Binomial(n, q). Runs of as many games ask for the same ones again and again.
    """
    from scipy import stats

    return float(stats.binom.ppf(alpha / 2, n, q)), float(stats.binom.isf(alpha / 2, n, q)) + 1


def shares(
    names: Sequence[str],
    counts: Sequence[float] | NDArray[np.integer],
    *,
    denominator: str,
    games: int,
    design_effect: float = 1.0,
) -> list[Estimator]:
    """Shares of a whole with simultaneous intervals (Goodman 1965), counts over the design effect."""
    values = np.asarray(counts, dtype=np.float64)
    total = float(values.sum())
    effect = max(design_effect, 1.0)
    method = f"Goodman, simultaneous for {len(values)}" + (f", n / {effect:.3g}" if effect > 1 else "")

    @cache
    def all_bounds(alpha: float) -> list[list[float]]:
        from statsmodels.stats.proportion import multinomial_proportions_confint

        smallest = 1e-14 * len(values)  # it takes quantiles at 1 - alpha / k, which is 1 below
        found: NDArray[np.float64] = multinomial_proportions_confint(
            values / effect, alpha=max(alpha, smallest), method="goodman"
        )
        return found.tolist()  # type: ignore[no-any-return]

    def bounds_of(i: int, alpha: float) -> Bounds:
        low, high = all_bounds(alpha)[i]
        return low, high

    return [
        Estimator(
            name,
            float(values[i]) / total if total else math.nan,
            total,
            denominator,
            method,
            "share",
            games,
            partial(bounds_of, i),
            family=len(values),
        )
        for i, name in enumerate(names)
    ]


def histogram_mean(
    name: str,
    counts: NDArray[np.integer],
    *,
    denominator: str,
    games: int,
    unit: str,
    width: float = 1.0,
    design_effect: float = 1.0,
) -> Estimator:
    """Mean of a histogram's bin middles; with bins wider than 1 it is right to (width - 1) / 2, which the interval
    includes.

    counts: int64 (bins,); width in `unit`.
    """
    held = np.flatnonzero(counts)  # few of many bins
    weights = counts[held].astype(np.float64)
    total = float(weights.sum())
    middles = held * width + (width - 1) / 2
    if not total:
        return mean(name, ValueWithError(math.nan, math.nan), n=0, denominator=denominator, games=games, unit=unit)
    value = float(weights @ middles) / total
    effective = total / max(design_effect, 1.0)
    error = math.sqrt(float(weights @ (middles - value) ** 2) / total / max(effective - 1, 1))
    usual = int(np.argmax(counts))
    if width == 1 and 0 < (total - float(counts[usual])) / max(design_effect, 1.0) < RARE:
        return _around(name, counts, usual, effective, denominator=denominator, games=games, unit=unit)
    inner = mean(
        name,
        ValueWithError(value, error),
        n=total,
        denominator=denominator,
        games=min(games, math.floor(effective)),
        unit=unit,
        within=(0.0, len(counts) * width),
        method="mean of a histogram, Student t" + (f", n / {design_effect:.3g}" if design_effect > 1 else ""),
    )

    def bounds(alpha: float) -> Bounds:
        low, high = inner.bounds(alpha)
        return low - (width - 1) / 2, high + (width - 1) / 2

    return Estimator(
        name, value, total, denominator, inner.method, unit, games, bounds, smooth=width == 1
    )  # else bins hide what changes


def _around(
    name: str, counts: NDArray[np.integer], usual: int, effective: float, *, denominator: str, games: int, unit: str
) -> Estimator:
    """Mean of a histogram almost all of which is one value: that value, plus the mean excess, minus the mean shortfall,
    each with the bounds of a rare mean. What was seen on neither side is taken to deviate no more than the most seen.
    """
    total, apart = float(counts.sum()), np.arange(len(counts)) - usual
    most = float(np.abs(apart[counts > 0]).max())

    def side(sign: int) -> tuple[Estimator, float]:
        sizes = np.maximum(sign * apart, 0)
        share = float(counts @ sizes) / total
        error = math.sqrt(max(float(counts @ sizes**2) / total - share**2, 0.0) / max(effective - 1, 1))
        found = mean(
            name,
            ValueWithError(share, error),
            n=total,
            denominator=denominator,
            games=min(games, math.floor(effective)),
            unit=unit,
            within=(0.0, most),
        )
        return found, error

    (above, up), (below, down) = side(1), side(-1)
    moved = contrast(name, above, below, (up, down, math.hypot(up, down)))

    def bounds(alpha: float) -> Bounds:
        low, high = moved.bounds(alpha)
        return usual + low, usual + high

    return replace(moved, value=usual + moved.value, n=total, denominator=denominator, games=games, bounds=bounds)


def bounded_mean(
    name: str,
    value: float,
    highest: float,
    *,
    n: float,
    denominator: str,
    games: int,
    unit: str,
    design_effect: float = 1.0,
) -> Estimator:
    """A mean of numbers in 0..highest whose squares were not kept: the variance is at most value * (highest - value)
    (Bhatia and Davis).
    """
    error = math.sqrt(max(value * (highest - value), 0.0) * max(design_effect, 1.0) / n) if n else math.nan
    return mean(
        name,
        ValueWithError(value, error),
        n=n,
        denominator=denominator,
        games=games,
        unit=unit,
        within=(0.0, highest),
        method="normal, with the largest variance a mean of bounded numbers allows (Bhatia-Davis)",
    )
