"""Pictures of how metrics follow the keys of a sweep: lines with bands, maps of two keys."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from numbluff_sim.analysis.report.axes import wrapped
from numbluff_sim.analysis.report.model import Picture
from numbluff_sim.analysis.report.sheet import outer_labels
from numbluff_sim.analysis.report.style import ACCENTS, FONT, colour, settings, text_colour
from numbluff_sim.analysis.statistics.estimates import Estimate, percent_scale
from numbluff_sim.analysis.studies.sweep.data import ShownPoint, SweptAxis
from numbluff_sim.analysis.studies.sweep.picture_axes import (
    PANEL_LETTERS,
    PictureAxes,
    best_values,
    fixed_words,
    panel_grid,
    point_record,
    ticks,
    x_ticks,
)
from numbluff_sim.analysis.studies.sweep.words import SweepWords

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas


def lines(
    words: SweepWords, metric: str, axes: Sequence[SweptAxis], name: str, shown: Sequence[ShownPoint] | None = None
) -> Picture:
    """A metric along one axis, with the bands of its intervals; a second axis as colours, a third as panels.
    `shown`: the points, all by default.
    """
    plan = PictureAxes.of(axes, most=len(ACCENTS), best=best_values(words, metric))
    every = words.data.shown if shown is None else shown
    panels = [(value, [one for one in points if metric in one.estimates]) for value, points in plan.panels(every)]
    estimates = [one.estimates[metric] for _, points in panels for one in points]
    records = [point_record(words, one, metric) for _, points in panels for one in points]
    question = words.text("figures.lines.question", metric=words.metric(metric), key=words.key(plan.x.key))
    parts = (
        [words.text("figures.lines.answer", ends=_ends(words, estimates), note=words.note(estimates))]
        if estimates
        else []
    )
    if plan.second is not None:
        parts.append(words.text("figures.lines.colours", key=words.key(plan.second.key)))
    return Picture(
        name,
        question,
        " ".join([*parts, *fixed_words(words, plan)]),
        words.text("figures.lines.alt", metric=words.metric(metric)),
        records,
        (lambda: _draw_lines(words, metric, plan, panels)) if estimates else None,
    )


def _draw_lines(
    words: SweepWords, metric: str, plan: PictureAxes, panels: Sequence[tuple[Any, list[ShownPoint]]]
) -> Canvas:
    unit = next(one.estimates[metric].unit for _, points in panels for one in points)
    with settings():
        canvas, grid = panel_grid(len(panels), 2.1)
        labels = []
        for axes, (value, points) in zip(grid, panels, strict=True):
            ends = []
            for place, second in enumerate(plan.second.values if plan.second else (None,)):
                series = [one for one in points if plan.second is None or one.point.values[plan.second.key] == second]
                ink = colour(ACCENTS[place])
                x, y, low, high = _series(series, metric, plan.x, percent_scale(unit))
                if plan.x.numeric:
                    axes.fill_between(x, low, high, color=ink, alpha=0.22, linewidth=0)
                    axes.plot(x, y, color=ink, linewidth=1.6, marker="o", markersize=3.5)
                else:
                    shift = [
                        place_x + 0.08 * (place - (len(plan.second.values) - 1) / 2 if plan.second else 0)
                        for place_x in x
                    ]
                    axes.vlines(shift, low, high, color=ink, linewidth=1.6)
                    axes.plot(shift, y, color=ink, linestyle="none", marker="o", markersize=4.5)
                if x and plan.second is not None:
                    ends.append((y[-1], words.shown(plan.second.key, second), ACCENTS[place]))
            x_ticks(words, axes, plan.x)
            axes.set_title(wrapped(words.setting(plan.third.key, value), PANEL_LETTERS) if plan.third else "")
            axes.tick_params(length=0)
            axes.yaxis.set_major_formatter(ticks(words))
            labels.append(ends)
        _make_room(words, grid[0], metric, percent_scale(unit))  # the panels share their limits
        for axes, ends in zip(grid, labels, strict=True):
            _end_labels(axes, ends, len(plan.x.values) - 1 if not plan.x.numeric else max(plan.x.values))
        for axes in grid:
            _target_band(words, axes, metric, percent_scale(unit))
        outer_labels(canvas, grid, words.key(plan.x.key), textwrap.fill(words.axis_label(metric, unit), 34))
    return canvas


def _series(
    points: Sequence[ShownPoint], metric: str, axis: SweptAxis, scale: float
) -> tuple[list[float], list[float], list[float], list[float]]:
    """Places along x, values, and ends of intervals (the value itself where an end is unknown), in the order of the
    axis.
    """
    ordered = sorted(points, key=lambda one: axis.values.index(one.point.values[axis.key]))
    ordered = [one for one in ordered if one.estimates[metric].defined]
    x = [
        one.point.values[axis.key] if axis.numeric else axis.values.index(one.point.values[axis.key]) for one in ordered
    ]
    estimates = [one.estimates[metric] for one in ordered]
    y = [scale * e.value for e in estimates]
    return (
        x,
        y,
        [scale * e.low if math.isfinite(e.low) else at for e, at in zip(estimates, y, strict=True)],
        [scale * e.high if math.isfinite(e.high) else at for e, at in zip(estimates, y, strict=True)],
    )


def _end_labels(axes: Axes, ends: Sequence[tuple[float, str, str]], x: float) -> None:
    """The values of the second axis at the lines' right ends, pushed apart where they would touch."""
    bottom, top = axes.get_ylim()
    gap = (top - bottom) * 0.075
    y = -math.inf
    for value, label, role in sorted(ends):
        y = max(value, y + gap)
        axes.annotate(
            label,
            (x, y),
            xytext=(9, 0),
            textcoords="offset points",
            color=text_colour(role),
            fontsize=FONT - 1,
            va="center",
            annotation_clip=False,
        )
    axes.set_ylim(bottom, max(top, y + gap / 2))


