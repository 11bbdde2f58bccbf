"""The game loop: whole games of NUM BLUFF, 64 at a time, and the integer sums that are kept of every game."""

import numpy as np

from numbluff_sim.kernels.common.blocks import add_variable, lanes_between
from numbluff_sim.kernels.common.jit import entry, jit
from numbluff_sim.kernels.common.lanes import (
    any_lane,
    as_mask,
    count,
    full,
    full_i16,
    lane_bits,
    larger,
    load_i8,
    load_i16,
    load_number,
    no_lane,
    ones,
    peek,
    pointer,
    select,
    store,
    wide,
)
from numbluff_sim.kernels.common.streams import read_u16, start_words
from numbluff_sim.kernels.num_bluff import codes as c
from numbluff_sim.kernels.num_bluff.announcing import announce, named_card, seen_in_hand, seen_on_table
from numbluff_sim.kernels.num_bluff.cards import is_classic
from numbluff_sim.kernels.num_bluff.choosing import bluffer_side, completing_card, other_side, persona_at
from numbluff_sim.kernels.num_bluff.details import add_details
from numbluff_sim.kernels.num_bluff.hands import lay, show_cards, starting_hands
from numbluff_sim.kernels.num_bluff.layout import (
    BYTE_VARIABLES,
    C_BONUS,
    C_MIROIR,
    C_ROUNDS,
    COUNTS8,
    COUNTS16,
    F_LISTENS,
    L_COUNTS8,
    L_COUNTS16,
    L_HID_FAMILY,
    L_HID_PRINTED,
    L_POT,
    L_POT_CARDS,
    L_POT_START,
    L_SCORE,
    L_VIS_FAMILY,
    L_VIS_PRINTED,
    MASK_DISPROVED,
    MASK_FUSED,
    MASK_HIDES,
    WIDE_VARIABLES,
)
from numbluff_sim.kernels.num_bluff.moving import count_round, fill_empty_hands, move_cards, move_points, take_options
from numbluff_sim.kernels.num_bluff.piles import first_pile, serve_round
from numbluff_sim.kernels.num_bluff.resolving import resolve
from numbluff_sim.kernels.num_bluff.tracing import trace_pot_before, trace_round


@jit
def choose_sides(block, state, plan, book, seats, zero, r, b):
    """Everybody's hidden side and the bluffer's announcement: (printed total, announced total, announced family,
    lie).
    """
    n = len(seats)
    slot, slot2 = bluffer_side(block, state, plan, book, seats, zero, r, b)
    lay(block, state, plan, book, zero, b, slot, slot2, full(c.NO_FAMILY_BLUFFER))
    family, printed = load_i8(block, plan[L_VIS_FAMILY] + b), load_number(block, plan[L_VIS_PRINTED] + 2 * b, zero)
    side_family, side = load_i8(block, plan[L_HID_FAMILY] + b), load_number(block, plan[L_HID_PRINTED] + 2 * b, zero)
    printed_total = printed + side
    announced, announced_family, lie = announce(
        block, state, plan, zero, r, b, printed_total, select(side_family >= 0, side_family, c.NO_FAMILY)
    )
    fused = as_mask(state[MASK_FUSED + b])
    single = as_mask(state[MASK_HIDES + b]) & ~fused
    classic = is_classic(block, plan, family) & single
    family_b = select(classic, family, -1)
    true_family = select(classic & is_classic(block, plan, side_family), side_family, -1)
    exists, copies, seen, named_family = no_lane(), full(0), full(0), full(-1)
    rest = announced - printed
    if plan[F_LISTENS] != 0:
        exists, copies = named_card(block, plan, zero, announced_family, rest)
        seen = seen_on_table(block, plan, seats, zero, announced_family, rest)
        named_family = select(classic & is_classic(block, plan, announced_family), announced_family, -1)
    for k in range(1, n):
        p = (b + k) % n
        at = persona_at(p)
        state[MASK_DISPROVED + p] = 0
        own_family, own = load_i8(block, plan[L_VIS_FAMILY] + p), load_number(block, plan[L_VIS_PRINTED] + 2 * p, zero)
        if plan[at + c.P_KNOWLEDGE] == c.KNOWS_NOTHING:
            mean = plan[c.T_MEAN]
            aim = select(fused, printed + 2 * mean, select(single, printed + mean, printed))
            need_family, need_value = full(-1), own
        elif plan[at + c.P_KNOWLEDGE] == c.KNOWS_CARDS:
            aim = printed_total
            need_family, need_value = completing_card(own_family, own, family_b, printed, true_family, side)
        elif plan[F_LISTENS] != 0:
            held = seen_in_hand(block, plan, book, zero, p, announced_family, rest)
            disproved = single & (~exists | (seen + held >= copies))
            state[MASK_DISPROVED + p] = lane_bits(disproved)
            aim = select(disproved, printed + plan[c.T_MEAN], announced)
            need_family, need_value = completing_card(
                own_family, own, family_b, printed, select(disproved, -1, named_family), rest
            )
        else:
            aim, need_family, need_value = announced, full(-1), own
        slot, slot2 = other_side(block, state, plan, book, zero, r, p, aim, need_family, need_value)
        lay(block, state, plan, book, zero, p, slot, slot2, full(c.NO_FAMILY))
    state[MASK_DISPROVED + b] = 0
    return printed_total, announced, announced_family, lie


