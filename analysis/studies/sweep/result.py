"""What a sweep has found: the points against the targets, the ends of every metric, refused points, Sobol indices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from numbluff_sim.analysis.statistics.estimates import Estimate
from numbluff_sim.analysis.statistics.sensitivity import Sensitivity
from numbluff_sim.analysis.studies.question.points import Point, Reached, changed
from numbluff_sim.analysis.studies.question.targets import TargetStatus, pareto

#: Refused points that results tell one by one.
MOST_REFUSED = 20


@dataclass
class Results:
    """What a sweep has found, gathered point by point in memory that does not grow with their number.

    `by_interval` and `by_value`: the smallest change that meets all targets; `lowest` and `highest`: the points with
    the ends of every metric.
    """

    points: int = 0
    refused: int = 0
    refusals: list[tuple[Point, str]] = field(default_factory=list)
    nearest: dict[int, Reached] = field(default_factory=dict)
    base: Reached | None = None
    by_interval: Reached | None = None
    by_value: Reached | None = None
    met_by_interval: int = 0
    met_by_value: int = 0
    lowest: dict[str, tuple[Point, Estimate]] = field(default_factory=dict)
    highest: dict[str, tuple[Point, Estimate]] = field(default_factory=dict)
    sensitivities: list[Sensitivity] = field(default_factory=list)

    @property
    def front(self) -> list[Reached]:
        """The Pareto front of distance against number of changes, in order of changes."""
        reached = list(self.nearest.values())
        return [reached[i] for i in pareto([r.judgement.distance for r in reached], [r.point.changes for r in reached])]

    @property
    def best(self) -> Reached | None:
        """The smallest change that meets all targets, by interval before by value alone; where none does the nearest
        point.
        """
        return self.by_interval or self.by_value or (self.front[-1] if self.nearest else None)

    def refuse(self, point: Point, reason: str) -> None:
        """A point that could not be played."""
        self.refused += 1
        if len(self.refusals) < MOST_REFUSED:
            self.refusals.append((point, reason))

    def see(self, point: Point, estimate: Estimate) -> None:
        """A metric of a point."""
        name = estimate.name
        if estimate.defined:
            if name not in self.lowest or estimate.value < self.lowest[name][1].value:
                self.lowest[name] = point, estimate
            if name not in self.highest or estimate.value > self.highest[name][1].value:
                self.highest[name] = point, estimate

    def take(self, reached: Reached) -> None:
        """A point that was judged."""
        changes = reached.point.changes
        if reached.point.number == 0:
            self.base = reached
        if changes not in self.nearest or reached.judgement.distance < self.nearest[changes].judgement.distance:
            self.nearest[changes] = reached
        if reached.judgement.met_by_value:
            self.met_by_value += 1
            self.by_value = min(filter(None, (self.by_value, reached)), key=lambda r: r.order)
        if reached.judgement.status is TargetStatus.MET:
            self.met_by_interval += 1
            self.by_interval = min(filter(None, (self.by_interval, reached)), key=lambda r: r.order)

    def to_json(self, base: Mapping[str, Any]) -> dict[str, Any]:
        """JSON-able; `base` are the base's values of the axes."""

        def told(reached: Reached | None) -> dict[str, Any] | None:
            return None if reached is None else reached.to_json(base)

        def end(found: tuple[Point, Estimate]) -> dict[str, Any]:
            return {"point": found[0].number, "changed": changed(found[0].values, base), **found[1].to_json()}

        ends = {
            metric: {"lowest": end(self.lowest[metric]), "highest": end(self.highest[metric])} for metric in self.lowest
        }
        judged = (
            {
                "base": told(self.base),
                "front": [told(reached) for reached in self.front],
                "smallest_change": {"by_interval": told(self.by_interval), "by_value": told(self.by_value)},
                "met": {"by_interval": self.met_by_interval, "by_value": self.met_by_value},
            }
            if self.base is not None
            else {}
        )
        refusals = [
            {"point": point.number, "changed": changed(point.values, base), "reason": reason}
            for point, reason in self.refusals
        ]
        return {
            "points": self.points,
            "refused": self.refused,
            "refusals": refusals,
            **judged,
            "metrics": ends,
            "sensitivities": [one.to_json() for one in self.sensitivities],
        }
