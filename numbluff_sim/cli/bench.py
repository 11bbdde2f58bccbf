"""`numbluff bench`: measures defined workloads on this machine and holds them against their targets."""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from numbluff_sim.cli.shared.options import json_option

if TYPE_CHECKING:
    from rich.table import Table

    from numbluff_sim.bench.measuring import BenchProgress, BenchResult

INTERRUPTED = 130


@click.command()
@click.option("--game", "game_name", default="num_bluff", show_default=True, help="The game's name.")
@click.option(
    "--workload",
    "names",
    metavar="NAME",
    multiple=True,
    help="Measure only this one; repeatable. A wrong name gets the list of all.",
)
@click.option("--runs", type=click.IntRange(1), help="Samples of every workload (7; whole commands at most 3).")
@click.option(
    "--quick",
    is_flag=True,
    help="Fewer, shorter samples; the whole command plays 10^8 rounds instead of 10^9 and is not judged.",
)
@json_option
def bench(game_name: str, names: tuple[str, ...], runs: int | None, quick: bool, as_json: bool) -> int:
    """Measure rounds per second, start-up and memory on this machine.

    Runs are interleaved with those they are compared with; medians are shown, ratios are taken pair by pair. The
    yardstick is the same game in plain C, compiled here. Takes about ten minutes, with --quick three; Ctrl-C shows what
    was measured until then.
    """
    from dataclasses import replace

    from numbluff_sim.bench import machine
    from numbluff_sim.bench.lab import Lab, Sizes
    from numbluff_sim.bench.measuring import measure
    from numbluff_sim.bench.suite import chosen, suite
    from numbluff_sim.contract.registry import game

    sizes = Sizes.quick() if quick else Sizes()
    if runs is not None:
        sizes = replace(sizes, runs=runs, command_runs=min(runs, sizes.command_runs))
    entry = game(game_name)
    workloads = chosen(suite(sizes, entry), names)
    results: list[BenchResult] = []
    interrupted = False
    with tempfile.TemporaryDirectory(prefix="numbluff-bench-") as folder:
        lab = Lab(entry, sizes, Path(folder))
        facts = machine.describe(lab.compiler)
        try:
            measure(workloads, lab, results, BenchReporter())
        except KeyboardInterrupt:
            interrupted = True
    if as_json:
        found = [result.to_json() for result in results]
        click.echo(
            json.dumps({"machine": facts, "quick": quick, "interrupted": interrupted, "results": found}, indent=2)
        )
    else:
        _print(results, facts)
    if interrupted:
        click.echo("Interrupted: this was measured until then.", err=True)
    return INTERRUPTED if interrupted else 0


class BenchReporter:
    """Says on stderr what is measured and how long it lasts: one line that changes on a terminal, else a line a
    workload.
    """

    def __init__(self) -> None:
        self._live = sys.stderr.isatty()
        self._shown = ""

    def __call__(self, progress: BenchProgress) -> None:
        """Show this state."""
        line = (
            f"[{progress.number}/{progress.workloads}] {progress.name}, about {duration(progress.seconds_left)} "
            "left for all"
        )
        if self._live:
            click.echo(f"\r\x1b[K{line}, sample {progress.samples + 1}", nl=False, err=True)
        elif self._shown != progress.name:
            click.echo(f"{time.strftime('%H:%M:%S')} {line}", err=True)
        self._shown = progress.name


def duration(seconds: float) -> str:
    """Seconds in words, roughly."""
    return f"{seconds / 60:.0f} min" if seconds >= 90 else f"{max(seconds, 1):.0f} s"


def figure(value: float) -> str:
    """Three significant digits, no exponents below a million."""
    return f"{value:.0f}" if 100 <= abs(value) < 1e6 else f"{value:.3g}" if abs(value) >= 1e6 else f"{value:#.3g}"


def _print(results: list[BenchResult], facts: dict[str, Any]) -> None:
    from rich.console import Console

    if sys.stderr.isatty():
        click.echo("\r\x1b[K", nl=False, err=True)
    console = Console(width=None if sys.stdout.isatty() else 160)
    console.print(_table(results))
    click.echo(machine_line(facts))


def _table(results: list[BenchResult]) -> Table:
    from rich.table import Table

    table = Table(
        title="numbluff bench", caption="Medians; ratios pair by pair of interleaved runs. Of the rulings, the dearest."
    )
    for head, right in (
        ("workload", False),
        ("target", False),
        ("measured", True),
        ("min-max", True),
        ("", False),
        ("what", False),
    ):
        table.add_column(head, justify="right" if right else "left", overflow="fold")
    colours = {"met": "green", "missed": "red"}
    for result in results:
        workload, values = result.workload, result.values
        measured = f"{figure(result.value)} {workload.unit}" if values else "-"
        spread = f"{figure(min(values))} - {figure(max(values))}" if len(values) > 1 else ""
        behind = "; ".join(f"{name} {figure(value)}" for name, value in result.parts.items())
        about = ". ".join(
            text
            for text in (workload.about, f"Worst: {result.label}" if result.label else "", behind, result.note)
            if text
        )
        colour = colours.get(result.verdict, "yellow")
        table.add_row(
            workload.name,
            f"{workload.target} {workload.unit}",
            measured,
            spread,
            f"[{colour}]{result.verdict}[/]",
            about,
        )
    return table


def machine_line(facts: dict[str, Any]) -> str:
    """The machine in one line."""
    packages = ", ".join(f"{name} {version}" for name, version in facts["versions"].items())
    return (
        f"{facts['cpu']}, {facts['cores']} cores, load {facts['load']} at the start, {facts['system']}; {packages}; "
        f"{facts['compiler'] or 'no C compiler found: the yardstick was left out'}"
    )
