"""All metrics of a NUM BLUFF run. Their names are identifiers that baselines, reports and comparisons rely on."""

from __future__ import annotations

from numbluff_sim.analysis.estimates import ALPHA, Estimate, Estimator, TestResult, named
from numbluff_sim.analysis.num_bluff import play, pot, rates, seats
from numbluff_sim.analysis.num_bluff.sample import Run, Sample

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
