"""A challenge and what follows from it, in lanes: the count, the cups, dice lost, who is out, who opens the next
round (R8-R19).
"""

from numbluff_sim.kernels.common.jit import jit
from numbluff_sim.kernels.common.lanes import (
    absolute,
    any_lane,
    as_mask,
    full,
    lane_bits,
    larger,
    load_i8,
    load_i16,
    no_lane,
    ones,
    select,
    smaller,
    store,
    store_where,
    wide,
)
from numbluff_sim.kernels.common.streams import below
from numbluff_sim.kernels.perudo import codes as c
from numbluff_sim.kernels.perudo.layout import (
    L_BIDDER,
    L_BIDS,
    L_DICE,
    L_FACE,
    L_FACES,
    L_GONE,
    L_HAD,
    L_IN,
    L_MATCHES,
    L_ONES,
    L_OPENER,
    L_PALIFICO,
    L_PLACE,
    L_QUANTITY,
    L_RULE,
    L_TO_ONE,
    L_TOTAL,
    L_TURN,
    L_VARIABLES,
    L_WEAKER,
    MASK_FRESH,
    RULES_AT,
)
from numbluff_sim.kernels.perudo.streams import TIES


@jit
def add_to(block, plan, variable, value):
    """Adds an I8 or I16 to a variable of the game."""
    row = plan[L_VARIABLES] + 2 * variable
    store(block, row, load_i16(block, row) + wide(value))


@jit
def count_matches(block, plan, seats):
    """Each seat's dice that match the bid, into their rows; I8 their sum (R8, R17)."""
    face, total = load_i8(block, plan[L_FACE]), full(0)
    joker = (load_i8(block, plan[L_PALIFICO]) < 0) & (face < c.STAR)
    for p in range(len(seats)):
        mine = full(0)
        for die in range(plan[c.T_DICE]):
            shown = load_i8(block, plan[L_FACES] + p * plan[c.T_DICE] + die)
            mine = mine + ones((shown == face) | (joker & (shown == c.STAR)))
        store(block, plan[L_MATCHES] + p, mine)
        total = total + mine
    return total


@jit
def cup(block, plan, seats, k):
    """The cup in place k when cups are lifted, the bidder's in place 0 (R19): I8 seat, matching dice, dice under it."""
    n, bidder = len(seats), load_i8(block, plan[L_BIDDER])
    # with the cups of the seats that are out, the challenger's is the last one either way round, or the second one
    seat = bidder + k if plan[RULES_AT + c.R_LIFT_DIRECTION] == c.LIFT_LEFT else bidder - k
    seat = select(seat < 0, seat + n, select(seat >= n, seat - n, seat))
    mine, dice = full(0), full(0)
    for p in range(n):
        here = seat == p
        mine, dice = (
            select(here, load_i8(block, plan[L_MATCHES] + p), mine),
            select(here, load_i8(block, plan[L_DICE] + p), dice),
        )
    return seat, mine, dice


@jit
def lift_cups(block, plan, seats):
    """Cups lifted one by one from the bidder's on, until the bid is proved (R19): (I8 cups, I8 dice under them)."""
    needed = load_i8(block, plan[L_QUANTITY])
    cups, shown, found = full(0), full(0), full(0)
    for k in range(len(seats)):
        _, mine, dice = cup(block, plan, seats, k)
        lifted = (found < needed) & (dice > 0)
        cups, shown, found = cups + ones(lifted), shown + select(lifted, dice, 0), found + select(lifted, mine, 0)
    return cups, shown


