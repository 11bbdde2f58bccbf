"""The files of a comparison beside comparison.json: effects.csv with every difference, the page with its figures."""

from __future__ import annotations

from pathlib import Path

from numbluff_sim.analysis.report.page import render
from numbluff_sim.analysis.studies.compare.page import comparison_page
from numbluff_sim.analysis.studies.compare.result import COMPARISON_FILE, Comparison
from numbluff_sim.run.files import disk_errors, write_bytes, write_text
from numbluff_sim.run.tables import csv_bytes
from numbluff_sim.studies.compare.folder import EFFECTS
from numbluff_sim.studies.page_files import write_page


def write_files(comparison: Comparison, folder: Path, language: str, command: str) -> Path:
    """Write comparison.json with what matters, effects.csv and the page; the page's path. Raises RunError."""
    with disk_errors(folder):
        write_text(folder / COMPARISON_FILE, comparison.text())
        write_bytes(folder / EFFECTS, csv_bytes(list(comparison.rows())))
    return write_page(render(comparison_page(comparison, language, command)), folder)
