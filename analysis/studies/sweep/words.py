"""A sweep in words: keys and their values, points by what they change, distances, states of targets."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from numbluff_sim.analysis.statistics.estimates import ALPHA, SHARE, SHARE_DIFFERENCE, Estimate, percent_scale
from numbluff_sim.analysis.studies.game_wording import GameWording
from numbluff_sim.analysis.studies.question.points import Point, Reached, changed
from numbluff_sim.analysis.studies.question.targets import Judged, Target, TargetStatus
from numbluff_sim.analysis.studies.sweep.data import SweepData
from numbluff_sim.contract.registry import game
from numbluff_sim.errors import shown_value
from numbluff_sim.i18n import page_catalogue


@dataclass(frozen=True)
class SweepWords(GameWording):
    """The wording of one sweep."""

    data: SweepData

    @classmethod
    def of(cls, data: SweepData, language: str) -> SweepWords:
        """In "en" or "fr"."""
        return cls(page_catalogue("numbluff_sim.analysis.studies.sweep:sweep", language), ALPHA, data.game, data)

    def key(self, key: str) -> str:
        """A key as pictures have it: what a ruling is about, else without its first table, which says nothing that the
        rest does not.
        """
        subject = game(self.game).rules.subject(key)
        return key.split(".", 1)[-1] if subject is None else subject.in_language(self.language)

    def shown(self, key: str, value: Any) -> str:
        """A value of a key: an answer to a ruling in words."""
        words = None if value is None else game(self.game).rules.setting(key, value)
        if words is not None:
            return words.in_language(self.language)
        if value is None:
            return self.text("sweep.nothing")
        if isinstance(value, bool):
            return self.text(f"sweep.{str(value).lower()}")
        if isinstance(value, float):
            return f"{value:.4g}".replace(".", "," if self.language == "fr" else ".")
        return value if isinstance(value, str) else shown_value(value)

    def setting(self, key: str, value: Any) -> str:
        """A key with its value, as pictures and findings have them."""
        words = None if value is None else game(self.game).rules.setting(key, value)
        return f"{self.key(key)} = {self.shown(key, value)}" if words is None else words.in_language(self.language)

    def point(self, point: Point) -> str:
        """A point by what it changes."""
        changes = changed(point.values, self.data.base)
        return (
            ", ".join(self.setting(key, value) for key, value in changes.items())
            if changes
            else self.text("sweep.base")
        )

    def settings(self, values: Mapping[str, Any]) -> str:
        """Keys with their values."""
        return ", ".join(self.setting(key, value) for key, value in values.items())

    def reached(self, reached: Reached) -> str:
        """A judged point by what it changes."""
        return self.point(reached.point)

    def distance(self, distance: float) -> str:
        """A distance: three digits, none for 0."""
        if not math.isfinite(distance):
            return "–"
        return "0" if distance == 0 else self.numbers.decimal(distance, 3 if distance < 0.1 else 2)

    def status(self, status: TargetStatus | str) -> str:
        """The state of a target, or of all."""
        return self.text(f"status.{status}")

    def judged(self, judged: Judged) -> str:
        """A target's metric, measured, with its interval and state."""
        return self.text("targets.judged", measured=self.cell(judged.estimate), status=self.status(judged.status))

    def range(self, target: Target, unit: str) -> str:
        """A target's range in the unit of its metric."""
        scale, sign = percent_scale(unit), self.sign(unit)

        def end(value: float) -> str:
            shown = scale * value
            digits = next((d for d in range(6) if math.isclose(round(shown, d), shown, rel_tol=1e-6, abs_tol=1e-9)), 6)
            return self.numbers.decimal(shown, digits)

        low, high = target.range.low, target.range.high
        if math.isinf(low):
            return self.text("targets.at_most", high=end(high) + sign)
        if math.isinf(high):
            return self.text("targets.at_least", low=end(low) + sign)
        return self.text("targets.between", low=end(low), high=end(high) + sign)

    def difference(self, estimate: Estimate) -> str:
        """A signed difference in its unit; shares in percentage points."""
        from numbluff_sim.analysis.report.wording import digits_of

        value = percent_scale(estimate.unit) * estimate.value
        sign = self.sign(SHARE_DIFFERENCE) if self.sign(estimate.unit) else ""
        return self.numbers.decimal(value, digits_of(estimate), signed=True) + sign

    def axis_label(self, metric: str, unit: str) -> str:
        """A metric as the label of an axis, with percent where it is a share."""
        label = self.metric(metric)
        if unit == SHARE_DIFFERENCE:
            return f"{label} ({self.sign(unit).strip()})"
        return f"{label} (%)" if unit in (SHARE, "percent") else label
