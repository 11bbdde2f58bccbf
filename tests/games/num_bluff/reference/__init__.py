"""The slow, readable twin of the NUM BLUFF engine, written from docs/games/num_bluff/PLAY.md and the rules alone.

It imports nothing of the product: no kernel, no numba, no numpy. Cards that adjust are handled by listing every value
they may take. `game.play` plays one game into a transcript, `cases.resolve_case` resolves one written-down round.
"""
