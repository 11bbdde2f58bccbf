"""What a card id means: family, printed total and slack by a few compares with the deck's segments (C1-C4)."""

from numbluff_sim.kernels.common.jit import inline
from numbluff_sim.kernels.common.lanes import load_i8, load_u8, no_lane, select, smaller, to_i8, to_number
from numbluff_sim.kernels.num_bluff import codes as c
from numbluff_sim.kernels.num_bluff.layout import F_CLASSICS, L_CLASSICS, L_SEGMENTS, SEG_ROWS


@inline
def decode(block, plan, zero, card):
    """(family I8, printed total number, slack I8) of U8 card ids."""
    row = plan[L_SEGMENTS]
    shift, family, code = load_u8(block, row + 1), load_i8(block, row + 2), load_i8(block, row + 3)
    for _ in range(1, plan[c.T_SEGMENTS]):
        row += SEG_ROWS
        beyond = card >= load_u8(block, row)
        shift = select(beyond, load_u8(block, row + 1), shift)
        family = select(beyond, load_i8(block, row + 2), family)
        code = select(beyond, load_i8(block, row + 3), code)
    value = to_number(card + shift, zero)
    is_shadow = code < 0
    slack = select(is_shadow, smaller(to_i8(value), -code - 1), code)
    return family, select(is_shadow, -value, value), slack


@inline
def is_classic(block, plan, family):
    """Mask of I8 family codes that are classic."""
    classic = no_lane()
    for i in range(plan[F_CLASSICS]):
        classic = classic | (family == load_i8(block, plan[L_CLASSICS] + i))
    return classic


@inline
def gap_to(total, low, room):
    """Distance from `total` to the nearest of low .. low + room, in the width of a number."""
    over = total - low
    beyond = over - room
    return select(over < 0, -over, select(beyond > 0, beyond, over - over))
