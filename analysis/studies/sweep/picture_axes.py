"""Which axes of a sweep a picture has, and what its panels share."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from numbluff_sim.analysis.report.axes import wrapped
from numbluff_sim.analysis.report.sheet import sheet
from numbluff_sim.analysis.studies.sweep.data import ShownPoint, SweptAxis
from numbluff_sim.analysis.studies.sweep.words import SweepWords

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

#: Panels of a picture; more values than panels, or than accents as colours, are shown at the base's value alone.
PANELS = 4
#: Letters of a panel's title in a line, and of a value beside an axis.
PANEL_LETTERS, TICK_LETTERS = 30, 14


@dataclass(frozen=True)
class PictureAxes:
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
    ) -> PictureAxes:
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

    def panels(self, shown: Sequence[ShownPoint]) -> list[tuple[Any, list[ShownPoint]]]:
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


def best_values(words: SweepWords, metric: str | None) -> Mapping[str, Any] | None:
    """The values of the best point, at which pictures of the targets stand; None for other metrics."""
    best, targets = words.data.results.best, words.data.targets
    return (
        best.point.values
        if best is not None and targets is not None and (metric is None or metric in targets.by_metric)
        else None
    )


def fixed_words(words: SweepWords, plan: PictureAxes) -> list[str]:
    """What the axes that a picture does not show stand at."""
    if not plan.fixed:
        return []
    key = "figures.fixed_best" if plan.best else "figures.fixed"
    return [words.text(key, values=", ".join(words.setting(key, value) for key, value in plan.fixed.items()))]


def settings_record(words: SweepWords, one: ShownPoint) -> dict[str, Any]:
    """The values of a point's axes as a row of data."""
    return {axis.key: one.point.values[axis.key] for axis in words.data.axes}


def point_record(words: SweepWords, one: ShownPoint, metric: str) -> dict[str, Any]:
    """A point as a row of data."""
    return {**settings_record(words, one), **one.estimates[metric].to_json()}


def panel_grid(panels: int, height: float) -> tuple[Canvas, list[Any]]:
    """Axes for panels, two abreast on common axes; their own titles and room around."""
    columns = 1 if panels == 1 else 2
    rows = math.ceil(panels / columns)
    canvas, every = sheet(rows * (height + 0.25) + 0.4, rows, columns, space=0.03, sharex=True, sharey=True)
    grid = list(every.flat)
    for axes in grid[panels:]:
        axes.set_visible(False)
    return canvas, grid[:panels]


def tick_labels(words: SweepWords, axis: SweptAxis) -> list[str]:
    """The values of an axis, as they stand beside it."""
    return [wrapped(words.shown(axis.key, value), TICK_LETTERS) for value in axis.values]


def x_ticks(words: SweepWords, axes: Axes, axis: SweptAxis) -> None:
    """Ticks of an axis of the sweep along x."""
    if not axis.numeric:
        axes.set_xticks(range(len(axis.values)), tick_labels(words, axis))
        axes.set_xlim(-0.5, len(axis.values) - 0.5)
        axes.grid(axis="x", visible=False)
    elif len(axis.values) <= 8:
        axes.set_xticks(list(axis.values), tick_labels(words, axis))


def ticks(words: SweepWords) -> Any:
    """How the numbers at an axis are written."""
    from matplotlib.ticker import FuncFormatter

    def text(value: float, _: int) -> str:
        digits = next((d for d in range(6) if math.isclose(round(value, d), value, rel_tol=1e-6, abs_tol=1e-9)), 6)
        return words.numbers.decimal(value, digits)

    return FuncFormatter(text)
