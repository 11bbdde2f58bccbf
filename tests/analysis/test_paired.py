"""Paired differences: the grouped jackknife, what stands in for it, Holm over the family."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

from numbluff_sim.analysis.statistics.clusters import ValueWithError
from numbluff_sim.analysis.statistics.estimates import Estimator
from numbluff_sim.analysis.statistics.intervals import mean, proportion
from numbluff_sim.analysis.statistics.paired import (
    JACKKNIFE,
    SAME_GAMES,
    Effect,
    Replicates,
    Side,
    jackknife_error,
    paired_effects,
    replicates,
)
from numbluff_sim.encoding import from_json, json_text

GROUPS, GAMES = 32, 3200


def side(samples: np.ndarray, name: str = "m", identity: str = "a", *, smooth: bool = True) -> Side:
    """A side with one metric: the mean of `samples` (GAMES,)."""
    groups = samples.reshape(GROUPS, -1)
    without = (samples.sum() - groups.sum(axis=1)) / (len(samples) - groups.shape[1])
    error = float(samples.std(ddof=1)) / math.sqrt(len(samples))
    estimator = mean(
        name,
        ValueWithError(float(samples.mean()), error),
        n=GAMES,
        denominator="games",
        games=GAMES,
        unit="points",
        within=(-math.inf, math.inf),
    )
    if not smooth:
        estimator = Estimator(**{**vars(estimator), "smooth": False})
    return Side(Replicates((name,), np.array([samples.mean()]), without[:, None]), {name: estimator}, identity)


def only(effects: list[list[Effect]]) -> Effect:
    [[effect]] = effects
    return effect


def test_jackknife_error__of_a_mean_is_the_usual_one() -> None:
    samples = np.random.default_rng(1).normal(size=(64, 50))
    means = samples.mean(axis=1)
    without = (means.sum() - means) / 63
    assert jackknife_error(without[:, None])[0] == pytest.approx(means.std(ddof=1) / 8)


def test_effect__same_games_have_no_difference_and_no_error() -> None:
    samples = np.random.default_rng(2).normal(size=GAMES)
    effect = only(paired_effects(side(samples), [side(samples)]))
    assert (effect.difference.value, effect.difference.low, effect.difference.high) == (0.0, 0.0, 0.0)
    assert effect.difference.method == SAME_GAMES
    assert not effect.real


def test_effect__what_is_common_cancels() -> None:
    rng = np.random.default_rng(3)
    common, noise = rng.normal(size=GAMES), 0.1 * rng.normal(size=(2, GAMES))
    effect = only(paired_effects(side(common + noise[0]), [side(common + noise[1] + 0.02, identity="b")]))
    assert effect.difference.method.startswith(JACKKNIFE)
    assert effect.saved == pytest.approx(2 * 1.01 / 0.02, rel=0.6)  # (1 + 1.01 ... ) over the noise's variance
    assert effect.difference.low < 0.02 < effect.difference.high
    assert effect.real
    assert effect.standardised == pytest.approx(0.02, abs=0.01)


def test_effect__interval_covers_as_often_as_it_says() -> None:
    rng, covered = np.random.default_rng(4), 0
    for _ in range(2000):
        common = rng.exponential(size=GAMES)
        first, second = common + rng.normal(size=GAMES), 1.1 * common + rng.normal(size=GAMES)
        effect = only(paired_effects(side(first), [side(second, identity="b")]))
        covered += effect.difference.low <= 0.1 <= effect.difference.high
    assert 0.938 <= covered / 2000 <= 0.962  # 95 % +- 2.5 standard errors; fixed seed


@pytest.mark.parametrize("smooth", [False, True])
def test_effect__rare_or_rough_metrics_have_the_box_of_two_intervals(smooth: bool) -> None:
    rng = np.random.default_rng(5)
    rare = np.zeros(GAMES)
    rare[:3] = 1  # in one group alone
    first = rng.normal(size=GAMES)
    sides = (
        (side(np.zeros(GAMES)), side(rare, identity="b"))
        if smooth
        else (side(first, smooth=False), side(first + 1, identity="b", smooth=False))
    )
    effect = only(paired_effects(sides[0], [sides[1]]))
    assert effect.difference.method.startswith("difference of two intervals")
    assert math.isnan(effect.saved)


def test_effect__no_hits_on_either_side_leave_a_bound_and_not_zero() -> None:
    def never(identity: str) -> Side:
        estimator = proportion("m", 0, 3000, denominator="games", games=3000)
        return Side(Replicates(("m",), np.zeros(1), np.zeros((GROUPS, 1))), {"m": estimator}, identity)

    effect = only(paired_effects(never("a"), [never("b")]))
    assert effect.difference.value == 0
    assert 0.001 < effect.difference.high < 0.003
    assert effect.largest == effect.difference.high  # one metric: the bound for all at once is its own


def test_effect__undefined_metrics_are_left_out() -> None:
    fine, broken = side(np.random.default_rng(6).normal(size=GAMES)), side(np.full(GAMES, math.nan), identity="b")
    assert paired_effects(fine, [broken]) == [[]]


def test_family__false_alarms_of_many_metrics_are_as_rare_as_stated() -> None:
    rng, alarms, names = np.random.default_rng(7), 0, [f"m{i}" for i in range(20)]

    def both(identity: str) -> Side:
        sides = [side(rng.normal(size=GAMES), name, identity) for name in names]
        values, without = (
            np.concatenate([getattr(one.replicates, key) for one in sides], axis=-1) for key in ("values", "without")
        )
        return Side(
            Replicates(tuple(names), values, without),
            {name: one.estimators[name] for name, one in zip(names, sides, strict=True)},
            identity,
        )

    for _ in range(300):
        [effects] = paired_effects(both("a"), [both("b")])
        alarms += any(effect.real for effect in effects)
    assert alarms <= 26  # 15 expected at 5 %, exceeded with chance 0.3 %; fixed seed


def test_replicates__each_lacks_its_group() -> None:
    groups = [{"x": np.array([g, 1])} for g in range(5)]
    total = {"x": np.array([10, 5])}

    def metric(tally: dict[str, np.ndarray]) -> dict[str, Estimator]:
        return {
            "mean": proportion("mean", float(tally["x"][0]), float(tally["x"][1]) * 10, denominator="games", games=5)
        }

    made = replicates(metric, total, groups)  # type: ignore[arg-type]
    assert made.values.tolist() == [10 / 50]
    assert made.without[:, 0].tolist() == [(10 - g) / 40 for g in range(5)]


def test_effect__survives_json() -> None:
    rng = np.random.default_rng(8)
    effect = only(paired_effects(side(rng.normal(size=GAMES)), [side(rng.normal(size=GAMES), identity="b")]))
    assert from_json(Effect, json.loads(json_text(effect))) == effect
