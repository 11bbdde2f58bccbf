"""Whether a difference matters: equivalence, held against the smallest difference that does."""

from __future__ import annotations

import math
from enum import StrEnum

from numbluff_sim.analysis.statistics.paired import Effect

#: Without a smallest difference of its own a metric has this one, in standard deviations from game to game.
HARDLY_NOTICED = 0.1


class Relevance(StrEnum):
    """What can be said of a difference."""

    RELEVANT = "relevant"
    OPEN = "open"
    NEGLIGIBLE = "negligible"


def smallest_relevant(effect: Effect, said: float | None) -> float:
    """The smallest difference of the metric that matters, in its unit: `said`, or HARDLY_NOTICED standard deviations
    from game to game; nan where these are not known.
    """
    if said is not None:
        return said
    if not math.isfinite(effect.standardised) or effect.standardised == 0:
        return math.nan
    return HARDLY_NOTICED * abs(effect.difference.value / effect.standardised)


def relevance(effect: Effect, smallest: float) -> Relevance:
    """Relevant: the whole interval that holds for all metrics and variants together lies beyond `smallest` on one
    side; negligible: it lies within (two one-sided tests); else open. Since all intervals hold together, `smallest`
    may be chosen after they were seen.
    """
    low, high = effect.simultaneous
    if low == high == 0 or max(-low, high) < smallest:
        return Relevance.NEGLIGIBLE
    return Relevance.RELEVANT if low >= smallest or high <= -smallest else Relevance.OPEN
