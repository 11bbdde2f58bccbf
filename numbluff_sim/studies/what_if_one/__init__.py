"""`what-if-one`: the same deals, one player doing something or leaving it."""
