"""Comparisons of real games: false alarms where nothing differs, coverage where something does. Fixed seeds."""

from __future__ import annotations

import sys

import pytest
from scipy import stats

from numbluff_sim.analysis.statistics.paired import FAMILY_ALPHA, Side, paired_effects
from numbluff_sim.config import load
from numbluff_sim.studies.played_in_groups import play_point

#: 16 groups of whole detail periods.
GAMES, TIMES = 65_536, 200
#: Metrics whose intervals are checked, and the games behind their true differences.
CHECKED = (
    "exact_per_player_round",
    "frappe_parfaite_per_round",
    "coup_precis_per_round",
    "bluffer_minus_other_points",
    "pot_after_mean",
    "score_mean",
    "epargne_per_round",
    "coup_de_maitre_bonus_per_round",
    "pot_unclaimed_share",
    "seat_1_points",
)
MANY = 20_000_000


#: Ratios that few games differ in when the bluffer keeps the card that several Coups Précis would share; each has a
#: denominator that differs a little in every group.
SPARSE = (
    "winner_owes_half_to_pot_share",
    "comeback_from_last_share",
    "comeback_share",
    "pot_share_of_winner_mean",
    "honest_points_per_round",
    "bluffer_gain",
    "bluffer_minus_other_points",
)
SPARSE_GAMES, SPARSE_TIMES, SPARSE_MANY = 200_000, 60, 12_000_000


def side(seed: int, games: int = GAMES, **changes: str) -> Side:
    overrides = {
        "run.games": games,
        "run.seed": seed,
        "run.threads": 2,
        **{f"rules.{key}": value for key, value in changes.items()},
    }
    return play_point(load(overrides=overrides)).side()


@pytest.mark.statistical
def test_compare__two_hundred_comparisons_of_equals_and_as_many_of_unequals(capsys: pytest.CaptureFixture[str]) -> None:
    """A against A under other seeds: an alarm in any metric with chance FAMILY_ALPHA at most; A against B: 95 %
    intervals cover.

    The limits are exceeded with chance 0.1 % by a method that is as good as it says.
    """
    truth = {
        effect.metric: effect.difference.value
        for effect in paired_effects(side(999_983, MANY), [side(999_983, MANY, wild_adjusts="both")])[0]
    }
    alarms, missed, saved = 0, dict.fromkeys(CHECKED, 0), []
    for seed in range(TIMES):
        base = side(seed)
        [equal] = paired_effects(base, [side(10_000 + seed)])
        alarms += any(effect.real for effect in equal)
        [unequal] = paired_effects(base, [side(seed, wild_adjusts="both")])
        for effect in unequal:
            if effect.metric in missed:
                missed[effect.metric] += not effect.difference.low <= truth[effect.metric] <= effect.difference.high
            if effect.metric == "exact_per_player_round":
                saved.append(effect.saved)
    with capsys.disabled():
        sys.stdout.write(
            f"alarms: {alarms} of {TIMES}; misses of {TIMES}: {missed}; median saving, exact hits: "
            f"{sorted(saved)[TIMES // 2]:.2f}\n"
        )
    assert alarms <= stats.binom.isf(0.001, TIMES, FAMILY_ALPHA)
    assert sum(missed.values()) <= stats.binom.isf(0.001, TIMES * len(CHECKED), 0.05) + 0.01 * TIMES * len(CHECKED)
    assert max(missed.values()) <= stats.binom.isf(0.0001, TIMES, 0.05)
    assert sorted(saved)[TIMES // 2] > 2


@pytest.mark.statistical
def test_compare__sparse_ratios_cover(capsys: pytest.CaptureFixture[str]) -> None:
    """Intervals at 95 % and those of all metrics together, of seven ratios; limits exceeded with chance 0.1 % a metric.

    With a guard that counted groups which differ at all, the first one missed in 18 of 120 comparisons, and
    simultaneously in 15.
    """
    keep = {"several_exact_bluffer_card": "keep"}
    truth = {
        effect.metric: effect.difference.value
        for effect in paired_effects(side(999_983, SPARSE_MANY), [side(999_983, SPARSE_MANY, **keep)])[0]
    }
    missed, together = dict.fromkeys(SPARSE, 0), dict.fromkeys(SPARSE, 0)
    for seed in range(SPARSE_TIMES):
        [effects] = paired_effects(side(seed, SPARSE_GAMES), [side(seed, SPARSE_GAMES, **keep)])
        for effect in effects:
            if effect.metric in missed:
                true = truth[effect.metric]
                missed[effect.metric] += not effect.difference.low <= true <= effect.difference.high
                together[effect.metric] += not effect.simultaneous[0] <= true <= effect.simultaneous[1]
    with capsys.disabled():
        sys.stdout.write(f"misses of {SPARSE_TIMES}: {missed}; of the simultaneous intervals: {together}\n")
    assert max(missed.values()) <= stats.binom.isf(0.001, SPARSE_TIMES, 0.05)
    assert sum(together.values()) <= 1
