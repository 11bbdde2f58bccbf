"""Writes everything that happened in a round into the trace of a block (fields TR_* and TS_* in codes.py).

The trace is int16 (rounds, fields, 64), seen here as uint8 rows of 64: field f of round r starts at row 2 * (r * fields
+ f).
"""

from numbluff_sim.kernels.common.jit import jit
from numbluff_sim.kernels.common.lanes import (
    as_mask,
    full,
    full_i16,
    full_number,
    load_i8,
    load_i16,
    load_number,
    load_u8,
    ones,
    select,
    store,
    wide,
)
from numbluff_sim.kernels.num_bluff import codes as c
from numbluff_sim.kernels.num_bluff.layout import (
    F_FUSE,
    L_GAIN,
    L_GAP,
    L_HID_CARD,
    L_HID_CARD2,
    L_LOW,
    L_OPTION_CARD,
    L_POT,
    L_POT_CARDS,
    L_REFILL_CARD,
    L_SIZE,
    L_VISIBLE,
    MASK_BACK,
    MASK_DISPROVED,
    MASK_EMPTY_DRAW,
    MASK_EXACT,
    MASK_FUSED,
    MASK_HIDES,
    MASK_KEEP,
    MASK_OPTION,
    MASK_SAME,
    MASK_TO_POT,
    RULES_AT,
)
from numbluff_sim.kernels.num_bluff.resolving import tie_card


@jit
def put(trace, row, value):
    """Field number `row` (round * fields + field) of the trace."""
    store(trace, 2 * row, wide(value))


@jit
def seats_of(state, kind, n):
    """I16: bit p is set where seat p's mask of this kind holds."""
    seats = full_i16(0)
    for p in range(n):
        seats = seats + select(as_mask(state[kind + p]), full_i16(1 << p), 0)
    return seats


@jit
def trace_pot_before(trace, block, plan, at):
    """The pot before the round."""
    put(trace, at + c.TR_POT_BEFORE, load_i16(block, plan[L_POT]))
    put(trace, at + c.TR_POT_CARDS_BEFORE, load_i16(block, plan[L_POT_CARDS]))


@jit
def trace_round(
    trace,
    block,
    state,
    plan,
    seats,
    zero,
    at,
    r,
    b,
    played,
    recycled,
    event,
    taker,
    pot_taker,
    closest,
    farthest,
    total,
    printed_total,
    announced,
    announced_family,
    lie,
    won_points,
    miroirs,
):
    """All fields of a round but the pot before it."""
    n = len(seats)
    put(trace, at + c.TR_PLAYED, ones(played))
    put(trace, at + c.TR_BLUFFER, full(b))
    put(trace, at + c.TR_EVENT, event)
    put(trace, at + c.TR_RECYCLED, ones(recycled))
    winners = select(event == c.COUPS, seats_of(state, MASK_EXACT, n), 0)
    for p in range(n):
        winners = winners + select((event <= c.COUP) & (taker == p), full_i16(1 << p), 0)
    put(trace, at + c.TR_WINNERS, winners)
    put(trace, at + c.TR_CLOSEST, closest)
    put(trace, at + c.TR_FARTHEST, farthest)
    put(trace, at + c.TR_TOTAL, total)
    put(trace, at + c.TR_PRINTED_TOTAL, printed_total)
    put(trace, at + c.TR_ANNOUNCED_TOTAL, announced)
    put(trace, at + c.TR_ANNOUNCED_FAMILY, announced_family)
    put(trace, at + c.TR_LIE, lie)
    put(trace, at + c.TR_TAKER, taker)
    put(trace, at + c.TR_POT_TAKER, pot_taker)
    put(trace, at + c.TR_POT_AFTER, load_i16(block, plan[L_POT]))
    put(trace, at + c.TR_POT_CARDS_AFTER, load_i16(block, plan[L_POT_CARDS]))
    put(trace, at + c.TR_POT_WON, won_points)
    put(
        trace,
        at + c.TR_CLOSEST_TIE,
        dispute(block, state, plan, seats, zero, b, closest, full(c.NO_SEAT), plan[RULES_AT + c.R_FUSION_SCOPE]),
    )
    put(trace, at + c.TR_FARTHEST_TIE, dispute(block, state, plan, seats, zero, b, farthest, closest, c.SCOPE_ANY))
    put(trace, at + c.TR_EMPTY_DRAWS, seats_of(state, MASK_EMPTY_DRAW, n))
    put(trace, at + c.TR_OPTIONS, seats_of(state, MASK_OPTION, n))
    put(trace, at + c.TR_DISPROVED, seats_of(state, MASK_DISPROVED, n))
    put(trace, at + c.TR_MIROIRS, miroirs)
    for p in range(n):
        trace_seat(trace, block, state, plan, n, zero, at + c.TRACE_SCALARS + p, r, p, b, total, taker)


