"""The rows of a run: part files, each of a span that follows from the configuration alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from numbluff_sim.config import Config
from numbluff_sim.contract.game import Columns
from numbluff_sim.contract.registry import game

if TYPE_CHECKING:
    from numbluff_sim.run.buffers import RowBuffers


@dataclass(frozen=True)
class PartFiles:
    """Where the rows of a run are written: a file a table and span of `unit` games (the last one what is left).

    `identity`: what every part says of its origin. `games`: of the whole run. Can be pickled.
    """

    folder: Path
    config: Config
    rows: str
    unit: int
    games: int
    identity: tuple[tuple[str, str], ...]

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables that are written: of the kind of rows asked for, and of all coarser ones."""
        return game(self.config.game).tables(self.rows)

    def path(self, table: str, first_game: int) -> Path:
        """The file of a table's span."""
        return self.folder / table / f"part-{first_game // self.unit:06d}.parquet"

    def metadata(self, table: str, first_game: int, games: int) -> dict[str, str]:
        """What the schema of a part with these games says of its origin."""
        return {"table": table, **dict(self.identity), "first_game": str(first_game), "games": str(games)}

    def check(self, done: int) -> None:
        """Check the parts of the first `done` games. Raises RunError."""
        from numbluff_sim.run.store import check_part

        for table in self.tables:
            for first in range(0, done, self.unit):
                check_part(self.path(table, first), self.metadata(table, first, min(self.unit, done - first)))


class PartWriter:
    """Writes the rows of one thread's spans, a part file each and table."""

    def __init__(self, parts: PartFiles) -> None:
        from numbluff_sim.run.buffers import RowBuffers
        from numbluff_sim.run.files import disk_errors

        entry = game(parts.config.game)
        columns = entry.columns(parts.config)
        self.parts = parts
        self._columns = {table: columns[table] for table in parts.tables}
        games = min(parts.unit, parts.games)
        most = {grain.name: games * grain.most(parts.config) for grain in entry.grains}
        self._buffers: RowBuffers = RowBuffers(self._columns, most)
        with disk_errors(parts.folder):
            for table in self._columns:
                (parts.folder / table).mkdir(exist_ok=True)

    def add(self, rows: Mapping[str, Columns]) -> None:
        """The rows of one call."""
        self._buffers.add(rows)

    def close(self, first_game: int, games: int) -> None:
        """Write the parts of a span. Raises RunError where the disk refuses."""
        from numbluff_sim.run.files import disk_errors
        from numbluff_sim.run.store import write_part

        for table, columns in self._columns.items():
            path = self.parts.path(table, first_game)
            with disk_errors(path):
                write_part(path, columns, self._buffers.rows(table), self.parts.metadata(table, first_game, games))
        self._buffers.clear()
