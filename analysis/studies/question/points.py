"""Points of a design or of a search: the values of the axes, and how they stand against the targets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from numbluff_sim.analysis.studies.question.targets import Judgement
from numbluff_sim.encoding import finite


@dataclass(frozen=True)
class Point:
    """A point of a design: its number (0: the base), the value of every axis by key, and how many of them differ
    from the base.
    """

    number: int
    values: Mapping[str, Any]
    changes: int


def changed(point: Mapping[str, Any], base: Mapping[str, Any]) -> dict[str, Any]:
    """The values that differ from the base."""
    return {key: value for key, value in point.items() if value != base[key]}


@dataclass(frozen=True)
class Reached:
    """A point against the targets. `step`: how far it goes from the base (see `designs.step_size`)."""

    point: Point
    digest: str
    judgement: Judgement
    step: float

    @property
    def order(self) -> tuple[int, float, float, int]:
        """Fewest changes first, then the smallest step, then the distance."""
        return self.point.changes, self.step, self.judgement.distance, self.point.number

    def to_json(self, base: Mapping[str, Any]) -> dict[str, Any]:
        """JSON-able; `base` are the base's values of the axes."""
        return {
            "point": self.point.number,
            "digest": self.digest,
            "changes": self.point.changes,
            "changed": changed(self.point.values, base),
            "values": dict(self.point.values),
            "step": self.step,
            "distance": finite(self.judgement.distance),
            "status": str(self.judgement.status),
            "met_by_value": self.judgement.met_by_value,
            "targets": [judged.to_json() for judged in self.judgement.targets],
        }
