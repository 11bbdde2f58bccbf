"""Findings: what a designer should know, found by holding measured values against a game's table of limits. Knows no
game.

A limit trips for a run when the whole interval of the metric lies beyond it, at a level that holds for all limits and
runs together (Bonferroni): the chance that any finding of a page is wrong is `FAMILY_ALPHA` at most. Runs that trip the
same finding are told in one text, with the numbers of the run that is farthest beyond.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from numbluff_sim.analysis.report.measured_runs import ENOUGH_GAMES, LabelledRun, Study
from numbluff_sim.analysis.report.model import FindingText
from numbluff_sim.analysis.statistics.estimates import Estimate

FEWEST, MOST = 3, 6
#: The chance that any limit trips although the true value does not lie beyond it. The pages' texts name it.
FAMILY_ALPHA = 0.05
ABOVE, BELOW, WITHIN = "above", "below", "within"
Fillings = dict[str, str | Estimate]
#: Names of words that begin so are numbers told inside another word.
ENDS = "ends_"


@dataclass(frozen=True)
class Limit:
    """`finding` is told when the interval of `metric` lies `above` or `below` `limit` (or `within` -limit..limit) for a
    run.

    severity 3 serious, 2 worth a look, 1 good to know. `structural`: follows from the rules, always among the findings
    shown first. `about`: catalogue key of what `metric` is about, for findings told of several things.
    """

    finding: str
    metric: str
    side: str
    limit: float
    severity: int
    structural: bool = False
    about: str = ""

    def trips(self, estimate: Estimate) -> bool:
        """Whether the whole interval lies beyond the limit."""
        if self.side == WITHIN:
            return -self.limit < estimate.low and estimate.high < self.limit
        return estimate.low > self.limit if self.side == ABOVE else estimate.high < self.limit

    def strength(self, value: float) -> float:
        """How far beyond the limit a value lies, as a ratio, 10 at most."""
        if self.side == WITHIN:
            return 1.0
        far, near = (abs(value), abs(self.limit)) if abs(value) > abs(self.limit) else (abs(self.limit), abs(value))
        return min(far / near, 10.0) if near > 0 else 10.0


@dataclass(frozen=True)
class Finding:
    """A finding with the runs it holds for, the worst first, each with the estimate that tripped the limit."""

    limit: Limit
    runs: Sequence[tuple[LabelledRun, Estimate]]

    @property
    def order(self) -> tuple[int, float]:
        """Worst first when sorted."""
        return (-self.limit.severity, -self.limit.strength(self.runs[0][1].value))


def find(
    runs: Sequence[LabelledRun],
    limits: Sequence[Limit],
    derived: Callable[[LabelledRun], Mapping[str, Estimate]],
    switched_off: Callable[[Limit, LabelledRun], bool] = lambda limit, one: False,
) -> list[Finding]:
    """All findings of the runs, worst first.

    `derived`: values that only findings ask for; `switched_off`: whether the rules of a run, not its games, keep a
    limit from saying anything.
    """
    each = FAMILY_ALPHA / max(len(limits) * len(runs), 1)
    tripped: dict[str, dict[int, tuple[Limit, LabelledRun, Estimate]]] = {}
    for index, one in enumerate(runs):
        if one.sample.games < ENOUGH_GAMES:
            continue
        strict = one.at(each)
        values, deciding = ({**run.estimates, **derived(run)} for run in (one, strict))
        for limit in limits:
            estimate = deciding.get(limit.metric) if not switched_off(limit, one) else None
            known = tripped.setdefault(limit.finding, {})
            if estimate is not None and estimate.defined and index not in known and limit.trips(estimate):
                known[index] = (limit, one, values[limit.metric])
    findings = []
    for hits in tripped.values():
        if hits:
            ordered = sorted(hits.values(), key=lambda hit: (-hit[0].severity, -_distance(hit[0], hit[2])))
            findings.append(Finding(ordered[0][0], [(one, estimate) for _, one, estimate in ordered]))
    return sorted(findings, key=lambda finding: finding.order)


def _distance(limit: Limit, estimate: Estimate) -> float:
    return abs(estimate.value - limit.limit) if limit.side != WITHIN else -abs(estimate.value)


def choose(findings: Sequence[Finding]) -> tuple[list[Finding], list[Finding]]:
    """The three to six that stand first on the page, and the rest: what is structural, then the worst; good-to-know
    ones only to fill up to three.
    """
    structural = [finding for finding in findings if finding.limit.structural][:MOST]
    others = [finding for finding in findings if finding not in structural]
    first = structural + [finding for finding in others if finding.limit.severity >= 2][: MOST - len(structural)]
    first += [finding for finding in others if finding not in first][: max(0, FEWEST - len(first))]
    first.sort(key=lambda finding: finding.order)
    return first, [finding for finding in findings if finding not in first]


def tell(study: Study, finding: Finding, more_words: Callable[[Study, LabelledRun, str, str], Fillings]) -> FindingText:
    """The finding in plain words with the numbers of its worst run, and the evidence: the interval and n of every
    number told.

    `more_words(study, run, finding, about)`: the words and numbers that the finding's text names, beside the metric
    that tripped the limit.
    """
    limit, (worst, estimate) = finding.limit, finding.runs[0]
    key = limit.finding if not limit.about else "never_fires" if estimate.value == 0 else "rarely_fires"
    runs = [one for one, _ in finding.runs]
    words: Fillings = {
        "value": estimate,
        "limit": study.given(limit.limit, estimate.unit),
        "run": study.text("common.quoted", run=study.run_name(worst)),
        "sizes": study.listed([str(p) for p in sorted({one.players for one in runs})]),
        **more_words(study, worst, limit.finding, limit.about),
    }
    told = {name: study.plain(word) if isinstance(word, Estimate) else word for name, word in words.items()}
    title, text = (study.text(f"findings.{key}.{part}", **told) for part in ("title", "text"))
    named = study.words.placeholders(f"findings.{key}.text")
    numbers = [
        word for name, word in words.items() if isinstance(word, Estimate) and (name in named or name.startswith(ENDS))
    ] or [estimate]
    record = {
        "finding": limit.finding,
        "severity": limit.severity,
        "metric": limit.metric,
        "side": limit.side,
        "limit": limit.limit,
        "title": title,
        "text": text,
        "runs": [study.record(one, estimate) for one, estimate in finding.runs],
        "numbers": [study.record(worst, number) for number in numbers],
    }
    holds_for = study.text("common.holds_for", runs=study.names(runs))
    return FindingText(limit.finding, limit.severity, title, text, study.evidence(numbers), holds_for, record)
