"""Maps of two keys of a sweep: a metric, or the distance from the targets, in the cells."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from numbluff_sim.analysis.report.axes import wrapped
from numbluff_sim.analysis.report.model import Picture
from numbluff_sim.analysis.report.sheet import outer_labels
from numbluff_sim.analysis.report.style import FONT, colour, settings
from numbluff_sim.analysis.report.wording import digits_of
from numbluff_sim.analysis.statistics.estimates import Estimate, percent_scale
from numbluff_sim.analysis.studies.sweep.data import ShownPoint
from numbluff_sim.analysis.studies.sweep.picture_axes import (
    PANEL_LETTERS,
    PictureAxes,
    best_values,
    fixed_words,
    panel_grid,
    point_record,
    settings_record,
    tick_labels,
)
from numbluff_sim.analysis.studies.sweep.words import SweepWords

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

#: Cells of a map in one direction.
CELLS = 12


def heat_map(words: SweepWords, metric: str | None, name: str) -> Picture | None:
    """Two axes as a map of cells, a third as panels; `metric` None: the distance from the targets. None where there
    are no two axes.
    """
    plan = (
        PictureAxes.of(
            [axis for axis in words.data.axes if len(axis.values) <= CELLS],
            most=CELLS,
            best=best_values(words, metric),
            others=[axis for axis in words.data.axes if len(axis.values) > CELLS],
        )
        if _can_map(words)
        else None
    )
    if plan is None or plan.second is None:
        return None
    panels = plan.panels(words.data.shown)
    cells = [one for _, points in panels for one in points if _value(one, metric) is not None]
    if not cells:
        return None
    records = [
        point_record(words, one, metric) if metric else {**settings_record(words, one), "distance": one.distance}
        for one in cells
    ]
    kind = "heat" if metric else "distance"
    label = words.metric(metric) if metric else ""
    keys = {"x": words.key(plan.x.key), "y": words.key(plan.second.key), "metric": label}
    framed = words.data.targets is not None and (metric is None or metric in words.data.targets.by_metric)
    caption = [
        words.text(f"figures.{kind}.answer"),
        *([words.text(f"figures.{kind}.framed")] if framed else []),
        *_marks(words, cells),
        *([_widest(words, [one.estimates[metric] for one in cells])] if metric else []),
        *fixed_words(words, plan),
    ]
    return Picture(
        name,
        words.text(f"figures.{kind}.question", **keys),
        " ".join(caption),
        words.text(f"figures.{kind}.alt", **keys),
        records,
        lambda: _draw_map(words, metric, plan, panels),
    )


def _marks(words: SweepWords, cells: Sequence[ShownPoint]) -> list[str]:
    """What marks the base and the best point in a map, where they are in it."""
    numbers, best = {one.point.number for one in cells}, words.data.results.best
    texts = [words.text("figures.heat.star" if 0 in numbers else "figures.heat.no_star")]
    return (
        [*texts, words.text("figures.heat.best", change=words.reached(best))]
        if best is not None and best.point.number in numbers
        else texts
    )


def _can_map(words: SweepWords) -> bool:
    return len([axis for axis in words.data.axes if 2 <= len(axis.values) <= CELLS]) >= 2


def _value(one: ShownPoint, metric: str | None) -> float | None:
    if metric is None:
        return one.distance
    return one.estimates[metric].value if metric in one.estimates and one.estimates[metric].defined else None


def _draw_map(
    words: SweepWords, metric: str | None, plan: PictureAxes, panels: Sequence[tuple[Any, list[ShownPoint]]]
) -> Canvas:
    from matplotlib.patches import Rectangle

    assert plan.second is not None
    values = [value for _, points in panels for one in points if (value := _value(one, metric)) is not None]
    low, high = min(values), max(values)
    best = words.data.results.best
    with settings():
        canvas, grid = panel_grid(len(panels), 0.5 + 0.32 * len(plan.second.values))
        for axes, (third, points) in zip(grid, panels, strict=True):
            for one in points:
                value = _value(one, metric)
                x, y = (axis.values.index(one.point.values[axis.key]) for axis in (plan.x, plan.second))
                shade = 0.0 if value is None or high == low else (value - low) / (high - low)
                met = value is not None and _met(words, one, metric)
                axes.add_patch(
                    Rectangle(
                        (x - 0.5, y - 0.5), 1, 1, facecolor=colour("accent_1"), alpha=0.08 + 0.4 * shade, linewidth=0
                    )
                )
                if met:
                    axes.add_patch(
                        Rectangle((x - 0.46, y - 0.46), 0.92, 0.92, fill=False, edgecolor=colour("good"), linewidth=1.8)
                    )
                if best is not None and one.point.number == best.point.number:
                    axes.add_patch(
                        Rectangle(
                            (x - 0.5, y - 0.5),
                            1,
                            1,
                            fill=False,
                            edgecolor=colour("ink"),
                            linewidth=1.8,
                            zorder=3,
                            clip_on=False,
                        )
                    )
                text = "–" if value is None else _cell(words, one, metric) + ("*" if one.point.number == 0 else "")
                axes.text(x, y, text, ha="center", va="center_baseline", fontsize=FONT - 2, color=colour("ink"))
            _map_axes(words, axes, plan)
            axes.set_title(wrapped(words.setting(plan.third.key, third), PANEL_LETTERS) if plan.third else "")
        outer_labels(canvas, grid, words.key(plan.x.key), words.key(plan.second.key))
    return canvas


def _map_axes(words: SweepWords, axes: Axes, plan: PictureAxes) -> None:
    assert plan.second is not None
    axes.set_xlim(-0.5, len(plan.x.values) - 0.5)
    axes.set_ylim(-0.5, len(plan.second.values) - 0.5)
    axes.set_xticks(range(len(plan.x.values)), tick_labels(words, plan.x))
    axes.set_yticks(range(len(plan.second.values)), tick_labels(words, plan.second))
    axes.tick_params(length=0)
    axes.grid(visible=False)
    axes.spines["bottom"].set_visible(False)


def _met(words: SweepWords, one: ShownPoint, metric: str | None) -> bool:
    """Whether a point's value lies in the range of the metric's target (without a metric: of all)."""
    if metric is None:
        return one.distance == 0
    target = words.data.targets.by_metric.get(metric) if words.data.targets else None
    return target is not None and one.estimates[metric].value in target.range


def _cell(words: SweepWords, one: ShownPoint, metric: str | None) -> str:
    if metric is None:
        return words.distance(one.distance if one.distance is not None else math.inf)
    estimate = one.estimates[metric]
    return words.numbers.decimal(percent_scale(estimate.unit) * estimate.value, min(digits_of(estimate), 3))


def _widest(words: SweepWords, estimates: Sequence[Estimate]) -> str:
    """How far the least certain cell's interval reaches."""
    widest = max(estimates, key=lambda e: e.high - e.low if math.isfinite(e.high - e.low) else math.inf)
    n = words.counted([widest.n], words.denominator(widest.denominator))
    return words.text("figures.heat.widest", level=words.level(), cell=words.cell(widest), n=n)
