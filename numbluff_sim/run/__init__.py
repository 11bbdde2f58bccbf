"""Runs: batches, threads and checkpoints; integer arrays become Parquet with provenance. Knows no game."""
