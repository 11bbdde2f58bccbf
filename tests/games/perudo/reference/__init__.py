"""The slow, readable twin of the Perudo engine, written from docs/games/perudo/PLAY.md and the rules (R1..R22) alone.

It imports nothing of the product: no kernel, no numba, no numpy. Bids are listed one by one in their order, and
legality is a search in that list. `game.play` plays one game into a transcript, `cases.resolve_case` resolves one
written-down case.
"""
