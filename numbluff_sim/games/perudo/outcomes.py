"""The rules of Perudo on plain values: for written-down cases and exact values. Seats are 0.. clockwise; dice by
seat, none for who is out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from numbluff_sim.errors import CaseError
from numbluff_sim.games.perudo.bids import STAR, Bid, rank
from numbluff_sim.games.perudo.rules_section import Rules


def matching(dice: Sequence[int], bid: Bid, palifico: bool) -> int:
    """How many dice count for a bid (R8); stars are no jokers in a Palifico round (R17)."""
    return sum(die == bid.face or (die == STAR and not palifico) for die in dice)


def may_raise(rules: Rules, current: Bid | None, bid: Bid, *, palifico: bool, one_die: bool, is_palifico: bool) -> bool:
    """Whether a bid may follow (R5, R6), or may open when `current` is None (R3, R16); caps are `bids.caps`.

    `one_die`, `is_palifico`: whether who bids has one die, and is the Palifico of this round (R18).
    """
    if palifico and bid.face == STAR and not rules.palifico_stars_biddable:
        return False
    if current is None:
        return palifico or rules.opening_stars or bid.face != STAR
    if rank(bid, rules.bid_order) <= rank(current, rules.bid_order):
        return False
    if not palifico or bid.face == current.face:
        return True
    return rules.palifico_self_change if is_palifico else one_die


@dataclass(frozen=True)
class Cups:
    """`order` of the seats whose cups are lifted, how many were, matching dice seen under them, and whether the bid
    was true (R19).
    """

    order: list[int]
    lifted: int
    seen: int
    bid_true: bool


def lift_cups(rules: Rules, dice: Sequence[Sequence[int]], challenger: int, bid: Bid, *, palifico: bool) -> Cups:
    """Lifts the cups from the bidder's on, one by one, until the bid is proved."""
    seats = len(dice)
    bidder = neighbour([len(hand) for hand in dice], challenger, -1)
    step = -1 if rules.lift_direction == "right" else 1
    order = [seat for seat in ((bidder + step * i) % seats for i in range(seats)) if dice[seat]]
    seen = 0
    for lifted, seat in enumerate(order, 1):
        seen += matching(dice[seat], bid, palifico)
        if seen >= bid.quantity:
            return Cups(order, lifted, seen, bid_true=True)
    return Cups(order, len(order), seen, bid_true=False)


@dataclass(frozen=True)
class NextRound:
    """The table after a challenge; `eliminated` a seat or None, `starter` the winner when the match is over."""

    dice: list[int]
    eliminated: int | None
    starter: int
    palifico: bool
    over: bool


def next_round(rules: Rules, before: Sequence[int], loser: int, winner: int) -> NextRound:
    """What follows when `loser` loses one die of `before` to `winner` (R10-R15). Raises CaseError where chance
    decides who opens.
    """
    dice = [have - (seat == loser) for seat, have in enumerate(before)]
    left = [seat for seat, have in enumerate(dice) if have]
    eliminated = loser if not dice[loser] else None
    if len(left) == 1:
        return NextRound(dice, eliminated, left[0], palifico=False, over=True)
    if eliminated is not None:
        return NextRound(
            dice, eliminated, _opener_after_elimination(rules, before, dice, loser), palifico=False, over=False
        )
    if rules.palifico and dice[loser] == 1 and (len(left) > 2 or rules.palifico_two_players):
        return NextRound(dice, None, loser, palifico=True, over=False)
    loser_opens = rules.starter_normal == "loser" or (len(left) == 2 and rules.house_rule_start)
    return NextRound(dice, None, loser if loser_opens else winner, palifico=False, over=False)


def _opener_after_elimination(rules: Rules, before: Sequence[int], dice: Sequence[int], gone: int) -> int:
    """R13, and R14 where three have become two."""
    left, right = neighbour(dice, gone, 1), neighbour(dice, gone, -1)
    three_to_two = sum(have > 0 for have in before) == 3
    if not (three_to_two and rules.house_rule_start and rules.house_rule_fewer):
        return left
    if dice[left] != dice[right]:
        return left if dice[left] < dice[right] else right
    if rules.tie_3to2 == "random":
        raise CaseError(
            'tie_3to2 = "random" leaves to chance who opens; expected "left_of_eliminated" or "right_of_eliminated".'
        )
    return left if rules.tie_3to2 == "left_of_eliminated" else right


def neighbour(dice: Sequence[int], seat: int, step: int) -> int:
    """The nearest other seat that is in, to the left (step 1) or to the right (step -1)."""
    return next(other for other in ((seat + step * i) % len(dice) for i in range(1, len(dice))) if dice[other])
