"""Chances in 1/65536 as PERUDO.md, section 3, writes them: from binomials, and from what rivals have bid."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Mapping, Sequence
from fractions import Fraction

from tests.games.perudo.reference.bids import STAR, Bid
from tests.games.perudo.reference.cups import matching

WHOLE, MOST = 65536, 65535


def units(x: float) -> int:
    """A persona's chance in 1/65536; Python's round() rounds half to even, as asked."""
    return round(Fraction(x) * WHOLE)


@functools.cache
def tail(wild: bool, dice: int, needed: int) -> int:
    """The chance that at least `needed` of so many unseen dice match."""
    if needed <= 0:
        return MOST
    p = Fraction(1, 3) if wild else Fraction(1, 6)
    exact = sum((math.comb(dice, k) * p**k * (1 - p) ** (dice - k) for k in range(needed, dice + 1)), Fraction(0))
    return min(MOST, round(WHOLE * exact))


def is_wild(bid: Bid, palifico: bool) -> bool:
    """Whether stars count for this bid."""
    return not palifico and not bid.on_stars


def seen(bid: Bid, own: Sequence[int], total: int, palifico: bool) -> int:
    """P(q, f): a bid's chance as who holds `own` of `total` dice sees it."""
    return tail(is_wild(bid, palifico), total - len(own), bid.quantity - matching(own, bid, palifico))


def blind(bid: Bid, total: int, palifico: bool) -> int:
    """P0(q, f): a bid's chance as somebody without dice sees it."""
    return tail(is_wild(bid, palifico), total, bid.quantity)


def logistic(chance: int, sharpness: float) -> int:
    """How likely a bid of this blind chance is challenged."""
    try:
        power = math.exp(sharpness * (chance / WHOLE - 0.5))
    except OverflowError:
        return 0
    return min(MOST, round(WHOLE / (1.0 + power)))


@functools.cache
def hand_weights(dice: int, factors: tuple[float, ...], palifico: bool) -> list[tuple[tuple[int, ...], float]]:
    """The hands of a rival with their weights; `factors` by face 1..6."""
    weighed = []
    for hand in itertools.combinations_with_replacement(range(1, STAR + 1), dice):
        weight = float(
            math.factorial(dice) // math.prod(math.factorial(hand.count(face)) for face in range(1, STAR + 1))
        )
        for face in range(1, STAR + 1):
            weight *= 1.0 + factors[face - 1] * matching(hand, Bid(1, face), palifico)
        weighed.append((hand, weight))
    return weighed


@functools.cache
def matches_of_rival(dice: int, factors: tuple[float, ...], face: int, palifico: bool) -> list[float]:
    """prob(j, k): the chance that a rival has k matching dice."""
    by_matches, total = [0.0] * (dice + 1), 0.0
    for hand, weight in hand_weights(dice, factors, palifico):
        by_matches[matching(hand, Bid(1, face), palifico)] += weight
        total += weight
    return [weight / total for weight in by_matches]


def posterior(bid: Bid, own: Sequence[int], rivals: Sequence[tuple[int, tuple[float, ...]]], palifico: bool) -> int:
    """P(q, f) from what was bid. `rivals`: dice and factors of each, clockwise from the left neighbour."""
    together = [1.0]
    for dice, factors in rivals:
        chances = matches_of_rival(dice, factors, bid.face, palifico)
        longer = []
        for k in range(len(together) + dice):
            total = 0.0
            for i, chance in enumerate(chances):
                if 0 <= k - i < len(together):
                    total += together[k - i] * chance
            longer.append(total)
        together = longer
    needed = bid.quantity - matching(own, bid, palifico)
    if needed <= 0:
        return MOST
    tail_sum = 0.0
    for k in range(len(together) - 1, needed - 1, -1):
        tail_sum += together[k]
    return min(MOST, math.floor(65536.0 * tail_sum))


def factors_of(
    seat: int, bids: Sequence[tuple[int, Bid]], first_bid_weight: float, raise_weight: float
) -> tuple[float, ...]:
    """lambda(j, g) by face 1..6 of a rival after the round's `bids` (bidder, bid)."""
    found: Mapping[int, float] = {}
    for i, (bidder, bid) in enumerate(bids):
        if bidder == seat and bid.face not in found:
            kept = i > 0 and bids[i - 1][1].face == bid.face
            found = {**found, bid.face: raise_weight if kept else first_bid_weight}
    return tuple(found.get(face, 0.0) for face in range(1, STAR + 1))
