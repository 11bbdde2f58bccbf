"""Bids in their order (R5), and which of them may be made (R3, R6, R16-R18, R20)."""

from __future__ import annotations

import functools
from typing import NamedTuple

from tests.games.perudo.reference.setup import Rules

STAR = 6
NUMBERS = (1, 2, 3, 4, 5)
#: The board's last fields.
BOARD_NUMBERS, BOARD_STARS = 20, 10


class Bid(NamedTuple):
    """At least `quantity` dice of `face`; 6 is the star."""

    quantity: int
    face: int

    @property
    def on_stars(self) -> bool:
        return self.face == STAR


def fields(order: str, numbers: int, stars: int) -> list[tuple[int, bool]]:
    """The board's fields as (quantity, is a star field), from the lowest to number `numbers` and star `stars`."""
    before_star = {"bluff_track": lambda k: 2 * k - 1, "perudo_halving": lambda k: 2 * k, "flat": lambda k: k}[order]
    track: list[tuple[int, bool]] = []
    star = 1
    for quantity in range(1, max(numbers, 2 * stars) + 1):
        if quantity <= numbers:
            track.append((quantity, False))
        while star <= stars and before_star(star) == quantity:
            track.append((star, True))
            star += 1
    return track


@functools.cache
def all_bids(order: str, cap: str, total: int) -> tuple[Bid, ...]:
    """Every bid with `total` dice in play, lowest first."""
    numbers, stars = (total, total) if cap == "total_dice" else (max(BOARD_NUMBERS, total), max(BOARD_STARS, total))
    return tuple(
        Bid(quantity, face)
        for quantity, star in fields(order, numbers, stars)
        for face in ((STAR,) if star else NUMBERS)
    )


def rank(bid: Bid, rules: Rules, total: int) -> int:
    """How many bids are lower."""
    return all_bids(rules.bid_order, rules.quantity_cap, total).index(bid)


class Speaker(NamedTuple):
    """What matters of the player in turn: whether he has one die, and whether this is his Palifico round."""

    one_die: bool
    is_palifico: bool


def legal_bids(rules: Rules, total: int, current: Bid | None, palifico: bool, speaker: Speaker) -> list[Bid]:
    """All bids that may follow `current` (None: the opening bid), lowest first; empty: the player must challenge
    (R20).
    """
    bids = all_bids(rules.bid_order, rules.quantity_cap, total)
    later = bids if current is None else bids[bids.index(current) + 1 :]
    return [bid for bid in later if allowed(rules, current, bid, palifico, speaker)]


def allowed(rules: Rules, current: Bid | None, bid: Bid, palifico: bool, speaker: Speaker) -> bool:
    """Whether a bid that is high enough may be made."""
    if palifico and bid.on_stars and not rules.palifico_stars_biddable:
        return False
    if current is None:
        return palifico or rules.opening_stars or not bid.on_stars
    if not palifico or bid.face == current.face:
        return True
    return rules.palifico_self_change if speaker.is_palifico else speaker.one_die


def field_of(bid: Bid, order: str) -> int:
    """The number of a bid's field on the track."""
    if order == "flat":
        return bid.quantity
    if order == "bluff_track":
        return 3 * bid.quantity - 1 if bid.on_stars else bid.quantity + bid.quantity // 2
    return 3 * bid.quantity if bid.on_stars else bid.quantity + (bid.quantity - 1) // 2
