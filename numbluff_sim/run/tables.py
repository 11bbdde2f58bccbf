"""Tables of results: rows of one value a column, as CSV and as Parquet, written as the rows come.

Their bytes follow from the rows alone: no dates, no folders, one order. A column's type is the name of an Arrow type:
"int64", "float64", "bool" or "string"; what is not known is null, and an empty cell in CSV.

A cell of CSV is what its column holds and nothing of Python's: truth and lists as JSON writes them, and a text that a
spreadsheet would take for a formula behind an apostrophe. Within `csv_for("fr")` files open in a French spreadsheet.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numbluff_sim.encoding import as_json
from numbluff_sim.run.files import arrow_file, disk_errors, whole

if TYPE_CHECKING:
    import pyarrow as pa

Row = Mapping[str, Any]
#: Rows that wait in memory, and rows of a Parquet row group.
GROUP = 2**16


#: What spreadsheets take for the start of a formula, or drop before they look for one.
FORMULA_STARTS = tuple("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")


@dataclass(frozen=True)
class CsvForm:
    """How CSV is written: what parts cells, the decimal sign, and the encoding."""

    delimiter: str = ","
    decimal: str = "."
    encoding: str = "utf-8"


#: By the name that --csv-locale takes. A French spreadsheet parts cells at semicolons, for commas are its decimal
#: signs, and knows UTF-8 by its mark.
CSV_FORMS = {"en": CsvForm(), "fr": CsvForm(";", ",", "utf-8-sig")}
_FORM: ContextVar[CsvForm] = ContextVar("csv_form", default=CSV_FORMS["en"])


@contextmanager
def csv_for(locale: str) -> Iterator[None]:
    """Within, CSV is written for spreadsheets of this language, "en" or "fr"."""
    token = _FORM.set(CSV_FORMS[locale])
    try:
        yield
    finally:
        _FORM.reset(token)


def csv_bytes(rows: Sequence[Row]) -> bytes:
    """Rows as a CSV file with a head line, the columns those of the first row; nothing for no rows."""
    buffer = io.StringIO()
    if rows:
        form = _FORM.get()
        lines = csv.writer(buffer, delimiter=form.delimiter, lineterminator="\n")
        lines.writerow([csv_cell(name) for name in rows[0]])
        lines.writerows([csv_cell(row[name]) for name in rows[0]] for row in rows)
        return buffer.getvalue().encode(form.encoding)
    return b""


def csv_cell(value: Any) -> str:
    """A value as it stands in CSV: what is not known or not finite is empty, truth and lists are JSON."""
    value = as_json(value)
    if value is None:
        return ""
    if isinstance(value, str):
        return f"'{value}" if value.startswith(FORMULA_STARTS) else value
    text = json.dumps(value, ensure_ascii=False)
    return text.replace(".", _FORM.get().decimal) if isinstance(value, float) else text


class TableWriter:
    """One table as Parquet and as CSV, a group of rows at a time."""

    def __init__(self, columns: Mapping[str, str], parquet: Any, text: Path) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        self.schema: pa.Schema = pa.schema([(name, pa.type_for_alias(kind)) for name, kind in columns.items()])
        self._columns: dict[str, list[Any]] = {name: [] for name in columns}
        self._parquet = pq.ParquetWriter(parquet, self.schema, compression="zstd", version="2.6")
        form = _FORM.get()
        self._text = text.open("w", encoding=form.encoding, newline="")
        self._csv = csv.writer(self._text, delimiter=form.delimiter, lineterminator="\n")
        self._csv.writerow([csv_cell(name) for name in columns])
        self._waiting = 0

    def add(self, row: Row) -> None:
        """Append a row; columns that it lacks are null."""
        for name, cells in self._columns.items():
            cells.append(row.get(name))
        self._csv.writerow([csv_cell(row.get(name)) for name in self._columns])
        self._waiting += 1
        if self._waiting == GROUP:
            self._flush()

    def close(self) -> None:
        """Write what waits."""
        self._flush()
        self._parquet.close()
        self._text.close()

    def _flush(self) -> None:
        import pyarrow as pa

        if self._waiting:
            self._parquet.write_table(pa.table(self._columns, schema=self.schema), row_group_size=GROUP)
            self._columns = {name: [] for name in self._columns}
            self._waiting = 0


@contextmanager
def writing(folder: Path, name: str, columns: Mapping[str, str]) -> Iterator[TableWriter]:
    """A table <folder>/<name>.parquet and .csv; both appear, whole, when all rows are added. Raises RunError where
    the disk refuses.
    """
    with disk_errors(folder), ExitStack() as stack:
        parquet, text = (stack.enter_context(whole(folder / f"{name}.{kind}")) for kind in ("parquet", "csv"))
        writer = TableWriter(columns, stack.enter_context(arrow_file(parquet, "wb")), text)
        try:
            yield writer
        finally:
            writer.close()


def write_table(folder: Path, name: str, columns: Mapping[str, str], rows: Iterable[Row]) -> None:
    """Write a table <folder>/<name>.parquet and .csv. Raises RunError where the disk refuses."""
    with writing(folder, name, columns) as table:
        for row in rows:
            table.add(row)


def read_table(path: Path, columns: Sequence[str] | None = None) -> dict[str, list[Any]]:
    """Columns of a Parquet table written here, as lists."""
    import pyarrow.parquet as pq

    with arrow_file(path, "rb") as file:
        table = pq.ParquetFile(file).read(columns=None if columns is None else list(columns))
    found: dict[str, list[Any]] = table.to_pydict()
    return found
