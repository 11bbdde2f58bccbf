"""Files of a run: written whole or not at all, and checked before they are believed."""

from __future__ import annotations

import os
import platform
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from numbluff_sim.config import Config, restore
from numbluff_sim.contract.fields import Column
from numbluff_sim.contract.game import Shapes, Tally
from numbluff_sim.contract.registry import game
from numbluff_sim.errors import ConfigError, RunError, nearest_name
from numbluff_sim.run.arrow import arrow_schema, arrow_table, integers, names, parquet_options
from numbluff_sim.run.files import arrow_file, whole, write_json
from numbluff_sim.run.folder import FolderKind, read_description
from numbluff_sim.run.rows import PartFiles
from numbluff_sim.run.spans import span_games

if TYPE_CHECKING:
    import pyarrow as pa


META_FILE = "run.json"
TALLY_FILE = "tally.parquet"
#: Columns that say which cell of its field a row of the tally file is, at least so many; -1 beyond the field's
#: dimensions.
LEAST_INDICES = 3


def _clear(path: Path) -> None:
    for part in sorted(path.glob("*/part-*.parquet*")):  # with those that were being written
        part.unlink()
    (path / TALLY_FILE).unlink(missing_ok=True)


def _in_short(meta: Mapping[str, Any]) -> str:
    return (
        f"{meta['game']}, {meta['players']} players, seed {meta['seed']}, rows {meta['rows']}, "
        f"{meta['games_done']} of {meta['games']} games, "
        f"{meta['state']}, started {meta['started']}"
    )


RUN = FolderKind(
    "run",
    META_FILE,
    "numbluff simulate",
    frozenset({"config", "identity", "state", "rows", "games", "games_done"}),
    _clear,
    in_short=_in_short,
)


def write_meta(folder: Path, meta: Mapping[str, Any]) -> None:
    """Put a new run.json in the place of the old one."""
    write_json(folder / META_FILE, meta)


def read_meta(folder: Path) -> dict[str, Any]:
    """The run.json of a folder. Raises RunError where there is none or it cannot be read."""
    if not (folder / META_FILE).exists():
        beside = sorted(p.parent.name for p in folder.parent.glob(f"*/{META_FILE}")) if folder.parent.is_dir() else []
        near = nearest_name(folder.name, beside)
        raise RunError(
            f"{folder} holds no run: there is no {META_FILE} in it; expected a folder that `numbluff simulate` wrote."
            + (f' Did you mean "{folder.parent / near}"?' if near else "")
        )
    return read_description(folder, RUN)


def index_names(shapes: Shapes) -> list[str]:
    """The columns of a cell's indices: i0, i1, ..., as many as the field with the most dimensions has, and three at
    least.
    """
    return [f"i{axis}" for axis in range(max([LEAST_INDICES, *map(len, shapes.values())]))]


def write_tally(path: Path, tally: Tally, shapes: Shapes, metadata: Mapping[str, str]) -> None:
    """Write a tally in long form: one row a non-zero cell, in order of `shapes`, then of the indices.

    The bytes follow from the tally, `metadata` and the Parquet library alone.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    names_of_indices = index_names(shapes)
    codes, indices, values = [], [], []
    for code, (name, shape) in enumerate(shapes.items()):
        cells = np.flatnonzero(tally[name])
        values.append(tally[name].reshape(-1)[cells])
        index = np.full((len(cells), len(names_of_indices)), -1, np.int32)
        if shape:
            index[:, : len(shape)] = np.stack(np.unravel_index(cells, shape), axis=1)
        codes.append(np.full(len(index), code, np.int16))
        indices.append(index)
    index = np.concatenate(indices)
    columns = {
        "field": pa.DictionaryArray.from_arrays(integers(np.concatenate(codes)), names(list(shapes))),
        **{name: integers(index[:, axis].copy()) for axis, name in enumerate(names_of_indices)},
        "value": integers(np.concatenate(values)),
    }
    table = pa.Table.from_arrays(list(columns.values()), list(columns), metadata=dict(metadata))
    with whole(path) as partial, arrow_file(partial, "wb") as file:
        pq.write_table(
            table,
            file,
            compression="zstd",
            compression_level=1,
            use_dictionary=["field"],
            write_statistics=False,
            version="2.6",
        )


def read_tally(path: Path, shapes: Shapes) -> tuple[Tally, dict[str, str]]:
    """The tally in a file, with zeros for cells that have no row, and the file's metadata. Raises RunError."""
    table = _read(path)
    fields = table.column("field").to_pylist()
    unknown = sorted(set(fields) - set(shapes))
    if unknown:
        raise RunError(
            f'{path} has the tally field "{unknown[0]}", which this version does not know; expected the '
            f"fields {', '.join(shapes)}."
        )
    tally = {name: np.zeros(shape, np.int64) for name, shape in shapes.items()}
    cells = zip(*(table.column(name).to_pylist() for name in index_names(shapes)), strict=True)
    try:
        for name, cell, value in zip(fields, cells, table.column("value").to_pylist(), strict=True):
            tally[name][cell[: len(shapes[name])]] = value
    except IndexError:
        raise RunError(
            f"{path}: tally field {name} has a cell {cell} outside of the expected shape {shapes[name]}; "
            "it was written with another configuration."
        ) from None
    return tally, _metadata(table.schema)


