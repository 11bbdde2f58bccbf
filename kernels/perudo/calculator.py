"""Looking closely: written-down challenges, raises and orders of bids, settled by the functions that play.

Seats that are not there have no dice, so that one table of SEATS_MAX seats serves every number of players.
"""

from numbluff_sim.kernels.common.jit import entry
from numbluff_sim.kernels.common.lanes import full, load_i8, ones, peek, pointer, store, store_where
from numbluff_sim.kernels.perudo import codes as c
from numbluff_sim.kernels.perudo.bidding import may_bid, rank, set_caps
from numbluff_sim.kernels.perudo.challenging import neighbour, settle
from numbluff_sim.kernels.perudo.layout import (
    L_BIDDER,
    L_CAP_NUMBER,
    L_CAP_STAR,
    L_CHOSEN_FACE,
    L_CHOSEN_QUANTITY,
    L_DICE,
    L_IN,
    L_TURN,
)
from numbluff_sim.kernels.perudo.tracing import trace_challenge, trace_outcome


@entry
def settle_challenges(seats, plan, block, state, trace):
    """Settles up to 64 challenges (R8-R19), into a round's trace uint8 (fields, 64).

    The block's rows hold dice and faces by seat, the Palifico, the bid, its bidder (NO_SEAT: the player on the
    challenger's right) and, in turn, the challenger. The next round's players in, opener, why it opens and Palifico
    are in their rows afterwards, matching dice by seat in L_MATCHES.
    """
    rows, work, facts, out = pointer(block), pointer(state), pointer(plan), pointer(trace)
    players_in = full(0)
    for p in range(len(seats)):
        players_in = players_in + ones(load_i8(rows, facts[L_DICE] + p) > 0)
    store(rows, facts[L_IN], players_in)
    right = neighbour(rows, facts, seats, load_i8(rows, facts[L_TURN]), -1)
    store_where(rows, facts[L_BIDDER], load_i8(rows, facts[L_BIDDER]) < 0, right)
    trace_challenge(out, rows, facts, seats, 0)
    settled = settle(rows, work, facts, seats, 0, full(0) == 0)
    trace_outcome(out, rows, facts, seats, 0, settled)


@entry
def judge_bids(seats, plan, block, legal):
    """Whether the player in turn may make the chosen bid, over the one that stands or, at quantity 0, as the opening:
    legal uint8 (1, 64), 1 where it may (R3, R5, R6, R16, R18, R20). Rows as above, and the dice in play.
    """
    rows, facts, out = pointer(block), pointer(plan), pointer(legal)
    set_caps(rows, facts)
    quantity, face = load_i8(rows, facts[L_CHOSEN_QUANTITY]), load_i8(rows, facts[L_CHOSEN_FACE])
    store(out, 0, ones(may_bid(rows, facts, seats, quantity, face)))


@entry
def rank_bids(plan, block, ranks):
    """The rank of every bid of lane 0's round: ranks int64 (quantities, FACES + 1) by quantity and face, -1 where there
    is no such bid (R5, R20). Rows: the dice in play and the Palifico.
    """
    rows, facts = pointer(block), pointer(plan)
    set_caps(rows, facts)
    for quantity in range(ranks.shape[0]):
        for face in range(ranks.shape[1]):
            cap = peek(rows, facts[L_CAP_STAR if face == c.STAR else L_CAP_NUMBER], 0)
            is_bid = 0 < quantity <= cap and face > 0
            ranks[quantity, face] = rank(facts, quantity, face) if is_bid else -1
