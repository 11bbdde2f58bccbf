"""Do the intervals cover, and do verdicts err as rarely as they say? Simulated games with known truth, fixed seeds.

Each test draws REPLICATIONS samples of clustered games. An interval of level 0.95 must miss in at most 5 % of them,
plus `slack()`: the 99.9 % upper limit of that many trials, plus half a point for what is asymptotic. Where the method
is not meant to be conservative, it must not miss much less either.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from numbluff_sim.analysis.statistics.clusters import ClusterSums, ValueWithError
from numbluff_sim.analysis.statistics.estimates import Estimator
from numbluff_sim.analysis.statistics.hypotheses import equal_means
from numbluff_sim.analysis.statistics.intervals import (
    binomial_design_effect,
    histogram_mean,
    mean,
    proportion,
    quantile,
    shares,
)
from numbluff_sim.analysis.statistics.verdicts import Margin, Status, games_needed, status_at
from numbluff_sim.analysis.studies.check.claims import Claim, judge

ALPHA = 0.05
REPLICATIONS = 2000
ROUNDS = 12
GAMES = 400


def slack(alpha: float = ALPHA, replications: int = REPLICATIONS) -> float:
    return float(stats.binom.isf(0.001, replications, alpha)) / replications - alpha + 0.005


def misses(seed: int, truth: float, estimator: Callable[[np.random.Generator], Estimator]) -> float:
    """Share of replications whose interval misses the truth."""
    rng = np.random.default_rng(seed)
    missed = 0
    for _ in range(REPLICATIONS):
        estimate = estimator(rng).at(ALPHA)
        missed += not estimate.low <= truth <= estimate.high
    return missed / REPLICATIONS


def clustered_rate(hits: NDArray[np.integer]) -> Estimator:
    """The rate per round of games with these hits, as the metrics make it."""
    games = np.stack([hits, np.full_like(hits, ROUNDS)], axis=1)
    sums = ClusterSums.from_sums(("hits", "rounds"), len(games), games.sum(axis=0), games.T @ games)
    trials = len(games) * ROUNDS
    effect = binomial_design_effect(sums.ratio({"hits": 1.0}, {"rounds": 1.0}), trials)
    return proportion("rate", int(hits.sum()), trials, denominator="rounds", games=len(games), design_effect=effect)


def test_rate_per_round__clustered_games() -> None:
    def draw(rng: np.random.Generator) -> Estimator:
        return clustered_rate(rng.binomial(ROUNDS, rng.beta(1.5, 8.5, GAMES)))  # design effect 2

    rate = misses(1, 0.15, draw)
    assert ALPHA - slack() < rate < ALPHA + slack()


def test_rate_per_round__without_the_design_effect_would_miss_far_more() -> None:
    def draw(rng: np.random.Generator) -> Estimator:
        hits = rng.binomial(ROUNDS, rng.beta(1.5, 8.5, GAMES))
        return proportion("rate", int(hits.sum()), GAMES * ROUNDS, denominator="rounds", games=GAMES)

    assert misses(1, 0.15, draw) > ALPHA + 3 * slack()


@pytest.mark.parametrize("rate", [0.0006, 0.004])
def test_rate_per_round__rare_events(rate: float) -> None:
    def draw(rng: np.random.Generator) -> Estimator:
        return clustered_rate(rng.binomial(ROUNDS, rng.gamma(2, rate / 2, GAMES).clip(max=1)))

    assert misses(2, rate, draw) < ALPHA + slack()


def test_rate_per_round__rounds_that_exclude_each_other_are_not_overstated() -> None:
    def draw(rng: np.random.Generator) -> Estimator:
        return clustered_rate(4 + rng.binomial(4, 0.5, GAMES))  # design effect 0.33

    assert misses(3, 0.5, draw) < ALPHA + slack()


@pytest.mark.parametrize("gate", [False, True])
def test_share_of_games(gate: bool) -> None:
    def draw(rng: np.random.Generator) -> Estimator:
        return proportion("share", int(rng.binomial(GAMES, 0.17)), GAMES, denominator="games", games=GAMES, gate=gate)

    rate = misses(4, 0.17, draw)
    assert rate < ALPHA + slack()
    assert gate or rate > ALPHA - slack()


def lies_and_points(rng: np.random.Generator) -> ClusterSums:
    """Games in which honest rounds bring 5 points and lying ones 6, on top of a game's own luck; how often bluffers
    lie differs as well.
    """
    lying = rng.binomial(ROUNDS, rng.beta(4, 4, GAMES))
    luck = rng.normal(0, 1, GAMES)
    honest = ROUNDS - lying
    honest_points = np.round(honest * (5 + luck) + np.sqrt(honest) * rng.normal(0, 4, GAMES)).astype(np.int64)
    lying_points = np.round(lying * (6 + luck) + np.sqrt(lying) * rng.normal(0, 4, GAMES)).astype(np.int64)
    games = np.stack([honest, lying, honest_points, lying_points], axis=1)
    return ClusterSums.from_sums(
        ("honest", "lying", "honest_points", "lying_points"), GAMES, games.sum(axis=0), games.T @ games
    )


HONEST = ({"honest_points": 1.0}, {"honest": 1.0})
LYING = ({"lying_points": 1.0}, {"lying": 1.0})


def points(measured: ValueWithError) -> Estimator:
    return mean(
        "points", measured, n=GAMES, denominator="rounds", games=GAMES, unit="points", within=(-math.inf, math.inf)
    )


def test_ratio__points_per_round_of_a_kind() -> None:
    rate = misses(5, 5.0, lambda rng: points(lies_and_points(rng).ratio(*HONEST)))
    assert ALPHA - slack() < rate < ALPHA + slack()


def test_ratio_difference__counts_what_the_two_share() -> None:
    rate = misses(6, -1.0, lambda rng: points(lies_and_points(rng).ratio_difference(HONEST, LYING)))
    assert ALPHA - slack() < rate < ALPHA + slack()


@pytest.mark.parametrize("q", [0.1, 0.5, 0.9])
def test_quantile__distribution_free(q: float) -> None:
    def draw(rng: np.random.Generator) -> Estimator:
        return quantile(
            "q",
            np.bincount(rng.geometric(0.05, GAMES), minlength=512)[:512],
            q,
            denominator="games",
            games=GAMES,
            unit="points",
        )

    assert misses(7, float(stats.geom.ppf(q, 0.05)), draw) < ALPHA + slack()


def test_quantile__wide_bins_keep_the_truth_inside() -> None:
    def draw(rng: np.random.Generator) -> Estimator:
        counts = np.bincount(rng.geometric(0.05, GAMES) // 4, minlength=512)[:512]
        return quantile("q", counts, 0.5, denominator="games", games=GAMES, unit="points", width=4)

    assert misses(8, float(stats.geom.ppf(0.5, 0.05)), draw) < ALPHA + slack()


def test_shares__all_at_once() -> None:
    truth = np.array([0.05, 0.15, 0.3, 0.5])
    rng = np.random.default_rng(9)
    missed = 0
    for counts in rng.multinomial(GAMES, truth, REPLICATIONS):
        found = [
            estimator.at(ALPHA) for estimator in shares(["a", "b", "c", "d"], counts, denominator="rounds", games=GAMES)
        ]
        missed += not all(e.low <= p <= e.high for e, p in zip(found, truth, strict=True))
    assert missed / REPLICATIONS < ALPHA + slack()


def win_sums(rng: np.random.Generator, games: int, seats: int = 4) -> ClusterSums:
    """Equal seats with whole scores that are often equal, so that wins are often shared."""
    scores = rng.integers(0, 15, (games, seats))
    best = scores == scores.max(axis=1, keepdims=True)
    wins = 60 * best // best.sum(axis=1, keepdims=True)
    return ClusterSums.from_sums([f"win_{p}" for p in range(seats)], games, wins.sum(axis=0), wins.T @ wins)


def test_win_shares__all_seats_at_once() -> None:
    rng = np.random.default_rng(10)
    missed = 0
    for _ in range(REPLICATIONS):
        sums = win_sums(rng, GAMES)
        found = [
            mean(
                "w",
                sums.ratio({name: 1 / 60}),
                n=GAMES,
                denominator="games",
                games=GAMES,
                unit="share",
                within=(0.0, 1.0),
            )
            .one_of(4)
            .at(ALPHA)
            for name in sums.names
        ]
        missed += not all(estimate.low <= 0.25 <= estimate.high for estimate in found)
    assert missed / REPLICATIONS < ALPHA + slack()


@pytest.mark.parametrize(("chance", "most"), [(0.007, 1), (0.03, 1), (0.01, 6)])
def test_mean__rare_counts_miss_no_more_often_than_stated(chance: float, most: int) -> None:
    """A Miroir in 1 of 145 of 435 games: Student's interval missed in 15 %. `most` > 1: rare games hold several."""

    def draw(rng: np.random.Generator) -> Estimator:
        counts = np.where(rng.random(435) < chance, rng.integers(1, most + 1, 435), 0)
        sums = ClusterSums.from_sums(("hits",), 435, np.array([counts.sum()]), np.array([[counts @ counts]]))
        return mean(
            "m",
            sums.ratio({"hits": 1.0}),
            n=435,
            denominator="games",
            games=435,
            unit="rounds",
            within=(0.0, float(ROUNDS)),
        )

    assert misses(15, chance * (1 + most) / 2, draw) < ALPHA + slack()


