"""Paired differences: every metric of two configurations that played the same deals, with the error of the difference.

The games are cut into K groups of equal size, and every metric is computed once on all games and K times without one
group (the replicates, a matrix K x metrics). A metric is a smooth function of sums over independent games, so the
grouped jackknife gives the error of a difference, whatever the metric: with d the difference and d_(g) that without
group g, var(d) = (K - 1) / K * sum (d_(g) - mean)^2, and (d - true) / error is close to Student's t with K - 1 degrees
of freedom (Miller 1974; Shao and Tu 1995, chapter 2). What two configurations share - the deals - cancels in d_(g):
that is what pairing saves.

The jackknife is not used where it would say too little: quantiles and maxima, and differences that a few groups make
(rare events: a ratio whose denominator varies differs a little in every group and much in few). With e_g the deviation
of d_(g) from the mean, (sum e_g^2)^2 / sum e_g^4 is the number of effective groups - K where all deviate equally far,
about K / 3 where they are normal, m where m of them do all of it -, and fewer than ENOUGH of 64 (that share of fewer
groups) do not carry Student's t. There the difference has the box of the two configurations' own intervals at
alpha / 2, valid under any dependence.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from numbluff_sim.analysis.statistics.estimates import ALPHA, UNKNOWN, Bounds, Estimate, Estimator
from numbluff_sim.analysis.statistics.hypotheses import holm_levels
from numbluff_sim.analysis.statistics.intervals import difference
from numbluff_sim.encoding import HighEnd, LowEnd, Undefined

#: Groups that the games are cut into, and how many of them must be effective before their spread is believed (that
#: share of fewer groups). Of 64 normal groups fewer than 12 are in 3 of 1,000 samples.
GROUPS = 64
ENOUGH = 12
#: Chance that any effect of a comparison is called real and is not (Holm over all metrics of all variants).
FAMILY_ALPHA = 0.05
SAME_GAMES = "the same games: no difference is possible"
JACKKNIFE = "paired by deals, grouped jackknife"
#: p-values below this are not told apart.
SMALLEST_P = 1e-15
#: Replicates closer than this part of the value are the same but for rounding.
ROUNDING = 1e-12


@dataclass(frozen=True)
class Replicates:
    """The metrics of a run: `values` (M,) of all games, `without` (K, M) with one group of games left out, float64;
    nan where undefined.
    """

    names: tuple[str, ...]
    values: NDArray[np.float64]
    without: NDArray[np.float64]

    @property
    def groups(self) -> int:
        """K."""
        return len(self.without)

    def of(self, names: Sequence[str]) -> Replicates:
        """The same metrics in another order, or fewer of them."""
        index = [self.names.index(name) for name in names]
        return Replicates(tuple(names), self.values[index], self.without[:, index])

    def errors(self) -> NDArray[np.float64]:
        """The jackknife's standard error of every metric, (M,)."""
        return jackknife_error(self.without)


@dataclass(frozen=True)
class Side:
    """One of the two that are compared: replicates, estimators by name, and what says whether two sides played the
    same games.
    """

    replicates: Replicates
    estimators: Mapping[str, Estimator]
    identity: str


@dataclass(frozen=True)
class Effect:
    """What a variant does to one metric: variant minus base.

    `difference` has the interval at ALPHA of its own; `simultaneous` is that which holds for all metrics of all
    variants together (Bonferroni at FAMILY_ALPHA); `p_value` is that of no difference, `real` says that Holm rejects
    it. `standardised`: the difference over the standard deviation of the metric from game to game (of one game, base);
    `relative`: over the base's value. `saved`: how many times as many games two runs without common deals would need
    for the same error (nan where there is no jackknife error).
    """

    metric: str
    base: Estimate
    variant: Estimate
    difference: Estimate
    simultaneous: tuple[LowEnd, HighEnd]
    p_value: float
    real: bool
    standardised: Undefined
    saved: Undefined

    @property
    def relative(self) -> float:
        """The difference as a share of the base's value; nan where that is 0."""
        return self.difference.value / abs(self.base.value) if self.base.value else math.nan

    @property
    def largest(self) -> float:
        """No difference is larger than this (simultaneous)."""
        return max(abs(end) for end in self.simultaneous)


def jackknife_error(without: NDArray[np.float64]) -> NDArray[np.float64]:
    """Standard errors (M,) from leave-one-group-out values (K, M)."""
    groups = len(without)
    with np.errstate(invalid="ignore"):  # "one game in infinitely many" has no error
        return np.asarray(np.sqrt((groups - 1) / groups * ((without - without.mean(axis=0)) ** 2).sum(axis=0)))


