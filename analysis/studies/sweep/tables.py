"""Tables of a sweep's page: the front of small changes, and the Sobol indices."""

from __future__ import annotations

from numbluff_sim.analysis.report.model import Table
from numbluff_sim.analysis.statistics.sensitivity import strongest
from numbluff_sim.analysis.studies.sweep.words import SweepWords
from numbluff_sim.encoding import as_json


def front_table(words: SweepWords) -> Table:
    """The front, and the smallest changes that meet all targets."""
    data, results = words.data, words.data.results
    assert data.targets is not None
    points = {
        one.point.number: one for one in (*results.front, results.by_value, results.by_interval) if one is not None
    }
    ordered = sorted(points.values(), key=lambda one: (one.point.changes, one.judgement.distance))
    units = {judged.metric: judged.estimate.unit for judged in ordered[0].judgement.targets}
    head = [
        words.text("targets.head_change"),
        words.text("targets.head_changes"),
        words.text("targets.head_distance"),
        *(
            f"{words.metric(metric)} ({words.range(target, units[metric])})"
            for metric, target in data.targets.by_metric.items()
        ),
        words.text("targets.head_status"),
    ]
    rows = [
        [
            words.reached(one),
            str(one.point.changes),
            words.distance(one.judgement.distance),
            *(words.judged(judged) for judged in one.judgement.targets),
            words.status(one.judgement.status),
        ]
        for one in ordered
    ]
    records = [
        {
            "point": one.point.number,
            "digest": one.digest,
            "changes": one.point.changes,
            **one.point.values,
            "distance": one.judgement.distance,
            "status": str(one.judgement.status),
            **{
                f"{column}.{judged.metric}": value
                for judged in one.judgement.targets
                for column, value in (
                    ("value", judged.estimate.value),
                    ("low", judged.estimate.low),
                    ("high", judged.estimate.high),
                    ("level", judged.estimate.level),
                    ("n", judged.estimate.n),
                    ("status", str(judged.status)),
                )
            },
        }
        for one in ordered
    ]
    caption = words.text(
        "targets.caption", alpha=words.numbers.percent(data.targets.alpha, 0), count=words.numbers.integer(data.count)
    )
    return Table(
        "front", caption, head, rows, records, marks=["holds" if one.judgement.met_by_value else "" for one in ordered]
    )


def index_table(words: SweepWords) -> Table:
    """All indices."""
    rows, records = [], []
    for one in words.data.results.sensitivities:
        for key in strongest(one):
            cells = [
                words.text(
                    "common.value_with_interval",
                    value=words.numbers.percent(index.value, 0),
                    interval=words.numbers.interval(100 * index.low, 100 * index.high, 0) + words.numbers.percent_sign,
                )
                for index in (one.first[key], one.total[key])
            ]
            rows.append([words.metric(one.metric), words.key(key), *cells, words.numbers.percent(one.noise, 1)])
            records.append(
                {
                    "metric": one.metric,
                    "key": key,
                    "samples": one.samples,
                    "level": one.level,
                    "noise_share": one.noise,
                    **{
                        f"{kind}_{end}": value
                        for kind, index in (("first", one.first[key]), ("total", one.total[key]))
                        for end, value in as_json(index).items()
                    },
                }
            )
    head = [words.text(f"indices.head_{name}") for name in ("metric", "key", "first", "total", "noise")]
    caption = words.text("indices.caption", level=words.level(), samples=words.numbers.integer(words.data.samples))
    return Table("sobol", caption, head, rows, records, numeric_from=2)
