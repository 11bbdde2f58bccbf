"""A sweep as its page sees it: axes, points with their estimates, results, and how each key alone moves each metric."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from numbluff_sim.analysis.statistics.estimates import Estimate
from numbluff_sim.analysis.studies.question.points import Point
from numbluff_sim.analysis.studies.question.targets import Targets
from numbluff_sim.analysis.studies.sweep.result import Results

#: Metrics that get pictures: those with a target first.
PICTURED = 6


@dataclass(frozen=True)
class SweptAxis:
    """A key that was changed: the values that were played, in order, the base's own value, whether they are numbers."""

    key: str
    values: tuple[Any, ...]
    base: Any
    numeric: bool


@dataclass(frozen=True)
class ShownPoint:
    """A played point with its estimates; `distance` and `status` are those of its targets, where there are some."""

    point: Point
    estimates: Mapping[str, Estimate]
    distance: float | None = None
    status: str | None = None


@dataclass(frozen=True)
class KeyEffect:
    """What one value of one key does to a metric, all else as in the base."""

    key: str
    value: Any
    difference: Estimate


@dataclass(frozen=True)
class SweepData:
    """A sweep. `shown` is empty where the points are too many to draw; `effects` by metric, of points that differ from
    the base in one key.

    `check`: the command that confirms the best point with fresh deals; `best_file`: where its configuration stands;
    `seating`: who sits where in the base, seats from 0 by persona.
    """

    game: str
    base_name: str
    players: int
    design: str
    games: int
    seed: int
    count: int
    samples: int
    axes: tuple[SweptAxis, ...]
    metrics: tuple[str, ...]
    targets: Targets | None
    results: Results
    shown: Sequence[ShownPoint]
    effects: Mapping[str, Sequence[KeyEffect]]
    changes: Mapping[str, Any] = field(default_factory=dict)
    made_with: Mapping[str, str] = field(default_factory=dict)
    check: str = ""
    best_file: str = ""
    seating: Mapping[str, Sequence[int]] = field(default_factory=dict)

    @cached_property
    def base(self) -> dict[str, Any]:
        """The base's values of the axes."""
        return {axis.key: axis.base for axis in self.axes}

    @property
    def pictured(self) -> tuple[str, ...]:
        """The metrics that get pictures, those with a target first."""
        moving = [
            metric
            for metric in self.metrics
            if metric in self.results.lowest
            and self.results.lowest[metric][1].value < self.results.highest[metric][1].value
        ]
        wanted = self.targets.metrics if self.targets else ()
        return tuple(sorted(moving, key=lambda metric: metric not in wanted))[:PICTURED]

    def axis(self, key: str) -> SweptAxis:
        """The axis of a key."""
        return next(axis for axis in self.axes if axis.key == key)

    def slice(self, keys: Sequence[str]) -> list[ShownPoint]:
        """The points that agree with the base in all axes but `keys`."""
        return [
            one
            for one in self.shown
            if all(one.point.values[axis.key] == axis.base for axis in self.axes if axis.key not in keys)
        ]
