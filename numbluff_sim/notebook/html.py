"""How results look in a notebook: a caption, a compact table, a note; whole in itself, without script, escaped."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

#: Rows of a table in a notebook.
MOST_ROWS = 12


def shown(value: Any) -> str:
    """A cell's text: numbers with four significant digits, whole ones in full, nothing for what is missing."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Integral):
        return f"{int(value):,}"
    if isinstance(value, Real):
        number = float(value)
        return "" if math.isnan(number) else f"{number:,.4g}"
    return "" if str(value) == "<NA>" else str(value)


def table_html(caption: str, found: pd.DataFrame, columns: Sequence[str], note: str = "", most: int = MOST_ROWS) -> str:
    """A frame's columns, at most `most` rows of it."""
    numeric = {name for name in columns if found[name].dtype.kind in "iuf" or str(found[name].dtype) == "Int64"}
    sides = {name: f"text-align:{'right' if name in numeric else 'left'}" for name in columns}
    head = "".join(f'<th style="{sides[name]}">{escape(name)}</th>' for name in columns)
    body = "".join(
        "<tr>"
        + "".join(
            f'<td style="{sides[name]}">{escape(shown(cell))}</td>' for name, cell in zip(columns, row, strict=True)
        )
        + "</tr>"
        for row in found[list(columns)].head(most).itertuples(index=False)
    )
    more = f"{len(found) - most:,} more rows. " if len(found) > most else ""
    foot = f"<div>{escape(more + note)}</div>" if more or note else ""
    return (
        f"<div><div><b>{escape(caption)}</b></div><table>"
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{foot}</div>"
    )


def text_html(caption: str, text: str) -> str:
    """A text as it is, under a caption."""
    return f'<div><div><b>{escape(caption)}</b></div><pre style="white-space:pre-wrap">{escape(text)}</pre></div>'
