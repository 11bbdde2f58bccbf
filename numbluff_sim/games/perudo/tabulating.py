"""A solved round as a table: whole numbers of 1/65536 by history of bids and own hand.

What a player knows is the own hand and all bids of the round in their order; nothing is merged. Chances are rounded to
1/65536, those below 1/4096 are dropped, and where a solution says nothing, because no best play leads there, the table
challenges. Its own bounds stand next to the solution's.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from numbluff_sim.games.perudo.referee import Bid
from numbluff_sim.games.perudo.solving import SolvedRound
from numbluff_sim.solving.regret_matching import Solver
from numbluff_sim.solving.sequence_form import Floats

Whole = npt.NDArray[np.int32]
#: A whole chance, and the least that is not dropped.
ONE, LEAST = 65536, 1 / 4096
#: Bids as numbers: (quantity - 1) * FACES + face - 1; a challenge is CHALLENGE.
FACES, CHALLENGE, NOWHERE = 6, -1, -1
MOST_QUANTITY = 4
BID_CODES = MOST_QUANTITY * FACES


def bid_code(bid: Bid) -> int:
    """A bid as a number."""
    return (bid.quantity - 1) * FACES + bid.face - 1


@dataclass(frozen=True)
class EndingTable:
    """One round. Arrays are int32; a node is a history of bids, node 0 the opening.

    `child` (nodes, BID_CODES): the node after a bid, NOWHERE where the table ends; `row` (nodes,): the row of hand 0 of
    the player in turn, NOWHERE where all hands challenge or that player's own play never leads; hands in lexicographic
    order of their sorted faces. Row r has the entries `start[r]` .. `start[r + 1] - 1`: with 16 random bits u, the
    player makes the first `move` (a bid's code or CHALLENGE) whose `until` is above u. Where there is no node, row or
    entry, the player challenges. `bounds`: the opener's chance to win, low and high, by the solution, then by the table
    itself.
    """

    child: Whole
    row: Whole
    start: Whole
    move: Whole
    until: Whole
    bounds: Floats

    @property
    def low(self) -> float:
        """The least that the opener's chance to win can be, both playing their best."""
        return float(self.bounds[0])

    @property
    def high(self) -> float:
        """The most."""
        return float(self.bounds[1])


def whole_policy(solved: SolvedRound) -> npt.NDArray[np.int64]:
    """The policy in whole numbers of 1/65536 that add up to 65536 in every row (largest remainders, the first of
    equals).
    """
    game, found = solved.game, np.zeros(solved.game.slots, np.int64)
    for node in range(solved.tree.size):
        policy = game.of(solved.found.policy, node)
        actions = policy.shape[1]
        nothing = (policy.max(axis=1) - policy.min(axis=1) < 1e-12) & (node > 0)
        policy = np.where(nothing[:, None], np.arange(actions) == 0, policy)
        policy = np.where(policy < LEAST, 0.0, policy)
        exact = policy / policy.sum(axis=1, keepdims=True) * ONE
        whole = np.floor(exact).astype(np.int64)
        order = np.argsort(-(exact - whole), axis=1, kind="stable")
        short = ONE - whole.sum(axis=1)
        np.put_along_axis(whole, order, np.take_along_axis(whole, order, 1) + (np.arange(actions) < short[:, None]), 1)
        game.of(found, node)[:] = whole
    return found


def tabulated(solved: SolvedRound) -> EndingTable:
    """The table of a solution: every history that the play of one of the two allows, whatever the rival does, and
    that is not just challenged.
    """
    ending, tree, policy = solved.ending, solved.tree, whole_policy(solved)
    played = PolicyReach(solved, policy)
    codes = [bid_code(bid) for bid in ending.bids]
    nodes = np.flatnonzero(played.needed)
    number = np.full(tree.size, NOWHERE, np.int32)
    number[nodes] = np.arange(len(nodes), dtype=np.int32)
    child = np.full((len(nodes), BID_CODES), NOWHERE, np.int32)
    row, start, move, until = np.full(len(nodes), NOWHERE, np.int32), [0], list[int](), list[int]()
    for node in nodes.tolist():
        below = range(tree.first[node], tree.first[node] + tree.children[node])
        moves = ([CHALLENGE] if node > 0 else []) + [codes[tree.bid[after]] for after in below]
        for after in below:
            child[number[node], codes[tree.bid[after]]] = number[after]
        if not played.raises[node]:
            continue
        row[number[node]] = len(start) - 1
        for chances in played.rows(node):
            if node == 0 or chances[0] < ONE:
                taken = np.flatnonzero(chances)
                move.extend(moves[a] for a in taken)
                until.extend(np.cumsum(chances[taken]).tolist())
            start.append(len(move))
    held = Solver(solved.game).solution(policy / ONE)
    return EndingTable(
        child,
        row,
        np.array(start, np.int32),
        np.array(move, np.int32),
        np.array(until, np.int32),
        np.array([solved.found.low, solved.found.high, held.low, held.high]),
    )


class PolicyReach:
    """Where a whole policy leads."""

    def __init__(self, solved: SolvedRound, policy: npt.NDArray[np.int64]) -> None:
        self.game, self.policy = solved.game, policy
        self.plan = solved.game.plan(policy / ONE)
        tree = solved.tree
        #: Nodes where the player in turn comes by its own play and does not challenge with every hand.
        self.raises = np.array([self._raises(node) for node in range(tree.size)])
        #: Those and all nodes above them.
        self.needed = self.raises.copy()
        for node in range(tree.size - 1, 0, -1):
            if self.needed[node]:
                self.needed[tree.parent[node]] = True

    def _raises(self, node: int) -> bool:
        return bool(self._comes(node).any()) and (node == 0 or bool((self.rows(node)[:, 0] < ONE).any()))

    def _comes(self, node: int) -> npt.NDArray[np.bool_]:
        """(hands,): whether the player in turn comes there by its own play."""
        found: npt.NDArray[np.bool_] = self.game.of(self.plan, node).sum(axis=1) > 0
        return found

    def rows(self, node: int) -> npt.NDArray[np.int64]:
        """(hands, actions): the chances of the player in turn; where a hand never comes, it challenges."""
        chances = self.game.of(self.policy, node)
        return np.where(self._comes(node)[:, None], chances, (np.arange(chances.shape[1]) == 0) * ONE)
