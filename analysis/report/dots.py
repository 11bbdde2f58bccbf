"""Charts of dots with intervals and of spans of quantiles, rows under each other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from numbluff_sim.analysis.report.axes import (
    LABEL_LETTERS,
    NARROW_TICKS,
    TICKS,
    TITLE_LETTERS,
    TITLE_LINES,
    ValueAxis,
    row_label,
    value_axis,
    wrapped,
)
from numbluff_sim.analysis.report.sheet import sheet
from numbluff_sim.analysis.report.style import FONT, colour, letters_on, settings, text_colour
from numbluff_sim.analysis.statistics.estimates import Estimate

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

LINE = 0.18  # inches a mark takes
REFERENCE_ROOM = 17.0  # points between the first panel and its title, where the reference is named


ROW_GAP = 0.11  # inches between rows


FIGURE_LETTERS, LEAST_LETTERS = (
    70,
    18,
)  # letters that fit beside each other, and those of a label's line under the narrowest axes


@dataclass(frozen=True)
class Mark:
    """One estimate: value and interval (None: none known), the role that colours it, a short text inside the dot, a
    label beside it.
    """

    value: float
    low: float | None = None
    high: float | None = None
    role: str = "ink"
    inside: str = ""
    label: str = ""
    shape: str = "o"

    @classmethod
    def of(cls, estimate: Estimate, role: str, label: str = "", shape: str = "o", inside: str = "") -> Mark:
        """An estimate with its interval."""
        return cls(estimate.value, estimate.low, estimate.high, role, inside, label, shape)


@dataclass(frozen=True)
class Quantiles:
    """Quantiles 10, 25, 50, 75, 90 % of a distribution."""

    quantiles: Sequence[float]
    role: str = "ink"
    label: str = ""


@dataclass(frozen=True)
class Row:
    """A labelled row of a chart."""

    label: str
    marks: Sequence[Mark | Quantiles]


@dataclass(frozen=True)
class Panel:
    """Rows under one title."""

    title: str
    rows: Sequence[Row]


def _draw_mark(axes: Axes, mark: Mark, y: float, axis: ValueAxis, *, aside: bool) -> None:
    ink, scale = colour(mark.role), axis.scale
    bounded = mark.low is not None and mark.high is not None and math.isfinite(mark.low) and math.isfinite(mark.high)
    if mark.low is not None and mark.high is not None and bounded:
        axes.plot(
            [mark.low * scale, mark.high * scale], [y, y], color=ink, linewidth=1.6, solid_capstyle="butt", zorder=2
        )
    size = 9.5 if mark.inside else 6.5
    axes.plot(
        [mark.value * scale],
        [y],
        marker=mark.shape,
        color=ink,
        markersize=size,
        markeredgecolor=colour("paper"),
        markeredgewidth=0.6,
        zorder=3,
        clip_on=False,  # a dot at the end of the axis is whole
    )
    if mark.inside:
        axes.text(
            mark.value * scale,
            y,
            mark.inside,
            color=letters_on(mark.role),
            fontsize=FONT - 2.5,
            ha="center",
            va="center_baseline",
            zorder=4,
            clip_on=True,
        )
    if mark.label:
        end = max(mark.value, mark.high if mark.high is not None and bounded else mark.value) * scale
        place, where = ((1.0, y), ("axes fraction", "data")) if aside else ((end, y), "data")
        axes.annotate(
            mark.label,
            place,
            xycoords=where,
            xytext=(8, 0),
            textcoords="offset points",
            color=text_colour(mark.role),
            fontsize=FONT - 1.5,
            va="center",
            annotation_clip=False,
        )


def _draw_span(axes: Axes, span: Quantiles, y: float, axis: ValueAxis) -> None:
    low, first, middle, third, high = (q * axis.scale for q in span.quantiles)
    ink = colour(span.role)
    axes.plot([low, high], [y, y], color=ink, linewidth=1.4, solid_capstyle="butt", zorder=2)
    axes.plot([first, third], [y, y], color=ink, linewidth=5.5, alpha=0.45, solid_capstyle="butt", zorder=2)
    axes.plot(
        [middle],
        [y],
        marker="o",
        color=ink,
        markersize=6.5,
        markeredgecolor=colour("paper"),
        markeredgewidth=0.6,
        zorder=3,
        clip_on=False,
    )
    if span.label:
        axes.annotate(
            span.label,
            (high, y),
            xytext=(6, 0),
            textcoords="offset points",
            color=text_colour(span.role),
            fontsize=FONT - 1.5,
            va="center",
            annotation_clip=False,
        )


def _row_places(panel: Panel) -> tuple[list[list[float]], float]:
    """The y of every mark (inches from the top of the panel, downward) and the panel's height."""
    places, y = [], ROW_GAP / 2
    for row in panel.rows:
        lines = max(1, len(row.marks), row.label.count("\n") + 1)
        top = y + LINE * (lines - len(row.marks)) / 2
        places.append([top + LINE * (i + 0.5) for i in range(len(row.marks))])
        y += LINE * lines + ROW_GAP
    return places, y


