"""Pictures of a calibration: the rates of what is left within their margins, and which rate rules out which answer
of which way of playing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from numbluff_sim.analysis.report.model import Picture
from numbluff_sim.analysis.report.sheet import sheet
from numbluff_sim.analysis.report.style import FONT, colour, letters_on, settings, text_colour
from numbluff_sim.analysis.statistics.estimates import Estimate
from numbluff_sim.analysis.studies.calibrate.cells import Rated
from numbluff_sim.analysis.studies.calibrate.result import VERDICTS, answer_text
from numbluff_sim.analysis.studies.calibrate.words import SHOWN, CalibrationWords

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Canvas

ROLES = {"inside": "good", "outside": "bad", "open": "open"}
#: Half margins to the left and right that the axis shows; what lies farther out is drawn at its end.
REACH = 3.0
ROW = 0.33  # inches a rate takes


def rates(words: CalibrationWords, shown: Sequence[Rated]) -> Picture:
    """Every rate of every cell shown, with its interval, in units of half its margin: -1 and 1 are the margin's
    ends.
    """
    found = words.found
    records = [
        {
            "persona": one.cell.persona,
            "rulings": words.answers(found.space.changes(one.cell.assignment)),
            "rate": claim.id,
            **estimate.to_json(),
            "margin_low": claim.range.low,
            "margin_high": claim.range.high,
            "verdict": VERDICTS[status],
        }
        for one in shown
        for claim, estimate, status in zip(found.rates.claims, one.estimates, one.statuses, strict=True)
    ]
    kind = "left" if found.listed else "nearest"
    n = words.counted([one.games for one in shown] or [0], words.denominator("games"))
    more = (
        words.text("figures.rates.more", shown=len(shown), all=len(found.listed))
        if len(found.listed) > len(shown)
        else ""
    )
    answer = words.text(f"figures.rates.answer_{kind}", n=n) + more
    return Picture(
        "rates",
        words.text(f"figures.rates.question_{kind}"),
        answer,
        words.text("figures.rates.alt"),
        records,
        (lambda: _draw_rates(words, shown)) if shown else None,
    )


def _draw_rates(words: CalibrationWords, shown: Sequence[Rated]) -> Canvas:
    from matplotlib.ticker import FixedLocator, FuncFormatter

    claims = words.found.rates.claims
    with settings():
        titles = [_wrapped(f"{words.number(i)}  {words.case(one.cell)}") for i, one in enumerate(shown)]
        height = sum(ROW * len(claims) + 0.32 + 0.16 * title.count("\n") for title in titles) + 0.55
        canvas, grid = sheet(height, len(shown), sharex=True)
        for one, title, axes in zip(shown, titles, grid[:, 0], strict=True):
            axes.axvspan(-1, 1, color=colour("wash"), zorder=0)
            for y, (claim, estimate, half) in enumerate(
                zip(claims, one.estimates, words.found.rates.halves, strict=True)
            ):
                middle = (claim.range.low + claim.range.high) / 2
                _draw_rate(axes, y, estimate, middle, half, ROLES[VERDICTS[one.statuses[y]]], words.value(estimate))
            axes.set_yticks(range(len(claims)), [_wrapped(words.rate(claim), 24) for claim in claims])
            axes.set_ylim(len(claims) - 0.5, -0.5)
            axes.set_title(title)
            axes.tick_params(length=0)
            axes.grid(axis="y", visible=False)
            axes.xaxis.set_major_locator(FixedLocator([-2, -1, 0, 1, 2]))
            axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: words.numbers.decimal(value, 0)))
        axes.set_xlim(-REACH, REACH)
        axes.set_xlabel(_wrapped(words.text("figures.rates.axis"), 46))
    return canvas


def _draw_rate(axes: Axes, y: int, estimate: Estimate, middle: float, half: float, role: str, label: str) -> None:
    def place(value: float) -> float:
        return min(max((value - middle) / half, -REACH), REACH) if not math.isnan(value) else REACH

    low, value, high = (place(v) for v in (estimate.low, estimate.value, estimate.high))
    axes.plot([low, high], [y, y], color=colour(role), linewidth=1.6, solid_capstyle="butt", zorder=2)
    shape = ">" if value >= REACH else "<" if value <= -REACH else "o"
    axes.plot(
        [value],
        [y],
        marker=shape,
        color=colour(role),
        markersize=6.5,
        markeredgecolor=colour("paper"),
        markeredgewidth=0.6,
        zorder=3,
        clip_on=False,
    )
    side = -1 if high > 1.6 else 1
    axes.annotate(
        label,
        (low if side < 0 else high, y),
        xytext=(8 * side, 0),
        textcoords="offset points",
        color=text_colour(role),
        fontsize=FONT - 1.5,
        va="center",
        ha="right" if side < 0 else "left",
        annotation_clip=False,
    )


def exclusions(words: CalibrationWords) -> Picture:
    """Answers against ways of playing: where combinations are left, and which rates rule out the others."""
    found = words.found
    rows = [(i, k) for i in words.acting_anywhere() for k in range(len(found.space.answers[i]))]
    cells = {(p, i, k): found.ruled_out_by(p, i, k) for p in found.personas for i, k in rows}
    records = [
        {
            "ruling": found.space.names[i],
            "answer": answer_text(found.space.answers[i][k]),
            **{p: "left" if (by := cells[p, i, k]) is None else "+".join(by) or "several" for p in found.personas},
        }
        for i, k in rows
    ]
    numbered = "; ".join(f"{number} = {words.claim(claim)}" for number, claim in enumerate(found.rates.claims, start=1))
    answer = words.text("figures.exclusions.answer", rates=numbered)
    return Picture(
        "exclusions",
        words.text("figures.exclusions.question"),
        answer,
        words.text("figures.exclusions.alt"),
        records,
        (lambda: _draw_exclusions(words, rows, cells)) if rows else None,
    )


def _draw_exclusions(
    words: CalibrationWords, rows: Sequence[tuple[int, int]], cells: dict[tuple[str, int, int], list[str] | None]
) -> Canvas:
    from matplotlib.patches import Rectangle

    found, ids = words.found, [claim.id for claim in words.found.rates.claims]
    labels = [words.answer(found.space.names[i], found.space.answers[i][k]) for i, k in rows]
    with settings():
        canvas, ((axes,),) = sheet(0.22 * len(rows) + 1.2)
        for y, (i, k) in enumerate(rows):
            for x, persona in enumerate(found.personas):
                by = cells[persona, i, k]
                face = "good" if by is None else "wash"
                text = "✓" if by is None else "+".join(str(ids.index(name) + 1) for name in by) or "·"
                axes.add_patch(
                    Rectangle(
                        (x - 0.5, y - 0.5), 1, 1, linewidth=0.8, edgecolor=colour("paper"), facecolor=colour(face)
                    )
                )
                axes.text(
                    x,
                    y,
                    text,
                    ha="center",
                    va="center_baseline",
                    fontsize=FONT - 2,
                    color=letters_on(face) if by is None else colour("ink"),
                )
        axes.set_xlim(-0.5, len(found.personas) - 0.5)
        axes.set_ylim(len(rows) - 0.5, -0.5)
        axes.set_yticks(range(len(rows)), labels, fontsize=FONT - 2)
        axes.set_xticks(
            range(len(found.personas)),
            found.personas,
            rotation=50,
            ha="left",
            rotation_mode="anchor",
            fontsize=FONT - 2,
        )
        axes.xaxis.tick_top()
        axes.tick_params(length=0)
        axes.grid(visible=False)
        axes.spines["bottom"].set_visible(False)
    return canvas


def shown_cells(words: CalibrationWords) -> list[Rated]:
    """The cells a page shows: those left, or else the nearest."""
    return words.found.listed[:SHOWN] if words.found.listed else words.found.nearest()


def _wrapped(text: str, letters: int = 44) -> str:
    import textwrap

    return textwrap.fill(text, letters)
