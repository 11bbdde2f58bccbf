"""Effects in words: signed differences in their unit, relative changes, intervals, what can be said where no effect
was found.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from numbluff_sim.analysis.report.wording import digits_of
from numbluff_sim.analysis.statistics.estimates import SHARE, SHARE_DIFFERENCE, percent_scale
from numbluff_sim.analysis.statistics.paired import Effect
from numbluff_sim.analysis.statistics.relevance import Relevance
from numbluff_sim.analysis.studies.compare.result import BY_RELEVANCE, Comparison, Parting, VariantResult
from numbluff_sim.analysis.studies.game_wording import GameWording
from numbluff_sim.i18n import page_catalogue
from numbluff_sim.i18n.numbers import digits_for

#: p-values below this are not told apart.
SMALLEST_P = 1e-4


@dataclass(frozen=True)
class ComparisonWords(GameWording):
    """The wording of one comparison."""

    comparison: Comparison

    @classmethod
    def of(cls, comparison: Comparison, language: str, alpha: float) -> ComparisonWords:
        """In "en" or "fr"."""
        return cls(
            page_catalogue("numbluff_sim.analysis.studies.compare:compare", language),
            alpha,
            comparison.game,
            comparison,
        )

    def group(self, name: str) -> str:
        """The group a metric stands in."""
        words = self.metric_words
        label: str = words.group_label(words.metric_group(name), self.language)
        return label

    def variant(self, one: VariantResult) -> str:
        """A variant's label."""
        return one.label(self.language)

    def scaled(self, effect: Effect) -> tuple[float, str]:
        """Factor and sign with which a difference is written: shares in percentage points."""
        unit = effect.base.unit
        points = unit in (SHARE, SHARE_DIFFERENCE, "percent")
        return percent_scale(unit), self.text("common.percentage_points") if points else ""

    def difference(self, effect: Effect) -> str:
        """The signed difference in its unit."""
        scale, sign = self.scaled(effect)
        if effect.difference.value == 0:
            return "0" + sign
        return self.numbers.decimal(scale * effect.difference.value, self._digits(effect), signed=True) + sign

    def difference_interval(self, effect: Effect) -> str:
        """Its own interval."""
        scale, sign = self.scaled(effect)
        low, high = effect.difference.low, effect.difference.high
        if not (math.isfinite(low) and math.isfinite(high)):
            return self.text("effects.no_interval")
        return self.numbers.interval(scale * low, scale * high, self._digits(effect)) + sign

    def with_interval(self, effect: Effect) -> str:
        """Difference and interval."""
        return self.text(
            "common.value_with_interval", value=self.difference(effect), interval=self.difference_interval(effect)
        )

    def from_to(self, effect: Effect) -> str:
        """Base value and variant value, both with the digits that the finer of them needs."""
        digits = max(
            (digits_of(estimate) for estimate in (effect.base, effect.variant) if estimate.value), default=0
        )  # 0 needs none
        return self.text(
            "effects.from_to", base=self.value(effect.base, digits), variant=self.value(effect.variant, digits)
        )

    def relative(self, effect: Effect) -> str:
        """The change as a signed percentage of the base; a dash where the base is not clearly above 0."""
        if not comparable(effect):
            return "–"
        change = 100 * effect.relative
        digits = 0 if abs(change) >= 10 else 1 if abs(change) >= 1 else 2
        return self.numbers.decimal(change, digits, signed=True) + self.numbers.percent_sign

    def change(self, effect: Effect) -> str:
        """The change in percent where the base is clearly above 0, else the difference in its unit."""
        return self.relative(effect) if comparable(effect) else self.difference(effect)

    def change_told(self, effect: Effect) -> str:
        """The change as a sentence has it: as `change`, but of shares in percentage points, for a share that rises from
        16 % to 32 % is not "16 % more".
        """
        _, points = self.scaled(effect)
        return self.difference(effect) if points else self.change(effect)

    def named(self, effect: Effect, text: str) -> str:
        """A metric's label with what is said of it."""
        return self.text("common.named", name=self.metric(effect.metric), text=text)

    def bound(self, effect: Effect) -> str:
        """No difference is larger than this, for all metrics at once."""
        scale, sign = self.scaled(effect)
        if not math.isfinite(effect.largest):
            return self.text("effects.no_interval")
        largest = scale * effect.largest
        return self.numbers.decimal(largest, digits_for(largest, -largest, largest)) + sign

    def p_value(self, effect: Effect) -> str:
        """The p-value of no difference."""
        if effect.p_value >= 1:
            return self.text("effects.p_large", limit=self.numbers.decimal(0.05, 2))
        if effect.p_value < SMALLEST_P:
            return self.text("common.p_below", limit=self.numbers.decimal(SMALLEST_P, 4))
        return self.text("common.p_value", p=self.numbers.decimal(effect.p_value, 4))

    def standardised(self, effect: Effect) -> str:
        """The effect in standard deviations between games."""
        return self.numbers.decimal(effect.standardised, 2, signed=True) if math.isfinite(effect.standardised) else "–"

    def relevance(self, effect: Effect) -> str:
        """Whether an effect matters, and from what difference on it would (two significant digits)."""
        smallest = self.comparison.smallest(effect)
        word = self.text(f"relevance.{self.comparison.relevance(effect)}")
        if not math.isfinite(smallest):
            return word
        scale, sign = self.scaled(effect)
        limit = float(f"{scale * smallest:.2g}")
        digits = len(f"{limit:.9f}".rstrip("0").partition(".")[2])
        return self.text("relevance.from", word=word, limit=self.numbers.decimal(limit, digits) + sign)

    def parting(self, one: VariantResult) -> str:
        """When the games of a pair part."""
        parting = one.parting
        if parting is None:
            return self.text("parting.no_pairs")
        share = parting.share
        text = self.text("common.value_with_interval", value=self.value(share), interval=self.interval(share))
        return text if parting.median is None else self.text("parting.shared", share=text, round=parting.median)

    def saved_factor(self) -> str:
        """By what factor a saving may be off: the 95 % range of a ratio of two variances, each from the groups."""
        from scipy.special import fdtri

        df = self.comparison.groups - 1
        return self.numbers.decimal(float(fdtri(df, df, 0.975)), 1) if df > 0 else "∞"

    def saved(self, one: VariantResult) -> str:
        """What common deals save, median over the metrics."""
        return self.text("effects.saved", times=self.numbers.decimal(one.saved, 1)) if one.saved is not None else "–"

    def evidence_of(self, effects: list[Effect]) -> str:
        """Intervals and n of the effects of a finding."""
        return self.text(
            "common.evidence",
            level=self.level(),
            items=self.text("common.semicolon").join(
                self.text(
                    "common.evidence_item",
                    value=self.difference(e),
                    interval=self.difference_interval(e),
                    n=self.counted([e.difference.games], self.denominator("games")),
                )
                for e in effects
            ),
        )

    def _digits(self, effect: Effect) -> int:
        scale, _ = self.scaled(effect)
        return digits_for(
            scale * effect.difference.value, scale * effect.difference.low, scale * effect.difference.high
        )


