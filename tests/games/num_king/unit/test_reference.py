"""The reference engine of NUM-King against every case and every exact value of the case file, and rules the file has
no case for.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.common.written_cases import assert_exact, by_id, case_file
from tests.games.num_king.reference.cases import resolve_case
from tests.games.num_king.reference.exact import exact
from tests.games.num_king.reference.setup import ALTERNATIVES, Deck, Rules
from tests.games.num_king.reference.tricks import legal, settle

FILE = case_file("num_king")
CASES = by_id(FILE["cases"])
CHECKS = by_id(FILE["exact_checks"])
#: Every deal of these is played: seconds each.
LONG = ("NK-E16", "NK-E20d", "NK-E20h")


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
    assert {key: getattr(Rules(), key) for key in ALTERNATIVES} == {key: defaults[key] for key in ALTERNATIVES}
    assert all(getattr(Rules(), key) == answers[0] for key, answers in ALTERNATIVES.items())
    assert len(Deck().cards()) == 36
    assert len(Deck(copies_rs=2).cards()) == 68
    assert len(Deck(n_flash=2, n_numx=2, n_flip=2, n_quantum=2).cards()) == 40


def trick(*cards: str, **rules: Any) -> Any:
    return settle([(str(seat), card) for seat, card in enumerate(cards)], Rules(**rules))


@pytest.mark.parametrize(
    ("cards", "rules", "winner", "leader"),
    [
        # R14: with two copies a Shadow removes the first of two equal Rainbows, or any two equal values go
        (("RB8", "RB8", "SH8"), {}, "1", "1"),
        (("RB8", "RB8", "SH5"), {"cancel_scope": "same_value_any"}, "2", "2"),
        (("RB8", "RB8", "SH5"), {}, "0", "0"),
        (("RB8", "RB8", "SH5"), {"same_value_tie": "last"}, "1", "1"),
        # R15: two Flips
        (("RB8", "SH5", "FLIP", "FLIP"), {}, "1", "1"),
        (("RB8", "SH5", "FLIP", "FLIP"), {"flip_stack": "toggle"}, "0", "0"),
        # R17, R20: nothing of the parity
        (("RB7", "SH3", "QT", "SH11"), {"quantum_no_match": "ignore_parity"}, "3", "3"),
        (("RB7", "SH3", "QT", "SH11"), {"nowin_leader": "highest_live"}, None, "3"),
        # R19: the pairs that a Flash trick holds
        (("RB9", "SH9", "RB4", "FL"), {}, None, "2"),
        (("RB9", "SH9", "RB4", "FL"), {"flash_leader_pool": "raw"}, None, "0"),
        (("FL", "QT", "FLIP"), {}, None, "1"),
        (("FL", "NX=17", "RB16"), {}, None, "1"),
    ],
)
def test_settle__rulings(cards: tuple[str, ...], rules: dict[str, Any], winner: str | None, leader: str) -> None:
    found = trick(*cards, **rules)
    assert (found.winner, found.next_leader) == (winner, leader)


@pytest.mark.parametrize(
    ("table", "hand", "rules", "expected"),
    [
        ("", "RB3 NX FL", {}, "FL NX=0 NX=17 RB3"),
        ("RB5 SH5", "RB4 RB9", {"beat_reference": "played_max"}, "RB9"),
        ("RB5 SH5", "RB4 RB9", {}, "RB4 RB9"),
        ("RB5", "RB4 NX", {"numx_obligation": "as_17"}, "NX=17"),
        ("NX=17", "RB4 RB16 NX", {"numx_obligation": "as_17"}, "NX=0 NX=17 RB16 RB4"),
        ("RB5", "RB9 RB2 FL QT", {"beat_actions_exempt": False}, "RB9"),
        ("RB5", "RB2 FL QT", {"beat_actions_exempt": False}, "FL QT RB2"),
        ("RB5 FLIP", "RB9 RB2", {}, "RB9"),
        ("RB5 FLIP", "RB9 RB2", {"flip_obligation": "reversed"}, "RB2"),
        ("RB5 SH9 FLIP", "RB6 RB2", {"flip_obligation": "reversed"}, "RB2"),
        ("RB5 FLIP", "RB9 RB2", {"flip_obligation": "suspended"}, "RB2 RB9"),
        ("RB5 FL", "RB9 RB2", {"flash_obligation": "suspended"}, "RB2 RB9"),
        ("RB5 FL", "RB9 RB2", {}, "RB9"),
        ("RB5 SH9", "SH5 RB12 RB9", {"cancel_target": "highest_only"}, "RB12 RB9"),
        ("RB5 SH9", "SH5 RB12 RB9", {}, "RB12 RB9 SH5"),
    ],
)
def test_legal__rulings(table: str, hand: str, rules: dict[str, Any], expected: str) -> None:
    plays = [(str(seat), card) for seat, card in enumerate(table.split())]
    assert legal(hand.split(), plays, Rules(**rules)) == expected.split()
