"""The files of a calibration: the long table, JSON, the page with its figures. Their bytes depend on the task alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from numbluff_sim.analysis.report.page import csv_text, render
from numbluff_sim.analysis.studies.calibrate.page import calibration_page
from numbluff_sim.analysis.studies.calibrate.result import Calibration, table_rows
from numbluff_sim.config import Config
from numbluff_sim.contract.registry import game
from numbluff_sim.run import provenance
from numbluff_sim.run.files import disk_errors, write_json, write_text, write_whole

TABLE = "calibration"


def write_files(found: Calibration, base: Config, folder: Path, language: str, command: str) -> Path:
    """Write calibration.parquet, .csv and .json, and the page; its path. Raises RunError where the disk refuses."""
    rows = table_rows(found)
    identity = provenance.identity(base, game(base.game))
    made_with = {
        "code_digest": identity["code_digest"],
        "rules_version": identity["rules_version"],
        **provenance.versions(),
    }
    with disk_errors(folder):
        write_json(folder / f"{TABLE}.json", found.to_json())
        write_text(folder / f"{TABLE}.csv", csv_text(rows))
        write_whole(folder / f"{TABLE}.parquet", lambda path: _write_parquet(path, rows))
        render(calibration_page(found, base.game, language, command, made_with)).write(folder)
    return folder / "index.html"


def _write_parquet(path: Path, rows: list[dict[str, Any]]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    whole = {"stands_for", "n", "games", "games_to_settle"}
    numbers = {"value", "low", "high", "alpha", "margin_low", "margin_high"}
    types = {
        name: pa.int64() if name in whole else pa.float64() if name in numbers else pa.string() for name in rows[0]
    }
    columns = [pa.array([row[name] for row in rows], kind) for name, kind in types.items()]
    pq.write_table(pa.Table.from_arrays(columns, list(types)), path, compression="zstd", version="2.6")