def dots(panels: Sequence[Panel], axis: ValueAxis, *, room: float = 0.0, aside: bool = False) -> Canvas:
    """Horizontal dots with intervals (`Mark`) or spans of quantiles (`Quantiles`): panels above each other on one value
    axis.

    `room`: how much wider than the values the axis is, for labels at the right (1.0: twice as wide); `aside`: labels
    stand in a column of their own.
    """
    panels = [Panel(panel.title, [Row(row_label(row.label), row.marks) for row in panel.rows]) for panel in panels]
    layouts = [_row_places(panel) for panel in panels]
    longest = max((len(line) for panel in panels for row in panel.rows for line in row.label.split("\n")), default=0)
    heights = [height for _, height in layouts]
    with settings():
        titles = [wrapped(panel.title, TITLE_LETTERS, TITLE_LINES) for panel in panels]
        canvas, grid = sheet(
            sum(heights) + 0.55 + sum(0.3 + 0.16 * title.count("\n") for title in titles),
            len(panels),
            1,
            sharex=True,
            gridspec_kw={"height_ratios": heights},
        )
        for (places, height), panel, title, axes in zip(layouts, panels, titles, grid[:, 0], strict=True):
            _draw_rows(axes, panel, places, axis, aside=aside)
            axes.set_yticks([sum(ys) / len(ys) for ys in places], [row.label for row in panel.rows])
            axes.set_ylim(height, 0)
            named = axes is grid[0, 0] and axis.reference is not None and axis.reference_label
            axes.set_title(title, pad=REFERENCE_ROOM if named else None)
            value_axis(axes, axis, NARROW_TICKS if longest > FIGURE_LETTERS // 2 else TICKS)
        if axis.from_zero:
            right = max(axes.get_xlim()[1], 1e-9)
            axes.set_xlim(-0.025 * right, right)  # half a dot at 0 has room
        if room:
            left, right = axes.get_xlim()
            axes.set_xlim(left, right + room * (right - left))
        axes.set_xlabel(wrapped(axis.label, max(LEAST_LETTERS, min(LABEL_LETTERS, FIGURE_LETTERS - longest))))
        _name_reference(grid[0, 0], axis)
    return canvas


def _draw_rows(axes: Axes, panel: Panel, places: Sequence[Sequence[float]], axis: ValueAxis, *, aside: bool) -> None:
    """The rows of a panel, every second one on shaded ground, and the reference behind them."""
    if axis.reference is not None:
        axes.axvline(
            axis.reference * axis.scale,
            color=colour(axis.reference_role),
            linewidth=1,
            linestyle=(0, (4, 2)),
            zorder=1,
        )
    for i, (row, ys) in enumerate(zip(panel.rows, places, strict=True)):
        if i % 2 == 0:
            half = max(LINE * (row.label.count("\n") + 1 - len(ys)), 0) / 2 + (LINE + ROW_GAP) / 2
            axes.axhspan(
                (ys[0] if ys else 0) - half,
                (ys[-1] if ys else 0) + half,
                color=colour("wash"),
                linewidth=0,
                zorder=0,
            )
        for mark, y in zip(row.marks, ys, strict=True):
            if isinstance(mark, Quantiles):
                _draw_span(axes, mark, y, axis)
            else:
                _draw_mark(axes, mark, y, axis, aside=aside)


def _name_reference(axes: Axes, axis: ValueAxis) -> None:
    if axis.reference is not None and axis.reference_label:
        axes.annotate(
            axis.reference_label,
            (axis.reference * axis.scale, 1),
            xycoords=("data", "axes fraction"),
            xytext=(0, 3),
            textcoords="offset points",
            fontsize=FONT - 1.5,
            color=text_colour(axis.reference_role),
            ha="center",
        )
