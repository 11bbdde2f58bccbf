"""`report` as a function: runs, and what comparisons found, from their folders to one page."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from numbluff_sim.analysis.report.making import BalanceReport, Beside, make_report
from numbluff_sim.analysis.studies.compare.result import COMPARISON_FILE, read_comparison
from numbluff_sim.analysis.studies.what_if_one.result import RESULT_FILE, read_what_if_one
from numbluff_sim.contract.registry import game
from numbluff_sim.errors import RunError
from numbluff_sim.run.store import RunData, load_run


def report(folders: Sequence[Path], out: Path, language: str = "en", game_name: str | None = None) -> BalanceReport:
    """The report of the runs in `folders`, with a section for each of them that holds a comparison or a what-if-one.

    `out` is where it will be written (`write_files`), told in the command on the page; `game_name`: the game that
    the runs must be of, None for whichever they are of. Raises RunError, ConfigError for a name that is no game.
    """
    beside: list[tuple[Path, Beside]] = []
    for folder in folders:
        if (folder / COMPARISON_FILE).exists():
            beside.append((folder, read_comparison(folder)))
        elif (folder / RESULT_FILE).exists():
            beside.append((folder, read_what_if_one(folder)))
    studies = [folder for folder, _ in beside]
    runs = [load_run(folder) for folder in folders if folder not in studies]
    if game_name is not None:
        _refuse_other_games(game(game_name, file="--game").name, runs)
    return make_report(runs, language, out, beside)


def _refuse_other_games(name: str, runs: Sequence[RunData]) -> None:
    other = next((run for run in runs if run.config.game != name), None)
    if other is not None:
        raise RunError(
            f'{other.folder} is a run of the game "{other.config.game}"; expected runs of "{name}" (--game).'
        )


def default_folder(folders: Sequence[Path]) -> Path:
    """Where the report goes when nobody says: into the only run, or beside several."""
    if len(folders) == 1:
        return folders[0] / "report"
    return Path(os.path.commonpath([folder.absolute().parent for folder in folders])) / "report"
