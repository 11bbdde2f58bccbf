"""Targets: what a designer wants of a game's metrics, how far a configuration is from that, and whether it can be said
to be there.

A target is a range of one metric. The distance of a configuration from it is 0 inside the range; outside it is

    weight x (distance of the value to the nearer end of the range) / scale

where the scale is, unless the file states one, the width of the range (with `within`: that half-width; with one end
alone: the size of that end, or 1 for an end at 0). The total distance is the root of the sum of squares. By interval a
target is met when the whole interval lies inside the range, missed when it lies outside, and open otherwise.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Self

from pydantic import Field, ValidationError, model_validator

from numbluff_sim.analysis.metrics.personas import expected_metric
from numbluff_sim.analysis.statistics.estimates import UNKNOWN, Estimate, Estimator
from numbluff_sim.analysis.statistics.verdicts import SETTLE_POWER, Margin, Status, games_needed, like, status_at
from numbluff_sim.config import Section
from numbluff_sim.config.merge import Layers
from numbluff_sim.config.messages import refusal
from numbluff_sim.encoding import finite
from numbluff_sim.errors import ConfigError, nearest_name

#: The key of a file under which its targets stand.
TABLE = "targets"
EXAMPLE = (
    "frappe_parfaite_per_round = { low = 0.015, high = 0.02 }, pot_after_mean = { value = 30, within = 2 } or { "
    "high = 10 }"
)


class TargetStatus(StrEnum):
    """What the interval of a metric says of its target."""

    MET = "met"  # the whole interval lies inside the range
    MISSED = "missed"  # the whole interval lies outside
    OPEN = "open"  # it lies across an end, or there is none


STATUS_OF = {
    Status.HOLDS: TargetStatus.MET,
    Status.DIFFERS: TargetStatus.MISSED,
    Status.INCONCLUSIVE: TargetStatus.OPEN,
}


class Target(Section):
    """One target: `low`, `high` or both (ends included), or `value` with the half-width `within`, in the unit of the
    metric (shares from 0 to 1).

    `weight`: how much a miss counts; `scale`: the distance from the range that counts as 1 (see the module).
    """

    low: float | None = None
    high: float | None = None
    value: float | None = None
    within: float | None = Field(None, gt=0, lt=10**9)
    weight: float = Field(1.0, gt=0, lt=10**9)
    scale: float | None = Field(None, gt=0, lt=10**9)

    @model_validator(mode="after")
    def _a_range(self) -> Self:
        ends = self.low is not None or self.high is not None
        if ends and (self.value is not None or self.within is not None):
            raise ConfigError(
                "value and within stand beside low or high",
                key="value",
                expected="a range (low, high or both) or a value with within",
            )
        if not ends and (self.value is None or self.within is None):
            raise ConfigError(
                f"{'within' if self.value is not None else 'a range'} is missing",
                key="within" if self.value is not None else "low",
                expected=EXAMPLE,
            )
        if self.low is not None and self.high is not None and self.low >= self.high:
            raise ConfigError(
                f"no interval fits between low = {self.low:g} and high = {self.high:g}",
                key="low",
                value=self.low,
                expected="low below high",
            )
        return self

    @property
    def range(self) -> Margin:
        """The values that meet the target."""
        if self.value is not None and self.within is not None:
            return Margin(self.value - self.within, self.value + self.within)
        return Margin(-math.inf if self.low is None else self.low, math.inf if self.high is None else self.high)

    @property
    def unit(self) -> float:
        """The distance from the range that counts as 1."""
        if self.scale is not None:
            return self.scale
        if self.within is not None:
            return self.within
        if self.low is not None and self.high is not None:
            return self.high - self.low
        return abs(self.low if self.low is not None else self.high or 0.0) or 1.0

    def distance(self, value: float) -> float:
        """0 inside the range, else the weighted distance to its nearer end over the scale; infinite for an undefined
        value.
        """
        if math.isnan(value):
            return math.inf
        return self.weight * max(self.range.low - value, value - self.range.high, 0.0) / self.unit


@dataclass(frozen=True)
class Distance:
    """How far a configuration is from each target, and in all (root of the sum of squares)."""

    parts: Mapping[str, float]

    @property
    def total(self) -> float:
        """The root of the sum of squares; 0 when every value lies inside its range."""
        return math.hypot(*self.parts.values())


@dataclass(frozen=True)
class Judged:
    """A target and what was measured: the estimate has the interval that decides, at `1 - estimate.level`."""

    metric: str
    target: Target
    estimate: Estimate
    distance: float
    status: TargetStatus

    def to_json(self) -> dict[str, Any]:
        """JSON-able."""
        return {
            "metric": self.metric,
            "low": finite(self.target.range.low),
            "high": finite(self.target.range.high),
            "weight": self.target.weight,
            "scale": self.target.unit,
            "measured": self.estimate.to_json(),
            "distance": finite(self.distance),
            "status": str(self.status),
        }


@dataclass(frozen=True)
class Judgement:
    """A configuration against all targets."""

    targets: tuple[Judged, ...]

    @property
    def distance(self) -> float:
        """The total distance."""
        return Distance({judged.metric: judged.distance for judged in self.targets}).total

    @property
    def met_by_value(self) -> bool:
        """Whether every measured value lies inside its range."""
        return self.distance == 0

    @property
    def status(self) -> TargetStatus:
        """Met when every target is met by interval, missed when one is missed, else open."""
        states = {judged.status for judged in self.targets}
        return (
            TargetStatus.MET
            if states == {TargetStatus.MET}
            else TargetStatus.MISSED
            if TargetStatus.MISSED in states
            else TargetStatus.OPEN
        )

    @property
    def games_to_decide(self) -> int | None:
        """Games of the configuration that would decide all open targets, if the measured values are the true ones; None
        where that cannot be said.
        """
        wanted = [
            games_needed(like(one.estimate), one.target.range, one.estimate.alpha, SETTLE_POWER)
            for one in self.targets
            if one.status is TargetStatus.OPEN
        ]
        known = [games for games in wanted if games is not None]
        return max(known) if known and len(known) == len(wanted) else None


@dataclass(frozen=True)
class Targets:
    """The targets of a file, by metric, in its order. `alpha`: the chance that any statement "met" or "missed" is
    wrong (see `judge`).
    """

    by_metric: Mapping[str, Target]
    alpha: float = 0.05

    @property
    def metrics(self) -> tuple[str, ...]:
        """The names of the metrics that have a target."""
        return tuple(self.by_metric)

    def distance(self, measured: Mapping[str, float | Estimator | Estimate]) -> Distance:
        """The distance of measured values (or estimates); an unmeasured metric is infinitely far."""

        def value(metric: str) -> float:
            found = measured.get(metric, math.nan)
            return float(found) if isinstance(found, int | float) else found.value

        return Distance({metric: target.distance(value(metric)) for metric, target in self.by_metric.items()})

    def judge(self, measured: Mapping[str, Estimator], configurations: int = 1) -> Judgement:
        """Each target by interval, at alpha over the number of targets and of `configurations` judged alike
        (Bonferroni).

        So the chance that any of all these statements is wrong is alpha at most, also for the best one chosen among
        them.
        """
        each = self.alpha / (len(self.by_metric) * configurations)
        return Judgement(
            tuple(
                _judged(metric, target, measured.get(metric) or unmeasured(metric), each)
                for metric, target in self.by_metric.items()
            )
        )

    def to_json(self) -> dict[str, Any]:
        """JSON-able: what a file says."""
        return {metric: target.model_dump(exclude_none=True) for metric, target in self.by_metric.items()}


def unmeasured(metric: str) -> Estimator:
    """What stands for a metric that a configuration does not have, such as that of a sixth seat at a table of four."""
    return Estimator(metric, math.nan, 0, "games", "not measured", "points", 0, lambda _: UNKNOWN)


def _judged(metric: str, target: Target, estimator: Estimator, alpha: float) -> Judged:
    return Judged(
        metric, target, estimator.at(alpha), target.distance(estimator.value), target_status(target, estimator, alpha)
    )


def target_status(target: Target, estimator: Estimator, alpha: float) -> TargetStatus:
    """What the 1 - alpha interval says of a target."""
    return TargetStatus.OPEN if math.isnan(estimator.value) else STATUS_OF[status_at(estimator, target.range, alpha)]


class _Table(Section):
    targets: dict[str, Target]


def read_targets(
    data: Mapping[str, Any], known: Mapping[str, Estimator], origin: str, *, alpha: float = 0.05
) -> Targets:
    """The targets of the table [targets]: `data` maps metrics to ranges, `known` are the metrics of the base
    configuration by name.

    Raises ConfigError naming `origin`, the metric and the nearest one that exists, and for ranges that are empty or
    hold no possible value.
    """
    for metric in data:
        if metric not in known:
            raise ConfigError(
                f'"{metric}" is not a metric',
                file=origin,
                key=f"{TABLE}.{metric}",
                value=metric,
                expected=expected_metric(known),
                nearest=nearest_name(metric, known),
            )
    layers = Layers({})
    layers.add({TABLE: dict(data)}, origin)
    try:
        targets = {
            metric: _target(metric, raw, known[metric].unit, origin) for metric, raw in _checked(layers, origin).items()
        }
    except ValidationError as error:
        raise refusal(error, _Table, layers, origin) from None
    return Targets(targets, alpha)


def _checked(layers: Layers, origin: str) -> Mapping[str, Any]:
    found = layers.data[TABLE]
    for metric, raw in found.items():
        if not isinstance(raw, dict):
            raise ConfigError(
                f"{TABLE}.{metric} = {raw} is no range",
                file=origin,
                key=f"{TABLE}.{metric}",
                value=raw,
                expected=EXAMPLE,
            )
        try:
            _Table.model_validate({TABLE: {metric: raw}})
        except ConfigError as error:
            raise ConfigError(
                f"{TABLE}.{metric}: {error.problem}",
                file=origin,
                key=f"{TABLE}.{metric}.{error.key}",
                value=error.value,
                expected=error.expected,
            ) from None
    return _Table.model_validate({TABLE: found}).targets


def _target(metric: str, target: Target, unit: str, origin: str) -> Target:
    if unit == "share" and (target.range.low > 1 or target.range.high < 0):
        shown = target.range.low if math.isfinite(target.range.low) else target.range.high
        raise ConfigError(
            f"{TABLE}.{metric}: no share lies there",
            file=origin,
            key=f"{TABLE}.{metric}",
            value=shown,
            expected=f"shares from 0 to 1 (1.5 % is 0.015); the target begins or ends at {shown:g}",
        )
    return target


def pareto(distances: Sequence[float], changes: Sequence[int]) -> list[int]:
    """Indices of the points on the Pareto front: none has both fewer (or as many) changes and a smaller (or equal)
    distance, one of them strictly.

    In order of changes; of equal points the first stands for all.
    """
    front: list[int] = []
    for i in sorted(range(len(distances)), key=lambda i: (changes[i], distances[i], i)):
        if math.isfinite(distances[i]) and (not front or distances[i] < distances[front[-1]]):
            front.append(i)
    return front
