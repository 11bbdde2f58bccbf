"""Comebacks with the rounds of a game in their own and in random order."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from numbluff_sim.analysis.num_bluff.comebacks import count_comebacks, in_random_order
from numbluff_sim.config import load
from numbluff_sim.run.runner import run_simulation
from numbluff_sim.run.store import load_run

pytestmark = pytest.mark.kernels


def test_count__by_hand() -> None:
    game = np.array([0, 0, 0, 0, 1, 1, 3, 3])
    points = np.array([[5, 0], [0, 1], [0, 9], [0, 0], [4, 0], [0, 3], [2, 0], [0, 2]])
    assert count_comebacks(game, points, 2) == (1, 2)  # game 0 comes from behind, 1 is led throughout, 3 has no winner
    assert count_comebacks(game, points, 3) == (0, 2)


def test_own_order__is_the_comeback_share_of_the_rows_of_games(tmp_path: Path) -> None:
    run_simulation(load(overrides={"run.games": 3000, "run.rows": "rounds"}), tmp_path / "run")
    run = load_run(tmp_path / "run")
    rounds, half_rank = run.rows("rounds"), run.rows("games")["half_rank"].to_numpy()
    points = np.stack([rounds[f"points_{seat}"].to_numpy() for seat in range(4)], axis=1).astype(np.int64)
    expected = int((half_rank > 1).sum()), int((half_rank > 0).sum())
    assert count_comebacks(rounds["game"].to_numpy(), points, run.config.rounds // 2) == expected
    shuffled = in_random_order(run)
    assert shuffled is not None
    assert shuffled.n == expected[1]
    assert 0.3 < shuffled.low < shuffled.value < shuffled.high < 0.5
    assert shuffled == in_random_order(run)  # drawn by the run's seed


def test_without_rows__nothing_is_said(tmp_path: Path) -> None:
    run_simulation(load(overrides={"run.games": 64}), tmp_path / "run")
    assert in_random_order(load_run(tmp_path / "run")) is None
