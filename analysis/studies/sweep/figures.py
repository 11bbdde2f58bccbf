"""Pictures of how metrics follow the keys of a sweep: lines with bands, maps of two keys."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from numbluff_sim.analysis.report.model import Picture
from numbluff_sim.analysis.report.sheet import outer_labels, sheet
from numbluff_sim.analysis.report.style import FONT, colour, settings
from numbluff_sim.analysis.report.wording import digits_of
from numbluff_sim.analysis.statistics.estimates import Estimate
from numbluff_sim.analysis.studies.sweep.data import Shown, SweptAxis
from numbluff_sim.analysis.studies.sweep.words import SweepWords

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

#: Colours of the lines of a picture; more values than colours, or than panels, are shown at the base's value alone.
COLOURS = ("farthest", "bluffer", "closest", "pot", "winner", "seat4")
PANELS = 4
#: Cells of a map in one direction.
CELLS = 12


@dataclass(frozen=True)
class Plan:
    """Which axes a picture has: along x, as colours (or along y), as panels; the other axes stand at `fixed` values.

    `best`: these are the values of the best point, not the base's.
    """

    x: SweptAxis
    second: SweptAxis | None
    third: SweptAxis | None
    fixed: dict[str, Any]
    best: bool = False

    @classmethod
    def of(
        cls,
        axes: Sequence[SweptAxis],
        *,
        most: int,
        best: Mapping[str, Any] | None = None,
        others: Sequence[SweptAxis] = (),
    ) -> Plan:
        """Numbers with the most values along x; the next ones with at most `most` values second, with at most PANELS
        third.

        The rest and the `others` stand at the values of the `best` point, without one at the base's.
        """
        rest = sorted(axes, key=lambda axis: (not axis.numeric, -len(axis.values)))
        x = rest.pop(0)
        chosen: list[SweptAxis | None] = []
        for limit in (most, PANELS):
            found = next((axis for axis in rest if 2 <= len(axis.values) <= limit), None)
            chosen.append(found)
            if found is not None:
                rest.remove(found)
        fixed = {}
        for axis in (*rest, *others):
            wanted = axis.base if best is None else best[axis.key]
            fixed[axis.key] = wanted if wanted in axis.values else axis.values[0]
        return cls(x, chosen[0], chosen[1], fixed, best is not None)

    def panels(self, shown: Sequence[Shown]) -> list[tuple[Any, list[Shown]]]:
        """The points of each panel with the value of the third axis (None where there is none)."""
        fits = [
            one
            for one in shown
            if all(one.point.values[key] == value for key, value in self.fixed.items())
            and all(
                one.point.values[axis.key] in axis.values
                for axis in (self.x, self.second, self.third)
                if axis is not None
            )
        ]
        if self.third is None:
            return [(None, fits)]
        key = self.third.key
        return [(value, [one for one in fits if one.point.values[key] == value]) for value in self.third.values]


def lines(
    words: SweepWords, metric: str, axes: Sequence[SweptAxis], name: str, shown: Sequence[Shown] | None = None
) -> Picture:
    """A metric along one axis, with the bands of its intervals; a second axis as colours, a third as panels.
    `shown`: the points, all by default.
    """
    plan = Plan.of(axes, most=len(COLOURS), best=_best(words, metric))
    every = words.data.shown if shown is None else shown
    panels = [(value, [one for one in points if metric in one.estimates]) for value, points in plan.panels(every)]
    estimates = [one.estimates[metric] for _, points in panels for one in points]
    records = [_record(words, one, metric) for _, points in panels for one in points]
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
        " ".join([*parts, *_fixed(words, plan)]),
        words.text("figures.lines.alt", metric=words.metric(metric)),
        records,
        (lambda: _draw_lines(words, metric, plan, panels)) if estimates else None,
    )


def _draw_lines(words: SweepWords, metric: str, plan: Plan, panels: Sequence[tuple[Any, list[Shown]]]) -> Canvas:
    unit = next(one.estimates[metric].unit for _, points in panels for one in points)
    with settings():
        canvas, grid = _grid(len(panels), 2.1)
        labels = []
        for axes, (value, points) in zip(grid, panels, strict=True):
            ends = []
            for place, second in enumerate(plan.second.values if plan.second else (None,)):
                series = [one for one in points if plan.second is None or one.point.values[plan.second.key] == second]
                ink = colour(COLOURS[place])
                x, y, low, high = _series(series, metric, plan.x, 100 if unit == "share" else 1)
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
                    ends.append((y[-1], words.shown(second), ink))
            _x_ticks(words, axes, plan.x)
            axes.set_title(
                words.text("figures.panel", key=words.key(plan.third.key), value=words.shown(value))
                if plan.third
                else ""
            )
            axes.tick_params(length=0)
            axes.yaxis.set_major_formatter(ticks(words))
            labels.append(ends)
        _make_room(words, grid[0], metric, 100 if unit == "share" else 1)  # the panels share their limits
        for axes, ends in zip(grid, labels, strict=True):
            _end_labels(axes, ends, len(plan.x.values) - 1 if not plan.x.numeric else max(plan.x.values))
        for axes in grid:
            _target_band(words, axes, metric, 100 if unit == "share" else 1)
        outer_labels(canvas, grid, words.key(plan.x.key), textwrap.fill(words.axis_label(metric, unit), 34))
    return canvas


def _series(
    points: Sequence[Shown], metric: str, axis: SweptAxis, scale: float
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
    for value, label, ink in sorted(ends):
        y = max(value, y + gap)
        axes.annotate(
            label,
            (x, y),
            xytext=(9, 0),
            textcoords="offset points",
            color=ink,
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
    axes.axhspan(low, high, color=colour("closest"), alpha=0.12, linewidth=0, zorder=0)
    axes.set_ylim(bottom, top)
    axes.annotate(
        words.text("figures.target"),
        (0, high),
        xycoords=("axes fraction", "data"),
        xytext=(3, -3),
        textcoords="offset points",
        va="top",
        fontsize=FONT - 2,
        color=colour("closest"),
    )


def heat_map(words: SweepWords, metric: str | None, name: str) -> Picture | None:
    """Two axes as a map of cells, a third as panels; `metric` None: the distance from the targets. None where there
    are no two axes.
    """
    plan = (
        Plan.of(
            [axis for axis in words.data.axes if len(axis.values) <= CELLS],
            most=CELLS,
            best=_best(words, metric),
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
        _record(words, one, metric) if metric else {**_settings(words, one), "distance": one.distance} for one in cells
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
        *_fixed(words, plan),
    ]
    return Picture(
        name,
        words.text(f"figures.{kind}.question", **keys),
        " ".join(caption),
        words.text(f"figures.{kind}.alt", **keys),
        records,
        lambda: _draw_map(words, metric, plan, panels),
    )


def _best(words: SweepWords, metric: str | None) -> Mapping[str, Any] | None:
    """The values of the best point, at which pictures of the targets stand; None for other metrics."""
    best, targets = words.data.results.best, words.data.targets
    return (
        best.point.values
        if best is not None and targets is not None and (metric is None or metric in targets.by_metric)
        else None
    )


def _marks(words: SweepWords, cells: Sequence[Shown]) -> list[str]:
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


def _value(one: Shown, metric: str | None) -> float | None:
    if metric is None:
        return one.distance
    return one.estimates[metric].value if metric in one.estimates and one.estimates[metric].defined else None


def _draw_map(words: SweepWords, metric: str | None, plan: Plan, panels: Sequence[tuple[Any, list[Shown]]]) -> Canvas:
    from matplotlib.patches import Rectangle

    assert plan.second is not None
    values = [value for _, points in panels for one in points if (value := _value(one, metric)) is not None]
    low, high = min(values), max(values)
    best = words.data.results.best
    with settings():
        canvas, grid = _grid(len(panels), 0.5 + 0.32 * len(plan.second.values))
        for axes, (third, points) in zip(grid, panels, strict=True):
            for one in points:
                value = _value(one, metric)
                x, y = (axis.values.index(one.point.values[axis.key]) for axis in (plan.x, plan.second))
                shade = 0.0 if value is None or high == low else (value - low) / (high - low)
                met = value is not None and _met(words, one, metric)
                axes.add_patch(
                    Rectangle(
                        (x - 0.5, y - 0.5), 1, 1, facecolor=colour("farthest"), alpha=0.08 + 0.62 * shade, linewidth=0
                    )
                )
                if met:
                    axes.add_patch(
                        Rectangle(
                            (x - 0.46, y - 0.46), 0.92, 0.92, fill=False, edgecolor=colour("closest"), linewidth=1.8
                        )
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
            axes.set_title(
                words.text("figures.panel", key=words.key(plan.third.key), value=words.shown(third))
                if plan.third
                else ""
            )
        outer_labels(canvas, grid, words.key(plan.x.key), words.key(plan.second.key))
    return canvas


def _map_axes(words: SweepWords, axes: Axes, plan: Plan) -> None:
    assert plan.second is not None
    axes.set_xlim(-0.5, len(plan.x.values) - 0.5)
    axes.set_ylim(-0.5, len(plan.second.values) - 0.5)
    axes.set_xticks(range(len(plan.x.values)), [words.shown(value) for value in plan.x.values])
    axes.set_yticks(range(len(plan.second.values)), [words.shown(value) for value in plan.second.values])
    axes.tick_params(length=0)
    axes.grid(visible=False)
    axes.spines["bottom"].set_visible(False)


def _met(words: SweepWords, one: Shown, metric: str | None) -> bool:
    """Whether a point's value lies in the range of the metric's target (without a metric: of all)."""
    if metric is None:
        return one.distance == 0
    target = words.data.targets.by_metric.get(metric) if words.data.targets else None
    return target is not None and one.estimates[metric].value in target.range


def _cell(words: SweepWords, one: Shown, metric: str | None) -> str:
    if metric is None:
        return words.distance(one.distance if one.distance is not None else math.inf)
    estimate = one.estimates[metric]
    return words.numbers.decimal((100 if estimate.unit == "share" else 1) * estimate.value, min(digits_of(estimate), 3))


def _grid(panels: int, height: float) -> tuple[Canvas, list[Any]]:
    """Axes for panels, two abreast on common axes; their own titles and room around."""
    columns = 1 if panels == 1 else 2
    rows = math.ceil(panels / columns)
    canvas, every = sheet(rows * (height + 0.25) + 0.4, rows, columns, space=0.03, sharex=True, sharey=True)
    grid = list(every.flat)
    for axes in grid[panels:]:
        axes.set_visible(False)
    return canvas, grid[:panels]


def _x_ticks(words: SweepWords, axes: Axes, axis: SweptAxis) -> None:
    if not axis.numeric:
        axes.set_xticks(range(len(axis.values)), [words.shown(value) for value in axis.values])
        axes.set_xlim(-0.5, len(axis.values) - 0.5)
        axes.grid(axis="x", visible=False)
    elif len(axis.values) <= 8:
        axes.set_xticks(list(axis.values), [words.shown(value) for value in axis.values])


def ticks(words: SweepWords) -> Any:
    """How the numbers at an axis are written."""
    from matplotlib.ticker import FuncFormatter

    def text(value: float, _: int) -> str:
        digits = next((d for d in range(6) if math.isclose(round(value, d), value, rel_tol=1e-6, abs_tol=1e-9)), 6)
        return words.numbers.decimal(value, digits)

    return FuncFormatter(text)


def _ends(words: SweepWords, estimates: Sequence[Estimate]) -> str:
    defined = sorted((e for e in estimates if e.defined), key=lambda e: e.value)
    return words.text("figures.from_to", low=words.value(defined[0]), high=words.value(defined[-1])) if defined else "–"


def _widest(words: SweepWords, estimates: Sequence[Estimate]) -> str:
    """How far the least certain cell's interval reaches."""
    widest = max(estimates, key=lambda e: e.high - e.low if math.isfinite(e.high - e.low) else math.inf)
    n = words.counted([widest.n], words.denominator(widest.denominator))
    return words.text("figures.heat.widest", level=words.level(), cell=words.cell(widest), n=n)


def _fixed(words: SweepWords, plan: Plan) -> list[str]:
    if not plan.fixed:
        return []
    key = "figures.fixed_best" if plan.best else "figures.fixed"
    return [
        words.text(
            key, values=", ".join(f"{words.key(key)} = {words.shown(value)}" for key, value in plan.fixed.items())
        )
    ]


def _settings(words: SweepWords, one: Shown) -> dict[str, Any]:
    return {axis.key: one.point.values[axis.key] for axis in words.data.axes}


def _record(words: SweepWords, one: Shown, metric: str) -> dict[str, Any]:
    return {**_settings(words, one), **one.estimates[metric].to_json()}
