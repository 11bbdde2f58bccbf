"""Which draw takes which counter of the random numbers (docs/games/num_bluff/PLAY.md section 1)."""

#: First counter of each kind of draw.
DECK, CHOICES, ANNOUNCEMENTS, TIES = 0, 1 << 21, 2 << 21, 3 << 21
#: Counters a pile of the deck, a round and a seat in a round; behind a seat's first ones those of its fusions by pair.
PER_PILE, PER_ROUND, PER_SEAT, FIRST_PAIR = 256, 1 << 14, 1 << 11, 64
