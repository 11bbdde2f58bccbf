"""The game loop: whole games of Perudo, 64 at a time, and the integer sums that are kept of every game.

The lanes are in the same round; a lane whose round or game is over is masked until the others are there too.
"""

from numbluff_sim.kernels.common.blocks import add_variable, lanes_between
from numbluff_sim.kernels.common.jit import entry, jit
from numbluff_sim.kernels.common.lanes import (
    any_lane,
    as_mask,
    full,
    full_i16,
    lane_bits,
    load_i8,
    load_i16,
    ones,
    pointer,
    select,
    store,
    store_where,
    to_i8,
    total,
    total_product,
    wide,
)
from numbluff_sim.kernels.common.streams import below, start_words
from numbluff_sim.kernels.perudo import codes as c
from numbluff_sim.kernels.perudo.bidding import set_caps
from numbluff_sim.kernels.perudo.challenging import settle
from numbluff_sim.kernels.perudo.choosing import decide
from numbluff_sim.kernels.perudo.details import add_game, add_rounds, scan_rounds
from numbluff_sim.kernels.perudo.layout import (
    D_CROSS,
    D_CROSS_SUMS,
    F_HEARD,
    F_HELD,
    L_BIDDER,
    L_BIDS,
    L_CHOSEN_FACE,
    L_CHOSEN_QUANTITY,
    L_DICE,
    L_FACE,
    L_FACES,
    L_HEARD,
    L_HELD,
    L_IN,
    L_NEXT,
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
    TAILS,
)
from numbluff_sim.kernels.perudo.rows import fill_game_row, fill_round_rows
from numbluff_sim.kernels.perudo.streams import DICE, DICE_PER_ROUND, DICE_PER_SEAT
from numbluff_sim.kernels.perudo.thinking import enter_solved, hear
from numbluff_sim.kernels.perudo.tracing import trace_challenge, trace_outcome, trace_start, trace_step


@jit
def start_block(block, state, plan, seats, seed, first_game):
    """Fresh games first_game .. first_game + 63."""
    n = len(seats)
    start_words(state, seed, first_game)
    state[MASK_FRESH] = 0
    for p in range(n):
        store(block, plan[L_DICE] + p, full(plan[c.T_DICE]))
        store(block, plan[L_PLACE] + p, full(0))
    for variable in range(c.VARIABLES + n):
        store(block, plan[L_VARIABLES] + 2 * variable, full_i16(0))
    store(block, plan[L_IN], full(n))
    store(block, plan[L_OPENER], full(plan[c.T_FIRST_OPENER]))
    store(block, plan[L_RULE], full(c.OPENS_FIRST))
    store(block, plan[L_ONES], full(0))
    for row in (plan[L_PALIFICO], plan[L_TO_ONE], plan[L_WEAKER]):
        store(block, row, full(c.NO_SEAT))


@jit
def roll(block, state, plan, seats, t):
    """All seats roll their dice (R2); a die that is not there shows 0."""
    each, total_dice = plan[c.T_DICE], full(0)
    for p in range(len(seats)):
        dice = load_i8(block, plan[L_DICE] + p)
        total_dice = total_dice + dice
        counter = DICE + t * DICE_PER_ROUND + p * DICE_PER_SEAT
        for die in range(each):
            there, row = dice > die, plan[L_FACES] + p * each + die
            if any_lane(there):
                store(block, row, select(there, to_i8(below(block, 0, state, counter + die, c.FACES)) + 1, 0))
            else:
                store(block, row, full(0))
    store(block, plan[L_TOTAL], total_dice)
    if plan[F_HELD] != 0:
        for p in range(len(seats)):
            for face in range(1, c.FACES + 1):
                held = full(0)
                for die in range(each):
                    held = held + ones(load_i8(block, plan[L_FACES] + p * each + die) == face)
                store(block, plan[L_HELD] + p * c.FACES + face - 1, held)


