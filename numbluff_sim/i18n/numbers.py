"""Numbers as a language writes them (Babel's locale data)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

MOST_DIGITS = 6
SIGNIFICANT = 4
MINUS = "\u2212"
RANGE_WORDS = {"en": " to ", "fr": " à "}


def digits_for(value: float, low: float, high: float) -> int:
    """Decimals that show one significant digit of the half-width of the interval low..high, and SIGNIFICANT digits
    of the value at most.
    """
    half = (high - low) / 2
    wanted = 1 if not math.isfinite(half) or half <= 0 else -math.floor(math.log10(half))
    sensible = (
        MOST_DIGITS if value == 0 or not math.isfinite(value) else SIGNIFICANT - 1 - math.floor(math.log10(abs(value)))
    )
    return max(0, min(MOST_DIGITS, wanted, sensible))


@lru_cache(maxsize=4096)
def _written(number: float, pattern: str, language: str) -> str:
    """As Babel writes it; a picture asks for the number at a tick a dozen times while it is laid out."""
    from babel.numbers import format_decimal

    return str(format_decimal(number, pattern, locale=language))


@dataclass(frozen=True)
class Numbers:
    """Formats of one language."""

    language: str

    def decimal(self, value: float, digits: int = 1, *, signed: bool = False) -> str:
        """`value` with this many decimals and a true minus sign; `signed` puts a plus before positive numbers."""
        if not math.isfinite(value):
            return "∞" if value > 0 else "–"
        rounded = round(value, digits) + 0.0
        pattern = "#,##0" + ("." + "0" * digits if digits else "")
        text = _written(abs(rounded), pattern, self.language)
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

    def interval(self, low: float, high: float, digits: int) -> str:
        """`low` to `high`, e.g. "1.55–1.59"; a word stands between when one end is negative."""
        between = "–" if low >= 0 else RANGE_WORDS[self.language]
        return f"{self.decimal(low, digits)}{between}{self.decimal(high, digits)}"
