"""A configuration as the integer arrays that kernels read; encodings in `kernels.num_bluff.codes`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from numbluff_sim.games.num_bluff.code_names import KIND_NAMES, KNOWLEDGE_NAMES
from numbluff_sim.games.num_bluff.config import Family, NumBluffConfig, Persona
from numbluff_sim.games.num_bluff.limits import centre_total, mean_total, temperature_units, totals, weight_units
from numbluff_sim.games.num_bluff.rules_section import REMOVABLE_RULES, RULING_VALUES, Removable
from numbluff_sim.kernels.num_bluff import codes

Int64 = NDArray[np.int64]
CHANCE_ONE = 65536


@dataclass(frozen=True)
class KernelArrays:
    """int64 arrays: `segments` (S, 6), `table` (13,), `rules` (23,), `personas` (N, 25); `wide` asks for 16-bit
    totals.
    """

    segments: Int64
    table: Int64
    rules: Int64
    personas: Int64
    wide: bool


def kernel_arrays(config: NumBluffConfig) -> KernelArrays:
    """The arrays of a configuration."""
    segments = segment_rows(config)
    personas = np.array([persona_row(persona, config.rules.without) for persona in config.seat_personas], np.int64)
    return KernelArrays(segments, table_row(config, segments), rules_row(config), personas, totals(config).wide)


def segment_rows(config: NumBluffConfig) -> Int64:
    """The deck's segments: a row a family, copy and run of values, in the order of card ids."""
    rows, first = [], 0
    for index, family in enumerate(config.deck.families):
        for run in runs_of_values(family) * family.copies:
            row = [0] * codes.SEGMENT_FIELDS
            row[codes.SEG_FIRST_ID], row[codes.SEG_FIRST_VALUE], row[codes.SEG_FAMILY] = first, run[0], index
            row[codes.SEG_KIND], row[codes.SEG_REACH], row[codes.SEG_COPIES] = (
                KIND_NAMES.index(family.kind),
                family.reach,
                family.copies,
            )
            rows.append(row)
            first += len(run)
    return np.array(rows, np.int64)


def runs_of_values(family: Family) -> list[list[int]]:
    """The family's values, upwards, cut where one is left out."""
    runs: list[list[int]] = []
    for value in family.faces:
        if runs and runs[-1][-1] == value - 1:
            runs[-1].append(value)
        else:
            runs.append([value])
    return runs


def table_row(config: NumBluffConfig, segments: Int64) -> Int64:
    """Sizes, and what follows from the deck."""
    cards, table = config.deck.cards, config.table
    option = "option" not in config.rules.without and any(p.option.points_at_most >= 0 for p in config.seat_personas)
    row = np.zeros(codes.TABLE_FIELDS, np.int64)
    row[codes.T_HAND], row[codes.T_TURNS], row[codes.T_ROUNDS] = table.hand_size, table.turns_as_bluffer, config.rounds
    row[codes.T_DECK], row[codes.T_SEGMENTS], row[codes.T_FAMILIES] = (
        len(cards),
        len(segments),
        len(config.deck.families),
    )
    # a hand grows by the option alone, and only in rounds in which its owner is not the bluffer
    row[codes.T_HAND_MAX] = table.hand_size + ((table.players - 1) * table.turns_as_bluffer if option else 0)
    row[codes.T_MEAN], row[codes.T_CENTRE] = mean_total(config), centre_total(config)
    row[codes.T_MAX_REACH] = max(f.slack(v) for f, v in cards)
    row[codes.T_DETAIL_EVERY] = config.run.detail_every
    row[codes.T_HIST_WIDTH] = sum(v for _, v in cards) // codes.BINS + 1
    row[codes.T_LOWEST_VALUE] = min(v for _, v in cards)
    return row


def rules_row(config: NumBluffConfig) -> Int64:
    """Each ruling as the position of its alternative, then a 1 for each rule that is out."""
    answers = [alternatives.index(getattr(config.rules, name)) for name, alternatives in RULING_VALUES.items()]
    out = [name in config.rules.without for name in REMOVABLE_RULES[: codes.RULE_FIELDS - codes.RULINGS]]
    return np.array([*answers, *out], np.int64)


def persona_row(persona: Persona, without: Sequence[Removable] = ()) -> Int64:
    """A persona's switches, weights (1/32), chances (1/65536) and thresholds, where the rules `without` are out."""
    lie_total = round(CHANCE_ONE * persona.lies.total)
    weights, bluffer = persona.weights, persona.bluffer
    row = np.zeros(codes.PERSONA_FIELDS, np.int64)
    row[codes.P_UNIFORM], row[codes.P_KNOWLEDGE] = persona.choice == "uniform", KNOWLEDGE_NAMES.index(persona.knowledge)
    row[codes.P_MAY_FUSE] = persona.may_fuse
    for name in type(weights).model_fields:
        row[getattr(codes, f"P_{name.upper()}")] = weight_units(getattr(weights, name))
    for name in type(bluffer).model_fields:
        row[getattr(codes, f"P_B_{name.upper()}")] = weight_units(getattr(bluffer, name))
    row[codes.P_TEMPERATURE], row[codes.P_B_TEMPERATURE] = (
        temperature_units(weights.temperature),
        temperature_units(bluffer.temperature),
    )
    row[codes.P_LIE_TOTAL], row[codes.P_LIE_FAMILY] = (
        lie_total,
        min(round(CHANCE_ONE * persona.lies.family), CHANCE_ONE - lie_total),
    )
    row[codes.P_LIE_SIZE] = persona.lies.size
    row[codes.P_OPTION_POINTS], row[codes.P_OPTION_ROUNDS] = (
        persona.option.points_at_most,
        persona.option.rounds_left_at_least,
    )
    if "fusion" in without:
        row[codes.P_MAY_FUSE] = 0
    if "lie" in without:
        row[codes.P_LIE_TOTAL] = row[codes.P_LIE_FAMILY] = 0
    if "option" in without:
        row[codes.P_OPTION_POINTS] = -1
    return row
