"""What further measurement would tell configurations apart that agree on some rates: the metrics in which they differ
most, relative to intervals.

All intervals of all metrics of all configurations hold together (Bonferroni); two configurations are told apart by a
metric whose intervals do not touch. So the chance that two are told apart that have the same value is alpha at most.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from numbluff_sim.analysis.statistics.estimates import ALPHA, Estimate, Estimator
from numbluff_sim.analysis.statistics.verdicts import rounded_up
from numbluff_sim.encoding import as_json

Measured = Mapping[str, Estimator]
Pair = tuple[int, int]


@dataclass(frozen=True)
class Telling:
    """A metric that tells configurations apart: its estimate for each (simultaneous intervals), the pairs that it
    separates and no metric before it.

    `observed`: games of somebody else's play, with an interval of 95 % of their own, at which the values of every such
    pair could be told apart.
    """

    metric: str
    estimates: tuple[Estimate, ...]
    pairs: tuple[Pair, ...]
    observed: int


@dataclass(frozen=True)
class Apart:
    """The metrics worth measuring, the best first, and the groups of configurations that no metric separates."""

    metrics: tuple[Telling, ...]
    groups: tuple[tuple[int, ...], ...]
    alpha: float

    def to_json(self) -> dict[str, Any]:
        """JSON-able."""
        return {
            "alpha": self.alpha,
            "procedure": "simultaneous intervals (Bonferroni) that do not touch",
            "metrics": [
                {
                    "metric": one.metric,
                    "estimates": as_json(one.estimates),
                    "pairs": as_json(one.pairs),
                    "observed_games": one.observed,
                }
                for one in self.metrics
            ],
            "groups_that_no_metric_separates": [list(group) for group in self.groups],
        }


def tell_apart(measured: Sequence[Measured], alpha: float) -> Apart:
    """Choose metrics one after the other: the one that separates most of the pairs still together, and of these the
    one that does so best.
    """
    names = [name for name in measured[0] if all(name in one for one in measured)] if measured else []
    each = alpha / max(len(names) * len(measured), 1)
    estimates = {name: tuple(one[name].at(each) for one in measured) for name in names}
    ratios = {
        name: {pair: separation(found[pair[0]], found[pair[1]]) for pair in combinations(range(len(measured)), 2)}
        for name, found in estimates.items()
    }
    together = set(combinations(range(len(measured)), 2))
    chosen: list[Telling] = []
    while together:
        gains = {name: [pair for pair in sorted(together) if found[pair] > 1] for name, found in ratios.items()}
        best = max(
            names,
            key=lambda name: (len(gains[name]), min((ratios[name][pair] for pair in gains[name]), default=0.0)),
            default=None,
        )
        if best is None or not gains[best]:
            break
        together -= set(gains[best])
        chosen.append(
            Telling(best, estimates[best], tuple(gains[best]), _observed([one[best] for one in measured], gains[best]))
        )
    return Apart(tuple(chosen), _groups(len(measured), together), alpha)


def separation(first: Estimate, second: Estimate) -> float:
    """The difference over the sum of the half-widths that face each other: above 1 the intervals do not touch. 0
    where one is undefined.
    """
    low, high = (first, second) if first.value <= second.value else (second, first)
    if not all(math.isfinite(v) for v in (low.value, low.high, high.value, high.low)):
        return 0.0
    halves = (low.high - low.value) + (high.value - high.low)
    difference = high.value - low.value
    if halves <= 0:
        return math.inf if difference > 0 else 0.0
    return difference / halves


def _observed(estimators: Sequence[Estimator], pairs: Sequence[Pair]) -> int:
    """Half-widths fall with the root of the games: so many more are needed as the ratio falls short of 1, squared."""
    singles = [estimator.at(ALPHA) for estimator in estimators]
    needed = [max(singles[i].games, singles[j].games) / separation(singles[i], singles[j]) ** 2 for i, j in pairs]
    return rounded_up(max(needed))


def _groups(count: int, together: set[Pair]) -> tuple[tuple[int, ...], ...]:
    """Whatever hangs together by pairs that no metric separates."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    if not count:
        return ()
    rows, columns = ([pair[k] for pair in together] for k in (0, 1))
    labels = connected_components(
        coo_array((np.ones(len(rows)), (rows, columns)), shape=(count, count)), directed=False
    )[1]
    return tuple(tuple(int(i) for i in np.flatnonzero(labels == label)) for label in dict.fromkeys(labels.tolist()))


@dataclass(frozen=True)
class Silent:
    """A change that does not act on the given rates: the metric it moves most (None: no metric shows it), before and
    after.
    """

    ruling: str
    answer: str | bool
    metric: str | None
    before: Estimate | None
    after: Estimate | None


def loudest(ruling: str, answer: str | bool, before: Measured, after: Measured, alpha: float) -> Silent:
    """The metric whose simultaneous intervals before and after a change lie farthest apart, relative to their
    widths.
    """
    names = [name for name in before if name in after]
    each = alpha / max(2 * len(names), 1)
    pairs = {name: (before[name].at(each), after[name].at(each)) for name in names}
    best = max(names, key=lambda name: separation(*pairs[name]), default=None)
    if best is None or separation(*pairs[best]) <= 1:
        return Silent(ruling, answer, None, None, None)
    return Silent(ruling, answer, best, *pairs[best])
