"""The best point of a sweep as files: its configuration, and the targets as a baseline for `numbluff check`."""

from __future__ import annotations

import shlex
from pathlib import Path

from numbluff_sim.analysis.studies.sweep.result import Results
from numbluff_sim.run.files import disk_errors, write_text
from numbluff_sim.studies.question.file import Sweep
from numbluff_sim.studies.sweep.folder import BEST, TARGETS
from numbluff_sim.studies.tune.files import baseline_text, configuration_text

#: Seeds of the check that is named, the first one that the sweep did not use: other deals.
CHECK_SEEDS = (7, 8)


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


def check_command(sweep: Sweep, folder: Path) -> str:
    """The command that confirms the best point on fresh deals."""
    seed = next(seed for seed in CHECK_SEEDS if seed != sweep.settings.seed)
    return shlex.join(
        ["numbluff", "check", "--config", str(folder / BEST), "--baseline", str(folder / TARGETS), "--seed", str(seed)]
    )