def test_histogram_mean__almost_all_alike_misses_no_more_often_than_stated() -> None:
    """Hands of three, 1 in 800 of which are short of one or two; Student's interval missed in 7 to 11 %."""
    shares_of = np.array([0.0, 0.0003, 0.001, 0.9987])

    def draw(rng: np.random.Generator) -> Estimator:
        return histogram_mean("h", rng.multinomial(4000, shares_of), denominator="hands", games=4000, unit="cards")

    assert misses(16, float(shares_of @ np.arange(4)), draw) < ALPHA + slack()


def test_equal_means__false_alarms_with_shared_wins() -> None:
    rng = np.random.default_rng(11)
    p_values = []
    for _ in range(REPLICATIONS):
        sums = win_sums(rng, GAMES)
        p_values.append(equal_means("t", "h", sums.means, sums.cov, GAMES).p_value)
    alarms = np.mean(np.array(p_values) < ALPHA)
    assert ALPHA - slack() < alarms < ALPHA + slack()


FAMILY_ALPHA = 0.05


def claims(count: int, low: float, high: float) -> list[Claim]:
    return [
        Claim.model_validate({"id": f"c{i}", "text": {"en": "c"}, "metric": "x", "margin": {"low": low, "high": high}})
        for i in range(count)
    ]