@jit
def start_round(block, state, plan, seats, tables, t):
    """Dice, the highest bids, who is next to whom."""
    n = len(seats)
    roll(block, state, plan, seats, t)
    set_caps(block, plan)
    following = full(0)
    for p in range(n - 1, -1, -1):
        following = select(load_i8(block, plan[L_DICE] + p) > 0, p, following)
    for p in range(n - 1, -1, -1):
        store(block, plan[L_NEXT] + p, following)
        following = select(load_i8(block, plan[L_DICE] + p) > 0, p, following)
    if plan[F_HEARD] != 0:
        for p in range(n):
            store(block, plan[L_HEARD] + 2 * p, full_i16(0))
        enter_solved(block, plan, tables)
    store(block, plan[L_TURN], load_i8(block, plan[L_OPENER]))
    store(block, plan[L_QUANTITY], full(0))
    store(block, plan[L_FACE], full(0))


@jit
def bid(block, state, plan, seats, tables, t, playing, trace, at, tracing):
    """The bids of round t, until every lane has its challenge."""
    n, s, bidding = len(seats), 0, playing
    while any_lane(bidding):
        challenges, quantity, face = decide(block, state, plan, seats, tables, t, s, bidding)
        turn, raises = load_i8(block, plan[L_TURN]), bidding & ~challenges
        store_where(block, plan[L_BIDS], bidding & challenges, full_i16(s))
        if plan[F_HEARD] != 0:
            store(block, plan[L_CHOSEN_QUANTITY], quantity)
            store(block, plan[L_CHOSEN_FACE], face)
            hear(block, plan, tables, lane_bits(raises))
        following = full(0)
        for p in range(n):
            following = select(turn == p, load_i8(block, plan[L_NEXT] + p), following)
        store_where(block, plan[L_QUANTITY], raises, quantity)
        store_where(block, plan[L_FACE], raises, face)
        store_where(block, plan[L_BIDDER], raises, turn)
        store_where(block, plan[L_TURN], raises, following)
        if tracing:
            trace_step(trace, plan, seats, at, s, raises, quantity, face)
        bidding, s = raises, s + 1


@jit
def finish(block, plan, seats):
    """The variables that are known at the end of a game."""
    n = len(seats)
    to_one, came, weaker = load_i8(block, plan[L_TO_ONE]), load_i8(block, plan[L_ONES]), load_i8(block, plan[L_WEAKER])
    winner, dice = full(0), full(0)
    for p in range(n):
        wins = load_i8(block, plan[L_DICE] + p) > 0
        winner, dice = select(wins, p, winner), dice + load_i8(block, plan[L_DICE] + p)
        store_where(block, plan[L_PLACE] + p, wins, full(1))
        store(block, plan[L_VARIABLES] + 2 * (c.VARIABLES + p), wide(ones(wins)))
    from_one = full(0)
    for p in range(n - 1, -1, -1):
        # the bits of who came to one die, highest first
        has = came >= 1 << p
        from_one, came = select(has & (winner == p), 1, from_one), select(has, came - (1 << p), came)
    store(block, plan[L_VARIABLES] + 2 * c.V_TO_ONE, wide(ones(to_one >= 0)))
    store(block, plan[L_VARIABLES] + 2 * c.V_COMEBACK, wide(ones((to_one >= 0) & (to_one == winner))))
    store(block, plan[L_VARIABLES] + 2 * c.V_WON_FROM_ONE, wide(from_one))
    store(block, plan[L_VARIABLES] + 2 * c.V_WINNER_DICE, wide(dice))
    store(block, plan[L_VARIABLES] + 2 * c.V_WEAKER_WON, wide(ones((weaker >= 0) & (weaker == winner))))


@jit
def add_moments(block, plan, seats, mine, moments):
    """Adds the per-game variables of the games `mine`."""
    rounds = select(mine, load_i16(block, plan[L_VARIABLES] + 2 * c.V_ROUNDS), 0)
    for variable in range(c.VARIABLES + len(seats)):
        value = select(mine, load_i16(block, plan[L_VARIABLES] + 2 * variable), 0)
        add_variable(moments, variable, value, rounds)


