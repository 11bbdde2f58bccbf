"""Results as JSON and back: dataclasses by their fields, with null for a number that is not finite."""

from __future__ import annotations

import json
import math
from typing import Annotated, Any, TypeVar

from pydantic import BeforeValidator, TypeAdapter
from pydantic_core import to_jsonable_python

T = TypeVar("T")


def _instead(missing: float) -> BeforeValidator:
    return BeforeValidator(lambda value: missing if value is None else value)


#: Numbers that JSON writes as null where they are not finite, by what null is read as: an undefined value, an open end.
Undefined = Annotated[float, _instead(math.nan)]
LowEnd = Annotated[float, _instead(-math.inf)]
HighEnd = Annotated[float, _instead(math.inf)]


_adapters: dict[type, TypeAdapter[Any]] = {}


def finite(value: float) -> float | None:
    """A number for a table: None where it is not finite."""
    return value if math.isfinite(value) else None


def as_json(value: Any) -> Any:
    """JSON-able data of dataclasses, mappings and sequences of them: fields by name, tuples as lists, names of enums,
    None for what is not finite.
    """
    return to_jsonable_python(value, inf_nan_mode="null")


def from_json(kind: type[T], data: Any) -> T:
    """A dataclass from what `as_json` made of it; keys that it does not have are passed over. Raises ValueError."""
    if kind not in _adapters:
        _adapters[kind] = TypeAdapter(kind)
    found: T = _adapters[kind].validate_python(data)
    return found


def json_text(value: Any, indent: int | None = 2) -> str:
    """JSON as it is printed and stands in files: letters as they are, a line end at the end."""
    return json.dumps(as_json(value), indent=indent, ensure_ascii=False) + "\n"
