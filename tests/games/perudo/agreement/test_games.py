"""Perudo's fast engine and its reference engine play the same games, and count them alike."""

from __future__ import annotations

import sys
from dataclasses import asdict

import numpy as np
import pytest

from numbluff_sim.contract.registry import game
from numbluff_sim.games.perudo.rules_section import Rules as PerudoRules
from numbluff_sim.games.perudo.tables import SOLVED, ending_of, table_of
from numbluff_sim.kernels.common.jit import COMPILED
from tests.games.perudo.agreement.comparing import Comparison, configured, over_random_setups
from tests.games.perudo.agreement.setups import KEYS, LANES
from tests.games.perudo.agreement.tallies import OPENER_RULES
from tests.games.perudo.reference.endings import Ending
from tests.games.perudo.reference.setup import Persona, Rules, Setup

#: What a full comparison must have met.
BRANCHES = (
    "Palifico against one rival",
    "Palifico rounds in which the face changed",
    "several out at once",
    "star bids",
    "rounds with ten bids or more",
    *(f"opens: {rule}" for rule in OPENER_RULES),
    *(f"{players} players" for players in range(2, 7)),
    *(f"seats: {name}" for name in KEYS),
)


def show(comparison: Comparison, capsys: pytest.CaptureFixture[str]) -> None:
    """Writes what was compared past pytest's capture."""
    with capsys.disabled():
        sys.stdout.write(f"\n{comparison.report()}\n")


@pytest.mark.kernels
def test_perudo_engines__agree_on_random_configurations(capsys: pytest.CaptureFixture[str]) -> None:
    comparison = Comparison()
    over_random_setups(40, lambda setup, first: comparison.compare(setup, first, 10))
    show(comparison, capsys)
    assert [name for name in BRANCHES if not comparison.seen[name]] == []


def solved_endings(rules: Rules) -> dict[tuple[bool, int, int], Ending]:
    """The solved rounds of the usual rulings, as the reference engine takes them."""
    found = {}
    for opener, other, palifico in SOLVED:
        table = table_of(ending_of(PerudoRules(**asdict(rules)), opener, other, palifico=palifico))
        found[palifico, opener, other] = Ending(table.child, table.row, table.start, table.move, table.until)
    return found


@pytest.mark.kernels
@pytest.mark.parametrize(
    ("players", "dice", "rival"),
    [(2, 1, "equilibrium"), (2, 2, "equilibrium"), (2, 3, "random"), (3, 2, "threshold"), (2, 5, "bayes")],
)
def test_perudo_engines__agree_on_solved_rounds(players: int, dice: int, rival: str) -> None:
    comparison, rules = Comparison(), Rules(quantity_cap="none" if rival == "random" else "total_dice")
    seats = [
        Persona("solver", "equilibrium"),
        Persona("rival", rival, **({"challenge_one_in": 1000} if rival == "random" else {})),
    ]
    comparison.compare(
        Setup(3, tuple((seats * 2)[:players]), dice, players - 1, rules, solved_endings(rules)),
        500,
        60 if COMPILED else 10,
    )
    assert comparison.seen["games"] == (60 if COMPILED else 10)


@pytest.mark.agreement
def test_perudo_engines__agree_on_twenty_thousand_games_in_lanes(capsys: pytest.CaptureFixture[str]) -> None:
    comparison = Comparison()
    over_random_setups(250, lambda setup, first: comparison.compare(setup, first, 80), LANES)
    show(comparison, capsys)
    assert comparison.seen["games"] >= 20_000


@pytest.mark.agreement
def test_perudo_engines__agree_on_games_of_every_strategy(capsys: pytest.CaptureFixture[str]) -> None:
    comparison = Comparison()
    over_random_setups(250, lambda setup, first: comparison.compare(setup, first, 12))
    show(comparison, capsys)
    assert [name for name in BRANCHES if not comparison.seen[name]] == []


@pytest.mark.kernels
@pytest.mark.parametrize("players", [2, 5])
def test_perudo_engine__tally_is_the_same_however_games_are_cut(players: int) -> None:
    seats = (
        Persona("a", "random"),
        Persona("b", "bayes"),
        Persona("c", "threshold"),
        Persona("d", "value"),
        Persona("e", "scripted"),
    )[:players]
    engine = game("perudo").engine(configured(Setup(7, seats, rules=Rules(tie_3to2="random"))))
    whole, cut = engine.new_tally(), engine.new_tally()
    rows = engine.play(30, 140, whole, "rounds")
    pieces = [engine.play(first, games, cut, "rounds") for first, games in ((30, 1), (31, 97), (128, 42))]
    assert {name: values.tolist() for name, values in whole.items()} == {
        name: values.tolist() for name, values in cut.items()
    }
    for table, columns in rows.items():
        for name, values in columns.items():
            assert np.array_equal(values, np.concatenate([piece[table][name] for piece in pieces])), f"{table}.{name}"
