"""Rounds settled without a rule, worked out by hand from docs/games/num_bluff/PLAY.md section 9: the rules
calculator and the reference say the same.
"""

from __future__ import annotations

from typing import Any

import pytest

from numbluff_sim.config import load
from numbluff_sim.errors import CaseError
from numbluff_sim.games.num_bluff.config import NumBluffConfig
from numbluff_sim.single.resolving import resolve, resolve_text
from tests.games.num_bluff.reference.cases import resolve_case

#: The bluffer, seat 0, makes 7; seats 1 to 3 miss it by 1, 3 and 14, and nobody shows one family.
TABLE = {
    "bluffer": 0,
    "visible": ["rouge-3", "rouge-4", "jaune-5", "bleu-9"],
    "hidden": [["vert-4"], ["bleu-4"], ["vert-5"], ["jaune-12"]],
    "pot": ["bleu-1"],
}
#: Seat 1 is exact.
EXACT = {**TABLE, "hidden": [["vert-4"], ["bleu-3"], ["vert-5"], ["jaune-12"]]}
#: So is seat 2.
BOTH = {**TABLE, "hidden": [["vert-4"], ["bleu-3"], ["vert-2"], ["jaune-12"]]}
#: Three players, both exact, seat 2 by a fusion of the visible card's family.
FUSED = {
    "bluffer": 0,
    "visible": ["rouge-3", "vert-2", "bleu-4"],
    "hidden": [["vert-4"], ["jaune-5"], ["bleu-1", "bleu-2"]],
    "pot": [],
}


def side(table: dict[str, Any], seat: int, visible: str, *hidden: str) -> dict[str, Any]:
    """The table with other cards on one seat."""
    return {
        **table,
        "visible": [visible if p == seat else card for p, card in enumerate(table["visible"])],
        "hidden": [list(hidden) if p == seat else cards for p, cards in enumerate(table["hidden"])],
    }


#: Table, rules out, other rulings, and what must come of it.
ROUNDS: dict[str, tuple[dict[str, Any], list[str], dict[str, Any], dict[str, Any]]] = {
    "a Miroir Parfait is a Coup Précis": (
        side(TABLE, 1, "rouge-4", "vert-3"),
        ["miroir_parfait"],
        {},
        {
            "event": "coup_precis",
            "winners": [1],
            "pot_taken": False,
            "visible_back": [0, 1, 2, 3],
            "to_score": [[], ["jaune-12", "vert-3", "vert-4", "vert-5"], [], []],
        },
    ),
    "a Frappe Parfaite is a Coup Précis": (
        side(TABLE, 1, "bleu-4", "bleu-3"),
        ["frappe_parfaite"],
        {},
        {
            "event": "coup_precis",
            "winners": [1],
            "pot_taken": False,
            "to_score": [[], ["bleu-3", "jaune-12", "vert-4", "vert-5"], [], []],
        },
    ),
    "an exact player is closest": (
        EXACT,
        ["coup_precis"],
        {},
        {
            "event": "coup_de_maitre",
            "gaps": [None, 0, 3, 14],
            "mechanism": [None, "natural", None, None],
            "winners": [],
            "closest": 1,
            "farthest": 3,
            "to_score": [["jaune-12", "vert-4"], ["bleu-3"], [], []],
            "to_pot": ["vert-5"],
            "to_discard": [],
            "may_sacrifice": [],
        },
    ),
    "of two exact players the smaller visible card is closest": (
        BOTH,
        ["coup_precis"],
        {},
        {"event": "coup_de_maitre", "closest": 1, "farthest": 3, "to_pot": ["vert-2"]},
    ),
    "Frappes that share have no rule 3 to share by": (
        side(side(EXACT, 1, "bleu-4", "bleu-3"), 2, "jaune-5", "jaune-2"),
        ["coup_precis"],
        {"several_frappes": "shared"},
        {
            "event": "coup_de_maitre_bonus",
            "closest": 1,
            "farthest": 3,
            "to_score": [["bleu-1", "jaune-12", "jaune-2", "vert-4"], ["bleu-3"], [], []],
        },
    ),
    "one of several Frappes wins without rule 3 as well": (
        side(side(EXACT, 1, "bleu-4", "bleu-3"), 2, "jaune-5", "jaune-2"),
        ["coup_precis"],
        {},
        {"event": "frappe_parfaite", "winners": [1], "pot_taken": True},
    ),
    "a fusion that hits does not miss": (
        side(TABLE, 1, "rouge-4", "bleu-2", "bleu-1") | {"pot": []},
        ["coup_precis"],
        {"fusion_scope": "exact_only"},
        {
            "event": "coup_de_maitre",
            "closest": 1,
            "mechanism": [None, "fusion", None, None],
            "to_score": [["jaune-12", "vert-4"], ["bleu-1", "bleu-2"], [], []],
        },
    ),
    "a fusion that hits can be spared": (
        FUSED,
        ["frappe_parfaite", "coup_precis"],
        {"fusion_scope": "exact_only"},
        {"event": "epargne", "closest": 1, "farthest": 2, "to_score": [["vert-4"], ["jaune-5"], ["bleu-1", "bleu-2"]]},
    ),
    "nobody is closest": (
        TABLE,
        ["ca_chauffe"],
        {},
        {
            "event": "coup_de_maitre",
            "closest": None,
            "farthest": 3,
            "to_score": [["jaune-12", "vert-4"], [], [], []],
            "to_pot": ["bleu-4", "vert-5"],
        },
    ),
    "nobody is spared": (
        side(TABLE, 3, "bleu-9", "bleu-12"),
        ["epargne"],
        {},
        {
            "event": "coup_de_maitre",
            "closest": 1,
            "farthest": 3,
            "to_score": [["bleu-12", "vert-4"], ["bleu-4"], [], []],
            "to_pot": ["vert-5"],
        },
    ),
    "what goes to no pot is discarded": (
        TABLE | {"pot": []},
        ["pot"],
        {},
        {"event": "coup_de_maitre", "closest": 1, "to_pot": [], "to_discard": ["vert-5"]},
    ),
    "losers and bluffer of several hits, without a pot": (
        BOTH | {"pot": []},
        ["pot"],
        {"several_exact_bluffer_card": "pot"},
        {
            "event": "coup_precis_multiple",
            "winners": [1, 2],
            "to_score": [[], ["bleu-3"], ["vert-2"], []],
            "to_pot": [],
            "to_discard": ["jaune-12", "vert-4"],
            "may_sacrifice": [1, 2],
        },
    ),
    "nothing to give up": (
        BOTH,
        ["option"],
        {},
        {"event": "coup_precis_multiple", "winners": [1, 2], "may_sacrifice": []},
    ),
}