def _make_room(words: SweepWords, axes: Axes, metric: str, scale: float) -> None:
    """Widen the vertical axis so that the target's range can be seen."""
    target = words.data.targets.by_metric.get(metric) if words.data.targets else None
    if target is None:
        return
    ends = [scale * end for end in (target.range.low, target.range.high) if math.isfinite(end)]
    bottom, top = axes.get_ylim()
    room = 0.04 * (max(top, *ends) - min(bottom, *ends))  # more on the side that is open
    below, above = (room if math.isfinite(end) else 4 * room for end in (target.range.low, target.range.high))
    axes.set_ylim(min(bottom, min(ends) - below), max(top, max(ends) + above))


def _target_band(words: SweepWords, axes: Axes, metric: str, scale: float) -> None:
    """The target's range behind the lines."""
    target = words.data.targets.by_metric.get(metric) if words.data.targets else None
    if target is None:
        return
    bottom, top = axes.get_ylim()
    low, high = max(scale * target.range.low, bottom), min(scale * target.range.high, top)
    axes.axhspan(low, high, color=colour("good"), alpha=0.12, linewidth=0, zorder=0)
    axes.set_ylim(bottom, top)
    axes.annotate(
        words.text("figures.target"),
        (0, high),
        xycoords=("axes fraction", "data"),
        xytext=(3, -3),
        textcoords="offset points",
        va="top",
        fontsize=FONT - 2,
        color=colour("ink"),
        bbox={"facecolor": colour("paper"), "alpha": 0.8, "edgecolor": "none", "pad": 0.8},  # over lines and bands
    )


def _ends(words: SweepWords, estimates: Sequence[Estimate]) -> str:
    defined = sorted((e for e in estimates if e.defined), key=lambda e: e.value)
    return words.text("figures.from_to", low=words.value(defined[0]), high=words.value(defined[-1])) if defined else "–"