@jit
def lose_dice(block, plan, seats, playing, count, loser):
    """Takes the lost dice away, gives places to who is out: (I8 dice lost, I8 seats out as bits, mask of lanes in
    which somebody is out).
    """
    n = len(seats)
    bidder, quantity, players_in = (
        load_i8(block, plan[L_BIDDER]),
        load_i8(block, plan[L_QUANTITY]),
        load_i8(block, plan[L_IN]),
    )
    all_but_bidder = no_lane()
    penalty = full(1)
    if plan[RULES_AT + c.R_DICE_LOST] == c.LOSE_DIFFERENCE:
        all_but_bidder, penalty = count == quantity, absolute(count - quantity)
    lost, out, left, earliest, to_one = full(0), full(0), players_in, full(127), full(c.NO_SEAT)
    ones_before = load_i8(block, plan[L_ONES])
    for p in range(n):
        dice = load_i8(block, plan[L_DICE] + p)
        gone = select(all_but_bidder, ones((dice > 0) & ~(bidder == p)), smaller(select(loser == p, penalty, 0), dice))
        gone = select(playing, gone, 0)
        left_dice = dice - gone
        store(block, plan[L_DICE] + p, left_dice)
        is_out = (gone > 0) & (left_dice == 0)
        store(block, plan[L_GONE] + p, ones(is_out))
        lost, out, left = lost + gone, out + select(is_out, full(1 << p), 0), left - ones(is_out)
        came = (gone > 0) & (left_dice == 1)
        steps = select(bidder > p, p - bidder + n, p - bidder)
        first = came & (steps < earliest)
        to_one, earliest = select(first, p, to_one), select(first, steps, earliest)
        ones_before = ones_before + select(came, full(1 << p), 0)
    store(block, plan[L_ONES], ones_before)
    store_where(block, plan[L_TO_ONE], load_i8(block, plan[L_TO_ONE]) < 0, to_one)
    some_out = ~(out == 0)
    if any_lane(some_out):
        set_places(block, plan, seats, players_in)
    store(block, plan[L_IN], left)
    return lost, out, some_out


@jit
def set_places(block, plan, seats, players_in):
    """Who is out takes the last place that is free; of several, clockwise from the bidder, the first takes the last."""
    n = len(seats)
    bidder, place = load_i8(block, plan[L_BIDDER]), players_in
    for k in range(n):
        seat = bidder + k
        seat = select(seat >= n, seat - n, seat)
        for p in range(n):
            here = (seat == p) & (load_i8(block, plan[L_GONE] + p) > 0)
            store_where(block, plan[L_PLACE] + p, here, place)
            place = place - ones(here)


@jit
def neighbour(block, plan, seats, seat, step):
    """I8: the next seat in, clockwise from `seat` (step 1) or the other way (step -1)."""
    n = len(seats)
    found, nearest = seat, full(127)
    for p in range(n):
        away = (p - seat) * step
        away = select(away <= 0, away + n, away)
        better = (load_i8(block, plan[L_DICE] + p) > 0) & (away < nearest)
        found, nearest = select(better, p, found), select(better, away, nearest)
    return found


@jit
def next_opener(block, state, plan, seats, t, playing, loser, other, before, some_out):
    """Who opens the next round and why, and whether it is a Palifico round (R12-R16); `before`: players in before the
    challenge.

    Also who has fewer dice where three have just become two (lanes of MASK_FRESH).
    """
    players_in, dice = load_i8(block, plan[L_IN]), full(0)
    for p in range(len(seats)):
        dice = select(loser == p, load_i8(block, plan[L_DICE] + p), dice)
    by_winner = plan[RULES_AT + c.R_STARTER_NORMAL] == c.STARTER_WINNER
    opener, rule = loser, full(c.OPENS_LOSER)
    if by_winner:
        winner_opens = ~(players_in == 2) if plan[RULES_AT + c.R_HOUSE_RULE_START] != 0 else playing
        opener, rule = select(winner_opens, other, loser), select(winner_opens, full(c.OPENS_WINNER), c.OPENS_LOSER)
    palifico = no_lane()
    if plan[RULES_AT + c.R_PALIFICO] != 0:
        palifico = (dice == 1) & (load_i8(block, plan[L_HAD]) > 1) & ~some_out
        if plan[RULES_AT + c.R_PALIFICO_TWO_PLAYERS] == 0:
            palifico = palifico & (players_in > 2)
        opener, rule = select(palifico, loser, opener), select(palifico, c.OPENS_PALIFICO, rule)
    fresh = no_lane()
    if any_lane(some_out):
        fresh = playing & (before == 3) & (players_in == 2)
        after_out, why = opener_after_out(block, state, plan, seats, t, loser, fresh)
        opener, rule = select(some_out, after_out, opener), select(some_out, why, rule)
    state[MASK_FRESH] = lane_bits(fresh)
    store_where(block, plan[L_OPENER], playing, opener)
    store_where(block, plan[L_RULE], playing, rule)
    store_where(block, plan[L_PALIFICO], playing, select(palifico, loser, c.NO_SEAT))


