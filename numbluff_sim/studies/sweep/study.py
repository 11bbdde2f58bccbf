"""A sweep: every point of a design evaluated, kept in a long table, judged by targets; of a sobol design the indices.

The way is design -> evaluate(point) -> table -> results, for any function that evaluates a point; `run_sweep` plays
each point as an ordinary run in <out>/points/<digest>/, all with one seed: point by point the same deals.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Unpack

import numpy as np

from numbluff_sim.analysis.statistics.estimates import Estimate, Estimator
from numbluff_sim.analysis.statistics.sensitivity import Sensitivity, sobol_indices
from numbluff_sim.analysis.studies.question.points import Point, Reached, changed
from numbluff_sim.analysis.studies.question.targets import Judgement, Targets
from numbluff_sim.analysis.studies.sweep.result import Results
from numbluff_sim.contract.registry import game
from numbluff_sim.encoding import finite
from numbluff_sim.errors import ConfigError
from numbluff_sim.run.playing import How
from numbluff_sim.run.progress import Steps
from numbluff_sim.run.stop import SAME_COMMAND, Interrupted
from numbluff_sim.run.tables import TableWriter, read_table, writing
from numbluff_sim.studies.question.designs import Design, step_size
from numbluff_sim.studies.sweep.asked import Sweep
from numbluff_sim.studies.sweep.data import Finished
from numbluff_sim.studies.sweep.folder import SweepFolder
from numbluff_sim.studies.sweep.tables import (
    POINTS,
    SWEEP,
    axis_cell,
    axis_type,
    points_columns,
    sweep_columns,
)
from numbluff_sim.studies.sweep.written import write_best

#: Error chance of the intervals in the tables.
ALPHA = 0.05
#: Half of the width of a 95 % interval of a normal value, in standard errors.
NORMAL = 1.959964


@dataclass(frozen=True)
class Evaluated:
    """A point with a function that works out its metrics, or why the configuration refuses it."""

    digest: str
    games: int
    estimators: Callable[[], Mapping[str, Estimator]]
    refused: str | None = None


Evaluate = Callable[[Point], Evaluated]


def design_of(sweep: Sweep) -> Design:
    """The design of a sweep's file."""
    settings, question = sweep.settings, sweep.question
    return Design(
        settings.design,
        question.axes,
        question.base_values(),
        settings.base_samples if settings.design == "sobol" else 0,
        settings.seed,
    )


def tabulate(
    design: Design, evaluate: Evaluate, metrics: Sequence[str], targets: Targets | None, folder: Path
) -> Results:
    """Evaluate every point of a design and write the tables into `folder`. Memory does not grow with the number of
    points (but for a sobol design's).

    Targets are judged at their alpha over all points (Bonferroni).
    """
    results = Results()
    kinds = {axis.key: axis_type(axis, design.base[axis.key]) for axis in design.axes}
    with (
        writing(folder, SWEEP, sweep_columns(kinds)) as long,
        writing(folder, POINTS, points_columns(kinds, targets.metrics if targets else ())) as short,
        ThreadPoolExecutor(1, "tables") as books,
    ):
        keep = _Keeper(design, kinds, metrics, targets, results, long, short)
        waiting: Future[None] | None = None
        for point in design.points():  # while one is played, the numbers of the last one are worked out
            found = evaluate(point)
            if waiting is not None:
                waiting.result()
            waiting = books.submit(keep, point, found)
        if waiting is not None:
            waiting.result()
    if design.kind == "sobol":
        results.sensitivities = sensitivities(design, metrics, folder)
    return results


@dataclass(frozen=True)
class _Keeper:
    """Puts an evaluated point into the tables and the results."""

    design: Design
    kinds: Mapping[str, str]
    metrics: Sequence[str]
    targets: Targets | None
    results: Results
    long: TableWriter
    short: TableWriter

    def __call__(self, point: Point, found: Evaluated) -> None:
        """Take a point, after those with smaller numbers."""
        about = {
            "point": point.number,
            "digest": found.digest,
            **{key: axis_cell(kind, point.values[key]) for key, kind in self.kinds.items()},
        }
        self.results.points += 1
        if found.refused is not None:
            self.results.refuse(point, found.refused)
            self.short.add({**about, "changes": point.changes, "refused": found.refused})
            return
        estimators = found.estimators()
        for metric in self.metrics:
            if metric in estimators:
                estimate = estimators[metric].at(ALPHA)
                self.results.see(point, estimate)
                self.long.add({**about, **_cells(estimate)})
        judged: dict[str, Any] = {}
        if self.targets is not None:
            judgement = self.targets.judge(estimators, self.design.total)
            self.results.take(
                Reached(point, found.digest, judgement, step_size(point.values, self.design.base, self.design.axes))
            )
            judged = _judged_cells(judgement)
        self.short.add({**about, "changes": point.changes, **judged, "games": found.games})


