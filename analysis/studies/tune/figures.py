"""The picture of a search: its targets, and what the base and the best configuration make of them."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

from numbluff_sim.analysis.report.model import Picture
from numbluff_sim.analysis.report.sheet import sheet
from numbluff_sim.analysis.report.style import FONT, colour, settings, text_colour
from numbluff_sim.analysis.report.wording import digits_of
from numbluff_sim.analysis.statistics.estimates import percent_scale
from numbluff_sim.analysis.studies.question.targets import Judged, Judgement, TargetStatus
from numbluff_sim.analysis.studies.tune.words import TuneWords

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

ROLES = {TargetStatus.MET: "good", TargetStatus.MISSED: "bad", TargetStatus.OPEN: "open"}


def targets_met(words: TuneWords, names: tuple[str, str], best: Judgement) -> Picture:
    """A panel a target, its range shaded: the base and the tuned configuration."""
    found = words.found
    pairs = list(zip(found.base.judgement.targets, best.targets, strict=True))
    records = [
        {"metric": one.metric, "configuration": name, **one.estimate.to_json(), "status": str(one.status)}
        for pair in pairs
        for name, one in zip(("base", "tuned"), pair, strict=True)
    ]
    n = words.counted([one.estimate.games for pair in pairs for one in pair], words.denominator("games"))
    return Picture(
        "targets_met",
        words.text("figures.targets.question"),
        words.text("figures.targets.answer", n=n),
        words.text("figures.targets.alt"),
        records,
        lambda: _draw(words, names, pairs),
    )


def _draw(words: TuneWords, names: tuple[str, str], pairs: Sequence[tuple[Judged, Judged]]) -> Canvas:
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    with settings():
        canvas, grid = sheet(1.15 * len(pairs) + 0.1, len(pairs), pad=0.05, space=0.04)
        for pair, axes in zip(pairs, grid[:, 0], strict=True):
            unit, margin = pair[0].estimate.unit, pair[0].target.range
            scale, sign = percent_scale(unit), words.sign(unit)
            for y, one in enumerate(pair):
                ink, estimate = colour(ROLES[one.status]), one.estimate
                if math.isfinite(estimate.value):
                    axes.plot(
                        [scale * max(estimate.low, -1e12), scale * min(estimate.high, 1e12)],
                        [y, y],
                        color=ink,
                        linewidth=1.6,
                        zorder=2,
                    )
                    axes.plot(
                        [scale * estimate.value],
                        [y],
                        marker="o",
                        color=ink,
                        markersize=6.5,
                        markeredgecolor=colour("paper"),
                        zorder=3,
                    )
                    axes.annotate(
                        words.value(estimate, digits_of(estimate)),
                        (scale * estimate.value, y),
                        xytext=(0, 7),
                        textcoords="offset points",
                        color=text_colour(ROLES[one.status]),
                        fontsize=FONT - 1.5,
                        ha="center",
                    )
            axes.margins(x=0.18)
            left, right = axes.get_xlim()
            ends = [scale * end for end in (margin.low, margin.high) if math.isfinite(end)]
            room = 0.12 * (max([right, *ends]) - min([left, *ends]))
            left, right = min([left, *(end - room for end in ends)]), max([right, *(end + room for end in ends)])
            axes.axvspan(max(scale * margin.low, left), min(scale * margin.high, right), color=colour("wash"), zorder=0)
            axes.set_xlim(left, right)
            axes.set_yticks([0, 1], names)
            axes.set_ylim(1.5, -0.7)
            axes.set_title(textwrap.fill(words.metric(pair[0].metric) + (f" ({sign.strip()})" if sign else ""), 40))
            axes.xaxis.set_major_locator(MaxNLocator(nbins=6))
            axes.xaxis.set_major_formatter(
                FuncFormatter(lambda value, _: f"{value:.6g}".replace(".", words.numbers.decimal(0.5, 1)[1]))
            )
            axes.tick_params(length=0)
            axes.grid(axis="y", visible=False)
    return canvas