def comparable(effect: Effect) -> bool:
    """Whether a change in percent of the base makes sense: the base is clearly above 0."""
    return effect.base.low > 0 and math.isfinite(effect.base.value) and math.isfinite(effect.relative)


def headline(comparison: Comparison, one: VariantResult) -> list[Effect]:
    """A variant's effects on the headline metrics, real ones first, largest first; sorted by relevance: those that
    matter first. A metric that tables are sorted by stands first.
    """
    shown = [effect for effect in one.effects if effect.metric in (*comparison.headline, comparison.sort)]
    if comparison.sort == BY_RELEVANCE:
        order = list(Relevance)
        return sorted(
            shown, key=lambda effect: (order.index(comparison.relevance(effect)), -_weight(comparison, effect))
        )
    return sorted(shown, key=lambda effect: effect.metric != comparison.sort)


def _weight(comparison: Comparison, effect: Effect) -> float:
    """An effect as a multiple of the smallest that matters."""
    smallest = comparison.smallest(effect)
    return abs(effect.difference.value) / smallest if smallest > 0 else 0.0


def impact(comparison: Comparison, one: VariantResult) -> Effect | None:
    """The largest real effect on a headline metric, in standard deviations between games."""
    return next(
        (effect for effect in headline(comparison, one) if effect.real and math.isfinite(effect.standardised)), None
    )


def size(comparison: Comparison, one: VariantResult) -> float:
    """By how much a variant changes the game: its impact, 0 where no headline metric changes."""
    found = impact(comparison, one)
    return 0.0 if found is None else abs(found.standardised)


def by_impact(comparison: Comparison) -> list[VariantResult]:
    """The variants, those that change most first: by the metric that tables are sorted by, by how much the most
    relevant effect weighs, or by the largest standardised effect.
    """

    def order(one: VariantResult) -> float:
        if comparison.sort == BY_RELEVANCE:
            matter = [e for e in headline(comparison, one) if comparison.relevance(e) is Relevance.RELEVANT]
            return max((_weight(comparison, effect) for effect in matter), default=0.0)
        effect = one.effect(comparison.sort)
        return size(comparison, one) if effect is None else abs(effect.difference.value)

    return sorted(comparison.variants, key=lambda one: -order(one))


def cumulative(parting: Parting) -> list[float]:
    """Share of games that have parted by each round."""
    total, result = 0, []
    for count in parting.rounds:
        total += count
        result.append(total / parting.games)
    return result
