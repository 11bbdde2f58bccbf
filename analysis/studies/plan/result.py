"""What was planned: games for precisions and for differences, and the pilots behind them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

from numbluff_sim.analysis.statistics.estimates import Estimate, Estimator
from numbluff_sim.analysis.statistics.sequential import Precision
from numbluff_sim.config import Config
from numbluff_sim.encoding import as_json


@dataclass(frozen=True)
class Pilot:
    """Games played to plan with: their metrics, and how fast they were played (games a second, on `threads` threads
    of this machine).
    """

    config: Config
    estimators: Mapping[str, Estimator]
    games: int
    seconds: float

    @property
    def games_per_second(self) -> float:
        """Speed of play."""
        return self.games / self.seconds

    def error(self, metric: str, alpha: float) -> float:
        """Standard error of a metric after one game, from the wider half of its interval; nan where it has none."""
        estimator = self.estimators[metric]
        estimate = estimator.at(alpha)
        half = Precision(metric, 1.0, relative=False).width(estimate)
        return (
            half / normal(1 - alpha / estimator.family / 2) * math.sqrt(self.games) if math.isfinite(half) else math.nan
        )

    def to_json(self) -> dict[str, Any]:
        """JSON-able."""
        return {
            "digest": self.config.digest(),
            "players": self.config.players,
            "games": self.games,
            "seed": self.config.run.seed,
            "threads": self.config.run.threads,
            "seconds": self.seconds,
            "games_per_second": self.games_per_second,
        }


def normal(probability: float) -> float:
    """Quantile of the normal distribution."""
    return NormalDist().inv_cdf(probability)


@dataclass(frozen=True)
class PrecisionPlan:
    """Games for a precision: of a run of fixed length, of one that stops itself (the look at which it likely does);
    None where none can be told.

    `at_least`: the numbers are lower bounds. `measured` is the pilot's estimate, its interval at the plan's alpha.
    """

    asked: str
    measured: Estimate
    fixed_games: int | None
    until_games: int | None
    fixed_seconds: float | None
    until_seconds: float | None
    at_least: bool
    note: str


@dataclass(frozen=True)
class DetectionPlan:
    """Games of each of two configurations that let a difference of `difference` (in the unit of the metric) be found
    with the chance `power`.

    `games` for this metric alone at alpha, `games_in_compare` where it is one of all metrics held together, as
    `numbluff compare` does; the seconds are those of both configurations. `saved`: how many times as many games it
    would take without common deals (None where not paired).
    """

    asked: str
    metric: str
    difference: float
    measured: Estimate
    paired: bool
    saved: float | None
    games: int | None
    games_in_compare: int | None
    seconds: float | None
    seconds_in_compare: float | None
    note: str


@dataclass(frozen=True)
class GamesPlan:
    """What was planned, and the pilots behind it (the second one of the variant)."""

    pilots: tuple[Pilot, ...]
    precisions: tuple[PrecisionPlan, ...]
    detections: tuple[DetectionPlan, ...]
    alpha: float
    power: float

    def to_json(self) -> dict[str, Any]:
        """JSON-able."""
        found: dict[str, Any] = as_json(
            {
                "alpha": self.alpha,
                "power": self.power,
                "pilots": [pilot.to_json() for pilot in self.pilots],
                "precisions": self.precisions,
                "detections": self.detections,
            }
        )
        return found
