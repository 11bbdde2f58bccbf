"""Game rows and round rows (columns G_*, GS_*, RR_*, RS_* of codes.py), one game at a time."""

from numbluff_sim.kernels.common.jit import jit
from numbluff_sim.kernels.common.lanes import peek
from numbluff_sim.kernels.perudo import codes as c
from numbluff_sim.kernels.perudo.details import NO_ONE, dice_of, round_out, variable, winner_of
from numbluff_sim.kernels.perudo.layout import L_PLACE, L_TO_ONE, STATED_AT

#: Columns of a game row that are per-game variables, and which.
GAME_VARIABLES = (
    (c.G_ROUNDS, c.V_ROUNDS),
    (c.G_BIDS, c.V_BIDS),
    (c.G_WINNER_DICE, c.V_WINNER_DICE),
    (c.G_BID_TRUE, c.V_BID_TRUE),
    (c.G_PALIFICO_ROUNDS, c.V_PALIFICO_ROUNDS),
    (c.G_PALIFICO_LOST, c.V_PALIFICO_LOST),
    (c.G_CUPS_LIFTED, c.V_CUPS_LIFTED),
    (c.G_CUPS, c.V_CUPS),
    (c.G_DICE_SHOWN, c.V_DICE_SHOWN),
    (c.G_DICE, c.V_DICE),
    (c.G_IDLE, c.V_IDLE),
)
#: Columns of a round row that the trace holds as they are, and where; and those that name a seat or nobody.
ROUND_FIELDS = (
    (c.RR_PLAYED, c.TR_PLAYED),
    (c.RR_OPENER, c.TR_OPENER),
    (c.RR_RULE, c.TR_RULE),
    (c.RR_BIDS, c.TR_BIDS),
    (c.RR_BIDDER, c.TR_BIDDER),
    (c.RR_CHALLENGER, c.TR_CHALLENGER),
    (c.RR_COUNT, c.TR_COUNT),
    (c.RR_LOSER, c.TR_LOSER),
    (c.RR_LOST, c.TR_DICE_LOST),
    (c.RR_CUPS, c.TR_CUPS),
    (c.RR_SHOWN, c.TR_SHOWN),
    (c.RR_ELIMINATED, c.TR_ELIMINATED),
)


@jit
def seat_or_nobody(byte):
    """A byte that names a seat, or NO_SEAT."""
    return c.NO_SEAT if byte == NO_ONE else byte


@jit
def fill_game_row(trace, block, plan, players, lane, game_rows, row):
    """Fills row `row` of the game rows."""
    at = row * (c.GAME_SCALARS + c.GAME_BLOCKS * players)
    for i in range(len(GAME_VARIABLES)):
        game_rows[at + GAME_VARIABLES[i][0]] = variable(block, plan, GAME_VARIABLES[i][1], lane)
    game_rows[at + c.G_WINNER] = winner_of(block, plan, players, lane)
    game_rows[at + c.G_FIRST_TO_ONE] = seat_or_nobody(peek(block, plan[L_TO_ONE], lane))
    for p in range(players):
        game_rows[at + c.GAME_SCALARS + c.GS_PLACE * players + p] = peek(block, plan[L_PLACE] + p, lane)
        game_rows[at + c.GAME_SCALARS + c.GS_OUT * players + p] = round_out(trace, plan, p, lane)


@jit
def fill_round_rows(trace, plan, players, lane, work, round_rows, first_row):
    """Fills the round rows of a game, from row `first_row` on; rounds that were not played stay as they are."""
    fields = c.ROUND_SCALARS + c.ROUND_BLOCKS * players
    for r in range(plan[c.T_ROUNDS]):
        source, at = r * plan[c.T_FIELDS], (first_row + r) * fields
        if peek(trace, source + c.TR_PLAYED, lane) == 0:
            return
        for i in range(len(ROUND_FIELDS)):
            round_rows[at + ROUND_FIELDS[i][0]] = peek(trace, source + ROUND_FIELDS[i][1], lane)
        code = peek(trace, source + c.TR_BID, lane)
        round_rows[at + c.RR_PALIFICO] = seat_or_nobody(peek(trace, source + c.TR_PALIFICO, lane))
        round_rows[at + c.RR_QUANTITY], round_rows[at + c.RR_FACE] = code // c.BID_BASE, code % c.BID_BASE
        round_rows[at + c.RR_STATED] = work[STATED_AT + r]
        round_rows[at + c.RR_TRUE] = round_rows[at + c.RR_COUNT] >= round_rows[at + c.RR_QUANTITY]
        for p in range(players):
            round_rows[at + c.ROUND_SCALARS + c.RS_DICE * players + p] = dice_of(trace, source, players, p, lane)
