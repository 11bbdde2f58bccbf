"""The files of a calibration: the long table, JSON, the page with its figures. Their bytes depend on the task alone."""

from __future__ import annotations

from pathlib import Path

from numbluff_sim.analysis.report.page import render
from numbluff_sim.analysis.studies.calibrate.page import calibration_page
from numbluff_sim.analysis.studies.calibrate.result import Calibration, table_columns, table_rows
from numbluff_sim.config import Config
from numbluff_sim.run.files import disk_errors, write_json
from numbluff_sim.run.tables import write_table
from numbluff_sim.studies.page_files import made_with, write_page

TABLE = "calibration"


def write_files(found: Calibration, base: Config, folder: Path, language: str, command: str) -> Path:
    """Write calibration.parquet, .csv and .json, and the page; its path. Raises RunError where the disk refuses."""
    with disk_errors(folder):
        write_json(folder / f"{TABLE}.json", found.to_json())
    write_table(folder, TABLE, table_columns(found), table_rows(found))
    return write_page(render(calibration_page(found, base.game, language, command, made_with(base))), folder)
