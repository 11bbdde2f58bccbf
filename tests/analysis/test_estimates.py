"""Interval methods on cases whose answer is known."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from scipy import stats

from numbluff_sim.analysis.statistics.clusters import ClusterSums, ValueWithError
from numbluff_sim.analysis.statistics.estimates import Estimate, Estimator, named, series
from numbluff_sim.analysis.statistics.intervals import (
    bounded_mean,
    difference,
    histogram_mean,
    inverse,
    mean,
    proportion,
    quantile,
    shares,
)
from numbluff_sim.analysis.statistics.skewed import contrast


def share(hits: float, trials: float, **options: object) -> Estimator:
    return proportion("p", hits, trials, denominator="rounds", games=100, **options)


def test_proportion__wilson() -> None:
    # Newcombe 1998, table I: 81 of 263 gives 0.2553 to 0.3662
    estimate = share(81, 263).at(0.05)
    assert (round(estimate.low, 4), round(estimate.high, 4)) == (0.2553, 0.3662)
    assert (estimate.value, estimate.n, estimate.denominator, estimate.method, estimate.level) == (
        81 / 263,
        263,
        "rounds",
        "Wilson",
        0.95,
    )


def test_proportion__clopper_pearson_for_gates_and_rare_events() -> None:
    # Newcombe 1998: 15 of 148 gives 0.0578 to 0.1617
    rare, gate = share(15, 148).at(0.05), share(81, 263, gate=True).at(0.05)
    assert (round(rare.low, 4), round(rare.high, 4)) == (0.0578, 0.1617)
    assert rare.method == gate.method == "Clopper-Pearson"
    assert (round(gate.low, 4), round(gate.high, 4)) == (0.2527, 0.3676)


def test_proportion__no_hits_give_an_upper_bound() -> None:
    estimate = share(0, 1000).at(0.05)
    assert estimate.low == 0
    assert estimate.high == pytest.approx(1 - 0.025 ** (1 / 1000))
    always = share(1000, 1000).at(0.05)
    assert (always.low, always.high) == (pytest.approx(0.025 ** (1 / 1000)), 1)
    almost = share(1e-9, 1000).at(0.05)  # by SciPy's functions
    assert (almost.low, almost.high) == pytest.approx((estimate.low, estimate.high), abs=1e-9)


def test_proportion__design_effect_divides_n() -> None:
    clustered, smaller = share(800, 4000, design_effect=4.0).at(0.05), share(200, 1000).at(0.05)
    assert (clustered.low, clustered.high) == pytest.approx((smaller.low, smaller.high))
    assert "design effect" in clustered.method


@pytest.mark.parametrize("effect", [0.3, 1.0, math.nan])
def test_proportion__design_effect_below_1_or_unmeasured_counts_as_1(effect: float) -> None:
    assert share(200, 1000, design_effect=effect).at(0.05).high == share(200, 1000).at(0.05).high


def test_proportion__nothing_observed_is_undefined() -> None:
    estimate = share(0, 0).at(0.05)
    assert not estimate.defined
    assert (estimate.low, estimate.high) == (-math.inf, math.inf)
    assert json.loads(json.dumps(estimate.to_json(), allow_nan=False))["value"] is None


def test_mean__student_interval() -> None:
    estimate = mean("m", ValueWithError(5.0, 0.5), n=10, denominator="games", games=10, unit="points").at(0.05)
    assert (estimate.low, estimate.high) == pytest.approx(stats.t.interval(0.95, 9, 5.0, 0.5))


def test_mean__stays_between_floor_and_ceiling() -> None:
    estimate = mean(
        "m", ValueWithError(0.1, 0.5), n=10, denominator="games", games=10, unit="share", within=(0.0, 1.0)
    ).at(0.05)
    assert (estimate.low, estimate.high) == pytest.approx((0.0, 1.0))


def test_mean__rare_counts_have_exact_bounds() -> None:
    """3 games of 435 with one event: Garwood's bounds of a Poisson mean, 0.6187 and 8.7673 for 3."""
    error = math.sqrt(3) / 435
    few = mean("m", ValueWithError(3 / 435, error), n=435, denominator="games", games=435, unit="rounds").at(0.05)
    assert (few.low * 435, few.high * 435) == pytest.approx((0.6187, 8.7673), rel=0.01)
    many = mean(
        "m", ValueWithError(12 - 3 / 435, error), n=435, denominator="games", games=435, unit="rounds", within=(0.0, 12)
    ).at(0.05)
    assert ((12 - many.high) * 435, (12 - many.low) * 435) == pytest.approx((0.6187, 8.7673), rel=0.01)


