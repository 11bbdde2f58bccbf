"""Statistics of NUM BLUFF: metrics from a tally, the claims of its rulebook."""
