"""How cases are written down for the rules calculator; loads nothing."""

#: The key of what is resolved, and what may stand instead of JSON.
LISTED, OR_TEXT = "cases", ""
#: Whether the calculator wants compiled kernels: a few cases are settled sooner without, and a round that is yet to be
#: solved has a process of its own that compiles (`tables.solve_apart`).
COMPILES = False
