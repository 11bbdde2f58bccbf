"""Perudo: configuration, rules and rulings, engine, tallies, rows, transcripts."""
