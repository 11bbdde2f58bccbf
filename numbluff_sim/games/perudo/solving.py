"""Rounds between two players, solved: the tree of all bids as a game in sequence form, and what is certain about it.

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

from numbluff_sim.games.perudo.referee import STAR, Bid, Challenge, Raise, Referee, referee
from numbluff_sim.games.perudo.rules_section import Rules
from numbluff_sim.solving.program import solve_exactly
from numbluff_sim.solving.regret_matching import Solver
from numbluff_sim.solving.sequence_form import Floats, Ints, SequenceForm, Solution

OPENER, OTHER = 0, 1
#: Rounds with fewer slots are solved by a linear program.
PROGRAM_SLOTS = 100_000
#: CFR+ stops when the opener's value is known as closely, or after so many iterations.
WIDTH, ITERATIONS = 4e-5, 2400


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
    """All histories of bids of a round, breadth first, so that a node's children lie side by side and behind it; node 0
    is the opening.

    int64 (N,) each: `first`, a node's first child; `children`, how many; `bid`, number of the last bid, -1 at node 0;
    `depth`, even where the opener acts; `parent`, -1 at node 0; `action`, which of the parent's actions led there. A
    player's actions are the challenge, but at node 0, then the children.
    """

    first: Ints
    children: Ints
    bid: Ints
    depth: Ints
    parent: Ints
    action: Ints

    @classmethod
    def of(cls, ending: Ending) -> Tree:
        """The tree of a round."""
        follow = [ending.followers(player) for player in (OPENER, OTHER)]
        bid, depth, parent, action, first, children = [-1], [0], [-1], [0], [], []
        node = 0
        while node < len(bid):
            after = follow[depth[node] % 2][bid[node] + 1]
            first.append(len(bid))
            children.append(len(after))
            bid.extend(after)
            depth.extend([depth[node] + 1] * len(after))
            parent.extend([node] * len(after))
            action.extend(range(node > 0, len(after) + (node > 0)))
            node += 1
        return cls(*(np.array(values, np.int64) for values in (first, children, bid, depth, parent, action)))

    @property
    def size(self) -> int:
        """Number of nodes."""
        return len(self.first)

    def game(self, ending: Ending) -> SequenceForm:
        """The round as a game: nodes are points, a hand is a player's dice, player 0 the opener, whose win pays 1.

        Every node but the opening has one ending: its first action challenges its last bid.
        """
        nodes = np.arange(1, self.size)
        came = np.full((self.size, 2), -1)
        later = np.flatnonzero(self.depth > 1)
        came[later] = np.column_stack([self.parent[self.parent[later]], self.action[self.parent[later]]])
        ends = np.empty((self.size - 1, 2, 2), np.int64)
        challenger = self.depth[1:] % 2
        ends[nodes - 1, challenger] = np.column_stack([nodes, np.zeros_like(nodes)])
        ends[nodes - 1, 1 - challenger] = np.column_stack([self.parent[1:], self.action[1:]])
        deals = np.outer(ending.chances(OPENER), ending.chances(OTHER))
        counts = ending.matches(OPENER).T[:, :, None] + ending.matches(OTHER).T[:, None, :]
        true = counts >= np.array([bid.quantity for bid in ending.bids])[:, None, None]
        return SequenceForm(
            self.depth % 2,
            self.children + (np.arange(self.size) > 0),
            came,
            ends,
            self.bid[1:] + len(ending.bids) * (challenger == OPENER),
            np.concatenate([true, ~true]) * deals,
        )


@dataclass(frozen=True)
class SolvedRound:
    """A round with its tree, the game made of it, and a policy of both players; `found.low` and `found.high` bound the
    opener's chance to win.
    """

    ending: Ending
    tree: Tree
    game: SequenceForm
    found: Solution


def solve(ending: Ending) -> SolvedRound:
    """The best play of a round, small ones exactly."""
    tree = Tree.of(ending)
    game = tree.game(ending)
    exactly = game.slots < PROGRAM_SLOTS
    return SolvedRound(ending, tree, game, solve_exactly(game) if exactly else Solver(game).solve(WIDTH, ITERATIONS))
