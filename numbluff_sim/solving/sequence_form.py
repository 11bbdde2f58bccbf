"""Two-player zero-sum games in sequence form: points where a player decides, and endings with what they pay.

The kernels' page, `kernels/solving/regrets.py`, says what points, hands, endings and slots are.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
N = TypeVar("N", bound=np.generic)
#: Nobody has acted yet.
NEVER = (-1, -1)


@dataclass(frozen=True)
class SequenceForm:
    """A game. N points, E endings, M payoffs.

    `player` int64 (N,), 0 or 1; `actions` int64 (N,); `came` int64 (N, 2), the player's own last point and action, -1
    where there is none, points before those that come from them; `ends` int64 (E, 2, 2), by player the last point and
    action; `payoff` int64 (E,), an index into `payoffs` float64 (M, hands of player 0, hands of player 1): what player
    0 wins of player 1, times the chance of the deal.
    """

    player: Ints
    actions: Ints
    came: Ints
    ends: Ints
    payoff: Ints
    payoffs: Floats

    @property
    def hands(self) -> tuple[int, int]:
        """Hands of each player."""
        return self.payoffs.shape[1], self.payoffs.shape[2]

    @cached_property
    def base(self) -> Ints:
        """(N,): slot of hand 0's first action."""
        sizes = self.actions * np.array(self.hands)[self.player]
        return np.append(0, np.cumsum(sizes)[:-1])

    @cached_property
    def slots(self) -> int:
        """How many slots: a slot is an action of a hand at a point."""
        return int(np.sum(self.actions * np.array(self.hands)[self.player]))

    def plan(self, policy: Floats) -> Floats:
        """(slots,): the chance that a player does all that leads to an action, and it, given the hand."""
        found = policy.copy()
        for point, (last, action) in enumerate(self.came.tolist()):
            if last >= 0:
                self.of(found, point)[:] *= self.of(found, last)[:, action, None]
        return found

    def at(self, point: int) -> slice:
        """The slots of a point, hand by hand."""
        first = int(self.base[point])
        return slice(first, first + int(self.actions[point]) * self.hands[int(self.player[point])])

    def of(self, values: npt.NDArray[N], point: int) -> npt.NDArray[N]:
        """(hands, actions): a view of what belongs to a point in an array (slots,)."""
        return values[self.at(point)].reshape(-1, int(self.actions[point]))


def matrix_game(payoffs: npt.ArrayLike) -> SequenceForm:
    """Both choose at once, player 0 a row, player 1 a column; `payoffs` (rows, columns): what player 0 wins."""
    table = np.asarray(payoffs, np.float64)
    rows, columns = table.shape
    ends = [((0, row), (1, column)) for row in range(rows) for column in range(columns)]
    return SequenceForm(
        np.array([0, 1]),
        np.array([rows, columns]),
        np.array([NEVER, NEVER]),
        np.array(ends),
        np.arange(rows * columns),
        table.reshape(-1, 1, 1),
    )


@dataclass(frozen=True)
class Solution:
    """A policy of both players (float64 (slots,), chances of actions), and what is certain of the game's value to
    player 0: whatever player 1 does, player 0's policy gets at least `low`; player 1's lets nobody get more than
    `high`.
    """

    policy: Floats
    low: float
    high: float

    @property
    def value(self) -> float:
        """The middle of what is certain."""
        return (self.low + self.high) / 2

    @property
    def exploitability(self) -> float:
        """What a player gains by the best response to the other's policy, on average over the two; 0 for best play."""
        return (self.high - self.low) / 2
