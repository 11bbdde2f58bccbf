"""The challenge: counting (R8-R10, R17) and lifting cups (R19)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tests.games.perudo.reference.bids import STAR, Bid

Dice = Sequence[Sequence[int]]


def matching(dice: Sequence[int], bid: Bid, palifico: bool) -> int:
    """How many dice show the bid's face; stars stand for any number, but not in a Palifico round."""
    wild = not palifico and not bid.on_stars
    return sum(die == bid.face or (wild and die == STAR) for die in dice)


@dataclass(frozen=True)
class Lifting:
    """What the table saw: `order` of the cups, how many were lifted, matching dice and all dice under them, and
    whether the bid was true.
    """

    order: list[int]
    lifted: int
    seen: int
    dice_shown: int
    bid_true: bool


def lift(dice: Dice, challenger: int, bid: Bid, palifico: bool, direction: str = "right") -> Lifting:
    """Lifts cups from the bidder's on until the bid is proved. `dice` by seat, none for a seat that is out."""
    seats = len(dice)
    step = -1 if direction == "right" else 1
    bidder = next(seat for seat in ((challenger - i) % seats for i in range(1, seats)) if dice[seat])
    order = [seat for seat in ((bidder + step * i) % seats for i in range(seats)) if dice[seat]]
    seen = shown = lifted = 0
    for seat in order:
        seen += matching(dice[seat], bid, palifico)
        shown += len(dice[seat])
        lifted += 1
        if seen >= bid.quantity:
            break
    return Lifting(order, lifted, seen, shown, seen >= bid.quantity)
