"""The files of a sweep beside its tables: the best point with its targets, the page with its figures."""

from __future__ import annotations

from pathlib import Path

from numbluff_sim.analysis.report.page import render
from numbluff_sim.analysis.studies.sweep.page import sweep_page
from numbluff_sim.analysis.studies.sweep.result import Results
from numbluff_sim.run.files import disk_errors, write_text
from numbluff_sim.studies.page_files import write_page
from numbluff_sim.studies.question.best import TARGETS, baseline_text, configuration_text
from numbluff_sim.studies.sweep.asked import Sweep
from numbluff_sim.studies.sweep.data import Finished, sweep_data
from numbluff_sim.studies.sweep.folder import BEST


def write_best(sweep: Sweep, results: Results, folder: Path) -> None:
    """Write best.toml and targets.toml: of the smallest change that meets all targets, else of the nearest point.
    Without targets those of an earlier call go. Raises RunError.
    """
    texts: dict[str, str] = {}
    best, question = results.best, sweep.question
    if best is not None and question.targets is not None:
        what = (
            "the smallest change that meets its targets"
            if best.judgement.met_by_value
            else "nothing meets its targets, this point comes nearest"
        )
        texts[BEST] = configuration_text(
            question, best.point.values, folder, f"Found by numbluff sweep from {Path(question.origin).name}: {what}."
        )
        texts[TARGETS] = baseline_text(
            question, best.judgement.targets, sweep.settings.games, sweep.settings.seed, question.targets.alpha, BEST
        )
    with disk_errors(folder):
        for name in (BEST, TARGETS):
            (folder / name).unlink(missing_ok=True)
        for name, text in texts.items():
            write_text(folder / name, text)


def write_files(finished: Finished, language: str, command: str) -> Path:
    """Write the page with its figures and data; its path. Raises RunError."""
    return write_page(render(sweep_page(sweep_data(finished), language, command)), finished.folder)
