"""Kernels of Perudo: games in lanes of 64, the strategies, and what is counted."""
