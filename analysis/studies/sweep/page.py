"""The page of a sweep: what meets the targets with the smallest change, how every metric follows the keys, what was
played.
"""

from __future__ import annotations

from collections.abc import Sequence

from numbluff_sim.analysis.report.model import FindingText, Page, Picture, Section, Table, Text
from numbluff_sim.analysis.statistics.sensitivity import WIDE, strongest
from numbluff_sim.analysis.studies.question.page import whatif_page
from numbluff_sim.analysis.studies.sweep.data import SweepData
from numbluff_sim.analysis.studies.sweep.figures import heat_map, lines
from numbluff_sim.analysis.studies.sweep.figures_of_findings import index_bars, pareto_picture, tornado
from numbluff_sim.analysis.studies.sweep.result import Reached, changed
from numbluff_sim.analysis.studies.sweep.words import SweepWords
from numbluff_sim.contract.registry import game
from numbluff_sim.encoding import as_json

#: Rows of the table of points, and metrics it shows.
POINT_ROWS, POINT_METRICS = 40, 4
#: Metrics with a line for each key; with a map although they have no target; with a picture of what each key alone
#: does.
LINE_METRICS, MAP_METRICS, TORNADO_METRICS = 2, 2, 4
#: Metrics with Sobol indices in one picture.
INDEX_METRICS = 4
Blocks = list[Table | Picture | Text]


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
        title=words.text("page.title", game=game(data.game).title),
        lead=words.text(
            f"page.lead_{data.design}",
            base=data.base_name,
            keys=words.listed([axis.key for axis in data.axes]),
            points=words.numbers.integer(data.results.points),
        ),
        facts=facts(words),
        findings=findings(words),
        sections=sections,
        command=command,
        making=making(words),
        making_answer=words.text("making.answer", games=words.numbers.integer(data.games), seed=data.seed),
        glossary=glossary(words),
    )


def facts(words: SweepWords) -> list[str]:
    """The line under the lead."""
    data = words.data
    changes = [words.text("facts.set", settings=words.settings(data.changes))] if data.changes else []
    return [
        words.text("facts.base", base=data.base_name, players=data.players),
        *changes,
        words.text("facts.points", points=words.numbers.integer(data.results.points)),
        words.text("facts.games", games=words.numbers.integer(data.games)),
        words.text("facts.seed", seed=data.seed),
    ]


def findings(words: SweepWords) -> list[FindingText]:
    """Which point meets the targets; how far each target can be met; which key moves each metric most."""
    return [*target_findings(words), *key_findings(words)]


def target_findings(words: SweepWords) -> list[FindingText]:
    """The smallest change that meets all targets, by interval or by value alone, else the nearest point; and targets
    that no point meets.
    """
    data, results = words.data, words.data.results
    if data.targets is None or results.base is None:
        return []
    best = results.best
    assert best is not None
    kind = "met" if results.by_interval else "by_value" if results.by_value else "none"
    if best.point.number == 0:
        kind = f"base_{kind}" if kind != "none" else "none"
    counts = {
        "met": words.numbers.integer(results.met_by_interval),
        "by_value": words.numbers.integer(results.met_by_value),
        "points": words.numbers.integer(results.points - results.refused),
        "alpha": words.numbers.percent(data.targets.alpha, 0),
    }
    change = words.reached(best)
    found = [
        FindingText(
            "targets",
            {"met": 1, "by_value": 2}.get(kind.removeprefix("base_"), 3),
            words.text(f"findings.{kind}", change=change, distance=words.distance(best.judgement.distance)),
            words.text(f"findings.{kind.removeprefix('base_')}_text", **counts),
            _evidence(words, best),
            _holds_for(words),
            {"finding": kind, **best.to_json(data.base)},
        )
    ]
    return [*found, *_out_of_reach(words)]


def _evidence(words: SweepWords, reached: Reached) -> str:
    assert words.data.targets is not None
    items = [
        words.text(
            "findings.target_item",
            metric=words.metric(judged.metric),
            measured=words.cell(judged.estimate),
            range=words.range(judged.target, judged.estimate.unit),
            status=words.status(judged.status),
            n=words.counted([judged.estimate.n], words.denominator(judged.estimate.denominator)),
        )
        for judged in reached.judgement.targets
    ]
    level = words.numbers.percent(reached.judgement.targets[0].estimate.level, 3)
    return words.text("findings.target_evidence", level=level, items=words.text("common.semicolon").join(items))


