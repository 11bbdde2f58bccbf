"""Hands in lanes: starting hands, adding and laying cards, and what happens to them after a round
(docs/games/num_bluff/PLAY.md section 3).

A hand is a list in slots 0 .. size - 1; each slot keeps the card's id and what it means (family, printed total, slack),
so that choosing decodes nothing. `book[p]` bounds seat p's hand size over all lanes.
"""

from numbluff_sim.kernels.common.jit import inline, jit
from numbluff_sim.kernels.common.lanes import (
    absolute,
    any_lane,
    as_mask,
    count,
    full,
    full_number,
    full_u8,
    lane_bits,
    load_i8,
    load_number,
    load_u8,
    ones,
    select,
    store,
    store_where,
)
from numbluff_sim.kernels.num_bluff import codes as c
from numbluff_sim.kernels.num_bluff.cards import decode
from numbluff_sim.kernels.num_bluff.layout import (
    F_FUSE,
    L_CARDS,
    L_HAND_CARD,
    L_HAND_FAMILY,
    L_HAND_PRINTED,
    L_HAND_SLACK,
    L_HID_CARD,
    L_HID_CARD2,
    L_HID_FAMILY,
    L_HID_POINTS,
    L_HID_PRINTED,
    L_HID_SLACK,
    L_SIZE,
    L_SLOT,
    L_SLOT2,
    L_VIS_FAMILY,
    L_VIS_PRINTED,
    L_VIS_SLACK,
    L_VISIBLE,
    MASK_FUSED,
    MASK_HIDES,
)


@jit
def starting_hands(block, plan, book, seats, zero):
    """S1: T_HAND cards a seat from the dealt rows."""
    hand = plan[c.T_HAND]
    for p in range(len(seats)):
        for i in range(hand):
            card = load_u8(block, plan[L_CARDS] + p * hand + i)
            family, printed, slack = decode(block, plan, zero, card)
            write_slot(block, plan, p * plan[c.T_HAND_MAX] + i, full(0) == 0, card, family, printed, slack)
        store(block, plan[L_SIZE] + p, full(hand))
        book[p] = hand


@inline
def show_cards(block, plan, seats, zero, r):
    """Decodes the round's visible cards into the seats' rows."""
    n = len(seats)
    for p in range(n):
        family, printed, slack = decode(block, plan, zero, load_u8(block, plan[L_VISIBLE] + r * n + p))
        store(block, plan[L_VIS_FAMILY] + p, family)
        store(block, plan[L_VIS_PRINTED] + 2 * p, printed)
        store(block, plan[L_VIS_SLACK] + p, slack)


@inline
def write_slot(block, plan, at, lanes, card, family, printed, slack):
    """Puts a card into hand slot number `at` (seat * HAND_MAX + slot) of some lanes."""
    store_where(block, plan[L_HAND_CARD] + at, lanes, card)
    store_where(block, plan[L_HAND_FAMILY] + at, lanes, family)
    store_where(block, plan[L_HAND_PRINTED] + 2 * at, lanes, printed)
    store_where(block, plan[L_HAND_SLACK] + at, lanes, slack)


@jit
def copy_slot(block, plan, zero, source, target, lanes):
    """Copies hand slot number `source` to `target` in some lanes."""
    write_slot(
        block,
        plan,
        target,
        lanes,
        load_u8(block, plan[L_HAND_CARD] + source),
        load_i8(block, plan[L_HAND_FAMILY] + source),
        load_number(block, plan[L_HAND_PRINTED] + 2 * source, zero),
        load_i8(block, plan[L_HAND_SLACK] + source),
    )


@jit
def append_card(block, plan, book, zero, p, lanes, card):
    """Appends a card to seat p's hand in some lanes."""
    if not any_lane(lanes):
        return
    family, printed, slack = decode(block, plan, zero, card)
    size = load_i8(block, plan[L_SIZE] + p)
    longest = 0
    for i in range(min(book[p] + 1, plan[c.T_HAND_MAX])):
        here = lanes & (size == i)
        if any_lane(here):
            write_slot(block, plan, p * plan[c.T_HAND_MAX] + i, here, card, family, printed, slack)
            longest = i + 1
    book[p] = max(book[p], longest)
    store(block, plan[L_SIZE] + p, size + ones(lanes))


