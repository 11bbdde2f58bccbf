"""Cells: one answer to each ruling that acts on the rates, and any answer to the others; judged all together.

Rulings that cannot act on the rates need not be told apart: a cell stands for all its combinations (`screening` finds
which act).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from numbluff_sim.analysis.statistics.estimates import Estimate, Estimator
from numbluff_sim.analysis.statistics.sequential import FIRST_LOOK
from numbluff_sim.analysis.statistics.verdicts import SETTLE_POWER, Margin, Status, games_needed, status_at
from numbluff_sim.analysis.studies.calibrate.rates import GivenRates
from numbluff_sim.analysis.studies.calibrate.screening import Power
from numbluff_sim.analysis.studies.calibrate.space import Assignment, Space
from numbluff_sim.analysis.studies.check.claims import Measured


@dataclass(frozen=True)
class Cell:
    """One answer to each ruling that acts (the others at the configuration's own), with one way of playing."""

    persona: str
    assignment: Assignment
    stands_for: int

    @property
    def key(self) -> str:
        """Its name in files."""
        return f"{self.persona}|{','.join(map(str, self.assignment))}"


def cells(persona: str, space: Space, powers: Sequence[Power]) -> Iterator[Cell]:
    """All cells of a way of playing."""
    acting = [power is Power.ACTS for power in powers]
    stands_for = math.prod(len(answers) for answers, acts in zip(space.answers, acting, strict=True) if not acts)
    choices = [range(len(answers)) if acts else range(1) for answers, acts in zip(space.answers, acting, strict=True)]
    return (Cell(persona, assignment, stands_for) for assignment in itertools.product(*choices))


def judged(part: Estimator, margin: Margin, slack: float, alpha: float) -> Status:
    """Where a rate lies for all combinations of a cell, the slight rulings moving it by `slack` at most.

    Inside: the interval is in the margin, narrowed by the slack. Outside: it is outside of the margin, widened by the
    slack.
    """
    if not math.isfinite(part.value) and math.isnan(part.value):
        return Status.INCONCLUSIVE
    if status_at(part, Margin(margin.low - slack, margin.high + slack), alpha) is Status.DIFFERS:
        return Status.DIFFERS
    narrowed = Margin(margin.low + slack, margin.high - slack)
    return Status.HOLDS if status_at(part, narrowed, alpha) is Status.HOLDS else Status.INCONCLUSIVE


def games_to_settle(part: Estimator, margin: Margin, alpha: float) -> int | None:
    """Games at which the rate would be decided with chance SETTLE_POWER, if the measured value is the true one; None
    on an edge, and after fewer games than FIRST_LOOK, from which it would be a guess.
    """
    return games_needed(part, margin, alpha, SETTLE_POWER) if part.games >= FIRST_LOOK else None


@dataclass(frozen=True)
class Rated:
    """A cell measured: the estimate of every rate (interval at the level that judges it), what it says, and games
    that would settle an open one.
    """

    cell: Cell
    games: int
    estimates: tuple[Estimate, ...]
    statuses: tuple[Status, ...]
    settle: tuple[int | None, ...]

    @property
    def status(self) -> str:
        """ "consistent": every rate inside; "ruled_out": one outside; else "open"."""
        if Status.DIFFERS in self.statuses:
            return "ruled_out"
        return "consistent" if all(status is Status.HOLDS for status in self.statuses) else "open"

    @property
    def games_to_settle(self) -> int | None:
        """Games that would settle all open rates; None where one lies on an edge or none is open."""
        wanted = [
            count for count, status in zip(self.settle, self.statuses, strict=True) if status is Status.INCONCLUSIVE
        ]
        return max((count for count in wanted if count is not None), default=None) if None not in wanted else None


def rated(
    cell: Cell, games: int, rates: GivenRates, measured: Measured, slack: NDArray[np.float64], alpha: float
) -> Rated:
    """A cell judged, every rate at `alpha`."""
    parts = rates.parts(measured)
    statuses = [
        judged(part, claim.range, float(move), alpha)
        for part, claim, move in zip(parts, rates.claims, slack, strict=True)
    ]
    settle = [
        games_to_settle(part, claim.range, alpha) if status is Status.INCONCLUSIVE else None
        for part, claim, status in zip(parts, rates.claims, statuses, strict=True)
    ]
    return Rated(cell, games, tuple(part.at(alpha) for part in parts), tuple(statuses), tuple(settle))
