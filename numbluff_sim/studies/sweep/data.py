"""What the page of a finished sweep shows: the tables read again, the effects of single keys from their runs."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from numbluff_sim.analysis.metrics.measured import estimators_of
from numbluff_sim.analysis.statistics.estimates import ALPHA, Estimate, Estimator
from numbluff_sim.analysis.statistics.intervals import difference
from numbluff_sim.analysis.studies.question.points import Point
from numbluff_sim.analysis.studies.sweep.data import KeyEffect, ShownPoint, SweepData, SweptAxis
from numbluff_sim.analysis.studies.sweep.result import Results
from numbluff_sim.run.store import load_run
from numbluff_sim.run.tables import read_table
from numbluff_sim.studies.page_files import made_with
from numbluff_sim.studies.question.axes import Axis
from numbluff_sim.studies.question.best import TARGETS
from numbluff_sim.studies.question.designs import Design
from numbluff_sim.studies.sweep.asked import Sweep
from numbluff_sim.studies.sweep.folder import BEST, POINTS_FOLDER
from numbluff_sim.studies.sweep.tables import POINTS, SWEEP

#: Seeds of the check that is named, the first one that the sweep did not use: other deals.
CHECK_SEEDS = (7, 8)
#: More points are not drawn, and of more points that change a single key the effects are not worked out.
MOST_DRAWN, MOST_EFFECTS = 5_000, 80


@dataclass(frozen=True)
class Finished:
    """A finished sweep: what was asked, what was found, and the folder with its tables. `played`: games played in
    this process.
    """

    sweep: Sweep
    design: Design
    results: Results
    folder: Path
    played: int = 0


def sweep_data(finished: Finished) -> SweepData:
    """What the page shows."""
    sweep, design = finished.sweep, finished.design
    question, base = sweep.question, sweep.question.base
    shown = _shown(finished) if finished.results.points <= MOST_DRAWN else []
    about = SweepData(
        game=base.game,
        base_name=question.base_name,
        players=base.players,
        design=design.kind,
        games=sweep.settings.games,
        seed=sweep.settings.seed,
        count=design.total,
        samples=design.samples,
        axes=tuple(_swept(axis, design.base[axis.key]) for axis in design.axes),
        metrics=sweep.metrics,
        targets=question.targets,
        results=finished.results,
        shown=shown,
        effects={},
        changes=question.changes,
        made_with={"config_digest": base.digest(), **made_with(base)},
        check=check_command(sweep, finished.folder),
        best_file=str(finished.folder / BEST),
        seating=base.seating,
    )
    return replace(about, effects=_effects(finished, about))


def _swept(axis: Axis, base: Any) -> SweptAxis:
    return SweptAxis(
        axis.key, tuple(axis.value(index) for index in range(min(len(axis), MOST_DRAWN))), base, axis.numeric
    )


def _shown(finished: Finished) -> list[ShownPoint]:
    """All played points with the estimates of the long table."""
    estimates: dict[int, dict[str, Estimate]] = {}
    long = read_table(
        finished.folder / f"{SWEEP}.parquet",
        ["point", "metric", "value", "low", "high", "level", "n", "denominator", "method", "unit", "games"],
    )
    for number, metric, value, low, high, level, n, denominator, method, unit, games in zip(
        *long.values(), strict=True
    ):
        value, low, high = (
            bound if found is None else found
            for found, bound in ((value, float("nan")), (low, float("-inf")), (high, float("inf")))
        )
        estimates.setdefault(number, {})[metric] = Estimate(
            metric, value, low, high, level, n, denominator, method, unit, games
        )
    judged = ["distance", "status"] if finished.sweep.question.targets else []
    short = read_table(finished.folder / f"{POINTS}.parquet", ["point", *judged])
    states = {row[0]: row[1:] for row in zip(*short.values(), strict=True)}
    return [
        ShownPoint(point, estimates[point.number], *states[point.number])
        for point in finished.design.points()
        if point.number in estimates
    ]


def _effects(finished: Finished, data: SweepData) -> dict[str, list[KeyEffect]]:
    """Of every pictured metric, what each value of each key does alone: differences from the base, at the ends of
    two intervals.
    """
    singles = (
        [point for point in finished.design.points() if point.changes == 1]
        if finished.results.points <= MOST_DRAWN
        else []
    )
    if not singles or len(singles) > MOST_EFFECTS:
        return {}
    base = _estimators(finished, Point(0, finished.design.base, 0))
    found: dict[str, list[KeyEffect]] = {metric: [] for metric in data.pictured}
    played = {one.point.number for one in data.shown}
    for point in singles:
        if point.number in played:
            measured = _estimators(finished, point)
            key, value = next((key, value) for key, value in point.values.items() if value != finished.design.base[key])
            for metric in data.pictured:
                if metric in measured and metric in base:
                    found[metric].append(
                        KeyEffect(key, value, difference(metric, measured[metric], base[metric]).at(ALPHA))
                    )
    return found


def _estimators(finished: Finished, point: Point) -> Mapping[str, Estimator]:
    from numbluff_sim.analysis.studies.question.points import changed

    config = finished.sweep.question.config(changed(point.values, finished.design.base))
    return estimators_of(load_run(finished.folder / POINTS_FOLDER / config.digest()))


def check_command(sweep: Sweep, folder: Path) -> str:
    """The command that confirms the best point on fresh deals."""
    seed = next(seed for seed in CHECK_SEEDS if seed != sweep.settings.seed)
    return shlex.join(
        ["numbluff", "check", "--config", str(folder / BEST), "--baseline", str(folder / TARGETS), "--seed", str(seed)]
    )
