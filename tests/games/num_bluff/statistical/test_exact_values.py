"""The exact values of the rules' section 7 lie inside the fast engine's 99.9 % intervals, at 10 million games each.

Alpha 0.001 a value, 9 values, one fixed seed: a correct engine fails with another seed in fewer than 1 of 100. Players
and rounds of one game depend on each other, so rates over rounds are judged by means over batches of games (Student's
t).
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from numbluff_sim.config import load
from numbluff_sim.games.num_bluff.engine import Engine
from tests.games.num_bluff.reference.exact import DOCUMENTED

ALPHA = 0.001
GAMES, BATCHES = 10_000_000, 400
SEED = 7
#: Documented value -> wild_adjusts it holds under, which of `exact_kinds` counts it and which counts what it is a share
#: of.
PER_PLAYER = {
    "exact_hidden": ("hidden", 1),
    "exact_one_family_hidden": ("hidden", 2),
    "exact_printed": ("hidden", 3),
    "exact_both": ("both", 1),
    "exact_one_family_both": ("both", 2),
    "exact_printed_one_family": ("both", 4),
}


@cache
def exact_kinds(wild_adjusts: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(exact_kinds by batch (400, 6), rounds by batch) of the preset `random`, whose hidden cards are uniform."""
    overrides = {
        "rules.bluffer_wild": "printed",
        "rules.wild_adjusts": wild_adjusts,
        "run.seed": SEED,
        "run.detail_every": 1,
    }
    engine, games = Engine(load(preset="random", overrides=overrides)), GAMES // BATCHES

    def batch(number: int) -> tuple[NDArray[np.int64], int]:
        tally = engine.new_tally()
        engine.play(number * games, games, tally)
        return tally["exact_kinds"], int(tally["round_events"].sum())

    with ThreadPoolExecutor(2) as pool:
        kinds, rounds = zip(*pool.map(batch, range(BATCHES)), strict=True)
    return np.array(kinds), np.array(rounds)


def interval(shares: NDArray[np.float64]) -> tuple[float, float]:
    """99.9 % interval of the mean over equal batches."""
    half = stats.t.isf(ALPHA / 2, len(shares) - 1) * shares.std(ddof=1) / np.sqrt(len(shares))
    return shares.mean() - half, shares.mean() + half


@pytest.mark.statistical
@pytest.mark.parametrize("name", PER_PLAYER)
def test_exact__share_of_player_rounds(name: str) -> None:
    wild_adjusts, kind = PER_PLAYER[name]
    kinds, rounds = exact_kinds(wild_adjusts)
    assert (rounds.sum(), kinds[:, 0].sum()) == (GAMES * 12, GAMES * 36)
    low, high = interval(kinds[:, kind] / kinds[:, 0])
    assert low <= DOCUMENTED[name] <= high
    assert high - low < 0.01 * DOCUMENTED[name]


@pytest.mark.statistical
def test_exact__bluffer_has_one_family() -> None:
    kinds, rounds = exact_kinds("hidden")
    low, high = interval(kinds[:, 5] / rounds)
    assert low <= DOCUMENTED["bluffer_one_family"] <= high
    assert high - low < 0.01 * DOCUMENTED["bluffer_one_family"]


@pytest.mark.statistical
@pytest.mark.parametrize(
    ("preset", "name"), [("documented", "miroir_taken_4_players"), ("random", "miroir_random_4_players")]
)
def test_exact__miroir_in_round_one(preset: str, name: str) -> None:
    engine = Engine(load(preset=preset, overrides={"run.seed": SEED, "table.turns_as_bluffer": 1}))
    tally = engine.new_tally()
    engine.play(0, GAMES, tally)
    assert tally["round_events"][0].sum() == GAMES
    found = stats.binomtest(int(tally["round_events"][0, 0]), GAMES).proportion_ci(1 - ALPHA, "exact")
    assert found.low <= DOCUMENTED[name] <= found.high
    assert found.high - found.low < 0.2 * DOCUMENTED[name]
