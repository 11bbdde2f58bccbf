"""Predictive CFR+: a game in sequence form played against itself until its value is known closely enough."""

from __future__ import annotations

import numpy as np

from numbluff_sim.kernels.solving import regrets as kernels
from numbluff_sim.solving.sequence_form import Floats, SequenceForm, Solution


class Solver:
    """Regrets and average of one game."""

    def __init__(self, game: SequenceForm) -> None:
        self.game = game
        self.hands = np.array(game.hands)
        self._points = (game.player, game.actions, game.came, game.base)
        self._payoffs = (game.payoffs, np.ascontiguousarray(-game.payoffs.transpose(0, 2, 1)))
        self.regrets, self.predicted, self.average, self._gains = (np.zeros(game.slots) for _ in range(4))
        self.policy = self.normalised(self.regrets)
        self.plan, self._live = np.zeros(game.slots), np.zeros(game.slots, np.uint8)
        self._touched = np.zeros(len(game.player), np.uint8)
        for who in (0, 1):
            self._follow(who, self.policy)

    def solve(self, width: float, most: int, every: int = 100) -> Solution:
        """Plays against itself until the value is known to `width` (high - low), or `most` times; looks every so many
        times.
        """
        for number in range(1, most + 1):
            for who in (0, 1):
                self._evaluate(who, self.policy)
                self._follow(who, self.policy)
                self._add_to_average(who, float(number) ** 2)
            if number % every == 0:
                found = self.solution(self.normalised(self.average))
                if found.high - found.low <= width:
                    return found
        return self.solution(self.normalised(self.average))

    def solution(self, policy: Floats) -> Solution:
        """A policy of both players, float64 (slots,), with what each holds against its best response."""
        best = []
        for who in (0, 1):
            self._follow(1 - who, policy)
            best.append(self._evaluate(who, policy, best=True))
        for who in (0, 1):
            self._follow(who, self.policy)
        return Solution(policy, -best[1], best[0])

    def normalised(self, weights: Floats) -> Floats:
        """Weights of actions as chances; where a hand never comes, every action alike."""
        policy = np.zeros(self.game.slots)
        kernels.match_regrets(self._points, self.hands, weights, np.zeros(self.game.slots), policy)
        return policy

    def _follow(self, who: int, policy: Floats) -> None:
        kernels.follow(self._points, who, self.game.hands[who], policy, self.plan, self._live)

    def _add_to_average(self, who: int, weight: float) -> None:
        hands = self.game.hands[who]
        kernels.add_to_average(self._points, who, hands, self.plan, self._live, weight, self.average)

    def _evaluate(self, who: int, policy: Floats, *, best: bool = False) -> float:
        worth = np.zeros(self.game.hands[who])
        nothing = np.zeros(0)
        kernels.evaluate(
            self._points,
            (self.game.ends, self.game.payoff),
            who,
            self._payoffs[who],
            self.plan,
            self._live,
            policy,
            (nothing, nothing) if best else (self.regrets, self.predicted),
            (self._touched, self._gains, worth),
        )
        return float(worth.sum())
