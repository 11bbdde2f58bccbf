"""Numba kernels: validated integer arrays in, integer arrays out; one sub-package a game."""
