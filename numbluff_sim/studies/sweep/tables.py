"""The tables of a sweep: a row a point and metric (sweep), and a row a point (points); Parquet and CSV, written as the
points come.

Their bytes follow from the points and their estimates alone: no dates, no folders, one order.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from numbluff_sim.studies.question.axes import Axis

SWEEP, POINTS = "sweep", "points"
#: Columns of the long table behind the axes.
ESTIMATE = {
    "metric": "string",
    "value": "float64",
    "low": "float64",
    "high": "float64",
    "level": "float64",
    "n": "int64",
    "denominator": "string",
    "method": "string",
    "unit": "string",
    "games": "int64",
}


def axis_type(axis: Axis, base: Any) -> str:
    """The Arrow type of the column that holds an axis' values and the base's; values of mixed kinds and lists are
    JSON texts.
    """
    values = axis.choices if axis.kind == "choice" else (0.0 if axis.kind == "decimal" else 0,)
    kinds = {type(value) for value in (*values, *(() if base is None else (base,)))}
    if kinds <= {int, float}:
        return "float64" if float in kinds else "int64"
    return "bool" if kinds == {bool} else "string"


def axis_cell(kind: str, value: Any) -> Any:
    """A value as it stands in the axis' column; None where the base has no such key."""
    if value is None:
        return None
    if kind == "string":
        return value if isinstance(value, str) else json.dumps(value)
    return float(value) if kind == "float64" else value


def sweep_columns(axes: Mapping[str, str]) -> dict[str, str]:
    """Columns of the long table with their Arrow types; `axes`: those of the axes."""
    return {"point": "int64", "digest": "string", **axes, **ESTIMATE}


def points_columns(axes: Mapping[str, str], targets: Sequence[str]) -> dict[str, str]:
    """Columns of the table of points with their Arrow types; `refused` says why a point could not be played."""
    judged = {
        f"{column}.{metric}": kind
        for metric in targets
        for column, kind in (("distance", "float64"), ("status", "string"))
    }
    total = {"distance": "float64", "status": "string"} if targets else {}
    return {
        "point": "int64",
        "digest": "string",
        **axes,
        "changes": "int64",
        **total,
        **judged,
        "games": "int64",
        "refused": "string",
    }
