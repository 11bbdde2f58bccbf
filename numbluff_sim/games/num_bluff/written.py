"""How rounds are written down for the rules calculator; loads nothing."""

#: The key of what is resolved, and what may stand instead of JSON.
LISTED, OR_TEXT = "rounds", " or rounds as plain text"
#: Whether the calculator wants compiled kernels: a few rounds are settled sooner without.
COMPILES = False
