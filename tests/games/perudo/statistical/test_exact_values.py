"""Perudo's engine against exact values: the scripted players' Markov chains (E40) and mean cups lifted, two-sided
z-tests.

alpha = 1e-6 for each of about 70 tests: one false alarm in 10,000 runs.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from numbluff_sim.config import load
from numbluff_sim.games.perudo.tally import TALLY
from numbluff_sim.run.playing import simulate_tally

CASES = json.loads((Path(__file__).parents[1] / "cases" / "perudo_cases.json").read_text())
CHAINS = [check for check in CASES["exact_checks"] if check["kind"] == "markov_policy"]
#: Standard normal quantile of 1 - 1e-6 / 2.
MOST = 4.892


@pytest.mark.statistical
@pytest.mark.parametrize("check", CHAINS, ids=[check["id"] for check in CHAINS])
def test_scripted_players__win_as_often_as_the_chain_says(check: dict[str, Any]) -> None:
    params, value, games = check["params"], check["value"], 3_000_000
    overrides = {
        "game": "perudo",
        "table.players": params["n"],
        "table.dice": params["d"],
        "table.first_opener": params["starter"],
        "run.threads": 2,
        **{f"rules.{name}": answer for name, answer in params["cfg"].items()},
    }
    tally = simulate_tally(load(preset=params["policy"], overrides=overrides), games)
    mean = dict(zip(TALLY.variables(params["n"]), tally["moments"][0] / games, strict=True))
    square = dict(zip(TALLY.variables(params["n"]), tally["moments"][1] / games, strict=True))
    for seat, chance in enumerate(value["p_win_float"]):
        assert abs(mean[f"win_{seat}"] - chance) < MOST * (chance * (1 - chance) / games) ** 0.5
    error = ((square["rounds"] - mean["rounds"] ** 2) / games) ** 0.5
    assert abs(mean["rounds"] - value["expected_rounds_float"]) <= MOST * error + 1e-9


@pytest.mark.statistical
@pytest.mark.parametrize(("order", "chance"), [("bluff_track", 251 / 516), ("perudo_halving", 17 / 36)])
def test_equilibrium__the_opener_of_one_die_against_one_wins_as_often_as_solved(order: str, chance: float) -> None:
    games = 10_000_000
    config = load(
        preset="equilibrium",
        overrides={"game": "perudo", "table.players": 2, "table.dice": 1, "rules.bid_order": order, "run.threads": 2},
    )
    tally = simulate_tally(config, games)
    wins = tally["moments"][0, TALLY.variables(2).index("win_0")] / games
    assert abs(wins - chance) < MOST * (chance * (1 - chance) / games) ** 0.5


@pytest.mark.statistical
def test_equilibrium__rounds_of_one_die_against_two_are_won_as_often_as_solved() -> None:
    config = load(
        preset="equilibrium",
        overrides={"game": "perudo", "table.players": 2, "table.dice": 2, "run.threads": 2, "run.detail_every": 1},
    )
    duel = simulate_tally(config, 10_000_000)["duel"]
    # opener's dice, other's, Palifico round: chance that the opener wins, and how far best-response bounds leave it
    # open
    for (opener, other, palifico), (chance, slack) in {(1, 2, 1): (25 / 36, 4e-6), (1, 1, 1): (4 / 9, 1e-6)}.items():
        rounds, won, _ = duel[opener, other, palifico]
        assert rounds > 100_000
        assert abs(won / rounds - chance) < MOST * (chance * (1 - chance) / rounds) ** 0.5 + slack
