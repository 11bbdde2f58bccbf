"""The reference engine of the Bomb game against every case and every exact value of the case file, and rules the file
has no case for.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.common.written_cases import assert_exact, by_id, case_file
from tests.games.num_bombe.reference.cases import resolve_case
from tests.games.num_bombe.reference.exact import exact
from tests.games.num_bombe.reference.scores import bomb_pots
from tests.games.num_bombe.reference.setup import ALTERNATIVES, Deck, Rules
from tests.games.num_bombe.reference.tricks import legal, settle

FILE = case_file("num_bombe")
CASES = by_id(FILE["cases"])
#: Without the values that the file gives by themselves, as a quotient.
CHECKS = by_id([check for check in FILE["exact_checks"] if check["kind"] != "ratio"])
#: Every deal of these is played: many seconds each.
LONG = ("BO-E20i", "BO-E20j")


@pytest.mark.parametrize("name", CASES)
def test_case__reference(name: str) -> None:
    case = CASES[name]
    found = resolve_case(case)
    assert {key: found[key] for key in case["out"]} == case["out"]


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.thorough if name in LONG else ()) for name in CHECKS]
)
def test_exact__reference(name: str) -> None:
    check = CHECKS[name]
    assert_exact(exact(check["kind"], check["params"]), check["value"])


def test_rules__stand_as_the_case_file_has_them() -> None:
    defaults = FILE["config_defaults"]
    usual = vars(Rules())
    assert {key: usual[key] for key in usual} == {key: defaults[key] for key in usual}
    assert all(usual[key] == answers[0] for key, answers in ALTERNATIVES.items())
    assert len(Deck().cards()) == 103  # and three role cards


def plays(cards: str) -> list[tuple[str, str]]:
    return [(str(seat), card) for seat, card in enumerate(cards.split())]


@pytest.mark.parametrize(
    ("cards", "rules", "winner", "win_card"),
    [
        # R14: a pair leaves, and what is left has no led colour
        ("RB5 SH5 ROU3 ROU9", {}, "3", "ROU9"),
        ("RB5 SH5 JOK", {}, "1", None),
        ("RB5 SH5", {}, "1", None),
        ("RB5 SH5 BOMB ROU9", {}, "2", "BOMB"),
        ("RB5 SH5 RB2 SH2 JOK", {}, "3", None),
        ("RB5 SH5 ROU9", {"pair_capture": "off"}, "0", "RB5"),
        # R13: families are equal, the first of equal ones wins
        ("ROU1 INF INF", {}, "1", "INF"),
        ("JOK VER3 ROU9 VER5", {"joker_lead": "next_sets_suit"}, "3", "VER5"),
        ("JOK VER3 ROU9 VER5", {}, "3", "VER5"),
        ("BOMB ROU9", {}, "0", "BOMB"),
    ],
)
def test_settle__rulings(cards: str, rules: dict[str, Any], winner: str, win_card: str | None) -> None:
    found = settle(plays(cards), Rules(**rules))
    assert (found.winner, found.win_card) == (winner, win_card)


@pytest.mark.parametrize(
    ("table", "hand", "rules", "expected"),
    [
        ("ROU9", "BOMB VER1", {}, "BOMB"),
        ("ROU9", "BOMB VER1", {"cut_obligation": "no_bomb"}, "BOMB VER1"),
        ("ROU9", "BOMB JOK VER1", {"cut_obligation": "no_bomb"}, "BOMB JOK"),
        ("ROU9", "BOMB JOK VER1", {"cut_obligation": "real_only"}, "BOMB JOK VER1"),
        ("ROU9", "BOMB INF VER1", {"cut_obligation": "real_only"}, "BOMB INF"),
        ("ROU9", "BOMB INF RB1 VER1", {"cut_obligation": "classic_first"}, "RB1"),
        ("ROU9", "BOMB INF VER1", {"cut_obligation": "classic_first"}, "BOMB INF"),
        ("ROU9", "BOMB JOK VER1", {"cut_obligation": "real_then_joker"}, "BOMB"),
        ("", "JOK VER1", {"joker_lead": "forbidden_unless_forced"}, "VER1"),
        ("", "JOK", {"joker_lead": "forbidden_unless_forced"}, "JOK"),
        ("JOK", "RB1 VER1", {}, "RB1"),
        ("JOK", "RB1 VER1", {"joker_lead": "next_sets_suit"}, "RB1 VER1"),
        ("JOK RB5 ROU9", "RB1 ROU1", {"joker_lead": "next_sets_suit"}, "ROU1"),
    ],
)
def test_legal__rulings(table: str, hand: str, rules: dict[str, Any], expected: str) -> None:
    assert legal(hand.split(), plays(table), Rules(**rules)) == expected.split()


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ({}, {"p": 40, "x": 0, "c": 10, "d": 10}),
        ({"numx_captures_bomb": "main_to_numx"}, {"p": 0, "x": 40, "c": 10, "d": 10}),
        ({"numx_captures_bomb": "nobody", "civil_pot_when_safe": "numx_takes"}, {"p": 0, "x": 20, "c": 0, "d": 0}),
    ],
)
def test_bomb_pots__the_holder_of_the_num_x_captures(rules: dict[str, Any], expected: dict[str, int]) -> None:
    roles = {"p": "poseur", "x": "numx", "c": "civil", "d": "civil"}
    assert bomb_pots(roles, "x", False, Rules(**rules)) == expected
