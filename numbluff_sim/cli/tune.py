"""`numbluff tune`: the smallest change within bounds that meets all targets."""

from __future__ import annotations

import math
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from numbluff_sim.cli.shared.display import Display, Shown, echo_json
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
    from numbluff_sim.analysis.studies.tune.result import Tuned
    from numbluff_sim.config import Config
    from numbluff_sim.run.progress import Progress

MET, NOT_MET = 0, 3


@dataclass(frozen=True)
class TuneOptions(StudyOptions):
    """The options of the command."""

    trials: Any
    seed: Any


@click.command()
@click.argument("file", metavar="FILE")
@game_option
@click.option(
    "--out",
    type=FOLDER_NAME,
    help="Folder of the search; results/tune-<file's name> by default. What it holds is not played again.",
)
@click.option("--trials", type=WHOLE_NUMBER, help="Trials at most; what the file says (200) by default.")
@click.option("--games", type=WHOLE_NUMBER, help="Games of every trial; what the file says (200,000) by default.")
@click.option("--seed", type=WHOLE_NUMBER, help="Seed of deals and proposals; what the file says (1) by default.")
@THREADS_OPTION
@click.option("--replace", is_flag=True, help="Start over: remove what another search has left in the folder.")
@lang_option("Language of page, figures and findings.")
@csv_option
@cluster_option
@json_option
@gathered(TuneOptions)
def tune(file: str, options: TuneOptions) -> int:
    """Search for the smallest change of a configuration that meets all targets.

    FILE names a base, under [axes] the keys that may change with their bounds, and under [targets] what is wanted: the
    file of a sweep. First all single changes are tried, then pairs while they are few, then what Optuna proposes. The
    best candidates are played again with a fresh seed: only what meets all targets by interval there is written as
    DIR/tuned.toml, with DIR/targets.toml to check it. A search that was interrupted continues with the same command.
    Exit codes: 0 all targets met; 3 not, and what is in the way; 2 usage or configuration error.

    \b
    Example:
      numbluff tune docs/examples/sweeps/tune.toml --out results/tuned
      numbluff check --config results/tuned/tuned.toml --baseline results/tuned/targets.toml --seed 7

    \b
    The file:
      base = "documented"
      [tune]
      trials = 200                             # games = 200000, confirm_games = 4000000, seed = 1
      [axes]
      "deck.rainbow.reach" = { low = 1, high = 6 }
      "rules.wild_adjusts" = ["hidden", "both", "none"]
      [targets]
      frappe_parfaite_per_round = { low = 0.019, high = 0.021 }
    """
    from numbluff_sim.studies.tune.asked import read_tune
    from numbluff_sim.studies.tune.study import run_tune
    from numbluff_sim.studies.tune.written import write_files

    asked = read_tune(
        Path(file),
        game_name=options.game_name,
        trials=options.trials,
        games=options.games,
        seed=options.seed,
        threads=options.threads,
    )
    folder = options.folder(Path("results") / f"tune-{Path(file).stem}")
    command = shlex.join(["numbluff", *sys.argv[1:]])
    with playing(TuneDisplay(asked.question.base.players)) as how:
        found = run_tune(asked, folder, replace=options.replace, command=command, **how)
    page = write_files(asked, found, folder, options.lang, command)
    if options.as_json:
        echo_json({"folder": str(folder), "file": file, **found.to_json()})
    else:
        print_tuned(found, asked.question.base, options.lang, folder)
        click.echo(page)
    return MET if found.winner else NOT_MET


class TuneDisplay(Display):
    """Shows the trials made, and how near the nearest one is."""

    def shown(self, progress: Progress) -> Shown:
        """Such as: search; 12 of 200; nearest so far: distance 0.31."""
        near = f"nearest so far: distance {progress.nearest:.3g}" if math.isfinite(progress.nearest) else ""
        made = f"{progress.steps_done} of {progress.steps}"
        return Shown(progress.share * progress.steps, progress.steps, progress.what, made, more=near)


def print_tuned(found: Tuned, base: Config, language: str, folder: Path) -> None:
    """The answer, the targets, and how to check it."""
    from rich.console import Console
    from rich.text import Text

    from numbluff_sim.analysis.studies.tune.findings import findings
    from numbluff_sim.analysis.studies.tune.words import TuneWords

    words = TuneWords.of(found, base.game, language)
    console = Console(width=None if sys.stdout.isatty() else 160)
    for line in words.seat_lines(base.seating):
        console.print(Text(line))
    for finding in findings(words):
        console.print(Text.assemble((finding.title, "bold"), ". ", finding.text))
    judgement = found.winner.judgement if found.winner else found.nearest.judgement
    for one in judgement.targets:
        found_value = words.text("common.named", name=words.metric(one.metric), text=words.cell(one.estimate))
        verdict = words.text("common.named", name=words.range(one), text=words.status(one.status))
        console.print(Text(f"  {found_value}{words.text('common.semicolon')}{verdict}"))
    if found.winner:
        console.print(
            Text(f"numbluff check --config {folder / 'tuned.toml'} --baseline {folder / 'targets.toml'} --seed 7"),
            soft_wrap=True,
        )