def test_judge__wrong_verdicts_of_a_ledger_are_rare() -> None:
    """Every truth lies just beside an edge, half of them inside the margin: the hardest case. A wrong verdict is a
    decided one.
    """
    rng = np.random.default_rng(12)
    book, truths = claims(6, 0.0, 1.0), [1.0001, 0.9999, -0.0001, 0.0001, 1.0001, 0.5]
    right = [Status.HOLDS if 0 <= truth <= 1 else Status.DIFFERS for truth in truths]
    replications, wrong, decided = 1000, 0, 0
    for _ in range(replications):
        measured = [{"x": points(ValueWithError(rng.normal(truth, 0.1), 0.1))} for truth in truths]
        verdicts = judge(book, measured, FAMILY_ALPHA)
        wrong += any(
            verdict.status not in (answer, Status.INCONCLUSIVE) for verdict, answer in zip(verdicts, right, strict=True)
        )
        decided += verdicts[-1].status is Status.HOLDS
    assert wrong / replications < FAMILY_ALPHA + slack(FAMILY_ALPHA, replications)
    assert decided / replications > 0.95  # and the claim that is clear is decided


def test_judge__rare_rates_beside_the_margin() -> None:
    """A Miroir's rate on the upper edge of its margin: neither verdict may come up more often than alpha."""
    rng = np.random.default_rng(13)
    games, truth, margin = 20_000, 0.0006, Margin(0.0002, 0.0006)
    replications, decided = 1000, 0
    for hits in rng.binomial(games * ROUNDS, truth, replications):
        estimator = proportion("m", int(hits), games * ROUNDS, denominator="rounds", games=games, gate=True)
        decided += status_at(estimator, margin, ALPHA) is not Status.INCONCLUSIVE
    assert decided / replications < ALPHA + slack(ALPHA, replications)


@pytest.mark.parametrize("power", [0.9, 0.999])
def test_games_needed__decides_as_often_as_promised(power: float) -> None:
    rng = np.random.default_rng(14)
    truth, margin = 0.0157, Margin(0.015, 0.017)
    first = proportion("f", truth * 12_000, 12_000, denominator="rounds", games=1000, gate=True)
    games = games_needed(first, margin, 0.001, power)
    assert games is not None
    decided = [
        status_at(
            proportion("f", int(hits), games * ROUNDS, denominator="rounds", games=games, gate=True), margin, 0.001
        )
        is Status.HOLDS
        for hits in rng.binomial(games * ROUNDS, truth, 2000)
    ]
    assert np.mean(decided) > power - 3 * math.sqrt(power * (1 - power) / 2000) - 0.001
