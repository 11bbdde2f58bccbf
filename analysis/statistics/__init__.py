"""Estimates with intervals, errors clustered by game, paired differences, sequences, verdicts. Knows no game."""
