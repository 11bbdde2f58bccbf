"""All metrics of a NUM BLUFF run. Their names are identifiers that baselines, reports and comparisons rely on."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np

from numbluff_sim.analysis.estimates import ALPHA, Estimate, Estimator, TestResult, named
from numbluff_sim.analysis.num_bluff import play, pot, rates, seats
from numbluff_sim.analysis.num_bluff.metric_words import metric_group
from numbluff_sim.analysis.num_bluff.sample import Run, Sample
from numbluff_sim.games.num_bluff.names import EVENT_NAMES
from numbluff_sim.games.num_bluff.tally import TALLY_FIELDS, shape

#: Groups of metrics in the order of the report; each gives estimators from a sample.
GROUPS = {
    "events": rates.events,
    "events_by_round": rates.events_by_round,
    "exact_hits": rates.exact_hits,
    "gaps_and_ties": rates.gaps_and_ties,
    "table_and_deck": rates.table_and_deck,
    "bluffing": play.bluffing,
    "fusing": play.fusing,
    "roles": play.roles,
    "pot_size": pot.pot_size,
    "pot_wins": pot.pot_wins,
    "pot_and_victory": pot.pot_and_victory,
    "seats": seats.seats,
    "course": seats.course,
}


def estimators(sample: Sample) -> dict[str, Estimator]:
    """All metrics by name, in order, their intervals still open."""
    return named(estimator for group in GROUPS.values() for estimator in group(sample))


def metrics(run: Run, alpha: float = ALPHA) -> dict[str, Estimate]:
    """All metrics of a run by name, in order, with 1 - alpha intervals (single ones unless `method` says simultaneous)."""
    return {name: estimator.at(alpha) for name, estimator in estimators(Sample.from_run(run)).items()}


def tests(run: Run) -> dict[str, TestResult]:
    """The tests of hypotheses of a run by name."""
    return seats.seat_tests(Sample.from_run(run))


def gate_estimators(run: Run, only: Collection[str] | None = None) -> dict[str, Estimator]:
    """All metrics as claims are judged by: Clopper-Pearson for every proportion. `only`: no more than these, which takes less time."""
    sample = Sample.from_run(run, gate=True)
    return estimators(sample) if only is None else _some(sample, set(only))


def _some(sample: Sample, names: set[str]) -> dict[str, Estimator]:
    groups = {metric_group(name) for name in names}
    return named(estimator for group in GROUPS if group in groups for estimator in GROUPS[group](sample) if estimator.name in names)


def known_metrics(config: Any) -> dict[str, Estimator]:
    """The metrics that runs of a configuration have, by name; of no games, so none has a value."""
    tally = {field.name: np.zeros(shape(field, config.players, config.rounds), np.int64) for field in TALLY_FIELDS}
    return estimators(Sample(tally, config.players, config.rounds, 1, 1, 1))


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


def headline(config: Any) -> list[str]:
    """The headline metrics that runs of a configuration have, in the order of `known_metrics`."""
    return [name for name in known_metrics(config) if name in HEADLINE]
