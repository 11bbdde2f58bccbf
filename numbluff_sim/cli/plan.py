"""`numbluff plan`: how many games a precision or a comparison needs, and how long that takes on this machine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from numbluff_sim.cli.shared.display import RunDisplay, echo_json
from numbluff_sim.cli.shared.options import (
    CONFIG_OPTION,
    WHOLE_NUMBER,
    game_option,
    gathered,
    json_option,
    keys_said,
    load_for_command,
    setting_option,
)
from numbluff_sim.cli.shared.playing import cluster_option, playing

if TYPE_CHECKING:
    from rich.console import Console

    from numbluff_sim.analysis.studies.plan.result import DetectionPlan, GamesPlan, Pilot

#: As `studies.plan.study.PILOT_GAMES`, which is not loaded for --help.
PILOT_GAMES = 2_000_000
#: Columns when the output is no terminal.
PLAIN_WIDTH = 150
#: A width that every table fits, to measure what it needs.
MEASURED_WIDTH = 1000


@dataclass(frozen=True)
class PlanOptions:
    """The options of the command."""

    game_name: str | None
    config_file: str | None
    preset: str | None
    settings: tuple[tuple[str, Any], ...]
    players: Any
    seed: Any
    threads: Any
    precisions: tuple[str, ...]
    detections: tuple[str, ...]
    pilot: int
    power: float
    alpha: float
    as_json: bool


@click.command()
@game_option
@CONFIG_OPTION
@click.option("--preset", metavar="NAME", help='Shipped preset or persona, "documented" by default.')
@setting_option
@click.option("--players", type=WHOLE_NUMBER, help="Number of players.")
@click.option("--seed", type=WHOLE_NUMBER, help="Seed of the pilot.")
@click.option("--threads", type=WHOLE_NUMBER, help="Threads; they count for the seconds alone.")
@click.option(
    "--until",
    "precisions",
    metavar="METRIC:WIDTH",
    multiple=True,
    help=(
        "A precision, as `numbluff simulate --until` takes it: frappe_parfaite:5% or seat_1_win_share:0.001; "
        "repeatable."
    ),
)
@click.option(
    "--detect",
    "detections",
    metavar="METRIC:DIFFERENCE",
    multiple=True,
    help=(
        "A difference that a comparison must find: frappe_parfaite:10% (of the value) or pot_after_mean:0.5; "
        "repeatable."
    ),
)
@click.option(
    "--pilot", type=click.IntRange(1000, 10**10), default=PILOT_GAMES, show_default=True, help="Games of the pilot."
)
@click.option(
    "--power",
    type=click.FloatRange(0.5, 1, max_open=True),
    default=0.9,
    show_default=True,
    help="Chance that --detect finds it.",
)
@click.option(
    "--alpha",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.05,
    show_default=True,
    help="Two-sided error chance of an interval or of a difference that is none.",
)
@cluster_option
@json_option
@gathered(PlanOptions)
def plan(options: PlanOptions) -> None:
    """How many games does a precision or a comparison need, and how long do they take on this machine?

    A pilot is played and timed. --set makes a variant: --until is planned for it, and --detect for comparing it with
    the configuration without --set on the same deals. Without --set, --detect is planned for two runs without common
    deals.

    \b
    Examples:
      numbluff plan --preset plays_to_win --until frappe_parfaite:5% --until seat_1_win_share:0.001
      numbluff plan --set table.hand_size=4 --detect frappe_parfaite:10% --detect pot_after_mean:0.5
    """
    if not options.precisions and not options.detections:
        raise click.UsageError("there is nothing to plan; expected --until METRIC:WIDTH or --detect METRIC:DIFFERENCE.")
    run, flags = keys_said(
        {
            "game": options.game_name,
            "table.players": options.players,
            "run.seed": options.seed,
            "run.threads": options.threads,
        }
    )
    config = load_for_command(options.config_file, options.preset, run, flags)
    variant = (
        load_for_command(options.config_file, options.preset, {**dict(options.settings), **run}, flags)
        if options.settings
        else None
    )

    from numbluff_sim.analysis.statistics.sequential import Precision
    from numbluff_sim.contract.registry import game
    from numbluff_sim.run.playing import where
    from numbluff_sim.studies.plan.study import plan as make_plan

    entry = game(config.game)
    known = [entry.metrics.known(one) for one in (config, variant or config)]
    both = known[0].keys() & known[1].keys()
    asked = [Precision.read(text, known[1], entry.events) for text in options.precisions]
    differences = [Precision.read(text, both, entry.events, "--detect") for text in options.detections]
    with playing(RunDisplay(config.players)) as how:
        made = make_plan(
            config,
            asked,
            differences,
            variant=variant,
            games=options.pilot,
            alpha=options.alpha,
            power=options.power,
            **how,
        )
    if options.as_json:
        echo_json(made.to_json())
    else:
        _print(made, where(config, how))


def _print(made: GamesPlan, where: str) -> None:
    from rich.console import Console

    console = Console()
    if not console.is_terminal:
        console = Console(width=PLAIN_WIDTH)
    names = ("Pilot",) if len(made.pilots) == 1 else ("Pilot", "Pilot of the variant")
    for name, pilot in zip(names, made.pilots, strict=True):
        console.print(f"{name}: {_of(pilot, where)}", highlight=False)
    if made.precisions:
        _print_rows(
            console,
            "Games for a precision",
            ("asked", "in the pilot", "fixed games", "time", "stops itself", "time"),
            [
                (
                    one.asked,
                    _number(one.measured.value),
                    _games(one.fixed_games, one.at_least),
                    _time(one.fixed_seconds),
                    _games(one.until_games, one.at_least),
                    _time(one.until_seconds),
                )
                for one in made.precisions
            ],
            [one.note for one in made.precisions],
            f"Half-widths of {100 * (1 - made.alpha):g} % intervals; a run that stops itself (simulate "
            "--until) pays for its looks with "
            "more games. Time of play alone.",
        )
    if made.detections:
        _print_rows(
            console,
            "Games of each configuration for a difference",
            ("asked", "in the pilot", "alone", "time", "in compare", "time"),
            [
                (
                    one.asked,
                    _number(one.measured.value),
                    _games(one.games),
                    _time(one.seconds),
                    _games(one.games_in_compare),
                    _time(one.seconds_in_compare),
                )
                for one in made.detections
            ],
            [_pairing(one) for one in made.detections],
            f"Found with chance {made.power:g} at alpha {made.alpha:g}, two-sided: as the only metric asked "
            "for, or in `numbluff compare`, "
            "where all metrics are held together (the first step of Holm's procedure). Time of play of both.",
        )


def _of(pilot: Pilot, where: str) -> str:
    config = pilot.config
    return (
        f"{pilot.games:,} games, {config.players} players, seed {config.run.seed}, in {pilot.seconds:.2g} s: "
        f"{pilot.games_per_second:,.0f} games a second on {where}."
    )


def _pairing(one: DetectionPlan) -> str:
    return one.note if one.saved is None else f"{one.note}: else {one.saved:.2f} times as many games"


def _print_rows(
    console: Console,
    title: str,
    heads: tuple[str, ...],
    rows: Sequence[tuple[str, ...]],
    notes: Sequence[str],
    caption: str,
) -> None:
    """A table, or a line a row where it does not fit the terminal; the notes of rows below."""
    from rich.measure import Measurement
    from rich.table import Table
    from rich.text import Text

    table = Table(title=title)
    for i, head in enumerate(heads):
        table.add_column(
            head, justify="right" if i else "left", no_wrap=True, min_width=max(len(row[i]) for row in (heads, *rows))
        )
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    if Measurement.get(console, console.options.update(width=MEASURED_WIDTH), table).minimum <= console.width:
        console.print(table)
    else:
        console.print(Text(f"{title}:"))
        for asked, value, *cells in rows:
            numbers = (
                f"{head} {games} ({seconds})"
                for head, games, seconds in zip(heads[2::2], cells[::2], cells[1::2], strict=True)
            )
            console.print(Text(f"  {asked}: {'; '.join((f'in the pilot {value}', *numbers))}"))
    for row, note in zip(rows, notes, strict=True):
        if note:
            console.print(Text(f"{row[0]}: {note}."))
    console.print(Text(caption, style="italic"))


def _number(value: float) -> str:
    return f"{value:.5g}"


def _games(games: int | None, at_least: bool = False) -> str:
    return "unknown" if games is None else f"{'over ' if at_least else ''}{games:,}"


def _time(seconds: float | None) -> str:
    """In the largest fitting unit."""
    if seconds is None:
        return "unknown"
    for size, unit in ((86400 * 365.25, "years"), (86400, "days"), (3600, "h"), (60, "min")):
        if seconds >= 2 * size:
            return f"{seconds / size:,.1f} {unit}"
    return f"{seconds:.1f} s" if seconds >= 0.1 else "under 0.1 s"
