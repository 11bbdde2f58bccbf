"""Distributions, one game at a time, read off a block's trace (fields TR_* of codes.py)."""

from numbluff_sim.kernels.common.jit import jit
from numbluff_sim.kernels.common.lanes import peek
from numbluff_sim.kernels.common.streams import read_u16
from numbluff_sim.kernels.perudo import codes as c
from numbluff_sim.kernels.perudo.layout import (
    CHALLENGED,
    CHALLENGED_TRUE,
    D_BID_QUANTITY,
    D_CALIBRATION,
    D_CUPS,
    D_DETAIL_GAMES,
    D_DICE_LOST,
    D_DUEL,
    D_IDLE_ROUNDS,
    D_LENGTH,
    D_OPENER,
    D_OUT_ROUND,
    D_PALIFICO,
    D_PLACE,
    D_ROUND_BIDS,
    D_THREE_TO_TWO,
    D_TO_ONE_PLACE,
    D_TO_ONE_SEAT,
    D_WINNER_DICE,
    FACE_CELLS,
    FACED,
    L_PLACE,
    L_TO_ONE,
    L_VARIABLES,
    SHOWN_AT,
    STATED_AT,
    TRUE,
)
from numbluff_sim.kernels.perudo.tracing import by_seat, steps_at

#: Nobody, in a row of bytes.
NO_ONE = 255
#: Dice of a player, 0 to 5; statistics of a bin of the calibration.
DICE_CELLS, CALIBRATION_STATS = 6, 11
CELLS = (c.DICE_MAX + 1) * c.NEEDS


@jit
def variable(block, plan, which, lane):
    """A per-game variable of a lane."""
    return read_u16(block, plan[L_VARIABLES] + 2 * which, lane)


@jit
def dice_of(trace, at, players, seat, lane):
    """Dice of a seat at the start of the round at row `at`."""
    return peek(trace, at + by_seat(players, c.TS_DICE) + seat, lane)


@jit
def count_faces(trace, plan, at, players, lane, work):
    """How many dice of each seat, and of all (behind the seats), show each face in the round at row `at`, into
    `work`.
    """
    for i in range(SHOWN_AT, SHOWN_AT + (players + 1) * FACE_CELLS):
        work[i] = 0
    for p in range(players):
        for die in range(dice_of(trace, at, players, p, lane)):
            face = peek(trace, at + by_seat(players, c.TRACE_BLOCKS) + p * plan[c.T_DICE] + die, lane)
            work[SHOWN_AT + p * FACE_CELLS + face] += 1
            work[SHOWN_AT + players * FACE_CELLS + face] += 1


@jit
def showing(work, seat, face, joker):
    """How many dice of a seat (or of all) match a face; `joker`: stars do, too."""
    at = SHOWN_AT + seat * FACE_CELLS
    return work[at + face] + (work[at + c.STAR] if joker else 0)


@jit
def dice_in_play(trace, at, players, lane):
    """Dice at the start of the round at row `at`."""
    total = 0
    for p in range(players):
        total += dice_of(trace, at, players, p, lane)
    return total


@jit
def players_in(trace, at, players, lane):
    """Players with dice at the start of the round at row `at`."""
    found = 0
    for p in range(players):
        found += dice_of(trace, at, players, p, lane) > 0
    return found


@jit
def scan_rounds(trace, plan, players, tails, lane, work):
    """Every bid of a game as the next player sees it: counts by bin of its chance, and the chances of the challenged
    ones, into `work`.
    """
    for i in range(STATED_AT):
        work[i] = 0
    for r in range(plan[c.T_ROUNDS]):
        at = r * plan[c.T_FIELDS]
        if peek(trace, at + c.TR_PLAYED, lane) == 0:
            return
        seat, total, bids = (
            peek(trace, at + c.TR_OPENER, lane),
            dice_in_play(trace, at, players, lane),
            peek(trace, at + c.TR_BIDS, lane),
        )
        steps = at + steps_at(plan, players)
        count_faces(trace, plan, at, players, lane, work)
        for s in range(bids):
            seat = peek(trace, at + by_seat(players, c.TS_NEXT) + seat, lane)
            code = peek(trace, steps + s, lane)
            quantity, face = code // c.BID_BASE, code % c.BID_BASE
            joker = peek(trace, at + c.TR_PALIFICO, lane) == NO_ONE and face < c.STAR
            count, need = showing(work, players, face, joker), max(0, quantity - showing(work, seat, face, joker))
            unseen = total - dice_of(trace, at, players, seat, lane)
            chance = int(tails[(CELLS if joker else 0) + unseen * c.NEEDS + need])
            cell = chance * c.BINS // c.CHANCE_ONE * 4
            work[cell + FACED] += 1
            work[cell + TRUE] += count >= quantity
            if s == bids - 1:
                work[cell + CHALLENGED] += 1
                work[cell + CHALLENGED_TRUE] += count >= quantity
                work[STATED_AT + r] = chance


@jit
def winner_of(block, plan, players, lane):
    """The seat with place 1."""
    for p in range(players):
        if peek(block, plan[L_PLACE] + p, lane) == 1:
            return p
    return c.NO_SEAT


