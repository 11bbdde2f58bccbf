"""Findings: what a designer should know, found by holding measured values against the limits of one table.

A limit trips for a run when the whole interval of the metric lies beyond it. Runs that trip the same finding are told in
one text, with the numbers of the run that is farthest beyond.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from numbluff_sim.analysis.estimates import Estimate
from numbluff_sim.analysis.intervals import proportion
from numbluff_sim.analysis.num_bluff.figures_seats import seat_excess
from numbluff_sim.analysis.num_bluff.findings_words import ENDS, Words, more_words
from numbluff_sim.analysis.num_bluff.study import ENOUGH_GAMES, Measured, Study
from numbluff_sim.analysis.report.model import FindingText
from numbluff_sim.games.num_bluff.names import EVENT_NAMES

FEWEST, MOST = 3, 6
ABOVE, BELOW, WITHIN = "above", "below", "within"


@dataclass(frozen=True)
class Limit:
    """`finding` is told when the interval of `metric` lies `above` or `below` `limit` (or `within` -limit..limit) for a run.

    severity 3 serious, 2 worth a look, 1 good to know. `structural`: follows from the rules, always among the findings shown first.
    `about`: catalogue key of what `metric` is about, for findings told of several things.
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


#: All limits, in units of the metric. Of several limits of one finding the first that trips counts, so the strictest stands first.
LIMITS = (
    Limit("pot_never_fills", "pot_empty_share", ABOVE, 0.9, 3, structural=True),
    Limit("games_end_early", "early_end_per_game", ABOVE, 0.05, 3, structural=True),
    Limit("deck_runs_out", "recycles_per_game", ABOVE, 0.5, 3, structural=True),
    Limit("hand_shrinks", "hand_unexplained_per_player_round", ABOVE, 0.01, 3, structural=True),
    Limit("several_miroirs", "miroir_several_per_round", ABOVE, 0.0, 3),
    *(Limit(f"rarely_{event}", f"games_with_{event}", BELOW, 0.02, 2, about=event) for event in EVENT_NAMES),
    Limit("coup_de_maitre_rules", "coup_de_maitre_any_per_round", ABOVE, 0.6, 2),
    Limit("frappe_too_common", "frappe_parfaite_per_round", ABOVE, 0.05, 2),
    Limit("exact_too_common", "coup_precis_any_per_round", ABOVE, 0.35, 2),
    Limit("pot_unclaimed", "pot_unclaimed_share", ABOVE, 0.5, 3),
    Limit("pot_unclaimed", "pot_unclaimed_share", ABOVE, 0.25, 2),
    Limit("pot_decides", "pot_share_of_winner_mean", ABOVE, 35.0, 2),
    Limit("seat_unfair", "best_seat_advantage", ABOVE, 0.05, 3),
    Limit("seat_unfair", "best_seat_advantage", ABOVE, 0.02, 2),
    Limit("lying_pays", "honest_minus_lying_points", BELOW, -1.0, 3),
    Limit("lying_pays", "honest_minus_lying_points", BELOW, -0.25, 2),
    Limit("lying_costs", "honest_minus_lying_points", ABOVE, 0.25, 2),
    Limit("lying_is_neutral", "honest_minus_lying_points", WITHIN, 0.25, 2),
    Limit("bluffer_too_strong", "bluffer_to_others_ratio", ABOVE, 2.0, 2),
    Limit("bluffer_too_weak", "bluffer_to_others_ratio", BELOW, 0.5, 2),
    Limit("fusing_costs", "fusion_minus_single_points", BELOW, -0.25, 2),
    Limit("fusing_pays", "fusion_minus_single_points", ABOVE, 0.25, 2),
    Limit("leader_runs_away", "comeback_share", BELOW, 0.25, 2),
    Limit("decided_early", "decided_before_last_per_game", ABOVE, 0.85, 2),
    Limit("half_time_says_little", "comeback_share", ABOVE, 0.6, 1),
    Limit("wins_are_shared", "shared_win_per_game", ABOVE, 0.03, 1),
    Limit("last_tie_decides", "closest_by_last_tie_share", ABOVE, 0.01, 1),
    Limit("seats_are_even", "best_seat_advantage", BELOW, 0.02, 1),
    Limit("pot_is_claimed", "pot_unclaimed_share", BELOW, 0.25, 1),
)