@inline
def lay(block, state, plan, book, zero, p, slot, slot2, nothing):
    """Seat p lays slot `slot` and, where slot2 >= 0, fuses it with slot2; `nothing` (I8) is the family code where
    there is no card to hide.
    """
    first = p * plan[c.T_HAND_MAX]
    hides = load_i8(block, plan[L_SIZE] + p) > 0
    slot = select(hides, slot, -1)
    card, family, slack = full_u8(c.NO_CARD), nothing, full(0)
    printed = full_number(0, zero)
    for i in range(book[p]):
        here = slot == i
        card = select(here, load_u8(block, plan[L_HAND_CARD] + first + i), card)
        family = select(here, load_i8(block, plan[L_HAND_FAMILY] + first + i), family)
        printed = select(here, load_number(block, plan[L_HAND_PRINTED] + 2 * (first + i), zero), printed)
        slack = select(here, load_i8(block, plan[L_HAND_SLACK] + first + i), slack)
    points = absolute(printed)
    fused = slot2 >= 0
    if plan[F_FUSE] != 0:
        card2 = full_u8(c.NO_CARD)
        for i in range(1, book[p]):
            here = slot2 == i
            card2 = select(here, load_u8(block, plan[L_HAND_CARD] + first + i), card2)
            second = select(
                here, load_number(block, plan[L_HAND_PRINTED] + 2 * (first + i), zero), full_number(0, zero)
            )
            printed = printed + second
            points = points + absolute(second)
            slack = slack + select(here, load_i8(block, plan[L_HAND_SLACK] + first + i), 0)
        store(block, plan[L_HID_CARD2] + p, card2)
        store(block, plan[L_SLOT2] + p, slot2)
    store(block, plan[L_SLOT] + p, slot)
    store(block, plan[L_HID_CARD] + p, card)
    store(block, plan[L_HID_FAMILY] + p, family)
    store(block, plan[L_HID_PRINTED] + 2 * p, printed)
    store(block, plan[L_HID_SLACK] + p, slack)
    store(block, plan[L_HID_POINTS] + 2 * p, points)
    state[MASK_FUSED + p] = lane_bits(fused)
    state[MASK_HIDES + p] = lane_bits(hides)
    return count(fused)


@inline
def take_back(block, state, plan, book, seats, zero, r, p, played, back):
    """Seat p's hand after the round: hidden cards leave, the visible card returns in the lanes of `back`."""
    n, slots = len(seats), plan[c.T_HAND_MAX]
    first = p * slots
    size = load_i8(block, plan[L_SIZE] + p)
    slot = load_i8(block, plan[L_SLOT] + p)
    hides = as_mask(state[MASK_HIDES + p]) & played
    if plan[F_FUSE] != 0:
        fused = as_mask(state[MASK_FUSED + p]) & played
        slot2 = load_i8(block, plan[L_SLOT2] + p)
        if any_lane(fused):
            size = close_gap(block, plan, book, zero, p, fused, slot2, size)
    card = load_u8(block, plan[L_VISIBLE] + r * n + p)
    family, slack = load_i8(block, plan[L_VIS_FAMILY] + p), load_i8(block, plan[L_VIS_SLACK] + p)
    printed = load_number(block, plan[L_VIS_PRINTED] + 2 * p, zero)
    replaced = hides & back
    for i in range(book[p]):
        write_slot(block, plan, first + i, replaced & (slot == i), card, family, printed, slack)
    lost = hides & ~back
    if any_lane(lost):
        size = close_gap(block, plan, book, zero, p, lost, slot, size)
    store(block, plan[L_SIZE] + p, size)
    append_card(block, plan, book, zero, p, played & back & ~hides, card)


@jit
def close_gap(block, plan, book, zero, p, lanes, slot, size):
    """Moves the last card of seat p's hand to `slot` in some lanes; gives the new sizes."""
    first = p * plan[c.T_HAND_MAX]
    for last in range(book[p]):
        ends = lanes & (size == last + 1)
        if any_lane(ends):
            for i in range(last):
                copy_slot(block, plan, zero, first + last, first + i, ends & (slot == i))
    return size - ones(lanes)
