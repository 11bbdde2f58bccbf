"""Pictures of what a sweep has found: what each key alone does, Sobol indices, distance from the targets against
number of changes.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from string import ascii_uppercase
from typing import TYPE_CHECKING

from numbluff_sim.analysis.report.axes import ROW_LETTERS, ValueAxis, wrapped
from numbluff_sim.analysis.report.dots import Mark, Panel, Row, dots
from numbluff_sim.analysis.report.model import Picture
from numbluff_sim.analysis.report.sheet import sheet
from numbluff_sim.analysis.report.style import FONT, colour, settings
from numbluff_sim.analysis.statistics.estimates import percent_scale
from numbluff_sim.analysis.statistics.sensitivity import Index, Sensitivity
from numbluff_sim.analysis.studies.sweep.data import KeyEffect
from numbluff_sim.analysis.studies.sweep.picture_axes import TICK_LETTERS, ticks
from numbluff_sim.analysis.studies.sweep.words import SweepWords

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

#: Share of a tornado's axis that a letter takes beside a bar.
LETTER = 0.02


def tornado(words: SweepWords, metric: str, effects: Sequence[KeyEffect], name: str) -> Picture:
    """How far each key alone moves a metric, largest effect first: bars from the lowest to the highest difference from
    the base, lines for the intervals of the ends.
    """
    keys = list(dict.fromkeys(effect.key for effect in effects))
    ends = {key: _two_ends([effect for effect in effects if effect.key == key]) for key in keys}
    largest = {key: max(ends[key], key=lambda effect: abs(effect.difference.value)) for key in keys}
    ordered = sorted(keys, key=lambda key: -abs(largest[key].difference.value))
    records = [{"key": effect.key, "value": effect.value, **effect.difference.to_json()} for effect in effects]
    first = largest[ordered[0]]
    answer = words.text(
        "figures.tornado.answer",
        setting=words.setting(first.key, first.value),
        difference=words.difference(first.difference),
        level=words.level(),
        n=words.counted([effect.difference.games for effect in effects], words.denominator("games")),
    )
    return Picture(
        name,
        words.text("figures.tornado.question", metric=words.metric(metric)),
        answer,
        words.text("figures.tornado.alt", metric=words.metric(metric)),
        records,
        lambda: _draw_tornado(words, metric, [(key, ends[key]) for key in ordered]),
    )


def _two_ends(effects: Sequence[KeyEffect]) -> tuple[KeyEffect, KeyEffect]:
    ordered = sorted(effects, key=lambda effect: effect.difference.value)
    return ordered[0], ordered[-1]


def _draw_tornado(words: SweepWords, metric: str, bars: Sequence[tuple[str, tuple[KeyEffect, KeyEffect]]]) -> Canvas:
    unit = bars[0][1][0].difference.unit
    scale = percent_scale(unit)
    with settings():
        canvas, ((axes,),) = sheet(0.42 * len(bars) + 0.75)
        for y, (_, (lowest, highest)) in enumerate(bars):
            for effect, ink, side in ((lowest, "accent_1", -1), (highest, "accent_6", 1)):
                value = scale * effect.difference.value
                if lowest is highest and (value < 0) != (side < 0):
                    continue  # one value alone: one bar
                if side * value > 0:
                    axes.barh(y, value, height=0.6, color=colour(ink), alpha=0.55, linewidth=0)
                low, high = (
                    scale * end if math.isfinite(end) else value
                    for end in (effect.difference.low, effect.difference.high)
                )
                offset = -0.12 if side < 0 else 0.12
                axes.plot([low, high], [y + offset] * 2, color=colour("ink"), linewidth=1.1)
                outer = min(low, value, 0) if side < 0 else max(high, value, 0)
                axes.annotate(
                    wrapped(words.shown(effect.key, effect.value), TICK_LETTERS),
                    (outer, y),
                    xytext=(4 * side, 0),
                    textcoords="offset points",
                    fontsize=FONT - 2,
                    ha="right" if side < 0 else "left",
                    va="center",
                    color=colour("ink"),
                )
        axes.axvline(0, color=colour("ink"), linewidth=1)
        axes.set_yticks(range(len(bars)), [wrapped(words.key(key), ROW_LETTERS) for key, _ in bars])
        axes.set_ylim(len(bars) - 0.5, -0.5)
        _make_room(words, axes, [ends for _, ends in bars])
        axes.tick_params(length=0)
        axes.grid(axis="y", visible=False)
        axes.xaxis.set_major_formatter(ticks(words))
        label = words.text("figures.tornado.axis", metric=words.axis_label(metric, unit))
        axes.set_xlabel(textwrap.fill(label, 46))
    return canvas


def _make_room(words: SweepWords, axes: Axes, bars: Sequence[tuple[KeyEffect, KeyEffect]]) -> None:
    """Widen the axis so that the values beside the bars stand within it."""

    def share(effects: Sequence[KeyEffect]) -> float:
        lines = [line for e in effects for line in wrapped(words.shown(e.key, e.value), TICK_LETTERS).split("\n")]
        return 0.04 + LETTER * max(map(len, lines))

    left, right = axes.get_xlim()
    below, above = share([lowest for lowest, _ in bars]), share([highest for _, highest in bars])
    span = (right - left) / max(1 - below - above, 0.2)
    axes.set_xlim(left - below * span, right + above * span)


def index_bars(words: SweepWords, found: Sequence[Sensitivity]) -> Picture:
    """First-order and total Sobol indices of every axis, a panel a metric."""
    records = [
        {
            "metric": one.metric,
            "key": key,
            "kind": kind,
            "low": index.low,
            "value": index.value,
            "high": index.high,
            "level": one.level,
            "samples": one.samples,
            "noise_share": one.noise,
            "method": one.method,
        }
        for one in found
        for kind, indices in (("first", one.first), ("total", one.total))
        for key, index in indices.items()
    ]

    def draw() -> Canvas:
        panels = []
        for one in found:
            ordered = sorted(one.total, key=lambda key: -one.total[key].value)
            rows = [
                Row(
                    words.key(key),
                    [_mark(one.first[key].possible, "accent_1"), _mark(one.total[key].possible, "accent_2", "D")],
                )
                for key in ordered
            ]
            panels.append(Panel(words.metric(one.metric), rows))
        return dots(panels, ValueAxis(words.text("figures.indices.axis"), words.numbers, percent=True, reference=0.0))

    return Picture(
        "indices",
        words.text("figures.indices.question"),
        words.text("figures.indices.answer", samples=words.numbers.integer(found[0].samples), level=words.level()),
        words.text("figures.indices.alt"),
        records,
        draw,
    )


def _mark(index: Index, role: str, shape: str = "o") -> Mark:
    return Mark(index.value, index.low, index.high, role, shape=shape)


def pareto_picture(words: SweepWords) -> Picture:
    """Distance from the targets against number of changes: all points, and the front, each of its points with a
    letter.
    """
    results = words.data.results
    front = results.front
    records = [
        {
            "point": one.point.number,
            "changes": one.point.changes,
            "distance": one.judgement.distance,
            **one.point.values,
        }
        for one in front
    ]
    named = words.text("common.semicolon").join(
        words.text(
            "figures.pareto.named",
            letter=letter,
            change=words.reached(one),
            distance=words.distance(one.judgement.distance),
        )
        for letter, one in zip(ascii_uppercase, front, strict=False)
    )
    answer = words.text(
        "figures.pareto.answer", points=words.numbers.integer(results.points - results.refused), named=named
    )
    top = _top_of_front(words)
    further = sum(one.distance is not None and one.distance > top for one in words.data.shown)
    if further:
        answer += " " + words.text("figures.pareto.further", points=words.numbers.integer(further))
    return Picture(
        "pareto",
        words.text("figures.pareto.question"),
        answer,
        words.text("figures.pareto.alt"),
        records,
        lambda: _draw_pareto(words, top),
    )


def _top_of_front(words: SweepWords) -> float:
    """Highest distance to draw: points far beyond the front would flatten it."""
    front = max(one.judgement.distance for one in words.data.results.front)
    known = max([front, *(one.distance for one in words.data.shown if one.distance is not None)])
    return (min(known, 3 * front) if front > 0 else known) or 1.0


def _draw_pareto(words: SweepWords, top: float) -> Canvas:
    from matplotlib.ticker import MaxNLocator

    front = words.data.results.front
    with settings():
        canvas, ((axes,),) = sheet(2.7)
        known = [
            (one.point.changes, one.distance)
            for one in words.data.shown
            if one.distance is not None and one.distance <= top
        ]
        axes.plot(
            [x for x, _ in known],
            [y for _, y in known],
            linestyle="none",
            marker="o",
            markersize=4,
            color=colour("neutral"),
            alpha=0.35,
        )
        axes.axhline(0, color=colour("good"), linewidth=1.2)
        x, y = [one.point.changes for one in front], [one.judgement.distance for one in front]
        axes.plot(
            x,
            y,
            color=colour("accent_1"),
            linewidth=1.6,
            marker="o",
            markersize=10,
            markeredgecolor=colour("paper"),
            drawstyle="steps-post",
        )
        for letter, across, up in zip(ascii_uppercase, x, y, strict=False):
            axes.text(across, up, letter, ha="center", va="center_baseline", fontsize=FONT - 2.5, color=colour("paper"))
        most = max([*x, *(across for across, _ in known)])
        axes.set_xlim(-0.4, most + 0.4)
        axes.set_ylim(-0.06 * top, 1.06 * top)
        axes.set_xticks(range(most + 1))
        axes.yaxis.set_major_locator(MaxNLocator(nbins=5))
        axes.yaxis.set_major_formatter(ticks(words))
        axes.tick_params(length=0)
        axes.set_xlabel(words.text("figures.pareto.changes"))
        axes.set_ylabel(words.text("figures.pareto.distance"))
    return canvas