@pytest.mark.parametrize("name", ROUNDS)
def test_round__without_a_rule(name: str) -> None:
    table, without, rulings, expected = ROUNDS[name]
    case = {**table, "rules": {**rulings, "without": without}}
    (calculated,) = resolve({"rounds": [case]})["rounds"]
    for found in (calculated, resolve_case(case)):
        assert {key: found[key] for key in expected} == expected


@pytest.mark.parametrize("name", ROUNDS)
def test_round__with_the_rule_ends_otherwise(name: str) -> None:
    table, without, rulings, expected = ROUNDS[name]
    usual, other = (
        {key: found[key] for key in expected}
        for found in resolve(
            {"rounds": [{**table, "rules": rulings}, {**table, "rules": {**rulings, "without": without}}]}
        )["rounds"]
    )
    assert usual != other or name.startswith("one of several")


def test_text__rules_out_as_they_are_typed() -> None:
    text = (
        "bluffer 1; rouge-3 + vert-4; rouge-4 + bleu-3; jaune-5 + vert-5; bleu-9 + jaune-12; rules: "
        "tie_value=signed, without = coup_precis + pot"
    )
    (found,) = resolve_text(text)["rounds"]
    assert (found["event"], found["closest"], found["to_discard"]) == ("coup_de_maitre", 1, ["vert-5"])


@pytest.mark.parametrize(
    ("change", "without", "message"),
    [
        (
            {},
            ["pots"],
            (
                'rules.without = ["pots"] names what is no rule to take out; expected a list of rules: one of '
                '"miroir_parfait"'
            ),
        ),
        ({}, ["pots"], 'Did you mean "pot"?'),
        (
            {},
            ["pot"],
            "pot holds cards, and there is none where rules.without names it; expected no cards in the pot (rule 8).",
        ),
        (
            side(TABLE, 1, "rouge-4", "bleu-2", "bleu-3"),
            ["fusion"],
            'hidden[1] = ["bleu-2", "bleu-3"] is a fusion, and rules.without names fusions (T2)',
        ),
    ],
)
def test_round__refused(change: dict[str, Any], without: list[str], message: str) -> None:
    with pytest.raises(CaseError) as refused:
        resolve({"rounds": [{**TABLE, **change, "rules": {"without": without}}]})
    assert message in str(refused.value)


def test_cards__a_left_out_one_is_not_laid() -> None:
    config = load(overrides={"deck.rouge.without": [4]})
    with pytest.raises(CaseError) as refused:
        resolve({"rounds": [TABLE]}, config)
    assert 'visible[1] = "rouge-4" is no card of the deck; expected rouge-0 to rouge-16, without rouge-4.' in str(
        refused.value
    )
    assert 'Did you mean "rouge-3"?' in str(refused.value)


def test_nothing_out__is_the_configuration_it_was() -> None:
    usual = load()
    assert usual.digest() == "42c6aaa901303792"  # as it was before anything could be taken out
    assert "without" not in str(usual.resolved())
    assert load(overrides={"rules.without": [], "deck.rouge.without": []}).digest() == usual.digest()


def test_order__does_not_matter() -> None:
    a, b = (
        load(overrides={"rules.without": rules, "deck.rouge.without": cards})
        for rules, cards in ((["pot", "epargne"], [9, 3]), (["epargne", "pot"], [3, 9]))
    )
    assert isinstance(a, NumBluffConfig)
    assert a == b
    assert (a.rules.without, a.deck.families[0].without, len(a.deck.cards)) == (("epargne", "pot"), (3, 9), 100)
    assert load(overrides={"rules.without": "pot", "deck.rouge.without": 7}) == load(
        overrides={"rules.without": ["pot"], "deck.rouge.without": [7]}
    )
