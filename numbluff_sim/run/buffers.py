"""The rows of one part, gathered call by call in memory that is used again for the next part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numbluff_sim.contract.fields import Column

Columns = Mapping[str, NDArray[Any]]


class RowBuffers:
    """One array a column, as long as a part can be. Many small arrays, made and freed by several threads, would cost
    twice the memory.
    """

    def __init__(self, tables: Mapping[str, Sequence[Column]], most_rows: Mapping[str, int]) -> None:
        self._arrays = {
            table: {column.name: np.empty(most_rows[table], column.dtype) for column in columns}
            for table, columns in tables.items()
        }
        self._rows = dict.fromkeys(tables, 0)

    def clear(self) -> None:
        """Start the next part."""
        self._rows = dict.fromkeys(self._rows, 0)

    def add(self, tables: Mapping[str, Columns]) -> None:
        """Append the rows of one call, by table and column. Raises ValueError for other columns than the registry's."""
        for table, arrays in self._arrays.items():
            if tables[table].keys() != arrays.keys():
                raise ValueError(
                    f"{table} rows have the columns {sorted(tables[table])}; expected those of the registry: "
                    f"{sorted(arrays)}"
                )
            first = self._rows[table]
            for name, values in tables[table].items():
                arrays[name][first : first + len(values)] = values
                self._rows[table] = first + len(values)

    def rows(self, table: str) -> dict[str, NDArray[Any]]:
        """The rows of a table so far, as views."""
        return {name: values[: self._rows[table]] for name, values in self._arrays[table].items()}
