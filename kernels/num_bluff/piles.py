"""The pile in lanes: first deal, recycling (T8), extra draws from the bottom (T10). Exact definitions:
docs/games/num_bluff/PLAY.md section 2.

Visible cards stand in one row for each (round, seat): a lane that recycles in round r gets its new pile's cards in the
rows from round r on, so a round always reads the same rows in all lanes. Bottom draws stand in rows by their number in
the lane's pile and are decoded when the first lane asks for that number.
"""

import numpy as np

from numbluff_sim.kernels.common.deal import PASS, decode_one, decode_pass, sort_rows
from numbluff_sim.kernels.common.jit import jit
from numbluff_sim.kernels.common.lanes import (
    any_lane,
    first_lane,
    full,
    full_i16,
    full_u8,
    high_product,
    lane_bits,
    larger,
    load_i8,
    load_i16,
    load_u8,
    ones,
    peek,
    poke,
    select,
    smaller,
    store,
    store_where,
    to_u8,
    to_u16,
    wide,
)
from numbluff_sim.kernels.common.streams import below, read_u16
from numbluff_sim.kernels.num_bluff import codes as c
from numbluff_sim.kernels.num_bluff.layout import (
    B_EXCLUDED_ROWS,
    B_EXTRA_ROWS,
    C_RECYCLES,
    F_FUSE,
    L_BASE,
    L_BOTTOM,
    L_CARDS,
    L_COUNTS8,
    L_DRAWN,
    L_EPOCH,
    L_EXCLUDED,
    L_EXTRA_RANKS,
    L_EXTRAS,
    L_HAND_CARD,
    L_LEFT,
    L_PILE,
    L_POT_LOG,
    L_POT_START,
    L_RANKS,
    L_SIZE,
    L_SORTING,
    L_TOPS,
    L_VISIBLE,
    RULES_AT,
)
from numbluff_sim.kernels.num_bluff.streams import DECK, PER_PILE

ONE = np.uint64(1)


