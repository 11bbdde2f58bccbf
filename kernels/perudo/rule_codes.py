"""Codes of the rules of Perudo, as kernels name them.

Generated from numbluff_sim/games/perudo/rules.toml by `make docs`; edit that instead.
"""

# Rulings: index into the `rules` array.
R_BID_ORDER = 0
R_OPENING_STARS = 1
R_QUANTITY_CAP = 2
R_STARTER_NORMAL = 3
R_HOUSE_RULE_START = 4
R_TIE_3TO2 = 5
R_HOUSE_RULE_FEWER = 6
R_PALIFICO = 7
R_PALIFICO_TWO_PLAYERS = 8
R_PALIFICO_STARS = 9
R_PALIFICO_SELF_CHANGE = 10
R_LIFT_DIRECTION = 11
R_DICE_LOST = 12
RULINGS = 13

# Answers: what stands in the `rules` array (booleans: 0 false, 1 true).
# bid_order
ORDER_TRACK = 0
ORDER_HALVING = 1
ORDER_FLAT = 2
# quantity_cap
CAP_TOTAL = 0
CAP_NONE = 1
# starter_normal
STARTER_LOSER = 0
STARTER_WINNER = 1
# tie_3to2
TIE_LEFT = 0
TIE_RIGHT = 1
TIE_RANDOM = 2
# lift_direction
LIFT_RIGHT = 0
LIFT_LEFT = 1
# dice_lost
LOSE_ONE = 0
LOSE_DIFFERENCE = 1
