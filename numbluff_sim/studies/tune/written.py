"""The files of a search: the tuned configuration, its targets as a baseline for `check`, the trials, what was found
as JSON, the page.
"""

from __future__ import annotations

from pathlib import Path

from numbluff_sim.analysis.report.page import render
from numbluff_sim.analysis.studies.tune.page import tune_page
from numbluff_sim.analysis.studies.tune.result import Confirmation, Tuned, trial_rows
from numbluff_sim.encoding import json_text
from numbluff_sim.run.files import disk_errors, write_bytes, write_text
from numbluff_sim.run.tables import csv_bytes
from numbluff_sim.studies.page_files import made_with, write_page
from numbluff_sim.studies.question.best import TARGETS, baseline_text, configuration_text
from numbluff_sim.studies.tune.asked import Tune
from numbluff_sim.studies.tune.folder import RESULT, TRIALS, TUNED


def write_files(tune: Tune, found: Tuned, folder: Path, language: str, command: str) -> Path:
    """Write all files, tuned.toml and targets.toml where the targets are met (those of an earlier search go). The
    page's path. Raises RunError.
    """
    base = tune.question.base
    texts = {RESULT: json_text(found.to_json())}
    if found.winner is not None:
        texts[TUNED] = tuned_text(tune, found.winner, folder)
        texts[TARGETS] = targets_text(tune, found, found.winner)
    with disk_errors(folder):
        for name in (TUNED, TARGETS):
            (folder / name).unlink(missing_ok=True)
        for name, text in texts.items():
            write_text(folder / name, text)
        write_bytes(folder / TRIALS, csv_bytes(trial_rows(found)))
    page = tune_page(found, base.game, base.players, language, command, made_with(base))
    return write_page(render(page), folder)


def tuned_text(tune: Tune, winner: Confirmation, folder: Path) -> str:
    """The winner as a configuration file: the base and what changes."""
    name = Path(tune.question.origin).name
    return configuration_text(
        tune.question,
        winner.reached.point.values,
        folder,
        f"Found by numbluff tune from {name}: the smallest change that meets its targets.",
    )


def targets_text(tune: Tune, found: Tuned, winner: Confirmation) -> str:
    """The targets as a baseline, measured on the tuned configuration; as many games as settle all of them with room."""
    return baseline_text(tune.question, winner.judgement.targets, winner.games, winner.seed, found.targets.alpha, TUNED)
