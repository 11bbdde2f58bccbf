"""Confidence sequences and the precisions asked of them."""

from __future__ import annotations

import itertools
import math

import pytest
from scipy import optimize, stats

from numbluff_sim.analysis.statistics import sequential as seq
from numbluff_sim.analysis.statistics.clusters import ValueWithError
from numbluff_sim.analysis.statistics.estimates import Estimate, Estimator
from numbluff_sim.analysis.statistics.intervals import difference, inverse, mean, proportion, shares
from numbluff_sim.analysis.statistics.sequential import Precision, boundary, fixed_alpha, looks, sequential
from numbluff_sim.errors import ConfigError

KNOWN = ("frappe_parfaite_per_round", "seat_1_win_share", "pot_after_mean")
EVENTS = {"frappe_parfaite": "frappe_parfaite_per_round"}


def rate(hits: int, games: int) -> Estimator:
    return proportion("rate", hits, games, denominator="games", games=games)


def estimate(value: float, low: float, high: float) -> Estimate:
    return Estimate("x", value, low, high, 0.95, 100, "games", "", "share", 100)


def test_always_valid__is_the_sequence_at_every_alpha() -> None:
    estimator = mean("m", ValueWithError(5.0, 0.1), n=20_000, denominator="games", games=20_000, unit="points")
    always = seq.always_valid(estimator)
    for alpha in (0.05, 0.001):
        found = seq.sequential(estimator, 20_000, alpha)
        assert always.bounds(alpha) == pytest.approx((found.low, found.high))
    assert always.bounds(0.05)[0] < estimator.bounds(0.05)[0]
    assert always.method.startswith(seq.METHOD)


def test_spent__all_looks_spend_alpha() -> None:
    assert seq.spent(0.01, 1) == pytest.approx(0.005)
    assert sum(seq.spent(0.01, look) for look in range(1, 10_000)) == pytest.approx(0.01, rel=2e-4)


@pytest.mark.parametrize(("alpha", "best_at"), [(0.05, 1e6), (0.01, 1e6), (0.05, 2e4)])
def test_boundary__tightest_where_it_is_told_to_be(alpha: float, best_at: float) -> None:
    found = optimize.minimize_scalar(
        lambda log: boundary(math.exp(log), alpha, best_at), bounds=(0, 40), method="bounded"
    )
    assert math.exp(found.x) == pytest.approx(best_at, rel=1e-2)
    assert found.fun > stats.norm.isf(alpha / 2)


def test_boundary__is_the_mixture_of_robbins() -> None:
    """With W a Brownian motion, exp(u W - u^2 t / 2) mixed over u normal with variance r is a martingale; the
    boundary is where it is 1 / alpha.
    """
    r, n, alpha = seq.tuning(0.05), 300_000, 0.05
    w = boundary(n) * math.sqrt(n)
    mixture = math.exp(w**2 * r / (2 * (n * r + 1))) / math.sqrt(n * r + 1)
    assert mixture == pytest.approx(1 / alpha)


def test_sequential__is_the_fixed_interval_at_the_boundary() -> None:
    measured = mean("m", ValueWithError(5.0, 0.01), n=10**6, denominator="games", games=10**6, unit="points")
    found = sequential(measured, 10**6)
    assert found.high - found.value == pytest.approx(0.01 * boundary(10**6), rel=1e-4)
    assert found.level == 0.95
    assert found.method.startswith("confidence sequence of ratio estimator")
    assert found.high - found.low > measured.at(0.05).high - measured.at(0.05).low


@pytest.mark.parametrize("games", [64, 10_000, 10**6, 10**11])
@pytest.mark.parametrize("family", [1, 4, 15])
def test_sequential__each_of_a_family_gets_its_own_boundary(games: int, family: int) -> None:
    """What a Bonferroni estimator hands to its members is at most 2 (1 - Phi(z_n)) at alpha / family."""
    own = math.erfc(boundary(games, 0.05 / family) / math.sqrt(2))
    assert fixed_alpha(games, 0.05, family) / family == pytest.approx(max(own, seq.LEAST_ALPHA / family), rel=1e-9)


def test_family__is_known_of_every_method_that_holds_intervals_together() -> None:
    one = rate(300, 10_000)
    assert (one.family, one.one_of(4).family, difference("d", one, one.one_of(4)).family) == (1, 4, 8)
    assert inverse("i", one.one_of(3), unit="games").family == 3
    assert {share.family for share in shares(["a", "b", "c"], [5, 6, 7], denominator="games", games=18)} == {3}


