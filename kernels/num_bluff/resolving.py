"""The resolution ladder (rules 1-8) with every ruling, for 64 games at once and without branches on their state.

Branches here depend on rulings only. What the ladder decides is left as masks by seat (who keeps, what goes to the pot)
and a few lane values; moving.py carries it out.
"""

import numpy as np

from numbluff_sim.kernels.common.jit import inline
from numbluff_sim.kernels.common.lanes import (
    absolute,
    as_mask,
    full,
    full_number,
    lane_bits,
    load_i8,
    load_number,
    no_lane,
    ones,
    select,
    store,
    to_number,
    to_u8,
    within,
)
from numbluff_sim.kernels.common.streams import below
from numbluff_sim.kernels.num_bluff import codes as c
from numbluff_sim.kernels.num_bluff.cards import gap_to, is_classic
from numbluff_sim.kernels.num_bluff.layout import (
    L_GAP,
    L_HID_FAMILY,
    L_HID_PRINTED,
    L_HID_SLACK,
    L_LOW,
    L_ORDER,
    L_ROOM,
    L_VIS_FAMILY,
    L_VIS_PRINTED,
    L_VIS_SLACK,
    MASK_EXACT,
    MASK_FUSED,
    MASK_KEEP,
    MASK_MIROIR,
    MASK_SAME,
    MASK_TO_POT,
    RULES_AT,
)
from numbluff_sim.kernels.num_bluff.streams import PER_ROUND, TIES

NONE_YET = 127


@inline
def measure(block, state, plan, seats, zero, b):
    """Totals reached, family matches and the bluffer's total (C6-C8); gives (bluffer's total, does any seat's side
    hold a fusion).
    """
    n = len(seats)
    wild = plan[RULES_AT + c.R_WILD_ADJUSTS]
    anyone_fused = np.uint64(0)
    for p in range(n):
        low = load_number(block, plan[L_VIS_PRINTED] + 2 * p, zero) + load_number(
            block, plan[L_HID_PRINTED] + 2 * p, zero
        )
        if wild == c.WILD_HIDDEN:
            room = load_i8(block, plan[L_HID_SLACK] + p)
        elif wild == c.WILD_BOTH:
            room = load_i8(block, plan[L_HID_SLACK] + p) + load_i8(block, plan[L_VIS_SLACK] + p)
        else:
            room = full(0)
        store(block, plan[L_LOW] + 2 * p, low)
        store(block, plan[L_ROOM] + p, room)
        state[MASK_SAME + p] = lane_bits(
            load_i8(block, plan[L_VIS_FAMILY] + p) == load_i8(block, plan[L_HID_FAMILY] + p)
        )
        anyone_fused |= state[MASK_FUSED + p]
    lowest = load_number(block, plan[L_LOW] + 2 * b, zero)
    total = lowest
    if plan[RULES_AT + c.R_BLUFFER_WILD] == c.EVASIVE and wild != c.WILD_NONE:
        room = load_i8(block, plan[L_ROOM] + b)
        cards = 1 + (1 if state[MASK_FUSED + b] != np.uint64(0) else 0) + (1 if wild == c.WILD_BOTH else 0)
        fewest = full(NONE_YET)
        for step in range(cards * plan[c.T_MAX_REACH] + 1):
            hits = full(0)
            for k in range(1, n):
                p = (b + k) % n
                over = lowest + step - load_number(block, plan[L_LOW] + 2 * p, zero)
                hits = hits + ones(within(over, to_number(load_i8(block, plan[L_ROOM] + p), zero)))
            better = (hits < fewest) & (room >= step)
            fewest, total = select(better, hits, fewest), select(better, lowest + step, total)
    return total, anyone_fused != np.uint64(0)


