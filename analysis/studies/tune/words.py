"""A search in words: changes, ranges, states of targets."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from numbluff_sim.analysis.statistics.estimates import percent_scale
from numbluff_sim.analysis.studies.game_wording import GameWording
from numbluff_sim.analysis.studies.question.points import changed
from numbluff_sim.analysis.studies.question.targets import Judged, TargetStatus
from numbluff_sim.analysis.studies.tune.result import Tuned
from numbluff_sim.contract.registry import game
from numbluff_sim.errors import shown_value
from numbluff_sim.i18n import page_catalogue


@dataclass(frozen=True)
class TuneWords(GameWording):
    """The wording of one search."""

    found: Tuned

    @classmethod
    def of(cls, found: Tuned, game_name: str, language: str) -> TuneWords:
        """In "en" or "fr"."""
        return cls(
            page_catalogue("numbluff_sim.analysis.studies.tune:tune", language), found.targets.alpha, game_name, found
        )

    def changes(self, values: Mapping[str, Any]) -> str:
        """What differs from the base: from, to, and the key that does it."""
        base = self.found.base_values
        parts = [
            f"{self._shown(key, base[key])} → {self._shown(key, value)} ({key})"
            for key, value in changed(values, base).items()
        ]
        return ", ".join(parts) if parts else self.text("changes.none")

    def _shown(self, key: str, value: Any) -> str:
        words = game(self.game).rules.setting(key, value)
        if words is not None:
            return words.in_language(self.language)
        return self.text("changes.nothing") if value is None else shown_value(value)

    def range(self, judged: Judged) -> str:
        """A target's range."""
        margin, scale = judged.target.range, percent_scale(judged.estimate.unit)
        sign = self.sign(judged.estimate.unit)
        ends = [self._end(scale * end) + sign if math.isfinite(end) else "" for end in (margin.low, margin.high)]
        if not ends[0]:
            return self.text("range.at_most", high=ends[1])
        return (
            self.text("range.both", low=ends[0], high=ends[1]) if ends[1] else self.text("range.at_least", low=ends[0])
        )

    def _end(self, value: float) -> str:
        digits = next((d for d in range(6) if math.isclose(round(value, d), value, rel_tol=1e-9, abs_tol=1e-12)), 6)
        return self.numbers.decimal(value, digits)

    def status(self, status: TargetStatus) -> str:
        """met, missed or open."""
        return self.text(f"status.{status}")
