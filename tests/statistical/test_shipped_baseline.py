"""The shipped claims on real games: verdicts as expected, enough games to decide them, errors as large as the
scatter between seeds.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest
from scipy import stats

from numbluff_sim.analysis.metrics.measured import MeasuredRun, estimators_of
from numbluff_sim.analysis.statistics.estimates import Estimator
from numbluff_sim.analysis.statistics.paired import paired_difference
from numbluff_sim.analysis.statistics.sequential import spent
from numbluff_sim.analysis.statistics.verdicts import games_needed
from numbluff_sim.analysis.studies.check.baselines import claim_config, load_baseline
from numbluff_sim.config import load
from numbluff_sim.contract.registry import names
from numbluff_sim.run.playing import simulate_tally
from numbluff_sim.studies.check.study import run_check
from numbluff_sim.studies.played_in_groups import play_point

#: A claim's true value is not known; the games it needs are taken from this many.
PILOT_GAMES = 2_000_000
#: Chance that some claim stays undecided in a check.
UNDECIDED = 0.001


every_game = pytest.mark.parametrize("name", names())
pytestmark = pytest.mark.statistical


def play(name: str, preset: str, games: int, seed: int) -> Mapping[str, Estimator]:
    config = load(preset=preset, overrides={"game": name, "run.games": games, "run.seed": seed})
    return estimators_of(MeasuredRun(config, simulate_tally(config)))


@every_game
def test_documented_baseline__every_verdict_as_expected(name: str) -> None:
    checked = run_check(overrides={"game": name})
    assert (checked.baseline.game, checked.exit_code) == (name, 0)
    assert all(verdict.as_expected for verdict in checked.verdicts)
    assert checked.configurations == {"num_bluff": 3, "perudo": 10}[name]


def test_documented_baseline__adjusting_visible_cards_too_fails_the_frappe_claim() -> None:
    checked = run_check(overrides={"rules.wild_adjusts": "both"})
    assert checked.exit_code == 1
    assert "frappe_rate" in [verdict.claim.id for verdict in checked.verdicts if verdict.against]


@every_game
def test_documented_baseline__games_decide_every_claim_in_999_of_1000_runs(name: str) -> None:
    """Each claim at the first level of Holm (the strictest), with its share of the undecided runs; of an order the
    clearest or the hardest step.
    """
    baseline, _ = load_baseline(game_name=name)
    alpha, power = spent(baseline.check.family_alpha, 1) / len(baseline.claims), 1 - UNDECIDED / len(baseline.claims)
    measured: dict[str, Mapping[str, Estimator]] = {}
    for claim in baseline.claims:
        config = claim_config(claim, "documented", game_name=name, run={"run.games": PILOT_GAMES, "run.seed": 20})
        if claim.minus_overrides:
            run = {"run.games": PILOT_GAMES, "run.seed": 20}
            other = claim_config(claim, "documented", game_name=name, run=run, subtracted=True)
            sides = [play_point(one).side() for one in (other, config)]
            its: Mapping[str, Estimator] = {str(claim.metric): paired_difference(*sides, str(claim.metric))}
        else:
            if config.digest() not in measured:
                measured[config.digest()] = estimators_of(MeasuredRun(config, simulate_tally(config)))
            its = measured[config.digest()]
        for part in claim.parts(its):
            needed = games_needed(part, claim.range, alpha / (len(claim.order) or 1), power)
            assert needed is not None, claim.id
            assert needed * PILOT_GAMES / part.games <= baseline.check.games, (
                claim.id
            )  # detail metrics see some of the games


@pytest.mark.parametrize(
    ("name", "preset", "names"),
    [
        (
            "num_bluff",
            "documented",
            (
                "miroir_parfait_per_round",
                "frappe_parfaite_per_round",
                "epargne_per_round",
                "pot_after_mean",
                "pot_unclaimed_share",
                "score_mean",
            ),
        ),
        (
            "num_bluff",
            "plays_to_win",
            (
                "honest_minus_lying_points",
                "bluffer_minus_other_points",
                "fusion_minus_single_points",
                "exact_per_player_round",
                "lie_total_points_per_round",
                "left_of_first_bluffer_minus_mean_points",
            ),
        ),
        (
            "perudo",
            "threshold",
            (
                "bids_per_round",
                "challenge_per_bid",
                "opener_lost_per_round",
                "palifico_lost_share",
                "palifico_minus_opener_lost",
                "dice_hidden_share",
            ),
        ),
        (
            "perudo",
            "random",
            (
                "idle_share",
                "idle_place_4",
                "weaker_win_share",
                "challenged_at_10",
                "challenged_true_at_10",
                "two_left_2_v_2_win_share",
            ),
        ),
    ],
)
def test_errors__are_the_scatter_between_seeds(name: str, preset: str, names: tuple[str, ...]) -> None:
    """Over 40 seeds the variance of a value against its claimed one: inside the 99.9 % range of a chi-square, for 24
    metrics (alpha 0.024 in all).
    """
    seeds, one_sigma = 40, 2 * float(stats.norm.sf(1))
    runs = [play(name, preset, 100_000, seed) for seed in range(200, 200 + seeds)]
    for metric in names:
        estimates = [run[metric].at(one_sigma) for run in runs]
        claimed = np.mean([((estimate.high - estimate.low) / 2) ** 2 for estimate in estimates])
        ratio = np.var([estimate.value for estimate in estimates], ddof=1) / claimed
        low, high = stats.chi2.interval(0.999, seeds - 1)
        assert low < ratio * (seeds - 1) < high, metric
