"""Four kinds of charts that a report is made of: dots with intervals, spans of quantiles, share bars, curves.

All take rows or lines that carry their own labels and return a Matplotlib figure; none touches pyplot's global state.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from numbluff_sim.analysis.report.sheet import outer_labels, sheet
from numbluff_sim.analysis.report.style import FONT, colour, settings
from numbluff_sim.analysis.statistics.estimates import Estimate
from numbluff_sim.i18n import Numbers

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

LINE = 0.18  # inches a mark takes
ROW_GAP = 0.11  # inches between rows
LABEL_LETTERS = 46  # letters of an axis label that fit into a line
FIGURE_LETTERS, LEAST_LETTERS = (
    70,
    18,
)  # letters that fit beside each other, and those of a label's line under the narrowest axes
TITLE_LETTERS = 34  # letters of a panel's title, which is bold and begins right of the row labels
TICKS, NARROW_TICKS = 6, 4  # steps of a value axis, and of one beside long row labels
LEGEND_LETTERS = 52  # letters that fit into a line of the width of a figure
BAR = 0.27  # inches a share bar takes


@dataclass(frozen=True)
class Axis:
    """The value axis: its label, whether values are shares shown in percent, logarithmic, a marked reference value.

    `symlog`: logarithmic on both sides from this value (as shown) on, linear between.
    """

    label: str
    numbers: Numbers
    percent: bool = False
    log: bool = False
    from_zero: bool = False
    reference: float | None = None
    reference_label: str = ""
    reference_role: str = "muted"
    symlog: float | None = None

    @property
    def scale(self) -> float:
        """Factor from values to what the axis shows."""
        return 100.0 if self.percent else 1.0


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
class Span:
    """Quantiles 10, 25, 50, 75, 90 % of a distribution."""

    quantiles: Sequence[float]
    role: str = "ink"
    label: str = ""


@dataclass(frozen=True)
class Row:
    """A labelled row of a chart."""

    label: str
    marks: Sequence[Mark | Span]


@dataclass(frozen=True)
class Panel:
    """Rows under one title."""

    title: str
    rows: Sequence[Row]


@dataclass(frozen=True)
class Line:
    """A curve with bands around it."""

    x: Sequence[float]
    y: Sequence[float]
    role: str = "ink"
    bands: Sequence[tuple[Sequence[float], Sequence[float]]] = ()


@dataclass(frozen=True)
class LinePanel:
    """Curves under one title."""

    title: str
    lines: Sequence[Line]


def _tick_text(axis: Axis) -> Any:
    from matplotlib.ticker import FuncFormatter

    def text(value: float, _: int) -> str:
        digits = next((d for d in range(6) if math.isclose(round(value, d), value, rel_tol=1e-6, abs_tol=1e-9)), 6)
        return axis.numbers.decimal(value, digits)

    return FuncFormatter(text)


def _value_axis(axes: Axes, axis: Axis, ticks: int = TICKS) -> None:
    from matplotlib.ticker import FixedLocator, LogLocator, MaxNLocator, NullFormatter

    if axis.symlog is not None:
        axes.set_xscale("symlog", linthresh=axis.symlog)
        axes.autoscale_view()
        axes.xaxis.set_major_locator(
            FixedLocator([0, *(sign * axis.symlog * 10**k for k in range(6) for sign in (-1, 1))])
        )
    elif axis.log:
        axes.set_xscale("log")
        axes.xaxis.set_major_locator(LogLocator(numticks=6))  # every second power of ten where all would touch
        axes.xaxis.set_minor_formatter(NullFormatter())
    else:
        axes.xaxis.set_major_locator(MaxNLocator(nbins=ticks, steps=[1, 2, 2.5, 5, 10]))
    axes.xaxis.set_major_formatter(_tick_text(axis))
    axes.tick_params(axis="both", which="both", length=0)
    axes.grid(axis="y", visible=False)


def _draw_mark(axes: Axes, mark: Mark, y: float, axis: Axis, *, aside: bool) -> None:
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
    )
    if mark.inside:
        axes.text(
            mark.value * scale,
            y,
            mark.inside,
            color=colour("paper"),
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
            color=ink,
            fontsize=FONT - 1.5,
            va="center",
            annotation_clip=False,
        )


def _draw_span(axes: Axes, span: Span, y: float, axis: Axis) -> None:
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
    )
    if span.label:
        axes.annotate(
            span.label,
            (high, y),
            xytext=(6, 0),
            textcoords="offset points",
            color=ink,
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


def dots(panels: Sequence[Panel], axis: Axis, *, room: float = 0.0, aside: bool = False) -> Canvas:
    """Horizontal dots with intervals (`Mark`) or spans of quantiles (`Span`): panels above each other on one value
    axis.

    `room`: how much wider than the values the axis is, for labels at the right (1.0: twice as wide); `aside`: labels
    stand in a column of their own.
    """
    layouts = [_row_places(panel) for panel in panels]
    longest = max((len(line) for panel in panels for row in panel.rows for line in row.label.split("\n")), default=0)
    heights = [height for _, height in layouts]
    with settings():
        titles = [_wrapped(panel.title, TITLE_LETTERS) for panel in panels]
        canvas, grid = sheet(
            sum(heights) + 0.55 + sum(0.3 + 0.16 * title.count("\n") for title in titles),
            len(panels),
            1,
            sharex=True,
            gridspec_kw={"height_ratios": heights},
        )
        for (places, height), panel, title, axes in zip(layouts, panels, titles, grid[:, 0], strict=True):
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
                    if isinstance(mark, Span):
                        _draw_span(axes, mark, y, axis)
                    else:
                        _draw_mark(axes, mark, y, axis, aside=aside)
            axes.set_yticks([sum(ys) / len(ys) for ys in places], [row.label for row in panel.rows])
            axes.set_ylim(height, 0)
            axes.set_title(title)
            _value_axis(axes, axis, NARROW_TICKS if longest > FIGURE_LETTERS // 2 else TICKS)
        if axis.from_zero:
            right = max(axes.get_xlim()[1], 1e-9)
            axes.set_xlim(-0.025 * right, right)  # half a dot at 0 has room
        if room:
            left, right = axes.get_xlim()
            axes.set_xlim(left, right + room * (right - left))
        axes.set_xlabel(_wrapped(axis.label, max(LEAST_LETTERS, min(LABEL_LETTERS, FIGURE_LETTERS - longest))))
        if axis.reference is not None and axis.reference_label:
            top = grid[0, 0]
            top.annotate(
                axis.reference_label,
                (axis.reference * axis.scale, 1),
                xycoords=("data", "axes fraction"),
                xytext=(0, 3),
                textcoords="offset points",
                fontsize=FONT - 1.5,
                color=colour(axis.reference_role),
                ha="center",
            )
    return canvas


@dataclass(frozen=True)
class Bar:
    """A share bar: parts that add up to 1, in the order of the chart's part names."""

    label: str
    parts: Sequence[float]
    group: str = ""


