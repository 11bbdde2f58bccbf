"""Claims: what a rulebook or a designer says of a game, measured and judged together.

Every claim has its own verdict; the chance that any verdict of a ledger is wrong is `family_alpha` at most (Holm over
the claims).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Any, Literal, Self

from pydantic import Field, field_validator, model_validator

from numbluff_sim.analysis.statistics.estimates import Estimate, Estimator
from numbluff_sim.analysis.statistics.hypotheses import holm_levels
from numbluff_sim.analysis.statistics.intervals import difference
from numbluff_sim.analysis.statistics.sequential import FIRST_LOOK
from numbluff_sim.analysis.statistics.verdicts import (
    SETTLE_POWER,
    Margin,
    Status,
    deciding_alpha,
    games_needed,
    status_at,
)
from numbluff_sim.config import Section
from numbluff_sim.encoding import finite
from numbluff_sim.errors import ConfigError

Measured = Mapping[str, Estimator]


class ClaimText(Section):
    """A text in both languages; French falls back to English."""

    en: str
    fr: str = ""

    def in_language(self, language: str) -> str:
        """The text in "en" or "fr"."""
        return self.fr or self.en if language == "fr" else self.en


class Ends(Section):
    """The ends of a margin, both included; a missing end is open."""

    low: float | None = None
    high: float | None = None


class Claim(Section):
    """One claim: a metric (or the difference of two) with the margin in which it counts as true, or metrics in rising
    order.

    `preset`, `players` and `overrides` say what it is measured with. `minus_overrides`: the claim is about what they
    change: the metric there minus the metric with these keys laid over, on the same deals. `expected` is today's
    verdict: a claim known to fail is expected to differ.
    """

    id: Annotated[str, Field(pattern=r"^[a-z0-9_]+$")]
    source: ClaimText = ClaimText(en="")
    text: ClaimText
    preset: str = "documented"
    players: int | None = None
    overrides: dict[str, Any] = Field(default_factory=dict)
    metric: str | None = None
    minus: str | None = None
    minus_overrides: dict[str, Any] = Field(default_factory=dict)
    order: tuple[str, ...] = Field((), strict=False)
    margin: Ends | None = None
    expected: Literal["holds", "differs"] = "holds"

    @field_validator("source", mode="before")
    @classmethod
    def _plain_text(cls, source: Any) -> Any:
        return {"en": source} if isinstance(source, str) else source

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if self.order:
            beside = (self.metric, self.minus, self.margin, self.minus_overrides or None)
            if any(one is not None for one in beside) or len(self.order) < 2:
                raise ConfigError(
                    f"claim {self.id}: order stands alone",
                    key="order",
                    expected="two metrics or more, and neither metric, minus, minus_overrides nor margin",
                )
        elif self.minus is not None and self.minus_overrides:
            raise ConfigError(
                f"claim {self.id}: minus and minus_overrides exclude each other",
                key="minus_overrides",
                expected="a difference of two metrics, or of one metric in two configurations",
            )
        elif self.metric is None or self.margin is None or (self.margin.low is None and self.margin.high is None):
            raise ConfigError(
                f"claim {self.id}: metric or margin is missing",
                key="metric",
                expected="a metric and a margin with low, high or both, or an order",
            )
        elif self.range.low > self.range.high:
            raise ConfigError(
                f"claim {self.id}: margin.low lies above margin.high", key="margin", expected="low <= high"
            )
        return self

    @property
    def metrics(self) -> tuple[str, ...]:
        """Names of all metrics that the claim is about."""
        return self.order or tuple(name for name in (self.metric, self.minus) if name is not None)

    @property
    def range(self) -> Margin:
        """The margin; of an order, that of each step: not below 0."""
        if self.margin is None:
            return Margin(low=0.0)
        low, high = self.margin.low, self.margin.high
        return Margin(-math.inf if low is None else low, math.inf if high is None else high)

    def parts(self, measured: Measured) -> list[Estimator]:
        """What must lie inside the margin: one estimator, or the steps of an order."""
        if self.order:
            return [
                difference(f"{higher} - {lower}", measured[higher], measured[lower])
                for lower, higher in pairwise(self.order)
            ]
        first = measured[str(self.metric)]
        return [
            first if self.minus is None else difference(f"{self.metric} - {self.minus}", first, measured[self.minus])
        ]


@dataclass(frozen=True)
class Verdict:
    """A claim judged. `estimate` has the interval that decided (Holm's level); `p_value` is the smallest alpha that
    would.
    """

    claim: Claim
    status: Status
    estimate: Estimate
    p_value: float
    alpha: float
    games_to_settle: int | None

    @property
    def as_expected(self) -> bool:
        """Whether the verdict is the one that the claim records."""
        return self.status == self.claim.expected

    @property
    def against(self) -> bool:
        """Whether it is decided, and against what the claim records."""
        return self.status is not Status.INCONCLUSIVE and not self.as_expected

    def to_json(self) -> dict[str, Any]:
        """JSON-able."""
        margin = self.claim.range
        return {
            "claim": self.claim.id,
            "text": {"en": self.claim.text.en, "fr": self.claim.text.in_language("fr")},
            "source": {"en": self.claim.source.en, "fr": self.claim.source.in_language("fr")},
            "preset": self.claim.preset,
            "players": self.claim.players,
            "overrides": self.claim.overrides,
            "minus_overrides": self.claim.minus_overrides,
            "metrics": list(self.claim.metrics),
            "margin": {"low": finite(margin.low), "high": finite(margin.high)},
            "measured": self.estimate.to_json(),
            "p_value": self.p_value,
            "alpha": self.alpha,
            "verdict": str(self.status),
            "expected": self.claim.expected,
            "as_expected": self.as_expected,
            "games_to_settle": self.games_to_settle,
        }


@dataclass(frozen=True)
class _Decision:
    """The part of a claim that decides it, and the smallest alpha for the claim; the part's own alpha is that over
    `share`.
    """

    part: Estimator
    alpha: float
    share: int


def judge(claims: Sequence[Claim], measured: Sequence[Measured], family_alpha: float) -> list[Verdict]:
    """The verdicts of claims, each on the metrics of its own run (Clopper-Pearson ones: `gate`), held together with
    Holm at `family_alpha`.
    """
    decisions = [_decide(claim, metrics) for claim, metrics in zip(claims, measured, strict=True)]
    levels = holm_levels([decision.alpha for decision in decisions], family_alpha)
    return [_verdict(claim, decision, level) for claim, decision, level in zip(claims, decisions, levels, strict=True)]


def _decide(claim: Claim, measured: Measured) -> _Decision:
    """An order holds when each step does (the hardest step decides) and differs when any does (the clearest one, at
    alpha over their number).
    """
    parts = claim.parts(measured)
    alphas = [deciding_alpha(part, claim.range) for part in parts]
    wrong = [i for i, part in enumerate(parts) if part.value not in claim.range]
    if wrong:
        i = min(wrong, key=lambda i: alphas[i])
        return _Decision(parts[i], min(1.0, alphas[i] * len(parts)), len(parts))
    i = max(range(len(parts)), key=lambda i: alphas[i])
    return _Decision(parts[i], alphas[i], 1)


def _verdict(claim: Claim, decision: _Decision, level: float) -> Verdict:
    alpha = level / decision.share
    status = status_at(decision.part, claim.range, alpha) if decision.alpha <= level else Status.INCONCLUSIVE
    open_ = (
        status is Status.INCONCLUSIVE and decision.part.games >= FIRST_LOOK
    )  # from fewer games the advice is a guess
    needed = games_needed(decision.part, claim.range, alpha, SETTLE_POWER) if open_ else None
    return Verdict(claim, status, decision.part.at(alpha), decision.alpha, level, needed)
