"""A game in sequence form as a linear program: exact up to the solver's rounding, for games that are small enough.

Source: Koller, Megiddo, von Stengel, "Fast algorithms for finding randomized strategies in game trees" (1994).
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_array

from numbluff_sim.solving.regret_matching import Solver
from numbluff_sim.solving.sequence_form import Floats, SequenceForm, Solution


class Matrix:
    """A sparse matrix, entry by entry."""

    def __init__(self) -> None:
        self.rows, self.columns, self.entries = list[int](), list[int](), list[float]()

    def add(self, row: int, column: int, entry: float) -> None:
        """Adds an entry; those of one place add up."""
        self.rows.append(row)
        self.columns.append(column)
        self.entries.append(entry)

    def built(self, rows: int, columns: int) -> coo_array:
        """The matrix."""
        return coo_array((self.entries, (self.rows, self.columns)), shape=(rows, columns))


def solve_exactly(game: SequenceForm) -> Solution:
    """The best play of both from one linear program: player 0's from its variables, player 1's from its dual ones.

    Raises RuntimeError where the program is not solved.
    """
    return Program(game).solution()


class Program:
    """Variables: how likely player 0 plays each sequence (a slot), then what each point of player 1 is worth to player
    0 with each hand of player 1.
    """

    def __init__(self, game: SequenceForm) -> None:
        self.game = game
        self.points = [np.flatnonzero(game.player == who).tolist() for who in (0, 1)]
        self.worth = {point: game.slots + i * game.hands[1] for i, point in enumerate(self.points[1])}
        self.size = game.slots + len(self.points[1]) * game.hands[1]
        self.bounded = [slot for point in self.points[1] for slot in range(game.slots)[game.at(point)]]

    def slot(self, point: int, action: int, hand: int) -> int:
        """The slot of a hand's action at a point."""
        return int(self.game.base[point]) + hand * int(self.game.actions[point]) + action

    def solution(self) -> Solution:
        """Solves the program."""
        flow, totals = self._flow()
        bounds, limits, gain = self._bounds()
        found = linprog(
            gain,
            A_ub=bounds,
            b_ub=limits,
            A_eq=flow,
            b_eq=totals,
            bounds=[(0, None)] * self.game.slots + [(None, None)] * (self.size - self.game.slots),
            method="highs",
        )
        if not found.success:
            raise RuntimeError(f"the linear program of {len(self.game.player)} points was not solved: {found.message}")
        weights = np.maximum(found.x[: self.game.slots], 0.0)
        weights[self.bounded] = np.maximum(-found.ineqlin.marginals, 0.0)
        solver = Solver(self.game)
        return solver.solution(solver.normalised(weights))

    def _flow(self) -> tuple[coo_array, Floats]:
        """What player 0 plays at a point adds up to what leads there."""
        matrix, totals = Matrix(), list[float]()
        for point in self.points[0]:
            last, before = self.game.came[point].tolist()
            for hand in range(self.game.hands[0]):
                for action in range(self.game.actions[point]):
                    matrix.add(len(totals), self.slot(point, action, hand), 1.0)
                if last >= 0:
                    matrix.add(len(totals), self.slot(last, before, hand), -1.0)
                totals.append(0.0 if last >= 0 else 1.0)
        return matrix.built(len(totals), self.size), np.array(totals)

    def _bounds(self) -> tuple[coo_array, Floats, Floats]:
        """A point of player 1 is worth no more to player 0 than any action there leaves: matrix, limits, and what the
        program minimises.
        """
        row = {slot: i for i, slot in enumerate(self.bounded)}
        matrix, limits, gain = Matrix(), np.zeros(len(row)), np.zeros(self.size)
        for point in self.points[1]:
            last, before = self.game.came[point].tolist()
            for hand in range(self.game.hands[1]):
                for action in range(self.game.actions[point]):
                    matrix.add(row[self.slot(point, action, hand)], self.worth[point] + hand, 1.0)
                if last >= 0:
                    matrix.add(row[self.slot(last, before, hand)], self.worth[point] + hand, -1.0)
                else:
                    gain[self.worth[point] + hand] -= 1.0
        for ((mine, action), (other, reply)), payoff in zip(self.game.ends.tolist(), self.game.payoff, strict=True):
            for own, hand in np.argwhere(self.game.payoffs[payoff]).tolist():
                won = float(self.game.payoffs[payoff, own, hand])
                place = row[self.slot(other, reply, hand)] if other >= 0 else -1
                if mine >= 0 and other >= 0:
                    matrix.add(place, self.slot(mine, action, own), -won)
                elif mine >= 0:
                    gain[self.slot(mine, action, own)] -= won
                elif other >= 0:
                    limits[place] += won
        return matrix.built(len(row), self.size), limits, gain
