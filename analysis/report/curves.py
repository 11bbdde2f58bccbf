"""Charts of curves with bands around them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from numbluff_sim.analysis.report.axes import (
    LABEL_LETTERS,
    ValueAxis,
    tick_text,
    value_axis,
    wrapped_titles,
)
from numbluff_sim.analysis.report.sheet import outer_labels, sheet
from numbluff_sim.analysis.report.style import colour, settings

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas


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


def curves(
    panels: Sequence[LinePanel],
    axis: ValueAxis,
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
            value_axis(axes, ValueAxis(x_label, axis.numbers))
            axes.grid(axis="y", visible=True)
            axes.yaxis.set_major_locator(MaxNLocator(nbins=5, steps=[1, 2, 2.5, 5, 10]))
            axes.yaxis.set_major_formatter(tick_text(axis))
            if x_step:
                axes.xaxis.set_major_locator(MultipleLocator(x_step))
        if axis.from_zero:
            flat[0].set_ylim(bottom=0)
        for axes in flat[len(panels) :]:
            axes.set_visible(False)
        outer_labels(canvas, flat[: len(panels)], x_label, axis.label)
    return canvas
