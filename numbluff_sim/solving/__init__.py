"""Best play of two-player zero-sum games: sequence form, predictive CFR+, linear programs, best responses."""
