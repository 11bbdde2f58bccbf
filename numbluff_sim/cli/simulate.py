"""`numbluff simulate`: plays many games into a folder, with a progress line and a table of event rates."""

from __future__ import annotations

import json
import shlex
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Self

import click

from numbluff_sim.cli.compiling import CompilingNotice
from numbluff_sim.cli.options import config_options, json_option

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from numbluff_sim.analysis.statistics.estimates import Estimate
    from numbluff_sim.config import Config
    from numbluff_sim.run.runner import Progress
    from numbluff_sim.run.store import RunData

INTERRUPTED = 130
#: Seconds between two lines of progress, and between two intervals shown.
LINE_EVERY, INTERVAL_EVERY = 5.0, 1.0
#: A width that every table fits, to measure what it needs.
MEASURED_WIDTH = 1000


@click.command()
@config_options(extra={"rows": "run.rows"})
@click.option("--rows", metavar="TABLE", help="Row tables to write: none (default), games, or rounds (both).")
@click.option("--out", metavar="DIR", help="Folder of the run; results/<game>-<name>-<players>p-s<seed> by default.")
@click.option(
    "--until",
    "precisions",
    metavar="METRIC:WIDTH",
    multiple=True,
    help="Stop when this metric is so precise: half-width of its interval, relative (frappe_parfaite:5%) or in "
    "its unit "
    "(seat_1_win_share:0.001); repeatable. --games is then the most that may be played, 1,000,000,000 by default.",
)
@click.option(
    "--resume", is_flag=True, help="Continue the run in the folder: killed, interrupted, or finished with fewer games."
)
@click.option(
    "--replace", is_flag=True, help="Remove a run that is in the way; with --resume, only one that cannot be continued."
)
@click.option("--progress", "show_progress", is_flag=True, help="Progress lines on stderr although it is no terminal.")
@json_option
@click.pass_context
def simulate(
    ctx: click.Context,
    config: Config,
    out: str | None,
    precisions: tuple[str, ...],
    resume: bool,
    replace: bool,
    show_progress: bool,
    as_json: bool,
) -> int:
    """Play many games and write the outcome tables: run.json, tally.parquet, and rows as asked.

    A run killed at any moment continues with --resume and ends with the same bytes. The results depend on
    configuration, seed and number of games alone.

    With --until the run stops itself, and its intervals pay for that (a confidence sequence); the exit code is 3 when
    --games came first.

    \b
    Examples:
      numbluff simulate --preset plays_to_win --players 5 --games 10000000
      numbluff simulate --preset plays_to_win --until frappe_parfaite:5% --until seat_1_win_share:0.001
    """
    from numbluff_sim.run.runner import RunInterrupted, default_folder, run_simulation

    named = ctx.params["config_file"]
    folder = (
        Path(out)
        if out is not None
        else default_folder(config, Path(named).stem if named else ctx.params["preset"] or "documented")
    )
    command = shlex.join(["numbluff", *sys.argv[1:]])
    try:
        if precisions:
            from numbluff_sim.cli.until import simulate_until_command

            limited = ctx.params["games"] is not None or "run.games" in dict(ctx.params["settings"])
            return simulate_until_command(
                config,
                folder,
                precisions,
                config.run.games if limited else None,
                resume=resume,
                replace=replace,
                lines=show_progress,
                as_json=as_json,
                command=command,
            )
        reporter = Reporter(config, bar=sys.stderr.isatty(), lines=show_progress)
        with reporter:
            run = run_simulation(config, folder, resume=resume, replace=replace, progress=reporter, command=command)
    except RunInterrupted as interrupted:
        click.echo(f"Interrupted{str(interrupted).removeprefix('interrupted')}", err=True)
        return INTERRUPTED
    from numbluff_sim.analysis.statistics.estimates import ALPHA

    rates = event_rates(run)
    if as_json:
        click.echo(json.dumps(summary(run, rates), indent=2, ensure_ascii=False))
    else:
        print_table(run, rates, f"{100 * (1 - ALPHA):g} % intervals")
    return 0


def event_rates(run: RunData) -> dict[str, Estimate]:
    """How often every event happened with its 95 % interval, errors clustered by game."""
    from numbluff_sim.contract.registry import game

    return {event: rate.at() for event, rate in game(run.config.game).event_rates(run).items()}


