"""Looking closely: one written-down round settled by the game's own kernels, and the deal of games alone."""

import numpy as np

from numbluff_sim.kernels.common.jit import entry
from numbluff_sim.kernels.common.lanes import full, load_number, load_u8, no_lane, ones, pointer, select, store
from numbluff_sim.kernels.common.streams import start_words
from numbluff_sim.kernels.num_bluff import codes as c
from numbluff_sim.kernels.num_bluff.hands import lay, show_cards, starting_hands
from numbluff_sim.kernels.num_bluff.layout import L_CARDS, L_LOW, L_SIZE, MASK_DISPROVED, MASK_EMPTY_DRAW, MASK_OPTION
from numbluff_sim.kernels.num_bluff.moving import move_cards, move_points
from numbluff_sim.kernels.num_bluff.piles import first_pile
from numbluff_sim.kernels.num_bluff.resolving import resolve
from numbluff_sim.kernels.num_bluff.tracing import trace_pot_before, trace_round


@entry
def settle_round(seats, zero, plan, block, state, book, b, trace):
    """Settles up to 64 rounds of bluffer b whose cards lie in the block, into trace int16 (fields, 64); arguments as
    those of `play`.

    Rows L_VISIBLE hold the visible cards, rows L_CARDS two a seat the hidden ones (NO_CARD: none), rows L_POT and
    L_POT_CARDS the pot; T_HAND and T_HAND_MAX are 2, the refill ruling is off and no one takes the option. Totals
    reached stay in L_LOW and L_ROOM.
    """
    n = len(seats)
    rows, work, facts, bounds = pointer(block), pointer(state), pointer(plan), pointer(book)
    out = pointer(trace.view(np.uint8).reshape(2 * len(trace), 64))
    starting_hands(rows, facts, bounds, seats, zero)
    show_cards(rows, facts, seats, zero, 0)
    for p in range(n):
        first, second = (
            load_u8(rows, facts[L_CARDS] + 2 * p) != c.NO_CARD,
            load_u8(rows, facts[L_CARDS] + 2 * p + 1) != c.NO_CARD,
        )
        store(rows, facts[L_SIZE] + p, ones(first) + ones(second))
        lay(
            rows,
            work,
            facts,
            bounds,
            zero,
            p,
            full(0),
            select(second, full(1), -1),
            full(c.NO_FAMILY_BLUFFER if p == b else c.NO_FAMILY),
        )
        work[MASK_OPTION + p], work[MASK_EMPTY_DRAW + p], work[MASK_DISPROVED + p] = 0, 0, 0
    everywhere, truth = full(0) == 0, full(c.TRUTH)
    event, taker, pot_taker, closest, farthest, total, _, miroirs = resolve(rows, work, facts, seats, zero, 0, b)
    trace_pot_before(out, rows, facts, 0)
    won = move_points(rows, work, facts, seats, zero, 0, b, everywhere, event, taker, pot_taker, truth, True)
    move_cards(rows, work, facts, bounds, seats, zero, 0, b, everywhere, event, taker)
    printed = load_number(rows, facts[L_LOW] + 2 * b, zero)
    trace_round(
        out,
        rows,
        work,
        facts,
        seats,
        zero,
        0,
        0,
        b,
        everywhere,
        no_lane(),
        event,
        taker,
        pot_taker,
        closest,
        farthest,
        total,
        printed,
        printed,
        truth,
        truth,
        won,
        miroirs,
    )


@entry
def deal(seats, plan, block, state, book, seed, first_game):
    """The starting hands of games first_game .. first_game + 63 (a multiple of 64): card ids in rows L_CARDS, T_HAND
    a seat.
    """
    rows, work, facts, bounds = pointer(block), pointer(state), pointer(plan), pointer(book)
    start_words(work, seed, first_game)
    first_pile(rows, work, facts, bounds, seats)
