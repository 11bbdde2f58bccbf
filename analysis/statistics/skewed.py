"""Intervals of skew means and of differences of them, where Student's would be wrong on one side.

Sources: M. P. Fay and E. J. Feuer, Confidence intervals for directly standardized rates, Statistics in Medicine 16
(1997), 791-801; G. Y. Zou and A. Donner, Construction of confidence limits about effect measures, Statistics in
Medicine 27 (2008), 1693-1702.
"""

from __future__ import annotations

import math

from numbluff_sim.analysis.statistics.estimates import Bounds, Estimator


def gamma(value: float, error: float, alpha: float) -> Bounds:
    """Bounds of a positive mean of rare or skew counts (Fay and Feuer 1997): as if k = (value / error)^2 events had
    been seen, each worth value / k, with Garwood's exact bounds of a Poisson mean.
    """
    from scipy.special import gammainccinv, gammaincinv

    events = (value / error) ** 2
    return (
        float(gammaincinv(events, alpha / 2)) * value / events,
        float(gammainccinv(events + 1, alpha / 2)) * value / events,
    )


def contrast(name: str, first: Estimator, second: Estimator, errors: tuple[float, float, float]) -> Estimator:
    """first - second of one run, whose standard errors are `errors`: of both and of the difference, with what the two
    share.

    The ends come from those of the two intervals (MOVER: Zou and Donner 2008): half-widths add as correlated errors do.
    Two symmetric intervals give the symmetric one of the difference; a skew one keeps its skewness.
    """
    a, b, both = errors
    shared = (a**2 + b**2 - both**2) / (2 * a * b) if a * b > 0 and math.isfinite(a * b) else 0.0

    def half(of_first: float, of_second: float) -> float:
        if math.isinf(of_first) or math.isinf(of_second):
            return math.inf
        return math.sqrt(max(of_first**2 + of_second**2 - 2 * shared * of_first * of_second, 0.0))

    def bounds(alpha: float) -> Bounds:
        (a_low, a_high), (b_low, b_high) = first.bounds(alpha), second.bounds(alpha)
        value = first.value - second.value
        return (
            value - half(first.value - a_low, b_high - second.value),
            value + half(a_high - first.value, second.value - b_low),
        )

    rarer = min(first, second, key=lambda one: one.n)
    return Estimator(
        name,
        first.value - second.value,
        rarer.n,
        rarer.denominator,
        f"from the two intervals and their correlation (MOVER); {rarer.method}",
        first.unit,
        min(first.games, second.games),
        bounds,
    )
