"""Dealing without gathers: a Lehmer code decoded in lanes (docs/games/num_bluff/PLAY.md section 2).

Rank k says which of the ids not yet taken comes next. Going back through the earlier ranks, `x += x >= rank` makes room
for each id taken before; going up through the ids that are not in the pile at all, sorted, does the same for those.
"""

from numbluff_sim.kernels.common.jit import inline, jit
from numbluff_sim.kernels.common.lanes import larger, load_u8, select, smaller, store

#: Cards decoded in one pass over the earlier ranks.
PASS = 8


@jit
def bump(x, taken):
    """x, or x + 1 from `taken` on (U8)."""
    return select(x >= taken, x + 1, x)


@inline
def decode_pass(block, ranks, k, excluded, excluded_rows):
    """Cards number k .. k + 7 (a tuple of U8) from rank rows `ranks`.. and sorted excluded ids at `excluded`.."""
    r0, r1, r2, r3 = (
        load_u8(block, ranks + k),
        load_u8(block, ranks + k + 1),
        load_u8(block, ranks + k + 2),
        load_u8(block, ranks + k + 3),
    )
    r4, r5, r6, r7 = (
        load_u8(block, ranks + k + 4),
        load_u8(block, ranks + k + 5),
        load_u8(block, ranks + k + 6),
        load_u8(block, ranks + k + 7),
    )
    x0, x1, x2, x3 = r0, bump(r1, r0), bump(bump(r2, r1), r0), bump(bump(bump(r3, r2), r1), r0)
    x4 = bump(bump(bump(bump(r4, r3), r2), r1), r0)
    x5 = bump(bump(bump(bump(bump(r5, r4), r3), r2), r1), r0)
    x6 = bump(bump(bump(bump(bump(bump(r6, r5), r4), r3), r2), r1), r0)
    x7 = bump(bump(bump(bump(bump(bump(bump(r7, r6), r5), r4), r3), r2), r1), r0)
    for i in range(k - 1, -1, -1):
        r = load_u8(block, ranks + i)
        x0, x1, x2, x3 = bump(x0, r), bump(x1, r), bump(x2, r), bump(x3, r)
        x4, x5, x6, x7 = bump(x4, r), bump(x5, r), bump(x6, r), bump(x7, r)
    for e in range(excluded_rows):
        r = load_u8(block, excluded + e)
        x0, x1, x2, x3 = bump(x0, r), bump(x1, r), bump(x2, r), bump(x3, r)
        x4, x5, x6, x7 = bump(x4, r), bump(x5, r), bump(x6, r), bump(x7, r)
    return x0, x1, x2, x3, x4, x5, x6, x7


@jit
def decode_one(block, rank, later_ranks, later, ranks, earlier, excluded, excluded_rows):
    """The card of one rank (U8) behind `earlier` rows at `ranks` and, after those, `later` rows at `later_ranks`."""
    x = rank
    for i in range(later - 1, -1, -1):
        x = bump(x, load_u8(block, later_ranks + i))
    for i in range(earlier - 1, -1, -1):
        x = bump(x, load_u8(block, ranks + i))
    for e in range(excluded_rows):
        x = bump(x, load_u8(block, excluded + e))
    return x


@jit
def sort_rows(block, first, rows):
    """Sorts U8 rows first .. first + rows - 1 upwards in every lane (Batcher's odd-even merge sort)."""
    p = 1
    while p < rows:
        k = p
        while k >= 1:
            for j in range(k % p, rows - k, 2 * k):
                for i in range(min(k, rows - j - k)):
                    if (i + j) // (2 * p) == (i + j + k) // (2 * p):
                        a, b = load_u8(block, first + i + j), load_u8(block, first + i + j + k)
                        store(block, first + i + j, smaller(a, b))
                        store(block, first + i + j + k, larger(a, b))
            k //= 2
        p *= 2
