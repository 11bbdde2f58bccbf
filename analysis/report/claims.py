"""The claims ledger: documented claims judged on the runs that were made the way a claim asks for. Knows no game."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from numbluff_sim.analysis.metrics.measured import estimators_of, paid_for
from numbluff_sim.analysis.report.measured_runs import LabelledRun, Study
from numbluff_sim.analysis.report.model import PageSection, Paragraph, Table
from numbluff_sim.analysis.statistics.estimates import Estimate, Estimator
from numbluff_sim.analysis.statistics.verdicts import Status
from numbluff_sim.analysis.studies.check.baselines import Baseline, claim_config, difference_of, load_baseline
from numbluff_sim.analysis.studies.check.claims import Claim, Verdict, judge


def run_for(
    claim: Claim, runs: Sequence[LabelledRun], game_name: str, *, subtracted: bool = False
) -> LabelledRun | None:
    """The run made with the claim's preset, players and overrides, whatever its seed and size; None if there is
    none. `subtracted`: that of the other side of a claim about what keys change.
    """
    wanted = _rules_and_play(claim_config(claim, "baseline", game_name=game_name, subtracted=subtracted))
    return next((one for one in runs if _rules_and_play(one.run.config) == wanted), None)


def _rules_and_play(config: Any) -> dict[str, Any]:
    data: dict[str, Any] = config.canonical().resolved()
    del data["run"]
    return data


def judged(runs: Sequence[LabelledRun], baseline: Baseline) -> tuple[list[tuple[Verdict, LabelledRun]], list[Claim]]:
    """The verdicts of all claims that a run was made for, held together with Holm, and the claims that no run was
    made for.
    """
    measured: dict[int, Mapping[str, Estimator]] = {}

    def metrics(one: LabelledRun) -> Mapping[str, Estimator]:
        if id(one) not in measured:
            measured[id(one)] = paid_for(estimators_of(one.run), one.run.meta)
        return measured[id(one)]

    found: list[tuple[Claim, LabelledRun, Mapping[str, Estimator]]] = []
    missing = []
    for claim in baseline.claims:
        one = run_for(claim, runs, baseline.game)
        other = run_for(claim, runs, baseline.game, subtracted=True) if claim.minus_overrides else one
        if one is None or other is None:
            missing.append(claim)
        else:
            its = difference_of(claim, metrics(one), metrics(other)) if claim.minus_overrides else metrics(one)
            found.append((claim, one, its))
    verdicts = judge([claim for claim, *_ in found], [its for *_, its in found], baseline.check.family_alpha)
    return list(zip(verdicts, (one for _, one, _ in found), strict=True)), missing


def claims_section(study: Study, metric_name: Callable[[str], str]) -> PageSection:
    """The ledger as a section of the page. `metric_name`: how the text of an order calls a metric."""
    baseline, _ = load_baseline(game_name=study.runs[0].run.config.game)
    verdicts, unmeasured = judged(study.runs, baseline)
    counts = {status: sum(verdict.status == status for verdict, _ in verdicts) for status in Status}
    rows = [_row(study, verdict, one, metric_name) for verdict, one in verdicts]
    records = [
        {
            "run": one.label,
            "players": one.players,
            **{
                key: value
                for key, value in verdict.to_json().items()
                if key not in ("text", "source", "overrides", "measured")
            },
            "text": verdict.claim.text.in_language(study.words.language),
            **verdict.estimate.to_json(),
        }
        for verdict, one in verdicts
    ]
    head = [
        study.text(f"claims.{column}")
        for column in ("claim", "verdict", "measured", "margin", "interval", "n", "run", "source")
    ]
    blocks: list[Table | Paragraph] = []
    if verdicts:
        alpha = study.numbers.percent(baseline.check.family_alpha, 0)
        blocks.append(
            Table(
                "claims",
                study.text("claims.caption", alpha=alpha),
                head,
                rows,
                records,
                numeric_from=len(head),
                marks=[str(verdict.status) for verdict, _ in verdicts],
            )
        )
    if unmeasured:
        kind = "unmeasured" if verdicts else "unmeasured_all"
        blocks.append(Paragraph(study.text(f"claims.{kind}", count=len(unmeasured))))
    answer = (
        study.text(
            "claims.answer",
            measured=len(verdicts),
            holds=counts[Status.HOLDS],
            differs=counts[Status.DIFFERS],
            inconclusive=counts[Status.INCONCLUSIVE],
        )
        if verdicts
        else study.text("claims.answer_none")
    )
    return PageSection("claims", study.text("page.claims"), answer, blocks)


def _row(study: Study, verdict: Verdict, one: LabelledRun, metric_name: Callable[[str], str]) -> list[str]:
    claim, estimate = verdict.claim, verdict.estimate
    status = study.text(f"claims.{verdict.status}")
    if verdict.status is Status.INCONCLUSIVE and verdict.games_to_settle:
        status += study.text("claims.settled_by", games=study.numbers.integer(verdict.games_to_settle))
    if verdict.against:
        status += study.text("claims.unexpected")
    interval = study.text(
        "claims.level", level=study.numbers.decimal(100 * estimate.level, 2), interval=study.interval(estimate)
    )
    measured = _step(study, estimate, metric_name) if claim.order else study.value(estimate)
    counted = study.text(
        "claims.counted", n=study.numbers.integer(estimate.n), unit=study.denominator(estimate.denominator)
    )
    margin = margin_words(study, claim, estimate.unit)
    return [
        claim.text.in_language(study.words.language),
        status,
        measured,
        margin,
        interval,
        counted,
        study.run_name(one),
        claim.source.in_language(study.words.language),
    ]


def _step(study: Study, estimate: Estimate, metric_name: Callable[[str], str]) -> str:
    """The step of an order that decided: the two metrics and their difference."""
    higher, lower = (metric_name(name.strip()) for name in estimate.name.split(" - "))
    return study.text("claims.step", higher=higher, lower=lower, value=study.value(estimate))


def margin_words(study: Study, claim: Claim, unit: str) -> str:
    """The margin of a claim in words."""
    if claim.order:
        return study.text("claims.rising")
    margin = claim.range
    low, high = (study.given(end, unit) if math.isfinite(end) else "" for end in (margin.low, margin.high))
    if not low:
        return study.text("claims.at_most", limit=high)
    if not high:
        return study.text("claims.at_least", limit=low)
    return low if margin.low == margin.high else study.text("claims.between", low=low, high=high)