def replicates(
    estimators: Callable[[Mapping[str, NDArray[np.int64]]], Mapping[str, Estimator]],
    total: Mapping[str, NDArray[np.int64]],
    groups: Sequence[Mapping[str, NDArray[np.int64]]],
) -> Replicates:
    """The replicates of a run from its tally and those of its groups; `estimators` makes metrics of a tally."""
    whole = estimators(total)
    names = tuple(whole)
    without = np.full((len(groups), len(names)), math.nan)
    for g, tally in enumerate(groups):
        found = estimators({name: cells - tally[name] for name, cells in total.items()})
        without[g] = [found[name].value if name in found else math.nan for name in names]
    return Replicates(names, np.array([estimator.value for estimator in whole.values()], np.float64), without)


def identical(base: Side, side: Side) -> bool:
    """Whether every metric is the same in all games and without any of the groups: no game differs, as far as
    metrics can tell.
    """
    a, b = base.replicates, side.replicates
    return (
        a.names == b.names
        and np.array_equal(a.values, b.values, equal_nan=True)
        and np.array_equal(a.without, b.without, equal_nan=True)
    )


def paired_effects(base: Side, variants: Sequence[Side]) -> list[list[Effect]]:
    """The effects of every variant, largest standardised effect first; Holm and the simultaneous intervals hold over
    all of them together.

    Metrics that only one side has, or that are undefined on a side, are left out.
    """
    found = [_differences(base, side) for side in variants]
    flat = [one for ones in found for one in ones]
    if not flat:
        return [[] for _ in variants]
    p_values = [one.p_value for one in flat]
    levels = holm_levels(p_values, FAMILY_ALPHA)
    effects = iter(
        [
            one.effect(p, p <= level and p < 1, FAMILY_ALPHA / len(flat))
            for one, p, level in zip(flat, p_values, levels, strict=True)
        ]
    )
    return [sorted((next(effects) for _ in ones), key=_order) for ones in found]


def paired_difference(base: Side, side: Side, metric: str) -> Estimator:
    """What a configuration changes in one metric, the base's subtracted: as in `paired_effects`, of it alone."""
    only = {metric}
    found = _differences(_of(base, only), _of(side, only))
    if not found:  # undefined on a side, such as a mean over rounds that there are none of
        return difference(metric, side.estimators[metric], base.estimators[metric])
    return found[0].difference


def _of(side: Side, names: set[str]) -> Side:
    kept = [name for name in side.replicates.names if name in names]
    return Side(side.replicates.of(kept), {name: side.estimators[name] for name in kept}, side.identity)


@dataclass(frozen=True)
class _Difference:
    base: Estimator
    variant: Estimator
    difference: Estimator
    p_value: float
    deviation: float  # of the metric, from game to game
    saved: float

    def effect(self, p_value: float, real: bool, alpha: float) -> Effect:
        size = (
            self.difference.value / self.deviation if self.deviation > 0 else math.nan if self.difference.value else 0.0
        )
        return Effect(
            self.base.name,
            self.base.at(),
            self.variant.at(),
            self.difference.at(ALPHA),
            self.difference.bounds(alpha),
            p_value,
            real,
            size,
            self.saved,
        )


def _differences(base: Side, side: Side) -> list[_Difference]:
    names = [
        name
        for name in base.replicates.names
        if name in side.replicates.names
        and math.isfinite(base.estimators[name].value)
        and math.isfinite(side.estimators[name].value)
    ]
    a, b = base.replicates.of(names), side.replicates.of(names)
    with np.errstate(invalid="ignore"):
        apart = b.without - a.without
    own, others, both = a.errors(), b.errors(), jackknife_error(apart)
    effective = effective_groups(apart, b.values - a.values)
    result = []
    for i, name in enumerate(names):
        first, second = base.estimators[name], side.estimators[name]
        deviation = _deviation(first, float(own[i]))
        if base.identity == side.identity:
            result.append(_Difference(first, second, _exact(first), 1.0, deviation, math.nan))
        elif first.smooth and effective[i] >= ENOUGH * a.groups / GROUPS:
            saved = float((own[i] ** 2 + others[i] ** 2) / both[i] ** 2)
            found = _jackknifed(first, second, float(both[i]), a.groups)
            result.append(
                _Difference(
                    first, second, found, student_p(found.value / float(both[i]), a.groups - 1), deviation, saved
                )
            )
        else:
            box = difference(name, second, first)
            result.append(_Difference(first, second, box, _p_value(box), deviation, math.nan))
    return result


