"""Which of the report's colours each role of NUM BLUFF has, the same on the whole page."""

BLUFFER, CLOSEST, FARTHEST, WINNER, OTHERS = "accent_2", "accent_3", "accent_1", "accent_5", "neutral"
POT, DOCUMENTED_RATE = "accent_4", "stated"
#: The sides of a dispute over the closest total.
OF_DISPUTE = {"closest": CLOSEST, "farthest": FARTHEST}
#: What a player turned out to be in a round.
OF_POSITION = {"bluffer": BLUFFER, **OF_DISPUTE, "winner": WINNER, "others": OTHERS}
