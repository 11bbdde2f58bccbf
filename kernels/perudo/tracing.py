"""What happened in a block's rounds, as a trace: uint8 (rounds, fields, 64), fields TR_* of codes.py; -1 stands as
255.
"""

from numbluff_sim.kernels.common.jit import jit
from numbluff_sim.kernels.common.lanes import load_i8, load_i16, ones, store, store_where, to_i8
from numbluff_sim.kernels.perudo import codes as c
from numbluff_sim.kernels.perudo.layout import (
    L_BIDDER,
    L_BIDS,
    L_DICE,
    L_FACE,
    L_FACES,
    L_OPENER,
    L_PALIFICO,
    L_QUANTITY,
    L_RULE,
    L_TURN,
)


@jit
def bid_code(quantity, face):
    """I8: a bid as quantity * 8 + face, modulo 256."""
    twice = quantity + quantity
    four = twice + twice
    return four + four + face


@jit
def trace_start(trace, block, plan, seats, at, playing):
    """The start of a round whose first row is `at`: opener, Palifico, dice."""
    n = len(seats)
    store(trace, at + c.TR_PLAYED, ones(playing))
    store(trace, at + c.TR_OPENER, load_i8(block, plan[L_OPENER]))
    store(trace, at + c.TR_RULE, load_i8(block, plan[L_RULE]))
    store(trace, at + c.TR_PALIFICO, load_i8(block, plan[L_PALIFICO]))
    for p in range(n):
        store(trace, at + c.TRACE_SCALARS + p, load_i8(block, plan[L_DICE] + p))
    for i in range(n * plan[c.T_DICE]):
        store(trace, at + c.TRACE_SCALARS + n + i, load_i8(block, plan[L_FACES] + i))


@jit
def trace_step(trace, plan, seats, at, s, bidding, quantity, face):
    """The bids of step s, in the lanes that still bid."""
    n = len(seats)
    store_where(trace, at + c.TRACE_SCALARS + n + n * plan[c.T_DICE] + s, bidding, bid_code(quantity, face))


@jit
def trace_challenge(trace, block, plan, at):
    """The challenge, before it is settled."""
    store(trace, at + c.TR_BIDS, to_i8(load_i16(block, plan[L_BIDS])))
    store(trace, at + c.TR_BID, bid_code(load_i8(block, plan[L_QUANTITY]), load_i8(block, plan[L_FACE])))
    store(trace, at + c.TR_BIDDER, load_i8(block, plan[L_BIDDER]))
    store(trace, at + c.TR_CHALLENGER, load_i8(block, plan[L_TURN]))


@jit
def trace_outcome(trace, at, count, loser, lost, cups, shown, out):
    """What the challenge brought."""
    store(trace, at + c.TR_COUNT, count)
    store(trace, at + c.TR_LOSER, loser)
    store(trace, at + c.TR_DICE_LOST, lost)
    store(trace, at + c.TR_CUPS, cups)
    store(trace, at + c.TR_SHOWN, shown)
    store(trace, at + c.TR_ELIMINATED, out)
