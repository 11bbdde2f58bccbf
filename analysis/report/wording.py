"""Numbers in words: estimates with their intervals, n and methods as a page tells them in its language. Knows no
game.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from numbluff_sim.analysis.statistics.estimates import (
    ALPHA,
    SHARE,
    SHARE_DIFFERENCE,
    Estimate,
    TestResult,
    percent_scale,
)
from numbluff_sim.i18n import Catalogue, Numbers, page_catalogue
from numbluff_sim.i18n.catalogue import PAGE
from numbluff_sim.i18n.numbers import digits_for

#: Significant digits of a number inside a sentence.
PLAIN_DIGITS = 3
#: How a method's name begins -> catalogue key of its kind.
METHODS = (
    ("Wilson", "wilson"),
    ("Clopper", "exact"),
    ("Goodman", "goodman"),
    ("order statistics", "order"),
    ("ratio estimator", "clustered"),
    ("mean of a histogram", "student"),
    ("mean of games", "student"),
    ("normal", "normal"),
    ("all games alike", "alike"),
)


@dataclass(frozen=True)
class Wording:
    """A page's catalogue and the alpha of its intervals."""

    words: Catalogue
    alpha: float
    numbers: Numbers = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "numbers", self.words.numbers)

    def text(self, key: str, /, **values: object) -> str:
        """A text of the catalogue."""
        return self.words.text(key, **values)

    def listed(self, items: Sequence[str]) -> str:
        """Items as an enumeration in words."""
        return items[0] if len(items) == 1 else ", ".join(items[:-1]) + self.text("common.and") + items[-1]

    def seating(self, seating: Mapping[str, Sequence[int]]) -> str:
        """Who sits where, in words: seats (from 0) by persona."""
        if len(seating) == 1:
            return self.text("seating.all", persona=next(iter(seating)))
        return self.text("common.semicolon").join(
            self.text("seating.some", persona=persona, count=len(seats), seats=self.listed([str(p + 1) for p in seats]))
            for persona, seats in seating.items()
        )

    def seat_lines(self, seating: Mapping[str, Sequence[int]]) -> list[str]:
        """The line that says who sits where; none of a result that does not know."""
        return [self.text("seating.line", seats=self.seating(seating))] if seating else []

    def value(self, estimate: Estimate, digits: int | None = None) -> str:
        """An estimate's value in its unit, with the digits its interval supports."""
        scale, sign = self._unit(estimate)
        if not math.isfinite(estimate.value):
            return self.text("common.never")
        if estimate.value == 0:
            return "0" + sign
        return self.numbers.decimal(scale * estimate.value, digits_of(estimate) if digits is None else digits) + sign

    def interval(self, estimate: Estimate, digits: int | None = None) -> str:
        """An estimate's interval in its unit."""
        scale, sign = self._unit(estimate)
        if not (math.isfinite(estimate.low) and math.isfinite(estimate.high)):
            return (
                self.text("common.open_interval", bound=self.numbers.decimal(scale * estimate.low, 0))
                if math.isfinite(estimate.low)
                else "–"
            )
        return (
            self.numbers.interval(
                scale * estimate.low, scale * estimate.high, digits_of(estimate) if digits is None else digits
            )
            + sign
        )

    def cell(self, estimate: Estimate | None, digits: int | None = None) -> str:
        """Value and interval; of nothing seen the upper bound."""
        if estimate is None:
            return "–"
        if not math.isfinite(estimate.value):
            return self.text("common.over", bound=self.numbers.integer(estimate.low))  # one game in more than so many
        if not (math.isfinite(estimate.low) and math.isfinite(estimate.high)):
            return self.text("common.no_interval", value=self.value(estimate, digits))
        if estimate.value == 0 and estimate.low == 0 and estimate.high > 0:
            scale, sign = self._unit(estimate)
            return self.text(
                "common.none_seen",
                bound=self.numbers.decimal(scale * estimate.high, digits_of(replace(estimate, value=estimate.high)))
                + sign,
            )
        return self.text(
            "common.value_with_interval", value=self.value(estimate, digits), interval=self.interval(estimate, digits)
        )

    def given(self, value: float, unit: str) -> str:
        """A value that somebody set, such as a limit, with the digits that it was set with, five at most."""
        scaled = percent_scale(unit) * value
        digits = next((d for d in range(5) if math.isclose(round(scaled, d), scaled, rel_tol=1e-9, abs_tol=1e-12)), 5)
        return self.numbers.decimal(scaled, digits) + self.sign(unit)

    def plain(self, estimate: Estimate) -> str:
        """A value for a sentence: three significant digits at most."""
        if not math.isfinite(estimate.value):
            return self.value(estimate)
        scale, _ = self._unit(estimate)
        sensible = (
            0 if estimate.value == 0 else max(0, PLAIN_DIGITS - 1 - math.floor(math.log10(abs(scale * estimate.value))))
        )
        return self.value(estimate, min(digits_of(estimate), sensible))

    def evidence(self, estimates: Sequence[Estimate]) -> str:
        """Interval and n of the numbers of a sentence, each after the number as the sentence tells it."""
        items = [
            self.text(
                "common.evidence_item",
                value=self.plain(estimate),
                interval=self.interval(estimate),
                n=self.counted([round(estimate.n)], self.denominator(estimate.denominator)),
            )
            for estimate in estimates
        ]
        return self.text("common.evidence", level=self.level(), items=self.text("common.semicolon").join(items))

    def _unit(self, estimate: Estimate) -> tuple[float, str]:
        """Factor and sign with which an estimate is written."""
        return percent_scale(estimate.unit), self.sign(estimate.unit)

    def sign(self, unit: str) -> str:
        """The sign after a value: that of percent, or of percentage points for a difference of shares."""
        if unit == SHARE_DIFFERENCE:
            return self.text("common.percentage_points")
        return self.numbers.percent_sign if unit in (SHARE, "percent") else ""

    def level(self) -> str:
        """The intervals' level in words."""
        return self.numbers.percent(1 - self.alpha, 0)

    def note(self, estimates: Sequence[Estimate]) -> str:
        """What the lines of a figure are: level, kinds of intervals, n."""
        kinds = dict.fromkeys(key for estimate in estimates for key in method_kinds(estimate.method))
        counts = [round(estimate.n) for estimate in estimates]
        unit = (
            self.denominator(estimates[0].denominator)
            if len({e.denominator for e in estimates}) == 1
            else self.text("denominators.units")
        )
        return self.text(
            "common.interval_note",
            level=self.level(),
            method=self.listed([self.text(f"methods.{kind}") for kind in kinds]),
            n=self.counted(counts, unit),
        )

    def test(self, test: TestResult) -> str:
        """A test's outcome in words."""
        if test.p_value != test.p_value:
            return "–"
        p_value = (
            self.text("common.p_below", limit=self.numbers.decimal(0.0001, 4))
            if test.p_value < 0.0001
            else self.text("common.p_value", p=self.numbers.decimal(test.p_value, 4))
        )
        return self.text("common.chi_square", df=test.df, statistic=self.numbers.decimal(test.statistic, 1), p=p_value)

    def denominator(self, name: str) -> str:
        """What n counts, in words."""
        return self.text(f"denominators.{name.replace(' ', '_').replace('-', '_').replace(',', '')}")

    def counted(self, counts: Sequence[int], unit: str) -> str:
        """n in words: one number or a range."""
        low, high = self.numbers.integer(min(counts)), self.numbers.integer(max(counts))
        return (
            self.text("common.n", n=low, unit=unit)
            if low == high
            else self.text("common.n_range", low=low, high=high, unit=unit)
        )


def seating_line(seatings: Iterable[Mapping[str, Sequence[int]]]) -> str:
    """Who sits where in configurations, as terminals are told it."""
    words = Wording(page_catalogue(PAGE, "en"), ALPHA)
    return words.text("seating.line", seats=" | ".join(dict.fromkeys(map(words.seating, seatings)))) + "."


def digits_of(estimate: Estimate) -> int:
    """Decimals with which an estimate is written (of percent, when it is a share)."""
    if estimate.unit == "games" and estimate.value >= 10:
        return 0  # one game in so many
    scale = percent_scale(estimate.unit)
    return digits_for(scale * estimate.value, scale * estimate.low, scale * estimate.high)


def method_kinds(method: str) -> list[str]:
    """Catalogue keys of the kinds of interval that a method's name tells."""
    kinds = [key for start, key in METHODS if method.startswith(start)] or ["other"]
    if "Bonferroni" in method:
        kinds.append("simultaneous")
    return kinds
