"""Numbers as a language writes them (Babel's locale data)."""
from __future__ import annotations

import math
from dataclasses import dataclass

MOST_DIGITS = 5
MINUS = "\u2212"
RANGE_WORDS = {"en": " to ", "fr": " à "}


def digits_for(low: float, high: float) -> int:
    """Decimals that show one significant digit of the half-width of the interval low..high (0 to MOST_DIGITS)."""
    half = (high - low) / 2
    if not math.isfinite(half) or half <= 0:
        return 1
    return min(MOST_DIGITS, max(0, -math.floor(math.log10(half))))


@dataclass(frozen=True)
class Numbers:
    """Formats of one language."""
    language: str

    def decimal(self, value: float, digits: int = 1, *, signed: bool = False) -> str:
        """`value` with this many decimals and a true minus sign; `signed` puts a plus before positive numbers."""
        from babel.numbers import format_decimal
        if not math.isfinite(value):
            return "∞" if value > 0 else "–"
        rounded = round(value, digits) + 0.0
        pattern = "#,##0" + ("." + "0" * digits if digits else "")
        text = format_decimal(abs(rounded), pattern, locale=self.language)
        return (MINUS if rounded < 0 else "+" if signed and rounded > 0 else "") + text

    def integer(self, value: float) -> str:
        """A whole number with the language's thousands separator."""
        return self.decimal(value, 0)

    def percent(self, share: float, digits: int = 1) -> str:
        """A share (0..1) in percent."""
        return self.decimal(100 * share, digits) + self.percent_sign

    @property
    def percent_sign(self) -> str:
        """The percent sign with the space that the language puts before it."""
        return "\u202f%" if self.language == "fr" else "%"

    def measured(self, value: float, low: float, high: float, *, percent: bool = False) -> str:
        """`value` with as many digits as its interval low..high supports."""
        scale = 100 if percent else 1
        return self.decimal(scale * value, digits_for(scale * low, scale * high)) + (self.percent_sign if percent else "")

    def interval(self, low: float, high: float, *, percent: bool = False) -> str:
        """`low` to `high`, e.g. "1.55–1.59%"; a word stands between when one end is negative."""
        scale = 100 if percent else 1
        digits = digits_for(scale * low, scale * high)
        between = "–" if low >= 0 else RANGE_WORDS[self.language]
        return f"{self.decimal(scale * low, digits)}{between}{self.decimal(scale * high, digits)}" + (self.percent_sign if percent else "")