def _out_of_reach(words: SweepWords) -> list[FindingText]:
    """Targets in whose range no point's value lies."""
    data, found = words.data, []
    assert data.targets is not None
    for metric, target in data.targets.by_metric.items():
        if metric not in data.results.lowest:
            continue
        (lowest_at, lowest), (highest_at, highest) = data.results.lowest[metric], data.results.highest[metric]
        if highest.value < target.range.low or lowest.value > target.range.high:
            near, at = (highest, highest_at) if highest.value < target.range.low else (lowest, lowest_at)
            found.append(
                FindingText(
                    f"reach_{metric}",
                    3,
                    words.text("findings.out_of_reach", metric=words.metric(metric)),
                    words.text(
                        "findings.out_of_reach_text",
                        range=words.range(target, near.unit),
                        value=words.value(near),
                        change=words.point(at),
                    ),
                    words.evidence([near]),
                    _holds_for(words),
                    {"finding": "out_of_reach", "metric": metric, **near.to_json()},
                )
            )
    return found


def key_findings(words: SweepWords) -> list[FindingText]:
    """For each pictured metric the key that moves it most: by Sobol indices, else by changing one key alone."""
    data, found = words.data, []
    indices = {one.metric: one for one in data.results.sensitivities}
    for metric in data.pictured:
        lowest, highest = data.results.lowest[metric][1], data.results.highest[metric][1]
        ends = {"metric": words.metric(metric), "low": words.plain(lowest), "high": words.plain(highest)}
        record = {"finding": "range", "metric": metric, "lowest": lowest.to_json(), "highest": highest.to_json()}
        if metric in indices:
            key = strongest(indices[metric])[0]
            index = indices[metric].total[key].possible
            rough = indices[metric].total[key].width > WIDE
            text = words.text(
                "findings.by_index_rough" if rough else "findings.by_index",
                key=words.key(key),
                share=words.numbers.percent(index.value, 0),
                samples=words.numbers.integer(indices[metric].samples),
                interval=words.numbers.interval(100 * index.low, 100 * index.high, 0) + words.numbers.percent_sign,
            )
        elif _every_key_alone(data, metric):
            lone = max(data.effects[metric], key=lambda effect: abs(effect.difference.value))
            clear = lone.difference.low > 0 or lone.difference.high < 0
            text = words.text(
                "findings.by_key" if clear else "findings.by_no_key",
                key=words.key(lone.key),
                value=words.shown(lone.value),
                difference=words.difference(lone.difference),
            )
        else:
            text = words.text(
                "findings.ends_at",
                low=words.point(data.results.lowest[metric][0]),
                high=words.point(data.results.highest[metric][0]),
            )
        found.append(
            FindingText(
                f"range_{metric}",
                1,
                words.text("findings.range", **ends),
                text,
                words.evidence([lowest, highest]),
                _holds_for(words),
                record,
            )
        )
    return found


def _every_key_alone(data: SweepData, metric: str) -> bool:
    """Whether each key was changed alone: a grid without the base's value of a key has no such points of the others."""
    movable = {axis.key for axis in data.axes if any(value != axis.base for value in axis.values)}
    return bool(movable) and movable == {effect.key for effect in data.effects.get(metric, ())}


def _holds_for(words: SweepWords) -> str:
    return words.text("findings.holds_for", base=words.data.base_name, players=words.data.players)


def targets_section(words: SweepWords) -> Section | None:
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
        Text(
            words.text("targets.selected", change=words.reached(best), command=words.data.check)
            if best is not None
            else words.text("targets.nothing", file=words.data.best_file)
        )
    )
    return Section("targets", words.text("targets.question"), answer, blocks, unfolded=True)


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


def course_section(words: SweepWords) -> Section | None:
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
    return Section(
        "course",
        words.text("course.question"),
        words.text("course.answer", metrics=len(metrics)),
        blocks,
        unfolded=data.targets is None,
    )


def effects_section(words: SweepWords) -> Section | None:
    """One key changed alone: which moves what."""
    data = words.data
    metrics = [metric for metric in data.pictured if data.effects.get(metric)][:TORNADO_METRICS]
    if not metrics or len({effect.key for metric in metrics for effect in data.effects[metric]}) < 2:
        return None
    blocks: Blocks = [
        tornado(words, metric, data.effects[metric], f"tornado_{number}")
        for number, metric in enumerate(metrics, start=1)
    ]
    blocks.append(Text(words.text("effects.note")))
    largest = [max(data.effects[metric], key=lambda effect: abs(effect.difference.value)) for metric in metrics]
    clear = next((effect for effect in largest if effect.difference.low > 0 or effect.difference.high < 0), None)
    answer = (
        words.text("effects.unclear")
        if clear is None
        else words.text("effects.answer", metric=words.metric(clear.difference.name), key=words.key(clear.key))
    )
    return Section(
        "effects",
        words.text("effects.question"),
        answer,
        blocks,
        unfolded=data.design == "one_at_a_time" and data.targets is None,
    )


