"""A configuration as integer arrays, and the ranges that follow from it."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from numbluff_sim.config import load, presets
from numbluff_sim.errors import ConfigError
from numbluff_sim.games.num_bluff.arrays import KernelArrays, kernel_arrays
from numbluff_sim.games.num_bluff.config import BlufferWeights, NumBluffConfig, Weights
from numbluff_sim.games.num_bluff.limits import (
    INT8_MAX,
    INT16_MAX,
    largest_features,
    temperature_units,
    totals,
    weight_units,
)
from numbluff_sim.games.num_bluff.rules_section import REMOVABLE_RULES, RULING_VALUES, Rules
from numbluff_sim.kernels.num_bluff import codes


def num_bluff(preset: str | None = None, **overrides: Any) -> NumBluffConfig:
    config = load(preset=preset, overrides={key.replace("__", "."): value for key, value in overrides.items()})
    assert isinstance(config, NumBluffConfig)
    return config


def arrays(preset: str | None = None, **overrides: Any) -> KernelArrays:
    return kernel_arrays(num_bluff(preset, **overrides))


def test_segments__default_deck() -> None:
    segments = arrays().segments
    assert segments.dtype == np.int64
    assert segments.tolist() == [
        [0, 0, 0, codes.CLASSIC, 0, 1],
        [17, 0, 1, codes.CLASSIC, 0, 1],
        [34, 0, 2, codes.CLASSIC, 0, 1],
        [51, 0, 3, codes.CLASSIC, 0, 1],
        [68, 0, 4, codes.RAINBOW, 3, 1],
        [85, 0, 5, codes.SHADOW, 3, 1],
    ]


def test_segments__copy_by_copy() -> None:
    deck = [
        {"name": "a", "kind": "shadow", "values": [3, 9], "copies": 2, "reach": 1},
        {"name": "b", "kind": "classic", "values": [0, 9]},
    ]
    assert arrays(deck__families=deck).segments.tolist() == [
        [0, 3, 0, codes.SHADOW, 1, 2],
        [7, 3, 0, codes.SHADOW, 1, 2],
        [14, 0, 1, codes.CLASSIC, 0, 1],
    ]


def test_segments__cut_where_a_value_is_left_out() -> None:
    deck = [
        {"name": "a", "kind": "rainbow", "values": [3, 9], "copies": 2, "reach": 1, "without": [9, 5, 4]},
        {"name": "b", "kind": "classic", "values": [0, 9]},
    ]
    config = num_bluff(deck__families=deck)
    assert kernel_arrays(config).segments.tolist() == [
        [0, 3, 0, codes.RAINBOW, 1, 2],
        [1, 6, 0, codes.RAINBOW, 1, 2],
        [4, 3, 0, codes.RAINBOW, 1, 2],
        [5, 6, 0, codes.RAINBOW, 1, 2],
        [8, 0, 1, codes.CLASSIC, 0, 1],
    ]
    assert [v for _, v in config.deck.cards] == [3, 6, 7, 8] * 2 + list(range(10))
    assert (config.deck.families[0].faces, config.deck.families[0].cards) == ((3, 6, 7, 8), 8)


def test_table__default() -> None:
    row = arrays().table
    expected = {
        codes.T_HAND: 3,
        codes.T_TURNS: 3,
        codes.T_ROUNDS: 12,
        codes.T_DECK: 102,
        codes.T_SEGMENTS: 6,
        codes.T_FAMILIES: 6,
        codes.T_HAND_MAX: 3,
        codes.T_MEAN: 5,
        codes.T_CENTRE: 11,
        codes.T_MAX_REACH: 3,
        codes.T_DETAIL_EVERY: 64,
        codes.T_HIST_WIDTH: 1,
        codes.T_LOWEST_VALUE: 0,
    }
    assert dict(enumerate(row.tolist())) == expected
    assert len(row) == codes.TABLE_FIELDS


def test_table__hand_grows_with_the_option() -> None:
    assert arrays("hoarder", table__players=6, table__turns_as_bluffer=2).table[codes.T_HAND_MAX] == 3 + 5 * 2
    assert arrays("nearest", table__players=6).table[codes.T_HAND_MAX] == 3


@pytest.mark.parametrize(
    ("families", "mean", "centre"),
    [
        ([("classic", 0, 20)], 10, 20),  # mean 10
        ([("classic", 0, 21)], 10, 21),  # 10.5 -> 10, 21
        ([("classic", 1, 22)], 12, 23),  # 11.5 -> 12, 23
        ([("shadow", 0, 21)], -10, -21),  # -10.5 -> -10
        ([("shadow", 1, 22)], -12, -23),  # -11.5 -> -12
        ([("classic", 0, 9), ("classic", 1, 10), ("shadow", 0, 9), ("classic", 1, 10)], 3, 6),  # 2.75 -> 3, 5.5 -> 6
    ],
)
def test_table__mean_and_centre_round_half_to_even(
    families: list[tuple[str, int, int]], mean: int, centre: int
) -> None:
    deck = [{"name": f"f{i}", "kind": kind, "values": [low, high]} for i, (kind, low, high) in enumerate(families)]
    config = num_bluff(deck__families=deck)
    exact = Fraction(sum(f.printed(v) for f, v in config.deck.cards), len(config.deck.cards))
    row = kernel_arrays(config).table
    assert (row[codes.T_MEAN], row[codes.T_CENTRE]) == (round(exact), round(2 * exact))
    assert (row[codes.T_MEAN], row[codes.T_CENTRE]) == (mean, centre)


def test_table__histogram_holds_the_deck() -> None:
    for highest in (15, 16, 30, 60):
        config = num_bluff(deck__rouge__values=[0, highest])
        points = sum(v for _, v in config.deck.cards)
        width = int(kernel_arrays(config).table[codes.T_HIST_WIDTH])
        assert points // width < codes.BINS
        assert width == 1 or points // (width - 1) >= codes.BINS


def test_table__slack_of_small_shadows() -> None:
    deck = [
        {"name": "a", "kind": "classic", "values": [5, 20]},
        {"name": "s", "kind": "shadow", "values": [0, 2], "reach": 7},
    ]
    row = arrays(deck__families=deck).table
    assert (row[codes.T_MAX_REACH], row[codes.T_LOWEST_VALUE]) == (2, 0)


def test_rules__every_alternative() -> None:
    default = arrays().rules
    assert len(default) == codes.RULE_FIELDS
    usual = [values.index(getattr(Rules(), name)) for name, values in RULING_VALUES.items()]
    assert default.tolist() == usual + [0] * (codes.RULE_FIELDS - codes.RULINGS)
    for place, (name, alternatives) in enumerate(RULING_VALUES.items()):
        for code, value in enumerate(alternatives):
            row = arrays(**{f"rules__{name}": value}).rules
            assert row[place] == code
            assert np.delete(row, place).tolist() == np.delete(default, place).tolist()


def test_rules__each_one_out() -> None:
    default = arrays("hoarder", personas__hoarder__lies={"total": 0.5, "family": 0.5})
    places = {
        "miroir_parfait": codes.R_NO_MIROIR,
        "frappe_parfaite": codes.R_NO_FRAPPE,
        "coup_precis": codes.R_NO_COUP,
        "ca_chauffe": codes.R_NO_CLOSEST,
        "epargne": codes.R_NO_EPARGNE,
        "pot": codes.R_NO_POT,
    }
    fields = {
        "fusion": {codes.P_MAY_FUSE: 0},
        "option": {codes.P_OPTION_POINTS: -1},
        "lie": {codes.P_LIE_TOTAL: 0, codes.P_LIE_FAMILY: 0},
    }
    assert (*places, *fields) == REMOVABLE_RULES
    for name in REMOVABLE_RULES:
        found = arrays("hoarder", personas__hoarder__lies={"total": 0.5, "family": 0.5}, rules__without=[name])
        assert np.flatnonzero(found.rules != default.rules).tolist() == ([places[name]] if name in places else [])
        changed = {i: v for i, v in enumerate(found.personas[0].tolist()) if v != default.personas[0][i]}
        assert changed == fields.get(name, {})
    assert arrays("hoarder", rules__without="option").table[codes.T_HAND_MAX] == 3


def test_personas__fixed_point() -> None:
    row = arrays("plays_to_win").personas
    assert row.shape == (4, codes.PERSONA_FIELDS)
    assert (row == row[0]).all()
    assert row[0].tolist() == [
        0,
        0,
        1,
        -51,
        208,
        38,
        182,
        0,
        51,
        3200,
        192,
        0,
        -112,
        3,
        16,
        0,
        192,
        0,
        0,
        3,
        32768,
        16384,
        6,
        -1,
        0,
    ]


def test_personas__every_weight_has_its_field() -> None:
    for table, schema, prefix in (("weights", Weights, "P_"), ("bluffer", BlufferWeights, "P_B_")):
        for name in schema.model_fields:
            row = arrays("nearest", **{f"personas__nearest__{table}__{name}": 3.0}).personas[0]
            expected = temperature_units(3.0) if name == "temperature" else 96
            assert row[getattr(codes, prefix + name.upper())] == expected


def test_personas__switches_and_thresholds() -> None:
    row = arrays("documented").personas[0]
    assert (row[codes.P_UNIFORM], row[codes.P_KNOWLEDGE], row[codes.P_MAY_FUSE], row[codes.P_OPTION_POINTS]) == (
        1,
        1,
        0,
        -1,
    )
    row = arrays("hoarder", personas__hoarder__option__rounds_left_at_least=4).personas[0]
    assert (row[codes.P_UNIFORM], row[codes.P_KNOWLEDGE], row[codes.P_MAY_FUSE]) == (0, 0, 1)
    assert (row[codes.P_OPTION_POINTS], row[codes.P_OPTION_ROUNDS]) == (32767, 4)
    assert arrays("sceptic").personas[0][codes.P_KNOWLEDGE] == codes.KNOWS_NOTHING


def test_personas__chances_never_exceed_one() -> None:
    half = 1.5 / 65536
    row = arrays("liar", personas__liar__lies__total=half, personas__liar__lies__family=1 - half).personas[0]
    assert (row[codes.P_LIE_TOTAL], row[codes.P_LIE_FAMILY]) == (2, 65534)  # 1.5 and 65534.5 both round to the even one
    half = 0.5 + 0.6 / 65536
    row = arrays("liar", personas__liar__lies__total=half, personas__liar__lies__family=1 - half).personas[0]
    assert (row[codes.P_LIE_TOTAL], row[codes.P_LIE_FAMILY]) == (32769, 32767)
    assert (
        arrays("liar", personas__liar__lies__total=1.0, personas__liar__lies__family=0.0).personas[0][codes.P_LIE_TOTAL]
        == 65536
    )


def test_personas__one_row_a_seat() -> None:
    seats = ["random", "nearest", "liar"]
    rows = arrays(table__players=3, play__seats=seats).personas
    assert [row.tolist() for row in rows] == [arrays(name).personas[0].tolist() for name in seats]


@pytest.mark.parametrize(("weight", "units"), [(1 / 64, 0), (3 / 64, 2), (-1 / 64, 0), (-1.6, -51), (100.0, 3200)])
def test_weight_units__half_to_even(weight: float, units: int) -> None:
    assert weight_units(weight) == units


def test_temperature_units__one() -> None:
    assert [temperature_units(t) for t in (0.0, 0.1, 1.0, 39.3)] == [0, 3, 28, 1091]


def test_wide__default_deck_is_narrow_up_to_a_lie_of_22() -> None:
    span = totals(num_bluff("liar"))
    assert (span.low, span.high, span.aim_low, span.aim_high, span.gap, span.wide) == (-48, 57, -54, 63, 111, False)
    assert not arrays("liar", personas__liar__lies__size=22).wide
    assert arrays("liar", personas__liar__lies__size=23).wide
    assert not arrays("honest", personas__honest__lies__size=60).wide  # never lies on the total
    assert not any(arrays(name).wide for name in presets())


def test_wide__totals_beyond_a_byte() -> None:
    assert not arrays(
        "random", deck__families=[{"name": "a", "kind": "classic", "values": [27, 42]}]
    ).wide  # 3 x 42 = 126
    assert arrays("random", deck__families=[{"name": "a", "kind": "classic", "values": [28, 43]}]).wide  # 129
    shadow = {"name": "s", "kind": "shadow", "values": [0, 1]}
    assert arrays(
        "random", deck__families=[{"name": "a", "kind": "classic", "values": [27, 42]}, shadow]
    ).wide  # a gap of 126 + 3
    assert arrays("random", deck__rainbow__values=[0, 40]).wide


families = st.lists(
    st.tuples(
        st.sampled_from(["classic", "rainbow", "shadow"]), st.integers(0, 30), st.integers(0, 12), st.integers(0, 20)
    ),
    min_size=2,
    max_size=3,
)


@given(families, st.integers(1, 60), st.sampled_from([0.0, 0.5]))
def test_wide__no_total_aim_or_gap_of_a_narrow_deck_leaves_a_byte(
    drawn: list[tuple[str, int, int, int]], size: int, lying: float
) -> None:
    deck = [
        {
            "name": f"f{i}",
            "kind": kind,
            "values": [low, low + more],
            "copies": 16,
            "reach": 0 if kind == "classic" else reach,
        }
        for i, (kind, low, more, reach) in enumerate(drawn)
    ]
    deck = [{**family, "copies": min(16, 80 // (family["values"][1] - family["values"][0] + 1))} for family in deck]  # type: ignore[index]
    config = num_bluff(
        "honest", deck__families=deck, personas__honest__lies__size=size, personas__honest__lies__total=lying
    )
    cards = {(f.printed(v), f.printed(v) + f.slack(v)) for f, v in config.deck.cards}
    sides = [side for n in (1, 2, 3) for side in itertools.combinations_with_replacement(cards, n)]
    lowest, highest = min(sum(p for p, _ in side) for side in sides), max(sum(r for _, r in side) for side in sides)
    lie = size if lying else 0
    span = totals(config)
    assert span.low <= lowest
    assert span.high >= highest
    reached = [lowest - lie, highest + lie, highest + lie - lowest, highest - lowest + lie]
    if not span.wide:
        assert max(map(abs, reached)) <= INT8_MAX
    elif lowest <= 0 <= highest:
        assert max(map(abs, reached)) > INT8_MAX  # and no deck is wide without need


@given(
    st.dictionaries(
        st.sampled_from([n for n in Weights.model_fields if n != "temperature"]), st.floats(-12, 12), max_size=10
    ),
    st.floats(0, 39),
)
def test_scores__accepted_weights_fit_16_bits(weights: dict[str, float], temperature: float) -> None:
    overrides = {
        f"personas__nearest__weights__{name}": value for name, value in {**weights, "temperature": temperature}.items()
    }
    refusal = ""
    try:
        config = num_bluff("nearest", **overrides)
    except ConfigError as error:
        refusal = str(error)
    if refusal:
        assert "do not fit 16 bits" in refusal
        return
    row = kernel_arrays(config).personas[0].tolist()
    features = largest_features(config, config.personas["nearest"])["weights"]
    most = sum(abs(row[getattr(codes, f"P_{name.upper()}")]) * largest for name, largest in features.items())
    t = row[codes.P_TEMPERATURE]
    assert most + max(30 * t // 8, -(-30 * t // 8)) <= INT16_MAX
    assert 30 * t <= INT16_MAX
