"""Means, ratios and differences of ratios of per-game sums, with errors from the spread between games.

A game gives a vector x of sums (rounds, rounds with an event, points, ...). A rate per round is a ratio of means
R = mean(a.x) / mean(b.x); by the delta method its variance over G games is that of (a - R b).x / mean(b.x), over G.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

#: Coefficients by variable name; the name GAMES stands for the constant 1.
Combination = Mapping[str, float]
GAMES = "games"
PER_GAME: Combination = {GAMES: 1.0}


@dataclass(frozen=True)
class ValueWithError:
    """A value and its standard error, both nan where nothing was observed.

    `df`: degrees of freedom of the error, where it comes from fewer games than the value; infinite: from as many.
    """

    value: float
    error: float
    df: float = math.inf


@dataclass(frozen=True)
class ClusterSums:
    """Means (V,) and covariances (V, V), float64, of per-game variables over `games` games; `df`: degrees of freedom of
    the covariances, where fewer games are behind them.
    """

    names: tuple[str, ...]
    games: int
    means: NDArray[np.float64]
    cov: NDArray[np.float64]
    df: float = math.inf

    @classmethod
    def from_sums(
        cls, names: Sequence[str], games: int, sums: NDArray[np.integer], cross: NDArray[np.integer]
    ) -> ClusterSums:
        """From integer sums (V,) and sums of products (V, V). The covariance of fewer than two games is nan."""
        means = np.asarray(sums, dtype=np.float64) / max(games, 1)
        spread = np.asarray(cross, dtype=np.float64) - games * np.outer(means, means)
        cov = spread / (games - 1) if games > 1 else np.full_like(spread, math.nan)
        return cls(tuple(names), games, means, cov)

    def mean(self, combination: Combination) -> float:
        """Mean of the combination per game."""
        return float(self._vector(combination) @ self.means) + combination.get(GAMES, 0.0)

    def ratio(self, top: Combination, bottom: Combination = PER_GAME) -> ValueWithError:
        """mean(top) / mean(bottom); without `bottom` the mean per game."""
        value, influence = self._linearised(top, bottom)
        return (
            ValueWithError(value, math.sqrt(self._variance(influence) / self.games), self.df)
            if not math.isnan(value)
            else ValueWithError(value, value)
        )

    def joint(self, combinations: Sequence[Combination]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Means (K,) and covariances (K, K) per game of several combinations."""
        weights = np.array([self._vector(one) for one in combinations])
        return np.array([self.mean(one) for one in combinations]), weights @ self.cov @ weights.T

    def ratio_difference(
        self, first: tuple[Combination, Combination], second: tuple[Combination, Combination]
    ) -> ValueWithError:
        """first minus second, each a (top, bottom) pair, with the covariance between the two."""
        a, a_influence = self._linearised(*first)
        b, b_influence = self._linearised(*second)
        if math.isnan(a) or math.isnan(b):
            return ValueWithError(math.nan, math.nan)
        return ValueWithError(a - b, math.sqrt(self._variance(a_influence - b_influence) / self.games), self.df)

    def _linearised(self, top: Combination, bottom: Combination) -> tuple[float, NDArray[np.float64]]:
        scale = self.mean(bottom)
        if self.games < 1 or scale == 0:
            return math.nan, np.zeros(len(self.names))
        value = self.mean(top) / scale
        return value, (self._vector(top) - value * self._vector(bottom)) / scale

    def _vector(self, combination: Combination) -> NDArray[np.float64]:
        vector = np.zeros(len(self.names))
        for name, coefficient in combination.items():
            if name != GAMES:
                vector[self._index[name]] += coefficient
        return vector

    @cached_property
    def _index(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.names)}

    def _variance(self, vector: NDArray[np.float64]) -> float:
        if not vector.any():
            return 0.0
        return max(float(vector @ self.cov @ vector), 0.0)  # rounding can leave -1e-18
