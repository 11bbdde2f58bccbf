"""The findings of a sweep: what meets the targets with the smallest change, which key moves each metric most."""

from __future__ import annotations

from numbluff_sim.analysis.report.model import FindingText
from numbluff_sim.analysis.statistics.estimates import Estimate
from numbluff_sim.analysis.statistics.sensitivity import WIDE, strongest
from numbluff_sim.analysis.statistics.verdicts import SETTLE_POWER, Status, games_needed, like, status_at
from numbluff_sim.analysis.studies.question.points import Point, Reached
from numbluff_sim.analysis.studies.question.targets import Target, TargetStatus
from numbluff_sim.analysis.studies.sweep.data import SweepData
from numbluff_sim.analysis.studies.sweep.words import SweepWords


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
            words.text(f"findings.{kind.removeprefix('base_')}_text", **counts) + _still_open(words, best, kind),
            _evidence(words, best),
            _holds_for(words),
            {"finding": kind, **best.to_json(data.base)},
        )
    ]
    return [*found, *_out_of_reach(words)]


def _still_open(words: SweepWords, best: Reached, kind: str) -> str:
    """Where the nearest point may meet all targets after all: the games that would decide."""
    if kind != "none" or best.judgement.status is not TargetStatus.OPEN:
        return ""
    games = best.judgement.games_to_decide
    settled = "" if games is None else words.text("findings.would_decide", games=words.numbers.integer(games))
    return " " + words.text("findings.may_meet") + settled


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
    """Targets in whose range no point's value lies: out of reach where the interval of the nearest value lies outside,
    too; else not decided, with the games that would decide.
    """
    data, found = words.data, []
    assert data.targets is not None
    for metric, target in data.targets.by_metric.items():
        if metric not in data.results.lowest:
            continue
        low, high = data.results.lowest[metric], data.results.highest[metric]
        below = high[1].value < target.range.low
        if below or low[1].value > target.range.high:
            found.append(_beyond(words, metric, target, *(high if below else low)))
    return found


def _beyond(words: SweepWords, metric: str, target: Target, at: Point, near: Estimate) -> FindingText:
    """The nearest value of any point to a target that none of them meets; its interval holds for all points and
    targets together.
    """
    data = words.data
    assert data.targets is not None
    alpha = data.targets.alpha / (len(data.targets.by_metric) * data.count)
    estimator = like(near)
    near = estimator.at(alpha)
    missed = status_at(estimator, target.range, alpha) is Status.DIFFERS
    games = None if missed else games_needed(estimator, target.range, alpha, SETTLE_POWER)
    kind = "out_of_reach" if missed else "not_decided"
    settled = "" if games is None else words.text("findings.would_decide", games=words.numbers.integer(games))
    return FindingText(
        f"reach_{metric}",
        3 if missed else 2,
        words.text(f"findings.{kind}", metric=words.metric(metric)),
        words.text(
            f"findings.{kind}_text",
            range=words.range(target, near.unit),
            value=words.value(near),
            change=words.point(at),
            games=settled,
        ),
        words.text(
            "findings.target_evidence",
            level=words.numbers.percent(near.level, 3),
            items=words.text(
                "common.evidence_item",
                value=words.plain(near),
                interval=words.interval(near),
                n=words.counted([near.n], words.denominator(near.denominator)),
            ),
        ),
        _holds_for(words),
        {"finding": kind, "metric": metric, "games_to_decide": games, **near.to_json()},
    )


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
                setting=words.setting(lone.key, lone.value),
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