def test_sequential__few_games_have_wide_intervals_and_no_error() -> None:
    for estimator in (
        rate(0, 64),
        rate(60, 128),
        mean("m", ValueWithError(5.0, 0.1), n=64, denominator="games", games=64, unit="points"),
    ):
        found = sequential(estimator, 64)
        assert found.low <= found.value <= found.high


def test_looks__fixed_multiples_of_the_period_up_to_the_most() -> None:
    some = list(looks(10**6, 4096))
    assert some[0] == 12288
    assert some[-1] == 10**6
    assert all(n % 4096 == 0 for n in some[:-1])
    assert all(1 < b / a < 1.4 for a, b in itertools.pairwise(some[:-1]))
    assert list(looks(10**7, 4096))[: len(some) - 1] == some[:-1]
    assert len(list(looks(10**9, 4096))) < 130


def test_looks__few_games_and_long_periods() -> None:
    assert list(looks(5000, 4096)) == [5000]
    assert all(n % 64 == 0 for n in list(looks(10**5, 64 * 10**9))[:-1])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("frappe_parfaite:5%", Precision("frappe_parfaite_per_round", 0.05, True)),
        ("frappe_parfaite_per_round: 0.5 %", Precision("frappe_parfaite_per_round", 0.005, True)),
        ("seat_1_win_share:0.001", Precision("seat_1_win_share", 0.001, False)),
    ],
)
def test_precision__read(text: str, expected: Precision) -> None:
    assert Precision.read(text, KNOWN, EVENTS) == expected
    assert Precision.read(str(expected), KNOWN, EVENTS) == expected


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("frappe_parfaite", "says no precision"),
        ("frape_parfaite:5%", 'Did you mean "frappe_parfaite"?'),
        ("frappe_parfaite:0%", '"0%" is no precision of frappe_parfaite_per_round'),
        ("frappe_parfaite:-1", '"-1" is no precision'),
        ("frappe_parfaite:nan", '"nan" is no precision'),
        ("frappe_parfaite:five", '"five" is no precision'),
        (":5%", "is not a metric"),
    ],
)
def test_precision__refuses_what_it_cannot_mean(text: str, said: str) -> None:
    with pytest.raises(ConfigError) as refused:
        Precision.read(text, KNOWN, EVENTS)
    assert said in str(refused.value)
    assert str(refused.value).startswith("--until: ")


def test_precision__wider_half_counts() -> None:
    assert Precision("x", 0.1, relative=True).width(estimate(0.5, 0.45, 0.6)) == pytest.approx(0.2)
    assert Precision("x", 0.1, relative=False).reached(estimate(0.5, 0.42, 0.6))
    assert not Precision("x", 0.09, relative=False).reached(estimate(0.5, 0.42, 0.6))


def test_precision__never_seen_or_undefined_is_never_reached() -> None:
    assert not Precision("x", 1e9, relative=True).reached(estimate(0.0, 0.0, 1e-9))
    assert not Precision("x", 1e9, relative=False).reached(estimate(math.nan, -math.inf, math.inf))


def test_games_until__agrees_with_the_sequence() -> None:
    asked, now = 0.02, 50_000
    measured = sequential(rate(800, now), now)
    needed = seq.games_until(now, Precision("rate", asked, relative=True).width(measured) * 0.016, asked * 0.016)
    later = sequential(rate(round(0.016 * needed), round(needed)), round(needed))
    assert Precision("rate", asked, relative=True).width(later) == pytest.approx(
        asked, rel=0.1
    )  # few hits make the interval skew
    assert seq.games_until(now, 0.01, 0.02) == now
    assert seq.games_until(now, math.inf, 0.02) == math.inf


def test_games_of__stopping_costs_more_than_a_fixed_number_and_the_family_more_than_one() -> None:
    fixed = seq.games_of_fixed(0.5, 0.001)
    assert fixed == pytest.approx((1.959964 * 0.5 / 0.001) ** 2)
    assert 1.5 < seq.games_of_sequence(0.5, 0.001) / fixed < 4
    assert seq.games_of_sequence(0.5, 0.001, family=4) > seq.games_of_sequence(0.5, 0.001)
    assert seq.games_of_sequence(0.5, 100.0) >= 1


def test_games_of__a_precision_that_no_run_reaches_takes_infinitely_many() -> None:
    for asked in (1e-290, 0.0):
        assert seq.games_of_fixed(0.5, asked) == math.inf
        assert seq.games_of_sequence(0.5, asked) == math.inf
    assert 1e28 < seq.games_of_sequence(0.5, 1e-14) < 1e32
