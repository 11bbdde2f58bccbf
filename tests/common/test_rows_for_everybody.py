"""Rows and tables as other programs read them: DuckDB, Polars, spreadsheets."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from pathlib import Path

import duckdb
import numpy as np
import polars as pl
import pyarrow.parquet as pq
import pytest

from numbluff_sim.analysis.statistics.verdicts import Status
from numbluff_sim.config import load
from numbluff_sim.contract.registry import game, shipped
from numbluff_sim.run.arrow import parquet_options
from numbluff_sim.run.runner import run_simulation
from numbluff_sim.run.store import RunData, load_run, write_part
from numbluff_sim.run.tables import csv_bytes, csv_for, read_table, write_table

ROOT = Path(__file__).parents[2]
#: Known to DuckDB 1.x, to PyArrow of 2021, and to fastparquet.
ENCODINGS = {"PLAIN", "RLE", "PLAIN_DICTIONARY", "RLE_DICTIONARY", "DELTA_BINARY_PACKED"}


@pytest.fixture(scope="module", params=shipped())
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> RunData:
    name = request.param
    folder = tmp_path_factory.mktemp(name) / "run"
    run_simulation(load(overrides={"game": name, "run.games": 300, "run.rows": game(name).grains[-1].name}), folder)
    return load_run(folder)


def tables(run: RunData) -> list[tuple[str, str]]:
    assert run.folder is not None
    return [(table, f"{run.folder}/{table}/*.parquet") for table in game(run.config.game).tables(run.meta["rows"])]


def test_rows__encodings_that_old_readers_know(run: RunData) -> None:
    assert run.folder is not None
    for path in run.folder.rglob("*.parquet"):
        group = pq.ParquetFile(path).metadata.row_group(0)
        for index in range(group.num_columns):
            assert set(group.column(index).encodings) <= ENCODINGS, (path, group.column(index).path_in_schema)


def test_rows__duckdb_reads_every_column(run: RunData) -> None:
    for table, files in tables(run):
        expected = run.rows(table)
        relation = duckdb.sql(f"SELECT * FROM '{files}' ORDER BY ALL")
        names = relation.columns
        found = sorted(relation.fetchall(), key=str)
        assert found == sorted(zip(*(expected[name].to_pylist() for name in names), strict=True), key=str)


def test_rows__polars_reads_every_column(run: RunData) -> None:
    for table, files in tables(run):
        expected = run.rows(table)
        found = pl.read_parquet(files)
        assert found.columns == expected.column_names
        assert found.to_dict(as_series=False) == expected.to_pydict()


@pytest.mark.parametrize("name", shipped())
def test_rows__a_column_of_many_values_is_read_back(name: str, tmp_path: Path) -> None:
    columns = next(iter(game(name).columns(load(overrides={"game": name})).values()))
    rng = np.random.default_rng(1)
    rows = 200_000
    arrays = {
        c.name: rng.integers(0, len(c.categories) if c.categories else np.iinfo(c.dtype).max, rows).astype(c.dtype)
        for c in columns
    }
    key = next(c.name for c in columns if c.ordered_key)
    arrays[key] = np.sort(arrays[key])
    write_part(tmp_path / "part.parquet", columns, arrays, {})
    sums = ", ".join(f'sum("{c.name}")' for c in columns if not c.categories)
    found = duckdb.sql(f"SELECT {sums} FROM '{tmp_path}/part.parquet'").fetchall()[0]
    assert found == tuple(sum(arrays[c.name].tolist()) for c in columns if not c.categories)
    assert parquet_options(columns)["column_encoding"] == {key: "DELTA_BINARY_PACKED"}


def test_recipes__those_in_python_run_and_agree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run_simulation(load(overrides={"run.games": 640, "run.rows": "rounds"}), tmp_path / "results/rows")
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs/TABLES.md").read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) == 3
    printed = []
    for block in blocks:
        shown: list[object] = []
        exec(block, {"print": shown.append})
        printed.append(shown[0])
    pandas, polars, sql = printed
    expected = {event: (size, pytest.approx(mean)) for event, size, mean in sql.fetchall()}  # type: ignore[attr-defined]
    assert sum(size for size, _ in expected.values()) == 640 * 12
    assert {event: (row["size"], row["mean"]) for event, row in pandas.T.to_dict().items()} == expected  # type: ignore[attr-defined]
    assert {row[0]: row[1:] for row in polars.rows()} == expected  # type: ignore[attr-defined]


ROW = {
    "text": "plain, with a comma",
    "formula": '=HYPERLINK("http://x")',
    "at": "@SUM(A1)",
    "minus": "-1+cmd",
    "wide": "\uff1dA1",
    "list": [0, 14.5],
    "pair": (True, None),
    "table": {"a": False},
    "status": Status.HOLDS,
    "numpy": np.float64(0.25),
    "whole": -3,
    "truth": True,
    "number": -1.5e-7,
    "unknown": None,
    "nan": math.nan,
    "open": -math.inf,
}


def test_csv__no_reprs_and_no_formulas() -> None:
    (cells,) = csv.DictReader(io.StringIO(csv_bytes([ROW]).decode("utf-8")))
    assert cells == {
        "text": "plain, with a comma",
        "formula": '\'=HYPERLINK("http://x")',
        "at": "'@SUM(A1)",
        "minus": "'-1+cmd",
        "wide": "'\uff1dA1",
        "list": "[0, 14.5]",
        "pair": "[true, null]",
        "table": '{"a": false}',
        "status": "holds",
        "numpy": "0.25",
        "whole": "-3",
        "truth": "true",
        "number": "-1.5e-07",
        "unknown": "",
        "nan": "",
        "open": "",
    }


def test_csv__head_lines_start_no_formula_either() -> None:
    assert csv_bytes([{"=1+1": 2}]) == b"'=1+1\n2\n"


def test_csv__for_french_spreadsheets() -> None:
    with csv_for("fr"):
        content = csv_bytes([ROW])
    (cells,) = csv.DictReader(io.StringIO(content.decode("utf-8-sig")), delimiter=";")
    assert content.startswith(b"\xef\xbb\xbftext;formula;")
    assert (cells["numpy"], cells["number"], cells["text"]) == ("0,25", "-1,5e-07", "plain, with a comma")
    assert json.loads(cells["list"]) == [0, 14.5]
    assert csv_bytes([{"x": 0.5}]) == b"x\n0.5\n"


def test_table_files__csv_in_the_form_asked_for_and_parquet_as_ever(tmp_path: Path) -> None:
    columns, rows = {"name": "string", "value": "float64"}, [{"name": "-x", "value": 0.5}, {"name": "b", "value": None}]
    with csv_for("fr"):
        write_table(tmp_path, "found", columns, rows)
    assert (tmp_path / "found.csv").read_text(encoding="utf-8-sig") == "name;value\n'-x;0,5\nb;\n"
    assert read_table(tmp_path / "found.parquet") == {"name": ["-x", "b"], "value": [0.5, None]}
