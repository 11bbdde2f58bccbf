"""The `plan` array (everything a block needs to know, int64) and the rows of a block's memory.

    plan = table | rules | layout (first row of each region) | flags | details (first cell of each field)
           | personas (one a seat) | points (256)

A block is uint8 (rows, 64), about 20 KB in the default game, so that it stays in the L1 cache. Regions are named for
what a row holds; "seat" regions have one entry a seat, "slot" regions HAND_MAX entries a seat.
"""

import numpy as np

from numbluff_sim.kernels.common.blocks import lay_out
from numbluff_sim.kernels.common.streams import SCRATCH_ROWS
from numbluff_sim.kernels.num_bluff import codes as c

RULES_AT = c.TABLE_FIELDS
LAYOUT_AT = RULES_AT + c.RULE_FIELDS

(
    L_SEGMENTS,
    L_RANKS,
    L_EXTRA_RANKS,
    L_CARDS,
    L_VISIBLE,
    L_EXTRAS,
    L_EXCLUDED,
    L_SORTING,
    L_POT_LOG,
    L_HAND_CARD,
    L_HAND_FAMILY,
    L_HAND_SLACK,
    L_HAND_PRINTED,
    L_SIZE,
    L_VIS_FAMILY,
    L_VIS_SLACK,
    L_VIS_PRINTED,
    L_SLOT,
    L_SLOT2,
    L_HID_CARD,
    L_HID_CARD2,
    L_HID_FAMILY,
    L_HID_SLACK,
    L_HID_PRINTED,
    L_HID_POINTS,
    L_LOW,
    L_ROOM,
    L_GAP,
    L_ORDER,
    L_GAIN,
    L_OPTION_CARD,
    L_REFILL_CARD,
    L_SCORE,
    L_POT,
    L_POT_CARDS,
    L_POT_START,
    L_LEFT,
    L_PILE,
    L_TOPS,
    L_BASE,
    L_EPOCH,
    L_BOTTOM,
    L_DRAWN,
    L_COUNTS8,
    L_COUNTS16,
    L_CLASSICS,
    L_ROWS,
) = range(LAYOUT_AT, LAYOUT_AT + 47)
FLAGS_AT = LAYOUT_AT + 47
# Whether any seat may fuse, lies, listens to announcements; the largest gap the width of a number allows; index into
# the plan of the printed values by card id; how many families are classic.
F_FUSE, F_LIES, F_LISTENS, F_GAP_CAP, F_POINTS, F_CLASSICS = range(FLAGS_AT, FLAGS_AT + 6)
DETAILS_AT = FLAGS_AT + 6
#: Tally fields kept from detail blocks, in the order of the registry; where each starts in the flat array of details.
DETAIL_FIELDS = (
    "detail_games",
    "detail_rounds",
    "cross",
    "cross_sums",
    "pot_by_round",
    "pot_when_won",
    "pot_wait",
    "pot_share",
    "score",
    "margin",
    "winners",
    "lead_changes",
    "decided",
    "half_rank",
    "gap_closest",
    "gap_farthest",
    "exact_players",
    "mechanism",
    "exact_kinds",
    "ties",
    "side",
    "announced",
    "role_points",
    "hand_size",
    "hand_unexplained",
)
(
    D_DETAIL_GAMES,
    D_DETAIL_ROUNDS,
    D_CROSS,
    D_CROSS_SUMS,
    D_POT_BY_ROUND,
    D_POT_WHEN_WON,
    D_POT_WAIT,
    D_POT_SHARE,
    D_SCORE,
    D_MARGIN,
    D_WINNERS,
    D_LEAD_CHANGES,
    D_DECIDED,
    D_HALF_RANK,
    D_GAP_CLOSEST,
    D_GAP_FARTHEST,
    D_EXACT_PLAYERS,
    D_MECHANISM,
    D_EXACT_KINDS,
    D_TIES,
    D_SIDE,
    D_ANNOUNCED,
    D_ROLE_POINTS,
    D_HAND_SIZE,
    D_HAND_UNEXPLAINED,
) = range(DETAILS_AT, DETAILS_AT + len(DETAIL_FIELDS))
PERSONAS_AT = DETAILS_AT + len(DETAIL_FIELDS)
POINTS = 256