def test_mean__errors_of_fewer_games_have_their_own_degrees_of_freedom() -> None:
    wide = mean("m", ValueWithError(5.0, 0.5, 9), n=900, denominator="games", games=900, unit="points").at(0.05)
    assert (wide.low, wide.high) == pytest.approx(stats.t.interval(0.95, 9, 5.0, 0.5))


def test_histogram_mean__almost_all_alike() -> None:
    """1,000 hands of three, two of two: from below no closer than the exact bounds of two events allow."""
    counts = np.array([0, 0, 2, 998, 0])
    found = histogram_mean("h", counts, denominator="games", games=1000, unit="cards").at(0.05)
    assert found.value == pytest.approx(2.998)
    assert 3 - found.low == pytest.approx(7.2247 / 1000, rel=0.02)  # Garwood's upper bound for 2, and nothing above 3
    assert 0 < found.high - (3 - 0.2422 / 1000) < 4 / 1000  # hands above three: at most the bound for none seen


def test_contrast__of_symmetric_intervals_is_symmetric() -> None:
    a, b = (
        mean("m", ValueWithError(value, 0.5), n=99, denominator="rounds", games=400, unit="points") for value in (9, 5)
    )
    found = contrast("d", a, b, (0.5, 0.5, 0.6)).at(0.05)
    assert (found.low, found.high) == pytest.approx(stats.t.interval(0.95, 399, 4.0, 0.6))


def test_mean__all_games_alike_bounds_the_share_of_others() -> None:
    estimate = mean(
        "m", ValueWithError(0.0, 0.0), n=1000, denominator="games", games=1000, unit="recycles", within=(0.0, 12.0)
    ).at(0.05)
    assert estimate.low == 0.0
    assert estimate.high == pytest.approx(12 * (1 - 0.025 ** (1 / 1000)))


def test_mean__one_game_has_no_interval() -> None:
    estimate = mean("m", ValueWithError(3.0, math.nan), n=1, denominator="games", games=1, unit="points").at(0.05)
    assert (estimate.value, estimate.low, estimate.high) == (3.0, -math.inf, math.inf)


def test_inverse__turns_the_ends_round() -> None:
    rate, turned = share(20, 3000).at(0.05), inverse("i", share(20, 3000), unit="games").at(0.05)
    assert (turned.value, turned.low, turned.high) == (150, 1 / rate.high, 1 / rate.low)
    assert inverse("i", share(0, 3000), unit="games").at(0.05).high == math.inf


def test_difference__is_the_box_at_half_alpha() -> None:
    a, b = share(300, 1000), share(100, 1000)
    estimate, first, second = difference("d", a, b).at(0.05), a.at(0.025), b.at(0.025)
    assert (estimate.value, estimate.low, estimate.high) == pytest.approx(
        (0.2, first.low - second.high, first.high - second.low)
    )


def test_quantile__ranks_are_binomial_quantiles() -> None:
    # 100 different values 0..99: the 95 % interval of the median is that between the 40th and 61st value
    estimate = quantile("q", np.ones(100, dtype=np.int64), 0.5, denominator="games", games=100, unit="points").at(0.05)
    assert (estimate.value, estimate.low, estimate.high) == (49, 39, 60)


def test_quantile__ends_reach_to_the_ends_of_wide_bins() -> None:
    counts = np.array([0, 1000, 0, 0], dtype=np.int64)
    estimate = quantile("q", counts, 0.5, denominator="games", games=1000, unit="points", width=4).at(0.05)
    assert (estimate.value, estimate.low, estimate.high) == (5.5, 4, 7)


def test_quantile__too_few_games_are_bounded_by_the_scale() -> None:
    counts = np.array([0, 1, 1, 0], dtype=np.int64)
    estimate = quantile("q", counts, 0.9, denominator="games", games=2, unit="points").at(0.05)
    assert (estimate.low, estimate.high) == (1, 3)