@jit
def start_block(block, state, plan, book, seats, zero, seed, first_game):
    """Fresh games first_game .. first_game + 63: pile, hands, empty counts."""
    start_words(state, seed, first_game)
    first_pile(block, state, plan, book, seats)
    starting_hands(block, plan, book, seats, zero)
    for row in range(plan[L_COUNTS8], plan[L_COUNTS8] + COUNTS8):
        store(block, row, full(0))
    for which in range(COUNTS16):
        store(block, plan[L_COUNTS16] + 2 * which, full_i16(0))
    for p in range(len(seats)):
        store(block, plan[L_SCORE] + 2 * p, full_i16(0))
    store(block, plan[L_POT], full_i16(0))
    store(block, plan[L_POT_CARDS], full_i16(0))
    store(block, plan[L_POT_START], full(0))


@jit
def add_moments(block, plan, seats, mine, moments, games_with):
    """Adds the per-game variables (codes V_*, scores, win shares) of the games `mine`."""
    n = len(seats)
    rounds8 = select(mine, load_i8(block, plan[L_COUNTS8] + C_ROUNDS), 0)
    rounds = wide(rounds8)
    for i in range(COUNTS8):
        value = select(mine, load_i8(block, plan[L_COUNTS8] + i), 0)
        add_variable(moments, BYTE_VARIABLES[i], value, rounds8)
        if C_MIROIR <= i <= C_BONUS:
            games_with[i - C_MIROIR] += count(value > 0)
    for i in range(COUNTS16):
        add_variable(moments, WIDE_VARIABLES[i], select(mine, load_i16(block, plan[L_COUNTS16] + 2 * i), 0), rounds)
    best = load_i16(block, plan[L_SCORE])
    for p in range(1, n):
        best = larger(best, load_i16(block, plan[L_SCORE] + 2 * p))
    sharing = full(0)
    for p in range(n):
        sharing = sharing + ones(load_i16(block, plan[L_SCORE] + 2 * p) == best)
    share = full_i16(0)
    for k in range(1, n + 1):
        share = select(sharing == k, c.SHARE // k, share)
    for i in range(2 * n + 1):
        # scores, win shares, then the pot: one call, so that it is compiled once
        row = plan[L_SCORE] + 2 * (i % n) if i < 2 * n else plan[L_POT]
        value = select(mine, load_i16(block, row), 0)
        if n <= i < 2 * n:
            value = select(mine & (value == best), share, 0)
        add_variable(moments, c.VARIABLES + i if i < 2 * n else c.V_POT_LEFT, value, rounds)


@jit
def copy_counts(block, plan, work):
    """The lanes' per-game counts as rows of 64 int64 (variables V_*)."""
    for lane in range(64):
        for i in range(COUNTS8):
            work[BYTE_VARIABLES[i] * 64 + lane] = peek(block, plan[L_COUNTS8] + i, lane)
        for i in range(COUNTS16):
            work[WIDE_VARIABLES[i] * 64 + lane] = read_u16(block, plan[L_COUNTS16] + 2 * i, lane)
        work[c.V_POT_LEFT * 64 + lane] = read_u16(block, plan[L_POT], lane)


@entry
def play(
    seats,
    zero,
    plan,
    block,
    state,
    book,
    work,
    seed,
    first_game,
    games,
    moments,
    games_with,
    round_events,
    details,
    trace,
    game_rows,
):
    """Plays games first_game .. first_game + games - 1 and adds their sums.

    seats: tuple of N zeros (its length specialises the kernel); zero: np.int8(0) or np.int16(0), the width of totals;
    plan int64: see layout.py. block uint8 (rows, 64), state uint64, book int64, work int64: memory to work in, see
    layout.py. moments int64 (3, variables), games_with int64 (7,), round_events int64 (rounds * 7,): added to for every
    game. details int64, flat (the plan says where each field starts): added to for the games of every detail block.
    trace int16 (blocks, rounds * fields * 64): one block, through which the traces pass, or one for every block
    touched, then all are kept. game_rows int32 (games * fields,) is filled if it is not empty; every block is traced
    then, else the detail blocks.
    """
    n = len(seats)
    keep = len(game_rows) > 0
    block, state, facts, book, work = pointer(block), pointer(state), pointer(plan), pointer(book), pointer(work)
    round_events, details = pointer(round_events), pointer(details)
    rounds, fields = plan[c.T_ROUNDS], c.TRACE_SCALARS + c.TRACE_BLOCKS * n
    for at in range(first_game // 64, (first_game + games + 63) // 64):
        low, high = max(first_game - at * 64, 0), min(first_game + games - at * 64, 64)
        mine = as_mask(lanes_between(low, high))
        detailed = at % plan[c.T_DETAIL_EVERY] == 0
        tracing = keep or detailed
        trace_of_block = trace[at - first_game // 64 if len(trace) > 1 else 0]
        rows = pointer(trace_of_block.view(np.uint8).reshape(rounds * fields * 2, 64))
        if tracing:
            trace_of_block[:] = 0
        start_block(block, state, facts, book, seats, zero, seed, at * 64)
        played = mine
        for r in range(rounds):
            b = r % n
            played, recycled = serve_round(block, state, facts, book, seats, r, played)
            if not any_lane(played):
                break
            show_cards(block, facts, seats, zero, r)
            fill_empty_hands(block, state, facts, book, seats, zero, b, played)
            printed_total, announced, announced_family, lie = choose_sides(block, state, facts, book, seats, zero, r, b)
            event, taker, pot_taker, closest, farthest, total_b, exact, miroirs = resolve(
                block, state, facts, seats, zero, r, b
            )
            event, taker, pot_taker = (
                select(played, event, -1),
                select(played, taker, c.NO_SEAT),
                select(played, pot_taker, c.NO_SEAT),
            )
            take_options(block, state, facts, book, seats, zero, r, b, event == c.COUPS)
            if tracing:
                trace_pot_before(rows, block, facts, r * fields)
            won_points = move_points(
                block, state, facts, seats, zero, r, b, played, event, taker, pot_taker, lie, tracing
            )
            count_round(block, facts, played, event, exact, miroirs, round_events, r)
            move_cards(block, state, facts, book, seats, zero, r, b, played, event, taker)
            if tracing:
                trace_round(
                    rows,
                    block,
                    state,
                    facts,
                    seats,
                    zero,
                    r * fields,
                    r,
                    b,
                    played,
                    recycled,
                    event,
                    taker,
                    pot_taker,
                    closest,
                    farthest,
                    total_b,
                    printed_total,
                    announced,
                    announced_family,
                    lie,
                    won_points,
                    miroirs,
                )
        add_moments(block, facts, seats, mine, moments, games_with)
        if tracing:
            copy_counts(block, facts, work)
            first_row = at * 64 + low - first_game if keep else -1
            add_details(
                pointer(trace_of_block), facts, n, low, high, detailed, details, work, pointer(game_rows), first_row
            )
