"""Every integer code of NUM BLUFF's kernels, named once; those of events, rulings and their answers are declared in the
game's `rules.toml` and generated from it.

Rulings, personas, trace fields and tallies are plain integer arrays here; `numbluff_sim.games.num_bluff` gives the
names and meanings that users see, and a test holds the two against each other.
"""

from numbluff_sim.kernels.num_bluff.rule_codes import *  # noqa: F403  one module names all codes

# Families kinds (C2).
CLASSIC, RAINBOW, SHADOW = range(3)

# Columns of a deck segment: one family, one copy, a run of values first_value .. first_value + cards - 1 without a gap.
SEG_FIRST_ID, SEG_FIRST_VALUE, SEG_FAMILY, SEG_KIND, SEG_REACH, SEG_COPIES = range(6)
SEGMENT_FIELDS = 6

# The `table` array: sizes and what follows from the deck.
(
    T_HAND,
    T_TURNS,
    T_ROUNDS,
    T_DECK,
    T_SEGMENTS,
    T_FAMILIES,
    T_HAND_MAX,
    T_MEAN,
    T_CENTRE,
    T_MAX_REACH,
    T_DETAIL_EVERY,
    T_HIST_WIDTH,
    T_LOWEST_VALUE,
) = range(13)
TABLE_FIELDS = 13

# Persona fields, one row a seat (docs/games/num_bluff/PLAY.md sections 4-6). Weights in 1/32.
(
    P_UNIFORM,
    P_KNOWLEDGE,
    P_MAY_FUSE,
    P_GAP,
    P_HIT_NATURAL,
    P_HIT_FUSION,
    P_HIT_ADJUST,
    P_SAME_FAMILY,
    P_SAME_FAMILY_GAP,
    P_MIROIR,
    P_FRAPPE,
    P_POINTS,
    P_IS_FUSION,
    P_TEMPERATURE,
    P_B_POINTS,
    P_B_CENTRE,
    P_B_SAME_FAMILY,
    P_B_SHARED_FAMILIES,
    P_B_IS_FUSION,
    P_B_TEMPERATURE,
    P_LIE_TOTAL,
    P_LIE_FAMILY,
    P_LIE_SIZE,
    P_OPTION_POINTS,
    P_OPTION_ROUNDS,
) = range(25)
PERSONA_FIELDS = 25
GAP_CAP = 255
# What a listener aims at: the announcement, the true cards, the mean card (it believes nobody).
KNOWS_ANNOUNCEMENT, KNOWS_CARDS, KNOWS_NOTHING = range(3)

# Lies (T3).
TRUTH, LIE_TOTAL, LIE_FAMILY = range(3)

# Mechanism of an exact hit (rule 3).
NOT_EXACT, NATURAL, FUSION, ADJUST = range(4)

# Where a hidden side goes: its owner's score, the taker's score, the pot, the discard; nothing was hidden.
KEEP, TAKEN, POT, DISCARD, NOTHING = range(5)

# How a dispute for closest or farthest was settled (rule 7): not at all, by the visible card, by the last tie.
TIE_NONE, TIE_CARD, TIE_LAST = range(3)

NO_CARD = 255  # in card rows (uint8)
NO_SEAT = -1
NO_FAMILY = -1  # an empty hidden side of a non-bluffer, and an announcement without a family
NO_FAMILY_BLUFFER = -2  # the bluffer's empty hidden side: matches nobody's

# Trace: int16 (rounds, fields, 64 lanes); scalars first, then blocks of N rows, one row a seat.
(
    TR_PLAYED,
    TR_BLUFFER,
    TR_EVENT,
    TR_RECYCLED,
    TR_WINNERS,
    TR_CLOSEST,
    TR_FARTHEST,
    TR_TOTAL,
    TR_PRINTED_TOTAL,
    TR_ANNOUNCED_TOTAL,
    TR_ANNOUNCED_FAMILY,
    TR_LIE,
    TR_TAKER,
    TR_POT_TAKER,
    TR_POT_CARDS_BEFORE,
    TR_POT_BEFORE,
    TR_POT_CARDS_AFTER,
    TR_POT_AFTER,
    TR_POT_WON,
    TR_CLOSEST_TIE,
    TR_FARTHEST_TIE,
    TR_EMPTY_DRAWS,
    TR_OPTIONS,
    TR_DISPROVED,
    TR_MIROIRS,
) = range(25)
TRACE_SCALARS = 25
# Blocks by seat: field index = TRACE_SCALARS + block * N + seat.
(
    TS_VISIBLE,
    TS_HIDDEN1,
    TS_HIDDEN2,
    TS_GAP,
    TS_MECHANISM,
    TS_FATE,
    TS_GAIN,
    TS_HAND,
    TS_OPTION_DRAW,
    TS_REFILL_DRAW,
    TS_SAME_FAMILY,
    TS_BACK,
) = range(12)
TRACE_BLOCKS = 12

# Per-game variables whose sums, squares and products with `rounds` are kept for every game (`moments`); then
# score by seat and win share by seat (in 1/60, so that 1/k is whole for k = 1..6).
(
    V_ROUNDS,
    V_MIROIR,
    V_FRAPPE,
    V_COUP,
    V_COUPS,
    V_EPARGNE,
    V_MAITRE,
    V_BONUS,
    V_EXACT,
    V_FUSIONS,
    V_OPTIONS,
    V_RECYCLES,
    V_POT_LEFT,
    V_POT_WON,
    V_LIES_TOTAL,
    V_LIES_FAMILY,
    V_BLUFFER_HONEST,
    V_BLUFFER_LYING,
    V_MIROIR_SEVERAL,
    V_REFILLS,
    V_EMPTY_HANDS,
) = range(21)
VARIABLES = 21
SHARE = 60
BINS = 1024  # bins of point histograms; bin width in the table array

# Game rows: int32 (games, fields); scalars first, then blocks of N columns, one a seat.
(
    G_ROUNDS,
    G_MIROIR,
    G_FRAPPE,
    G_COUP,
    G_COUPS,
    G_EPARGNE,
    G_MAITRE,
    G_BONUS,
    G_POT_WON,
    G_POT_LEFT,
    G_LEAD_CHANGES,
    G_DECIDED,
    G_HALF_RANK,
    G_FUSIONS,
    G_OPTIONS,
    G_RECYCLES,
    G_LIES,
) = range(17)
GAME_SCALARS = 17
GS_SCORE, GS_WIN, GS_HAND, GS_POT = range(
    4
)  # final score, win share in 1/60, hand size at the end, points that came from the pot
GAME_BLOCKS = 4