@inline
def order_of_seats(block, state, plan, seats, r):
    """Writes the order that settles last ties: places 0.. clockwise from the bluffer's left, or random ones (ruling
    last_tie).
    """
    n = len(seats)
    if plan[RULES_AT + c.R_LAST_TIE] == c.LAST_RANDOM:
        for k in range(n - 1):
            place = below(block, 0, state, TIES + r * PER_ROUND + k, n - 1 - k)
            store(block, plan[L_ORDER] + k, to_u8(place))
        # decode from the last rank back, so that earlier rows still hold ranks
        for k in range(n - 2, -1, -1):
            place = load_i8(block, plan[L_ORDER] + k)
            for i in range(k - 1, -1, -1):
                place = place + ones(place >= load_i8(block, plan[L_ORDER] + i))
            store(block, plan[L_ORDER] + k, place)
    else:
        for k in range(n - 1):
            store(block, plan[L_ORDER] + k, full(k))


@inline
def tie_card(block, plan, zero, p):
    """The visible card's rank in a tie (rule 7): its value, or its signed value."""
    printed = load_number(block, plan[L_VIS_PRINTED] + 2 * p, zero)
    return absolute(printed) if plan[RULES_AT + c.R_TIE_VALUE] == c.TIE_PRINTED else printed


@inline
def earlier(plan, card, place, best_card, best_place):
    """Mask: wins a tie against the best so far (smaller visible card, then place).

    Seats come clockwise, so places matter under random last ties only.
    """
    wins = card < best_card
    if plan[RULES_AT + c.R_LAST_TIE] == c.LAST_RANDOM:
        wins = wins | ((card == best_card) & (place < best_place))
    return wins


@inline
def find_exact(block, state, plan, seats, zero, b, total):
    """Gaps, exact players, Miroirs and Frappes: (exact count I8, Miroir's winner, Frappe's winner, Frappe count I8,
    Miroir count I8); -1: nobody.
    """
    n = len(seats)
    family, side = load_i8(block, plan[L_VIS_FAMILY] + b), load_i8(block, plan[L_HID_FAMILY] + b)
    value, side_value = (
        load_number(block, plan[L_VIS_PRINTED] + 2 * b, zero),
        load_number(block, plan[L_HID_PRINTED] + 2 * b, zero),
    )
    mirrorable = is_classic(block, plan, family) & is_classic(block, plan, side) & ~as_mask(state[MASK_FUSED + b])
    if plan[RULES_AT + c.R_NO_MIROIR] != 0:
        mirrorable = no_lane()
    exact, frappes, miroirs = full(0), full(0), full(0)
    state[MASK_EXACT + b], state[MASK_MIROIR + b] = 0, 0
    miroir, miroir_card, miroir_place = full(c.NO_SEAT), full_number(NONE_YET, zero), full(NONE_YET)
    frappe, frappe_card, frappe_place = full(c.NO_SEAT), full_number(NONE_YET, zero), full(NONE_YET)
    for k in range(1, n):
        p = (b + k) % n
        f, g = load_i8(block, plan[L_VIS_FAMILY] + p), load_i8(block, plan[L_HID_FAMILY] + p)
        x, y = (
            load_number(block, plan[L_VIS_PRINTED] + 2 * p, zero),
            load_number(block, plan[L_HID_PRINTED] + 2 * p, zero),
        )
        fused = as_mask(state[MASK_FUSED + p])
        gap = gap_to(total, load_number(block, plan[L_LOW] + 2 * p, zero), load_i8(block, plan[L_ROOM] + p))
        store(block, plan[L_GAP] + 2 * p, gap)
        hit = gap == 0
        state[MASK_EXACT + p] = lane_bits(hit)
        exact = exact + ones(hit)
        card, place = tie_card(block, plan, zero, p), load_i8(block, plan[L_ORDER] + k - 1)
        qualifies = hit & as_mask(state[MASK_SAME + p])
        if plan[RULES_AT + c.R_FRAPPE_WITH_FUSION] == 0:
            qualifies = qualifies & ~fused
        if plan[RULES_AT + c.R_FRAPPE_EXACT] == c.EXACT_PRINTED:
            qualifies = qualifies & (x + y == total)
        first = qualifies & earlier(plan, card, place, frappe_card, frappe_place)
        frappe, frappe_card, frappe_place = (
            select(first, p, frappe),
            select(first, card, frappe_card),
            select(first, place, frappe_place),
        )
        frappes = frappes + ones(qualifies)
        mirrors = mirrorable & (((f == family) & (g == side)) | ((f == side) & (g == family))) & ~fused
        mirrors = mirrors & (((x == value) & (y == side_value)) | ((x == side_value) & (y == value)))
        state[MASK_MIROIR + p] = lane_bits(mirrors)
        first = mirrors & earlier(plan, card, place, miroir_card, miroir_place)
        miroir, miroir_card, miroir_place = (
            select(first, p, miroir),
            select(first, card, miroir_card),
            select(first, place, miroir_place),
        )
        miroirs = miroirs + ones(mirrors)
    return exact, miroir, frappe, frappes, miroirs


