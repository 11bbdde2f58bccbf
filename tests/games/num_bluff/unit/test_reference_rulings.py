"""Every alternative of every ruling, on rounds resolved by hand.

A scenario is a round with bluffer at seat 0 and, for each alternative of one ruling, what must come out. Rulings that
need several rounds or draws are in test_reference_game.py.
"""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from tests.games.num_bluff.reference.cases import resolve_case
from tests.games.num_bluff.reference.setup import ALTERNATIVES


def table(visible: str, hidden: str, pot: str = "", **rules: Any) -> dict[str, Any]:
    """A case from blank-separated cards; the two cards of a fusion are joined by +, - alone hides nothing."""
    return {
        "bluffer": 0,
        "visible": visible.split(),
        "hidden": [[] if side == "-" else side.split("+") for side in hidden.split()],
        "pot": pot.split(),
        "rules": rules,
    }


SCENARIOS: list[tuple[str, dict[str, Any], dict[Any, dict[str, Any]]]] = [
    # Bluffer 10. Seat 1 shows rainbow 4 and hides rouge 5: 9, or 10 if the visible card adjusts. Seat 2 has vert 3 and
    # rainbow 5: 8 to 11.
    (
        "wild_adjusts",
        table("bleu-4 rainbow-4 vert-3", "jaune-6 rouge-5 rainbow-5"),
        {
            "hidden": {
                "gaps": [None, 1, 0],
                "event": "coup_precis",
                "winners": [2],
                "mechanism": [None, None, "adjust"],
            },
            "both": {"gaps": [None, 0, 0], "event": "coup_precis_multiple", "winners": [1, 2]},
            "none": {"gaps": [None, 1, 2], "event": "coup_de_maitre_bonus", "closest": 1, "farthest": 2},
        },
    ),
    # Bluffer 4 + rainbow 6 = 10 to 13, seat 1 has 10, seat 2 has 11: the bluffer evades both with 12.
    (
        "bluffer_wild",
        table("bleu-4 vert-2 vert-3", "rainbow-6 rouge-8 jaune-8"),
        {
            "evasive": {"bluffer_total": 12, "gaps": [None, 2, 1], "event": "coup_de_maitre_bonus", "closest": 2},
            "printed": {"bluffer_total": 10, "gaps": [None, 0, 1], "event": "coup_precis", "winners": [1]},
        },
    ),
    # Bluffer 10, seat 1 fuses to 11, seat 2 has 14.
    (
        "fusion_scope",
        table("bleu-4 vert-2 vert-4", "jaune-6 rouge-8+rouge-1 rouge-10"),
        {
            "any": {"closest": 1, "farthest": 2, "to_score": [["jaune-6", "rouge-10"], ["rouge-1", "rouge-8"], []]},
            "exact_only": {
                "closest": 2,
                "farthest": 1,
                "to_score": [["jaune-6", "rouge-1", "rouge-8"], [], ["rouge-10"]],
            },
        },
    ),
    # Bluffer 10, seat 1 fuses rouge to 10 behind a visible rouge.
    (
        "frappe_with_fusion",
        table("bleu-4 rouge-2 vert-4", "jaune-6 rouge-7+rouge-1 rouge-10", "vert-0"),
        {
            True: {"event": "frappe_parfaite", "mechanism": [None, "fusion", None], "pot_taken": True},
            False: {"event": "coup_precis", "mechanism": [None, "fusion", None], "pot_taken": False},
        },
    ),
    # Bluffer 10, seat 1 shows rainbow 4 and hides rainbow 5: 9, adjusted to 10.
    (
        "frappe_exact",
        table("bleu-4 rainbow-4 vert-4", "jaune-6 rainbow-5 rouge-10", "vert-0"),
        {
            "any": {"event": "frappe_parfaite", "mechanism": [None, "adjust", None], "pot_taken": True},
            "printed": {"event": "coup_precis", "mechanism": [None, "adjust", None], "pot_taken": False},
        },
    ),
    # Bluffer 10; seats 1 (visible vert 7) and 2 (visible rouge 2) both have 10 in one family, seat 3 has 10 in two
    # families.
    (
        "several_frappes",
        table("bleu-4 vert-7 rouge-2 jaune-1", "jaune-6 vert-3 rouge-8 bleu-9", "vert-0"),
        {
            "tie_break": {"event": "frappe_parfaite", "winners": [2], "pot_taken": True},
            "shared": {
                "event": "coup_precis_multiple",
                "winners": [1, 2, 3],
                "pot_taken": False,
                "to_score": [[], ["vert-3"], ["rouge-8"], ["bleu-9"]],
                "to_discard": ["jaune-6"],
            },
        },
    ),
    # Bluffer 10, seats 1 and 2 exact, seat 3 not.
    (
        "several_exact_bluffer_card",
        table("bleu-4 vert-7 rouge-2 jaune-1", "jaune-6 bleu-3 bleu-8 bleu-16"),
        {
            "discard": {"to_discard": ["jaune-6"], "to_pot": ["bleu-16"], "to_score": [[], ["bleu-3"], ["bleu-8"], []]},
            "pot": {"to_discard": [], "to_pot": ["bleu-16", "jaune-6"], "to_score": [[], ["bleu-3"], ["bleu-8"], []]},
            "keep": {"to_discard": [], "to_pot": ["bleu-16"], "to_score": [["jaune-6"], ["bleu-3"], ["bleu-8"], []]},
        },
    ),
    # Bluffer 10, seat 2 is farthest with a fusion of the visible card's family.
    (
        "spared_with_fusion",
        table("bleu-4 vert-7 rouge-2", "jaune-6 bleu-4 rouge-9+rouge-8"),
        {
            True: {"event": "epargne", "farthest": 2, "to_score": [["jaune-6"], ["bleu-4"], ["rouge-8", "rouge-9"]]},
            False: {
                "event": "coup_de_maitre",
                "farthest": 2,
                "to_score": [["jaune-6", "rouge-8", "rouge-9"], ["bleu-4"], []],
            },
        },
    ),
    # Bluffer 10, seat 2 is farthest and spared.
    (
        "spared_bluffer_card",
        table("bleu-4 vert-7 rouge-2", "jaune-6 bleu-4 rouge-16"),
        {
            "keep": {"event": "epargne", "to_score": [["jaune-6"], ["bleu-4"], ["rouge-16"]], "to_discard": []},
            "discard": {"event": "epargne", "to_score": [[], ["bleu-4"], ["rouge-16"]], "to_discard": ["jaune-6"]},
        },
    ),
    # Nobody else shows bleu or jaune.
    (
        "master_bonus",
        table("bleu-4 vert-7 rouge-2", "jaune-6 rouge-4 vert-16", "bleu-0 vert-9"),
        {
            True: {
                "event": "coup_de_maitre_bonus",
                "to_score": [["bleu-0", "jaune-6", "vert-16", "vert-9"], ["rouge-4"], []],
                "pot_taken": True,
            },
            False: {
                "event": "coup_de_maitre",
                "to_score": [["jaune-6", "vert-16"], ["rouge-4"], []],
                "pot_taken": False,
            },
        },
    ),
    # The same with a fourth player between closest (seat 1) and farthest (seat 2).
    (
        "bonus_pot",
        table("bleu-4 vert-7 rouge-2 rouge-5", "jaune-6 rouge-4 vert-16 vert-8", "bleu-0"),
        {
            "after_feed": {"to_score": [["bleu-0", "jaune-6", "vert-16", "vert-8"], ["rouge-4"], [], []], "to_pot": []},
            "before_feed": {"to_score": [["bleu-0", "jaune-6", "vert-16"], ["rouge-4"], [], []], "to_pot": ["vert-8"]},
        },
    ),
    # Bluffer 4. Seats 1 (shadow 9 + 16 = 7) and 2 (bleu 2 + 5 = 7) are equally near: 2 is smaller than 9, -9 smaller
    # than 2.
    (
        "tie_value",
        table("bleu-1 shadow-9 bleu-2 rouge-15", "jaune-3 rouge-16 vert-5 vert-16"),
        {"printed": {"closest": 2, "gaps": [None, 3, 3, 27]}, "signed": {"closest": 1, "gaps": [None, 3, 3, 27]}},
    ),
]

