"""Runs as metrics are measured on them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from numbluff_sim.analysis.statistics.estimates import Estimator
from numbluff_sim.config import Config
from numbluff_sim.contract.game import RunLike
from numbluff_sim.contract.registry import game


@dataclass(frozen=True)
class MeasuredRun:
    """A configuration with the tally of its games; what the metrics need of a run."""

    config: Config
    tally: Mapping[str, NDArray[np.int64]]


def estimators_of(run: RunLike[Config]) -> Mapping[str, Estimator]:
    """All metrics of a run, as claims are judged by."""
    return game(run.config.game).metrics.estimators(run)
