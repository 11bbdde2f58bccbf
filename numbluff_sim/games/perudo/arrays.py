"""A configuration as the integer arrays that kernels read; encodings in `kernels.perudo.codes`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numbluff_sim.games.perudo.code_names import SCRIPT_NAMES, STRATEGY_NAMES
from numbluff_sim.games.perudo.config import Persona, PerudoConfig
from numbluff_sim.games.perudo.rules_section import RULING_VALUES, Rules
from numbluff_sim.kernels.perudo import codes

Int64 = NDArray[np.int64]
#: Chances of a match: for stars and in a Palifico round, and for a number that stars help.
MATCH = (Fraction(1, 6), Fraction(1, 3))
LISTENING = ("bayes", "equilibrium")


@dataclass(frozen=True)
class KernelArrays:
    """int64 arrays `table` (T_*), `rules` (R_*), `personas` (N, P_*), and the tables of chances.

    `tails` uint16 by (stars help, dice, need). `openings` int16 (N, 2, NEEDS): threshold's largest need that is likely
    enough for an opening, by dice not seen. `doubts` uint16 (N, 2, DICE_MAX + 1, NEEDS): chance that a bid is
    challenged, by dice in play and quantity. `posteriors` float64: see codes.MATCHES.
    """

    table: Int64
    rules: Int64
    personas: Int64
    tails: NDArray[np.uint16]
    openings: NDArray[np.int16]
    doubts: NDArray[np.uint16]
    posteriors: NDArray[np.float64]


def kernel_arrays(config: PerudoConfig) -> KernelArrays:
    """The arrays of a configuration."""
    seats = config.seat_personas
    minds = list(dict.fromkeys((p.first_bid_weight, p.raise_weight) for p in seats if p.strategy in LISTENING))
    personas = np.array([persona_row(persona, minds) for persona in seats], np.int64)
    posteriors = [posterior_table(*weights).reshape(-1) for weights in minds]
    openings = np.array([opening_table(persona) for persona in seats], np.int16)
    doubts = np.array([doubt_table(persona.sharpness) for persona in seats], np.uint16)
    return KernelArrays(
        table_row(config),
        rules_row(config.rules),
        personas,
        tail_table(),
        openings,
        doubts,
        np.concatenate(posteriors) if posteriors else np.zeros(1),
    )


def chance_units(chance: float) -> int:
    """A chance in 1/65536, rounded half to even."""
    return round(codes.CHANCE_ONE * chance)


def rules_row(rules: Rules) -> Int64:
    """Codes of the rulings' answers (R_*)."""
    answers = [alternatives.index(getattr(rules, name)) for name, alternatives in RULING_VALUES.items()]
    return np.array(answers, np.int64)


def table_row(config: PerudoConfig) -> Int64:
    """Sizes (T_*)."""
    dice = config.players * config.table.dice
    numbers, stars = dice, dice
    if config.rules.quantity_cap == "none":
        numbers, stars = max(codes.BOARD_NUMBERS, dice), max(codes.BOARD_STARS, dice)
    row = np.zeros(codes.TABLE_FIELDS, np.int64)
    row[codes.T_DICE], row[codes.T_FIRST_OPENER] = config.table.dice, config.table.first_opener
    row[codes.T_DETAIL_EVERY], row[codes.T_ROUNDS] = config.run.detail_every, config.rounds
    # a round's steps: every bid there is, and the challenge
    row[codes.T_FIELDS] = codes.TRACE_SCALARS + codes.TRACE_BLOCKS * config.players + dice + 5 * numbers + stars + 1
    return row


