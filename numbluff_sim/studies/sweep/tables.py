"""The tables of a sweep: a row a point and metric (sweep), and a row a point (points); Parquet and CSV, written as the
points come.

Their bytes follow from the points and their estimates alone: no dates, no folders, one order.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numbluff_sim.run.files import disk_errors, whole
from numbluff_sim.studies.question.axes import Axis

if TYPE_CHECKING:
    import pyarrow as pa

SWEEP, POINTS = "sweep", "points"
#: Rows that wait in memory, and rows of a Parquet row group.
GROUP = 2**16
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


class TableWriter:
    """One table as Parquet and as CSV, a group of rows at a time."""

    def __init__(self, columns: Mapping[str, str], parquet: Path, text: Path) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        self.schema: pa.Schema = pa.schema([(name, pa.type_for_alias(kind)) for name, kind in columns.items()])
        self._columns: dict[str, list[Any]] = {name: [] for name in columns}
        self._parquet = pq.ParquetWriter(parquet, self.schema, compression="zstd", version="2.6")
        self._text = text.open("w", encoding="utf-8", newline="")
        self._csv = csv.writer(self._text, lineterminator="\n")
        self._csv.writerow(columns)

    def add(self, row: Mapping[str, Any]) -> None:
        """Append a row; columns that it lacks are null."""
        values = [row.get(name) for name in self._columns]
        for cells, value in zip(self._columns.values(), values, strict=True):
            cells.append(value)
        self._csv.writerow(
            ["" if value is None else str(value).lower() if isinstance(value, bool) else value for value in values]
        )
        if len(cells) == GROUP:
            self._flush()

    def close(self) -> None:
        """Write what waits."""
        self._flush()
        self._parquet.close()
        self._text.close()

    def _flush(self) -> None:
        import pyarrow as pa

        if next(iter(self._columns.values())):
            self._parquet.write_table(pa.table(self._columns, schema=self.schema), row_group_size=GROUP)
            self._columns = {name: [] for name in self._columns}


@contextmanager
def writing(folder: Path, name: str, columns: Mapping[str, str]) -> Iterator[TableWriter]:
    """A table <folder>/<name>.parquet and .csv; both appear, whole, when all rows have been added."""
    with disk_errors(folder), ExitStack() as stack:
        parquet, text = (stack.enter_context(whole(folder / f"{name}.{kind}")) for kind in ("parquet", "csv"))
        writer = TableWriter(columns, parquet, text)
        try:
            yield writer
        finally:
            writer.close()


def read_table(path: Path, columns: Sequence[str] | None = None) -> dict[str, list[Any]]:
    """Columns of a table written here, as lists."""
    import pyarrow.parquet as pq

    found: dict[str, list[Any]] = (
        pq.ParquetFile(path).read(columns=None if columns is None else list(columns)).to_pydict()
    )
    return found
