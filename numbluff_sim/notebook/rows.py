"""Rows of a run as frames, by the kinds that its game declares: no more is read than is asked for."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from numbluff_sim.contract.registry import game
from numbluff_sim.errors import RunError, nearest_name, one_of
from numbluff_sim.notebook.frames import arrow_frame
from numbluff_sim.notebook.html import table_html

if TYPE_CHECKING:
    import pandas as pd

    from numbluff_sim.run.store import RunData

Games = int | slice | range | None


class Rows:
    """The rows of one kind of a run, such as `run.rounds`. Call it for a frame; `columns` is what there is to read."""

    def __init__(self, data: RunData, kind: str) -> None:
        self._data, self.kind = data, kind
        self._columns = {column.name: column for column in game(data.config.game).columns(data.config)[kind]}

    @property
    def columns(self) -> pd.DataFrame:
        """A row a column: name, dtype (as stored; "category" with names), unit, meaning, sentinel (the value that
        stands for "none"; <NA> where there is none).
        """
        import pandas as pd

        rows = [
            (one.name, "category" if one.categories else one.dtype, one.unit, one.meaning, one.sentinel)
            for one in self._columns.values()
        ]
        found = pd.DataFrame(rows, columns=["name", "dtype", "unit", "meaning", "sentinel"])
        return found.astype({"sentinel": "Int64"})

    def __call__(self, columns: Sequence[str] | None = None, games: Games = None) -> pd.DataFrame:
        """The rows, straight from Parquet: only these columns are read (all by default), and only from parts with
        these games: a number, a slice or a range of game indices (all by default).

        Whole numbers have the types of docs/TABLES.md, names are categoricals (missing: NaN). Raises RunError for
        columns and games that the run does not have, and for a run without such rows.
        """
        for name in columns or ():
            if name not in self._columns:
                near = nearest_name(name, self._columns)
                raise RunError(
                    f'"{name}" is no column of {self.kind}; expected {one_of(self._columns)}.'
                    + (f' Did you mean "{near}"?' if near else "")
                )
        wanted = None if games is None else indices(games, int(self._data.meta["games_done"]))
        return arrow_frame(self._data.rows(self.kind, None if columns is None else list(columns), wanted))

    def __repr__(self) -> str:
        return f"<{self.kind} of {self._data.folder}: {', '.join(self._columns)}>"

    def _repr_html_(self) -> str:
        return table_html(f"Columns of {self.kind}", self.columns, ["name", "dtype", "unit", "meaning"], most=10**3)


def indices(games: Any, done: int) -> range:
    """Games as a range within those played. Raises RunError."""
    if isinstance(games, slice):
        found = range(*games.indices(done))
    elif isinstance(games, range):
        found = games
    else:
        try:
            first = operator.index(games)
        except TypeError:
            raise RunError(f"games = {games!r} names no games; expected a number, a slice or a range.") from None
        found = range(first, first + 1)
    if found.step < 1 or (len(found) and not (found[0] >= 0 and found[-1] < done)):
        raise RunError(f"games = {games!r} are not in the run; expected rising numbers from 0 to {done - 1}.")
    return found
