"""Targets: what a file may say, distances, states by interval, the front."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from numbluff_sim.analysis.statistics.estimates import Estimator
from numbluff_sim.analysis.statistics.intervals import proportion
from numbluff_sim.analysis.studies.question.targets import Target, Targets, TargetStatus, pareto, read_targets
from numbluff_sim.errors import ConfigError

FRAPPE, POT = "frappe_parfaite_per_round", "pot_after_mean"


def estimator(name: str, value: float, half: float = 0.0, unit: str = "points") -> Estimator:
    """A value whose 95 % interval has this half-width; other levels by the normal law's quantile."""
    from scipy.special import ndtri

    def bounds(alpha: float) -> tuple[float, float]:
        reach = half * float(ndtri(alpha / 2) / ndtri(0.025))
        return value - reach, value + reach

    return Estimator(name, value, 100, "games", "normal", unit, 100, bounds)


KNOWN = {FRAPPE: estimator(FRAPPE, math.nan, unit="share"), POT: estimator(POT, math.nan)}


def read(**targets: Any) -> Targets:
    return read_targets(targets, KNOWN, "file.toml")


@pytest.mark.parametrize(
    ("said", "low", "high", "unit"),
    [
        ({"low": 20, "high": 30}, 20, 30, 10),
        ({"value": 25, "within": 2}, 23, 27, 2),
        ({"high": 40}, -math.inf, 40, 40),
        ({"low": -5.0}, -5, math.inf, 5),
        ({"low": 0}, 0, math.inf, 1),
        ({"low": 20, "high": 30, "scale": 4}, 20, 30, 4),
    ],
)
def test_target__range_and_scale(said: dict[str, float], low: float, high: float, unit: float) -> None:
    target = read(**{POT: said}).by_metric[POT]
    assert (target.range.low, target.range.high, target.unit) == (low, high, unit)


@pytest.mark.parametrize(("value", "distance"), [(20, 0), (25, 0), (30, 0), (35, 1.0), (10, 2.0), (math.nan, math.inf)])
def test_distance__is_0_inside_and_weighted_widths_outside(value: float, distance: float) -> None:
    target = Target(low=20, high=30, weight=2.0)
    assert target.distance(value) == distance


def test_distance__in_all_is_the_root_of_the_sum_of_squares() -> None:
    targets = Targets({FRAPPE: Target(low=0.01, high=0.02), POT: Target(value=30, within=2)})
    found = targets.distance({FRAPPE: 0.05, POT: estimator(POT, 40)})
    assert found.parts == pytest.approx({FRAPPE: 3.0, POT: 4.0})
    assert found.total == pytest.approx(5.0)
    assert targets.distance({FRAPPE: 0.05}).total == math.inf  # not measured


@pytest.mark.parametrize(
    ("value", "half", "status"),
    [
        (25, 1, TargetStatus.MET),
        (29.5, 1, TargetStatus.OPEN),
        (31.5, 1, TargetStatus.MISSED),
        (30.5, 1, TargetStatus.OPEN),
        (25, 6, TargetStatus.OPEN),
        (math.nan, 1, TargetStatus.OPEN),
    ],
)
def test_judge__by_interval(value: float, half: float, status: TargetStatus) -> None:
    judgement = Targets({POT: Target(low=20, high=30)}).judge({POT: estimator(POT, value, half)})
    assert judgement.targets[0].status is status
    assert judgement.status is status


def test_judge__shares_alpha_over_targets_and_configurations() -> None:
    targets = Targets({FRAPPE: Target(low=0.0, high=1.0), POT: Target(low=20, high=30)}, alpha=0.04)
    measured = {FRAPPE: estimator(FRAPPE, 0.5), POT: estimator(POT, 27.0, 1.5)}
    one, many = targets.judge(measured), targets.judge(measured, configurations=1000)
    assert [judged.estimate.alpha for judged in one.targets] == pytest.approx([0.02, 0.02])
    assert [judged.estimate.alpha for judged in many.targets] == pytest.approx([2e-5, 2e-5])
    assert (one.status, many.status) == (
        TargetStatus.MET,
        TargetStatus.OPEN,
    )  # an interval for 1,000 configurations reaches beyond 30
    assert many.met_by_value