# Per-game variables of `cross` behind those of `moments` (DETAIL_VARIABLES of the tally registry).
X_POT_AFTER, X_CLOSEST_POINTS, X_FUSION_POINTS, X_FUSION_SIDES, X_SINGLE_POINTS, X_HONEST_ROUNDS = range(6)
EXTRA_VARIABLES = 6
# What details follow through a game, a row each, before one row a seat for score, points from the pot and expected
# hand.
LEADERS, CHANGES, SINCE, LAST_WIN, ODD_HANDS = range(5)
FOLLOWED = 5

# A segment's rows: first id (U8), what to add to an id to get its value (U8, modulo 256), family (I8), slack code (I8:
# 0 classic, the reach for Rainbow, -1 - reach for Shadow), kind (I8), copies of the family (I8, 127 at most), lowest
# and highest value of the segment (U8).
SEG_ROWS = 8
# Per-game counts: bytes, then 16-bit ones.
(
    C_ROUNDS,
    C_MIROIR,
    C_FRAPPE,
    C_COUP,
    C_COUPS,
    C_EPARGNE,
    C_MAITRE,
    C_BONUS,
    C_RECYCLES,
    C_LIES_TOTAL,
    C_LIES_FAMILY,
    C_SEVERAL,
) = range(12)
COUNTS8 = 12
(W_EXACT, W_FUSIONS, W_OPTIONS, W_POT_WON, W_HONEST, W_LYING, W_REFILLS, W_EMPTY_HANDS) = range(8)
COUNTS16 = 8
#: The per-game variable (V_*) of each byte count and each 16-bit count.
BYTE_VARIABLES = (
    c.V_ROUNDS,
    c.V_MIROIR,
    c.V_FRAPPE,
    c.V_COUP,
    c.V_COUPS,
    c.V_EPARGNE,
    c.V_MAITRE,
    c.V_BONUS,
    c.V_RECYCLES,
    c.V_LIES_TOTAL,
    c.V_LIES_FAMILY,
    c.V_MIROIR_SEVERAL,
)
WIDE_VARIABLES = (
    c.V_EXACT,
    c.V_FUSIONS,
    c.V_OPTIONS,
    c.V_POT_WON,
    c.V_BLUFFER_HONEST,
    c.V_BLUFFER_LYING,
    c.V_REFILLS,
    c.V_EMPTY_HANDS,
)

# `state`: uint64; the generator's 16 words, then kinds of masks, one of each a seat.
WORDS = 16
(
    MASK_FUSED,
    MASK_HIDES,
    MASK_SAME,
    MASK_EXACT,
    MASK_MIROIR,
    MASK_KEEP,
    MASK_TO_POT,
    MASK_OPTION,
    MASK_DISPROVED,
    MASK_EMPTY_DRAW,
    MASK_BACK,
) = range(WORDS, WORDS + 11 * 6, 6)
STATE_SIZE = WORDS + 11 * 6

# `book`: int64; upper bounds over the 64 lanes: hand size by seat (6), decoded extra rows, excluded rows.
B_EXTRA_ROWS, B_EXCLUDED_ROWS = 6, 7
BOOK_SIZE = 8


def work_rows(players):
    """Rows of 64 int64 that details.py needs: variables, what is followed, scores at half time."""
    return c.VARIABLES + 2 * players + EXTRA_VARIABLES + FOLLOWED + 4 * players


def classic_families(segments):
    """Codes of the classic families."""
    return np.unique(segments[segments[:, c.SEG_KIND] == c.CLASSIC, c.SEG_FAMILY])


