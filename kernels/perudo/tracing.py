"""What happened in a block's rounds, as a trace: uint8 (rounds, fields, 64), fields TR_* of codes.py; -1 stands as
255.
"""

from numbluff_sim.kernels.common.jit import jit
from numbluff_sim.kernels.common.lanes import load_i8, load_i16, ones, select, store, store_where, to_i8
from numbluff_sim.kernels.perudo import codes as c
from numbluff_sim.kernels.perudo.challenging import cup
from numbluff_sim.kernels.perudo.layout import (
    L_BIDDER,
    L_BIDS,
    L_DICE,
    L_FACE,
    L_FACES,
    L_NEXT,
    L_OPENER,
    L_PALIFICO,
    L_QUANTITY,
    L_RULE,
    L_TURN,
)


@jit
def by_seat(players, kind):
    """Where in a round's fields a block of one field a seat (TS_*) begins; behind the last one, the faces."""
    return c.TRACE_SCALARS + kind * players


@jit
def steps_at(plan, players):
    """Where in a round's fields its steps begin."""
    return by_seat(players, c.TRACE_BLOCKS) + players * plan[c.T_DICE]


@jit
def bid_code(quantity, face):
    """I8: a bid as quantity * 8 + face, modulo 256."""
    twice = quantity + quantity
    four = twice + twice
    return four + four + face


@jit
def trace_start(trace, block, plan, seats, at, playing):
    """The start of a round whose first row is `at`: opener, Palifico, dice, who is next to whom."""
    n = len(seats)
    store(trace, at + c.TR_PLAYED, ones(playing))
    store(trace, at + c.TR_OPENER, load_i8(block, plan[L_OPENER]))
    store(trace, at + c.TR_RULE, load_i8(block, plan[L_RULE]))
    store(trace, at + c.TR_PALIFICO, load_i8(block, plan[L_PALIFICO]))
    for p in range(n):
        store(trace, at + by_seat(n, c.TS_DICE) + p, load_i8(block, plan[L_DICE] + p))
        store(trace, at + by_seat(n, c.TS_NEXT) + p, load_i8(block, plan[L_NEXT] + p))
    for i in range(n * plan[c.T_DICE]):
        store(trace, at + by_seat(n, c.TRACE_BLOCKS) + i, load_i8(block, plan[L_FACES] + i))


@jit
def trace_step(trace, plan, seats, at, s, bidding, quantity, face):
    """The bids of step s, in the lanes that still bid."""
    n = len(seats)
    store_where(trace, at + steps_at(plan, n) + s, bidding, bid_code(quantity, face))


@jit
def trace_challenge(trace, block, plan, seats, at):
    """The challenge and the order of the cups, before it is settled."""
    n = len(seats)
    for k in range(n):
        seat, _, dice = cup(block, plan, seats, k)
        store(trace, at + by_seat(n, c.TS_CUP) + k, select(dice > 0, seat, c.NO_SEAT))
    store(trace, at + c.TR_BIDS, to_i8(load_i16(block, plan[L_BIDS])))
    store(trace, at + c.TR_BID, bid_code(load_i8(block, plan[L_QUANTITY]), load_i8(block, plan[L_FACE])))
    store(trace, at + c.TR_BIDDER, load_i8(block, plan[L_BIDDER]))
    store(trace, at + c.TR_CHALLENGER, load_i8(block, plan[L_TURN]))


@jit
def trace_outcome(trace, block, plan, seats, at, settled):
    """What the challenge brought; `settled`: see `challenging.settle`."""
    count, loser, lost, cups, shown, out = settled
    n = len(seats)
    for p in range(n):
        store(trace, at + by_seat(n, c.TS_AFTER) + p, load_i8(block, plan[L_DICE] + p))
    store(trace, at + c.TR_COUNT, count)
    store(trace, at + c.TR_LOSER, loser)
    store(trace, at + c.TR_DICE_LOST, lost)
    store(trace, at + c.TR_CUPS, cups)
    store(trace, at + c.TR_SHOWN, shown)
    store(trace, at + c.TR_ELIMINATED, out)