def indices_section(words: SweepWords) -> Section | None:
    """Sobol indices, and how much of what they share out is chance."""
    data = words.data
    if data.design != "sobol":
        return None
    chosen = [one for metric in data.pictured for one in data.results.sensitivities if one.metric == metric][
        :INDEX_METRICS
    ]
    if not chosen:
        reason = "indices.refused" if data.results.refused else "indices.nothing"
        return Section(
            "indices", words.text("indices.question"), words.text(reason), [Text(words.text("indices.note"))]
        )
    noisiest = max(chosen, key=lambda one: one.noise)
    blocks: Blocks = [
        index_bars(words, chosen),
        index_table(words),
        Text(
            words.text(
                "indices.noise", metric=words.metric(noisiest.metric), share=words.numbers.percent(noisiest.noise, 1)
            )
        ),
    ]
    if any(one.rough for one in data.results.sensitivities):
        blocks.append(
            Text(
                words.text(
                    "indices.too_few", width=words.numbers.percent(WIDE, 0), samples=words.numbers.integer(data.samples)
                )
            )
        )
    blocks.append(Text(words.text("indices.note")))
    answer = words.text(
        "indices.answer_rough" if chosen[0].rough else "indices.answer",
        metric=words.metric(chosen[0].metric),
        key=words.key(strongest(chosen[0])[0]),
    )
    return Section("indices", words.text("indices.question"), answer, blocks, unfolded=data.targets is None)


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


def refused_section(words: SweepWords) -> Section | None:
    """Points that the configuration refuses, with the reason."""
    results = words.data.results
    if not results.refused:
        return None
    rows = [[words.point(point), reason] for point, reason in results.refusals]
    records = [{"point": point.number, **point.values, "reason": reason} for point, reason in results.refusals]
    head = [words.text("refused.head_point"), words.text("refused.head_reason")]
    caption = words.text("refused.caption", shown=len(rows), all=words.numbers.integer(results.refused))
    return Section(
        "refused",
        words.text("refused.question"),
        words.text(
            "refused.answer",
            refused=words.numbers.integer(results.refused),
            points=words.numbers.integer(results.points),
        ),
        [Table("refused", caption, head, rows, records, numeric_from=2)],
    )


def points_section(words: SweepWords) -> Section | None:
    """The points themselves: the nearest ones where there are targets, else the first ones."""
    data = words.data
    if not data.shown:
        return Section(
            "points", words.text("points.question"), words.text("points.too_many"), [Text(words.text("points.files"))]
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
    return Section(
        "points",
        words.text("points.question"),
        words.text("points.answer"),
        [Table("points_table", caption, head, rows, records), Text(words.text("points.files"))],
    )


def making(words: SweepWords) -> Sequence[Table | Text]:
    """How the numbers were made: design, methods, digests, versions."""
    data = words.data
    rows = [
        [
            axis.key,
            words.shown(axis.base),
            ", ".join(words.shown(value) for value in axis.values[:12]) + (" …" if len(axis.values) > 12 else ""),
        ]
        for axis in data.axes
    ]
    records = [{"key": axis.key, "base": axis.base, "values": [*axis.values]} for axis in data.axes]
    head = [words.text(f"making.head_{name}") for name in ("key", "base", "values")]
    versions = ", ".join(f"{name} {version}" for name, version in data.made_with.items())
    texts = [
        Text(words.text(f"making.{data.design}", samples=words.numbers.integer(data.samples))),
        Text(words.text("making.method", level=words.level())),
    ]
    if data.targets is not None:
        texts.append(
            Text(
                words.text(
                    "making.targets",
                    alpha=words.numbers.percent(data.targets.alpha, 0),
                    count=words.numbers.integer(data.count),
                )
            )
        )
    table = Table("axes", words.text("making.caption"), head, rows, records, numeric_from=3)
    return [*texts, table, Text(words.text("making.versions", versions=versions))]


def glossary(words: SweepWords) -> list[tuple[str, str]]:
    """The page's own terms."""
    entries = words.words.under("glossary")
    names = [key.removesuffix(".term") for key in entries if key.endswith(".term")]
    return [(entries[f"{name}.term"], entries[f"{name}.meaning"]) for name in names]
