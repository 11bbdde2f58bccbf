"""The report of runs and comparisons, from a notebook."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from numbluff_sim.analysis.report.making import make_report
from numbluff_sim.analysis.studies.compare.result import Comparison
from numbluff_sim.analysis.studies.what_if_one.result import WhatIfOne
from numbluff_sim.errors import RunError
from numbluff_sim.notebook.results import StudyResult
from numbluff_sim.studies.report.written import write_files

if TYPE_CHECKING:
    from numbluff_sim.notebook.run import Run


def write_report(
    results: Sequence[Run | StudyResult], out: str | os.PathLike[str] | None = None, language: str = "en"
) -> Path:
    """Write one page about runs of a game, with a section for every comparison and what-if-one: its path. `out`:
    `report` in the first run's folder by default. Raises RunError.
    """
    from numbluff_sim.notebook.run import Run  # which imports this module

    strange = next((one for one in results if not isinstance(one, Run | StudyResult)), None)
    if strange is not None:
        raise RunError(
            f"{strange!r} is no result; expected what simulate, load_run, compare, rulings, knockout or what_if_one "
            "give."
        )
    studies = [one for one in results if isinstance(one, StudyResult)]
    runs = [one.data for one in results if not isinstance(one, StudyResult)]
    if not runs or not all(isinstance(one.found, Comparison | WhatIfOne) for one in studies):
        raise RunError(
            "a report is of runs, and of comparisons and what-if-ones beside them; expected at least one run."
        )
    folder = Path(out) if out is not None else (runs[0].folder or Path()) / "report"
    compared = [(one.folder or Path(), one.found) for one in studies]
    return write_files(make_report(runs, language, folder, compared), folder)