@inline
def find_closest(block, state, plan, seats, zero, b, some_fused):
    """The seat with the smallest gap (rules 4 and 7), -1 where nobody can be."""
    n = len(seats)
    closest, best = full(c.NO_SEAT), full_number(0, zero)
    best_card, best_place = full_number(0, zero), full(NONE_YET)
    for k in range(1, n):
        p = (b + k) % n
        gap = load_number(block, plan[L_GAP] + 2 * p, zero)
        card, place = tie_card(block, plan, zero, p), load_i8(block, plan[L_ORDER] + k - 1)
        first = (closest < 0) | (gap < best) | ((gap == best) & earlier(plan, card, place, best_card, best_place))
        if some_fused and plan[RULES_AT + c.R_FUSION_SCOPE] == c.SCOPE_EXACT_ONLY:
            # without rule 3 an exact fusion may be here, and it does not miss
            first = first & (~as_mask(state[MASK_FUSED + p]) | (gap == 0))
        closest, best = select(first, p, closest), select(first, gap, best)
        best_card, best_place = select(first, card, best_card), select(first, place, best_place)
    return closest


@inline
def find_farthest(block, state, plan, seats, zero, b, closest):
    """(seat with the largest gap, the closest set aside; mask: it is spared) (rules 5 and 7)."""
    n = len(seats)
    farthest, best, spared = full(c.NO_SEAT), full_number(0, zero), no_lane()
    best_card, best_place = full_number(0, zero), full(NONE_YET)
    for k in range(1, n):
        p = (b + k) % n
        gap = load_number(block, plan[L_GAP] + 2 * p, zero)
        card, place = tie_card(block, plan, zero, p), load_i8(block, plan[L_ORDER] + k - 1)
        first = (farthest < 0) | (gap > best) | ((gap == best) & earlier(plan, card, place, best_card, best_place))
        first = first & (closest != p)
        farthest, best = select(first, p, farthest), select(first, gap, best)
        best_card, best_place = select(first, card, best_card), select(first, place, best_place)
        one_family = as_mask(state[MASK_SAME + p])
        if plan[RULES_AT + c.R_SPARED_WITH_FUSION] == 0:
            one_family = one_family & ~as_mask(state[MASK_FUSED + p])
        elif plan[RULES_AT + c.R_FUSION_SCOPE] == c.SCOPE_EXACT_ONLY:
            one_family = one_family & (~as_mask(state[MASK_FUSED + p]) | (gap == 0))
        spared = (first & one_family) | (~first & spared)
    return farthest, spared


@inline
def bluffer_shares(block, plan, seats, b):
    """Mask: some card of another player has the family of one of the bluffer's cards (rule 6, bonus)."""
    n = len(seats)
    family, side = load_i8(block, plan[L_VIS_FAMILY] + b), load_i8(block, plan[L_HID_FAMILY] + b)
    shares = no_lane()
    for k in range(1, n):
        p = (b + k) % n
        f, g = load_i8(block, plan[L_VIS_FAMILY] + p), load_i8(block, plan[L_HID_FAMILY] + p)
        shares = shares | (f == family) | (f == side) | (g == family) | (g == side)
    return shares


