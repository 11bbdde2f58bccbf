"""Small rounds between two players as a linear program in sequence form: exact up to the solver's rounding.

Source: Koller, Megiddo, von Stengel, "Fast algorithms for finding randomized strategies in game trees" (1994).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_array

from numbluff_sim.games.perudo.solving import OPENER, OTHER, Ending, Floats, Ints, Solution, Solver, Tree


@dataclass
class Matrix:
    """A sparse matrix, entry by entry."""

    rows: list[int]
    columns: list[int]
    entries: list[float]

    def add(self, row: int, column: int, entry: float) -> None:
        """Adds an entry."""
        self.rows.append(row)
        self.columns.append(column)
        self.entries.append(entry)

    def built(self, rows: int, columns: int) -> coo_array:
        """The matrix."""
        return coo_array((self.entries, (self.rows, self.columns)), shape=(rows, columns))


def solve_exactly(ending: Ending) -> Solution:
    """The best play of a round from one linear program: the opener's from its variables, the other's from its dual
    ones.
    """
    return Program(ending).solution()


class Program:
    """Variables: how likely the opener plays each sequence (a slot of the tree), then what each node of the other is
    worth with each hand.
    """

    def __init__(self, ending: Ending) -> None:
        self.solver = Solver(ending)
        self.ending, self.tree = ending, self.solver.tree
        self.parent, self.came = origins(self.tree)
        self.hands = self.solver.hands
        self.worth = (
            self.tree.slots
            + np.cumsum(np.where(self.tree.depth % 2 == OTHER, self.hands[OTHER], 0))
            - self.hands[OTHER]
        )
        self.size = self.tree.slots + int(np.sum(self.tree.depth % 2 == OTHER) * self.hands[OTHER])
        deals = np.outer(ending.chances(OPENER), ending.chances(OTHER))
        self.true = [
            deals * (self.solver.matches[OPENER][:, None, b] + self.solver.matches[OTHER][None, :, b] >= bid.quantity)
            for b, bid in enumerate(ending.bids)
        ]
        self.false = [deals - true for true in self.true]

    def slot(self, node: int, hand: int, action: int) -> int:
        """The slot of a hand's action at a node."""
        return int(self.tree.base[node] + hand * (self.tree.children[node] + (node > 0)) + action)

    def before(self, node: int, hand: int) -> int | None:
        """The slot that the player in turn at `node` played last, None before the first."""
        if self.tree.depth[node] < 2:
            return None
        last = int(self.parent[node])
        return self.slot(int(self.parent[last]), hand, int(self.came[last]))

    def solution(self) -> Solution:
        """Solves the program."""
        flow, totals = self._flow()
        bounds, slots = self._bounds()
        gain = np.zeros(self.size)
        for node in np.flatnonzero(self.tree.depth == 1):
            gain[self.worth[node] : self.worth[node] + self.hands[OTHER]] = -1.0
        found = linprog(
            gain,
            A_ub=bounds,
            b_ub=np.zeros(len(slots)),
            A_eq=flow,
            b_eq=totals,
            bounds=[(0, None)] * self.tree.slots + [(None, None)] * (self.size - self.tree.slots),
            method="highs",
        )
        if not found.success:
            raise RuntimeError(f"the linear program of {self.ending} was not solved: {found.message}")
        weights = np.maximum(found.x[: self.tree.slots], 0.0)
        weights[slots] = np.maximum(-found.ineqlin.marginals, 0.0)
        return self.solver.solution(self.solver.normalised(weights))

    def _flow(self) -> tuple[coo_array, Floats]:
        """What the opener plays at a node adds up to what leads there."""
        matrix, totals = Matrix([], [], []), list[float]()
        for node in np.flatnonzero(self.tree.depth % 2 == OPENER).tolist():
            for hand in range(self.hands[OPENER]):
                for action in range(self.tree.children[node] + (node > 0)):
                    matrix.add(len(totals), self.slot(node, hand, action), 1.0)
                before = self.before(node, hand)
                if before is not None:
                    matrix.add(len(totals), before, -1.0)
                totals.append(0.0 if before is not None else 1.0)
        return matrix.built(len(totals), self.size), np.array(totals)

    def _bounds(self) -> tuple[coo_array, list[int]]:
        """A node is worth no more to the opener than any action of the other leaves; the slots of these actions."""
        matrix, slots = Matrix([], [], []), list[int]()
        for node in np.flatnonzero(self.tree.depth % 2 == OTHER).tolist():
            for hand in range(self.hands[OTHER]):
                for action in range(self.tree.children[node] + 1):
                    self._bound(matrix, len(slots), node, hand, action)
                    slots.append(self.slot(node, hand, action))
        return matrix.built(len(slots), self.size), slots

    def _bound(self, matrix: Matrix, row: int, node: int, hand: int, action: int) -> None:
        matrix.add(row, self.worth[node] + hand, 1.0)
        own = range(self.hands[OPENER])
        if action == 0:
            last = int(self.parent[node])
            for mine in own:
                matrix.add(
                    row, self.slot(last, mine, int(self.came[node])), -self.true[self.tree.bid[node]][mine, hand]
                )
            return
        raised = int(self.tree.first[node]) + action - 1
        for mine in own:
            matrix.add(row, self.slot(raised, mine, 0), -self.false[self.tree.bid[raised]][mine, hand])
        for after in range(self.tree.first[raised], self.tree.first[raised] + self.tree.children[raised]):
            matrix.add(row, self.worth[after] + hand, -1.0)


def origins(tree: Tree) -> tuple[Ints, Ints]:
    """Every node's parent (-1 for the root), and which action of it led there."""
    parent, came = np.full(tree.size, -1), np.zeros(tree.size, np.int64)
    for node in range(tree.size):
        first, count = int(tree.first[node]), int(tree.children[node])
        parent[first : first + count] = node
        came[first : first + count] = np.arange(count) + (node > 0)
    return parent, came
