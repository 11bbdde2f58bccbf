"""Which of the report's colours each role of Perudo has, the same on the whole page."""

#: Bids held against the dice, and the line on which chance and truth agree.
CHALLENGED, TRUE_BIDS, AGREEMENT = "accent_2", "accent_3", "neutral"
WINNER, FIRST_OUT, OUT, WEAKER, PALIFICO = "accent_5", "accent_2", "neutral", "accent_3", "accent_4"
HIDDEN_DICE = "accent_1"