def _cells(estimate: Estimate) -> dict[str, Any]:
    """The columns of `sweep.tables.ESTIMATE`."""
    return {
        "metric": estimate.name,
        "value": finite(estimate.value),
        "low": finite(estimate.low),
        "high": finite(estimate.high),
        "level": estimate.level,
        "n": estimate.n,
        "denominator": estimate.denominator,
        "method": estimate.method,
        "unit": estimate.unit,
        "games": estimate.games,
    }


def _judged_cells(judgement: Judgement) -> dict[str, Any]:
    cells: dict[str, Any] = {"distance": finite(judgement.distance), "status": str(judgement.status)}
    for judged in judgement.targets:
        cells |= {f"distance.{judged.metric}": finite(judged.distance), f"status.{judged.metric}": str(judged.status)}
    return cells


def sensitivities(design: Design, metrics: Sequence[str], folder: Path) -> list[Sensitivity]:
    """The Sobol indices of metrics from the long table of a sobol design. A metric that some sample lacks, or that
    never moves, has none.
    """
    table = read_table(folder / f"{SWEEP}.parquet", ["point", "metric", "value", "low", "high"])
    by_metric: dict[str, dict[int, tuple[float, float]]] = {metric: {} for metric in metrics}
    for number, metric, value, low, high in zip(*table.values(), strict=True):
        if value is not None:
            by_metric[metric][number] = value, (math.nan if low is None or high is None else (high - low) / 2 / NORMAL)
    rows = design.rows([point.values for point in design.points()])
    found = []
    for metric, cells in by_metric.items():
        pairs = np.array([cells.get(int(row), (math.nan, math.nan)) for row in rows])
        found.append(sobol_indices(design.problem, metric, pairs[:, 0], pairs[:, 1], design.seed))
    return [one for one in found if one is not None]


def run_sweep(sweep: Sweep, out: Path, *, replace: bool = False, command: str = "", **how: Unpack[How]) -> Finished:
    """Play the points of a sweep that are not played yet; write tables and the best point into `out`.

    Raises RunError, ConfigError and Interrupted.

    `out` is a new folder, or that of the same sweep, which is continued; targets, metrics and alpha may change without
    anything being played again. `replace` removes another sweep from it.
    """
    design = design_of(sweep)
    _refuse_if_no_point_plays(sweep, design)
    with SweepFolder.held(out, sweep, replace=replace) as folder:
        play = SweepPlayer(sweep, design, folder, command, how)
        try:
            results = tabulate(design, play, sweep.metrics, sweep.question.targets, out)
        except KeyboardInterrupt as interrupt:
            reason = interrupt.reason if isinstance(interrupt, Interrupted) else ""
            raise Interrupted(
                play.done, design.total, "points", folder=out, how_to_go_on=SAME_COMMAND, reason=reason
            ) from None
        write_best(sweep, results, out)
        return Finished(sweep, design, results, out, play.steps.played)


class SweepPlayer:
    """Evaluates a point by playing it, or by reading it where it has been played."""

    def __init__(self, sweep: Sweep, design: Design, folder: SweepFolder, command: str, how: How) -> None:
        self.sweep, self.design, self.folder, self.command, self.how = sweep, design, folder, command, how
        self.steps = Steps(how.get("progress"), design.total)
        self.done = 0

    def __call__(self, point: Point) -> Evaluated:
        """The metrics of a point."""
        from numbluff_sim.run.runner import run_simulation

        try:
            config = self.sweep.question.config(changed(point.values, self.design.base))
        except ConfigError as error:
            self.done += 1
            return Evaluated("", 0, dict, refused=error.problem)
        self.steps.begin("points", self.done, config=config)
        run = run_simulation(
            config, self.folder.point(config), resume=True, command=self.command, **self.steps.of(self.how)
        )
        self.steps.end()
        self.done += 1
        gate = game(config.game).metrics.estimators
        return Evaluated(config.digest(), config.run.games, lambda: gate(run, self.sweep.metrics))


def _refuse_if_no_point_plays(sweep: Sweep, design: Design) -> None:
    """Raise ConfigError where the configuration refuses every point but the base: before anything is played."""
    first: ConfigError | None = None
    for point in design.points():
        if point.changes:
            try:
                sweep.question.config(changed(point.values, design.base))
            except ConfigError as error:
                first = first or error
            else:
                return
    if first is not None:
        first.problem = f"every point but the base is refused; the first one: {first.problem}"
        raise first
