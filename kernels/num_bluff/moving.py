"""What the ladder decided, carried out: the option, points, the pot, hands, refills (T6-T10, rules 3 and 8)."""

from numbluff_sim.kernels.common.jit import inline
from numbluff_sim.kernels.common.lanes import (
    absolute,
    any_lane,
    as_mask,
    count,
    full_i16,
    full_u8,
    lane_bits,
    load_i8,
    load_i16,
    load_number,
    load_u8,
    no_lane,
    ones,
    select,
    store,
    store_where,
    wide,
)
from numbluff_sim.kernels.num_bluff import codes as c
from numbluff_sim.kernels.num_bluff.choosing import persona_at
from numbluff_sim.kernels.num_bluff.hands import append_card, take_back
from numbluff_sim.kernels.num_bluff.layout import (
    C_LIES_FAMILY,
    C_LIES_TOTAL,
    C_MIROIR,
    C_ROUNDS,
    C_SEVERAL,
    F_FUSE,
    F_LIES,
    L_COUNTS8,
    L_COUNTS16,
    L_GAIN,
    L_HID_CARD,
    L_HID_CARD2,
    L_HID_POINTS,
    L_OPTION_CARD,
    L_POT,
    L_POT_CARDS,
    L_POT_LOG,
    L_POT_START,
    L_REFILL_CARD,
    L_SCORE,
    L_SIZE,
    L_VIS_PRINTED,
    MASK_BACK,
    MASK_EMPTY_DRAW,
    MASK_EXACT,
    MASK_FUSED,
    MASK_KEEP,
    MASK_OPTION,
    MASK_TO_POT,
    RULES_AT,
    W_EMPTY_HANDS,
    W_EXACT,
    W_FUSIONS,
    W_HONEST,
    W_LYING,
    W_OPTIONS,
    W_POT_WON,
    W_REFILLS,
)
from numbluff_sim.kernels.num_bluff.piles import draw_extra


@inline
def add_to(block, row, lanes):
    """Adds 1 to an I8 row in some lanes."""
    store(block, row, load_i8(block, row) + ones(lanes))


@inline
def add_wide(block, row, amount):
    """Adds to a 16-bit count (I8 and I16 amounts)."""
    store(block, row, load_i16(block, row) + amount)


@inline
def load_points(block, plan, zero, p):
    """I16: points of seat p's hidden side."""
    return wide(load_number(block, plan[L_HID_POINTS] + 2 * p, zero))


@inline
def fill_empty_hands(block, state, plan, book, seats, zero, b, played):
    """Whoever has no card to hide draws one (T7), the bluffer first."""
    n = len(seats)
    for k in range(n):
        p = (b + k) % n
        state[MASK_EMPTY_DRAW + p] = 0
        empty = played & (load_i8(block, plan[L_SIZE] + p) == 0)
        if any_lane(empty):
            add_wide(block, plan[L_COUNTS16] + 2 * W_EMPTY_HANDS, ones(empty))
            if plan[RULES_AT + c.R_EMPTY_HAND] == c.EMPTY_DRAW:
                card, served = draw_extra(block, state, plan, book, seats, empty)
                append_card(block, plan, book, zero, p, served, card)
                state[MASK_EMPTY_DRAW + p] = lane_bits(served)


@inline
def take_options(block, state, plan, book, seats, zero, r, b, several):
    """The Coup Precis option of several winners, clockwise from the bluffer (rule 3)."""
    n = len(seats)
    rounds_left = plan[c.T_ROUNDS] - 1 - r
    for k in range(1, n):
        p = (b + k) % n
        at = persona_at(p)
        state[MASK_OPTION + p] = 0
        if plan[at + c.P_OPTION_POINTS] >= 0 and rounds_left >= plan[at + c.P_OPTION_ROUNDS]:
            wants = (
                several
                & as_mask(state[MASK_EXACT + p])
                & (load_points(block, plan, zero, p) <= plan[at + c.P_OPTION_POINTS])
            )
            if any_lane(wants):
                card, served = draw_extra(block, state, plan, book, seats, wants)
                store(block, plan[L_OPTION_CARD] + p, card)
                add_wide(block, plan[L_COUNTS16] + 2 * W_OPTIONS, ones(served))
                state[MASK_OPTION + p] = lane_bits(served)
                state[MASK_KEEP + p] = lane_bits(as_mask(state[MASK_KEEP + p]) & ~served)
                state[MASK_TO_POT + p] = lane_bits(as_mask(state[MASK_TO_POT + p]) | served)
    state[MASK_OPTION + b] = 0


