"""Heat maps of shares: cells of two whole numbers, coloured by how far a share lies above or below one half."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from numbluff_sim.analysis.report.axes import wrapped_titles
from numbluff_sim.analysis.report.sheet import outer_labels, sheet
from numbluff_sim.analysis.report.style import FONT, colour, settings
from numbluff_sim.analysis.statistics.estimates import Estimate
from numbluff_sim.i18n import Numbers

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

#: Inches a cell is high, and the strongest opacity of a cell's colour, which still leaves its text readable.
CELL, STRONGEST = 0.4, 0.5
ABOVE, BELOW = "accent_1", "accent_2"
#: Letters of the titles of all panels that stand beside each other.
TITLE_LETTERS = 48


@dataclass(frozen=True)
class HeatPanel:
    """Shares by (x, y) under one title; cells that are missing stay empty."""

    title: str
    cells: Mapping[tuple[int, int], Estimate]


def heat_maps(
    panels: Sequence[HeatPanel], size: int, x_label: str, y_label: str, numbers: Numbers, *, columns: int = 2
) -> Canvas:
    """Maps of cells 1..size each way, a panel's share in percent in each cell, half the width of its interval below."""
    rows = math.ceil(len(panels) / columns)
    titles, extra = wrapped_titles([panel.title for panel in panels], columns, TITLE_LETTERS)
    with settings():
        height = rows * (CELL * size + 0.3) + 0.45 + extra
        canvas, every = sheet(height, rows, columns, space=0.03, sharex=True, sharey=True)
        grid = list(every.flat)
        for axes, panel, title in zip(grid, panels, titles, strict=False):
            _draw(axes, panel, size, numbers)
            axes.set_title(title)
        for axes in grid[len(panels) :]:
            axes.set_visible(False)
        outer_labels(canvas, grid[: len(panels)], x_label, y_label)
    return canvas


def _draw(axes: Axes, panel: HeatPanel, size: int, numbers: Numbers) -> None:
    from matplotlib.patches import Rectangle

    for (x, y), share in panel.cells.items():
        ink = colour(ABOVE if share.value >= 0.5 else BELOW)
        strength = STRONGEST * min(2 * abs(share.value - 0.5), 1.0)
        axes.add_patch(
            Rectangle((x - 0.48, y - 0.48), 0.96, 0.96, facecolor=ink, alpha=max(strength, 0.03), linewidth=0)
        )
        axes.text(
            x,
            y + 0.13,
            numbers.decimal(100 * share.value, 0),
            ha="center",
            va="center_baseline",
            fontsize=FONT,
            color=colour("ink"),
        )
        half = 50 * (share.high - share.low)
        axes.text(
            x,
            y - 0.27,
            f"±{numbers.decimal(half, 1)}",
            ha="center",
            va="center_baseline",
            fontsize=FONT - 2,
            color=colour("ink"),
        )
    axes.set_xlim(0.5, size + 0.5)
    axes.set_ylim(0.5, size + 0.5)
    axes.set_xticks(range(1, size + 1))
    axes.set_yticks(range(1, size + 1))
    axes.tick_params(length=0)
    axes.grid(visible=False)
    axes.spines["bottom"].set_visible(False)
