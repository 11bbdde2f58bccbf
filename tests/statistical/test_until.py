"""Do runs that stop themselves cover the truth as often as they say? 1,000 repetitions each, fixed seeds.

A 95 % sequential interval must hold the truth in at least 95 % of the stopped runs; each test prints how often it did,
with the one-sided 99.9 % lower limit for the true coverage (Clopper-Pearson).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from numbluff_sim.analysis.metrics.measured import MeasuredRun
from numbluff_sim.analysis.statistics.clusters import ClusterSums, ValueWithError
from numbluff_sim.analysis.statistics.estimates import Estimator
from numbluff_sim.analysis.statistics.intervals import binomial_design_effect, mean, proportion
from numbluff_sim.analysis.statistics.sequential import FIRST_LOOK, Precision, looks, sequential
from numbluff_sim.analysis.studies.until.result import Rule
from numbluff_sim.config import load
from numbluff_sim.contract.registry import game
from numbluff_sim.run.playing import simulate_tally
from numbluff_sim.studies.until.study import play_until, simulate_tally_until

REPETITIONS, ALPHA, ROUNDS = 1000, 0.05, 12
#: Short runs: the boundary is tightest where they stop, so that their intervals are as narrow as sequential ones get.
SHORT = {"first": 256, "best_at": 2000.0}
MOST = 20_000

Draw = Callable[[np.random.Generator], NDArray[np.int64]]


def said(what: str, covered: int, repetitions: int = REPETITIONS) -> float:
    """The share covered, printed with the limit of what it can come from."""
    limit = stats.binomtest(covered, repetitions, alternative="greater").proportion_ci(0.999, method="exact").low
    print(f"{what}: {covered} of {repetitions} stopped intervals hold the truth; coverage above {limit:.4f} at 99.9 %")  # noqa: T201
    return covered / repetitions


def clustered_rate(hits: NDArray[np.int64]) -> Estimator:
    """The rate per round of games with so many hits in ROUNDS rounds, as the metrics make it."""
    games = np.stack([hits, np.full_like(hits, ROUNDS)], axis=1)
    sums = ClusterSums.from_sums(("hits", "rounds"), len(games), games.sum(axis=0), games.T @ games)
    effect = binomial_design_effect(sums.ratio({"hits": 1.0}, {"rounds": 1.0}), len(games) * ROUNDS)
    return proportion(
        "x",
        int(hits.sum()),
        len(games) * ROUNDS,
        denominator="rounds",
        games=len(games),
        design_effect=effect,
        gate=True,
    )


def single_rate(hits: NDArray[np.int64]) -> Estimator:
    return proportion("x", int(hits.sum()), len(hits), denominator="games", games=len(hits), gate=True)


def points(values: NDArray[np.int64]) -> Estimator:
    error = float(values.std(ddof=1)) / len(values) ** 0.5
    return mean(
        "x",
        ValueWithError(float(values.mean()), error),
        n=len(values),
        denominator="games",
        games=len(values),
        unit="points",
    )


#: How games are drawn, what is measured, the truth, the precision asked for.
SYNTHETIC: dict[str, tuple[Draw, Callable[[NDArray[np.int64]], Estimator], float, Precision]] = {
    "clustered rate": (
        lambda rng: rng.binomial(ROUNDS, rng.beta(1.5, 8.5, MOST)),
        clustered_rate,
        0.15,
        Precision("x", 0.08, relative=True),
    ),
    "rare clustered rate": (
        lambda rng: rng.binomial(ROUNDS, rng.beta(0.2, 9.8, MOST)),
        clustered_rate,
        0.02,
        Precision("x", 0.15, relative=True),
    ),
    "share of games": (
        lambda rng: rng.binomial(1, 0.05, MOST),
        single_rate,
        0.05,
        Precision("x", 0.006, relative=False),
    ),
    "skew points": (
        lambda rng: rng.poisson(rng.exponential(8.0, MOST)),
        points,
        8.0,
        Precision("x", 0.08, relative=True),
    ),
}


@pytest.mark.thorough
@pytest.mark.parametrize("name", SYNTHETIC)
def test_until__stopped_intervals_of_synthetic_games_cover(name: str) -> None:
    draw, estimator, truth, precision = SYNTHETIC[name]
    rng = np.random.default_rng(20)
    rule = Rule((precision,), ALPHA, **SHORT)
    schedule = list(looks(MOST, 64, rule.first))
    covered, lengths = 0, set()
    for _ in range(REPETITIONS):
        values = draw(rng)
        stopped = play_until(
            schedule, lambda games, values=values: rule.measured(games, {"x": estimator(values[:games])})
        )
        estimate = stopped.measured[0].estimate
        assert stopped.reached
        lengths.add(stopped.games)
        covered += estimate.low <= truth <= estimate.high
    assert len(lengths) >= 2, "the data should say when to stop"
    assert said(name, covered) >= 1 - ALPHA


def test_sequential__holds_at_all_looks_where_the_fixed_interval_does_not() -> None:
    rng, schedule = np.random.default_rng(21), list(looks(MOST, 64, 256))
    always, naive = 0, 0
    for _ in range(REPETITIONS):
        hits = rng.binomial(1, 0.3, MOST)
        found = [(single_rate(hits[:games]), games) for games in schedule]
        always += all(
            e.low <= 0.3 <= e.high for e in (sequential(one, games, ALPHA, SHORT["best_at"]) for one, games in found)
        )
        naive += all(e.low <= 0.3 <= e.high for e in (one.at(ALPHA) for one, _ in found))
    assert said("all looks, sequential", always) >= 1 - ALPHA
    assert said("all looks, fixed", naive) < 0.85


@pytest.mark.statistical
@pytest.mark.parametrize(
    ("texts", "settings", "detail_every"),
    [
        (("frappe_parfaite:4.6%", "seat_1_win_share:0.01"), {"first": FIRST_LOOK, "best_at": 1e6}, 64),
        (("frappe_parfaite:15%", "bluffer_minus_other_points:0.3"), {"first": 512, "best_at": 2000.0}, 4),
    ],
)
def test_until__stopped_intervals_of_real_runs_cover(
    texts: tuple[str, ...], settings: dict[str, float], detail_every: int
) -> None:
    """The truth is that of 50 million games of another seed: its error is a hundredth of the intervals'. The first
    case is the command's rule.
    """
    overrides = {"run.detail_every": detail_every}
    config = load(preset="documented", overrides=overrides)
    rule = Rule(Rule.read(texts, config).precisions, ALPHA, **settings)  # type: ignore[arg-type]
    measured = game(config.game).metrics.estimators
    truth = measured(
        MeasuredRun(
            config, simulate_tally(load(preset="documented", overrides={**overrides, "run.seed": 10**6}), 50_000_000)
        ),
        rule.metrics,
    )
    covered, lengths = dict.fromkeys(rule.metrics, 0), set()
    for seed in range(REPETITIONS):
        _, stopped = simulate_tally_until(load(preset="documented", overrides={**overrides, "run.seed": seed}), rule)
        assert stopped.reached
        lengths.add(stopped.games)
        for one in stopped.measured:
            covered[one.precision.metric] += one.estimate.low <= truth[one.precision.metric].value <= one.estimate.high
    assert len(lengths) >= 2, "the data should say when to stop"
    for metric, count in covered.items():
        assert said(metric, count) >= 1 - ALPHA
