"""Names of the game's integer codes, in code order (see kernels.num_bluff.codes). Those of events and rulings stand in
`rules_section`.
"""

MECHANISM_NAMES = ("none", "natural", "fusion", "adjust")
LIE_NAMES = ("none", "total", "family")
TIE_NAMES = ("none", "visible_card", "last_tie")
KNOWLEDGE_NAMES = ("announcement", "true_cards", "nothing")
KIND_NAMES = ("classic", "rainbow", "shadow")
