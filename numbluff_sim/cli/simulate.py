"""`numbluff simulate`: plays many games into a folder, with a progress line and a table of event rates."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from numbluff_sim.cli.shared.display import Display, Shown, echo_json
from numbluff_sim.cli.shared.options import FOLDER_NAME, config_options, gathered, json_option
from numbluff_sim.cli.shared.playing import cluster_option, playing

if TYPE_CHECKING:
    from numbluff_sim.analysis.statistics.estimates import Estimate
    from numbluff_sim.config import Config
    from numbluff_sim.contract.game import Tally
    from numbluff_sim.run.progress import Progress
    from numbluff_sim.run.store import RunData

#: Seconds between two intervals shown.
INTERVAL_EVERY = 1.0
#: A width that every table fits, to measure what it needs.
MEASURED_WIDTH = 1000


@dataclass(frozen=True)
class SimulateOptions:
    """The options of the command, but for those of the configuration."""

    out: str | None
    precisions: tuple[str, ...]
    resume: bool
    replace: bool
    show_progress: bool
    as_json: bool


class RowsOption(click.Option):
    """Its help names the kinds of rows that games have, looked up when it is shown."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """The option and what it is for."""
        from numbluff_sim.contract.registry import game, shipped

        kinds = dict.fromkeys(grain.name for name in shipped() for grain in game(name).grains)
        self.help = f"Row tables to write: none (default), {', '.join(kinds)} (each brings those before it)."
        return super().get_help_record(ctx)


@click.command()
@config_options(extra={"rows": "run.rows"})
@click.option("--rows", metavar="TABLE", cls=RowsOption)
@click.option(
    "--out",
    type=FOLDER_NAME,
    help="Folder of the run; results/<game>-<name>-<players>p-s<seed> by default.",
)
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
@cluster_option
@json_option
@gathered(SimulateOptions)
@click.pass_context
def simulate(ctx: click.Context, config: Config, options: SimulateOptions) -> int:
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
    from numbluff_sim.run.runner import default_folder, run_simulation

    named = ctx.params["config_file"]
    folder = (
        Path(options.out)
        if options.out is not None
        else default_folder(config, Path(named).stem if named else ctx.params["preset"] or "documented")
    )
    command = shlex.join(["numbluff", *sys.argv[1:]])
    if options.precisions:
        from numbluff_sim.cli.shared.until import simulate_until_command

        limited = ctx.params["games"] is not None or "run.games" in dict(ctx.params["settings"])
        return simulate_until_command(config, folder, options, config.run.games if limited else None, command)
    with playing(SimulateDisplay(config, lines=options.show_progress)) as how:
        run = run_simulation(config, folder, resume=options.resume, replace=options.replace, command=command, **how)
    from numbluff_sim.analysis.metrics.measured import looked_at
    from numbluff_sim.analysis.statistics.estimates import ALPHA

    rates = event_rates(run)
    if options.as_json:
        echo_json(summary(run, rates))
    else:
        looks = looked_at(run.meta)
        kind = "intervals" if looks < 2 else f"sequential intervals (look {looks} at this run; they hold for all looks)"
        print_table(run, rates, f"{100 * (1 - ALPHA):g} % {kind}")
    return 0


def event_rates(run: RunData) -> dict[str, Estimate]:
    """How often every event happened with its 95 % interval, errors clustered by game; sequential where the run was
    looked at before.
    """
    from numbluff_sim.analysis.metrics.measured import paid_for
    from numbluff_sim.contract.registry import game

    return {event: rate.at() for event, rate in paid_for(game(run.config.game).event_rates(run), run.meta).items()}


class SimulateDisplay(Display):
    """Shows the games done, the rate in what the game consists of, and the present interval of the rarest event."""

    def __init__(self, config: Config, *, bar: bool | None = None, lines: bool) -> None:
        super().__init__(config.players, bar=bar, lines=lines)
        self.config = config
        self._each, self._unit, self._more, self._looked_at = 0.0, "rounds", "", -INTERVAL_EVERY

    def shown(self, progress: Progress) -> Shown:
        """Such as: 1,000 of 4,000 games; 11.5 M rounds/s; about 3 seconds left; miroir_parfait 0.0012-0.0034 %."""
        if progress.games_done > 0 and time.monotonic() - self._looked_at >= INTERVAL_EVERY:
            self._look_into(progress.tally)
        return Shown(
            progress.games_done,
            progress.games,
            f"{progress.games_done:,} of {progress.games:,} games",
            f"{progress.games_per_second * self._each / 1e6:.1f} M {self._unit}/s",
            progress.seconds_left,
            self._more,
            short=f"{progress.games_done}/{progress.games}",
        )

    def _look_into(self, tally: Tally | None) -> None:
        """At most once a second: what was really played, for a game need not have all rounds that it can have."""
        from numbluff_sim.contract.registry import game

        if tally is not None:
            self._looked_at = time.monotonic()
            played = game(self.config.game).played(tally)
            self._each, self._unit = played.count / max(int(tally["games"]), 1), played.unit
            self._more = self.worked_out(tally)

    def worked_out(self, tally: Tally) -> str:
        """What is told of a tally: the interval of the rarest event."""
        from numbluff_sim.contract.registry import game
        from numbluff_sim.run.store import RunData

        rates = game(self.config.game).event_rates(RunData(self.config, tally, {}))
        return next((_worded(event, rate.at()) for event, rate in rates.items()), "")


def _worded(event: str, rate: Estimate) -> str:
    return f"{event} {100 * rate.low:.4f}-{100 * rate.high:.4f} %"


def summary(run: RunData, rates: Mapping[str, Estimate]) -> dict[str, object]:
    """What --json prints: where the run is, what it is, every event's rate."""
    about = ("game", "players", "seed", "rows", "games", "games_done", "state", "identity")
    return {
        "folder": str(run.folder),
        **{key: run.meta[key] for key in about},
        "seating": {name: list(seats) for name, seats in run.config.seating.items()},
        "personas": [share.to_json() for share in ways_of_playing(run)],
        "events": [rate.to_json() for rate in rates.values()],
    }


def ways_of_playing(run: RunData) -> list[Estimate]:
    """What one player of each way of playing gets a game, with 95 % intervals, where seats play differently; of a run
    that was looked at before, with sequential ones.
    """
    from numbluff_sim.analysis.metrics.measured import paid_for
    from numbluff_sim.analysis.metrics.personas import PREFIX
    from numbluff_sim.contract.registry import game

    metrics = game(run.config.game).metrics
    names = {name for name in metrics.known(run.config) if name.startswith(PREFIX)}
    return [one.at() for one in paid_for(metrics.shown(run, names), run.meta).values()] if names else []


def seat_lines(run: RunData) -> list[str]:
    """Who sits where, and what one player of each way of playing gets a game."""
    from numbluff_sim.analysis.report.wording import seating_line

    lines = [seating_line([run.config.seating])] if run.config.seating else []
    for one in ways_of_playing(run):
        scale, unit = (100, "%") if one.unit == "share" else (1, one.unit)
        value, low, high = (f"{scale * number:.4g}" for number in (one.value, one.low, one.high))
        lines.append(f"  {one.name} = {value} {unit} ({low} to {high}), by player and game")
    return lines


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
    if seated := seat_lines(run):
        console.print(Text("\n".join(seated)))
    click.echo(f"Run in {run.folder}")


def _every(rate: Estimate) -> str:
    return f"{1 / rate.value:,.1f}" if rate.value else f"over {1 / rate.high:,.0f}"
