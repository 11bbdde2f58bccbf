"""The metrics of NUM BLUFF on tallies of toy games."""

from __future__ import annotations

import math
from types import SimpleNamespace

import numpy as np
import pytest

from numbluff_sim.analysis.num_bluff.metrics import BASELINE_METRICS, METRICS
from numbluff_sim.analysis.num_bluff.sample import Sample
from numbluff_sim.analysis.num_bluff.seats import seat_tests
from numbluff_sim.config import load
from tests.games.num_bluff.synthetic import RATES, empty_tally, toy_sample


@pytest.fixture(scope="module")
def sample() -> Sample:
    return toy_sample(1500, 1, detail_every=2)


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_metrics__every_interval_holds_its_value(players: int) -> None:
    for name, estimator in METRICS.of(toy_sample(200, players, players=players)).items():
        estimate = estimator.at(0.05)
        assert name == estimate.name
        assert not estimate.defined or estimate.low <= estimate.value <= estimate.high
        assert estimate.denominator
        assert estimate.unit
        assert estimate.n >= 0


def test_metrics__smaller_alpha_never_narrows(sample: Sample) -> None:
    for estimator in METRICS.of(sample).values():
        wide, narrow = estimator.at(0.001), estimator.at(0.1)
        assert not narrow.defined or (wide.low <= narrow.low and wide.high >= narrow.high)


def test_metrics__rates_are_counts_over_rounds(sample: Sample) -> None:
    measured = METRICS.of(sample)
    rounds = 1500 * 12
    assert measured["epargne_per_round"].value == sample.tally["round_events"][:, 4].sum() / rounds
    assert measured["ca_chauffe_per_round"].value == pytest.approx(sample.tally["round_events"][:, 4:].sum() / rounds)
    assert measured["games_with_frappe_parfaite"].value == sample.tally["games_with"][1] / 1500
    assert measured["coup_precis_per_round"].n == rounds
    assert measured["pot_after_mean"].n == rounds / 2  # a detail metric: half of the games


def test_metrics__known_chances_are_inside(sample: Sample) -> None:
    measured = METRICS.of(sample)
    for event, chance in (("frappe_parfaite", RATES[1]), ("epargne", RATES[4]), ("coup_de_maitre_bonus", RATES[6])):
        estimate = measured[f"{event}_per_round"].at(0.001)
        assert estimate.low < chance < estimate.high
    honest = measured["lies_per_round"].at(0.001)
    assert honest.low < 0.4 < honest.high


def test_metrics__clustered_games_have_wider_intervals() -> None:
    together, apart = toy_sample(600, 3, mood=1.2), toy_sample(600, 3)
    wide, narrow = (METRICS.of(s)["frappe_parfaite_per_round"].at(0.05) for s in (together, apart))
    assert "design effect" in wide.method
    assert (wide.high - wide.low) / math.sqrt(wide.value) > 1.15 * (narrow.high - narrow.low) / math.sqrt(narrow.value)


def test_metrics__honest_points_are_seen() -> None:
    difference = METRICS.of(toy_sample(800, 4, honest_bonus=1.0))["honest_minus_lying_points"].at(0.001)
    assert difference.low < 1.0 < difference.high
    assert difference.low > 0


def test_metrics__empty_pots_are_zero_with_an_upper_bound() -> None:
    sample = toy_sample(100, 2)
    for field in ("pot_by_round", "pot_when_won"):
        sample.tally[field][..., 0] += sample.tally[field][..., 1:].sum(axis=-1)
        sample.tally[field][..., 1:] = 0
    names = [*sample.detail.names]
    for variable in ("pot_after", "pot_left", "pot_won"):
        i = names.index(variable)
        sample.tally["cross"][i] = sample.tally["cross"][:, i] = sample.tally["cross_sums"][i] = 0
        if i < sample.tally["moments"].shape[1]:
            sample.tally["moments"][:, i] = 0
    measured = METRICS.of(Sample(sample.tally, 4, 12, 2, 16, 816))
    for name in ("pot_after_mean", "pot_left_per_game", "pot_p50_round_12", "pot_mean_round_12"):
        assert measured[name].value == 0
    assert 0 < measured["pot_left_per_game"].at(0.05).high < 816
    assert not measured["pot_unclaimed_share"].at(0.05).defined


def test_metrics__no_lies_leave_honesty_undefined() -> None:
    measured = METRICS.of(toy_sample(50, 2, lying=0.0, fusing=0.0))
    for name in ("lying_points_per_round", "honest_minus_lying_points", "fusion_points", "lie_total_disproved_share"):
        assert not measured[name].at(0.05).defined
    assert measured["honest_points_per_round"].at(0.05).defined


def test_metrics__names_are_known_before_a_run() -> None:
    sample = toy_sample(30, 1, players=5)
    config = load(overrides={"table.players": 5})
    assert list(METRICS.known(config)) == list(METRICS.of(sample))
    assert list(METRICS.known(config))[:2] == ["miroir_parfait_per_round", "frappe_parfaite_per_round"]


def test_metrics__baseline_metrics_exist_at_six_players() -> None:
    assert set(BASELINE_METRICS) <= set(METRICS.known(load(overrides={"table.players": 6})))


def test_metrics__nothing_played_is_undefined() -> None:
    empty = Sample(empty_tally(4, 12), 4, 12, 1, 16, 816)
    assert not any(estimator.at(0.05).defined for estimator in METRICS.of(empty).values())
    assert all(math.isnan(test.p_value) for test in seat_tests(empty).values())


def test_metrics__read_deck_and_bins_from_the_configuration() -> None:
    run = SimpleNamespace(config=load(), tally=toy_sample(40, 1).tally)
    sample = METRICS.sample(run)
    assert (sample.players, sample.rounds, sample.bin_width, sample.highest_card, sample.deck_points) == (
        4,
        12,
        1,
        16,
        816,
    )
    assert METRICS.estimates(run, 0.01)["epargne_per_round"].level == 0.99
    assert METRICS.estimators(run)["epargne_per_round"].method.startswith("Clopper-Pearson")


@pytest.mark.thorough
def test_seat_tests__see_a_seat_worth_more_and_nothing_else() -> None:
    fair = toy_sample(1500, 8, seat_bonus=-10.0)  # takes away what seat 0 starts with
    unfair = toy_sample(1500, 8)
    for name in ("seat_win_chi_square", "seat_points_chi_square"):
        assert seat_tests(fair)[name].p_value > 0.001
        assert seat_tests(unfair)[name].p_value < 1e-6
        assert seat_tests(fair)[name].df == 3


def test_seats__win_shares_add_up_to_one(sample: Sample) -> None:
    measured = METRICS.of(sample)
    assert sum(measured[f"seat_{p}_win_share"].value for p in range(4)) == pytest.approx(1)
    left = measured["left_of_first_bluffer_minus_mean_win_share"]
    assert left.value == pytest.approx(measured["seat_1_win_share"].value - 0.25)


def test_pot_effect__counts_pots_of_a_game_as_copies(sample: Sample) -> None:
    names = sample.detail.names
    index = [names.index(event) for event in ("miroir_parfait", "frappe_parfaite", "coup_de_maitre_bonus")]
    squares = sample.tally["cross"][np.ix_(index, index)].sum()
    assert sample.pot_effect == pytest.approx(squares / sample.tally["cross_sums"][index].sum(), rel=1e-3)
