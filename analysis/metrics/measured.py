"""Runs as metrics are measured on them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numbluff_sim.analysis.statistics.estimates import Estimator
from numbluff_sim.analysis.statistics.sequential import always_valid
from numbluff_sim.config import Config
from numbluff_sim.contract.game import RunLike
from numbluff_sim.contract.registry import game


@dataclass(frozen=True)
class MeasuredRun:
    """A configuration with the tally of its games; what the metrics need of a run."""

    config: Config
    tally: Mapping[str, NDArray[np.int64]]


def looked_at(meta: Mapping[str, Any]) -> int:
    """How often the run that run.json tells of was complete, with ever more games: each time somebody may have looked.

    A run that stops itself looks at itself.
    """
    looks = len(meta.get("looks", ()))
    return max(looks, 2) if "until" in meta else looks


def paid_for(found: Mapping[str, Estimator], meta: Mapping[str, Any]) -> dict[str, Estimator]:
    """The metrics of a run; of one that was looked at before with the intervals of confidence sequences."""
    return {name: always_valid(one) for name, one in found.items()} if looked_at(meta) > 1 else dict(found)


def estimators_of(run: RunLike[Config], only: Collection[str] | None = None) -> Mapping[str, Estimator]:
    """All metrics of a run, as claims are judged by; `only`: no more than these."""
    return game(run.config.game).metrics.estimators(run, only)
