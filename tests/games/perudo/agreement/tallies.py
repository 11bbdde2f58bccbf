"""Every tally field of Perudo counted again from reference games, from what the registry of tallies says each field
holds.

Plain Python over game records; shares nothing with the kernels but the shapes of the arrays.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tests.games.perudo.reference.bids import STAR, Bid
from tests.games.perudo.reference.chances import seen
from tests.games.perudo.reference.cups import matching
from tests.games.perudo.reference.game import GameRecord, RoundRecord
from tests.games.perudo.reference.setup import Setup

Tally = dict[str, NDArray[np.int64]]
OPENER_RULES = ("first_round", "loser", "winner", "palifico", "left_of_eliminated", "fewer_dice", "even_dice")


def dice_after(entry: RoundRecord) -> list[int]:
    """Dice by seat after the round."""
    return [have - gone for have, gone in zip(entry.dice_before, entry.lost, strict=True)]


def count_in(dice: list[int]) -> int:
    return sum(n > 0 for n in dice)


def first_to_one(game: GameRecord) -> int | None:
    """The seat that was first to come down to one die; of several at once the first clockwise from the bidder."""
    for entry in game.rounds:
        came = came_to_one(entry)
        if came:
            return min(came, key=lambda seat: (seat - entry.bidder) % len(entry.lost))
    return None


def came_to_one(entry: RoundRecord) -> list[int]:
    return [seat for seat, n in enumerate(dice_after(entry)) if n == 1 and entry.lost[seat]]


def from_three_to_two(entry: RoundRecord) -> bool:
    """Whether this round took the table from three players to two."""
    return count_in(entry.dice_before) == 3 and count_in(dice_after(entry)) == 2


def weaker_of(dice: list[int]) -> int | None:
    """Of two players the one with fewer dice."""
    (few, seat), (more, _) = sorted((n, seat) for seat, n in enumerate(dice) if n)
    return None if few == more else seat


def why_opens(setup: Setup, before: RoundRecord | None, entry: RoundRecord) -> str:
    """Why the opener opens a round, from what happened in the round before."""
    if before is None:
        return "first_round"
    if entry.palifico_seat is not None:
        return "palifico"
    if before.eliminated:
        if not (from_three_to_two(before) and setup.rules.house_rule_start and setup.rules.house_rule_fewer):
            return "left_of_eliminated"
        return "even_dice" if weaker_of(entry.dice_before) is None else "fewer_dice"
    return "loser" if entry.opener == before.loser else "winner"


class Counting:
    """Adds reference games of one setup to a tally of zeros."""

    def __init__(self, setup: Setup, zeros: Tally) -> None:
        self.setup, self.tally = setup, zeros

    def add(self, game: GameRecord) -> None:
        """One game: all fields."""
        t, rounds = self.tally, len(game.rounds)
        values = self.variables(game)
        t["games"] += 1
        t["detail_games"] += 1
        t["moments"] += np.array([values, values**2, values * rounds])
        t["cross"] += np.outer(values, values)
        t["cross_sums"] += values
        t["length"][rounds] += 1
        t["winner_dice"][dice_after(game.rounds[-1])[game.winner]] += 1
        self.add_seats(game)
        before = None
        bins = np.zeros((20, 4), np.int64)
        for entry in game.rounds:
            self.add_round(game, before, entry)
            self.add_bids(entry, bins)
            before = entry
        n, k, kt, true = bins.T
        t["calibration"] += np.column_stack([bins, n * n, k * k, kt * kt, true * true, n * k, k * kt, n * true])

    def variables(self, game: GameRecord) -> NDArray[np.int64]:
        """The per-game variables in the registry's order."""
        rounds, last, one = game.rounds, game.rounds[-1], first_to_one(game)
        turning = next((i for i, entry in enumerate(rounds) if from_three_to_two(entry)), None)
        weaker = None if turning is None else weaker_of(rounds[turning + 1].dice_before)
        after = None if turning is None else rounds[turning + 1]
        return np.array(
            [
                len(rounds),
                sum(len(r.bids) for r in rounds),
                sum(r.bid_true for r in rounds),
                sum(r.opener == r.loser for r in rounds),
                sum(r.opener in (r.bidder, r.challenger) and r.opener != r.loser for r in rounds),
                sum(r.palifico_seat is not None for r in rounds),
                sum(r.palifico_seat == r.loser for r in rounds),
                sum(r.lifting.lifted for r in rounds),
                sum(count_in(r.dice_before) for r in rounds),
                sum(r.lifting.dice_shown for r in rounds),
                sum(sum(r.dice_before) for r in rounds),
                sum(r.dice_before.count(0) for r in rounds),
                one is not None,
                one == game.winner,
                any(game.winner in came_to_one(r) for r in rounds),
                dice_after(last)[game.winner],
                weaker is not None,
                weaker is not None and after is not None and after.opener == weaker,
                weaker is not None and after is not None and after.loser != weaker,
                weaker is not None and weaker == game.winner,
                turning is not None and weaker is None,
                *(seat == game.winner for seat in range(self.setup.players)),
            ],
            np.int64,
        )

    def add_seats(self, game: GameRecord) -> None:
        t, rounds = self.tally, len(game.rounds)
        for seat, place in enumerate(game.places):
            t["place"][seat, place] += 1
            out = next((r.number + 1 for r in game.rounds if seat in r.eliminated), None)
            if out is not None:
                t["out_round"][place, out] += 1
            idle = 0 if out is None else rounds - out
            t["idle_rounds"][place] += [1, idle, idle * idle]
        one = first_to_one(game)
        t["to_one_place"][0 if one is None else game.places[one]] += 1
        if one is not None:
            t["to_one_seat"][one] += 1

    def add_round(self, game: GameRecord, before: RoundRecord | None, entry: RoundRecord) -> None:
        t, total, here = self.tally, sum(entry.dice_before), count_in(entry.dice_before)
        opener, loser, rule = entry.opener, entry.loser, OPENER_RULES.index(why_opens(self.setup, before, entry))
        unhurt = opener in (entry.bidder, entry.challenger) and opener != loser
        t["round_bids"][total, min(len(entry.bids), 63)] += 1
        t["bid_quantity"][total, entry.bid.quantity] += [
            1,
            entry.bid_true,
            entry.bid.face == STAR,
            entry.bid.face == STAR and entry.bid_true,
        ]
        t["opener"][rule] += [1, opener == loser, unhurt, opener == game.winner]
        if entry.palifico_seat is not None:
            t["palifico"][here] += [1, opener == loser, unhurt, opener == game.winner]
        t["cups"][here, entry.lifting.lifted] += 1
        t["dice_lost"][sum(entry.lost)] += 1
        if here == 2:
            own = entry.dice_before[opener]
            stats = [1, opener != loser, opener == game.winner]
            t["duel"][own, total - own, int(entry.palifico_seat is not None)] += stats
            if before is not None and from_three_to_two(before):
                t["three_to_two"][own, total - own, rule] += stats

    def add_bids(self, entry: RoundRecord, bins: NDArray[np.int64]) -> None:
        """Every bid as the next player sees it."""
        palifico, total = entry.palifico_seat is not None, sum(entry.dice_before)
        answers = [*(seat for seat, _ in entry.bids[1:]), entry.challenger]
        for i, ((_, bid), seat) in enumerate(zip(entry.bids, answers, strict=True)):
            true, challenged = self.is_true(entry, bid), i == len(entry.bids) - 1
            bins[seen(bid, entry.hands[seat], total, palifico) * 20 // 65536] += [
                1,
                challenged,
                challenged and true,
                true,
            ]

    def is_true(self, entry: RoundRecord, bid: Bid) -> bool:
        return sum(matching(hand, bid, entry.palifico_seat is not None) for hand in entry.hands) >= bid.quantity
