"""The Num-X Bomb game played slowly and readably, from its rules (R1..R22) alone: the twin that fast engines are held
against.

It imports nothing of the product: no kernel, no numba, no numpy. A card is its code as a string; a trick is the list
of who laid what, in order. `tricks` settles a trick and says what may be laid, `scores` counts cards and pots, `exact`
enumerates, `cases.resolve_case` resolves one written-down case.
"""
