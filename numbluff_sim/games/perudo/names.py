"""Names of the game's integer codes, in code order (see kernels.perudo.codes)."""

STRATEGY_NAMES = ("random", "threshold", "value", "bayes", "equilibrium", "scripted")
SCRIPT_NAMES = ("one", "third")
#: Why a player opens a round: the first round, lost a die (R12), won the bet (R12), is the Palifico (R15), is left of
#: the player who is out (R13), has the fewer dice of two (R14), was chosen among two with equal dice (R14).
OPENER_NAMES = ("first_round", "loser", "winner", "palifico", "left_of_eliminated", "fewer_dice", "even_dice")
FACE_NAMES = ("none", "1", "2", "3", "4", "5", "star")

#: Rulings in code order: name -> alternatives, in code order. Defaults are in the configuration, spec clause and
#: meaning in `rulings.py`.
RULING_VALUES: dict[str, tuple[str | bool, ...]] = {
    "bid_order": ("bluff_track", "perudo_halving", "flat"),
    "opening_stars": (False, True),
    "quantity_cap": ("total_dice", "none"),
    "starter_normal": ("loser", "challenge_winner"),
    "house_rule_start": (False, True),
    "tie_3to2": ("left_of_eliminated", "right_of_eliminated", "random"),
    "house_rule_fewer": (False, True),
    "palifico": (False, True),
    "palifico_two_players": (False, True),
    "palifico_stars_biddable": (False, True),
    "palifico_self_change": (False, True),
    "lift_direction": ("right", "left"),
    "dice_lost": ("one", "difference"),
}
