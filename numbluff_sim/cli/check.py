"""`numbluff check`: a table of claims and verdicts, JSON and JUnit."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from numbluff_sim.cli.shared.display import StepsDisplay, echo_json
from numbluff_sim.cli.shared.options import (
    THREADS_OPTION,
    WHOLE_NUMBER,
    game_option,
    gathered,
    json_option,
    load_for_command,
    naming_overrides,
    of_game,
    setting_option,
)
from numbluff_sim.cli.shared.playing import cluster_option, playing

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from numbluff_sim.analysis.studies.check.claims import Verdict
    from numbluff_sim.analysis.studies.check.result import Checked
    from numbluff_sim.config import Config
    from numbluff_sim.run.progress import Progress

#: Columns of the table when the output is no terminal.
PLAIN_WIDTH = 160
#: Least width of the claims in the table, and a width in which the table's own least width is measured.
CLAIM_WIDTH, MEASURED_WIDTH = 30, 1000
STYLES = {"holds": "green", "differs": "red", "inconclusive": "yellow"}


@dataclass(frozen=True)
class CheckOptions:
    """The options of the command."""

    game_name: str | None
    config_file: str | None
    preset: str | None
    settings: tuple[tuple[str, Any], ...]
    baseline: str | None
    games: int | None
    seed: int | None
    look: int
    threads: int | None
    as_json: bool
    junit: str | None
    write_baseline: str | None
    list_metrics: bool


@click.command()
@game_option
@click.option(
    "--config",
    "config_file",
    metavar="FILE",
    help="Configuration file (TOML): what it says is laid over each claim's preset.",
)
@click.option(
    "--preset", metavar="NAME", help="Measure every claim with this preset or persona in the place of its own."
)
@setting_option
@click.option(
    "--baseline", metavar="FILE", help='Baseline: a TOML file, which says its game, or "documented" (default).'
)
@click.option("--games", type=WHOLE_NUMBER, help="Games of every configuration; the baseline's number by default.")
@click.option("--seed", type=WHOLE_NUMBER, help="Seed of all random numbers; the baseline's by default.")
@click.option(
    "--look",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="The how manyth look at these claims this is, with more games than the last one: later looks are stricter.",
)
@THREADS_OPTION
@cluster_option
@json_option
@click.option("--junit", metavar="FILE", help="Also write the verdicts as JUnit XML.")
@click.option(
    "--write-baseline",
    metavar="FILE",
    help="Judge nothing: write what is measured now, with margins, as a baseline to start from.",
)
@click.option("--list-metrics", is_flag=True, help="Print the metrics that a baseline may name, and end.")
@gathered(CheckOptions)
def check(options: CheckOptions) -> int:
    """Hold claims against a fresh run: each holds, differs or is inconclusive, all of them together with Holm's
    procedure.

    Exit codes: 0 every verdict as the baseline expects; 1 a verdict decided against it; 3 else, a verdict inconclusive;
    2 usage or configuration error.
    """
    run = {
        key: value
        for key, value in (("run.games", options.games), ("run.seed", options.seed), ("run.threads", options.threads))
        if value is not None
    }
    overrides = {**of_game(options.game_name), **dict(options.settings), **run}
    flags = {"game": "--game", **{key: f"--{key.removeprefix('run.')}" for key in run}}
    if options.list_metrics:
        _list_metrics(load_for_command(options.config_file, options.preset, overrides, flags), options.as_json)
        return 0
    from numbluff_sim.studies.check.written import refuse_unwritable, write_files, write_text

    for path in (options.junit, options.write_baseline):
        refuse_unwritable(path)
    from numbluff_sim.studies.check.study import baseline_text, run_check  # loads scipy

    if options.write_baseline is not None:
        with playing(CheckDisplay()) as how, naming_overrides(flags):
            text = baseline_text(config=options.config_file, preset=options.preset, overrides=overrides, **how)
        write_text(options.write_baseline, text)
        click.echo(f"Wrote {options.write_baseline}.", err=True)
        if options.as_json:
            click.echo(json.dumps({"baseline": options.write_baseline}))
        return 0
    with playing(CheckDisplay()) as how, naming_overrides(flags):
        checked = run_check(
            options.baseline,
            config=options.config_file,
            preset=options.preset,
            overrides=overrides,
            look=options.look,
            **how,
        )
    write_files(checked, options.junit)
    if options.as_json:
        echo_json(checked.to_json())
    else:
        _print_table(checked)
    return checked.exit_code


def _list_metrics(config: Config, as_json: bool) -> None:
    from numbluff_sim.contract.registry import game

    known = game(config.game).metrics.known(config)
    rows = [{"name": metric.name, "unit": metric.unit, "denominator": metric.denominator} for metric in known.values()]
    click.echo(
        json.dumps(rows, indent=2)
        if as_json
        else "\n".join(f"{row['name']:<50} {row['unit']}, of {row['denominator']}" for row in rows)
    )


class CheckDisplay(StepsDisplay):
    """Says of every configuration that it is being played."""

    def __init__(self) -> None:
        super().__init__(lines=False)
        self._said = -1

    def __call__(self, progress: Progress) -> None:
        """Show this state."""
        if progress.steps_done > self._said and progress.config is not None:
            self._said = progress.steps_done
            self.say(
                f"Playing {progress.config.run.games:,} games of {progress.what}, {progress.config.players} players "
                f"({progress.steps_done + 1} of {progress.steps}) ..."
            )
        super().__call__(progress)


def _print_table(checked: Checked) -> None:
    from rich.console import Console
    from rich.measure import Measurement
    from rich.text import Text

    from numbluff_sim.analysis.studies.check.words import notes_of

    console = Console()
    if not console.is_terminal:
        console = Console(width=PLAIN_WIDTH)
    title, table = f"{checked.origin}: {checked.games:,} games a configuration, seed {checked.seed}", _table(checked)
    console.print(Text(title, style="italic"))
    if Measurement.get(console, console.options.update(width=MEASURED_WIDTH), table).minimum <= console.width:
        console.print(table)
    else:
        for verdict in checked.verdicts:
            console.print(_block(verdict))
    for text in notes_of(checked):
        console.print(Text(text))


def _table(checked: Checked) -> Table:
    """A row a claim; only the claims' words wrap."""
    from rich.table import Table
    from rich.text import Text

    from numbluff_sim.analysis.studies.check.words import expected_of, margin_and_measured, name_of, said_by

    heads = ("margin", "measured", "interval", "n", "verdict", "expected")
    rows = [
        [
            *(text.replace(" to ", "\nto ") for text in margin_and_measured(verdict)),
            f"{verdict.estimate.n:,}\n{verdict.estimate.denominator}",
            str(verdict.status),
            expected_of(verdict),
        ]
        for verdict in checked.verdicts
    ]
    table = Table()
    table.add_column("claim", min_width=CLAIM_WIDTH)
    for head, *cells in zip(heads, *rows, strict=True):
        width = max(len(line) for cell in (head, *cells) for line in cell.splitlines())
        table.add_column(head, justify="right" if head in ("measured", "n") else "left", no_wrap=True, min_width=width)
    for verdict, row in zip(checked.verdicts, rows, strict=True):
        words = Text.assemble((name_of(verdict), "bold"), *((f"\n{text}", style) for text, style in said_by(verdict)))
        styles = (STYLES[verdict.status] if head == "verdict" else "" for head in heads)
        table.add_row(
            words, *(Text(cell, style=style) for cell, style in zip(row, styles, strict=True)), end_section=True
        )
    return table


def _block(verdict: Verdict) -> RenderableType:
    """A claim for terminals that are too narrow for the table."""
    from rich.console import Group
    from rich.padding import Padding
    from rich.text import Text

    from numbluff_sim.analysis.studies.check.words import expected_of, margin_and_measured, name_of, said_by

    margin, value, interval = margin_and_measured(verdict)
    head = Text.assemble(
        (name_of(verdict), "bold"),
        ": ",
        (str(verdict.status), STYLES[verdict.status]),
        f", expected {expected_of(verdict)}",
    )
    measured = (
        f"measured {value}, interval {interval}, n = {verdict.estimate.n:,} {verdict.estimate.denominator}; "
        f"margin: {margin}"
    )
    return Group(
        head,
        *(Padding(Text(text, style=style), (0, 0, 0, 2)) for text, style in (*said_by(verdict), (measured, ""))),
        "",
    )
