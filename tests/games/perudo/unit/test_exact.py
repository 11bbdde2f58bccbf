"""Exact values of Perudo, each against the number of the case file."""

from __future__ import annotations

import json
from typing import Any

import pytest

from numbluff_sim.games.perudo import exact
from numbluff_sim.games.perudo.rules_section import Rules
from numbluff_sim.single.resolving import resolve
from tests.conftest import ROOT

FILE = json.loads((ROOT / "tests/games/perudo/cases/perudo_cases.json").read_text(encoding="utf-8"))
CHECKS: dict[str, dict[str, Any]] = {check["id"]: check for check in FILE["exact_checks"]}
SOLVED = ("endgame_1v1", "endgame_round", "match_value")
#: Rounds of one die against two under another order of bids take minutes to solve, and nothing asks for one.
NAMES = {
    kind: [name for name, check in CHECKS.items() if check["kind"] == kind]
    for kind in {check["kind"] for check in CHECKS.values()}
}


def answered(name: str) -> dict[str, Any]:
    check = CHECKS[name]
    found = resolve({"game": "perudo", "cases": [{"id": name, "kind": check["kind"], "params": check["params"]}]})[
        "cases"
    ]
    assert [case["id"] for case in found] == [name]
    out: dict[str, Any] = found[0]["out"]
    return out


@pytest.mark.parametrize("name", [*NAMES["binom_at_least"], *NAMES["conditional_tail"], *NAMES["expected_cups_lifted"]])
def test_value__as_a_fraction(name: str) -> None:
    found = answered(name)
    assert found["value"] == CHECKS[name]["value"]
    assert found["float"] == pytest.approx(CHECKS[name]["float"], abs=1e-15)


@pytest.mark.parametrize("name", NAMES["largest_even_money_bid"])
def test_value__largest_even_money_bid(name: str) -> None:
    assert answered(name)["value"] == CHECKS[name]["value"]


@pytest.mark.parametrize("name", NAMES["markov_policy"])
def test_value__scripted_match(name: str) -> None:
    found, expected = answered(name)["value"], CHECKS[name]["value"]
    assert found["p_win_float"] == pytest.approx(expected["p_win_float"], abs=1e-14)
    assert found["expected_rounds_float"] == pytest.approx(expected["expected_rounds_float"], abs=1e-13)
    if expected["expected_rounds"] is not None:
        assert (found["p_win"], found["expected_rounds"]) == (expected["p_win"], expected["expected_rounds"])


@pytest.mark.parametrize("name", [name for kind in SOLVED for name in NAMES[kind]])
def test_value__solved_round(name: str) -> None:
    found, check = answered(name), CHECKS[name]
    assert found["lo"] <= found["value"] <= found["hi"]
    assert found["value"] == pytest.approx(check["float"], abs=check["tol"])
    if "lo" in check:
        assert found["lo"] <= check["hi"] + 1e-12
        assert check["lo"] <= found["hi"] + 1e-12


def test_values__named_by_the_rules_but_not_in_the_file() -> None:
    assert exact.opener_wins(1, 1, palifico=False).value == pytest.approx(251 / 516, abs=1e-9)
    fresh = exact.one_die_wins_match(0, palifico=True)
    assert (fresh.low, fresh.high) == pytest.approx((125 / 324, 125 / 324), abs=1e-9)
    without_opening_stars = exact.opener_wins(1, 1, palifico=False, rules=Rules(opening_stars=False))
    assert without_opening_stars.value == pytest.approx(251 / 516, abs=1e-9)


def test_scripted_match__rounds_are_the_dice_that_were_lost() -> None:
    match = exact.scripted_match(3, 2, "one")
    assert sum(match.wins) == 1
    assert 4 <= match.rounds <= 5
    assert exact.scripted_match(3, 2, "one", first_opener=1).wins == match.wins[-1:] + match.wins[:-1]