def persona_row(persona: Persona, minds: Sequence[tuple[float, float]]) -> Int64:
    """A persona's strategy and parameters; `minds`: the weights that have a table of posteriors, in its order."""
    row = np.zeros(codes.PERSONA_FIELDS, np.int64)
    row[codes.P_STRATEGY] = STRATEGY_NAMES.index(persona.strategy)
    row[codes.P_CHALLENGE_ONE_IN] = persona.challenge_one_in
    for field, value in (
        (codes.P_CHALLENGE_BELOW, persona.challenge_below),
        (codes.P_RAISE_AT_LEAST, persona.raise_at_least),
        (codes.P_DOUBT_BELOW, persona.doubt_below),
    ):
        row[field] = chance_units(value)
    row[codes.P_FIELDS_BEYOND], row[codes.P_SCRIPT] = persona.fields_beyond, SCRIPT_NAMES.index(persona.opens)
    if persona.strategy in LISTENING:
        row[codes.P_MIND] = minds.index((persona.first_bid_weight, persona.raise_weight))
    return row


@cache
def tail_table() -> NDArray[np.uint16]:
    """`tails`: the chance of at least so many matches, exact, rounded half to even, certain being 65535."""
    table = np.zeros((2, codes.DICE_MAX + 1, codes.NEEDS), np.uint16)
    for help_, match in enumerate(MATCH):
        for dice in range(codes.DICE_MAX + 1):
            rest = Fraction(0)
            for need in range(dice, -1, -1):
                rest += math.comb(dice, need) * match**need * (1 - match) ** (dice - need)
                table[help_, dice, need] = min(codes.CERTAIN, round(codes.CHANCE_ONE * rest))
    return table


@cache
def _reachable(units: int) -> NDArray[np.int16]:
    """By (stars help, dice): the largest need whose chance is at least so many units, or -100."""
    tails = tail_table()
    enough = tails.astype(np.int64) >= units
    return np.where(enough.any(2), np.where(enough, np.arange(codes.NEEDS), -1).max(2), -100).astype(np.int16)


def opening_table(persona: Persona) -> NDArray[np.int16]:
    """`openings` of one seat."""
    table = np.zeros((2, codes.NEEDS), np.int16)
    table[:, : codes.DICE_MAX + 1] = _reachable(chance_units(persona.open_at_least))
    return table


@cache
def doubt_table(sharpness: float) -> NDArray[np.uint16]:
    """`doubts` of one seat."""

    def doubt(tail: int) -> int:
        try:
            return min(
                codes.CERTAIN, round(codes.CHANCE_ONE / (1 + math.exp(sharpness * (tail / codes.CHANCE_ONE - 0.5))))
            )
        except OverflowError:
            return 0

    tails = tail_table()
    return np.array([doubt(int(tail)) for tail in tails.flat], np.uint16).reshape(tails.shape)


@cache
def posterior_table(first_bid_weight: float, raise_weight: float) -> NDArray[np.float64]:
    """What a rival's dice are likely to be after what was heard (docs/games/perudo/PLAY.md, bayes).

    float64 (dice + 1, PATTERNS, 2, FACES, MATCHES): chance of so many dice that match a face, by dice, what was heard
    and whether stars help.
    """
    weights = np.array([0.0, first_bid_weight, raise_weight])
    patterns = np.arange(codes.PATTERNS)
    heard = [weights[patterns // 3**g % 3] for g in range(codes.FACES)]
    table: NDArray[Any] = np.zeros((codes.MATCHES, codes.PATTERNS, 2, codes.FACES, codes.MATCHES))
    for dice in range(1, codes.MATCHES):
        for normal in range(2):
            total = np.zeros(codes.PATTERNS)
            for hand in combinations_with_replacement(range(1, codes.FACES + 1), dice):
                counts = [hand.count(face) for face in range(1, codes.FACES + 1)]
                stars = counts[codes.STAR - 1]
                matching = [
                    count + (stars if normal and face < codes.STAR else 0) for face, count in enumerate(counts, 1)
                ]
                weight = np.full(codes.PATTERNS, float(math.factorial(dice) // math.prod(map(math.factorial, counts))))
                for g in range(codes.FACES):
                    weight *= 1.0 + heard[g] * matching[g]
                total += weight
                for g in range(codes.FACES):
                    table[dice, :, normal, g, matching[g]] += weight
            table[dice, :, normal] /= total[:, None, None]
    return table
