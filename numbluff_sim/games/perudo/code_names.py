"""Names of the game's integer codes, in code order (see kernels.perudo.codes). Those of rulings stand in
`rules_section`.
"""

STRATEGY_NAMES = ("random", "threshold", "value", "bayes", "equilibrium", "scripted")
SCRIPT_NAMES = ("one", "third")
#: Why a player opens a round: the first round, lost a die (R12), won the bet (R12), is the Palifico (R15), is left of
#: the player who is out (R13), has the fewer dice of two (R14), was chosen among two with equal dice (R14).
OPENER_NAMES = ("first_round", "loser", "winner", "palifico", "left_of_eliminated", "fewer_dice", "even_dice")
FACE_NAMES = ("none", "1", "2", "3", "4", "5", "star")
