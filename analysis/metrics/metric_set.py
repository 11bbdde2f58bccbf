"""All metrics of a game, from its groups of estimators. Knows no game."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from numbluff_sim.analysis.statistics.estimates import ALPHA, Estimate, Estimator, named
from numbluff_sim.contract.registry import game

Tally = Mapping[str, NDArray[np.int64]]


class Run(Protocol):
    """What the metrics need of a run: its configuration and its tally."""

    @property
    def config(self) -> Any:
        """The game's configuration."""

    @property
    def tally(self) -> Tally:
        """The fields of the game's tally."""


@dataclass(frozen=True)
class MetricSet:
    """The metrics of one game.

    `groups`, in the order of the report: each gives estimators from a sample. `read(run, gate)`: the sample of a run;
    `blank(config, tally)`: that of a tally of zeros. `group_of`: the group in which a metric stands. `headline_names`:
    what a designer usually asks of the game.
    """

    groups: Mapping[str, Callable[[Any], Iterable[Estimator]]]
    read: Callable[[Run, bool], Any]
    blank: Callable[[Any, Tally], Any]
    group_of: Callable[[str], str]
    headline_names: tuple[str, ...]

    def estimators(self, sample: Any) -> dict[str, Estimator]:
        """All metrics by name, in order, their intervals still open."""
        return named(estimator for group in self.groups.values() for estimator in group(sample))

    def metrics(self, run: Run, alpha: float = ALPHA) -> dict[str, Estimate]:
        """All metrics of a run by name, in order, with 1 - alpha intervals (single ones unless `method` says
        simultaneous).
        """
        return {name: estimator.at(alpha) for name, estimator in self.estimators(self.read(run, False)).items()}

    def gate_estimators(self, run: Run, only: Collection[str] | None = None) -> dict[str, Estimator]:
        """All metrics as claims are judged by: Clopper-Pearson for every proportion. `only`: no more than these,
        which takes less time.
        """
        sample = self.read(run, True)
        if only is None:
            return self.estimators(sample)
        wanted = {self.group_of(name) for name in only}
        return named(
            estimator
            for group in self.groups
            if group in wanted
            for estimator in self.groups[group](sample)
            if estimator.name in only
        )

    def known_metrics(self, config: Any) -> dict[str, Estimator]:
        """The metrics that runs of a configuration have, by name; of no games, so none has a value."""
        tally = {name: np.zeros(shape, np.int64) for name, shape in game(config.game).tally_shapes(config).items()}
        return self.estimators(self.blank(config, tally))

    def headline(self, config: Any) -> list[str]:
        """The headline metrics that runs of a configuration have, in the order of `known_metrics`."""
        return [name for name in self.known_metrics(config) if name in self.headline_names]
