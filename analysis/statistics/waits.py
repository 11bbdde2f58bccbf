"""Waits that the end of a game cuts off: how long something takes to come, where the last wait of each game is not seen
to its end.

A wait that starts after unit s of a game of R units can be followed for R - s of them, known when it starts. Whether it
lasted exactly k units is seen of all waits that could be followed for k or longer, so that

    P(wait = k) = waits of k units seen / waits that could be followed for k units,

the estimator that weights by the inverse chance of being followed; where waits do not depend on when they start, as
Kaplan and Meier's assumes too, both estimate the same survival curve (Satten and Datta, The Kaplan-Meier estimator as
an inverse-probability-of-censoring weighted average, American Statistician 55 (2001), 207-210). The mean of the waits
seen to their end is too short: long ones are cut off more often.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from numbluff_sim.analysis.statistics.clusters import ValueWithError
from numbluff_sim.analysis.statistics.estimates import Bounds, Estimator
from numbluff_sim.analysis.statistics.intervals import clopper_pearson, mean

METHOD = "waits weighted by the inverse chance of being followed"


@dataclass(frozen=True)
class Waits:
    """What was seen of waits. `seen`: int64 (R + 1,), waits by units, cell 0 empty; `starts`: float64 (R,), waits that
    start after unit 0 .. R - 1; `played`: int64 (R + 1,), games that reached unit 0 .. R; `effect`: how many waits of a
    game count as one.
    """

    seen: NDArray[np.integer]
    starts: NDArray[np.float64]
    played: NDArray[np.integer]
    effect: float
    games: int
    denominator: str
    unit: str

    @property
    def longest(self) -> int:
        """R."""
        return len(self.starts)

    @cached_property
    def followed(self) -> NDArray[np.float64]:
        """Waits that could be followed for k units, (R + 1,); games that end early are taken to do so by chance."""
        ends = self.longest
        found = np.zeros(ends + 1)
        for s, started in enumerate(self.starts):
            if started:
                found[: ends - s + 1] += started * self.played[s:] / self.played[s]
        return found

    @cached_property
    def ended(self) -> NDArray[np.float64]:
        """Share of waits that have ended after k units, (R + 1,); rising, at most 1."""
        chance = np.divide(self.seen, self.followed, out=np.zeros(self.longest + 1), where=self.followed > 0)
        return np.asarray(np.minimum(np.cumsum(chance), 1.0))

    def by_length(self) -> NDArray[np.int64]:
        """All waits as if followed to the end of a game, by units (R + 1,); the last cell holds the longer ones too."""
        shares = np.diff(self.ended, prepend=0.0)
        shares[-1] += 1.0 - self.ended[-1]
        return np.asarray(np.round(shares * self.starts.sum()), np.int64)

    def interval(self, units: int, alpha: float) -> Bounds:
        """Bounds of the share that has ended after so many units: as if the waits that could be followed for that long
        were all there are.
        """
        trials = self.followed[units] / max(self.effect, 1.0)
        return clopper_pearson(float(self.ended[units]) * trials, trials, alpha) if trials else (0.0, 1.0)

    def quantile(self, name: str, q: float) -> Estimator:
        """Units after which a share q of the waits has ended; infinite where more than 1 - q outlast a game."""

        def reached(shares: list[float]) -> float:
            return next((float(k) for k, share in enumerate(shares) if share >= q - 1e-12), math.inf)

        def bounds(alpha: float) -> Bounds:
            ends = [self.interval(k, alpha) for k in range(self.longest + 1)]
            return reached([high for _, high in ends[1:]]) + 1, reached([0.0, *(low for low, _ in ends[1:])])

        started = float(self.starts.sum())
        value = reached(list(self.ended)) if started else math.nan
        method = f"{METHOD}; where the bounds of the share ended pass {q:g}"
        return Estimator(name, value, started, self.denominator, method, self.unit, self.games, bounds, smooth=False)

    def restricted_mean(self, name: str) -> Estimator:
        """Mean of the smaller of the wait and R: the area under the survival curve."""
        started, value, error = float(self.starts.sum()), math.nan, math.nan
        if started:
            value = float((1.0 - self.ended[:-1]).sum())
            shares = np.diff(self.ended, prepend=0.0)
            shares[-1] += 1.0 - self.ended[-1]
            spread = float(shares @ (np.arange(self.longest + 1) - value) ** 2)
            error = math.sqrt(spread * max(self.effect, 1.0) / max(self.followed[-1], 1.0))
        return mean(
            name,
            ValueWithError(value, error),
            n=started,
            denominator=self.denominator,
            games=self.games,
            unit=self.unit,
            within=(0.0, float(self.longest)),
            method=f"{METHOD}; at most {self.longest} {self.unit}; normal, as if only the longest followed counted",
        )
