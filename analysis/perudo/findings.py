"""Findings of Perudo: its limits, the values that only they ask for, and the words of their texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from numbluff_sim.analysis.report import findings
from numbluff_sim.analysis.report.figures import best_seat_advantage, seat_words
from numbluff_sim.analysis.report.findings import ABOVE, BELOW, Fillings, Finding, Limit
from numbluff_sim.analysis.report.measured_runs import LabelledRun, Study
from numbluff_sim.analysis.report.model import FindingText
from numbluff_sim.analysis.report.ways_of_playing import AHEAD, best_persona_advantage, persona_words
from numbluff_sim.analysis.statistics.estimates import SHARE_DIFFERENCE, Estimate

#: All limits, in units of the metric. Of several limits of one finding the first that trips counts, so the strictest
#: stands first.
LIMITS = (
    Limit("first_to_one_is_lost", "comeback_to_fair", BELOW, 0.25, 3),
    Limit("first_to_one_is_lost", "comeback_to_fair", BELOW, 0.5, 2),
    Limit("first_to_one_comes_back", "comeback_to_fair", ABOVE, 0.75, 1),
    Limit("players_wait", "first_out_wait", ABOVE, 0.4, 3),
    Limit("players_wait", "first_out_wait", ABOVE, 0.25, 2),
    Limit("seat_unfair", "best_seat_advantage", ABOVE, 0.05, 3),
    Limit("seat_unfair", "best_seat_advantage", ABOVE, 0.02, 2),
    Limit("seats_are_even", "best_seat_advantage", BELOW, 0.02, 1),
    AHEAD,
    Limit("palifico_swings", "palifico_swing", ABOVE, 0.1, 2),
    Limit("palifico_protects", "palifico_minus_opener_lost", BELOW, -0.02, 2),
    Limit("palifico_exposes", "palifico_minus_opener_lost", ABOVE, 0.02, 2),
    Limit("opening_helps_weaker", "opening_for_weaker", ABOVE, 0.01, 2),
    Limit("opening_hurts_weaker", "opening_for_weaker", BELOW, -0.01, 2),
    Limit("opening_costs_even", "two_left_1_v_1_win_share", BELOW, 0.49, 1),
    Limit("opening_pays_even", "two_left_1_v_1_win_share", ABOVE, 0.51, 1),
    Limit("weaker_is_lost", "weaker_win_share", BELOW, 0.25, 2),
    Limit("bidding_is_short", "bids_per_round", BELOW, 2.0, 2),
    Limit("challengers_are_right", "challenge_right_per_round", ABOVE, 0.6, 2),
    Limit("challengers_are_wrong", "challenge_right_per_round", BELOW, 0.4, 2),
    Limit("dice_stay_hidden", "dice_hidden_share", ABOVE, 0.25, 1),
    Limit("dice_are_shown", "dice_hidden_share", BELOW, 0.1, 1),
)


#: Values that compare situations of the game, or those who come into one with a fair share: who plays badly comes into
#: bad ones more often.
COMPARED = (
    "comeback_to_fair",
    "weaker_win_share",
    "palifico_swing",
    "palifico_minus_opener_lost",
    "opening_for_weaker",
    "two_left_1_v_1_win_share",
)


def derived(one: LabelledRun) -> dict[str, Estimate]:
    """Values that only findings ask for, from metrics: their intervals are those of the ends."""
    best = {"best_seat_advantage": best_seat_advantage(one), AHEAD.metric: best_persona_advantage(one)}
    found: dict[str, Estimate] = {name: estimate for name, estimate in best.items() if estimate is not None}
    if (comeback := one.get("comeback_share")) is not None:
        found["comeback_to_fair"] = scaled(comeback, "comeback_to_fair", one.players)
    wait, length = one.get(f"idle_place_{one.players}"), one.get("rounds_per_game")
    if wait is not None and length is not None and length.low > 0:
        found["first_out_wait"] = replace(
            wait,
            name="first_out_wait",
            unit="share",
            value=wait.value / length.value,
            low=wait.low / length.high,
            high=wait.high / length.low,
            method=f"ends of two intervals ({wait.method})",
        )
    pairs = (
        ("palifico_swing", "two_left_palifico_v_2_win_share", "two_left_1_v_2_win_share"),
        ("opening_for_weaker", "two_left_1_v_2_win_share", "two_left_1_v_2_second_win_share"),
    )
    for name, first, second in pairs:
        a, b = one.get(first), one.get(second)
        if a is not None and b is not None:
            found[name] = difference(a, b, name)
    return found


def scaled(estimate: Estimate, name: str, factor: float) -> Estimate:
    """An estimate times a factor."""
    ends = {key: getattr(estimate, key) * factor for key in ("value", "low", "high")}
    return replace(estimate, name=name, **ends)


def difference(first: Estimate, second: Estimate, name: str) -> Estimate:
    """first - second, two shares, from the ends of their intervals: wider than need be, right under any dependence."""
    return replace(
        first,
        name=name,
        unit=SHARE_DIFFERENCE,
        value=first.value - second.value,
        low=first.low - second.high,
        high=first.high - second.low,
        n=min(first.n, second.n),
        method=f"ends of two intervals ({first.method})",
    )


def find(runs: Sequence[LabelledRun], limits: Sequence[Limit] = LIMITS) -> list[Finding]:
    """All findings of the runs, worst first."""
    return findings.find(runs, limits, derived, _confounded)


def _confounded(limit: Limit, one: LabelledRun) -> bool:
    """Whether a situation is judged in which different ways of playing find themselves more or less often."""
    return bool(one.mixed) and limit.metric in COMPARED


def tell(study: Study, finding: Finding) -> FindingText:
    """The finding in plain words (`analysis.report.findings.tell`)."""
    return findings.tell(study, finding, lambda study, one, name, _: more_words(study, one, name))


def more_words(study: Study, one: LabelledRun, finding: str) -> Fillings:
    """Placeholder -> text or estimate, beside the value that tripped the limit."""
    if finding in ("seat_unfair", "seats_are_even"):
        return seat_words(study, one)
    if finding == AHEAD.finding:
        return persona_words(study, one)
    words: Fillings = {name: one.estimates[metric] for name, metric in MORE_WORDS.get(finding, {}).items()}
    if finding in ("first_to_one_is_lost", "first_to_one_comes_back"):
        words["fair"] = study.numbers.percent(1 / one.players)
    if finding == "players_wait":
        words |= {"waits": one.estimates[f"idle_place_{one.players}"], "place": str(one.players)}
    return words


_TO_ONE = {"share": "comeback_share"}
_PALIFICO = {"lost": "palifico_lost_share", "others": "other_opener_lost_share"}
_WEAKER = {"opens": "two_left_1_v_2_win_share", "second": "two_left_1_v_2_second_win_share"}
MORE_WORDS: Mapping[str, Mapping[str, str]] = {
    "first_to_one_is_lost": _TO_ONE,
    "first_to_one_comes_back": _TO_ONE,
    "players_wait": {"rounds": "rounds_per_game"},
    "palifico_swings": {"palifico": "two_left_palifico_v_2_win_share", "normal": "two_left_1_v_2_win_share"},
    "palifico_protects": _PALIFICO,
    "palifico_exposes": _PALIFICO,
    "opening_helps_weaker": _WEAKER,
    "opening_hurts_weaker": _WEAKER,
    "bidding_is_short": {"challenged": "challenge_per_bid"},
}
