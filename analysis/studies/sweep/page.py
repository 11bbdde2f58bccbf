"""The page of a sweep: what meets the targets with the smallest change, how every metric follows the keys, what was
played.
"""

from __future__ import annotations

from collections.abc import Sequence

from numbluff_sim.analysis.report.model import Page, PageSection, Paragraph, Picture, Table
from numbluff_sim.analysis.statistics.sensitivity import WIDE, strongest
from numbluff_sim.analysis.studies.question.points import changed
from numbluff_sim.analysis.studies.sweep.data import SweepData
from numbluff_sim.analysis.studies.sweep.figures import lines
from numbluff_sim.analysis.studies.sweep.figures_of_findings import index_bars, pareto_picture, tornado
from numbluff_sim.analysis.studies.sweep.figures_of_maps import heat_map
from numbluff_sim.analysis.studies.sweep.findings import findings
from numbluff_sim.analysis.studies.sweep.tables import front_table, index_table
from numbluff_sim.analysis.studies.sweep.words import SweepWords
from numbluff_sim.analysis.studies.whatif_page import Making, Opening, whatif_page
from numbluff_sim.contract.registry import game

#: Rows of the table of points, and metrics it shows.
POINT_ROWS, POINT_METRICS = 40, 4
#: Metrics with a line for each key; with a map although they have no target; with a picture of what each key alone
#: does.
LINE_METRICS, MAP_METRICS, TORNADO_METRICS = 2, 2, 4
#: Metrics with Sobol indices in one picture.
INDEX_METRICS = 4
Blocks = list[Table | Picture | Paragraph]


def sweep_page(data: SweepData, language: str, command: str) -> Page:
    """The page in "en" or "fr"; `command` makes the numbers again."""
    words = SweepWords.of(data, language)
    sections = [
        section
        for section in (
            targets_section(words),
            course_section(words),
            effects_section(words),
            indices_section(words),
            refused_section(words),
            points_section(words),
        )
        if section is not None
    ]
    return whatif_page(
        words.words,
        Opening(
            words.text("page.title", game=game(data.game).title),
            words.text(
                f"page.lead_{data.design}",
                base=data.base_name,
                keys=words.listed([words.key(axis.key) for axis in data.axes]),
                points=words.numbers.integer(data.results.points),
            ),
            facts(words),
        ),
        findings(words),
        sections,
        Making(
            command,
            words.text("making.answer", games=words.numbers.integer(data.games), seed=data.seed),
            making(words),
        ),
        words.glossary(),
    )


def facts(words: SweepWords) -> list[str]:
    """The line under the lead."""
    data = words.data
    changes = [words.text("facts.set", settings=words.settings(data.changes))] if data.changes else []
    return [
        words.text("facts.base", base=data.base_name, players=data.players),
        *words.seat_lines(data.seating),
        *changes,
        words.text("facts.points", points=words.numbers.integer(data.results.points)),
        words.text("facts.games", games=words.numbers.integer(data.games)),
        words.text("facts.seed", seed=data.seed),
    ]


def targets_section(words: SweepWords) -> PageSection | None:
    """Distance against number of changes, and the points on the front."""
    results, targets = words.data.results, words.data.targets
    if targets is None or results.base is None:
        return None
    blocks: Blocks = [pareto_picture(words), front_table(words)]
    distance = heat_map(words, None, "map_distance") if words.data.shown and words.data.design == "grid" else None
    if distance is not None:
        blocks.insert(1, distance)
    best = results.by_interval or results.by_value
    answer = words.text(
        "targets.answer",
        met=words.numbers.integer(results.met_by_interval),
        by_value=words.numbers.integer(results.met_by_value),
        points=words.numbers.integer(results.points - results.refused),
    )
    blocks.append(
        Paragraph(
            words.text("targets.selected", change=words.reached(best), command=words.data.check)
            if best is not None
            else words.text("targets.nothing", file=words.data.best_file)
        )
    )
    return PageSection("targets", words.text("targets.question"), answer, blocks, unfolded=True)


def course_section(words: SweepWords) -> PageSection | None:
    """Lines and maps of the pictured metrics."""
    data = words.data
    if not data.shown or data.design == "sobol" or not data.pictured:
        return None
    blocks: Blocks = []
    metrics = (
        data.pictured if data.design == "grid" else data.pictured[:LINE_METRICS]
    )  # a line a key takes many pictures
    for number, metric in enumerate(metrics, start=1):
        if data.design == "grid":
            blocks.append(lines(words, metric, data.axes, f"lines_{number}"))
            mapped = metric in data.targets.by_metric if data.targets else number <= MAP_METRICS
            if mapped and (drawn := heat_map(words, metric, f"map_{number}")) is not None:
                blocks.append(drawn)
        else:
            blocks += [
                lines(words, metric, [axis], f"lines_{number}_{place}", data.slice([axis.key]))
                for place, axis in enumerate(data.axes, start=1)
                if axis.numeric and len(axis.values) >= 3
            ]
    if not blocks:
        return None
    return PageSection(
        "course",
        words.text("course.question"),
        words.text("course.answer", metrics=len(metrics)),
        blocks,
        unfolded=data.targets is None,
    )


