"""What `tune` has found: the trials against the targets, the confirmed winner, or what is in the way."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from numbluff_sim.analysis.studies.question.points import Reached, changed
from numbluff_sim.analysis.studies.question.targets import Judgement, Targets, TargetStatus
from numbluff_sim.encoding import as_json, finite


@dataclass(frozen=True)
class Confirmation:
    """A candidate played again with a fresh seed: `judgement` is that of the new games alone."""

    reached: Reached
    judgement: Judgement
    seed: int
    games: int

    def to_json(self, base: Mapping[str, Any]) -> dict[str, Any]:
        """JSON-able."""
        return {
            "seed": self.seed,
            "games": self.games,
            "changed": changed(self.reached.point.values, base),
            "status": str(self.judgement.status),
            "targets": [judged.to_json() for judged in self.judgement.targets],
        }


@dataclass(frozen=True)
class Bound:
    """A value of the nearest trial that is an end of what the file allows."""

    key: str
    value: Any


@dataclass(frozen=True)
class Tuned:
    """The outcome. `base_values`: the base's own value of every axis; `trials` in order, number 0 the base; `refused`:
    combinations that no configuration can have, with the reason; `confirmations` in the order tried, the last one
    decides; `levels`: the number of changes up to which all combinations were tried (-1: values between those of the
    grid exist, so that they never are).
    """

    base_name: str
    base_values: Mapping[str, Any]
    targets: Targets
    trials: tuple[Reached, ...]
    refused: tuple[tuple[Mapping[str, Any], str], ...]
    confirmations: tuple[Confirmation, ...]
    bounds: tuple[Bound, ...]
    asked: int
    games: int
    seed: int
    levels: int

    @property
    def base(self) -> Reached:
        """The base."""
        return self.trials[0]

    @property
    def winner(self) -> Confirmation | None:
        """The candidate that met all targets by interval in fresh games, if one did."""
        return next((one for one in self.confirmations if one.judgement.status is TargetStatus.MET), None)

    @property
    def exhausted(self) -> bool:
        """Whether every combination with fewer changes than the winner's was tried; without a winner, every
        combination.
        """
        return self.levels >= (self.winner.reached.point.changes - 1 if self.winner else len(self.base_values))

    @property
    def nearest(self) -> Reached:
        """The trial with the smallest distance; of equals the smallest change."""
        return min(self.trials, key=lambda one: (one.judgement.distance, one.order))

    @property
    def blocking(self) -> list[str]:
        """The targets that the nearest trial does not meet by value, farthest first; where it meets all, those that
        no confirmation could hold.
        """
        judged = self.nearest.judgement.targets
        missed = [one.metric for one in sorted(judged, key=lambda one: -one.distance) if one.distance > 0]
        if missed or not self.confirmations:
            return missed
        return [one.metric for one in self.confirmations[0].judgement.targets if one.status is not TargetStatus.MET]

    def to_json(self) -> dict[str, Any]:
        """JSON-able."""
        winner = self.winner
        return {
            "base": self.base_name,
            "base_values": dict(self.base_values),
            "targets": self.targets.to_json(),
            "alpha": self.targets.alpha,
            "games_of_a_trial": self.games,
            "seed": self.seed,
            "trials_asked": self.asked,
            "trials": len(self.trials),
            "refused": len(self.refused),
            "all_tried_up_to_changes": self.levels,
            "base_trial": self.base.to_json(self.base_values),
            "met": winner is not None,
            "winner": winner.to_json(self.base_values) if winner else None,
            "winner_in_the_search": winner.reached.to_json(self.base_values) if winner else None,
            "confirmations": [one.to_json(self.base_values) for one in self.confirmations],
            "nearest": self.nearest.to_json(self.base_values),
            "blocking": [] if winner else self.blocking,
            "bounds_hit": [] if winner else as_json(self.bounds),
        }


def candidates(trials: Sequence[Reached]) -> list[Reached]:
    """The trials worth confirming: all targets met, by interval before by value alone, then fewest and smallest
    changes; each configuration once.
    """
    met = [one for one in trials if one.judgement.met_by_value]
    ordered = sorted(met, key=lambda one: (one.judgement.status is not TargetStatus.MET, one.order))
    return list({one.digest: one for one in reversed(ordered)}.values())[::-1]


def objective(reached: Reached, axes: int) -> float:
    """What the search makes small: the distance, then the number of changes, then their size. The last two add a
    hundredth of a distance at most.
    """
    distance = reached.judgement.distance
    return (
        (distance if math.isfinite(distance) else FAR)
        + 0.009 * reached.point.changes / axes
        + 0.001 * reached.step / axes
    )


#: The objective of a trial that has no distance: its configuration is refused or a metric undefined.
FAR = 1e6


def trial_rows(found: Tuned) -> list[dict[str, Any]]:
    """A row a trial."""
    keys = list(found.base_values)
    return [
        {
            "trial": one.point.number,
            "digest": one.digest,
            "changes": one.point.changes,
            "step": one.step,
            **{
                key: value if not isinstance(value := one.point.values[key], list) else ", ".join(map(str, value))
                for key in keys
            },
            "distance": finite(one.judgement.distance),
            "status": str(one.judgement.status),
            **{
                f"{judged.metric}.{part}": finite(number)
                for judged in one.judgement.targets
                for part, number in (
                    ("value", judged.estimate.value),
                    ("low", judged.estimate.low),
                    ("high", judged.estimate.high),
                )
            },
        }
        for one in found.trials
    ]
