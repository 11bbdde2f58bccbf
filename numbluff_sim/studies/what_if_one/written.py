"""The files of a what-if-one beside what_if_one.json: effects.csv with every effect, the page with its figures."""

from __future__ import annotations

from pathlib import Path

from numbluff_sim.analysis.report.page import render
from numbluff_sim.analysis.studies.what_if_one.page import what_if_one_page
from numbluff_sim.analysis.studies.what_if_one.result import WhatIfOne
from numbluff_sim.run.files import disk_errors, write_bytes
from numbluff_sim.run.tables import csv_bytes
from numbluff_sim.studies.page_files import write_page
from numbluff_sim.studies.what_if_one.folder import EFFECTS


def write_files(found: WhatIfOne, folder: Path, language: str, command: str) -> Path:
    """Write effects.csv and the page; the page's path. Raises RunError."""
    with disk_errors(folder):
        write_bytes(folder / EFFECTS, csv_bytes(list(found.rows())))
    return write_page(render(what_if_one_page(found, language, command)), folder)
