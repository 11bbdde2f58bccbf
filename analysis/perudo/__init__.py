"""Statistics of Perudo: metrics from a tally, its report."""
