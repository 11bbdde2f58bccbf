"""Results as JSON and back, by their types."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import pytest

from numbluff_sim.encoding import HighEnd, LowEnd, Undefined, as_json, finite, from_json, json_text


class Status(StrEnum):
    OPEN = "open"


@dataclass(frozen=True)
class Part:
    value: Undefined
    ends: tuple[LowEnd, HighEnd]
    status: Status


@dataclass(frozen=True)
class Whole:
    parts: tuple[Part, ...]
    first: Part | None


def test_from_json__gives_back_what_was_written() -> None:
    parts = (Part(np.float64(0.5), (0.25, 1.0), Status.OPEN), Part(2.0, (-math.inf, math.inf), Status.OPEN))
    whole = Whole(parts, None)
    text = json_text({"en": "é", "whole": whole})
    assert text.startswith('{\n  "en": "é",')
    assert text.endswith("}\n")
    data = json.loads(text)["whole"]
    assert data["parts"][1] == {"value": 2.0, "ends": [None, None], "status": "open"}
    assert from_json(Whole, {**data, "more": 1}) == whole


def test_as_json__an_undefined_value_is_null_and_nan_again() -> None:
    data = as_json(Part(math.nan, (0.0, math.inf), Status.OPEN))
    assert data == {"value": None, "ends": [0.0, None], "status": "open"}
    assert math.isnan(from_json(Part, data).value)


def test_from_json__what_is_something_else_is_refused() -> None:
    with pytest.raises(ValueError, match="status"):
        from_json(Part, {"value": 1.0, "ends": [0, 1], "status": "lost"})


def test_finite() -> None:
    assert [finite(value) for value in (1.5, math.nan, math.inf, -math.inf)] == [1.5, None, None, None]
