"""Statistics, claims and reports: tallies in, numbers with intervals, verdicts and pages out. Never simulates."""