def write_part(
    path: Path, columns: Sequence[Column], arrays: Mapping[str, NDArray[Any]], metadata: Mapping[str, str]
) -> None:
    """Write rows, one array a column, as one Parquet file of one row group. On a cluster two workers may write the
    same part, where one was given up for dead: each has a partial file of its own, and both have the same bytes.
    """
    import pyarrow.parquet as pq

    table = arrow_table(columns, arrays, arrow_schema(columns, metadata))
    with (
        whole(path, mark=f".{platform.node()}-{os.getpid()}-{threading.get_ident()}") as partial,
        arrow_file(partial, "wb") as file,
    ):
        pq.write_table(table, file, row_group_size=max(len(table), 1), **parquet_options(columns))


def check_part(path: Path, expected: Mapping[str, str]) -> dict[str, str]:
    """The metadata of a Parquet file. Raises RunError unless it is whole and they agree with `expected`."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with arrow_file(path, "rb") as file:
            found = _metadata(pq.read_schema(file))
    except FileNotFoundError:
        raise RunError(
            f"{path} is missing; expected the rows of game {expected.get('first_game')} and on. "
            "Play the run again into another folder."
        ) from None
    except (OSError, pa.ArrowException) as error:
        raise RunError(_not_whole(path, error)) from None
    check_identity(path, found, expected)
    return found


def check_identity(path: Path, found: Mapping[str, str], expected: Mapping[str, str]) -> None:
    """Raise RunError naming every key of `expected` on which a file's metadata differs."""
    differing = [
        f"{key} is {found.get(key, 'missing')}, expected {value}"
        for key, value in expected.items()
        if found.get(key) != value
    ]
    if differing:
        raise RunError(f"{path} belongs to another run: {'; '.join(differing)}. Move it away, or use another folder.")


def games_in(path: Path, tally: Tally, found: Mapping[str, str], meta: Mapping[str, Any]) -> int:
    """The games in a tally file. Raises RunError where run.json cannot be of the same moment or, written after the
    tally, of one before.
    """
    games = int(tally["games"])
    if found.get("games") != str(games) or not meta["games_done"] <= games <= meta["games"]:
        expected = f"{meta['games_done']:,}" + (f" to {meta['games']:,}" if meta["games"] > meta["games_done"] else "")
        raise RunError(
            f"{path} holds {games:,} games and does not belong to the {META_FILE} beside it; expected "
            f"{expected} games. "
            "Put back the two files as they were written, or play the run again into another folder."
        )
    return games


def _read(path: Path) -> pa.Table:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with arrow_file(path, "rb") as file:
            return pq.ParquetFile(file).read()
    except FileNotFoundError:
        raise RunError(f"{path} is missing; expected the tally that `numbluff simulate` wrote.") from None
    except (OSError, pa.ArrowException) as error:
        raise RunError(_not_whole(path, error)) from None


def _not_whole(path: Path, error: Exception) -> str:
    reason = str(error).splitlines()[0].rstrip(".")
    return (
        f"{path} is not a whole Parquet file ({reason}); it was cut short or is something else. Remove the run's "
        "folder, or use another one."
    )


def _metadata(schema: pa.Schema) -> dict[str, str]:
    return {
        key.decode(): value.decode() for key, value in (schema.metadata or {}).items() if not key.startswith(b"ARROW:")
    }


