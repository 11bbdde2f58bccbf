"""Axes of charts: the value axis, and words that fit beside them."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from numbluff_sim.i18n import Numbers

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LABEL_LETTERS = 46  # letters of an axis label that fit into a line


TITLE_LETTERS, TITLE_LINES = 34, 3  # of a panel's title, which is bold and begins right of the row labels


ROW_LETTERS, ROW_LINES = 30, 3  # letters of a line of a row's label, and lines of one: the rest stands in the table


TICKS, NARROW_TICKS = 6, 4  # steps of a value axis, and of one beside long row labels


@dataclass(frozen=True)
class ValueAxis:
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


def tick_text(axis: ValueAxis) -> Any:
    """Numbers as the language writes them, with the decimals that they need."""
    from matplotlib.ticker import FuncFormatter

    def text(value: float, _: int) -> str:
        digits = next((d for d in range(6) if math.isclose(round(value, d), value, rel_tol=1e-6, abs_tol=1e-9)), 6)
        return axis.numbers.decimal(value, digits)

    return FuncFormatter(text)


def value_axis(axes: Axes, axis: ValueAxis, ticks: int = TICKS) -> None:
    """Draw the scale, ticks and grid of a value axis, along x."""
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
    axes.xaxis.set_major_formatter(tick_text(axis))
    axes.tick_params(axis="both", which="both", length=0)
    axes.grid(axis="y", visible=False)


def wrapped(label: str, letters: int = LABEL_LETTERS, lines: int | None = None) -> str:
    """A label in lines of so many letters, with "…" where it would take more than so many lines."""
    return textwrap.fill(label, letters, max_lines=lines, placeholder="…")


def row_label(label: str) -> str:
    """The label of a row, which may have lines of its own, in lines that leave room for what the row shows."""
    return "\n".join(wrapped(line, ROW_LETTERS, ROW_LINES) for line in label.split("\n"))


def wrapped_titles(titles: Sequence[str], columns: int, letters: int) -> tuple[list[str], float]:
    """Titles of panels in a grid, with so many letters beside each other, and the inches that their further lines
    take.
    """
    lines = [wrapped(title, letters // columns, TITLE_LINES) for title in titles]
    return lines, 0.16 * sum(
        max(title.count("\n") for title in lines[k : k + columns]) for k in range(0, len(lines), columns)
    )
