"""Every integer code of Perudo's kernels, named once; those of rulings and their answers are declared in the game's
`rules.toml` and generated from it.

Rulings, personas, trace fields and tallies are plain integer arrays here; `numbluff_sim.games.perudo` gives the names
and meanings that users see, and a test holds the two against each other.
"""

from numbluff_sim.kernels.perudo.rule_codes import *  # noqa: F403  one module names all codes

# Faces are 1..6; 6 is the star (R1).
FACES, STAR = 6, 6
SEATS_MAX, DICE_MAX = 6, 30
NO_SEAT = -1
#: A bid as one number: quantity * 8 + face; 0 is no bid. A challenge in a round's list of steps.
BID_BASE, NO_BID = 8, 0

#: Without a cap by the dice in play, the board's limits (R20).
BOARD_NUMBERS, BOARD_STARS = 20, 10

# The `table` array: dice each, first opener, how often details are kept, most rounds of a game, rows of a round's
# trace.
T_DICE, T_FIRST_OPENER, T_DETAIL_EVERY, T_ROUNDS, T_FIELDS = range(5)
TABLE_FIELDS = 5

# Persona fields, one row a seat. Chances and weights in 1/65536; P_MIND: which of the tables of posteriors is its own.
(
    P_STRATEGY,
    P_CHALLENGE_ONE_IN,
    P_CHALLENGE_BELOW,
    P_RAISE_AT_LEAST,
    P_DOUBT_BELOW,
    P_OPEN_AT_LEAST,
    P_FIELDS_BEYOND,
    P_FIRST_BID_WEIGHT,
    P_RAISE_WEIGHT,
    P_SCRIPT,
    P_MIND,
) = range(11)
PERSONA_FIELDS = 11
RANDOM, THRESHOLD, VALUE, BAYES, EQUILIBRIUM, SCRIPTED = range(6)
STRATEGIES = 6
SCRIPT_ONE, SCRIPT_THIRD = range(2)
#: The largest chance that a table holds: certain.
CHANCE_ONE, CERTAIN = 65536, 65535

# Trace: uint8 (rounds, fields, 64 lanes); scalars first, then blocks of N fields, one a seat, the faces of every die
# (N * dice fields), then the steps of the round: bids in order, ended by the challenge (NO_BID).
(
    TR_PLAYED,
    TR_OPENER,
    TR_PALIFICO,
    TR_BIDS,
    TR_BID,
    TR_BIDDER,
    TR_CHALLENGER,
    TR_COUNT,
    TR_LOSER,
    TR_DICE_LOST,
    TR_CUPS,
    TR_SHOWN,
    TR_ELIMINATED,
    TR_RULE,
) = range(14)
TRACE_SCALARS = 14
# Dice at the start of the round, the next seat in to the left, dice after the challenge; and, by place in the order in
# which cups are lifted and not by seat, whose cup it is (NO_SEAT: a seat without dice).
(TS_DICE, TS_NEXT, TS_AFTER, TS_CUP) = range(4)
TRACE_BLOCKS = 4
# Why the opener opens (TR_RULE).
(OPENS_FIRST, OPENS_LOSER, OPENS_WINNER, OPENS_PALIFICO, OPENS_LEFT, OPENS_FEWER, OPENS_TIE) = range(7)
OPENER_RULES = 7

# Per-game variables whose sums, squares and products with `rounds` are kept for every game (`moments`); then the win by
# seat.
(
    V_ROUNDS,
    V_BIDS,
    V_BID_TRUE,
    V_OPENER_LOST,
    V_OPENER_WON,
    V_PALIFICO_ROUNDS,
    V_PALIFICO_LOST,
    V_CUPS_LIFTED,
    V_CUPS,
    V_DICE_SHOWN,
    V_DICE,
    V_IDLE,
    V_TO_ONE,
    V_COMEBACK,
    V_WON_FROM_ONE,
    V_WINNER_DICE,
    V_WEAKER,
    V_WEAKER_OPENED,
    V_WEAKER_WON_ROUND,
    V_WEAKER_WON,
    V_EVEN_TWO,
) = range(21)
VARIABLES = 21

# Game rows: int32 (games, fields); scalars first, then blocks of N columns, one a seat.
(
    G_WINNER,
    G_ROUNDS,
    G_BIDS,
    G_WINNER_DICE,
    G_FIRST_TO_ONE,
    G_BID_TRUE,
    G_PALIFICO_ROUNDS,
    G_PALIFICO_LOST,
    G_CUPS_LIFTED,
    G_CUPS,
    G_DICE_SHOWN,
    G_DICE,
    G_IDLE,
) = range(13)
GAME_SCALARS = 13
GS_PLACE, GS_OUT = range(2)  # place (1 = winner), round of the elimination (from 1; 0: the winner)
GAME_BLOCKS = 2

# Round rows: int32 (games * rounds, fields); scalars first, then blocks of N columns, one a seat.
(
    RR_PLAYED,
    RR_OPENER,
    RR_RULE,
    RR_PALIFICO,
    RR_BIDS,
    RR_QUANTITY,
    RR_FACE,
    RR_BIDDER,
    RR_CHALLENGER,
    RR_STATED,
    RR_COUNT,
    RR_TRUE,
    RR_LOSER,
    RR_LOST,
    RR_CUPS,
    RR_SHOWN,
    RR_ELIMINATED,
) = range(17)
ROUND_SCALARS = 17
RS_DICE = 0
ROUND_BLOCKS = 1

#: Tables of chances are uint16 (2, DICE_MAX + 1, NEEDS): stars help (1) or not (0), dice, matches needed.
NEEDS = 32
#: Chances fall with the need, but for those that are 0 and, among so many dice that stars help, for one match, which is
#: certain in these units.
ONE_IS_CERTAIN = 27
#: What a player has said in a round: a base-3 digit a face, face 1 lowest. Not bid on; opened or changed to; raised
#: from another's bid on it.
UNHEARD, HEARD_FIRST, HEARD_RAISE, PATTERNS = 0, 1, 2, 3**6
#: Posteriors are float64 (tables, dice of the rival + 1, PATTERNS, 2, FACES, matches + 1); a rival has at most five
#: dice.
MATCHES = 6
#: Solved rounds: bids of up to four dice, hands of up to three; a round that is not solved, a bid that is in no table,
#: a challenge as a move.
BID_CODES, HANDS, UNSOLVED, NOWHERE, CHALLENGE = 24, 6**3, -2, -1, -1

#: Cells of the histograms.
BINS = 20  # of a stated chance: floor(20 * chance)
BIDS_CELLS = 64  # bids of a round, the last cell: that or more
