"""Perudo's engines play solved rounds alike: the strategy equilibrium at tables of few dice, alone and among others."""

from __future__ import annotations

import pytest

from numbluff_sim.games.perudo.rules_section import Rules as Rulings
from numbluff_sim.games.perudo.tables import SOLVED, EndingTable, ending_of, may_come, table_of
from tests.games.perudo.agreement.comparing import Comparison
from tests.games.perudo.reference.endings import Ending
from tests.games.perudo.reference.setup import Persona, Rules, Setup

PLAYS_BY_TABLE, BAYES = Persona("e", "equilibrium"), Persona("b", "bayes")
WITHOUT_CAP = Rules(quantity_cap="none")


def plain(table: EndingTable) -> Ending:
    return Ending(
        table.child.tolist(), table.row.tolist(), table.start.tolist(), table.move.tolist(), table.until.tolist()
    )


def solved(rules: Rules, dice: int) -> dict[tuple[bool, int, int], Ending]:
    rulings = Rulings.model_validate({name: getattr(rules, name) for name in Rulings.model_fields})
    return {
        (palifico, opener, other): plain(table_of(ending_of(rulings, opener, other, palifico=palifico)))
        for opener, other, palifico in SOLVED
        if may_come(rulings, dice, opener, other, palifico=palifico)
    }


@pytest.mark.kernels
@pytest.mark.parametrize(
    ("seats", "dice", "rules"),
    [
        ((PLAYS_BY_TABLE,) * 2, 1, Rules(bid_order="perudo_halving")),
        ((PLAYS_BY_TABLE,) * 2, 1, Rules(bid_order="flat", opening_stars=False)),
        ((PLAYS_BY_TABLE, Persona("r", "random")), 2, WITHOUT_CAP),
        ((Persona("r", "random", challenge_one_in=12), PLAYS_BY_TABLE), 3, Rules()),
        ((PLAYS_BY_TABLE, BAYES, PLAYS_BY_TABLE), 2, Rules(starter_normal="challenge_winner", house_rule_fewer=False)),
        ((PLAYS_BY_TABLE,) * 3, 3, Rules(palifico_two_players=False)),
        ((PLAYS_BY_TABLE,) * 2, 2, Rules(dice_lost="difference")),
    ],
)
def test_perudo_engines__agree_on_solved_rounds(seats: tuple[Persona, ...], dice: int, rules: Rules) -> None:
    comparison = Comparison()
    comparison.compare(Setup(11, seats, dice, rules=rules, endings=solved(rules, dice)), 5, 60)
    assert comparison.seen["games"] == 60
    assert comparison.seen["seats: equilibrium"] >= 60
