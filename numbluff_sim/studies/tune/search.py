"""The order in which `tune` tries configurations: the base, all single changes, all pairs, ... while they are few, then
Optuna's proposals.

A trial is a mapping of changed axes to places: the index of a value, or a place from 0 to 1 on an axis whose values
cannot be counted. Every proposal follows from the seed, the trial's number and the trials before it alone, so that a
search that was killed proposes the same again.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from numbluff_sim.studies.question.axes import Axis

if TYPE_CHECKING:
    import optuna

#: Which axes change, and to which place.
Places = Mapping[str, int | float]


@dataclass(frozen=True)
class Search:
    """The space of a search: axes, and the base's values of them (None where the base has none)."""

    axes: tuple[Axis, ...]
    base: Mapping[str, Any]
    seed: int

    def values(self, places: Places) -> dict[str, Any]:
        """The value of every axis: the base's where it is not changed."""
        found = dict(self.base)
        for axis in self.axes:
            if axis.key in places:
                place = places[axis.key]
                found[axis.key] = axis.at(float(place)) if continuous(axis) else axis.value(int(place))
        return found

    def others(self, axis: Axis) -> list[int | float]:
        """The places of an axis whose value is not the base's; of one that cannot be counted, those of its grid."""
        other = [index for index in range(len(axis)) if axis.value(index) != self.base[axis.key]]
        return [index / max(len(axis) - 1, 1) if continuous(axis) else index for index in other]

    @property
    def countable(self) -> bool:
        """Whether all values of all axes can be tried."""
        return not any(continuous(axis) for axis in self.axes)

    def level_size(self, changes: int) -> int:
        """Number of configurations (grid values) with so many changes."""
        counts = [
            len(axis) - any(axis.value(i) == self.base[axis.key] for i in _near(axis, self.base[axis.key]))
            for axis in self.axes
        ]
        return sum(math.prod(some) for some in itertools.combinations(counts, changes))

    def level(self, changes: int) -> Iterator[Places]:
        """All of them, in order of the axes and their values."""
        for some in itertools.combinations(self.axes, changes):
            for places in itertools.product(*(self.others(axis) for axis in some)):
                yield dict(zip((axis.key for axis in some), places, strict=True))

    def spread(self, count: int) -> Iterator[Places]:
        """So many single changes, about as many an axis, spread evenly over its values."""
        each = max(count // len(self.axes), 2)
        for axis in self.axes:
            others = self.others(axis)
            step = max((len(others) - 1) / max(each - 1, 1), 1)
            yield from ({axis.key: others[round(i * step)]} for i in range(min(each, len(others))))


def _near(axis: Axis, value: Any) -> Sequence[int]:
    """Indices at which an axis may have a value: all of a list, the one that fits of a range."""
    if axis.kind == "choice":
        return range(len(axis))
    if (
        isinstance(value, bool)
        or not isinstance(value, int | float)
        or not axis.low <= value <= axis.high
        or axis.high == axis.low
    ):
        return range(min(len(axis), 1))
    width = axis.step if axis.kind == "whole" else (axis.high - axis.low) / max(len(axis) - 1, 1)
    return [min(round((value - axis.low) / width), len(axis) - 1)]


def continuous(axis: Axis) -> bool:
    """Whether an axis takes any value between its ends."""
    return axis.kind == "decimal" and axis.steps is None


class Proposals:
    """Optuna's tree-structured Parzen estimator over the space of a search, told of every trial."""

    def __init__(self, search: Search) -> None:
        import optuna

        optuna.logging.set_verbosity(optuna.logging.WARNING)
        self.search = search
        self._study = optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=0))
        self._distributions = {axis.key: _distribution(axis) for axis in search.axes}
        self._change = optuna.distributions.CategoricalDistribution((False, True))

    def tell(self, places: Places, value: float) -> None:
        """A trial that was made, with its objective."""
        import optuna

        params: dict[str, Any] = {_switch(axis): axis.key in places for axis in self.search.axes} | dict(places)
        distributions = {key: self._change if key.startswith(SWITCH) else self._distributions[key] for key in params}
        self._study.add_trial(optuna.create_trial(params=params, distributions=distributions, value=value))

    def ask(self, number: int) -> Places:
        """The places to try as trial `number`."""
        import optuna

        self._study.sampler = optuna.samplers.TPESampler(seed=(self.search.seed * 1_000_003 + number) % 2**32)
        trial = self._study.ask()
        places = {
            axis.key: self._suggested(trial, axis)
            for axis in self.search.axes
            if trial.suggest_categorical(_switch(axis), self._change.choices)
        }
        self._study.tell(trial, state=optuna.trial.TrialState.FAIL)  # `tell` adds it with its value
        return places

    def _suggested(self, trial: optuna.Trial, axis: Axis) -> int | float:
        distribution: Any = self._distributions[axis.key]
        if continuous(axis):
            return trial.suggest_float(axis.key, 0.0, 1.0)
        if axis.numeric:
            return trial.suggest_int(axis.key, 0, len(axis) - 1)
        return int(trial.suggest_categorical(axis.key, distribution.choices))


SWITCH = "change "


def _switch(axis: Axis) -> str:
    return SWITCH + axis.key


def _distribution(axis: Axis) -> optuna.distributions.BaseDistribution:
    from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution

    if continuous(axis):
        return FloatDistribution(0.0, 1.0)
    return IntDistribution(0, len(axis) - 1) if axis.numeric else CategoricalDistribution(tuple(range(len(axis))))
