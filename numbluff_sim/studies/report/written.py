"""The files of a report: the page with its figures, and every number shown."""

from __future__ import annotations

from pathlib import Path

from numbluff_sim.analysis.report.making import BalanceReport
from numbluff_sim.studies.page_files import write_page


def write_files(made: BalanceReport, folder: Path) -> Path:
    """Write the page with its figures and data; its path. Raises RunError."""
    return write_page(made.rendered, folder)