@jit
def add_round(trace, at, plan, players, lane, winner, before, details):
    """Adds the round at row `at` to the distributions; `before`: players in in the round before it. Returns the
    players in.
    """
    opener, loser, here = (
        peek(trace, at + c.TR_OPENER, lane),
        peek(trace, at + c.TR_LOSER, lane),
        players_in(trace, at, players, lane),
    )
    total, rule, palifico = (
        dice_in_play(trace, at, players, lane),
        peek(trace, at + c.TR_RULE, lane),
        peek(trace, at + c.TR_PALIFICO, lane),
    )
    involved = opener == peek(trace, at + c.TR_BIDDER, lane) or opener == peek(trace, at + c.TR_CHALLENGER, lane)
    code, bids = peek(trace, at + c.TR_BID, lane), peek(trace, at + c.TR_BIDS, lane)
    true = peek(trace, at + c.TR_COUNT, lane) >= code // c.BID_BASE
    details[plan[D_ROUND_BIDS] + total * c.BIDS_CELLS + min(bids, c.BIDS_CELLS - 1)] += 1
    cell = plan[D_BID_QUANTITY] + (total * (c.DICE_MAX + 1) + code // c.BID_BASE) * 4
    for first in range(0, 4 if code % c.BID_BASE == c.STAR else 2, 2):
        details[cell + first] += 1
        details[cell + first + 1] += true
    cell = plan[D_OPENER] + rule * 4
    details[cell] += 1
    details[cell + 1] += opener == loser
    details[cell + 2] += involved and opener != loser
    details[cell + 3] += opener == winner
    if palifico != NO_ONE:
        cell = plan[D_PALIFICO] + here * 4
        details[cell] += 1
        details[cell + 1] += palifico == loser
        details[cell + 2] += involved and palifico != loser
        details[cell + 3] += palifico == winner
    details[plan[D_CUPS] + here * (players + 1) + peek(trace, at + c.TR_CUPS, lane)] += 1
    details[plan[D_DICE_LOST] + peek(trace, at + c.TR_DICE_LOST, lane)] += 1
    if here == 2:
        own = dice_of(trace, at, players, opener, lane)
        pair = own * DICE_CELLS + total - own
        add_duel(details, plan[D_DUEL] + (pair * 2 + (palifico != NO_ONE)) * 3, opener, loser, winner)
        if before == 3:
            add_duel(details, plan[D_THREE_TO_TWO] + (pair * c.OPENER_RULES + rule) * 3, opener, loser, winner)
    return here


@jit
def add_duel(details, cell, opener, loser, winner):
    """One round of two players: played, the opener lost no die, the opener won the game."""
    details[cell] += 1
    details[cell + 1] += opener != loser
    details[cell + 2] += opener == winner


@jit
def add_rounds(trace, block, plan, players, lane, details):
    """Adds the rounds of a game."""
    winner, before = winner_of(block, plan, players, lane), 0
    for r in range(plan[c.T_ROUNDS]):
        at = r * plan[c.T_FIELDS]
        if peek(trace, at + c.TR_PLAYED, lane) == 0:
            return
        before = add_round(trace, at, plan, players, lane, winner, before, details)


@jit
def round_out(trace, plan, seat, lane):
    """The round (1 = first) in which a seat lost its last die; 0 for the winner."""
    for r in range(plan[c.T_ROUNDS]):
        at = r * plan[c.T_FIELDS]
        if peek(trace, at + c.TR_PLAYED, lane) == 0:
            return 0
        if peek(trace, at + c.TR_ELIMINATED, lane) >> seat & 1:
            return r + 1
    return 0


@jit
def add_game(trace, block, plan, players, lane, details, work):
    """Adds what is counted once a game."""
    rounds = variable(block, plan, c.V_ROUNDS, lane)
    details[plan[D_DETAIL_GAMES]] += 1
    details[plan[D_LENGTH] + rounds] += 1
    details[plan[D_WINNER_DICE] + variable(block, plan, c.V_WINNER_DICE, lane)] += 1
    for p in range(players):
        place, out = peek(block, plan[L_PLACE] + p, lane), round_out(trace, plan, p, lane)
        details[plan[D_PLACE] + p * (players + 1) + place] += 1
        idle = 0
        if place > 1:
            details[plan[D_OUT_ROUND] + place * (plan[c.T_ROUNDS] + 1) + out] += 1
            idle = rounds - out
        details[plan[D_IDLE_ROUNDS] + place * 3] += 1
        details[plan[D_IDLE_ROUNDS] + place * 3 + 1] += idle
        details[plan[D_IDLE_ROUNDS] + place * 3 + 2] += idle * idle
    to_one = peek(block, plan[L_TO_ONE], lane)
    if to_one == NO_ONE:
        details[plan[D_TO_ONE_PLACE]] += 1
    else:
        details[plan[D_TO_ONE_PLACE] + peek(block, plan[L_PLACE] + to_one, lane)] += 1
        details[plan[D_TO_ONE_SEAT] + to_one] += 1
    for i in range(c.BINS):
        add_bin(
            details,
            plan[D_CALIBRATION] + i * CALIBRATION_STATS,
            work[4 * i + FACED],
            work[4 * i + CHALLENGED],
            work[4 * i + CHALLENGED_TRUE],
            work[4 * i + TRUE],
        )


@jit
def add_bin(details, cell, faced, challenged, challenged_true, true):
    """A game's bids in one bin of the calibration: sums, squares, products."""
    if faced == 0:
        return
    values = (
        faced,
        challenged,
        challenged_true,
        true,
        faced * faced,
        challenged * challenged,
        challenged_true * challenged_true,
        true * true,
        faced * challenged,
        challenged * challenged_true,
        faced * true,
    )
    for i in range(CALIBRATION_STATS):
        details[cell + i] += values[i]
