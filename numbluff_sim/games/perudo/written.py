"""How cases are written down for the rules calculator; loads nothing."""

#: The key of what is resolved, and what may stand instead of JSON.
LISTED, OR_TEXT = "cases", ""
#: Whether the calculator wants compiled kernels: plain cases load none, and solving a round takes them.
COMPILES = True
