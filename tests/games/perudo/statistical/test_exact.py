"""Exact values of Perudo lie inside the fast engine's 99.9 % intervals: self-play by solved rounds, scripted matches,
cups.

Alpha 0.001 a value, about 50 values, one fixed seed: a correct engine fails with another seed in fewer than 1 of 20
runs. Where a value is only known between two bounds, the interval and the bounds must overlap.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from numbluff_sim.config import load
from numbluff_sim.contract.registry import game
from numbluff_sim.kernels.perudo import codes
from tests.conftest import ROOT

ALPHA = 0.001
GAMES, BATCHES = 10_000_000, 200
SEED = 7
CHECKS: dict[str, dict[str, Any]] = {
    check["id"]: check
    for check in json.loads((ROOT / "tests/games/perudo/cases/perudo_cases.json").read_text(encoding="utf-8"))[
        "exact_checks"
    ]
}
SCRIPTED = [name for name, check in CHECKS.items() if check["kind"] == "markov_policy"]
#: Two dice each, so that whoever loses the first round has one die against two in the second; a match is over after it
#: or after a third.
NO_PALIFICO = {"rules.palifico": False}
WINNER_OPENS = {**NO_PALIFICO, "rules.starter_normal": "challenge_winner", "rules.house_rule_start": False}


def played(
    persona: str, players: int, dice: int, games: int, rules: Mapping[str, Any], rows: str
) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """(tally, rows) of every batch of games whose seats all play one way."""
    overrides = {
        "game": "perudo",
        "run.seed": SEED,
        "table.players": players,
        "table.dice": dice,
        "play.seats": [persona],
        **rules,
    }
    engine = game("perudo").engine(load(overrides=overrides))

    def batch(number: int) -> tuple[dict[str, Any], dict[str, Any]]:
        tally = engine.new_tally()
        return tally, engine.play(number * (games // BATCHES), games // BATCHES, tally, rows)

    with ThreadPoolExecutor(2) as pool:
        yield from pool.map(batch, range(BATCHES))


@cache
def column_counts(
    persona: str, players: int, dice: int, rules: tuple[tuple[str, Any], ...], column: str
) -> dict[int, int]:
    """How many of 10 million games have each value of a column of the game rows; "winner_first": the first to one
    die wins the match.
    """
    found = np.zeros(64, np.int64)
    for _, rows in played(persona, players, dice, GAMES, dict(rules), "games"):
        table = rows["games"]
        found += np.bincount(
            table["first_to_one"] == table["winner"] if column == "winner_first" else table[column], minlength=64
        )
    assert found.sum() == GAMES
    return {value: int(count) for value, count in enumerate(found)}


def share(hits: int, of: int) -> tuple[float, float]:
    """99.9 % interval of a share (Clopper-Pearson)."""
    found = stats.binomtest(hits, of).proportion_ci(1 - ALPHA, "exact")
    return found.low, found.high


def mean(values: NDArray[np.float64]) -> tuple[float, float]:
    """99.9 % interval of the mean over equal batches (Student's t)."""
    half = stats.t.isf(ALPHA / 2, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values))
    return values.mean() - half, values.mean() + half


@pytest.mark.statistical
@pytest.mark.parametrize(
    ("order", "value"), [("bluff_track", 251 / 516), ("perudo_halving", 17 / 36), ("flat", 251 / 516)]
)
def test_equilibrium__one_die_each(order: str, value: float) -> None:
    low, high = share(column_counts("equilibrium", 2, 1, (("rules.bid_order", order),), "winner")[0], GAMES)
    assert low <= value <= high
    assert high - low < 0.0012


@pytest.mark.statistical
def test_equilibrium__fresh_palifico_against_two_dice() -> None:
    rounds = column_counts("equilibrium", 2, 2, (), "rounds")
    assert rounds[2] + rounds[3] == GAMES
    low, high = share(rounds[3], GAMES)
    assert low <= 25 / 36 <= high
    assert high - low < 0.0012
    low, high = share(column_counts("equilibrium", 2, 2, (), "winner_first")[1], GAMES)
    assert low <= 125 / 324 <= high


@pytest.mark.statistical
@pytest.mark.parametrize(("name", "rules", "rounds"), [("PE-E31a", NO_PALIFICO, 3), ("PE-E31b", WINNER_OPENS, 2)])
def test_equilibrium__one_die_against_two(name: str, rules: dict[str, Any], rounds: int) -> None:
    low, high = share(column_counts("equilibrium", 2, 2, tuple(rules.items()), "rounds")[rounds], GAMES)
    assert low <= CHECKS[name]["hi"]
    assert CHECKS[name]["lo"] <= high
    assert high - low < 0.0012


@pytest.mark.statistical
@pytest.mark.parametrize("name", SCRIPTED)
def test_scripted__match(name: str) -> None:
    params, value = CHECKS[name]["params"], CHECKS[name]["value"]
    players, rules = params["n"], {f"rules.{key}": answer for key, answer in params["cfg"].items()}
    tallies = [tally for tally, _ in played(params["policy"], players, params["d"], GAMES, rules, "none")]
    assert sum(int(tally["games"]) for tally in tallies) == GAMES
    sums = np.array([tally["moments"][0] for tally in tallies])
    for seat, expected in enumerate(value["p_win_float"]):
        low, high = share(int(sums[:, codes.VARIABLES + seat].sum()), GAMES)
        assert low <= expected <= high, f"seat {seat}"
    low, high = mean(sums[:, codes.V_ROUNDS] / (GAMES // BATCHES))
    assert low - 1e-12 <= value["expected_rounds_float"] <= high + 1e-12
    assert high - low < 0.01


#: First rounds of `third`: dice each, and the checks of the challenged bid's chance and of the cups lifted for it.
FIRST_ROUNDS = {3: ("PE-E04", "PE-E50a"), 4: ("PE-E05", "PE-E50b")}


@pytest.mark.statistical
@pytest.mark.parametrize("players", FIRST_ROUNDS)
def test_scripted__first_bid_and_its_cups(players: int) -> None:
    true, cups = [], []
    for _, rows in played("third", players, 5, 1_000_000, {}, "rounds"):
        first = rows["rounds"]["round"] == 0
        true.append(rows["rounds"]["bid_true"][first])
        cups.append(rows["rounds"]["cups_lifted"][first].mean())
    chance, lifted = FIRST_ROUNDS[players]
    low, high = share(int(np.concatenate(true).sum()), 1_000_000)
    assert low <= CHECKS[chance]["float"] <= high
    low, high = mean(np.array(cups))
    assert low <= CHECKS[lifted]["float"] <= high
    assert high - low < 0.01


@pytest.mark.statistical
def test_scripted__cups_of_one_die_each() -> None:
    lifted = column_counts("one", 2, 1, (), "cups_lifted")
    assert lifted[1] + lifted[2] == GAMES
    low, high = share(lifted[2], GAMES)
    assert low <= CHECKS["PE-E50d"]["float"] - 1 <= high
