"""Files of cases and exact values, tests/games/<game>/cases/<game>_cases.json, and tables of settings in them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from fractions import Fraction
from pathlib import Path
from typing import Any, Self

GAMES = Path(__file__).parents[1] / "games"


def case_file(game: str) -> dict[str, Any]:
    """What the file of a game holds."""
    found: dict[str, Any] = json.loads((GAMES / game / "cases" / f"{game}_cases.json").read_text(encoding="utf-8"))
    return found


def by_id(entries: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Cases or checks by their names."""
    return {entry["id"]: entry for entry in entries}


def as_written(value: Any) -> Any:
    """A calculated value with its fractions as the file writes them."""
    if isinstance(value, dict):
        return {key: as_written(one) for key, one in value.items()}
    if isinstance(value, list):
        return [as_written(one) for one in value]
    return str(value) if isinstance(value, Fraction) else value


def assert_exact(calculated: Any, written: Any) -> None:
    """The value is the one that the file gives; of a table, what the file gives of it, decimal fractions aside."""
    found = as_written(calculated)
    if isinstance(written, dict):
        written = {key: one for key, one in written.items() if not key.endswith("_float")}
        found = {key: found[key] for key in written}
    assert found == written


class FromTable:
    """A dataclass that is read from a table of the file; what the table leaves out is as usual."""

    @classmethod
    def from_table(cls, table: Mapping[str, Any]) -> Self:
        """Made of the keys that are its own; lists become tuples."""
        known = {f.name: table[f.name] for f in fields(cls) if f.name in table}  # type: ignore[arg-type]
        return cls(**{key: tuple(value) if isinstance(value, list) else value for key, value in known.items()})
