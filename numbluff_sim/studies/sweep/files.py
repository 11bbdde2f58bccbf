"""From a finished sweep to its page: the tables read again, the effects of single keys from their runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from numbluff_sim.analysis.report.model import Page
from numbluff_sim.analysis.statistics.estimates import ALPHA, Estimate, Estimator
from numbluff_sim.analysis.statistics.intervals import difference
from numbluff_sim.analysis.studies.check.baselines import estimators_of
from numbluff_sim.analysis.studies.sweep.data import Effect, Shown, SweepData, SweptAxis
from numbluff_sim.analysis.studies.sweep.page import sweep_page
from numbluff_sim.analysis.studies.sweep.result import Point
from numbluff_sim.contract.registry import game
from numbluff_sim.run import provenance
from numbluff_sim.run.store import load_run
from numbluff_sim.studies.question.axes import Axis
from numbluff_sim.studies.sweep.best import check_command
from numbluff_sim.studies.sweep.folder import BEST, POINTS_FOLDER
from numbluff_sim.studies.sweep.study import Finished
from numbluff_sim.studies.sweep.tables import POINTS, SWEEP, read_table

#: More points are not drawn, and of more points that change a single key the effects are not worked out.
MOST_DRAWN, MOST_EFFECTS = 5_000, 80


def sweep_page_of(finished: Finished, language: str, command: str) -> Page:
    """The page of a finished sweep in "en" or "fr"."""
    return sweep_page(sweep_data(finished), language, command)


def sweep_data(finished: Finished) -> SweepData:
    """What the page shows."""
    sweep, design = finished.sweep, finished.design
    question, base = sweep.question, sweep.question.base
    identity = provenance.identity(base, game(base.game))
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
        made_with={
            "code_digest": identity["code_digest"],
            "config_digest": identity["config_digest"],
            **provenance.versions(),
        },
        check=check_command(sweep, finished.folder),
        best_file=str(finished.folder / BEST),
    )
    return replace(about, effects=_effects(finished, about))


def _swept(axis: Axis, base: Any) -> SweptAxis:
    return SweptAxis(
        axis.key, tuple(axis.value(index) for index in range(min(len(axis), MOST_DRAWN))), base, axis.numeric
    )


def _shown(finished: Finished) -> list[Shown]:
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
        Shown(point, estimates[point.number], *states[point.number])
        for point in finished.design.points()
        if point.number in estimates
    ]


def _effects(finished: Finished, data: SweepData) -> dict[str, list[Effect]]:
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
    found: dict[str, list[Effect]] = {metric: [] for metric in data.pictured}
    played = {one.point.number for one in data.shown}
    for point in singles:
        if point.number in played:
            measured = _estimators(finished, point)
            key, value = next((key, value) for key, value in point.values.items() if value != finished.design.base[key])
            for metric in data.pictured:
                if metric in measured and metric in base:
                    found[metric].append(
                        Effect(key, value, difference(metric, measured[metric], base[metric]).at(ALPHA))
                    )
    return found


def _estimators(finished: Finished, point: Point) -> Mapping[str, Estimator]:
    from numbluff_sim.analysis.studies.sweep.result import changed

    config = finished.sweep.question.config(changed(point.values, finished.design.base))
    return estimators_of(load_run(finished.folder / POINTS_FOLDER / config.digest()))
