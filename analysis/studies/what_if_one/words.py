"""Effects of habits in words: signed differences in their unit with intervals, what follows for a player."""

from __future__ import annotations

import math
from dataclasses import dataclass

from numbluff_sim.analysis.studies.game_wording import GameWording
from numbluff_sim.analysis.studies.what_if_one.result import OneEffect, Outcome, WhatIfOne
from numbluff_sim.i18n import page_catalogue
from numbluff_sim.i18n.numbers import digits_for

DOMAIN = "numbluff_sim.analysis.studies.what_if_one:what_if_one"


@dataclass(frozen=True)
class WhatIfOneWords(GameWording):
    """The wording of one result."""

    found: WhatIfOne

    @classmethod
    def of(cls, found: WhatIfOne, language: str, alpha: float) -> WhatIfOneWords:
        """In "en" or "fr"."""
        return cls(page_catalogue(DOMAIN, language), alpha, found.game, found)

    def habit(self, name: str) -> str:
        """A habit, as the beginning of a sentence."""
        says = self.found.habits[name][self.language]
        return says[:1].upper() + says[1:]

    def company(self, name: str) -> str:
        """A company."""
        return self.found.companies[name][self.language]

    def outcome(self, outcome: Outcome) -> str:
        """What is counted."""
        return self.text(f"outcomes.{outcome}")

    def value(self, effect: OneEffect) -> str:  # type: ignore[override]  # an effect is what is told here
        """The signed difference a game in its unit; 0 where no game differs."""
        if effect.identical:
            return "0"
        return self._signed(effect, effect.difference.value)

    def interval_of(self, effect: OneEffect) -> str:
        """The interval that holds for all effects together."""
        low, high = effect.simultaneous
        if effect.identical:
            return self.text("effects.no_game_differs")
        if not (math.isfinite(low) and math.isfinite(high)):
            return self.text("effects.no_interval")
        scale, _ = self._scaled(effect.outcome)
        return self.numbers.interval(scale * low, scale * high, self._digits(effect))

    def with_interval(self, effect: OneEffect) -> str:
        """Difference and interval."""
        return self.text("common.value_with_interval", value=self.value(effect), interval=self.interval_of(effect))

    def range(self, effects: list[OneEffect]) -> str:
        """The smallest and the largest of several differences of one outcome."""
        ordered = sorted(effects, key=lambda one: one.difference.value)
        low, high = self.value(ordered[0]), self.value(ordered[-1])
        return low if low == high else self.text("effects.range", low=low, high=high)

    def verdict(self, effect: OneEffect) -> str:
        """What the interval says."""
        return self.text(f"verdicts.{effect.verdict}")

    def _signed(self, effect: OneEffect, value: float) -> str:
        scale, unit = self._scaled(effect.outcome)
        return self.numbers.decimal(scale * value, self._digits(effect), signed=True) + unit

    def _scaled(self, outcome: Outcome) -> tuple[float, str]:
        return (100.0, self.text("effects.pp")) if outcome == "win_share" else (1.0, self.text("effects.points"))

    def _digits(self, effect: OneEffect) -> int:
        scale, _ = self._scaled(effect.outcome)
        one = effect.difference
        return min(digits_for(scale * one.value, scale * one.low, scale * one.high), 3)