def _deviation(estimator: Estimator, error: float) -> float:
    """Standard deviation from game to game: from the jackknife, or (quantiles) from the half-width of its own
    interval; nan where unknown.
    """
    if not estimator.smooth or not error > 0:
        low, high = estimator.bounds(ALPHA)
        error = (high - low) / 2 / NormalDist().inv_cdf(1 - ALPHA / 2)
    return error * math.sqrt(estimator.games) if math.isfinite(error) and error > 0 else math.nan


def _order(effect: Effect) -> tuple[bool, float]:
    return not effect.real, -abs(effect.standardised) if math.isfinite(effect.standardised) else 0.0


def effective_groups(without: NDArray[np.float64], whole: NDArray[np.float64]) -> NDArray[np.float64]:
    """By metric (M,) how many groups make the spread of the leave-one-group-out differences (K, M); `whole` (M,) are
    the differences themselves.

    0 where there is no spread beyond rounding, or one is undefined.
    """
    with np.errstate(invalid="ignore"):
        apart = without - without.mean(axis=0)
        apart[np.abs(apart) < np.maximum(np.abs(whole), 1.0) * ROUNDING] = 0.0
        squares = apart**2
        fourth = (squares**2).sum(axis=0)
        return np.where(fourth > 0, squares.sum(axis=0) ** 2 / np.where(fourth > 0, fourth, 1.0), 0.0)


def _jackknifed(first: Estimator, second: Estimator, error: float, groups: int) -> Estimator:
    value = second.value - first.value

    def bounds(alpha: float) -> Bounds:
        from scipy.special import stdtrit

        half = -float(stdtrit(groups - 1, alpha / 2)) * error
        return value - half, value + half

    return Estimator(
        first.name,
        value,
        min(first.games, second.games),
        "games",
        f"{JACKKNIFE} over {groups} groups, Student t",
        first.unit,
        min(first.games, second.games),
        bounds,
    )


def student_p(statistic: float, df: int) -> float:
    """Two-sided p-value of Student's t, at least SMALLEST_P."""
    from scipy.special import stdtr

    return max(2 * float(stdtr(df, -abs(statistic))), SMALLEST_P)


def grouped_mean(name: str, sums: NDArray[np.float64], games: NDArray[np.int64], unit: str) -> Estimator:
    """Mean a game of something whose sums (K,) over K groups of `games` (K,) games are known, such as a difference of
    the same games played twice: grouped jackknife, Student's t with K - 1 degrees of freedom.

    Where no group has a sum but 0, the mean is 0 without error; where too few have one to tell their spread
    (`effective_groups`, as for differences of metrics), or there is one group alone, the interval has no ends.
    """
    total, groups = int(games.sum()), len(games)
    value = float(sums.sum()) / total
    if not sums.any():
        return Estimator(name, 0.0, total, "games", SAME_GAMES, unit, total, lambda alpha: (0.0, 0.0))
    if groups < 2:
        return Estimator(name, value, total, "games", f"{JACKKNIFE} of one group", unit, total, lambda alpha: UNKNOWN)
    without = ((sums.sum() - sums) / (total - games))[:, None]
    error = float(jackknife_error(without)[0])
    told = effective_groups(without, np.array([value]))[0] >= ENOUGH * groups / GROUPS

    def bounds(alpha: float) -> Bounds:
        from scipy.special import stdtrit

        half = -float(stdtrit(groups - 1, alpha / 2)) * error if told else math.inf
        return value - half, value + half

    return Estimator(name, value, total, "games", f"{JACKKNIFE} over {groups} groups, Student t", unit, total, bounds)


def _exact(first: Estimator) -> Estimator:
    return Estimator(
        first.name, 0.0, first.games, "games", SAME_GAMES, first.unit, first.games, lambda alpha: (0.0, 0.0)
    )


def _p_value(estimator: Estimator) -> float:
    """The smallest alpha whose interval leaves out 0; 1 where even the FAMILY_ALPHA interval holds it, as Holm never
    asks for more.
    """
    from scipy import optimize

    def excluded(exponent: float) -> bool:
        low, high = estimator.bounds(10**exponent)
        return low > 0 or high < 0

    lowest, highest = math.log10(SMALLEST_P), math.log10(FAMILY_ALPHA)
    if not excluded(highest):
        return 1.0
    if excluded(lowest):
        return SMALLEST_P
    root = optimize.bisect(lambda x: 1.0 if excluded(x) else -1.0, lowest, highest, xtol=1e-3)
    return float(min(10 ** (root + 2e-3), FAMILY_ALPHA))
