"""The bluffer's announcement and what a listener can make of it (T3; docs/games/num_bluff/PLAY.md section 5)."""

from numbluff_sim.kernels.common.jit import jit
from numbluff_sim.kernels.common.lanes import (
    full,
    full_number,
    full_u16,
    load_i8,
    load_number,
    load_u8,
    no_lane,
    ones,
    select,
    to_i8,
    to_number,
    wide,
)
from numbluff_sim.kernels.common.streams import below, random_bits
from numbluff_sim.kernels.num_bluff import codes as c
from numbluff_sim.kernels.num_bluff.choosing import persona_at
from numbluff_sim.kernels.num_bluff.layout import (
    L_HAND_FAMILY,
    L_HAND_PRINTED,
    L_SEGMENTS,
    L_SIZE,
    L_VIS_FAMILY,
    L_VIS_PRINTED,
    SEG_ROWS,
)
from numbluff_sim.kernels.num_bluff.streams import ANNOUNCEMENTS, PER_ROUND


@jit
def under(bits, chance):
    """Mask: U16 bits below a chance in 1/65536 (0 .. 65536)."""
    return bits <= full_u16(chance - 1) if chance > 0 else no_lane()


@jit
def announce(block, state, plan, zero, r, b, total, family):
    """(announced total, announced family, lie): at most one of the two is false."""
    at = persona_at(b)
    lie_total, lie_family = plan[at + c.P_LIE_TOTAL], plan[at + c.P_LIE_FAMILY]
    if lie_total + lie_family == 0:
        return total, family, full(c.TRUTH)
    counter = ANNOUNCEMENTS + r * PER_ROUND
    bits = random_bits(state, counter)
    on_total = under(bits, lie_total)
    on_family = under(bits, lie_total + lie_family) & ~on_total & (family >= 0)
    size = to_number(wide(below(block, 0, state, counter + 1, plan[at + c.P_LIE_SIZE])) + 1, zero)
    down = random_bits(state, counter + 2) < full_u16(32768)
    families = plan[c.T_FAMILIES]
    if families > 1:
        shifted = wide(family) + wide(below(block, 0, state, counter + 3, families - 1)) + 1
        other = to_number(select(shifted >= families, shifted - families, shifted), zero)
    else:
        on_family = no_lane()
        other = full_number(0, zero)
    lie = select(on_total, full(c.LIE_TOTAL), select(on_family, full(c.LIE_FAMILY), c.TRUTH))
    announced = select(on_total, select(down, total - size, total + size), total)
    return announced, to_i8(select(on_family, other, to_number(family, zero))), lie


@jit
def named_card(block, plan, zero, family, rest):
    """The card of I8 `family` with printed total `rest`: (exists, copies I8)."""
    exists, copies = no_lane(), full(0)
    row = plan[L_SEGMENTS]
    for _ in range(plan[c.T_SEGMENTS]):
        # a family has several segments: its copies, and the values on either side of one that is left out
        value = select(load_i8(block, row + 4) == c.SHADOW, -rest, rest)
        here = (family == load_i8(block, row + 2)) & (value >= to_number(load_u8(block, row + 6), zero))
        here = here & (value <= to_number(load_u8(block, row + 7), zero))
        exists, copies = exists | here, select(here, load_i8(block, row + 5), copies)
        row += SEG_ROWS
    return exists, copies


@jit
def seen_on_table(block, plan, seats, zero, family, printed):
    """I8: how many visible cards are the card of this family and printed total."""
    seen = full(0)
    for p in range(len(seats)):
        seen = seen + ones(
            (load_i8(block, plan[L_VIS_FAMILY] + p) == family)
            & (load_number(block, plan[L_VIS_PRINTED] + 2 * p, zero) == printed)
        )
    return seen


@jit
def seen_in_hand(block, plan, book, zero, p, family, printed):
    """I8: how many cards of seat p's hand are the card of this family and printed total."""
    seen = full(0)
    size = load_i8(block, plan[L_SIZE] + p)
    first = p * plan[c.T_HAND_MAX]
    for i in range(book[p]):
        same = (size > i) & (load_i8(block, plan[L_HAND_FAMILY] + first + i) == family)
        seen = seen + ones(same & (load_number(block, plan[L_HAND_PRINTED] + 2 * (first + i), zero) == printed))
    return seen
