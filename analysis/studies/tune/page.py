"""The page of a search: the smallest change that meets the targets, or what is in the way; the way there."""

from __future__ import annotations

from collections.abc import Mapping

from numbluff_sim.analysis.report.model import Page, PageSection, Paragraph, Picture, Table
from numbluff_sim.analysis.studies.question.points import Reached
from numbluff_sim.analysis.studies.question.targets import TargetStatus, pareto
from numbluff_sim.analysis.studies.tune.figures import targets_met
from numbluff_sim.analysis.studies.tune.findings import findings
from numbluff_sim.analysis.studies.tune.result import Tuned, trial_rows
from numbluff_sim.analysis.studies.tune.words import TuneWords
from numbluff_sim.analysis.studies.whatif_page import Making, Opening, whatif_page
from numbluff_sim.config import Config
from numbluff_sim.contract.registry import game

#: Trials in the table of the best ones.
SHOWN = 10


def tune_page(found: Tuned, base: Config, language: str, command: str, made_with: Mapping[str, str]) -> Page:
    """The page in "en" or "fr"; `base` is the configuration that was changed, `command` makes the numbers again."""
    words = TuneWords.of(found, base.game, language)
    return whatif_page(
        words.words,
        Opening(
            words.text("page.title", game=game(base.game).title),
            words.text(
                "page.lead", base=found.base_name, targets=len(found.targets.metrics), axes=len(found.base_values)
            ),
            [
                words.text("facts.base", base=found.base_name, players=base.players),
                *words.seat_lines(base.seating),
                words.text("facts.trials", trials=len(found.trials)),
                words.text("facts.games", games=words.numbers.integer(found.games)),
                words.text("facts.seed", seed=found.seed),
            ],
        ),
        findings(words),
        [_answer(words), _trials(words)],
        Making(
            command,
            words.text("making.answer", trials=len(found.trials), seed=found.seed),
            _making(words, made_with),
        ),
    )


def _making(words: TuneWords, made_with: Mapping[str, str]) -> list[Paragraph]:
    found = words.found
    method = words.text(
        "making.method",
        games=words.numbers.integer(found.games),
        alpha=words.numbers.percent(found.targets.alpha, 0),
    )
    versions = ", ".join(f"{name} {version}" for name, version in made_with.items())
    return [Paragraph(method), Paragraph(words.text("making.versions", versions=versions))]


def _answer(words: TuneWords) -> PageSection:
    found = words.found
    best = found.winner.judgement if found.winner else found.nearest.judgement
    point = found.winner.reached if found.winner else found.nearest
    names = (words.text("answer.base"), words.text("answer.tuned" if found.winner else "answer.nearest"))
    rows = [
        [
            words.metric(after.metric),
            words.range(after),
            words.cell(before.estimate),
            words.cell(after.estimate),
            words.status(after.status),
        ]
        for before, after in zip(found.base.judgement.targets, best.targets, strict=True)
    ]
    records = [
        {
            "metric": after.metric,
            "base": before.estimate.value,
            "tuned": after.estimate.value,
            "low": after.estimate.low,
            "high": after.estimate.high,
            "status": str(after.status),
        }
        for before, after in zip(found.base.judgement.targets, best.targets, strict=True)
    ]
    head = [words.text("answer.head_metric"), words.text("answer.head_range"), *names, words.text("answer.head_status")]
    table = Table("targets", words.text("answer.caption", level=words.level()), head, rows, records)
    undecided = found.nearest.judgement.status is TargetStatus.OPEN
    kind = "met" if found.winner else "undecided" if undecided else "not_met"
    answer = words.text(f"answer.{kind}", changes=words.changes(point.point.values))
    return PageSection(
        "answer", words.text("answer.question"), answer, [targets_met(words, names, best), table], unfolded=True
    )


def _trials(words: TuneWords) -> PageSection:
    found = words.found
    best = sorted(found.trials, key=lambda one: (one.judgement.distance, one.order))
    best = list({one.digest: one for one in reversed(best)}.values())[::-1][:SHOWN]
    rows = [_trial_row(words, one) for one in best]
    records = [row for row in trial_rows(found) if row["trial"] in {one.point.number for one in best}]
    metrics = found.targets.metrics
    head = [
        words.text("trials.head_changes"),
        words.text("trials.head_distance"),
        *(words.metric(name) for name in metrics),
    ]
    front = pareto([one.judgement.distance for one in found.trials], [one.point.changes for one in found.trials])
    steps = [
        words.text(
            "trials.front_step",
            changes=found.trials[i].point.changes,
            distance=words.numbers.decimal(found.trials[i].judgement.distance, 3),
        )
        for i in front
    ]
    blocks: list[Table | Picture | Paragraph] = [
        Table("trials", words.text("trials.caption", level=words.level()), head, rows, records, numeric_from=1),
        Paragraph(words.text("trials.front", steps=words.text("common.semicolon").join(steps))),
    ]
    if found.refused:
        values, reason = found.refused[0]
        blocks.append(
            Paragraph(
                words.text("trials.refused", count=len(found.refused), first=words.changes(values), reason=reason)
            )
        )
    met = sum(one.judgement.met_by_value for one in found.trials)
    return PageSection(
        "trials", words.text("trials.question"), words.text("trials.answer", trials=len(found.trials), met=met), blocks
    )


def _trial_row(words: TuneWords, one: Reached) -> list[str]:
    return [
        words.changes(one.point.values),
        words.numbers.decimal(one.judgement.distance, 3),
        *(words.cell(judged.estimate) for judged in one.judgement.targets),
    ]
