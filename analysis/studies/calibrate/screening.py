"""What every ruling can do to the rates: changed alone, and with every change of another one, on the same deals."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numbluff_sim.analysis.statistics.paired import jackknife_error
from numbluff_sim.analysis.studies.calibrate.space import Flip, Space
from numbluff_sim.encoding import HighEnd, as_json, from_json

#: A ruling that moves every rate by less than this part of half its margin, in every context, is told apart from those
#: that act.
SLIGHT = 0.1


class Power(StrEnum):
    """What a ruling can do to the given rates."""

    NONE = "none"  # no context in which a change of it changed anything
    SLIGHT = "slight"  # every change is smaller than SLIGHT of half a margin
    ACTS = "acts"


@dataclass(frozen=True)
class FlipEffect:
    """A change of one ruling, over all its contexts: in how many anything changed, the largest difference of each
    rate, and a bound of it.
    """

    contexts: int
    changed: int
    largest: tuple[HighEnd, ...]
    bounds: tuple[HighEnd, ...]

    def power(self, halves: NDArray[np.float64]) -> Power:
        """What it can do."""
        if not self.changed:
            return Power.NONE
        return Power.SLIGHT if bool((np.array(self.bounds) <= SLIGHT * halves).all()) else Power.ACTS


@dataclass(frozen=True)
class Screen:
    """What every ruling can do with one way of playing. `games` were played in each of `contexts` contexts."""

    persona: str
    games: int
    contexts: int
    effects: Mapping[Flip, FlipEffect]

    def powers(self, space: Space, halves: NDArray[np.float64]) -> tuple[Power, ...]:
        """The power of every ruling: that of its strongest change."""
        order = list(Power)
        found = [
            [order.index(effect.power(halves)) for (i, _), effect in self.effects.items() if i == ruling]
            for ruling in range(len(space.names))
        ]
        return tuple(order[max(ranks, default=0)] for ranks in found)

    def slack(self, powers: Sequence[Power], rates: int) -> NDArray[np.float64]:
        """How far the slight rulings can move each rate all together, (R,): the sum of the bounds of the strongest
        change of each.
        """
        total = np.zeros(rates)
        for i, power in enumerate(powers):
            if power is Power.SLIGHT:
                total += np.max([effect.bounds for (ruling, _), effect in self.effects.items() if ruling == i], axis=0)
        return total

    def to_json(self) -> dict[str, Any]:
        """JSON-able."""
        about = {"persona": self.persona, "games": self.games, "contexts": self.contexts}
        found: dict[str, Any] = as_json({**about, "effects": list(self.effects.items())})
        return found

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Screen:
        """The screen that `to_json` wrote."""
        effects = {(i, k): from_json(FlipEffect, effect) for (i, k), effect in data["effects"]}
        return cls(data["persona"], data["games"], data["contexts"], effects)


#: The rates of one configuration on all games, and without each of the groups of games: row 0 and rows 1 .. G of a
#: matrix (1 + G, R).
Replicated = NDArray[np.float64]


def screen(
    persona: str, space: Space, played: Mapping[tuple[Flip, ...], Replicated], games: int, alpha: float
) -> Screen:
    """What every change of a ruling does in every context of `played`; bounds hold for all contexts and rates together
    (Bonferroni at alpha).

    The error of a difference is that of the grouped jackknife on the same deals (`analysis.statistics.paired`).
    """
    from scipy.special import stdtrit

    groups, rates = next(iter(played.values())).shape[0] - 1, next(iter(played.values())).shape[1]
    statements = sum(len(context) for context in played) * rates
    quantile = -float(stdtrit(max(groups - 1, 1), alpha / max(statements, 1) / 2))
    effects: dict[Flip, FlipEffect] = {}
    for flip in space.flips():
        differences = [
            _difference(played[context], played[tuple(f for f in context if f != flip)])
            for context in played
            if flip in context
        ]
        sizes = np.array([size for size, _, _ in differences])
        bounds = np.array([size + quantile * error for size, error, _ in differences])
        effects[flip] = FlipEffect(
            len(differences),
            sum(changed for _, _, changed in differences),
            tuple(map(float, sizes.max(axis=0))),
            tuple(map(float, bounds.max(axis=0))),
        )
    return Screen(persona, games, len(played), effects)


def _difference(with_flip: Replicated, without: Replicated) -> tuple[NDArray[np.float64], NDArray[np.float64], bool]:
    """Size and error of a difference of each rate, infinite where one is undefined; whether any group of games
    differs.
    """
    if np.array_equal(with_flip, without, equal_nan=True):
        return np.zeros(with_flip.shape[1]), np.zeros(with_flip.shape[1]), False
    same = (with_flip == without) | (np.isnan(with_flip) & np.isnan(without))
    with np.errstate(invalid="ignore"):
        difference = np.where(same, 0.0, with_flip - without)
    size = np.where(np.isfinite(difference).all(axis=0), np.abs(difference[0]), math.inf)
    error = np.where(
        np.isfinite(size), jackknife_error(np.where(np.isfinite(difference[1:]), difference[1:], 0.0)), 0.0
    )
    return size, error, True