def share_bars(bars: Sequence[Bar], names: Sequence[str], roles: Sequence[str], axis: Axis) -> Canvas:
    """Bars from 0 to 100 %, groups above each other; parts named once right above in their colours, shares of 5 % and
    more written inside.

    A role may carry an opacity: "ink/0.5".
    """
    shades = [(colour(role.split("/")[0]), float(role.split("/")[1]) if "/" in role else 1.0) for role in roles]
    groups = {group: [bar for bar in bars if bar.group == group] for group in dict.fromkeys(bar.group for bar in bars)}
    sizes = [len(members) for members in groups.values()]
    titles = sum(0.32 + 0.16 * _wrapped(group, TITLE_LETTERS).count("\n") for group in groups)
    height = BAR * len(bars) + titles + 0.55 + 0.2 * math.ceil(len(names) / legend_columns(names))
    with settings():
        canvas, grid = sheet(height, len(groups), 1, sharex=True, gridspec_kw={"height_ratios": sizes})
        for axes, (group, members) in zip(grid[:, 0], groups.items(), strict=True):
            for i, bar in enumerate(members):
                _draw_bar(axes, i, bar, shades, axis.numbers)
            axes.set_yticks(range(len(members)), [bar.label for bar in members])
            axes.set_ylim(len(members) - 0.5, -0.5)
            axes.set_xlim(0, 100)
            axes.set_title(_wrapped(group, TITLE_LETTERS))
            _value_axis(axes, axis)
        axes.set_xlabel(_wrapped(axis.label))
        _legend(grid[0, 0], [(name, ink, alpha) for name, (ink, alpha) in zip(names, shades, strict=True)])
    return canvas


