"""Codes of the rules of NUM BLUFF, as kernels name them.

Generated from numbluff_sim/games/num_bluff/rules.toml by `make docs`; edit that instead.
"""

# Events of a round, rarest first.
MIROIR = 0
FRAPPE = 1
COUP = 2
COUPS = 3
EPARGNE = 4
MAITRE = 5
BONUS = 6
EVENTS = 7

# Rulings: index into the `rules` array.
R_WILD_ADJUSTS = 0
R_BLUFFER_WILD = 1
R_FUSION_SCOPE = 2
R_REFILL = 3
R_EMPTY_HAND = 4
R_EMPTY_DECK = 5
R_BLUFFER_MAY_FUSE = 6
R_FRAPPE_WITH_FUSION = 7
R_FRAPPE_EXACT = 8
R_SEVERAL_FRAPPES = 9
R_SEVERAL_BLUFFER_CARD = 10
R_SPARED_WITH_FUSION = 11
R_SPARED_BLUFFER_CARD = 12
R_MASTER_BONUS = 13
R_BONUS_POT = 14
R_TIE_VALUE = 15
R_LAST_TIE = 16
RULINGS = 17

# Behind the rulings: 1 where a rule is taken out (`rules.without`).
R_NO_MIROIR = 17
R_NO_FRAPPE = 18
R_NO_COUP = 19
R_NO_CLOSEST = 20
R_NO_EPARGNE = 21
R_NO_POT = 22
RULE_FIELDS = 23

# Answers: what stands in the `rules` array (booleans: 0 false, 1 true).
# wild_adjusts
WILD_HIDDEN = 0
WILD_BOTH = 1
WILD_NONE = 2
# bluffer_wild
EVASIVE = 0
BLUFFER_PRINTED = 1
# fusion_scope
SCOPE_ANY = 0
SCOPE_EXACT_ONLY = 1
# empty_hand
EMPTY_DRAW = 0
EMPTY_VISIBLE_ONLY = 1
# empty_deck
DECK_RECYCLE = 0
DECK_END_GAME = 1
# frappe_exact
EXACT_ANY = 0
EXACT_PRINTED = 1
# several_frappes
FRAPPES_TIE_BREAK = 0
FRAPPES_SHARED = 1
# several_exact_bluffer_card
BLUFFER_CARD_DISCARD = 0
BLUFFER_CARD_POT = 1
BLUFFER_CARD_KEEP = 2
# spared_bluffer_card
SPARED_KEEP = 0
SPARED_DISCARD = 1
# bonus_pot
POT_AFTER_FEED = 0
POT_BEFORE_FEED = 1
# tie_value
TIE_PRINTED = 0
TIE_SIGNED = 1
# last_tie
LAST_CLOCKWISE = 0
LAST_RANDOM = 1
