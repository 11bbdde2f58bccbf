"""The `plan` array (everything a block needs to know, int64) and the rows of a block's memory.

    plan = table | rules | layout (first row of each region) | flags | details (first cell of each field)
           | personas (one a seat)

A block is uint8 (rows, 64), small enough to stay in the L1 cache. Regions are named for what a row holds; "seat"
regions have one row a seat.
"""

import numpy as np

from numbluff_sim.kernels.common.blocks import lay_out
from numbluff_sim.kernels.common.streams import SCRATCH_ROWS
from numbluff_sim.kernels.perudo import codes as c

RULES_AT = c.TABLE_FIELDS
LAYOUT_AT = RULES_AT + c.RULINGS

# By seat: dice, faces of the dice, dice that show each face, the next seat in to the left, dice that match the
# challenged bid, whether it goes out, place (0: in), what was heard from it (two rows: a base-3 number, see
# thinking.py). Then one row each: players in, dice in play, the opener and why it opens, the Palifico, the bid
# (quantity, face, who), who is in turn, bids made (two rows), dice of the loser before, the highest quantities of
# numbers and stars, who first came to one die, the seats that came to one die (bits), the weaker one of the last two, a
# bid chosen lane by lane (quantity, face), random bits for it (two rows); the dice of the player in turn that show each
# face; last the variables, two rows each.
(
    L_DICE,
    L_FACES,
    L_HELD,
    L_NEXT,
    L_MATCHES,
    L_GONE,
    L_PLACE,
    L_HEARD,
    L_IN,
    L_TOTAL,
    L_OPENER,
    L_RULE,
    L_PALIFICO,
    L_QUANTITY,
    L_FACE,
    L_BIDDER,
    L_TURN,
    L_BIDS,
    L_HAD,
    L_CAP_NUMBER,
    L_CAP_STAR,
    L_TO_ONE,
    L_ONES,
    L_WEAKER,
    L_CHOSEN_QUANTITY,
    L_CHOSEN_FACE,
    L_BITS,
    L_OWN,
    L_VARIABLES,
    L_ROWS,
) = range(LAYOUT_AT, LAYOUT_AT + 30)
FLAGS_AT = LAYOUT_AT + 30
#: Whether any seat plays each strategy; whether dice by face are needed; whether what was heard is.
F_STRATEGY = FLAGS_AT
F_HELD, F_HEARD = FLAGS_AT + c.STRATEGIES, FLAGS_AT + c.STRATEGIES + 1
DETAILS_AT = FLAGS_AT + c.STRATEGIES + 2
#: Tally fields kept from detail blocks, in the order of the registry; where each starts in the flat array of details.
DETAIL_FIELDS = (
    "detail_games",
    "cross",
    "cross_sums",
    "length",
    "round_bids",
    "bid_quantity",
    "calibration",
    "duel",
    "three_to_two",
    "place",
    "out_round",
    "idle_rounds",
    "to_one_place",
    "to_one_seat",
    "winner_dice",
    "palifico",
    "opener",
    "cups",
    "dice_lost",
)
(
    D_DETAIL_GAMES,
    D_CROSS,
    D_CROSS_SUMS,
    D_LENGTH,
    D_ROUND_BIDS,
    D_BID_QUANTITY,
    D_CALIBRATION,
    D_DUEL,
    D_THREE_TO_TWO,
    D_PLACE,
    D_OUT_ROUND,
    D_IDLE_ROUNDS,
    D_TO_ONE_PLACE,
    D_TO_ONE_SEAT,
    D_WINNER_DICE,
    D_PALIFICO,
    D_OPENER,
    D_CUPS,
    D_DICE_LOST,
) = range(DETAILS_AT, DETAILS_AT + len(DETAIL_FIELDS))
PERSONAS_AT = DETAILS_AT + len(DETAIL_FIELDS)

# `state`: uint64; the generator's 16 words, then masks: rounds that are the first of two players after three.
WORDS = 16
MASK_FRESH = WORDS
STATE_SIZE = WORDS + 1

#: Counts of a bin of the calibration: bids faced, challenged, challenged and true, true.
FACED, CHALLENGED, CHALLENGED_TRUE, TRUE = range(4)
#: `tables` of `play`: chances and thresholds (arrays.py of the game), float64 memory to think in, the solved rounds
#: (tables.py of the game), and int64 (64,) memory for each lane's place in them.
(TAILS, OPENINGS, DOUBTS, POSTERIORS, MIND, ROOTS, CHILD, ROW, START, MOVE, UNTIL, HANDS, NODES) = range(13)
#: `work` int64: a game's four counts by bin, the chance of each round's challenged bid as the challenger sees it, a
#: round's dice by seat and face.
STATED_AT = 4 * c.BINS
SHOWN_AT, FACE_CELLS = STATED_AT + c.DICE_MAX, c.FACES + 1
WORK_SIZE = SHOWN_AT + (c.SEATS_MAX + 1) * FACE_CELLS


def build_plan(table, rules, personas, detail_sizes):
    """The plan of a configuration.

    table int64 (T_*), rules int64 (R_*), personas int64 (N, P_*): encoded as in codes.py, validated; detail_sizes:
    cells of each of DETAIL_FIELDS.
    """
    players = len(personas)
    by_seat = dict.fromkeys((L_DICE, L_NEXT, L_MATCHES, L_GONE, L_PLACE), players)
    entries = {
        **by_seat,
        L_FACES: players * int(table[c.T_DICE]),
        L_HELD: players * c.FACES,
        L_HEARD: 2 * players,
        L_BIDS: 2,
        L_BITS: 2,
        L_OWN: c.FACES,
        L_VARIABLES: 2 * (c.VARIABLES + players),
        L_ROWS: 0,
    }
    plan = np.zeros(PERSONAS_AT + players * c.PERSONA_FIELDS, np.int64)
    plan[: c.TABLE_FIELDS], plan[RULES_AT : RULES_AT + c.RULINGS] = table, rules
    lay_out(plan, LAYOUT_AT, SCRATCH_ROWS, [entries.get(region, 1) for region in range(LAYOUT_AT, FLAGS_AT)])
    strategies = set(personas[:, c.P_STRATEGY].tolist())
    plan[F_STRATEGY : F_STRATEGY + c.STRATEGIES] = [strategy in strategies for strategy in range(c.STRATEGIES)]
    plan[F_HELD] = bool(strategies - {c.RANDOM, c.SCRIPTED})
    plan[F_HEARD] = bool(strategies & {c.BAYES, c.EQUILIBRIUM})
    plan[DETAILS_AT + 1 : PERSONAS_AT] = np.cumsum(detail_sizes)[:-1]
    plan[PERSONAS_AT:] = np.asarray(personas, np.int64).reshape(-1)
    return plan


def new_block(plan):
    """Memory of one block (uint8 rows of 64)."""
    return np.zeros((int(plan[L_ROWS]), 64), np.uint8)