class Reporter:
    """Shows how far a run is: a bar on a terminal, lines every few seconds when asked for, else only that kernels
    are compiled.
    """

    def __init__(self, config: Config, *, bar: bool, lines: bool) -> None:
        self.config, self.lines = config, lines and not bar
        self.bar: Bar | None = _new_bar() if bar else None
        self._compiling = CompilingNotice(config.players)
        self._rarest, self._rarest_at, self.line_at = "", -INTERVAL_EVERY, time.monotonic()

    def __enter__(self) -> Self:
        self._compiling.__enter__()
        if self.bar is not None:
            self.bar.start()
            self.bar.add_task("", total=self.config.run.games, rate="", rarest="")
        return self

    def __exit__(self, *_: object) -> None:
        self._compiling.__exit__()
        if self.bar is not None:
            self.bar.stop()

    def __call__(self, progress: Progress) -> None:
        """Show this state."""
        if self.bar is not None:
            self.bar.update(
                self.bar.task_ids[0],
                completed=progress.games_done,
                rate=rate_text(self.config, progress),
                rarest=self._interval(progress),
            )
        elif self.lines and time.monotonic() - self.line_at >= LINE_EVERY:
            self.line_at = time.monotonic()
            left = f"{progress.seconds_left:.0f} s left" if progress.games_per_second else "starting"
            parts = (
                f"{progress.games_done:,} of {progress.games:,} games",
                rate_text(self.config, progress),
                left,
                self._interval(progress),
            )
            click.echo("; ".join(part for part in parts if part), err=True)

    def _interval(self, progress: Progress) -> str:
        """The present interval of the rarest event, worked out at most once a second."""
        if progress.games_done > 0 and time.monotonic() - self._rarest_at >= INTERVAL_EVERY:
            from numbluff_sim.contract.registry import game
            from numbluff_sim.run.store import RunData

            self._rarest_at = time.monotonic()
            rates = game(self.config.game).event_rates(RunData(self.config, progress.tally, {}))
            self._rarest = next((_worded(event, rate.at()) for event, rate in rates.items()), "")
        return self._rarest


def _new_bar() -> Bar:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    return Progress(
        BarColumn(None),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(compact=True),
        TextColumn("{task.fields[rarest]}"),
        console=Console(stderr=True),
        transient=True,
    )


def rate_text(config: Config, progress: Progress) -> str:
    """Speed as a reader sees it: rounds that were really played, for a game need not have all that it can have."""
    from numbluff_sim.contract.registry import game

    played = game(config.game).played(progress.tally)
    each = played.count / max(progress.games_done, 1)
    return f"{progress.games_per_second * each / 1e6:.1f} M {played.unit}/s"


def _worded(event: str, rate: Estimate) -> str:
    return f"{event} {100 * rate.low:.4f}-{100 * rate.high:.4f} %"


def summary(run: RunData, rates: Mapping[str, Estimate]) -> dict[str, object]:
    """What --json prints: where the run is, what it is, every event's rate."""
    about = ("game", "players", "seed", "rows", "games", "games_done", "state", "identity")
    return {
        "folder": str(run.folder),
        **{key: run.meta[key] for key in about},
        "events": [rate.to_json() for rate in rates.values()],
    }


def print_table(run: RunData, rates: Mapping[str, Estimate], intervals: str) -> None:
    """The rates as a table, or as a line an event where the table does not fit the terminal; `intervals`: what they
    are called.
    """
    from rich.console import Console
    from rich.measure import Measurement
    from rich.table import Table
    from rich.text import Text

    title = (
        f"{run.meta['game']}, {run.meta['players']} players, {run.meta['games_done']:,} games, seed {run.meta['seed']}"
    )
    counted = next(iter(rates.values()))
    caption = (
        f"Percent of {counted.denominator} with {intervals}, errors clustered by game; n = {counted.n:,.0f} "
        f"{counted.denominator}."
    )
    table = Table(title=title, caption=caption)
    for head, justify in (
        ("event", "left"),
        ("%", "right"),
        ("from", "right"),
        ("to", "right"),
        ("one round in", "right"),
    ):
        table.add_column(head, justify=justify)  # type: ignore[arg-type]
    rows = [
        (event, *(f"{100 * share:.4f}" for share in (rate.value, rate.low, rate.high)), _every(rate))
        for event, rate in rates.items()
    ]
    for row in rows:
        table.add_row(*row)
    console = Console()
    if Measurement.get(console, console.options.update(width=MEASURED_WIDTH), table).minimum <= console.width:
        console.print(table)
    else:
        lines = (
            f"{event}: {value} %, {low} to {high}; one round in {every}" for event, value, low, high, every in rows
        )
        console.print(Text("\n".join((title, *lines, caption))))
    click.echo(f"Run in {run.folder}")


def _every(rate: Estimate) -> str:
    return f"{1 / rate.value:,.1f}" if rate.value else f"over {1 / rate.high:,.0f}"
