"""Findings of NUM BLUFF: its limits, and the values that only they ask for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from numbluff_sim.analysis.metrics.measured import paid_for
from numbluff_sim.analysis.num_bluff.findings_words import more_words
from numbluff_sim.analysis.report import findings
from numbluff_sim.analysis.report.figures import best_seat_advantage
from numbluff_sim.analysis.report.findings import ABOVE, BELOW, Finding, Limit
from numbluff_sim.analysis.report.measured_runs import LabelledRun, Study
from numbluff_sim.analysis.report.model import FindingText
from numbluff_sim.analysis.report.ways_of_playing import AHEAD, best_persona_advantage
from numbluff_sim.analysis.statistics.estimates import Estimate
from numbluff_sim.analysis.statistics.intervals import proportion
from numbluff_sim.games.num_bluff.rules_section import EVENT_NAMES

#: The hand at the end as a share of that at the start, and the share below which hands are said to shrink.
HAND_KEPT, KEPT = "hand_kept", 0.95
#: All limits, in units of the metric. Of several limits of one finding the first that trips counts, so the strictest
#: stands first.
LIMITS = (
    Limit("pot_never_fills", "pot_empty_share", ABOVE, 0.9, 3, structural=True),
    Limit("games_end_early", "early_end_per_game", ABOVE, 0.05, 3, structural=True),
    Limit("deck_runs_out", "recycles_per_game", ABOVE, 0.5, 3, structural=True),
    Limit("hand_shrinks", HAND_KEPT, BELOW, KEPT, 3, structural=True),
    Limit("hand_unexplained", "hand_unexplained_per_player_round", ABOVE, 0.01, 2, structural=True),
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
    Limit("lies_seen_with_more", "honest_minus_lying_points", BELOW, -0.25, 1),
    Limit("lies_seen_with_less", "honest_minus_lying_points", ABOVE, 0.25, 1),
    Limit("bluffer_too_strong", "bluffer_to_others_ratio", ABOVE, 2.0, 2),
    Limit("bluffer_too_weak", "bluffer_to_others_ratio", BELOW, 0.5, 2),
    Limit("fusions_seen_with_less", "fusion_minus_single_points", BELOW, -0.25, 1),
    Limit("fusions_seen_with_more", "fusion_minus_single_points", ABOVE, 0.25, 1),
    Limit("leader_runs_away", "comeback_share", BELOW, 0.25, 2),
    Limit("decided_early", "decided_before_last_per_game", ABOVE, 0.85, 2),
    Limit("half_time_says_little", "comeback_share", ABOVE, 0.6, 1),
    Limit("wins_are_shared", "shared_win_per_game", ABOVE, 0.03, 1),
    Limit("last_tie_decides", "closest_by_last_tie_share", ABOVE, 0.01, 1),
    AHEAD,
    Limit("seats_are_even", "best_seat_advantage", BELOW, 0.02, 1),
    Limit("pot_is_claimed", "pot_unclaimed_share", BELOW, 0.25, 1),
)

#: Contrasts of what is seen when a player chooses one thing or the other: told only where all play alike, or players
#: would be compared and not choices. What a choice brings is asked of one player at a time (`numbluff what-if-one`).
OF_CHOICES = ("honest_minus_lying_points", "fusion_minus_single_points")


def derived(one: LabelledRun) -> dict[str, Estimate]:
    """Values that only findings ask for, from metrics or counts: the best seat's advantage, that of the best way of
    playing, rounds with an empty pot, bluffer to others.
    """
    best = {"best_seat_advantage": best_seat_advantage(one), AHEAD.metric: best_persona_advantage(one)}
    found: dict[str, Estimate] = {name: estimate for name, estimate in best.items() if estimate is not None}
    if one.enough_details:
        rounds, tally = one.sample.detail_rounds, one.run.tally
        held = int(
            tally["pot_by_round"][:, 1:].sum() + tally["pot_when_won"][:, 1:].sum()
        )  # after the round, or when it was won
        empty = proportion(
            "pot_empty_share",
            max(rounds - held, 0),
            rounds,
            denominator="rounds",
            games=one.sample.detail_games,
            design_effect=one.rounds,
        )
        paid = paid_for({empty.name: empty}, one.run.meta)[empty.name]
        found[empty.name] = paid.at(one.estimates["pot_won_per_game"].alpha)
    last, start = one.get(f"hand_mean_round_{one.rounds}"), one.run.config.table.hand_size
    if last is not None:
        ends = {end: getattr(last, end) / start for end in ("value", "low", "high")}
        found[HAND_KEPT] = replace(last, name=HAND_KEPT, unit="share", **ends)
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


def find(runs: Sequence[LabelledRun], limits: Sequence[Limit] = LIMITS) -> list[Finding]:
    """All findings of the runs, worst first."""
    return findings.find(runs, limits, derived, _switched_off)


def tell(study: Study, finding: Finding) -> FindingText:
    """The finding in plain words (`analysis.report.findings.tell`)."""
    return findings.tell(study, finding, more_words)


def _switched_off(limit: Limit, one: LabelledRun) -> bool:
    """Whether the rules of the configuration, not rarity, keep the event from happening; another finding says it; or
    players who differ from each other keep a contrast of choices from saying anything.
    """
    if limit.metric in OF_CHOICES and one.mixed:
        return True
    rules = one.run.config.rules
    if limit.finding == "hand_unexplained":  # told with the hands that shrink, where they do
        last = one.get(f"hand_mean_round_{one.rounds}")
        return last is not None and last.high < KEPT * one.run.config.table.hand_size
    no_bonus = limit.about == EVENT_NAMES[-1] and not rules.master_bonus
    return no_bonus or (bool(limit.about) and limit.about.removesuffix("_multiple") in rules.without)
