"""Which draw takes which counter of the random numbers (docs/games/perudo/PLAY.md section 1)."""

#: First counter of each kind of draw.
DICE, DECISIONS, TIES = 0, 1 << 21, 3 << 21
#: Counters a round of dice and a seat in it; a round of decisions and a step in it.
DICE_PER_ROUND, DICE_PER_SEAT, PER_ROUND, PER_STEP = 256, 16, 1 << 12, 8
