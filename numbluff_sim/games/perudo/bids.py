"""The order of bids (R5), in plain Python: for written-down cases, solved rounds and pages; the kernels have their
own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

STAR = 6
#: The last fields of the board (R20, quantity_cap = none).
BOARD_NUMBERS, BOARD_STARS = 20, 10

#: Position of number q and of star k on the track, by the ruling bid_order.
POSITIONS: dict[str, tuple[Callable[[int], int], Callable[[int], int]]] = {
    "bluff_track": (lambda q: q + q // 2, lambda k: 3 * k - 1),
    "perudo_halving": (lambda q: q + (q - 1) // 2, lambda k: 3 * k),
    "flat": (lambda q: q, lambda k: k),
}


class Bid(NamedTuple):
    """At least `quantity` dice of `face` (1..5, 6 is the star)."""

    quantity: int
    face: int


def rank(bid: Bid, order: str) -> int:
    """What a raise must exceed; on a number's field the star of the order "flat" is the highest face."""
    number, star = POSITIONS[order]
    if bid.face != STAR:
        return number(bid.quantity) * 6 + bid.face - 1
    return star(bid.quantity) * 6 + (STAR - 1 if order == "flat" else 0)


def caps(total: int, cap: str) -> tuple[int, int]:
    """The highest quantity of a number and of stars with `total` dice in play (R20)."""
    return (total, total) if cap == "total_dice" else (max(BOARD_NUMBERS, total), max(BOARD_STARS, total))


def ordered_bids(order: str, total: int, cap: str = "total_dice") -> list[Bid]:
    """All bids, lowest first."""
    numbers, stars = caps(total, cap)
    found = [Bid(q, face) for face in range(1, STAR + 1) for q in range(1, (stars if face == STAR else numbers) + 1)]
    return sorted(found, key=lambda bid: rank(bid, order))