def build_plan(segments, table, rules, personas, wide, detail_sizes):
    """The plan of a configuration.

    segments int64 (S, 6), table int64 (13,), rules int64 (23,), personas int64 (N, 25): encoded as in codes.py,
    validated; wide: totals need 16 bits; detail_sizes: cells of each of DETAIL_FIELDS.
    """
    players = len(personas)
    rounds, hand, deck, slots = (int(table[i]) for i in (c.T_ROUNDS, c.T_HAND, c.T_DECK, c.T_HAND_MAX))
    seats, hands = players, players * slots
    entries = {
        L_SEGMENTS: len(segments) * SEG_ROWS,
        L_RANKS: deck + 8,
        L_EXTRA_RANKS: deck,
        L_CARDS: players * hand,
        L_VISIBLE: rounds * players + 8,
        L_EXTRAS: deck,
        L_EXCLUDED: deck,
        L_SORTING: hands + 2 * rounds * players,
        L_POT_LOG: 2 * rounds * players,
        L_HAND_CARD: hands,
        L_HAND_FAMILY: hands,
        L_HAND_SLACK: hands,
        L_HAND_PRINTED: 2 * hands,
        L_SIZE: seats,
        L_VIS_FAMILY: seats,
        L_VIS_SLACK: seats,
        L_VIS_PRINTED: 2 * seats,
        L_SLOT: seats,
        L_SLOT2: seats,
        L_HID_CARD: seats,
        L_HID_CARD2: seats,
        L_HID_FAMILY: seats,
        L_HID_SLACK: seats,
        L_HID_PRINTED: 2 * seats,
        L_HID_POINTS: 2 * seats,
        L_LOW: 2 * seats,
        L_ROOM: seats,
        L_GAP: 2 * seats,
        L_ORDER: seats,
        L_GAIN: 2 * seats,
        L_OPTION_CARD: seats,
        L_REFILL_CARD: seats,
        L_SCORE: 2 * seats,
        L_POT: 2,
        L_POT_CARDS: 2,
        L_POT_START: 1,
        L_LEFT: 2,
        L_PILE: 2,
        L_TOPS: 2,
        L_BASE: 2,
        L_EPOCH: 1,
        L_BOTTOM: 2,
        L_DRAWN: 1,
        L_COUNTS8: COUNTS8,
        L_COUNTS16: 2 * COUNTS16,
        L_CLASSICS: len(classic_families(segments)),
        L_ROWS: 0,
    }
    plan = np.zeros(PERSONAS_AT + players * c.PERSONA_FIELDS + POINTS, np.int64)
    plan[: c.TABLE_FIELDS], plan[RULES_AT : RULES_AT + c.RULE_FIELDS] = table, rules
    lay_out(plan, LAYOUT_AT, SCRATCH_ROWS, [entries[region] for region in range(LAYOUT_AT, FLAGS_AT)])
    plan[DETAILS_AT + 1 : PERSONAS_AT] = np.cumsum(detail_sizes)[:-1]
    plan[F_POINTS] = len(plan) - POINTS
    plan[F_CLASSICS] = len(classic_families(segments))
    plan[PERSONAS_AT:-POINTS] = np.asarray(personas, np.int64).reshape(-1)
    for segment in segments:
        plan[plan[F_POINTS] + segment[c.SEG_FIRST_ID] :] = segment[c.SEG_FIRST_VALUE] + np.arange(
            POINTS - segment[c.SEG_FIRST_ID]
        )
    plan[F_FUSE] = personas[:, c.P_MAY_FUSE].any()
    plan[F_LIES] = (personas[:, c.P_LIE_TOTAL] + personas[:, c.P_LIE_FAMILY]).any()
    # who does not react is still counted among those who could tell a lie
    reacts = (personas[:, c.P_UNIFORM] == 0) | (personas[:, c.P_MIROIR] > 0) | bool(plan[F_LIES])
    plan[F_LISTENS] = (reacts & (personas[:, c.P_KNOWLEDGE] == c.KNOWS_ANNOUNCEMENT)).any()
    plan[F_GAP_CAP] = c.GAP_CAP if wide else 127
    return plan


def new_block(plan, segments):
    """Memory of one block (uint8 rows of 64), with the deck's segments written in."""
    block = np.zeros((int(plan[L_ROWS]), 64), np.uint8)
    for s, segment in enumerate(segments):
        reach = segment[c.SEG_REACH]
        code = {c.CLASSIC: 0, c.RAINBOW: reach, c.SHADOW: -1 - reach}[int(segment[c.SEG_KIND])]
        row = plan[L_SEGMENTS] + s * SEG_ROWS
        first, lowest = int(segment[c.SEG_FIRST_ID]), int(segment[c.SEG_FIRST_VALUE])
        after = int(segments[s + 1][c.SEG_FIRST_ID]) if s + 1 < len(segments) else int(plan[c.T_DECK])
        values = (
            first,
            lowest - first,
            segment[c.SEG_FAMILY],
            code,
            segment[c.SEG_KIND],
            min(int(segment[c.SEG_COPIES]), 127),
            lowest,
            lowest + after - first - 1,
        )
        for i, value in enumerate(values):
            block[row + i] = int(value) % 256
    for i, family in enumerate(classic_families(segments)):
        block[plan[L_CLASSICS] + i] = family
    # pot logs of second cards are written only where somebody may fuse
    block[plan[L_POT_LOG] : plan[L_HAND_CARD]] = c.NO_CARD
    return block