def effects_section(words: SweepWords) -> PageSection | None:
    """One key changed alone: which moves what."""
    data = words.data
    metrics = [metric for metric in data.pictured if data.effects.get(metric)][:TORNADO_METRICS]
    if not metrics or len({effect.key for metric in metrics for effect in data.effects[metric]}) < 2:
        return None
    blocks: Blocks = [
        tornado(words, metric, data.effects[metric], f"tornado_{number}")
        for number, metric in enumerate(metrics, start=1)
    ]
    blocks.append(Paragraph(words.text("effects.note")))
    largest = [max(data.effects[metric], key=lambda effect: abs(effect.difference.value)) for metric in metrics]
    clear = next((effect for effect in largest if effect.difference.low > 0 or effect.difference.high < 0), None)
    answer = (
        words.text("effects.unclear")
        if clear is None
        else words.text("effects.answer", metric=words.metric(clear.difference.name), key=words.key(clear.key))
    )
    return PageSection(
        "effects",
        words.text("effects.question"),
        answer,
        blocks,
        unfolded=data.design == "one_at_a_time" and data.targets is None,
    )


def indices_section(words: SweepWords) -> PageSection | None:
    """Sobol indices, and how much of what they share out is chance."""
    data = words.data
    if data.design != "sobol":
        return None
    chosen = [one for metric in data.pictured for one in data.results.sensitivities if one.metric == metric][
        :INDEX_METRICS
    ]
    if not chosen:
        reason = "indices.refused" if data.results.refused else "indices.nothing"
        return PageSection(
            "indices", words.text("indices.question"), words.text(reason), [Paragraph(words.text("indices.note"))]
        )
    noisiest = max(chosen, key=lambda one: one.noise)
    blocks: Blocks = [
        index_bars(words, chosen),
        index_table(words),
        Paragraph(
            words.text(
                "indices.noise", metric=words.metric(noisiest.metric), share=words.numbers.percent(noisiest.noise, 1)
            )
        ),
    ]
    if any(one.rough for one in data.results.sensitivities):
        blocks.append(
            Paragraph(
                words.text(
                    "indices.too_few", width=words.numbers.percent(WIDE, 0), samples=words.numbers.integer(data.samples)
                )
            )
        )
    blocks.append(Paragraph(words.text("indices.note")))
    answer = words.text(
        "indices.answer_rough" if chosen[0].rough else "indices.answer",
        metric=words.metric(chosen[0].metric),
        key=words.key(strongest(chosen[0])[0]),
    )
    return PageSection("indices", words.text("indices.question"), answer, blocks, unfolded=data.targets is None)


def refused_section(words: SweepWords) -> PageSection | None:
    """Points that the configuration refuses, with the reason."""
    results = words.data.results
    if not results.refused:
        return None
    rows = [[words.point(point), reason] for point, reason in results.refusals]
    records = [{"point": point.number, **point.values, "reason": reason} for point, reason in results.refusals]
    head = [words.text("refused.head_point"), words.text("refused.head_reason")]
    caption = words.text("refused.caption", shown=len(rows), all=words.numbers.integer(results.refused))
    return PageSection(
        "refused",
        words.text("refused.question"),
        words.text(
            "refused.answer",
            refused=words.numbers.integer(results.refused),
            points=words.numbers.integer(results.points),
        ),
        [Table("refused", caption, head, rows, records, numeric_from=2)],
    )


def points_section(words: SweepWords) -> PageSection | None:
    """The points themselves: the nearest ones where there are targets, else the first ones."""
    data = words.data
    if not data.shown:
        return PageSection(
            "points",
            words.text("points.question"),
            words.text("points.too_many"),
            [Paragraph(words.text("points.files"))],
        )
    played = sorted(
        data.shown,
        key=lambda one: (one.distance if one.distance is not None else 0.0, one.point.changes, one.point.number),
    )
    metrics = data.pictured[:POINT_METRICS]
    head = [words.text("points.head_point"), *(words.metric(metric) for metric in metrics)]
    rows = [
        [words.point(one.point), *(words.cell(one.estimates.get(metric)) for metric in metrics)]
        for one in played[:POINT_ROWS]
    ]
    records = [
        {
            "point": one.point.number,
            **one.point.values,
            "changed": len(changed(one.point.values, data.base)),
            **{
                f"{column}.{metric}": getattr(one.estimates[metric], column) if metric in one.estimates else None
                for metric in metrics
                for column in ("value", "low", "high", "n")
            },
        }
        for one in played[:POINT_ROWS]
    ]
    count = words.numbers.integer(data.results.points - data.results.refused)
    caption = words.text(
        "points.nearest" if data.targets else "points.caption", shown=len(rows), all=count, level=words.level()
    )
    return PageSection(
        "points",
        words.text("points.question"),
        words.text("points.answer"),
        [Table("points_table", caption, head, rows, records), Paragraph(words.text("points.files"))],
    )


def making(words: SweepWords) -> Sequence[Table | Paragraph]:
    """How the numbers were made: design, methods, digests, versions."""
    data = words.data
    rows = [
        [
            axis.key,
            words.shown(axis.key, axis.base),
            ", ".join(words.shown(axis.key, value) for value in axis.values[:12])
            + (" …" if len(axis.values) > 12 else ""),
        ]
        for axis in data.axes
    ]
    records = [{"key": axis.key, "base": axis.base, "values": [*axis.values]} for axis in data.axes]
    head = [words.text(f"making.head_{name}") for name in ("key", "base", "values")]
    versions = ", ".join(f"{name} {version}" for name, version in data.made_with.items())
    texts = [
        Paragraph(words.text(f"making.{data.design}", samples=words.numbers.integer(data.samples))),
        Paragraph(words.text("making.method", level=words.level())),
    ]
    if data.targets is not None:
        texts.append(
            Paragraph(
                words.text(
                    "making.targets",
                    alpha=words.numbers.percent(data.targets.alpha, 0),
                    count=words.numbers.integer(data.count),
                )
            )
        )
    table = Table("axes", words.text("making.caption"), head, rows, records, numeric_from=3)
    return [*texts, table, Paragraph(words.text("making.versions", versions=versions))]