@jit
def first_pile(block, state, plan, book, seats):
    """C1, S1: deals epoch 0, the rows of starting hands and of the visible cards this pile can serve."""
    n = len(seats)
    deck, hands = plan[c.T_DECK], n * plan[c.T_HAND]
    tops = hands + n * min(plan[c.T_ROUNDS], (deck - hands) // n)
    for k in range(tops):
        store(block, plan[L_RANKS] + k, to_u8(below(block, 0, state, DECK + k, deck - k)))
    write_tops(block, plan, full(0) == 0, plan[L_CARDS], tops, 0)
    store(block, plan[L_PILE], full_i16(deck))
    store(block, plan[L_LEFT], full_i16(deck - hands))
    store(block, plan[L_TOPS], full_i16(tops))
    store(block, plan[L_BASE], full_i16(0))
    store(block, plan[L_EPOCH], full(0))
    store(block, plan[L_BOTTOM], full_i16(0))
    book[B_EXTRA_ROWS] = 0
    book[B_EXCLUDED_ROWS] = 0


@jit
def write_tops(block, plan, lanes, target, cards, excluded_rows):
    """Decodes cards number 0 .. cards - 1 of the pile into rows target.. of some lanes (and up to 7 rows more)."""
    for k in range(0, cards, PASS):
        x0, x1, x2, x3, x4, x5, x6, x7 = decode_pass(block, plan[L_RANKS], k, plan[L_EXCLUDED], excluded_rows)
        store_where(block, target + k, lanes, x0)
        store_where(block, target + k + 1, lanes, x1)
        store_where(block, target + k + 2, lanes, x2)
        store_where(block, target + k + 3, lanes, x3)
        store_where(block, target + k + 4, lanes, x4)
        store_where(block, target + k + 5, lanes, x5)
        store_where(block, target + k + 6, lanes, x6)
        store_where(block, target + k + 7, lanes, x7)


@jit
def serve_round(block, state, plan, book, seats, r, alive):
    """Makes sure that every living lane has N visible cards for round r (T8); gives the lanes that play it and those
    that recycled.
    """
    n = len(seats)
    left = load_i16(block, plan[L_LEFT])
    short = alive & (left < n)
    recycled = short & ~short
    if any_lane(short):
        if plan[RULES_AT + c.R_EMPTY_DECK] == c.DECK_RECYCLE:
            recycled = recycle(block, state, plan, book, seats, r, short)
        alive = alive & (~short | recycled)
        left = load_i16(block, plan[L_LEFT])
    store(block, plan[L_LEFT], left - n)
    return alive, recycled


@jit
def recycle(block, state, plan, book, seats, r, short):
    """T8: a new pile from all that is neither in a hand nor in the pot, where that serves the round; gives those lanes.

    short: mask, lanes whose pile cannot serve all seats in round r.
    """
    n = len(seats)
    rows = gather_held(block, plan, book, seats, r)
    sort_rows(block, plan[L_SORTING], rows)
    held = full_i16(0)
    for e in range(rows):
        held = held + ones(load_u8(block, plan[L_SORTING] + e) != c.NO_CARD)
    pile = full_i16(plan[c.T_DECK]) - held
    served = short & (pile >= n)
    # excluded ids of lanes that never recycled stay 255: no card
    while book[B_EXCLUDED_ROWS] < min(rows, plan[c.T_DECK]):
        store(block, plan[L_EXCLUDED] + book[B_EXCLUDED_ROWS], full_u8(c.NO_CARD))
        book[B_EXCLUDED_ROWS] += 1
    for e in range(book[B_EXCLUDED_ROWS]):
        store_where(
            block, plan[L_EXCLUDED] + e, served, load_u8(block, plan[L_SORTING] + e) if e < rows else full_u8(c.NO_CARD)
        )
    whole_rounds = wide(high_product(to_u16(pile), 65536 // n + 1))
    tops = smaller(whole_rounds, plan[c.T_ROUNDS] - r) * n
    store_where(block, plan[L_PILE], served, pile)
    store_where(block, plan[L_LEFT], served, pile)
    store_where(block, plan[L_TOPS], served, tops)
    store_where(block, plan[L_BASE], served, full_i16(n * plan[c.T_HAND] + r * n))
    store_where(block, plan[L_EPOCH], served, load_i8(block, plan[L_EPOCH]) + 1)
    store_where(block, plan[L_BOTTOM], served, full_i16(0))
    store_where(block, plan[L_COUNTS8] + C_RECYCLES, served, load_i8(block, plan[L_COUNTS8] + C_RECYCLES) + 1)
    planned = n * (plan[c.T_ROUNDS] - r)
    epoch_zero_tops = n * plan[c.T_HAND] + n * min(plan[c.T_ROUNDS], (plan[c.T_DECK] - n * plan[c.T_HAND]) // n)
    left_lanes = served
    while any_lane(left_lanes):
        lanes, counter = same_epoch(block, plan, left_lanes)
        left_lanes = left_lanes & ~lanes
        for k in range(epoch_zero_tops):
            if k < planned:
                rank = to_u8(below(block, 0, state, counter + k, to_u16(larger(pile - k, 1))))
                store_where(block, plan[L_RANKS] + k, lanes, select(tops > k, rank, full_u8(c.NO_CARD)))
            else:
                store_where(block, plan[L_RANKS] + k, lanes, full_u8(c.NO_CARD))
    write_tops(block, plan, served, plan[L_VISIBLE] + r * n, min(planned, epoch_zero_tops), book[B_EXCLUDED_ROWS])
    for j in range(book[B_EXTRA_ROWS]):
        decode_extra(block, state, plan, book, seats, j, served)
    return served


@jit
def same_epoch(block, plan, lanes):
    """Those of the lanes that are in the same pile number as the first of them, and that pile's first deck counter."""
    epoch = peek(block, plan[L_EPOCH], first_lane(lane_bits(lanes)))
    return lanes & (load_i8(block, plan[L_EPOCH]) == epoch), DECK + epoch * PER_PILE


@jit
def gather_held(block, plan, book, seats, r):
    """Copies hand cards and pot cards into the sorting rows (255 where there is none); gives the number of rows."""
    n = len(seats)
    row = plan[L_SORTING]
    for p in range(n):
        size = load_i8(block, plan[L_SIZE] + p)
        for i in range(book[p]):
            card = load_u8(block, plan[L_HAND_CARD] + p * plan[c.T_HAND_MAX] + i)
            store(block, row, select(size > i, card, full_u8(c.NO_CARD)))
            row += 1
    start = load_i8(block, plan[L_POT_START])
    width = 2 * n if plan[F_FUSE] != 0 else n
    for q in range(r):
        since = start <= q
        if any_lane(since):
            for i in range(width):
                card = load_u8(block, plan[L_POT_LOG] + q * 2 * n + i)
                store(block, row + i, select(since, card, full_u8(c.NO_CARD)))
            # few of a round's cards went to the pot: the empty rows come last and are dropped
            sort_rows(block, row, width)
            row += width
            while row > plan[L_SORTING] and not any_lane(load_u8(block, row - 1) != c.NO_CARD):
                row -= 1
    return row - plan[L_SORTING]


@jit
def decode_extra(block, state, plan, book, seats, j, lanes):
    """Decodes the j-th card from the bottom (0 = lowest) of the piles of some lanes into row j of the extras."""
    n = len(seats)
    behind = load_i16(block, plan[L_PILE]) - load_i16(block, plan[L_TOPS]) - j
    while any_lane(lanes):
        now, counter = same_epoch(block, plan, lanes)
        lanes = lanes & ~now
        rank = to_u8(below(block, 0, state, counter + PER_PILE - 1 - j, to_u16(larger(behind, 1))))
        store_where(block, plan[L_EXTRA_RANKS] + j, now, rank)
    tops = n * plan[c.T_HAND] + n * min(plan[c.T_ROUNDS], (plan[c.T_DECK] - n * plan[c.T_HAND]) // n)
    card = decode_one(
        block,
        load_u8(block, plan[L_EXTRA_RANKS] + j),
        plan[L_EXTRA_RANKS],
        j,
        plan[L_RANKS],
        tops,
        plan[L_EXCLUDED],
        book[B_EXCLUDED_ROWS],
    )
    store(block, plan[L_EXTRAS] + j, card)


@jit
def draw_extra(block, state, plan, book, seats, wanting):
    """T10: one card from the bottom for each wanting lane whose pile has one; gives (U8 cards, lanes that got one)."""
    left = load_i16(block, plan[L_LEFT])
    served = wanting & (left >= 1)
    bottom = load_i16(block, plan[L_BOTTOM])
    behind = load_i16(block, plan[L_PILE]) - load_i16(block, plan[L_TOPS])
    while any_lane(served & (bottom >= book[B_EXTRA_ROWS]) & (behind > book[B_EXTRA_ROWS])):
        book[B_EXTRA_ROWS] += 1
        decode_extra(block, state, plan, book, seats, book[B_EXTRA_ROWS] - 1, full(0) == 0)
    todo = lane_bits(served)
    while todo != np.uint64(0):
        lane = first_lane(todo)
        todo &= todo - ONE
        pile, tops, j = (
            read_u16(block, plan[L_PILE], lane),
            read_u16(block, plan[L_TOPS], lane),
            read_u16(block, plan[L_BOTTOM], lane),
        )
        planned = plan[L_CARDS] + read_u16(block, plan[L_BASE], lane) + pile - 1 - j
        row = plan[L_EXTRAS] + j if j < pile - tops else planned
        poke(block, plan[L_DRAWN], lane, peek(block, row, lane))
    store_where(block, plan[L_LEFT], served, left - 1)
    store_where(block, plan[L_BOTTOM], served, bottom + 1)
    return load_u8(block, plan[L_DRAWN]), served