def _draw_bar(axes: Axes, y: float, bar: Bar, shades: Sequence[tuple[str, float]], numbers: Numbers) -> None:
    left = 0.0
    axes.barh(y, 100, height=0.74, color=colour("paper"))  # no grid shines through
    for part, (ink, alpha) in zip(bar.parts, shades, strict=True):
        axes.barh(
            y, 100 * part, left=left, height=0.74, color=ink, alpha=alpha, edgecolor=colour("paper"), linewidth=0.6
        )
        if part >= 0.05:
            ground = colour("paper") if alpha > 0.45 else colour("ink")
            axes.text(
                left + 50 * part,
                y,
                numbers.integer(100 * part),
                ha="center",
                va="center_baseline",
                fontsize=FONT - 1.5,
                color=ground,
            )
        left += 100 * part


def _wrapped(label: str, letters: int = LABEL_LETTERS) -> str:
    return textwrap.fill(label, letters)


def _legend(axes: Axes, parts: Sequence[tuple[str, str, float]]) -> None:
    """The parts' names right above the bars, in reading order (Matplotlib itself fills columns first)."""
    from matplotlib.patches import Patch

    columns = legend_columns([name for name, _, _ in parts])
    order = [i for column in range(columns) for i in range(column, len(parts), columns)]
    handles = [Patch(facecolor=parts[i][1], alpha=parts[i][2], edgecolor="none") for i in order]
    axes.legend(
        handles,
        [parts[i][0] for i in order],
        loc="lower left",
        bbox_to_anchor=(0, 1),
        borderaxespad=2.0 + 1.5 * axes.get_title(loc="left").count("\n"),  # room for the first group's title
        ncols=columns,
        frameon=False,
        fontsize=FONT - 1,
        handlelength=1,
        handleheight=1,
        columnspacing=1.2,
        borderpad=0,
    )


def legend_columns(names: Sequence[str]) -> int:
    """How many names fit into a line above the bars."""
    return (
        len(names)
        if sum(map(len, names)) + 4 * len(names) <= LEGEND_LETTERS
        else max(1, LEGEND_LETTERS // (max(map(len, names)) + 4))
    )


def wrapped_titles(titles: Sequence[str], columns: int, letters: int) -> tuple[list[str], float]:
    """Titles of panels in a grid, with so many letters beside each other, and the inches that their further lines
    take.
    """
    wrapped = [_wrapped(title, letters // columns) for title in titles]
    return wrapped, 0.16 * sum(
        max(title.count("\n") for title in wrapped[k : k + columns]) for k in range(0, len(wrapped), columns)
    )


def curves(
    panels: Sequence[LinePanel],
    axis: Axis,
    x_label: str,
    *,
    columns: int = 1,
    panel_height: float = 1.7,
    x_step: int | None = None,
) -> Canvas:
    """Curves; panels in a grid on common axes. `axis` is the vertical axis."""
    from matplotlib.ticker import MaxNLocator, MultipleLocator

    rows = math.ceil(len(panels) / columns)
    with settings():
        titles, extra = wrapped_titles([panel.title for panel in panels], columns, LABEL_LETTERS)
        canvas, grid = sheet(rows * (panel_height + 0.3) + 0.4 + extra, rows, columns, sharex=True, sharey=True)
        flat = list(grid.flat)
        for axes, panel, title in zip(flat, panels, titles, strict=False):
            for line in panel.lines:
                y = [value * axis.scale for value in line.y]
                for low, high in line.bands:
                    axes.fill_between(
                        line.x,
                        [v * axis.scale for v in low],
                        [v * axis.scale for v in high],
                        color=colour(line.role),
                        alpha=0.22,
                        linewidth=0,
                    )
                axes.plot(line.x, y, color=colour(line.role), linewidth=1.7)
            axes.set_title(title)
            _value_axis(axes, Axis(x_label, axis.numbers))
            axes.grid(axis="y", visible=True)
            axes.yaxis.set_major_locator(MaxNLocator(nbins=5, steps=[1, 2, 2.5, 5, 10]))
            axes.yaxis.set_major_formatter(_tick_text(axis))
            if x_step:
                axes.xaxis.set_major_locator(MultipleLocator(x_step))
        if axis.from_zero:
            flat[0].set_ylim(bottom=0)
        for axes in flat[len(panels) :]:
            axes.set_visible(False)
        outer_labels(canvas, flat[: len(panels)], x_label, axis.label)
    return canvas