def test_shares__add_up_and_are_wider_than_single_intervals() -> None:
    estimates = [
        estimator.at(0.05) for estimator in shares(["a", "b", "c"], [200, 300, 500], denominator="rounds", games=100)
    ]
    assert sum(estimate.value for estimate in estimates) == 1
    single = share(300, 1000).at(0.05)
    assert estimates[1].low < single.low < single.high < estimates[1].high
    assert "simultaneous for 3" in estimates[0].method


def test_histogram_mean__includes_the_width_of_bins() -> None:
    values = np.repeat([1, 3, 4], [20, 50, 30])
    narrow = histogram_mean("h", np.bincount(values), denominator="games", games=100, unit="points").at(0.05)
    wide = histogram_mean("h", np.bincount(values // 2), denominator="games", games=100, unit="points", width=2).at(
        0.05
    )
    assert (narrow.low, narrow.high) == pytest.approx(
        stats.t.interval(0.95, 99, values.mean(), values.std(ddof=1) / 10)
    )
    assert wide.low < values.mean() < wide.high


def test_bounded_mean__is_wider_than_any_spread_allows() -> None:
    values = np.repeat([0, 32], [60, 40])  # the widest spread there is
    estimate = bounded_mean("b", float(values.mean()), 32, n=100, denominator="fusions", games=100, unit="points").at(
        0.05
    )
    half = stats.t.isf(0.025, 99) * values.std() / 10
    assert (estimate.low, estimate.high) == pytest.approx((values.mean() - half, values.mean() + half))


def test_one_of__is_bonferroni() -> None:
    assert share(300, 1000).one_of(4).at(0.05).low == share(300, 1000).at(0.0125).low


def test_cluster_sums__ratio_agrees_with_jackknife() -> None:
    games = toy_games(400)
    sums = cluster_sums(games)
    measured = sums.ratio({"points": 1.0}, {"rounds": 1.0})
    assert measured.value == pytest.approx(games[:, 1].sum() / games[:, 0].sum())
    assert measured.error == pytest.approx(jackknife(games, lambda x: x[:, 1].sum() / x[:, 0].sum()), rel=0.02)


def test_cluster_sums__difference_of_ratios_agrees_with_jackknife() -> None:
    games = toy_games(400)
    measured = cluster_sums(games).ratio_difference(
        ({"points": 1.0}, {"rounds": 1.0}), ({"more": 1.0, "points": -0.5}, {"games": 2.0})
    )

    def value(x: np.ndarray) -> float:
        return float(x[:, 1].sum() / x[:, 0].sum() - (x[:, 2] - 0.5 * x[:, 1]).sum() / (2 * len(x)))

    assert measured.value == pytest.approx(value(games))
    assert measured.error == pytest.approx(jackknife(games, value), rel=0.02)


def test_cluster_sums__nothing_in_the_denominator_is_undefined() -> None:
    games = toy_games(10)
    games[:, 0] = 0
    assert math.isnan(cluster_sums(games).ratio({"points": 1.0}, {"rounds": 1.0}).value)


def toy_games(games: int) -> np.ndarray:
    rng = np.random.default_rng(5)
    rounds = rng.integers(1, 13, games)
    points = rng.poisson(3 * rounds * rng.gamma(4, 0.25, games))
    return np.stack([rounds, points, points + rng.integers(0, 9, games)], axis=1)


def cluster_sums(games: np.ndarray) -> ClusterSums:
    return ClusterSums.from_sums(("rounds", "points", "more"), len(games), games.sum(axis=0), games.T @ games)


def jackknife(games: np.ndarray, value: object) -> float:
    left_out = np.array([value(np.delete(games, i, axis=0)) for i in range(len(games))])
    return float(np.sqrt((len(games) - 1) * left_out.var()))


def test_series__sorts_by_number() -> None:
    def one(name: str) -> Estimate:
        return Estimate(name, 0.0, 0.0, 0.0, 0.95, 1, "games", "", "", 1)

    estimates = {
        name: one(name)
        for name in ("pot_p50_round_10", "pot_p50_round_2", "pot_p50_round_x", "seat_1_points", "seat_0_points")
    }
    assert [e.name for e in series(estimates, "pot_p50_round")] == ["pot_p50_round_2", "pot_p50_round_10"]
    assert [e.name for e in series(estimates, "seat_*_points")] == ["seat_0_points", "seat_1_points"]


def test_named__refuses_a_name_twice() -> None:
    with pytest.raises(ValueError, match="two estimators are named p"):
        named([share(1, 2), share(1, 2)])
