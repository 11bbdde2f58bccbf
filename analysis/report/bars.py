"""Charts of bars whose parts add up to 100 %."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from numbluff_sim.analysis.report.axes import (
    TITLE_LETTERS,
    TITLE_LINES,
    ValueAxis,
    row_label,
    value_axis,
    wrapped,
)
from numbluff_sim.analysis.report.sheet import sheet
from numbluff_sim.analysis.report.style import FONT, colour, letters_on, settings
from numbluff_sim.i18n import Numbers

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

LEGEND_LETTERS = 50  # letters that fit into a line beside the labels of rows


BAR = 0.27  # inches a share bar takes


@dataclass(frozen=True)
class Bar:
    """A share bar: parts that add up to 1, in the order of the chart's part names."""

    label: str
    parts: Sequence[float]
    group: str = ""


def share_bars(bars: Sequence[Bar], names: Sequence[str], roles: Sequence[str], axis: ValueAxis) -> Canvas:
    """Bars from 0 to 100 %, groups above each other; parts named once right above in their colours, shares of 5 % and
    more written inside.

    A role may carry an opacity: "ink/0.5".
    """
    shades = [(role.split("/")[0], float(role.split("/")[1]) if "/" in role else 1.0) for role in roles]
    groups = {group: [bar for bar in bars if bar.group == group] for group in dict.fromkeys(bar.group for bar in bars)}
    sizes = [len(members) for members in groups.values()]
    titles = sum(0.32 + 0.16 * wrapped(group, TITLE_LETTERS, TITLE_LINES).count("\n") for group in groups)
    height = BAR * len(bars) + titles + 0.55 + 0.2 * math.ceil(len(names) / legend_columns(names))
    with settings():
        canvas, grid = sheet(height, len(groups), 1, sharex=True, gridspec_kw={"height_ratios": sizes})
        for axes, (group, members) in zip(grid[:, 0], groups.items(), strict=True):
            for i, bar in enumerate(members):
                _draw_bar(axes, i, bar, shades, axis.numbers)
            axes.set_yticks(range(len(members)), [row_label(bar.label) for bar in members])
            axes.set_ylim(len(members) - 0.5, -0.5)
            axes.set_xlim(0, 100)
            axes.set_title(wrapped(group, TITLE_LETTERS, TITLE_LINES))
            value_axis(axes, axis)
        axes.set_xlabel(wrapped(axis.label))
        _legend(grid[0, 0], [(name, colour(role), alpha) for name, (role, alpha) in zip(names, shades, strict=True)])
    return canvas


def _draw_bar(axes: Axes, y: float, bar: Bar, shades: Sequence[tuple[str, float]], numbers: Numbers) -> None:
    left = 0.0
    axes.barh(y, 100, height=0.74, color=colour("paper"))  # no grid shines through
    for part, (role, alpha) in zip(bar.parts, shades, strict=True):
        ink = colour(role)
        axes.barh(
            y, 100 * part, left=left, height=0.74, color=ink, alpha=alpha, edgecolor=colour("paper"), linewidth=0.6
        )
        if part >= 0.05:
            axes.text(
                left + 50 * part,
                y,
                numbers.integer(100 * part),
                ha="center",
                va="center_baseline",
                fontsize=FONT - 1.5,
                color=letters_on(role, alpha),
            )
        left += 100 * part


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