@dataclass(frozen=True)
class RunData:
    """A run as the analysis sees it: configuration, tally (int64 arrays by field) and run.json. `folder` is None for
    a run in memory.
    """

    config: Config
    tally: Tally
    meta: dict[str, Any]
    folder: Path | None = None

    def rows(self, table: str, columns: Sequence[str] | None = None, games: range | None = None) -> pa.Table:
        """The rows of "games", "rounds", ... as one Arrow table: of the games that are counted, whatever more a process
        that was killed has written. Every part is checked that is read. Raises RunError.

        `games`: of these alone, rising indices; parts without any of them are not opened, and of the others no more
        than the columns asked for is read.
        """
        import pyarrow as pa
        import pyarrow.compute as pc
        import pyarrow.parquet as pq

        wanted, paths = self._counted(games), self.parts(table, games) or self.parts(table)[:1]
        described = game(self.config.game).columns(self.config)[table]
        if not paths:  # no game is counted
            nothing = arrow_schema(described, {}).empty_table()
            return nothing if columns is None else nothing.select(columns)
        key = next(column.name for column in described if column.ordered_key)
        asked = (pc.field(key) >= wanted.start) & (pc.field(key) < wanted.stop)
        unit = span_games(self.config, self.meta["rows"])

        def read(path: Path, names: Sequence[str] | None) -> pa.Table:
            first = int(path.stem.removeprefix("part-")) * unit
            found = check_part(path, {"table": table, **self.meta["identity"], "first_game": str(first)})
            after, counted = first + int(found["games"]), min(first + unit, int(self.meta["games_done"]))
            if after < counted:
                raise RunError(f"{path} holds the games {first} to {after - 1}; expected all to {counted - 1}.")
            inside = wanted.start <= first and after <= wanted.stop
            with arrow_file(path, "rb") as file:
                return pq.read_table(file, columns=names, filters=None if inside else asked)

        try:
            found = pa.concat_tables([read(path, columns) for path in paths])
            if wanted.step == 1:
                return found
            every = pa.concat_tables([read(path, [key]) for path in paths])
        except (OSError, pa.ArrowException) as error:
            raise RunError(_not_whole(self.folder / table if self.folder else Path(table), error)) from None
        return found.filter(pa.array((every.column(key).to_numpy() - wanted.start) % wanted.step == 0))

    def parts(self, table: str, games: range | None = None) -> list[Path]:
        """The part files of a table that hold the games counted, or these of them, in order. Raises RunError where
        there are no such rows.
        """
        if self.folder is None or table not in game(self.config.game).tables(self.meta["rows"]):
            raise RunError(
                f"the run in {self.folder} has no {table} rows (it was made with rows = "
                f'"{self.meta["rows"]}"); expected one with rows = "{table}".'
            )
        wanted, unit = self._counted(games), span_games(self.config, self.meta["rows"])
        files = PartFiles(self.folder, self.config, self.meta["rows"], unit, self.meta["games"], ())
        numbers = {first // unit for first in wanted[:: max(unit // wanted.step, 1)]} | {i // unit for i in wanted[-1:]}
        return [files.path(table, number * unit) for number in sorted(numbers)]

    def _counted(self, games: range | None) -> range:
        """Those of some games, or of all, that the tally counts."""
        done = range(int(self.meta["games_done"]))
        return done if games is None else range(games.start, min(games.stop, done.stop), games.step)


def load_run(folder: str | os.PathLike[str]) -> RunData:
    """A run that `run_simulation` wrote, finished or not: the tally holds exactly `meta["games_done"]` games. Raises
    RunError.
    """
    path = Path(folder)
    meta = read_meta(path)
    try:
        config = restore(meta["config"], file=str(path / META_FILE))
    except ConfigError as error:
        raise RunError(f"{path / META_FILE} holds a configuration that this version refuses: {error}") from None
    tally, found = read_tally(path / TALLY_FILE, game(config.game).tally_shapes(config))
    check_identity(path / TALLY_FILE, found, tally_metadata(meta["identity"]))
    return RunData(config, tally, {**meta, "games_done": games_in(path / TALLY_FILE, tally, found, meta)}, path)


def tally_metadata(identity: Mapping[str, str]) -> dict[str, str]:
    """The part of an identity that a tally carries: no digest of code, so that equal results are equal bytes."""
    return {key: identity[key] for key in ("game", "rules_version", "config_digest", "seed")}
