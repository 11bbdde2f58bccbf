"""Designs: which values of the axes are played. Points are counted without being built, and built one by one."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numbluff_sim.analysis.studies.question.points import Point
from numbluff_sim.studies.question.axes import Axis


@dataclass(frozen=True)
class Design:
    """The base, then the points of a grid, of one axis at a time, or of a sobol design (`samples` base samples,
    `seed`); no point comes twice.
    """

    kind: str
    axes: tuple[Axis, ...]
    base: Mapping[str, Any]
    samples: int = 0
    seed: int = 1

    @property
    def count(self) -> int:
        """Number of points with the base. Of a sobol design at most so many: samples that fall on one point are one."""
        grid = math.prod(len(axis) for axis in self.axes)
        if self.kind == "one_at_a_time":
            return 1 + sum(len(axis) for axis in self.axes) - sum(self._has_base(axis) for axis in self.axes)
        if self.kind == "grid":
            return grid + (not all(self._has_base(axis) for axis in self.axes))
        drawn = self.samples * (len(self.axes) + 2)
        countable = all(axis.kind != "decimal" or axis.steps is not None for axis in self.axes)
        return 1 + (min(drawn, grid) if countable else drawn)

    @cached_property
    def total(self) -> int:
        """Number of points, exactly: those of a sobol design are gone through."""
        return sum(1 for _ in self.points()) if self.kind == "sobol" else self.count

    def points(self) -> Iterator[Point]:
        """The points in their order."""
        yield Point(0, dict(self.base), 0)
        number = 1
        for values in self._others():
            changes = sum(values[axis.key] != self.base[axis.key] for axis in self.axes)
            if changes:
                yield Point(number, values, changes)
                number += 1

    def _others(self) -> Iterator[dict[str, Any]]:
        keys = [axis.key for axis in self.axes]
        if self.kind == "one_at_a_time":
            for axis in self.axes:
                for value in axis.values():
                    yield {**self.base, axis.key: value}
        elif self.kind == "grid":
            for indices in _product([len(axis) for axis in self.axes]):
                yield {axis.key: axis.value(index) for axis, index in zip(self.axes, indices, strict=True)}
        else:
            seen: set[str] = set()
            for row in self.matrix:
                values = self._values(row)
                if (mark := _mark(values)) not in seen:
                    seen.add(mark)
                    yield dict(zip(keys, values, strict=True))

    @cached_property
    def matrix(self) -> NDArray[np.float64]:
        """The sobol sample (Saltelli): float64 (samples * (axes + 2), axes), places from 0 to 1 in every axis."""
        from SALib.sample import sobol

        drawn: NDArray[np.float64] = sobol.sample(
            self.problem, self.samples, calc_second_order=False, scramble=True, seed=self.seed
        )
        return drawn

    @property
    def problem(self) -> dict[str, Any]:
        """The axes as SALib names them, each from 0 to 1."""
        return {
            "num_vars": len(self.axes),
            "names": [axis.key for axis in self.axes],
            "bounds": [[0.0, 1.0]] * len(self.axes),
        }

    def rows(self, points: Sequence[Mapping[str, Any]]) -> NDArray[np.int64]:
        """For every sample of a sobol design, the place in `points` (values by axis) of its point.

        int64 (samples * (axes + 2),). Raises KeyError where `points` lacks one.
        """
        places = {_mark([values[axis.key] for axis in self.axes]): place for place, values in enumerate(points)}
        return np.array([places[_mark(self._values(row))] for row in self.matrix], np.int64)

    def _values(self, row: NDArray[np.float64]) -> list[Any]:
        return [axis.at(float(place)) for axis, place in zip(self.axes, row, strict=True)]

    def _has_base(self, axis: Axis) -> bool:
        value = self.base[axis.key]
        if axis.kind == "choice":
            return value in axis.choices
        if isinstance(value, bool) or not isinstance(value, int | float) or not axis.low <= value <= axis.high:
            return False
        if axis.kind == "whole":
            return (value - int(axis.low)) % axis.step == 0
        near = round((value - axis.low) / (axis.high - axis.low) * (len(axis) - 1))
        return bool(axis.value(near) == value)


def _mark(values: Sequence[Any]) -> str:
    """What equal values share: the base may say 1.0 where an axis says 1."""
    return repr([float(value) if isinstance(value, int) and not isinstance(value, bool) else value for value in values])


def _product(sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """All tuples of indices, the last one fastest, in memory of one tuple."""
    if not sizes:
        yield ()
        return
    for first in range(sizes[0]):
        for rest in _product(sizes[1:]):
            yield (first, *rest)


def step_size(point: Mapping[str, Any], base: Mapping[str, Any], axes: Sequence[Axis]) -> float:
    """How far a point goes from the base: each changed number by its share of the axis' width, each other change 1."""

    def of(axis: Axis) -> float:
        value, start = point[axis.key], base[axis.key]
        if value == start:
            return 0.0
        numbers = axis.choices if axis.kind == "choice" else (axis.low, axis.high)
        if not axis.numeric or isinstance(start, bool) or not isinstance(start, int | float):
            return 1.0
        width = float(max(*numbers, start) - min(*numbers, start))
        return abs(float(value) - float(start)) / width

    return sum(of(axis) for axis in axes)
