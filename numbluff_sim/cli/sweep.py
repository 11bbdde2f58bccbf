"""`numbluff sweep`: the points of a design over keys of the configuration, each an ordinary run; a table, targets
and a page.
"""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from numbluff_sim.cli.display import Display
from numbluff_sim.cli.options import WHOLE_NUMBER, game_option, json_option
from numbluff_sim.i18n.catalogue import LANGUAGES

if TYPE_CHECKING:
    from numbluff_sim.config import Config
    from numbluff_sim.studies.sweep.study import Finished, SweepProgress

INTERRUPTED = 130


@click.command()
@click.argument("file", metavar="FILE")
@game_option
@click.option(
    "--out",
    metavar="DIR",
    help="Folder of the sweep; results/sweep-<file's name> by default. What it holds is not played again.",
)
@click.option("--games", type=WHOLE_NUMBER, help="Games of every point; what the file says by default.")
@click.option("--threads", type=WHOLE_NUMBER, help="Threads; the results do not depend on it.")
@click.option("--yes", is_flag=True, help="Play a sweep of more than 2,000 points or more than an hour.")
@click.option("--replace", is_flag=True, help="Start over: remove what another sweep has left in the folder.")
@click.option("--no-page", is_flag=True, help="Tables and results alone, without pictures.")
@click.option(
    "--lang",
    type=click.Choice(LANGUAGES),
    default="en",
    show_default=True,
    help="Language of page, figures and findings.",
)
@json_option
def sweep(
    file: str,
    game_name: str | None,
    out: str | None,
    games: Any,
    threads: Any,
    yes: bool,
    replace: bool,
    no_page: bool,
    lang: str,
    as_json: bool,
) -> int:
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
    from numbluff_sim.studies.question.file import read_sweep
    from numbluff_sim.studies.sweep.size import refuse_large, size_of
    from numbluff_sim.studies.sweep.study import SweepInterrupted, design_of, run_sweep

    asked = read_sweep(Path(file), game_name=game_name, games=games, threads=threads)
    folder = Path(out) if out is not None else Path("results") / f"sweep-{Path(file).stem}"
    with SweepDisplay(asked.question.base.players) as display:
        if not yes:
            refuse_large(size_of(asked, design_of(asked), folder), asked.question.base.run.threads)
        try:
            finished = run_sweep(
                asked, folder, replace=replace, report=display, command=shlex.join(["numbluff", *sys.argv[1:]])
            )
        except SweepInterrupted as interrupted:
            display.stop()
            click.echo(f"Interrupted{str(interrupted).removeprefix('interrupted')}", err=True)
            return INTERRUPTED
    page = None if no_page else _write_page(finished, lang)
    if as_json:
        click.echo(json.dumps(summary(finished, page), indent=2, ensure_ascii=False))
    else:
        from numbluff_sim.cli.sweep_text import print_results

        print_results(finished, lang)
        click.echo(page or finished.folder)
    return 0


def summary(finished: Finished, page: Path | None) -> dict[str, Any]:
    """What --json prints: what was asked and played, the points against the targets, the ends of every metric, the
    indices, the files.
    """
    from numbluff_sim.studies.sweep.folder import BEST, TARGETS
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


def _write_page(finished: Finished, language: str) -> Path:
    """The page with its figures and data, in the folder of the sweep. Raises RunError."""
    from numbluff_sim.analysis.report.page import render
    from numbluff_sim.run.files import disk_errors
    from numbluff_sim.studies.sweep.files import sweep_page_of

    rendered = render(sweep_page_of(finished, language, shlex.join(["numbluff", *sys.argv[1:]])))
    with disk_errors(finished.folder):
        rendered.write(finished.folder)
    return finished.folder / "index.html"


class SweepDisplay(Display):
    """Shows how far a sweep is."""

    def __call__(self, state: SweepProgress, config: Config) -> None:
        """Show this state."""
        from numbluff_sim.studies.sweep.size import in_words

        self.compiling.players = config.players
        left = f"; about {in_words(state.seconds_left)} left" if state.games_per_second else ""
        self.show(
            state.points_done * state.games + state.games_done,
            state.points * state.games,
            f"{state.points_done:,} of {state.points:,} points",
            f"{state.games_per_second / 1e6:.1f} M games/s{left}",
        )
