"""Rounds between two players, solved: the tree of all bids, CFR+ over it, and what is certain about the result.

A round has one loser of one die, so whatever the rest of the match is worth, a player wants the greatest chance to win
the round: the best play of the round alone is also the best play of the match (not under `dice_lost = "difference"`,
where the size of a loss counts). Bids above the dice in play are left out whatever `quantity_cap` says: they are false,
and to challenge them is best.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from numbluff_sim.games.perudo.config import Rules
from numbluff_sim.games.perudo.referee import STAR, Bid, Challenge, Raise, Referee, referee
from numbluff_sim.kernels.solving import regrets as kernels

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
OPENER, OTHER = 0, 1


def hands_of(dice: int) -> list[tuple[int, ...]]:
    """All hands of so many dice, each sorted upwards."""
    return list(itertools.combinations_with_replacement(range(1, STAR + 1), dice))


@dataclass(frozen=True)
class Ending:
    """One round between two players. In a Palifico round the opener is the Palifico, with one die."""

    opener: int
    other: int
    palifico: bool = False
    bid_order: str = "bluff_track"
    opening_stars: bool = True
    palifico_stars_biddable: bool = True
    palifico_self_change: bool = True

    @cached_property
    def bids(self) -> list[Bid]:
        """All bids of the round, lowest first."""
        return self._referee.ordered_bids(self.opener + self.other, palifico=self.palifico)

    @cached_property
    def _referee(self) -> Referee:
        names = ("bid_order", "opening_stars", "palifico_stars_biddable", "palifico_self_change")
        return referee(Rules.model_validate({name: getattr(self, name) for name in names}))

    def followers(self, player: int) -> list[list[int]]:
        """The bids that a player may make, as an opening and after each bid (R3, R5, R6, R16, R18)."""
        total, one_die = self.opener + self.other, (self.opener, self.other)[player] == 1
        over, count = [None, *self.bids], len(self.bids)
        may = self._referee.may_bid(
            Raise(last, bid, total, self.palifico, one_die, self.palifico and player == OPENER)
            for last in over
            for bid in self.bids
        )
        return [[b for b in range(count) if may[after * count + b]] for after in range(len(over))]

    def hands(self, player: int) -> list[tuple[int, ...]]:
        """The hands of a player."""
        return hands_of(self.other if player else self.opener)

    def chances(self, player: int) -> Floats:
        """The chance of each hand."""
        dice = self.other if player else self.opener
        ways = [
            math.factorial(dice) // math.prod(math.factorial(n) for n in Counter(hand).values())
            for hand in self.hands(player)
        ]
        found: Floats = np.array(ways, np.float64) / 6**dice
        return found

    def matches(self, player: int) -> Ints:
        """(hands, bids): how many dice of a hand count for a bid (R8, R17)."""
        hands = self.hands(player)
        settled = self._referee.challenges(
            Challenge([hand], bid, challenger=0, palifico=self.palifico) for hand in hands for bid in self.bids
        )
        return np.array([one.count for one in settled], np.int64).reshape(len(hands), len(self.bids))


@dataclass(frozen=True)
class Tree:
    """All histories of bids of a round, breadth first; the arrays of `kernels.solving.regrets`."""

    first: Ints
    children: Ints
    bid: Ints
    depth: Ints
    base: Ints
    slots: int

    @classmethod
    def of(cls, ending: Ending) -> Tree:
        """The tree of a round."""
        follow = [ending.followers(player) for player in (OPENER, OTHER)]
        bid, depth, first, children = [-1], [0], [], []
        node = 0
        while node < len(bid):
            after = follow[depth[node] % 2][bid[node] + 1]
            first.append(len(bid))
            children.append(len(after))
            bid.extend(after)
            depth.extend([depth[node] + 1] * len(after))
            node += 1
        actions = np.array(children) + (np.arange(node) > 0)
        hands = np.where(np.array(depth) % 2 == OPENER, len(ending.hands(OPENER)), len(ending.hands(OTHER)))
        ends = np.cumsum(actions * hands)
        return cls(
            np.array(first), np.array(children), np.array(bid), np.array(depth), ends - actions * hands, int(ends[-1])
        )

    @property
    def size(self) -> int:
        """Number of nodes."""
        return len(self.first)


@dataclass(frozen=True)
class Solution:
    """A policy for both players (slots of the tree); low and high: what best responses leave of the opener's chance
    to win the round.
    """

    ending: Ending
    tree: Tree
    policy: Floats
    low: float
    high: float

    @property
    def value(self) -> float:
        """The middle of what is certain."""
        return (self.low + self.high) / 2


class Solver:
    """Predictive CFR+ on a round."""

    def __init__(self, ending: Ending) -> None:
        self.ending, self.tree = ending, Tree.of(ending)
        self.quantity = np.array([bid.quantity for bid in ending.bids], np.int64)
        self.matches = [ending.matches(player) for player in (OPENER, OTHER)]
        self.hands = np.array([len(ending.hands(player)) for player in (OPENER, OTHER)])
        self.regrets, self.predicted, self.average = (np.zeros(self.tree.slots) for _ in range(3))
        self.policy = self.normalised(self.regrets)
        self.reach = [np.zeros((self.tree.size, hands)) for hands in self.hands]
        self.values = [np.zeros((self.tree.size, hands)) for hands in self.hands]
        self.live = [np.zeros(self.tree.size, np.int64) for _ in self.hands]
        for player in (OPENER, OTHER):
            self._follow(player, self.policy)

    def solve(self, width: float, most: int, every: int = 100) -> Solution:
        """Plays against itself until the opener's value is known to `width`, or `most` times; looks every so many
        times.
        """
        for number in range(1, most + 1):
            for player in (OPENER, OTHER):
                self._evaluate(player, self.policy)
                self._follow(player, self.policy)
                kernels.add_to_average(
                    self.tree.children,
                    self.tree.depth,
                    self.tree.base,
                    player,
                    self.policy,
                    self.reach[player],
                    self.live[player],
                    float(number) ** 2,
                    self.average,
                )
            if number % every == 0:
                found = self.solution(self.normalised(self.average))
                if found.high - found.low <= width:
                    return found
        return self.solution(self.normalised(self.average))

    def solution(self, policy: Floats) -> Solution:
        """A policy of both players with what each holds against its best response, as the opener's chance to win."""
        held = []
        for player in (OPENER, OTHER):
            self._follow(1 - player, policy)
            held.append(self._evaluate(player, policy, best=True))
        for player in (OPENER, OTHER):
            self._follow(player, self.policy)
        return Solution(self.ending, self.tree, policy, 1 - held[OTHER], held[OPENER])

    def _follow(self, player: int, policy: Floats) -> None:
        tree, reach = self.tree, self.reach[player]
        reach[0] = self.ending.chances(player)
        kernels.follow(tree.first, tree.children, tree.depth, tree.base, player, policy, reach, self.live[player])

    def _evaluate(self, player: int, policy: Floats, *, best: bool = False) -> float:
        tree, rival = self.tree, 1 - player
        kernels.evaluate(
            tree.first,
            tree.children,
            tree.bid,
            tree.depth,
            tree.base,
            self.quantity,
            player,
            self.matches[player],
            self.matches[rival],
            self.reach[rival],
            self.live[rival],
            policy,
            int(best),
            self.regrets,
            self.predicted,
            self.values[player],
        )
        return float(self.values[player][0] @ self.ending.chances(player))

    def normalised(self, weights: Floats) -> Floats:
        """Weights of actions as chances; where a hand never comes, every action alike."""
        policy = np.zeros(self.tree.slots)
        kernels.match_regrets(
            self.tree.children, self.tree.depth, self.tree.base, self.hands, weights, np.zeros(self.tree.slots), policy
        )
        return policy
