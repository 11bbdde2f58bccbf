"""Names of the game's integer codes, in code order (see kernels.num_bluff.codes)."""

EVENT_NAMES = (
    "miroir_parfait",
    "frappe_parfaite",
    "coup_precis",
    "coup_precis_multiple",
    "epargne",
    "coup_de_maitre",
    "coup_de_maitre_bonus",
)
MECHANISM_NAMES = ("none", "natural", "fusion", "adjust")
LIE_NAMES = ("none", "total", "family")
TIE_NAMES = ("none", "visible_card", "last_tie")
KIND_NAMES = ("classic", "rainbow", "shadow")

#: Rules that a configuration may take out (`rules.without`); what that means is in `rulings.py`. The first six in the
#: order of the kernels' codes R_NO_*; the others go out with what personas may do.
REMOVABLE_RULES = (
    "miroir_parfait",
    "frappe_parfaite",
    "coup_precis",
    "ca_chauffe",
    "epargne",
    "pot",
    "fusion",
    "option",
    "lie",
)

#: Rulings in code order: name -> alternatives, in code order. Defaults are in `rulings.py`, with spec clause and
#: meaning.
RULING_VALUES: dict[str, tuple[str | bool, ...]] = {
    "wild_adjusts": ("hidden", "both", "none"),
    "bluffer_wild": ("evasive", "printed"),
    "fusion_scope": ("any", "exact_only"),
    "refill_after_fusion": (False, True),
    "empty_hand": ("draw", "visible_only"),
    "empty_deck": ("recycle", "end_game"),
    "bluffer_may_fuse": (False, True),
    "frappe_with_fusion": (False, True),
    "frappe_exact": ("any", "printed"),
    "several_frappes": ("tie_break", "shared"),
    "several_exact_bluffer_card": ("discard", "pot", "keep"),
    "spared_with_fusion": (False, True),
    "spared_bluffer_card": ("keep", "discard"),
    "master_bonus": (False, True),
    "bonus_pot": ("after_feed", "before_feed"),
    "tie_value": ("printed", "signed"),
    "last_tie": ("clockwise", "random"),
}