NEED_ROUNDS = {"refill_after_fusion", "empty_hand", "empty_deck", "bluffer_may_fuse", "last_tie"}


@pytest.mark.parametrize(
    ("ruling", "case", "value", "expected"),
    [
        pytest.param(ruling, case, value, expected, id=f"{ruling}-{value}")
        for ruling, case, alternatives in SCENARIOS
        for value, expected in alternatives.items()
    ],
)
def test_ruling__decides(ruling: str, case: dict[str, Any], value: Any, expected: dict[str, Any]) -> None:
    outcome = resolve_case(case | {"rules": {ruling: value}})
    assert {key: outcome[key] for key in expected} == expected


@pytest.mark.parametrize(("ruling", "case"), [pytest.param(ruling, case, id=ruling) for ruling, case, _ in SCENARIOS])
def test_ruling__every_alternative_differs(ruling: str, case: dict[str, Any]) -> None:
    outcomes = [resolve_case(case | {"rules": {ruling: value}}) for value in ALTERNATIVES[ruling]]
    assert all(a != b for a, b in itertools.combinations(outcomes, 2))


def test_scenarios__cover_every_alternative() -> None:
    assert {ruling: set(alternatives) for ruling, _, alternatives in SCENARIOS} == {
        ruling: set(values) for ruling, values in ALTERNATIVES.items() if ruling not in NEED_ROUNDS
    }