@jit
def trace_seat(trace, block, state, plan, n, zero, at, r, p, b, total, taker):
    """The fields of one seat."""
    hides, fused = as_mask(state[MASK_HIDES + p]), as_mask(state[MASK_FUSED + p])
    put(trace, at + c.TS_VISIBLE * n, load_u8(block, plan[L_VISIBLE] + r * n + p))
    put(trace, at + c.TS_HIDDEN1 * n, load_u8(block, plan[L_HID_CARD] + p))
    card2 = full_i16(c.NO_CARD)
    if plan[F_FUSE] != 0:
        card2 = wide(load_u8(block, plan[L_HID_CARD2] + p))
    put(trace, at + c.TS_HIDDEN2 * n, card2)
    if p == b:
        put(trace, at + c.TS_GAP * n, full(-1))
        put(trace, at + c.TS_MECHANISM * n, full(c.NOT_EXACT))
    else:
        put(trace, at + c.TS_GAP * n, load_number(block, plan[L_GAP] + 2 * p, zero))
        printed = load_number(block, plan[L_LOW] + 2 * p, zero) == total
        how = select(fused, full(c.FUSION), select(printed, full(c.NATURAL), c.ADJUST))
        put(trace, at + c.TS_MECHANISM * n, select(as_mask(state[MASK_EXACT + p]), how, c.NOT_EXACT))
    fate = select(taker >= 0, full(c.TAKEN), c.DISCARD)
    away = c.POT if plan[RULES_AT + c.R_NO_POT] == 0 else c.DISCARD
    fate = select(as_mask(state[MASK_KEEP + p]), c.KEEP, select(as_mask(state[MASK_TO_POT + p]), away, fate))
    put(trace, at + c.TS_FATE * n, select(hides, fate, c.NOTHING))
    put(trace, at + c.TS_GAIN * n, load_i16(block, plan[L_GAIN] + 2 * p))
    put(trace, at + c.TS_HAND * n, load_i8(block, plan[L_SIZE] + p))
    put(
        trace,
        at + c.TS_OPTION_DRAW * n,
        select(as_mask(state[MASK_OPTION + p]), wide(load_u8(block, plan[L_OPTION_CARD] + p)), c.NO_CARD),
    )
    refill = full_i16(c.NO_CARD)
    if plan[F_FUSE] != 0 and plan[RULES_AT + c.R_REFILL] != 0:
        refill = wide(load_u8(block, plan[L_REFILL_CARD] + p))
    put(trace, at + c.TS_REFILL_DRAW * n, refill)
    put(trace, at + c.TS_SAME_FAMILY * n, ones(as_mask(state[MASK_SAME + p])))
    put(trace, at + c.TS_BACK * n, ones(as_mask(state[MASK_BACK + p])))


@jit
def dispute(block, state, plan, seats, zero, b, winner, aside, scope):
    """I8: how the role of `winner` was settled among the others but `aside` (TIE_*); TIE_NONE where nobody has it."""
    n = len(seats)
    gap, card = full_number(0, zero), full_number(0, zero)
    for k in range(1, n):
        p = (b + k) % n
        gap = select(winner == p, load_number(block, plan[L_GAP] + 2 * p, zero), gap)
        card = select(winner == p, tie_card(block, plan, zero, p), card)
    rivals, equals = full(0), full(0)
    for k in range(1, n):
        p = (b + k) % n
        rival = (winner >= 0) & (winner != p) & (aside != p) & (load_number(block, plan[L_GAP] + 2 * p, zero) == gap)
        if scope == c.SCOPE_EXACT_ONLY:
            rival = rival & (~as_mask(state[MASK_FUSED + p]) | (gap == 0))
        rivals = rivals + ones(rival)
        equals = equals + ones(rival & (tie_card(block, plan, zero, p) == card))
    return select(equals > 0, full(c.TIE_LAST), select(rivals > 0, full(c.TIE_CARD), c.TIE_NONE))
