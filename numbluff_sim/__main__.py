"""`python -m numbluff_sim` is `numbluff`."""

from numbluff_sim.cli.main import run

run()
