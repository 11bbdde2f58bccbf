"""What the game loops of all games share: lanes of a block that are played, sums over games, places in its memory."""

from __future__ import annotations

import numpy as np

from numbluff_sim.kernels.common.jit import jit
from numbluff_sim.kernels.common.lanes import total, total_product


@jit
def lanes_between(low, high):
    """uint64 with bits low .. high - 1 set."""
    bits = np.uint64(0xFFFFFFFFFFFFFFFF) >> np.uint64(64 - (high - low))
    return bits << np.uint64(low)


@jit
def add_variable(moments, which, value, rounds):
    """Adds one per-game variable to `moments`, int64 (3, variables): sums of it, its squares, its products with rounds.

    value: lanes, 0 outside the games that count; rounds: lanes of the same width, the games' lengths.
    """
    sum_of = total(value)
    if sum_of != 0:
        moments[0, which] += sum_of
        moments[1, which] += total_product(value, value)
        moments[2, which] += total_product(value, rounds)


def lay_out(plan, first_region, rows_before, rows):
    """Writes into the plan where each region of a block's memory starts.

    plan int64: entries first_region, first_region + 1, ... are filled; rows_before: rows in front of the first region;
    rows: how many rows of 64 bytes each region takes, in this order.
    """
    plan[first_region : first_region + len(rows)] = rows_before + np.cumsum([0, *rows[:-1]])
