"""What a calibration plays: one combination each, and what is worked out of its games where they were played."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

from numpy.typing import NDArray

from numbluff_sim.analysis.metrics.measured import MeasuredRun
from numbluff_sim.analysis.statistics.estimates import Estimator
from numbluff_sim.analysis.studies.calibrate.cells import Cell, rated
from numbluff_sim.analysis.studies.calibrate.rates import GivenRates
from numbluff_sim.config import Config
from numbluff_sim.contract.game import Tally
from numbluff_sim.contract.registry import game
from numbluff_sim.encoding import as_json
from numbluff_sim.run.spans import LANES, Piece, Span, add, zeros

#: Groups of games of which the errors of paired differences are made.
SCREEN_GROUPS = 16


def replicated(config: Config, rates: GivenRates, games: int) -> Piece:
    """The rates of all games, and without each group of games: (1 + G, R), as lists."""
    return Piece(config, groups(games), work_out=partial(_replicated, rates))


def values(config: Config, rates: GivenRates, games: int) -> Piece:
    """The rates of all games: (R,), as a list."""
    return Piece(config, ((0, games),), work_out=partial(_values, rates))


@dataclass(frozen=True)
class Stage:
    """A stage of the race: how many games, and at which chance of error a combination is ruled out."""

    rates: GivenRates
    games: int
    alpha: float

    def piece(self, config: Config, cell: Cell, slack: NDArray[Any]) -> Piece:
        """A combination rated, JSON-able; `slack`: (R,), how far the rulings left out may move each rate."""
        return Piece(config, ((0, self.games),), work_out=partial(_rated, self, cell, slack))


def metrics_of(config: Config, tally: Mapping[str, Any], only: Sequence[str] | None = None) -> Mapping[str, Estimator]:
    """The metrics that rates are made of."""
    return game(config.game).metrics.estimators(MeasuredRun(config, tally), only)


def groups(games: int) -> tuple[Span, ...]:
    """SCREEN_GROUPS groups of whole blocks of lanes, as equal as they can be; fewer where there are fewer blocks."""
    blocks = max(games // LANES, 1)
    count = min(SCREEN_GROUPS, blocks)
    edges = [blocks * g // count * LANES for g in range(count)] + [games]
    return tuple((first, after - first) for first, after in pairwise(edges))


def moved(first: float, second: float) -> float:
    """The distance of two values, both perhaps infinite or undefined."""
    if first == second or (math.isnan(first) and math.isnan(second)):
        return 0.0
    return abs(first - second) if math.isfinite(first - second) else math.inf


def _of(rates: GivenRates, config: Config, tally: Tally) -> list[float]:
    return [part.value for part in rates.parts(metrics_of(config, tally, rates.metrics))]


def _values(rates: GivenRates, config: Config, tallies: list[Tally]) -> list[float]:
    return _of(rates, config, tallies[0])


def _replicated(rates: GivenRates, config: Config, tallies: list[Tally]) -> list[list[float]]:
    total = zeros(config)
    for tally in tallies:
        add(total, tally)
    without = [{name: cells - tally[name] for name, cells in total.items()} for tally in tallies]
    return [_of(rates, config, tally) for tally in (total, *without)]


def _rated(stage: Stage, cell: Cell, slack: NDArray[Any], config: Config, tallies: list[Tally]) -> dict[str, Any]:
    measured = metrics_of(config, tallies[0], stage.rates.metrics)
    found: dict[str, Any] = as_json(rated(cell, stage.games, stage.rates, measured, slack, stage.alpha))
    return found