@inline
def resolve(block, state, plan, seats, zero, r, b):
    """Settles the round of bluffer b: gives (event, taker, pot taker, closest, farthest, bluffer's total, exact count,
    Miroir count).

    All but the total are I8; taker: who takes the hidden sides that change hands; -1: nobody. Sets MASK_EXACT,
    MASK_MIROIR, MASK_KEEP and MASK_TO_POT of every seat: a hidden side that is neither kept nor for the pot goes to the
    taker, or, without one, to the discard. "Nobody" below is a round that rules 4 to 6 settle: nobody is exact, or rule
    3 is out.
    """
    n = len(seats)
    order_of_seats(block, state, plan, seats, r)
    total, some_fused = measure(block, state, plan, seats, zero, b)
    exact, miroir, frappe, frappes, miroirs = find_exact(block, state, plan, seats, zero, b, total)
    closest = find_closest(block, state, plan, seats, zero, b, some_fused)
    if plan[RULES_AT + c.R_NO_CLOSEST] != 0:
        closest = full(c.NO_SEAT)
    farthest, spared = find_farthest(block, state, plan, seats, zero, b, closest)
    if plan[RULES_AT + c.R_NO_EPARGNE] != 0:
        spared = no_lane()
    is_miroir = miroir >= 0
    is_frappe = ~is_miroir & (frappe >= 0)
    if plan[RULES_AT + c.R_NO_FRAPPE] != 0:
        is_frappe = no_lane()
    if plan[RULES_AT + c.R_SEVERAL_FRAPPES] == c.FRAPPES_SHARED:
        is_frappe = is_frappe & (frappes == 1)
    settled = is_miroir | is_frappe
    is_coup = ~settled & (exact == 1)
    is_coups = ~settled & (exact > 1)
    nobody = ~settled & (exact == 0)
    if plan[RULES_AT + c.R_NO_COUP] != 0:
        is_coup, is_coups, nobody = no_lane(), no_lane(), ~settled
    is_epargne = nobody & spared
    is_maitre = nobody & ~spared
    is_bonus = (
        is_maitre & ~bluffer_shares(block, plan, seats, b) if plan[RULES_AT + c.R_MASTER_BONUS] != 0 else no_lane()
    )
    event = select(is_miroir, full(c.MIROIR), select(is_frappe, full(c.FRAPPE), c.COUP))
    event = select(is_coups, c.COUPS, select(is_epargne, c.EPARGNE, event))
    event = select(is_bonus, c.BONUS, select(is_maitre, c.MAITRE, event))
    taker = select(is_miroir, miroir, select(is_frappe, frappe, c.NO_SEAT))
    taker = select(is_maitre, b, taker)
    for k in range(1, n):
        p = (b + k) % n
        hit = as_mask(state[MASK_EXACT + p])
        taker = select(is_coup & hit, p, taker)
        is_far = farthest == p
        keeps = (is_coups & hit) | (nobody & ((closest == p) | (is_far & spared)))
        feeds = (is_coups & ~hit) | (nobody & (closest != p) & ~is_far)
        state[MASK_KEEP + p], state[MASK_TO_POT + p] = lane_bits(keeps), lane_bits(feeds)
    bluffer_keeps, bluffer_feeds = nobody, no_lane()
    if plan[RULES_AT + c.R_SPARED_BLUFFER_CARD] == c.SPARED_DISCARD:
        bluffer_keeps = is_maitre
    if plan[RULES_AT + c.R_SEVERAL_BLUFFER_CARD] == c.BLUFFER_CARD_KEEP:
        bluffer_keeps = bluffer_keeps | is_coups
    elif plan[RULES_AT + c.R_SEVERAL_BLUFFER_CARD] == c.BLUFFER_CARD_POT:
        bluffer_feeds = is_coups
    state[MASK_KEEP + b], state[MASK_TO_POT + b] = lane_bits(bluffer_keeps), lane_bits(bluffer_feeds)
    pot_taker = select(settled, taker, select(is_bonus, full(b), c.NO_SEAT))
    none = full(c.NO_SEAT)
    return event, taker, pot_taker, select(nobody, closest, none), select(nobody, farthest, none), total, exact, miroirs