@jit
def add_cross(block, plan, seats, mine, details):
    """Adds all products of two per-game variables of the games `mine`."""
    variables = c.VARIABLES + len(seats)
    for i in range(variables):
        first = select(mine, load_i16(block, plan[L_VARIABLES] + 2 * i), 0)
        details[plan[D_CROSS_SUMS] + i] += total(first)
        for j in range(variables):
            details[plan[D_CROSS] + i * variables + j] += total_product(
                first, load_i16(block, plan[L_VARIABLES] + 2 * j)
            )


@entry
def play(
    seats, plan, tables, block, state, work, seed, first_game, games, moments, details, trace, game_rows, round_rows
):
    """Plays games first_game .. first_game + games - 1 and adds their sums.

    seats: tuple of N zeros (its length specialises the kernel); plan int64 and tables: see layout.py. block uint8
    (rows, 64), state uint64, work int64: memory to work in, see layout.py. moments int64 (3, variables): added to for
    every game; details int64, flat (the plan says where each field starts): for detail blocks. trace uint8 (blocks,
    rounds * fields, 64): one block, through which the traces pass, or one for every block touched, then all are kept.
    game_rows int32 (games * fields,) and round_rows int32 (games * rounds * fields,) are filled if they are not empty;
    every block is traced if there are game rows, else the detail blocks.
    """
    n = len(seats)
    block, state, facts = pointer(block), pointer(state), pointer(plan)
    tables = (
        pointer(tables[0]),
        pointer(tables[1]),
        pointer(tables[2]),
        pointer(tables[3]),
        pointer(tables[4]),
        pointer(tables[5]),
        pointer(tables[6]),
        pointer(tables[7]),
        pointer(tables[8]),
        pointer(tables[9]),
        pointer(tables[10]),
        pointer(tables[11]),
        pointer(tables[12]),
    )
    details, work = pointer(details), pointer(work)
    kept, rounds_kept = len(game_rows) > 0, len(round_rows) > 0
    game_rows, round_rows = pointer(game_rows), pointer(round_rows)
    rounds, fields = plan[c.T_ROUNDS], plan[c.T_FIELDS]
    for at in range(first_game // 64, (first_game + games + 63) // 64):
        low, high = max(first_game - at * 64, 0), min(first_game + games - at * 64, 64)
        mine = as_mask(lanes_between(low, high))
        detailed = at % plan[c.T_DETAIL_EVERY] == 0
        tracing = kept or detailed
        traced = pointer(trace[at - first_game // 64 if len(trace) > 1 else 0])
        start_block(block, state, facts, seats, seed, at * 64)
        playing, t = mine, 0
        while any_lane(playing):
            start_round(block, state, facts, seats, tables, t)
            if tracing:
                trace_start(traced, block, facts, seats, t * fields, playing)
            bid(block, state, facts, seats, tables, t, playing, traced, t * fields, tracing)
            if tracing:
                trace_challenge(traced, block, facts, seats, t * fields)
            settled = settle(block, state, facts, seats, t, playing)
            if tracing:
                trace_outcome(traced, block, facts, seats, t * fields, settled)
            playing = playing & (load_i8(block, facts[L_IN]) > 1)
            t += 1
        if tracing:
            for r in range(t, rounds):
                store(traced, r * fields + c.TR_PLAYED, full(0))
        finish(block, facts, seats)
        add_moments(block, facts, seats, mine, moments)
        if detailed:
            add_cross(block, facts, seats, mine, details)
        if tracing:
            first_row = at * 64 + low - first_game
            for lane in range(low, high):
                scan_rounds(traced, facts, n, tables[TAILS], lane, work)
                if detailed:
                    add_rounds(traced, block, facts, n, lane, details)
                    add_game(traced, block, facts, n, lane, details, work)
                if kept:
                    fill_game_row(traced, block, facts, n, lane, game_rows, first_row + lane - low)
                if rounds_kept:
                    fill_round_rows(traced, facts, n, lane, work, round_rows, (first_row + lane - low) * rounds)
