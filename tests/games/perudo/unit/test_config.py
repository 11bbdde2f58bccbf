"""Perudo's configuration: what it is without a word, what is refused, and its arrays of chances."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
import pytest

from numbluff_sim.config import load, presets, restore
from numbluff_sim.contract.changes import rulings
from numbluff_sim.contract.registry import game
from numbluff_sim.errors import ConfigError
from numbluff_sim.games.perudo import code_names, tally
from numbluff_sim.games.perudo.arrays import kernel_arrays, posterior_table, tail_table
from numbluff_sim.games.perudo.config import KEYS, Persona, PerudoConfig
from numbluff_sim.games.perudo.knockouts import knockouts
from numbluff_sim.kernels.perudo import codes, layout

BOOK = game("perudo").rules


def perudo(preset: str | None = None, **overrides: Any) -> PerudoConfig:
    config = load(
        preset=preset,
        overrides={"game": "perudo", **{key.replace("__", "."): value for key, value in overrides.items()}},
    )
    assert isinstance(config, PerudoConfig)
    return config


def test_documented__threshold_players_and_usual_rulings() -> None:
    config = perudo()
    assert (config.seats, config.players, config.rounds) == (("threshold",) * 4, 4, 19)
    assert config.rules.model_dump() == {ruling.name: ruling.default for ruling in BOOK.rulings}
    assert restore(config.resolved()) == config


def test_presets__every_strategy_is_shipped() -> None:
    assert presets("perudo") == ["documented", "random", "threshold", "value", "bayes", "equilibrium", "one", "third"]
    shipped = {perudo(name).seat_personas[0].strategy for name in presets("perudo")}
    assert shipped == set(code_names.STRATEGY_NAMES) == set(KEYS)


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        ({"table__players": 7}, "table.players"),
        ({"table__first_opener": 4}, "table.first_opener = 4 is no seat of this table; expected 0 to 3"),
        ({"play__seats": ["random", "one"]}, "has 2 names"),
        ({"play__seats": "treshold"}, 'Did you mean "threshold"'),
        (
            {"personas__threshold__sharpness": 3.0},
            'personas.threshold.sharpness = 3.0 is not read by strategy = "threshold"',
        ),
        ({"rules__bid_order": "track"}, "rules.bid_order"),
    ],
)
def test_refused__with_key_and_what_is_expected(overrides: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError) as refusal:
        perudo(**overrides)
    assert message in str(refusal.value)


def test_registries__agree_with_the_codes() -> None:
    assert len(code_names.STRATEGY_NAMES) == codes.STRATEGIES
    assert len(code_names.OPENER_NAMES) == codes.OPENER_RULES
    assert len(tally.GAME_VARIABLES) == codes.VARIABLES
    assert [field.name for field in tally.TALLY_FIELDS if field.every == "detail"] == list(layout.DETAIL_FIELDS)
    assert set(KEYS["equilibrium"]) | {"strategy"} <= set(Persona.model_fields)


def test_tails__are_the_binomial_ones() -> None:
    tails = tail_table()
    exact = sum((Fraction(comb(15, k) * 2 ** (15 - k), 3**15) for k in range(5, 16)), Fraction(0))  # E04
    assert tails[1, 15, 5] == round(65536 * exact) == round(65536 * 0.595935216529036)
    assert (tails[0, 20, 4], tails[1, 5, 2]) == (round(65536 * 0.4334543622243307), round(65536 * 131 / 243))
    assert (tails[:, :, 0] == codes.CERTAIN).all()
    assert all((tails[:, dice, dice + 1 :] == 0).all() for dice in range(31))


def test_tails__tell_needs_apart_but_where_the_kernels_know() -> None:
    """`likeliest_number` compares needs instead of chances, and `threshold_reply` leaves bids on stars alone that
    need more.
    """
    tails = tail_table()
    same = {
        (help_, dice, need)
        for help_, dice, need in np.ndindex(2, 31, 31)
        if tails[help_, dice, need] == tails[help_, dice, need + 1] > 0
    }
    assert same == {(1, dice, 0) for dice in range(codes.ONE_IS_CERTAIN, 31)}
    assert all(
        tails[0, dice, need + 1] < tails[help_, dice, need]
        for help_, dice, need in np.ndindex(2, 31, 31)
        if tails[help_, dice, need]
    )


def test_posteriors__without_a_word_are_the_binomial_ones() -> None:
    table = posterior_table(1.0, 0.5)
    assert np.allclose(table[5, 0, 1, 0], [comb(5, k) * 2 ** (5 - k) / 3**5 for k in range(6)])
    assert np.allclose(table[2, 0, 0, 3, :3], [25 / 36, 10 / 36, 1 / 36])
    assert np.allclose(table[1:].sum(-1), 1)


def test_posteriors__one_die_after_a_bid_on_its_face() -> None:
    # six faces of weight 1; after a first bid on face 1 both 1 and the star weigh 2: 4 of 8
    assert posterior_table(1.0, 0.5)[1, codes.HEARD_FIRST, 1, 0, 1] == 0.5


def test_arrays__thresholds_and_doubts() -> None:
    arrays = kernel_arrays(perudo("threshold", table__players=2))
    assert arrays.personas[0, codes.P_CHALLENGE_BELOW] == round(0.4 * 65536)
    assert arrays.openings.reshape(2, 2, 32)[0, 1, 5] == 2 - 1  # of five dice one match has 0.868, two 0.539 < 0.55
    doubts = kernel_arrays(perudo("value")).doubts
    assert doubts[0, 1, 20, 0] == round(65536 / (1 + np.exp(12 * (65535 / 65536 - 0.5))))


def test_whatifs__every_change_is_another_configuration() -> None:
    config = perudo(rules__starter_normal="challenge_winner")
    for changes in (rulings(config, BOOK), knockouts(config)):
        digests = [
            load(overrides={"game": "perudo", "rules.starter_normal": "challenge_winner", **change.overrides}).digest()
            for change in changes
        ]
        assert len({*digests, config.digest()}) == len(changes) + 1
        assert len({change.name for change in changes}) == len(changes)
    expected = {"palifico=false", "house_rule_start=false", "house_rule_fewer=false", "dice=4", "players=3"}
    assert {change.name for change in knockouts(config)} >= expected


def test_knockouts__leave_out_what_cannot_act() -> None:
    found = {change.name for change in knockouts(perudo(table__players=2, table__dice=1))}
    assert found == {"opening_stars=false"}