@inline
def move_points(block, state, plan, seats, zero, r, b, played, event, taker, pot_taker, lie, tracing):
    """Rules 1-6 and 8: scores, pot and pot log of the round; gives the points won from the pot (I16).

    event (EVENT codes), taker and pot_taker (seats, or NO_SEAT), lie (LIE_*): I8 lanes, as `resolve` and `announce`
    gave them; played: mask of the lanes whose game has this round.
    """
    n = len(seats)
    taken, fed, fed_cards = full_i16(0), full_i16(0), full_i16(0)
    changes_hands = taker >= 0
    # without a pot, what was meant for it lies in the discard
    into_pot = played if plan[RULES_AT + c.R_NO_POT] == 0 else no_lane()
    for p in range(n):
        points = load_points(block, plan, zero, p)
        keeps, leaves = as_mask(state[MASK_KEEP + p]) & played, as_mask(state[MASK_TO_POT + p])
        feeds = leaves & into_pot
        store(block, plan[L_GAIN] + 2 * p, select(keeps, points, 0))
        fed = fed + select(feeds, points, 0)
        taken = taken + select(changes_hands & ~keeps & ~leaves, points, 0)
        log = plan[L_POT_LOG] + r * 2 * n + p
        card = select(feeds, load_u8(block, plan[L_HID_CARD] + p), full_u8(c.NO_CARD))
        store(block, log, card)
        if tracing:
            fed_cards = fed_cards + ones(card != c.NO_CARD)
        if plan[F_FUSE] != 0:
            card = select(feeds, load_u8(block, plan[L_HID_CARD2] + p), full_u8(c.NO_CARD))
            store(block, log + n, card)
            if tracing:
                fed_cards = fed_cards + ones(card != c.NO_CARD)
    miroir = event == c.MIROIR
    if any_lane(miroir):
        for p in range(n):
            taken = taken + select(
                miroir & (taker != p), absolute(wide(load_number(block, plan[L_VIS_PRINTED] + 2 * p, zero))), 0
            )
    pot, won = load_i16(block, plan[L_POT]), pot_taker >= 0
    start = load_i8(block, plan[L_POT_START])
    if plan[RULES_AT + c.R_BONUS_POT] == c.POT_AFTER_FEED:
        won_points, pot_after, start_after = select(won, pot + fed, 0), select(won, full_i16(0), pot + fed), r + 1
    else:
        won_points, pot_after, start_after = select(won, pot, 0), select(won, fed, pot + fed), r
    store(block, plan[L_POT], pot_after)
    store(block, plan[L_POT_START], select(won, start_after, start))
    if tracing:
        cards = load_i16(block, plan[L_POT_CARDS])
        kept = fed_cards if plan[RULES_AT + c.R_BONUS_POT] == c.POT_BEFORE_FEED else full_i16(0)
        store(block, plan[L_POT_CARDS], select(won, kept, cards + fed_cards))
    taken = taken + won_points
    for p in range(n):
        gain = load_i16(block, plan[L_GAIN] + 2 * p) + select(taker == p, taken, 0)
        store(block, plan[L_GAIN] + 2 * p, gain)
        store(block, plan[L_SCORE] + 2 * p, load_i16(block, plan[L_SCORE] + 2 * p) + gain)
    add_wide(block, plan[L_COUNTS16] + 2 * W_POT_WON, won_points)
    gain = load_i16(block, plan[L_GAIN] + 2 * b)
    if plan[F_LIES] != 0:
        honest = lie == c.TRUTH
        add_wide(block, plan[L_COUNTS16] + 2 * W_HONEST, select(honest, gain, 0))
        add_wide(block, plan[L_COUNTS16] + 2 * W_LYING, select(honest, full_i16(0), gain))
        add_to(block, plan[L_COUNTS8] + C_LIES_TOTAL, played & (lie == c.LIE_TOTAL))
        add_to(block, plan[L_COUNTS8] + C_LIES_FAMILY, played & (lie == c.LIE_FAMILY))
    else:
        add_wide(block, plan[L_COUNTS16] + 2 * W_HONEST, gain)
    return won_points


@inline
def count_round(block, plan, played, event, exact, miroirs, round_events, r):
    """Event counts of the games and of this round number."""
    add_to(block, plan[L_COUNTS8] + C_ROUNDS, played)
    for e in range(c.EVENTS):
        happened = event == e
        add_to(block, plan[L_COUNTS8] + C_MIROIR + e, happened)
        round_events[r * c.EVENTS + e] += count(happened)
    add_wide(block, plan[L_COUNTS16] + 2 * W_EXACT, select(played, exact, 0))
    if any_lane(event == c.MIROIR):
        add_to(block, plan[L_COUNTS8] + C_SEVERAL, played & (miroirs > 1))


@inline
def move_cards(block, state, plan, book, seats, zero, r, b, played, event, taker):
    """T6: hands after the round, seat by seat from the bluffer: hidden out, visible back, option draw, refill."""
    n = len(seats)
    miroir = event == c.MIROIR
    for k in range(n):
        p = (b + k) % n
        back = ~miroir | (taker == p)
        state[MASK_BACK + p] = lane_bits(back & played)
        take_back(block, state, plan, book, seats, zero, r, p, played, back)
        if state[MASK_OPTION + p] != 0:
            append_card(
                block, plan, book, zero, p, as_mask(state[MASK_OPTION + p]), load_u8(block, plan[L_OPTION_CARD] + p)
            )
        if plan[F_FUSE] != 0:
            fused = as_mask(state[MASK_FUSED + p]) & played
            add_wide(block, plan[L_COUNTS16] + 2 * W_FUSIONS, ones(fused))
            if plan[RULES_AT + c.R_REFILL] != 0:
                store(block, plan[L_REFILL_CARD] + p, full_u8(c.NO_CARD))
                if any_lane(fused):
                    card, served = draw_extra(block, state, plan, book, seats, fused)
                    store_where(block, plan[L_REFILL_CARD] + p, served, card)
                    append_card(block, plan, book, zero, p, served, card)
                    add_wide(block, plan[L_COUNTS16] + 2 * W_REFILLS, ones(served))
