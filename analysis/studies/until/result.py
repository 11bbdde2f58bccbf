"""When a run stops itself, and how it ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from numbluff_sim.analysis.statistics.estimates import ALPHA, Estimate, Estimator
from numbluff_sim.analysis.statistics.sequential import BEST_AT, FIRST_LOOK, Precision, games_until, sequential
from numbluff_sim.config import Config
from numbluff_sim.contract.registry import game


@dataclass(frozen=True)
class Rule:
    """When to stop: every precision reached, each with its own 1 - alpha sequence. `first`: games at the first look;
    `best_at`: see `tuning`.
    """

    precisions: tuple[Precision, ...]
    alpha: float = ALPHA
    first: int = FIRST_LOOK
    best_at: float = BEST_AT

    @classmethod
    def read(cls, texts: Sequence[str], config: Config, alpha: float = ALPHA) -> Rule:
        """The rule of --until options. Raises ConfigError."""
        entry = game(config.game)
        known = entry.metrics.known(config)
        return cls(tuple(dict.fromkeys(Precision.read(text, known, entry.events) for text in texts)), alpha)

    @property
    def metrics(self) -> list[str]:
        """The metrics that are looked at."""
        return list(dict.fromkeys(precision.metric for precision in self.precisions))

    def measured(self, games: int, estimators: Mapping[str, Estimator]) -> tuple[PrecisionSoFar, ...]:
        """The metrics looked at after so many games."""
        found = [estimators[precision.metric] for precision in self.precisions]
        return tuple(
            PrecisionSoFar(precision, sequential(estimator, games, self.alpha, self.best_at), games, estimator.family)
            for precision, estimator in zip(self.precisions, found, strict=True)
        )

    def to_json(self) -> dict[str, Any]:
        """JSON-able."""
        return {
            "precisions": [str(precision) for precision in self.precisions],
            "alpha": self.alpha,
            "method": "confidence sequence",
            "boundary_tightest_at_games": self.best_at,
        }


@dataclass(frozen=True)
class PrecisionSoFar:
    """A precision that was asked for, and what there is: the estimate with its sequential interval and how wide that
    is.
    """

    precision: Precision
    estimate: Estimate
    games: int
    family: int

    @property
    def width(self) -> float:
        """The wider half of the interval, as the precision is stated."""
        return self.precision.width(self.estimate)

    @property
    def reached(self) -> bool:
        """Whether the precision is reached."""
        return self.precision.reached(self.estimate)

    @property
    def games_needed(self) -> float:
        """Games at which it is likely to be reached, by the square-root law; infinite for a metric never seen."""
        return games_until(self.games, self.width, self.precision.half_width, 1 - self.estimate.level, self.family)

    def to_json(self) -> dict[str, Any]:
        """JSON-able."""
        return {
            "asked": str(self.precision),
            "half_width": self.precision.half_width,
            "relative": self.precision.relative,
            "reached": self.reached,
            **self.estimate.to_json(),
        }


@dataclass(frozen=True)
class Stopped:
    """How a run ended: games played, whether all precisions are reached, what was measured, the looks up to there."""

    games: int
    measured: tuple[PrecisionSoFar, ...]
    looks: tuple[int, ...]

    @property
    def reached(self) -> bool:
        """Whether the run stopped because it was precise enough."""
        return all(one.reached for one in self.measured)

    def to_json(self) -> dict[str, Any]:
        """JSON-able."""
        return {
            "reached": self.reached,
            "games": self.games,
            "looks": list(self.looks),
            "measured": [one.to_json() for one in self.measured],
        }
