"""The files of a report: the page with its figures, and every number shown."""

from __future__ import annotations

from pathlib import Path

from numbluff_sim.analysis.report.making import BalanceReport
from numbluff_sim.analysis.report.page import FINDINGS, INDEX
from numbluff_sim.errors import RunError
from numbluff_sim.run.store import RUN
from numbluff_sim.studies.calibrate.state import CALIBRATION
from numbluff_sim.studies.compare.folder import COMPARISON
from numbluff_sim.studies.page_files import write_page
from numbluff_sim.studies.sweep.folder import SWEEP_FOLDER
from numbluff_sim.studies.tune.folder import SEARCH
from numbluff_sim.studies.what_if_one.folder import WHAT_IF_ONE

OTHERS = (RUN, COMPARISON, SWEEP_FOLDER, SEARCH, CALIBRATION, WHAT_IF_ONE)


def write_files(made: BalanceReport, folder: Path) -> Path:
    """Write the page with its figures and data; its path. Raises RunError, also where that would go over the files of
    something else. Folders of runs may lie beside it.
    """
    refuse_over_others(folder)
    return write_page(made.rendered, folder)


def refuse_over_others(folder: Path) -> None:
    """Raise RunError for a folder that a run or a study owns, or that has files of the names of a report's which no
    report wrote.
    """
    other = next((kind for kind in OTHERS if (folder / kind.description).exists()), None)
    if other is not None:
        raise RunError(
            f"{folder} holds a {other.noun}, whose files a report would mix with its own; expected a folder of the "
            "report's own. Name another --out."
        )
    taken = [name for name in (INDEX, "data", "figures") if (folder / name).exists()]
    if taken and not (folder / FINDINGS).exists():
        raise RunError(
            f"{folder} already holds {', '.join(taken)} of something that is not a report; expected a new folder or "
            "that of an earlier report. Name another --out."
        )
