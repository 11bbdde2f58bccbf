"""All metrics of a game, from its groups of estimators. Knows no game."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import numpy as np

from numbluff_sim.analysis.metrics.personas import GROUP as PERSONAS
from numbluff_sim.analysis.metrics.tally_reader import TallyReader
from numbluff_sim.analysis.statistics.estimates import ALPHA, Estimate, Estimator, TestResult, named
from numbluff_sim.contract.game import C, Counts, RunLike
from numbluff_sim.contract.registry import game

#: A game's own reading of a tally.
S = TypeVar("S", bound=TallyReader)


@dataclass(frozen=True)
class MetricSet(Generic[C, S]):
    """The metrics of one game (`contract.game.Metrics`).

    `groups`, in the order of the report: each gives estimators from a sample. `read(config, tally, gate)`: the sample
    of a tally; `blank(config, tally)`: that of a tally of zeros. `group_of`: the group in which a metric stands.
    `headline_names`: what a designer usually asks of the game; `baseline`: what `check --write-baseline` records;
    `smallest`: differences that matter, by metric.
    """

    groups: Mapping[str, Callable[[S], Iterable[Estimator]]]
    read: Callable[[C, Counts, bool], S]
    blank: Callable[[C, Counts], S]
    group_of: Callable[[str], str]
    headline_names: tuple[str, ...]
    baseline: tuple[str, ...]
    hypotheses: Callable[[S], dict[str, TestResult]] = lambda _: {}
    smallest: Mapping[str, float] = field(default_factory=dict)

    def sample(self, run: RunLike[C]) -> S:
        """The sample of a run."""
        return self.read(run.config, run.tally, False)

    def of(self, sample: S, only: Collection[str] | None = None) -> dict[str, Estimator]:
        """All metrics of a sample by name, in order, their intervals still open; `only`: no more than these."""
        if only is None:
            return named(estimator for group in self.groups.values() for estimator in group(sample))
        wanted = {self.group_of(name) for name in only}
        return named(
            estimator
            for group in self.groups
            if group in wanted
            for estimator in self.groups[group](sample)
            if estimator.name in only
        )

    def estimators(self, run: RunLike[C], only: Collection[str] | None = None) -> dict[str, Estimator]:
        """All metrics as claims are judged by: Clopper-Pearson for every proportion."""
        return self.of(self.read(run.config, run.tally, True), only)

    def shown(self, run: RunLike[C], only: Collection[str] | None = None) -> dict[str, Estimator]:
        """All metrics as people are shown them."""
        return self.of(self.sample(run), only)

    def estimates(self, run: RunLike[C], alpha: float = ALPHA) -> dict[str, Estimate]:
        """All metrics of a run by name, in order, with 1 - alpha intervals (single ones unless `method` says
        simultaneous).
        """
        return {name: estimator.at(alpha) for name, estimator in self.shown(run).items()}

    def known(self, config: C) -> dict[str, Estimator]:
        """The metrics that runs of a configuration have, by name; of no games, so none has a value."""
        tally = {name: np.zeros(shape, np.int64) for name, shape in game(config.game).tally_shapes(config).items()}
        return self.of(self.blank(config, tally))

    def headline(self, config: C) -> list[str]:
        """The headline metrics that runs of a configuration have, in the order of `known`, those of ways of playing
        among them.
        """
        return [name for name in self.known(config) if name in self.headline_names or self.group_of(name) == PERSONAS]

    def relevant(self, config: C) -> Mapping[str, float]:
        """The smallest differences that matter, of metrics that runs of a configuration have."""
        known = self.known(config)
        return {name: value for name, value in self.smallest.items() if name in known}

    def tests(self, run: RunLike[C]) -> dict[str, TestResult]:
        """The tests of hypotheses of a run by name."""
        return self.hypotheses(self.sample(run))
