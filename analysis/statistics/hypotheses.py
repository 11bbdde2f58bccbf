"""Tests of a hypothesis: equal means of seats, Holm's procedure over many."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from numbluff_sim.analysis.statistics.estimates import TestResult


def equal_means(
    name: str,
    hypothesis: str,
    means: NDArray[np.float64],
    cov: NDArray[np.float64],
    games: int,
    df: float = math.inf,
) -> TestResult:
    """Wald chi-square test that all means (K,) are equal, with their per-game covariance (K, K), float64.

    `df`: degrees of freedom of a covariance from fewer games; the statistic is then Hotelling's, its p-value from F.

    Shared wins and the dependence between seats are in the covariance; K - 1 differences to the last one are tested, so
    that a covariance that is singular because all shares add up to 1 does no harm. Nan when the games are too few or
    show no spread.
    """
    from scipy import stats

    seats = len(means)
    contrast = np.hstack([np.eye(seats - 1), -np.ones((seats - 1, 1))])
    differences = contrast @ means
    spread = contrast @ cov @ contrast.T
    method = f"Wald chi-square on {seats - 1} differences with their covariance between games"
    if games <= seats or not np.isfinite(spread).all() or np.linalg.matrix_rank(spread) < seats - 1:
        return TestResult(name, hypothesis, float("nan"), seats - 1, float("nan"), games, method)
    statistic = float(games * differences @ np.linalg.solve(spread, differences))
    if math.isfinite(df):
        rest = df - seats + 2
        p_value = float(stats.f.sf(statistic * rest / (df * (seats - 1)), seats - 1, rest)) if rest > 0 else math.nan
        return TestResult(name, hypothesis, statistic, seats - 1, p_value, games, f"{method}, Hotelling's F")
    return TestResult(name, hypothesis, statistic, seats - 1, float(stats.chi2.sf(statistic, seats - 1)), games, method)


def holm_levels(p_values: Sequence[float], alpha: float) -> list[float]:
    """The level at which Holm's procedure judges each hypothesis, at family error `alpha`.

    In order of p-value the k-th (from 0) of m is judged at alpha / (m - k), up to the first that fails; all later ones
    at that one's level. A hypothesis is rejected exactly if its p-value does not exceed its level.
    """
    levels = [0.0] * len(p_values)
    level, failed = alpha, False
    for k, i in enumerate(np.argsort(p_values, kind="stable")):
        if not failed:
            level = alpha / (len(p_values) - k)
            failed = p_values[i] > level
        levels[i] = level
    return levels
