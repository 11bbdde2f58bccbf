"""All metrics of a Perudo run. Their names are identifiers that baselines, reports and comparisons rely on."""

from __future__ import annotations

from numbluff_sim.analysis.metrics.metric_set import MetricSet
from numbluff_sim.analysis.perudo import course, rates
from numbluff_sim.analysis.perudo.metric_words import WORDS
from numbluff_sim.analysis.perudo.sample import Sample

#: Groups of metrics in the order of the report; each gives estimators from a sample.
GROUPS = {
    "events": rates.events,
    "length": rates.length,
    "challenges": rates.challenges,
    "calibration": rates.calibration,
    "openers": rates.openers,
    "cups": rates.cups,
    "seats": course.seats,
    "personas": course.ways_of_playing,
    "comebacks": course.comebacks,
    "eliminations": course.eliminations,
    "two_left": course.two_left,
    "three_to_two": course.three_to_two,
    "palifico": course.palifico,
}

#: What `numbluff check --write-baseline` records.
BASELINE_METRICS = (
    "palifico_per_round",
    "opener_lost_per_round",
    "bid_true_per_round",
    "rounds_per_game",
    "bids_per_round",
    "challenge_per_bid",
    "cups_lifted_share",
    "dice_hidden_share",
    "comeback_share",
    "winner_dice_mean",
    "idle_share",
    "weaker_win_share",
    "palifico_lost_share",
    *(f"seat_{seat}_win_share" for seat in range(6)),
)

#: What a designer usually asks of the game: the metrics that what-ifs put first.
HEADLINE = (
    "palifico_per_round",
    "palifico_lost_share",
    "palifico_minus_opener_lost",
    "opener_lost_per_round",
    "bid_true_per_round",
    "rounds_per_game",
    "bids_per_round",
    "challenge_per_bid",
    "cups_lifted_share",
    "dice_hidden_share",
    "seat_win_share_gap",
    "first_opener_win_share",
    "comeback_share",
    "won_from_one_share",
    "winner_dice_mean",
    "idle_per_game",
    "idle_share",
    "even_two_per_game",
    "weaker_opens_share",
    "weaker_win_share",
)

#: Differences that matter at the table, each in its metric's unit.
SMALLEST = {"seat_win_share_gap": 0.02, "comeback_share": 0.02, "idle_share": 0.02, "rounds_per_game": 1.0}
METRICS = MetricSet(
    GROUPS,
    Sample.of,
    lambda config, tally: Sample.of(config, tally, False),
    WORDS.metric_group,
    HEADLINE,
    BASELINE_METRICS,
    course.seat_tests,
    SMALLEST,
)
