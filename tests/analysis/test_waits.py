"""Waits cut off by the end of a game: against the truth, and against Kaplan and Meier's estimator game by game."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from numbluff_sim.analysis.statistics.waits import Waits

ROUNDS, GAMES, CHANCE = 12, 5000, 0.1


def wins(seed: int, games: int = GAMES, chance: float = CHANCE) -> NDArray[np.bool_]:
    """Who won a pot when, (games, ROUNDS)."""
    return np.random.default_rng(seed).random((games, ROUNDS)) < chance


def spells(won: NDArray[np.bool_]) -> list[tuple[int, bool]]:
    """Length of every wait, and whether it was seen to its end."""
    found = []
    for game in won:
        last = 0
        for r in np.flatnonzero(game) + 1:
            found.append((int(r) - last, True))
            last = int(r)
        if last < ROUNDS:
            found.append((ROUNDS - last, False))
    return found


def waits_of(won: NDArray[np.bool_]) -> Waits:
    seen = np.bincount([length for length, ended in spells(won) if ended], minlength=ROUNDS + 1)
    by_round = won.sum(axis=0)
    starts = np.concatenate([[len(won)], by_round[:-1]]).astype(np.float64)
    effect = float((won.sum(axis=1) ** 2).sum() / max(won.sum(), 1))
    return Waits(seen, starts, np.full(ROUNDS + 1, len(won)), effect, len(won), "pots", "rounds")


def kaplan_meier(found: list[tuple[int, bool]]) -> list[float]:
    """Share still waiting after 1, 2, ... rounds."""
    alive, result = 1.0, []
    for k in range(1, ROUNDS + 1):
        at_risk = sum(length >= k for length, _ in found)
        alive *= 1 - sum(length == k and ended for length, ended in found) / at_risk
        result.append(alive)
    return result


def test_waits__agree_with_kaplan_and_meier_and_with_the_truth() -> None:
    won = wins(1)
    measured = waits_of(won)
    for k, alive in enumerate(kaplan_meier(spells(won)), start=1):
        assert 1 - measured.ended[k] == pytest.approx(alive, abs=0.01)
        assert 1 - measured.ended[k] == pytest.approx((1 - CHANCE) ** k, abs=0.02)
    assert measured.quantile("w", 0.5).at().value == 7  # 0.9^7 = 0.478
    true_mean = sum((1 - CHANCE) ** k for k in range(ROUNDS))
    mean = measured.restricted_mean("w").at()
    assert mean.low < true_mean < mean.high
    seen = [length for length, ended in spells(won) if ended]
    assert np.mean(seen) < 0.75 * true_mean  # what is seen to its end is short


def test_waits__longer_than_a_game_are_infinite_and_counted() -> None:
    measured = waits_of(wins(2, chance=0.02))
    estimate = measured.quantile("w", 0.5).at()
    assert (estimate.value, estimate.low, estimate.high) == (math.inf, math.inf, math.inf)
    assert measured.by_length()[-1] > 0.7 * measured.starts.sum()
    assert measured.quantile("w", 0.1).at().value == 6  # 0.98^6 = 0.886


def test_waits__early_ends_cut_waits_off_too() -> None:
    won = wins(3)
    length = np.random.default_rng(4).integers(4, ROUNDS + 1, GAMES)
    played = np.array([(length >= r).sum() for r in range(ROUNDS + 1)])
    won &= np.arange(1, ROUNDS + 1) <= length[:, None]
    whole = waits_of(won)
    measured = Waits(whole.seen, whole.starts, played, whole.effect, GAMES, "pots", "rounds")
    assert measured.ended[-1] == pytest.approx(1 - (1 - CHANCE) ** ROUNDS, abs=0.03)


def test_waits__nothing_played_is_undefined() -> None:
    empty = Waits(np.zeros(13, np.int64), np.zeros(12), np.zeros(13, np.int64), 1.0, 0, "pots", "rounds")
    assert not empty.quantile("w", 0.5).at().defined
    assert not empty.restricted_mean("w").at().defined


def test_waits__intervals_cover() -> None:
    """95 % intervals of the restricted mean and of the median; at most 8 % of 500 miss (chance 0.3 % at 5 %)."""
    true_mean, missed = sum((1 - CHANCE) ** k for k in range(ROUNDS)), [0, 0]
    for seed in range(500):
        measured = waits_of(wins(100 + seed, games=64))
        mean, median = measured.restricted_mean("w").at(), measured.quantile("w", 0.5).at()
        missed[0] += not mean.low <= true_mean <= mean.high
        missed[1] += not median.low <= 7 <= median.high
    assert max(missed) <= 40
