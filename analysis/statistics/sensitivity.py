"""Sobol indices: which axis moves a metric, alone (first order) and with all it does together with others (total)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numbluff_sim.encoding import as_json

#: Level of the intervals, and bootstrap samples behind them.
LEVEL, RESAMPLES = 0.95, 1000
#: An interval of a share that is wider says little.
WIDE = 0.3
METHOD = "Saltelli (2010) first order, Jansen total, intervals from a bootstrap over the base samples (normal)"


@dataclass(frozen=True)
class Index:
    """A share of a metric's variance over the design, with its interval."""

    value: float
    low: float
    high: float

    @property
    def possible(self) -> Index:
        """The index and its interval cut to what a share can be, 0 to 1: estimates from few samples pass these ends."""
        return Index(*(min(max(number, 0.0), 1.0) for number in (self.value, self.low, self.high)))

    @property
    def width(self) -> float:
        """The width of the interval."""
        return self.high - self.low


@dataclass(frozen=True)
class Sensitivity:
    """The indices of one metric, an entry an axis.

    `spread`: the metric's standard deviation over the design; `noise`: the share of that variance which is the
    simulation's own error at most (each point's error as if the points were independent; they share their deals, so
    that less of it is seen). `samples`: base samples.
    """

    metric: str
    first: Mapping[str, Index]
    total: Mapping[str, Index]
    spread: float
    noise: float
    samples: int
    level: float = LEVEL
    method: str = METHOD

    @property
    def rough(self) -> bool:
        """Whether an interval is so wide that more base samples are needed."""
        return any(index.width > WIDE for indices in (self.first, self.total) for index in indices.values())

    def to_json(self) -> dict[str, Any]:
        """JSON-able."""
        found: dict[str, Any] = as_json(
            {
                "metric": self.metric,
                "spread": self.spread,
                "noise_share": self.noise,
                "samples": self.samples,
                "level": self.level,
                "method": self.method,
                "axes": {axis: {"first": self.first[axis], "total": self.total[axis]} for axis in self.first},
            }
        )
        return found


def sobol_indices(
    problem: Mapping[str, Any], metric: str, values: NDArray[np.float64], errors: NDArray[np.float64], seed: int
) -> Sensitivity | None:
    """The indices of a metric from its values at the samples of a Saltelli design and their standard errors.

    values and errors: float64 (samples * (axes + 2),), in the design's order; problem: the axes as SALib names them
    (`Design.problem`).
    None where a value is missing or none differs: then there is nothing to share out.
    """
    if not np.isfinite(values).all() or float(np.ptp(values)) == 0:
        return None
    from SALib.analyze import sobol

    found = sobol.analyze(
        dict(problem), values, calc_second_order=False, num_resamples=RESAMPLES, conf_level=LEVEL, seed=seed + 1
    )  # SALib takes 0 for none
    variance = float(np.var(values))

    def indices(kind: str) -> dict[str, Index]:
        ends = zip(problem["names"], found[kind], found[f"{kind}_conf"], strict=True)
        return {axis: Index(float(value), float(value - half), float(value + half)) for axis, value, half in ends}

    return Sensitivity(
        metric,
        indices("S1"),
        indices("ST"),
        math.sqrt(variance),
        float(np.mean(errors**2)) / variance,
        len(values) // (len(problem["names"]) + 2),
    )


def strongest(sensitivity: Sensitivity) -> Sequence[str]:
    """The axes, the one with the largest total index first."""
    return sorted(sensitivity.total, key=lambda axis: -sensitivity.total[axis].value)