@jit
def opener_after_out(block, state, plan, seats, t, loser, fresh):
    """Who opens after an elimination and why (R13, R14); sets who is the weaker of two where `fresh`: (I8 seat, I8
    OPENS_*).
    """
    left = neighbour(block, plan, seats, loser, 1)
    least, most, weaker = full(127), full(0), full(0)
    for p in range(len(seats)):
        dice = load_i8(block, plan[L_DICE] + p)
        fewer = (dice > 0) & (dice < least)
        weaker, least, most = select(fewer, p, weaker), select(fewer, dice, least), larger(most, dice)
    even = least == most
    store_where(block, plan[L_WEAKER], fresh, select(even, c.NO_SEAT, weaker))
    add_to(block, plan, c.V_WEAKER, ones(fresh & ~even))
    add_to(block, plan, c.V_EVEN_TWO, ones(fresh & even))
    opener, why = left, full(c.OPENS_LEFT)
    if plan[RULES_AT + c.R_HOUSE_RULE_START] != 0 and plan[RULES_AT + c.R_HOUSE_RULE_FEWER] != 0:
        to_the_left = even
        if plan[RULES_AT + c.R_TIE_3TO2] == c.TIE_RIGHT:
            to_the_left = no_lane()
        elif plan[RULES_AT + c.R_TIE_3TO2] == c.TIE_RANDOM:
            to_the_left = below(block, 0, state, TIES + t, 2) == 0
        of_even = select(to_the_left, left, neighbour(block, plan, seats, loser, -1))
        opener = select(fresh, select(even, of_even, weaker), left)
        why = select(fresh, select(even, full(c.OPENS_TIE), c.OPENS_FEWER), c.OPENS_LEFT)
    add_to(block, plan, c.V_WEAKER_OPENED, ones(fresh & ~even & (opener == weaker)))
    return opener, why


@jit
def settle(block, state, plan, seats, t, playing):
    """Settles the challenge of the lanes `playing` in round t and prepares their next round.

    I8 each: count, loser, dice lost, cups lifted, dice shown, seats out as bits.
    """
    count = count_matches(block, plan, seats)
    bidder, challenger, opener = (
        load_i8(block, plan[L_BIDDER]),
        load_i8(block, plan[L_TURN]),
        load_i8(block, plan[L_OPENER]),
    )
    true = count >= load_i8(block, plan[L_QUANTITY])
    loser, other = select(true, challenger, bidder), select(true, bidder, challenger)
    cups, shown = lift_cups(block, plan, seats)
    before, had = load_i8(block, plan[L_IN]), full(0)
    for p in range(len(seats)):
        had = select(loser == p, load_i8(block, plan[L_DICE] + p), had)
    store(block, plan[L_HAD], had)
    palifico, weaker = load_i8(block, plan[L_PALIFICO]), load_i8(block, plan[L_WEAKER])
    add_to(block, plan, c.V_ROUNDS, ones(playing))
    add_to(block, plan, c.V_BIDS, select(playing, load_i16(block, plan[L_BIDS]), 0))
    add_to(block, plan, c.V_BID_TRUE, ones(playing & true))
    add_to(block, plan, c.V_OPENER_LOST, ones(playing & (opener == loser)))
    add_to(block, plan, c.V_OPENER_WON, ones(playing & (opener == other)))
    add_to(block, plan, c.V_PALIFICO_ROUNDS, ones(playing & (palifico >= 0)))
    add_to(block, plan, c.V_PALIFICO_LOST, ones(playing & (palifico >= 0) & (palifico == loser)))
    add_to(block, plan, c.V_CUPS_LIFTED, select(playing, cups, 0))
    add_to(block, plan, c.V_CUPS, select(playing, before, 0))
    add_to(block, plan, c.V_DICE_SHOWN, select(playing, shown, 0))
    add_to(block, plan, c.V_DICE, select(playing, load_i8(block, plan[L_TOTAL]), 0))
    add_to(block, plan, c.V_IDLE, select(playing, len(seats) - before, 0))
    add_to(
        block,
        plan,
        c.V_WEAKER_WON_ROUND,
        ones(playing & as_mask(state[MASK_FRESH]) & (weaker >= 0) & ~(weaker == loser)),
    )
    lost, out, some_out = lose_dice(block, plan, seats, playing, count, loser)
    next_opener(block, state, plan, seats, t, playing, loser, other, before, some_out)
    return count, loser, lost, cups, shown, out
