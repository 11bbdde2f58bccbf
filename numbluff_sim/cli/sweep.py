"""`numbluff sweep`: the points of a design over keys of the configuration, each an ordinary run; a table, targets
and a page.
"""

from __future__ import annotations

import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from numbluff_sim.cli.shared.display import Display, Shown, echo_json, games_rate
from numbluff_sim.cli.shared.options import (
    FOLDER_NAME,
    THREADS_OPTION,
    WHOLE_NUMBER,
    StudyOptions,
    csv_option,
    game_option,
    gathered,
    json_option,
    lang_option,
)
from numbluff_sim.cli.shared.playing import cluster_option, playing

if TYPE_CHECKING:
    from numbluff_sim.run.progress import Progress
    from numbluff_sim.studies.sweep.data import Finished


@dataclass(frozen=True)
class SweepOptions(StudyOptions):
    """The options of the command."""

    yes: bool
    no_page: bool


@click.command()
@click.argument("file", metavar="FILE")
@game_option
@click.option(
    "--out",
    type=FOLDER_NAME,
    help="Folder of the sweep; results/sweep-<file's name> by default. What it holds is not played again.",
)
@click.option("--games", type=WHOLE_NUMBER, help="Games of every point; what the file says by default.")
@THREADS_OPTION
@click.option("--yes", is_flag=True, help="Play a sweep of more than 2,000 points or more than an hour.")
@click.option("--replace", is_flag=True, help="Start over: remove what another sweep has left in the folder.")
@click.option("--no-page", is_flag=True, help="Tables and results alone, without pictures.")
@lang_option("Language of page, figures and findings.")
@csv_option
@cluster_option
@json_option
@gathered(SweepOptions)
def sweep(file: str, options: SweepOptions) -> int:
    """Play the points of a design over keys of the configuration, and say which meet the targets with the smallest
    change.

    FILE names a base, the keys and values to try under [axes], the design under [sweep] (grid, one_at_a_time or sobol),
    and what is wanted under [targets]. Every point plays the same deals and is a run of its own in DIR/points. A sweep
    that was killed or interrupted continues with the same command and ends with the same bytes; other targets are
    judged without playing again.

    \b
    Example: which reach and hand size give Frappe at 1.5-2 %, and seats within a point of each other?
      numbluff sweep docs/examples/sweeps/frappe.toml

    \b
    The file:
      base = "documented"
      [sweep]
      design = "grid"                          # games = 1000000, seed = 1
      [axes]
      "deck.rainbow.reach" = [1, 2, 3, 4]
      "table.hand_size" = { low = 2, high = 5 }
      [targets]
      frappe_parfaite_per_round = { low = 0.015, high = 0.02 }
    """
    from numbluff_sim.run.playing import where
    from numbluff_sim.studies.sweep.asked import read_sweep
    from numbluff_sim.studies.sweep.size import refuse_large, size_of
    from numbluff_sim.studies.sweep.study import design_of, run_sweep
    from numbluff_sim.studies.sweep.written import write_files

    asked = read_sweep(Path(file), game_name=options.game_name, games=options.games, threads=options.threads)
    folder = options.folder(Path("results") / f"sweep-{Path(file).stem}")
    command = shlex.join(["numbluff", *sys.argv[1:]])
    with playing(SweepDisplay(asked.question.base.players)) as how:
        if not options.yes:
            refuse_large(size_of(asked, design_of(asked), folder, **how), where(asked.question.base, how))
        finished = run_sweep(asked, folder, replace=options.replace, command=command, **how)
    page = None if options.no_page else write_files(finished, options.lang, command)
    if options.as_json:
        echo_json(summary(finished, page))
    else:
        from numbluff_sim.cli.shared.sweep_text import print_results

        print_results(finished, options.lang)
        click.echo(page or finished.folder)
    return 0


def summary(finished: Finished, page: Path | None) -> dict[str, Any]:
    """What --json prints: what was asked and played, the points against the targets, the ends of every metric, the
    indices, the files.
    """
    from numbluff_sim.studies.question.best import TARGETS
    from numbluff_sim.studies.sweep.folder import BEST
    from numbluff_sim.studies.sweep.tables import POINTS, SWEEP

    question, settings = finished.sweep.question, finished.sweep.settings
    targets = (
        {} if question.targets is None else {"targets": question.targets.to_json(), "alpha": question.targets.alpha}
    )
    tables = [str(finished.folder / f"{name}.{kind}") for name in (SWEEP, POINTS) for kind in ("parquet", "csv")]
    best = [str(path) for path in (finished.folder / BEST, finished.folder / TARGETS) if path.exists()]
    return {
        "folder": str(finished.folder),
        "file": question.origin,
        "base": question.base_name,
        "design": settings.design,
        "games": settings.games,
        "seed": settings.seed,
        "games_played": finished.played,
        "axes": question.to_json()["axes"],
        "base_values": dict(finished.design.base),
        **targets,
        **finished.results.to_json(finished.design.base),
        "tables": tables,
        "best": best,
        "page": None if page is None else str(page),
    }


class SweepDisplay(Display):
    """Shows how far a sweep is."""

    def shown(self, progress: Progress) -> Shown:
        """Such as: 3 of 20 points; 1.2 M games/s; about 2 minutes left."""
        return Shown(
            progress.share * progress.steps,
            progress.steps,
            f"{progress.steps_done:,} of {progress.steps:,} points",
            games_rate(progress),
            progress.seconds_left,
        )
