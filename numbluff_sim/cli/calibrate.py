"""`numbluff calibrate`: which combinations of rulings and ways of playing reproduce given rates."""

from __future__ import annotations

import shlex
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from numbluff_sim.cli.shared.display import Display, echo_json
from numbluff_sim.cli.shared.options import (
    FOLDER_NAME,
    THREADS_OPTION,
    WHOLE_NUMBER,
    TableOptions,
    csv_option,
    game_option,
    gathered,
    json_option,
    lang_option,
    naming_overrides,
    results_folder,
    setting_option,
)
from numbluff_sim.cli.shared.playing import cluster_option, playing

if TYPE_CHECKING:
    from numbluff_sim.analysis.studies.calibrate.result import Calibration
    from numbluff_sim.config import Config
    from numbluff_sim.studies.calibrate.asked import Task

#: Games of every combination that is listed, and of every context in which rulings are screened, unless told otherwise.
GAMES, SCREEN_GAMES = 4_000_000, 2**17
PLAIN_WIDTH = 160


@dataclass(frozen=True)
class CalibrateOptions(TableOptions):
    """The options of the command."""

    rates: str | None
    personas: str | None
    rulings: str | None
    config_file: str | None
    settings: tuple[tuple[str, Any], ...]
    screen_games: int
    alpha: float
    seed: Any


@click.command()
@game_option
@click.option(
    "--rates",
    metavar="FILE",
    help='The rates to reproduce: a baseline, of which all claims with a margin of two ends count; "documented" '
    "by default.",
)
@click.option(
    "--personas",
    metavar="NAME,...",
    help="Ways of playing; all shipped ones and those of the configuration file by default.",
)
@click.option(
    "--rulings",
    metavar="NAME,...",
    help="Rulings to vary; all by default, the others stay as the configuration has them.",
)
@click.option(
    "--config",
    "config_file",
    metavar="FILE",
    help="Configuration file (TOML): deck, table, rules, and ways of playing of your own.",
)
@setting_option
@click.option("--players", type=WHOLE_NUMBER, help="Number of players.")
@click.option(
    "--games",
    type=WHOLE_NUMBER,
    default=GAMES,
    show_default=True,
    help="Games of every combination that is left in the end.",
)
@click.option(
    "--screen-games",
    type=click.IntRange(2048, 10**9),
    default=SCREEN_GAMES,
    show_default=True,
    help="Games of every context in which a ruling is changed.",
)
@click.option(
    "--alpha",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.05,
    show_default=True,
    help="Chance that any combination is ruled out, or listed as agreeing, wrongly.",
)
@click.option("--seed", type=WHOLE_NUMBER, help="Seed of all random numbers.")
@THREADS_OPTION
@lang_option()
@csv_option
@click.option(
    "--out",
    type=FOLDER_NAME,
    help="Folder; results/calibrate-<configuration> by default. The same command continues there.",
)
@click.option("--replace", is_flag=True, help="Start over where the folder holds another calibration.")
@cluster_option
@json_option
@gathered(CalibrateOptions)
def calibrate(options: CalibrateOptions) -> int:
    """Which combinations of rulings and ways of playing reproduce given rates?

    All combinations of all answers to all rulings, for every way of playing (all seats alike). Listed are those whose
    rates all lie inside their margins, with intervals that hold for all at once, and those that are open; and what to
    measure to tell them apart. The documented rates take about two minutes on two cores. Interrupted, the same command
    continues.

    \b
    Examples:
      numbluff calibrate
      numbluff calibrate --rates my_rates.toml --personas documented,nearest --config my_deck.toml
    """
    task, name = _task(options)
    from numbluff_sim.studies.calibrate.study import calibrate as run
    from numbluff_sim.studies.calibrate.written import write_files

    folder = options.folder(results_folder("calibrate", task.base.game, name))
    with playing(Display(task.base.players)) as how:
        found = run(task, folder, replace=options.replace, **how)
    page = write_files(found, task.base, folder, options.lang, shlex.join(["numbluff", *sys.argv[1:]]))
    if options.as_json:
        echo_json({"folder": str(folder), **found.to_json()})
    else:
        print_calibration(found, task.base, options.lang)
        click.echo(page)
    return 0


def _task(options: CalibrateOptions) -> tuple[Task, str]:
    """What is asked, checked before anything is played, and what the configuration is called. Raises ConfigError."""
    from numbluff_sim.config.loading import DEFAULT_PRESET
    from numbluff_sim.config.origin import Origin
    from numbluff_sim.studies.calibrate.asked import read_task

    run, flags = options.keys()
    file = options.config_file
    origin = Origin(file, None if file else DEFAULT_PRESET, {**dict(options.settings), **run})
    with naming_overrides(flags):
        task = read_task(
            origin,
            rates=options.rates,
            ways=_names(options.personas),
            rulings=_names(options.rulings),
            screen_games=options.screen_games,
            alpha=options.alpha,
        )
    return task, origin.name


def _names(text: str | None) -> list[str] | None:
    """The names of a list with commas."""
    names = [name.strip() for name in (text or "").split(",") if name.strip()]
    return names or None


def print_calibration(found: Calibration, base: Config, language: str) -> None:
    """What is left, or comes nearest, with its rates; what the rates decide; what to measure next."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from numbluff_sim.analysis.studies.calibrate.figures import shown_cells
    from numbluff_sim.analysis.studies.calibrate.findings import findings
    from numbluff_sim.analysis.studies.calibrate.words import CalibrationWords

    words = CalibrationWords.of(found, base.game, language)
    console = Console(width=None if sys.stdout.isatty() else PLAIN_WIDTH)
    shown = shown_cells(words)
    table = Table()
    for head in ("cell", "stands_for"):
        table.add_column(words.text(f"left.head_{head}"), justify="right" if head == "stands_for" else "left")
    for claim in found.rates.claims:
        table.add_column(words.rate(claim))
    table.add_column(words.text("left.head_status"))
    for one in shown:
        settle = (
            words.text("terminal.settle", games=words.numbers.integer(one.games_to_settle))
            if one.games_to_settle
            else ""
        )
        table.add_row(
            words.case(one.cell),
            words.combinations(one.cell.stands_for),
            *map(words.cell, one.estimates),
            words.status(one) + (f"\n({settle})" if settle else ""),
        )
    console.print(table)
    for finding in findings(words):
        console.print(Text.assemble((finding.title, "bold"), ". ", finding.text))
    if found.rates.left_out:
        console.print(Text(words.text("terminal.left_out", claims=", ".join(found.rates.left_out))))