def test_judge__any_missed_target_misses_all() -> None:
    targets = Targets({FRAPPE: Target(high=0.1), POT: Target(low=20, high=30)})
    assert targets.judge({FRAPPE: estimator(FRAPPE, 0.2), POT: estimator(POT, 25)}).status is TargetStatus.MISSED


def test_judge__a_metric_that_a_configuration_lacks_is_infinitely_far() -> None:
    judgement = Targets({FRAPPE: Target(high=0.1), POT: Target(low=20, high=30)}).judge({POT: estimator(POT, 25)})
    assert (judgement.distance, judgement.status) == (math.inf, TargetStatus.OPEN)
    assert judgement.targets[0].to_json()["distance"] is None


def test_judge__statements_on_many_configurations_are_seldom_wrong() -> None:
    """A true rate on the very edge, where neither can be known: at alpha 0.05 at most 5 % of 200 sweeps of 20 points
    say one, and 3 sigma.
    """
    targets, rng, truth, trials, wrong = (
        Targets({FRAPPE: Target(low=0.1, high=0.2)}),
        np.random.default_rng(5),
        0.2,
        2000,
        0,
    )
    for _ in range(200):
        hits = rng.binomial(trials, truth, 20)
        states = {
            targets.judge(
                {FRAPPE: proportion(FRAPPE, int(h), trials, denominator="rounds", games=trials, gate=True)}, 20
            ).status
            for h in hits
        }
        wrong += states != {TargetStatus.OPEN}
    assert wrong <= 200 * 0.05 + 3 * math.sqrt(200 * 0.05 * 0.95)


@pytest.mark.parametrize(
    ("targets", "words"),
    [
        ({"frappe_parfaite_per_rund": {"high": 0.1}}, 'Did you mean "frappe_parfaite_per_round"?'),
        ({FRAPPE: {"low": 0.02, "high": 0.01}}, "no interval fits between low = 0.02 and high = 0.01"),
        ({FRAPPE: {"low": 0.02, "high": 0.02}}, "no interval fits"),
        ({FRAPPE: {"low": 1.5, "high": 2.0}}, "1.5 % is 0.015"),
        ({FRAPPE: {"high": -0.1}}, "no share lies there"),
        ({POT: {"value": 30}}, "within is missing"),
        ({POT: {}}, "a range is missing"),
        ({POT: {"low": 1, "within": 3}}, "value and within stand beside low or high"),
        ({POT: {"high": 3, "wieght": 1}}, 'Did you mean "weight"?'),
        ({POT: {"high": 3, "weight": 0}}, "targets.pot_after_mean.weight = 0 cannot be used"),
        ({POT: {"high": "3"}}, 'targets.pot_after_mean.high = "3" cannot be used'),
        ({POT: {"low": math.inf}}, "cannot be used"),
        ({POT: 30}, "targets.pot_after_mean = 30 is no range"),
    ],
)
def test_read__refuses(targets: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigError) as refused:
        read(**targets)
    assert words in str(refused.value)
    assert str(refused.value).startswith("file.toml: ")


def test_pareto__no_point_of_the_front_is_beaten() -> None:
    distances, changes = [3.0, 1.0, 2.0, 1.0, 0.5, math.inf, 0.5], [0, 2, 1, 1, 3, 0, 4]
    assert pareto(distances, changes) == [0, 3, 4]
    assert pareto([], []) == []
    rng = np.random.default_rng(1)
    distances, changes = rng.integers(0, 12, 200).astype(float).tolist(), rng.integers(0, 6, 200).tolist()
    front = pareto(distances, changes)
    for i in range(200):
        beaten = any(
            distances[j] <= distances[i]
            and changes[j] <= changes[i]
            and (distances[j], changes[j]) != (distances[i], changes[i])
            for j in range(200)
        )
        same = any((distances[j], changes[j]) == (distances[i], changes[i]) for j in front)
        assert same == (not beaten)
