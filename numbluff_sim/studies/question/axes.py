"""Axes: keys of the configuration and the values they take, numeric or enumerated, counted without being built."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from numbluff_sim.errors import ConfigError, shown_value

#: Steps of a range of decimal numbers that states none.
USUAL_STEPS = 5
AxisKind = Literal["whole", "decimal", "choice"]
Scalar = bool | int | float | str
EXPECTED = (
    "a list of values such as [1, 2, 3], { low = 2, high = 5 } of whole numbers (step = 1), "
    "or { low = 0.0, high = 1.0, steps = 5 } of decimal ones"
)


@dataclass(frozen=True)
class Axis:
    """A key and its values.

    kind "whole": `low`, `low + step` ... to `high`; "decimal": `steps` values from `low` to `high`, both included, or,
    where `steps` is None, any value between (5 of them in a grid); "choice": the values of a list, in its order.
    """

    key: str
    kind: AxisKind
    choices: tuple[Any, ...] = ()
    low: float = 0
    high: float = 0
    step: int = 1
    steps: int | None = None

    def __len__(self) -> int:
        """Number of values in a grid."""
        if self.kind == "choice":
            return len(self.choices)
        if self.kind == "whole":
            return (int(self.high) - int(self.low)) // self.step + 1
        return USUAL_STEPS if self.steps is None else self.steps

    def value(self, index: int) -> Any:
        """The value number `index` in a grid."""
        if self.kind == "choice":
            return self.choices[index]
        if self.kind == "whole":
            return int(self.low) + index * self.step
        return float(
            f"{self.low + (self.high - self.low) * index / max(len(self) - 1, 1):.12g}"
        )  # 0.1 * 3 is 0.3 to a reader

    def values(self) -> Iterator[Any]:
        """All values in a grid."""
        return (self.value(i) for i in range(len(self)))

    def at(self, place: float) -> Any:
        """The value at a place from 0 to 1: equal cells for values that can be counted, in proportion for a decimal
        axis without steps.
        """
        if self.kind == "decimal" and self.steps is None:
            return float(f"{self.low + (self.high - self.low) * place:.6g}")
        return self.value(min(int(place * len(self)), len(self) - 1))

    @property
    def numeric(self) -> bool:
        """Whether the values are numbers, so that they have distances and an order."""
        return self.kind != "choice" or all(
            isinstance(v, int | float) and not isinstance(v, bool) for v in self.choices
        )

    def to_json(self) -> Any:
        """As a file states it."""
        if self.kind == "choice":
            return list(self.choices)
        return {
            "low": self.low,
            "high": self.high,
            **({"step": self.step} if self.kind == "whole" else {"steps": self.steps}),
        }


def flat_axes(table: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """Dotted keys with what stands there; nested tables (an unquoted deck.rainbow.reach) count as dotted keys."""
    for key, value in table.items():
        dotted = f"{above}{key}"
        if isinstance(value, dict) and not value.keys() & {"low", "high", "step", "steps"}:
            yield from flat_axes(value, f"{dotted}.")
        else:
            yield dotted, value


def axis(key: str, said: Any, origin: str) -> Axis:
    """The axis that a file says. Raises ConfigError for empty, repeated or unordered values."""

    def refused(problem: str, expected: str = EXPECTED) -> ConfigError:
        return ConfigError(f"axis {key}: {problem}", file=origin, key=f"axes.{key}", value=said, expected=expected)

    if isinstance(said, list):
        return _choices(key, said, refused)
    if not isinstance(said, dict):
        raise refused(f"{shown_value(said)} is one value, not several")
    unknown = sorted(said.keys() - {"low", "high", "step", "steps"})
    if unknown or not {"low", "high"} <= said.keys():
        raise refused(
            f"unknown key {unknown[0]}"
            if unknown
            else f"{' and '.join(sorted({'low', 'high'} - said.keys()))} not given"
        )
    return _range(key, said, refused)


def _choices(key: str, said: list[Any], refused: Any) -> Axis:
    if not said:
        raise refused("no values")
    for value in said:
        if not all(isinstance(part, Scalar) for part in (value if isinstance(value, list) else [value])):
            raise refused(
                f"{shown_value(value)} is no value of one key", "numbers, texts, true, false, or lists of these"
            )
    if any(isinstance(value, float) and not math.isfinite(value) for value in said):
        raise refused("a value is not finite", "finite numbers")
    for place, value in enumerate(said):
        if any(value == other and isinstance(value, bool) == isinstance(other, bool) for other in said[:place]):
            raise refused(f"{shown_value(value)} is given twice", "each value once")
    return Axis(key, "choice", tuple(said))


def _range(key: str, said: Mapping[str, Any], refused: Any) -> Axis:
    low, high = said["low"], said["high"]
    for end in (low, high):
        if isinstance(end, bool) or not isinstance(end, int | float) or not math.isfinite(end):
            raise refused(f"{shown_value(end)} is no number", "finite numbers as low and high")
    if low > high:
        raise refused(f"no value lies between low = {low} and high = {high}", "low <= high")
    for name, least in (("step", 1), ("steps", 2)):
        if name in said and (isinstance(said[name], bool) or not isinstance(said[name], int) or said[name] < least):
            raise refused(f"{name} = {shown_value(said[name])} cannot be used", f"a whole number, at least {least}")
    if "steps" in said:
        if "step" in said:
            raise refused("step and steps are both given", "step for whole numbers, steps for decimal ones")
        if low == high:
            raise refused(f"low and high are both {low}", "low < high, or a list of one value")
        return Axis(key, "decimal", low=low, high=high, steps=said["steps"])
    if isinstance(low, int) and isinstance(high, int):
        return Axis(key, "whole", low=low, high=high, step=said.get("step", 1))
    if "step" in said:
        raise refused(f"step goes with whole numbers, and the range is {low} to {high}", "steps = the number of values")
    return Axis(key, "decimal", low=low, high=high)


def values_json(axes: Sequence[Axis]) -> dict[str, Any]:
    """The axes by key, as a file states them."""
    return {one.key: one.to_json() for one in axes}
