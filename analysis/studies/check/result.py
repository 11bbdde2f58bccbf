"""What a check found: the verdicts of a baseline's claims."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from numbluff_sim.analysis.statistics.sequential import spent
from numbluff_sim.analysis.statistics.verdicts import Status
from numbluff_sim.analysis.studies.check.baselines import Baseline
from numbluff_sim.analysis.studies.check.claims import Verdict

AS_EXPECTED, AGAINST, INCONCLUSIVE = 0, 1, 3


@dataclass(frozen=True)
class Checked:
    """The outcome of a check; `seatings`: who sits where in each configuration, seats from 0 by persona, each once."""

    baseline: Baseline
    origin: str
    games: int
    seed: int
    configurations: int
    verdicts: list[Verdict]
    look: int = 1
    seatings: tuple[Mapping[str, tuple[int, ...]], ...] = ()

    @property
    def alpha(self) -> float:
        """The chance of any wrong verdict that this look spends."""
        return spent(self.baseline.check.family_alpha, self.look)

    @property
    def exit_code(self) -> int:
        """1: a verdict is decided against what the baseline records; else 3: one is inconclusive; else 0."""
        if any(verdict.against for verdict in self.verdicts):
            return AGAINST
        return INCONCLUSIVE if any(verdict.status is Status.INCONCLUSIVE for verdict in self.verdicts) else AS_EXPECTED

    def to_json(self) -> dict[str, Any]:
        """JSON-able."""
        return {
            "baseline": self.origin,
            "game": self.baseline.game,
            "games": self.games,
            "seed": self.seed,
            "configurations": self.configurations,
            "seatings": [{name: list(seats) for name, seats in seating.items()} for seating in self.seatings],
            "family_alpha": self.baseline.check.family_alpha,
            "look": self.look,
            "look_alpha": self.alpha,
            "procedure": "Holm",
            "exit_code": self.exit_code,
            "claims": [verdict.to_json() for verdict in self.verdicts],
        }
