"""`sweep`: the points of a design, judged by targets."""
