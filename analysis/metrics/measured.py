"""Runs as metrics are measured on them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from numbluff_sim.analysis.statistics.estimates import Estimator
from numbluff_sim.config import Config
from numbluff_sim.contract.registry import game


@dataclass(frozen=True)
class MeasuredRun:
    """A configuration with the tally of its games; what the metrics need of a run."""

    config: Config
    tally: Mapping[str, NDArray[np.int64]]


class RunLike(Protocol):
    """A run that was played: `RunData` or `MeasuredRun`."""

    @property
    def config(self) -> Config:
        """The game's configuration."""

    @property
    def tally(self) -> Mapping[str, NDArray[np.int64]]:
        """The game's tally."""


def estimators_of(run: RunLike) -> Mapping[str, Estimator]:
    """All metrics of a run, as claims are judged by."""
    found: Mapping[str, Estimator] = game(run.config.game).analysis("metrics").gate_estimators(run)
    return found
