"""Pictures of a comparison: the forest plot of a variant, how much every variant changes, a matrix of variants and
metrics, when games part.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from numbluff_sim.analysis.report.axes import ValueAxis, wrapped
from numbluff_sim.analysis.report.curves import Line, LinePanel, curves
from numbluff_sim.analysis.report.dots import Mark, Panel, Row, dots
from numbluff_sim.analysis.report.model import Picture
from numbluff_sim.analysis.report.sheet import sheet
from numbluff_sim.analysis.report.style import FONT, colour, settings
from numbluff_sim.analysis.studies.compare.result import VariantResult
from numbluff_sim.analysis.studies.compare.words import ComparisonWords, comparable, cumulative, headline, impact, size
from numbluff_sim.encoding import finite

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Canvas

RISES, FALLS, NEITHER = "accent_6", "accent_1", "neutral"
#: Metrics of a forest plot, variants and metrics of the matrix.
FOREST_ROWS, MATRIX_ROWS, MATRIX_COLUMNS = 22, 40, 6
#: Letters of a variant's name beside the matrix.
MATRIX_LETTERS = 26
#: From this change in percent on the forest plot's axis is logarithmic further out.
LINEAR_PERCENT = 30.0
#: Standardised effect at which the matrix is darkest.
DARKEST = 0.5


def role(effect: Any) -> str:
    """Colour of an effect."""
    return NEITHER if not effect.real else RISES if effect.difference.value > 0 else FALLS


def forest(words: ComparisonWords, one: VariantResult) -> Picture:
    """The changes of the headline metrics in percent of the base, largest effect first."""
    shown = [effect for effect in headline(words.comparison, one) if comparable(effect)][:FOREST_ROWS]
    name = f"forest_{words.comparison.variants.index(one) + 1}"
    records: list[dict[str, Any]] = [
        {
            "metric": e.metric,
            "relative": e.relative,
            "low": e.difference.low / e.base.value,
            "high": e.difference.high / e.base.value,
            "level": e.difference.level,
            "real": e.real,
            "n": e.difference.n,
            "denominator": e.difference.denominator,
            "method": e.difference.method,
        }
        for e in shown
    ]
    answer = words.text(
        "figures.forest.answer",
        level=words.level(),
        n=words.counted([e.difference.games for e in shown] or [0], words.denominator("games")),
    )
    question = words.text("figures.forest.question", variant=words.variant(one), base=words.comparison.base)
    alt = words.text("figures.forest.alt", variant=words.variant(one))

    def draw() -> Canvas:
        reach = max([abs(record[key]) for record in records for key in ("low", "high")], default=0.0)
        axis = ValueAxis(
            words.text("figures.forest.axis"),
            words.numbers,
            percent=True,
            reference=0.0,
            symlog=LINEAR_PERCENT if 100 * reach > 4 * LINEAR_PERCENT else None,
        )
        rows = [
            Row(words.metric(e.metric), [Mark(r["relative"], r["low"], r["high"], role(e), label=words.relative(e))])
            for e, r in zip(shown, records, strict=True)
        ]
        return dots([Panel("", rows)], axis, aside=True)

    if not shown:
        return Picture(name, question, words.text("figures.forest.none"), question, (), None)
    return Picture(name, question, answer, alt, records, draw)


def impacts(words: ComparisonWords, variants: Sequence[VariantResult], kind: str = "") -> Picture:
    """How much each variant changes: its largest effect on a headline metric, which is named. `kind`: of one kind of
    variants.
    """
    records = [_impact_record(words, one) for one in variants]

    def draw() -> Canvas:
        rows = []
        for one, record in zip(variants, records, strict=True):
            effect = impact(words.comparison, one)
            nothing = words.text("overview.identical" if one.identical else "figures.impacts.none")
            text = nothing if effect is None else words.metric(effect.metric)
            mark = (
                Mark(record["size"], role=NEITHER)
                if effect is None
                else Mark(record["size"], role=role(effect), label=words.change(effect))
            )
            rows.append(Row(f"{words.variant(one)}\n{text}", [mark]))
        return dots(
            [Panel("", rows)], ValueAxis(words.text("figures.impacts.axis"), words.numbers, from_zero=True), room=0.3
        )

    question = words.text(f"figures.impacts.question_{words.comparison.study}")
    if kind:
        question = words.text(
            "figures.impacts.of_kind", question=question, kind=words.words.texts.get(f"kinds.{kind}", kind)
        )
    return Picture(
        f"impacts{'_' + kind if kind else ''}",
        question,
        words.text("figures.impacts.answer"),
        words.text("figures.impacts.alt"),
        records,
        draw,
    )


def _impact_record(words: ComparisonWords, one: VariantResult) -> dict[str, Any]:
    effect = impact(words.comparison, one)
    return {
        "variant": one.name,
        "kind": one.kind,
        "size": size(words.comparison, one),
        "metric": effect.metric if effect else None,
        "relative": finite(effect.relative) if effect else None,
        "real_effects": len(one.real),
    }


def matrix(words: ComparisonWords, variants: Sequence[VariantResult]) -> Picture:
    """Variants against the headline metrics that change most: colour by size, text the change."""
    shown = list(variants)[:MATRIX_ROWS]
    metrics = _telling(words, shown)
    records = [
        {
            "variant": one.name,
            **{
                metric: finite(effect.standardised) if (effect := one.effect(metric)) and effect.real else 0.0
                for metric in metrics
            },
        }
        for one in shown
    ]
    answer = words.text("figures.matrix.answer", darkest=words.numbers.decimal(DARKEST, 1))
    return Picture(
        "matrix",
        words.text("figures.matrix.question"),
        answer,
        words.text("figures.matrix.alt"),
        records,
        lambda: _draw_matrix(words, shown, metrics),
    )


def _telling(words: ComparisonWords, variants: Sequence[VariantResult]) -> list[str]:
    """The headline metrics whose largest real effects are largest, each variant's own first among them, in the
    headline's order.
    """

    def largest(metric: str) -> float:
        found = [one.effect(metric) for one in variants]
        return max(
            (abs(e.standardised) for e in found if e is not None and e.real and math.isfinite(e.standardised)),
            default=0.0,
        )

    sizes = {metric: largest(metric) for metric in words.comparison.headline}
    own = [effect.metric for one in variants if (effect := impact(words.comparison, one)) is not None]
    chosen = list(dict.fromkeys([*own, *sorted(sizes, key=lambda metric: -sizes[metric])]))[:MATRIX_COLUMNS]
    return [metric for metric in words.comparison.headline if metric in chosen and sizes[metric] > 0]


def _draw_matrix(words: ComparisonWords, variants: Sequence[VariantResult], metrics: Sequence[str]) -> Canvas:
    from matplotlib.patches import Rectangle

    with settings():
        canvas, ((axes,),) = sheet(0.3 * len(variants) + 2.1)
        for y, one in enumerate(variants):
            for x, metric in enumerate(metrics):
                effect = one.effect(metric)
                real = effect is not None and effect.real
                shade = (
                    min(abs(effect.standardised) / DARKEST, 1.0)
                    if effect is not None and math.isfinite(effect.standardised)
                    else 1.0
                )
                axes.add_patch(
                    Rectangle(
                        (x - 0.5, y - 0.5),
                        1,
                        1,
                        linewidth=0.6,
                        edgecolor=colour("paper"),
                        alpha=0.12 + 0.33 * shade if real else 1.0,
                        facecolor=colour(role(effect) if real else "wash"),
                    )
                )
                if effect is not None:
                    axes.text(
                        x,
                        y,
                        words.change(effect) if real else "·",
                        ha="center",
                        va="center",
                        fontsize=FONT - 2.5,
                        color=colour("ink" if real else "muted"),
                    )
        axes.set_xlim(-0.5, len(metrics) - 0.5)
        axes.set_ylim(len(variants) - 0.5, -0.5)
        axes.set_yticks(
            range(len(variants)),
            [wrapped(words.variant(one), MATRIX_LETTERS, 2) for one in variants],
            fontsize=FONT - 1.5,
        )
        axes.set_xticks(
            range(len(metrics)),
            [_two_lines(words.metric(metric)) for metric in metrics],
            rotation=50,
            ha="left",
            rotation_mode="anchor",
            fontsize=FONT - 1.5,
        )
        axes.xaxis.tick_top()
        axes.tick_params(length=0)
        axes.grid(visible=False)
        axes.spines["bottom"].set_visible(False)
    return canvas


def _two_lines(label: str) -> str:
    import textwrap

    return "\n".join(textwrap.wrap(label, 24))


def parting(words: ComparisonWords, one: VariantResult) -> Picture:
    """Share of the pairs of games that have parted by each round."""
    assert one.parting is not None
    y, n = cumulative(one.parting), words.counted([one.parting.games], words.denominator("games"))
    records = [{"round": r, "parted": share, "games": one.parting.games} for r, share in enumerate(y, start=1)]

    def draw() -> Canvas:
        axis = ValueAxis(words.text("figures.parting.axis"), words.numbers, percent=True, from_zero=True)
        line = Line(list(range(1, len(y) + 1)), y, "accent_3")
        return curves([LinePanel("", [line])], axis, words.text("figures.parting.round"), x_step=2)

    return Picture(
        f"parting_{words.comparison.variants.index(one) + 1}",
        words.text("figures.parting.question"),
        words.text("figures.parting.answer", n=n),
        words.text("figures.parting.alt"),
        records,
        draw,
    )
