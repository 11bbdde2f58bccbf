"""The gap between the best and the worst seat."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from numbluff_sim.analysis.metrics.seat_gaps import largest_gap
from numbluff_sim.analysis.num_bluff.metrics import METRICS
from numbluff_sim.analysis.statistics.clusters import ClusterSums
from tests.games.num_bluff.synthetic import toy_sample

GAMES, ALPHA = 400, 0.1
SEATS = [{f"score_{p}": 1.0} for p in range(4)]


def drawn(random: np.random.Generator, means: tuple[float, ...]) -> ClusterSums:
    """Scores of made-up games: normal, of unlike spread, correlated as those of players who compete for the same
    cards.
    """
    spread = np.diag([1.0, 2.0, 1.5, 1.0])
    cov = spread @ (np.full((4, 4), -0.2) + 1.2 * np.eye(4)) @ spread
    games = random.multivariate_normal(means, cov, size=GAMES)
    return ClusterSums(tuple(f"score_{p}" for p in range(4)), GAMES, games.mean(axis=0), np.cov(games.T))


@pytest.mark.parametrize("means", [(5.0, 5.0, 5.0, 5.0), (5.0, 5.0, 5.0, 5.5), (5.0, 5.1, 5.2, 5.3)])
def test_largest_gap__holds_the_true_gap_as_often_as_stated(means: tuple[float, ...]) -> None:
    random, repetitions = np.random.default_rng(7), 1000
    inside = 0
    for _ in range(repetitions):
        estimate = largest_gap("gap", drawn(random, means), SEATS, games=GAMES, unit="points", most=100.0).at(ALPHA)
        inside += estimate.low <= max(means) - min(means) <= estimate.high
    assert stats.binomtest(inside, repetitions, 1 - ALPHA, alternative="less").pvalue > 0.001


def test_largest_gap__between_zero_and_the_most_a_game_can_hold() -> None:
    sums = drawn(np.random.default_rng(1), (5.0, 5.0, 5.0, 5.0))
    estimate = largest_gap("gap", sums, SEATS, games=GAMES, unit="points", most=0.5).at(1e-9)
    assert estimate.low == 0
    assert estimate.high == 0.5
    assert estimate.value == pytest.approx(np.ptp(sums.means))


def test_seat_gaps__agree_with_the_seats_of_the_same_run() -> None:
    measured = METRICS.of(toy_sample(1500, 8))
    for kind in ("win_share", "points"):
        shares = [measured[f"seat_{p}_{kind}"].value for p in range(4)]
        gap = measured[f"seat_{kind}_gap"].at(0.001)
        assert gap.value == pytest.approx(max(shares) - min(shares))
        assert 0 < gap.low < gap.value < gap.high  # seat 0 starts with points of its own in these games


def test_seat_gaps__equal_seats_reach_down_to_zero() -> None:
    measured = METRICS.of(toy_sample(300, 8, seat_bonus=-10.0))
    assert measured["seat_points_gap"].at(0.001).low == 0


def test_seat_gaps__one_game_leaves_the_whole_range() -> None:
    gap = METRICS.of(toy_sample(1, 1))["seat_points_gap"].at(0.05)
    assert gap.low == 0
    assert gap.high == 816 * 12
