"""Records as data frames: one place that knows which columns are numbers, whole numbers and categories.

pandas loads when a frame is first asked for: commands, which never ask, start without it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from numbluff_sim.analysis.statistics.estimates import Estimate

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

#: Columns of every table of estimates, in order, with their types.
ESTIMATE = {
    "name": "str",
    "label": "str",
    "value": "float64",
    "low": "float64",
    "high": "float64",
    "level": "float64",
    "n": "int64",
    "denominator": "category",
    "method": "category",
    "unit": "category",
    "games": "int64",
}
#: Types of the other columns, wherever they stand; columns that are in neither list keep what their values are.
TYPES = {
    "n": "int64",
    "games": "int64",
    **dict.fromkeys(("variant", "kind", "unit", "denominator", "method", "status", "verdict", "persona"), "category"),
    **dict.fromkeys(("expected", "rate", "study"), "category"),
    **dict.fromkeys(("base", "value", "difference", "low", "high", "level", "p_value", "alpha"), "float64"),
    **dict.fromkeys(("simultaneous_low", "simultaneous_high", "relative", "standardised", "games_saved"), "float64"),
    **dict.fromkeys(("margin_low", "margin_high", "distance", "seconds", "until_seconds"), "float64"),
    **dict.fromkeys(("games_to_settle", "fixed_games", "until_games", "games_in_compare"), "Int64"),
}


def frame(records: Iterable[Mapping[str, Any]], columns: Sequence[str] | None = None) -> pd.DataFrame:
    """Records as a frame: a row a record, a column a key (or those named, where there may be no record)."""
    import pandas as pd

    rows = list(records)
    found = pd.DataFrame(rows, columns=list(columns) if columns is not None else list(rows[0]) if rows else None)
    return typed(found)


def typed(found: pd.DataFrame) -> pd.DataFrame:
    """The same with the types of this project's columns. Whole numbers with gaps become Int64."""
    types = {name: TYPES[name] for name in found.columns if name in TYPES}
    gaps = {name: "Int64" for name, kind in types.items() if kind == "int64" and found[name].isna().any()}
    return found.astype({**types, **gaps})


def estimates_frame(estimates: Iterable[Estimate], label: Mapping[str, str]) -> pd.DataFrame:
    """A row an estimate, in the columns of `ESTIMATE`; `label`: what each is called, by name. An undefined value is
    NaN, an end that is not known infinite.
    """
    import pandas as pd

    rows = [{name: getattr(one, name, label[one.name]) for name in ESTIMATE} for one in estimates]
    return pd.DataFrame(rows, columns=list(ESTIMATE)).astype(ESTIMATE)


def arrow_frame(table: pa.Table) -> pd.DataFrame:
    """An Arrow table as a frame: dictionaries become categories."""
    found: pd.DataFrame = table.to_pandas(split_blocks=True, self_destruct=True)
    return found
