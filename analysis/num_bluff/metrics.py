"""All metrics of a NUM BLUFF run. Their names are identifiers that baselines, reports and comparisons rely on."""

from __future__ import annotations

from numbluff_sim.analysis.metrics.metric_set import MetricSet
from numbluff_sim.analysis.num_bluff import choices, pot, rates, seats
from numbluff_sim.analysis.num_bluff.metric_words import WORDS
from numbluff_sim.analysis.num_bluff.sample import Sample
from numbluff_sim.games.num_bluff.rules_section import EVENT_NAMES

#: Groups of metrics in the order of the report; each gives estimators from a sample.
GROUPS = {
    "events": rates.events,
    "events_by_round": rates.events_by_round,
    "exact_hits": rates.exact_hits,
    "gaps_and_ties": rates.gaps_and_ties,
    "table_and_deck": rates.table_and_deck,
    "bluffing": choices.bluffing,
    "fusing": choices.fusing,
    "roles": choices.roles,
    "pot_size": pot.pot_size,
    "pot_wins": pot.pot_wins,
    "pot_and_victory": pot.pot_and_victory,
    "seats": seats.seats,
    "personas": seats.ways_of_playing,
    "course": seats.course,
}


#: What `numbluff check --write-baseline` records.
BASELINE_METRICS = (
    *(f"{event}_per_round" for event in EVENT_NAMES),
    "games_with_miroir_parfait",
    "exact_per_player_round",
    "fusion_per_player_round",
    "bluffer_minus_other_points",
    "honest_minus_lying_points",
    "pot_after_mean",
    "pot_unclaimed_share",
    "score_mean",
    "margin_mean",
    "shared_win_per_game",
    "lead_changes_mean",
    "comeback_share",
    "decided_before_last_per_game",
    "recycles_per_game",
    *(f"seat_{seat}_win_share" for seat in range(6)),
)

#: What a designer usually asks of a game: the metrics that what-ifs put first.
HEADLINE = (
    *(f"{event}_per_round" for event in EVENT_NAMES),
    "games_per_miroir_parfait",
    "exact_per_player_round",
    "fusion_per_player_round",
    "bluffer_minus_other_points",
    "honest_minus_lying_points",
    "pot_after_mean",
    "pot_unclaimed_share",
    "pot_share_of_winner_mean",
    "seat_win_share_gap",
    "seat_points_gap",
    "score_mean",
    "margin_mean",
    "shared_win_per_game",
    "lead_changes_mean",
    "comeback_share",
    "decided_before_last_per_game",
    "recycles_per_game",
    "early_end_per_game",
)

#: Differences that matter at the table, each in its metric's unit: a point of a seat, a Frappe in 200 rounds.
SMALLEST = {
    "frappe_parfaite_per_round": 0.005,
    "miroir_parfait_per_round": 0.0005,
    "seat_points_gap": 1.0,
    "seat_win_share_gap": 0.02,
    "comeback_share": 0.02,
    "pot_unclaimed_share": 0.02,
}
METRICS = MetricSet(
    GROUPS,
    Sample.of,
    lambda config, tally: Sample(tally, config.players, config.rounds, 1, 1, 1, personas=config.mixed_seating),
    WORDS.metric_group,
    HEADLINE,
    BASELINE_METRICS,
    seats.seat_tests,
    SMALLEST,
)