def derived(one: Measured) -> dict[str, Estimate]:
    """Values that only findings ask for, from metrics or counts: the best seat's advantage, rounds with an empty pot, bluffer to others."""
    found: dict[str, Estimate] = {}
    seats = [(seat_excess(one.estimates[f"seat_{p}_win_share"], one.players), p) for p in range(one.players)]
    if all(excess.defined for excess, _ in seats):
        best, seat = max(seats, key=lambda pair: pair[0].value)
        found["best_seat_advantage"] = replace(
            best, name=f"seat_{seat}_advantage", value=best.value * one.players, low=best.low * one.players, high=best.high * one.players
        )
    if one.enough_details:
        rounds, tally = one.sample.detail_rounds, one.run.tally
        held = int(tally["pot_by_round"][:, 1:].sum() + tally["pot_when_won"][:, 1:].sum())   # after the round, or when it was won
        found["pot_empty_share"] = proportion(
            "pot_empty_share", max(rounds - held, 0), rounds, denominator="rounds", games=one.sample.detail_games, design_effect=one.rounds
        ).at(1 - one.estimates["pot_won_per_game"].level)
    bluffer, others = one.get("bluffer_points_per_round"), one.get("other_points_per_round")
    if bluffer and others and others.low > 0:
        found["bluffer_to_others_ratio"] = replace(
            bluffer,
            name="bluffer_to_others_ratio",
            unit="ratio",
            value=bluffer.value / others.value,
            low=bluffer.low / others.high,
            high=bluffer.high / others.low,
            method=f"ends of two intervals ({bluffer.method})",
        )
    return found


@dataclass(frozen=True)
class Finding:
    """A finding with the runs it holds for, the worst first, each with the estimate that tripped the limit."""

    limit: Limit
    runs: Sequence[tuple[Measured, Estimate]]

    @property
    def order(self) -> tuple[int, float]:
        """Worst first when sorted."""
        return (-self.limit.severity, -self.limit.strength(self.runs[0][1].value))


def find(runs: Sequence[Measured], limits: Sequence[Limit] = LIMITS) -> list[Finding]:
    """All findings of the runs, worst first."""
    tripped: dict[str, dict[int, tuple[Limit, Measured, Estimate]]] = {}
    for index, one in enumerate(runs):
        if one.sample.games < ENOUGH_GAMES:
            continue
        values = {**one.estimates, **derived(one)}
        for limit in limits:
            estimate = values.get(limit.metric) if not _switched_off(limit, one) else None
            known = tripped.setdefault(limit.finding, {})
            if estimate is not None and estimate.defined and index not in known and limit.trips(estimate):
                known[index] = (limit, one, estimate)
    findings = []
    for hits in tripped.values():
        if hits:
            ordered = sorted(hits.values(), key=lambda hit: (-hit[0].severity, -_distance(hit[0], hit[2])))
            findings.append(Finding(ordered[0][0], [(one, estimate) for _, one, estimate in ordered]))
    return sorted(findings, key=lambda finding: finding.order)


def _switched_off(limit: Limit, one: Measured) -> bool:
    """Whether the rules of the configuration, not rarity, keep the event from happening."""
    rules = one.run.config.rules
    no_bonus = limit.about == EVENT_NAMES[-1] and not rules.master_bonus
    return no_bonus or (bool(limit.about) and limit.about.removesuffix("_multiple") in rules.without)


def _distance(limit: Limit, estimate: Estimate) -> float:
    return abs(estimate.value - limit.limit) if limit.side != WITHIN else -abs(estimate.value)


def choose(findings: Sequence[Finding]) -> tuple[list[Finding], list[Finding]]:
    """The three to six that stand first on the page, and the rest: what is structural, then the worst; good-to-know ones only to fill up to three."""
    structural = [finding for finding in findings if finding.limit.structural][:MOST]
    others = [finding for finding in findings if finding not in structural]
    first = structural + [finding for finding in others if finding.limit.severity >= 2][: MOST - len(structural)]
    first += [finding for finding in others if finding not in first][: max(0, FEWEST - len(first))]
    first.sort(key=lambda finding: finding.order)
    return first, [finding for finding in findings if finding not in first]


def tell(study: Study, finding: Finding) -> FindingText:
    """The finding in plain words with the numbers of its worst run, and the evidence: the interval and n of every number told."""
    limit, (worst, estimate) = finding.limit, finding.runs[0]
    key = limit.finding if not limit.about else "never_fires" if estimate.value == 0 else "rarely_fires"
    runs = [one for one, _ in finding.runs]
    words: Words = {
        "value": estimate,
        "limit": study.plain(replace(estimate, value=limit.limit)),
        "run": study.text("common.quoted", run=study.run_name(worst)),
        "sizes": study.listed([str(p) for p in sorted({one.players for one in runs})]),
        **more_words(study, worst, limit.finding, limit.about),
    }
    told = {name: study.plain(word) if isinstance(word, Estimate) else word for name, word in words.items()}
    title, text = (study.text(f"findings.{key}.{part}", **told) for part in ("title", "text"))
    named = study.words.placeholders(f"findings.{key}.text")
    numbers = [word for name, word in words.items() if isinstance(word, Estimate) and (name in named or name.startswith(ENDS))] or [estimate]
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