def test_resolve__default_ruling_is_the_first_alternative() -> None:
    for ruling, case, _ in SCENARIOS:
        assert resolve_case(case) == resolve_case(case | {"rules": {ruling: ALTERNATIVES[ruling][0]}})


def test_resolve__exact_only_with_fusions_alone_leaves_nobody_closest() -> None:
    outcome = resolve_case(
        table("bleu-4 bleu-2 vert-4", "jaune-6 rouge-8+rouge-1 rouge-10+rouge-9", fusion_scope="exact_only")
    )
    assert (outcome["closest"], outcome["farthest"], outcome["to_pot"]) == (None, 2, ["rouge-1", "rouge-8"])


def test_resolve__exact_only_spares_no_fusion() -> None:
    fused = table(
        "bleu-4 vert-7 rouge-2", "jaune-6 bleu-4 rouge-9+rouge-8", fusion_scope="exact_only", spared_with_fusion=True
    )
    assert resolve_case(fused)["event"] == "coup_de_maitre"


def test_resolve__visible_card_alone_is_no_family_match() -> None:
    outcome = resolve_case(table("bleu-4 vert-7 rouge-10", "jaune-6 bleu-4 -"))
    assert (outcome["event"], outcome["mechanism"], outcome["winners"]) == ("coup_precis", [None, None, "natural"], [2])
    outcome = resolve_case(table("bleu-4 vert-7 rouge-16", "jaune-6 bleu-4 -", "rouge-1"))
    assert (outcome["event"], outcome["to_score"]) == ("coup_de_maitre", [["jaune-6"], ["bleu-4"], []])


def test_resolve__bluffer_without_hidden_card() -> None:
    outcome = resolve_case(table("bleu-4 vert-7 rouge-10", "- jaune-6 rouge-6", "rouge-1"))
    assert (outcome["event"], outcome["bluffer_total"], outcome["gaps"]) == ("epargne", 4, [None, 9, 12])
    outcome = resolve_case(table("bleu-4 vert-7 rouge-10", "- jaune-6 vert-6", "rouge-1"))
    assert (outcome["event"], outcome["to_score"]) == ("coup_de_maitre_bonus", [["rouge-1", "vert-6"], ["jaune-6"], []])


def test_resolve__bluffer_slips_by_the_smallest_adjustment() -> None:
    """Shadow 5 counts -5 to -2: seat 1 is exact at -5, so the total slips to -4, not further."""
    outcome = resolve_case(table("bleu-0 vert-1 rouge-10", "shadow-5 shadow-6 rouge-6", wild_adjusts="hidden"))
    assert outcome["bluffer_total"] == -5, "seat 1 reaches -5 to -2 too: no slip helps, so the printed total stays"
    outcome = resolve_case(table("bleu-0 shadow-7 rouge-10", "shadow-5 rouge-2 rouge-6", wild_adjusts="hidden"))
    assert (outcome["bluffer_total"], outcome["gaps"]) == (-4, [None, 1, 20])


def test_resolve__shadow_never_counts_above_zero() -> None:
    outcome = resolve_case(table("bleu-3 vert-4 rouge-16", "jaune-2 shadow-1 vert-16", bluffer_wild="printed"))
    assert outcome["gaps"] == [None, 1, 27]


def test_resolve__last_tie_goes_to_the_first_after_the_bluffer() -> None:
    case = {
        "bluffer": 2,
        "visible": ["vert-7", "rouge-7", "bleu-4", "jaune-7"],
        "hidden": [["bleu-4"], ["jaune-4"], ["jaune-6"], ["vert-4"]],
        "pot": [],
        "rules": {},
    }
    outcome = resolve_case(case)
    assert (outcome["gaps"], outcome["closest"], outcome["farthest"]) == ([1, 1, None, 1], 3, 0)
