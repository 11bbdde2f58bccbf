"""Metrics of high card, and its report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from numbluff_sim.analysis.metrics.metric_set import MetricSet
from numbluff_sim.analysis.metrics.metric_words import MetricWords
from numbluff_sim.analysis.metrics.personas import personas
from numbluff_sim.analysis.metrics.seat_gaps import largest_gap, seat_points, win_shares
from numbluff_sim.analysis.metrics.tally_reader import VariableSample
from numbluff_sim.analysis.report.balance import balance_page, section
from numbluff_sim.analysis.report.figures import seat_wins
from numbluff_sim.analysis.report.findings import ABOVE, Limit, find, tell
from numbluff_sim.analysis.report.measured_runs import ReportedRun, Study, measure
from numbluff_sim.analysis.report.model import Page
from numbluff_sim.analysis.statistics.estimates import ALPHA, SHARE_DIFFERENCE, Estimator
from numbluff_sim.contract.game import Counts
from numbluff_sim.i18n import balance_catalogue
from toy_game.config import ToyConfig
from toy_game.engine import TALLY, seat_results

DOMAIN = "toy_game:words"
WORDS = MetricWords(DOMAIN, DOMAIN)


Sample = VariableSample[ToyConfig]


def sample_of(config: ToyConfig, tally: Counts, gate: bool = False) -> Sample:
    """A tally as the metrics read it."""
    return VariableSample(tally, TALLY, config, gate)


def events(sample: Sample) -> Iterator[Estimator]:
    """How often cards tie."""
    yield sample.per_round("tie_per_round", "ties")


def seats(sample: Sample) -> Iterator[Estimator]:
    """What a seat is worth."""
    results = seat_results(sample.config)
    yield from win_shares(sample, results)
    yield from seat_points(sample, results, sample.config.rounds)
    if not sample.config.mixed_seating:  # seats that play differently are not compared
        wins = [seat.win for seat in results]
        yield largest_gap("seat_win_share_gap", sample.every, wins, games=sample.games, unit=SHARE_DIFFERENCE, most=1.0)


def ways_of_playing(sample: Sample) -> Iterator[Estimator]:
    """What each way of playing gets, where seats play differently."""
    config = sample.config
    return personas(sample, config.mixed_seating, seat_results(config), config.rounds)


SHOWN = ("tie_per_round", *(f"seat_{p}_win_share" for p in range(4)), "seat_win_share_gap")
GROUPS = {"events": events, "seats": seats, "personas": ways_of_playing}
METRICS = MetricSet(GROUPS, sample_of, sample_of, WORDS.metric_group, SHOWN, SHOWN)
LIMITS = (Limit("seats_differ", "seat_win_share_gap", ABOVE, 0.02, 2),)


def report_page(runs: Sequence[ReportedRun], language: str, out: Path) -> Page:
    """The balance report: one question, one finding."""
    study = Study(balance_catalogue(DOMAIN, language), ALPHA, measure(runs, ALPHA, language=language))
    names = dict.fromkeys(name for run in runs for name in METRICS.known(run.config))
    rows = [(WORDS.metric_label(name, language), name) for name in names]
    blocks = [seat_wins(study), study.table("seats", rows)]
    return balance_page(
        study,
        find(study.runs, LIMITS, lambda one: {}),
        lambda finding: tell(study, finding, lambda *_: {}),
        [section(study, "seats", {"gap": study.across("seat_win_share_gap")}, blocks)],
        out,
        metric_name=lambda name: WORDS.metric_label(name, language),
    )
