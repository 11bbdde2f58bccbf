"""`numbluff check`: a table of claims and verdicts, JSON and JUnit."""
from __future__ import annotations

import functools
import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from numbluff_sim.cli.options import json_option, load_for_command, setting_option
from numbluff_sim.errors import ConfigError

if TYPE_CHECKING:
    from numbluff_sim.analysis.claims import Verdict
    from numbluff_sim.check import Checked
    from numbluff_sim.config import Config

#: Columns of the table when the output is no terminal.
PLAIN_WIDTH = 160
STYLES = {"holds": "green", "differs": "red", "inconclusive": "yellow"}


@click.command()
@click.option("--config", "config_file", metavar="FILE", help="Configuration file (TOML): what it says is laid over each claim's preset.")
@click.option("--preset", metavar="NAME", help="Measure every claim with this preset or persona in the place of its own.")
@setting_option
@click.option("--baseline", metavar="FILE", help='Baseline: a TOML file, or "documented" (default).')
@click.option("--games", type=int, help="Games of every configuration; the baseline's number by default.")
@click.option("--seed", type=int, help="Seed of all random numbers; the baseline's by default.")
@click.option("--threads", type=int, help="Threads; the results do not depend on it.")
@json_option
@click.option("--junit", metavar="FILE", help="Also write the verdicts as JUnit XML.")
@click.option("--write-baseline", metavar="FILE", help="Judge nothing: write what is measured now, with margins, as a baseline to start from.")
@click.option("--list-metrics", is_flag=True, help="Print the metrics that a baseline may name, and end.")
def check(config_file: str | None, preset: str | None, settings: tuple[tuple[str, Any], ...], baseline: str | None, games: int | None,
          seed: int | None, threads: int | None, as_json: bool, junit: str | None, write_baseline: str | None, list_metrics: bool) -> int:
    """Hold claims against a fresh run: each holds, differs or is inconclusive, all of them together with Holm's procedure.

    Exit codes: 0 every verdict as the baseline expects; 1 a verdict decided against it; 3 else, a verdict inconclusive; 2 usage or
    configuration error.
    """
    run = {key: value for key, value in (("run.games", games), ("run.seed", seed), ("run.threads", threads)) if value is not None}
    overrides = {**dict(settings), **run}
    config = load_for_command(config_file, preset, overrides, {key: f"--{key.removeprefix('run.')}" for key in run})
    if list_metrics:
        _list_metrics(config, as_json)
        return 0
    for path in (junit, write_baseline):
        _refuse_unwritable(path)
    from numbluff_sim.check import baseline_text, run_check  # loads scipy

    if write_baseline is not None:
        text = baseline_text(config=config_file, preset=preset, overrides=overrides, announce=_announce)
        _write(write_baseline, text)
        click.echo(f"Wrote {write_baseline}.", err=True)
        if as_json:
            click.echo(json.dumps({"baseline": write_baseline}))
        return 0
    checked = run_check(baseline, config=config_file, preset=preset, overrides=overrides, announce=_announce)
    if junit is not None:
        _write(junit, checked.junit())
    if as_json:
        click.echo(json.dumps(checked.to_json(), indent=2, ensure_ascii=False))
    else:
        _print_table(checked)
    return checked.exit_code


def _list_metrics(config: Config, as_json: bool) -> None:
    from numbluff_sim.games.registry import game

    known = game(config.game).analysis("metrics").known_metrics(config)
    rows = [{"name": metric.name, "unit": metric.unit, "denominator": metric.denominator} for metric in known.values()]
    click.echo(json.dumps(rows, indent=2) if as_json else "\n".join(f"{row['name']:<50} {row['unit']}, of {row['denominator']}" for row in rows))


def _refuse_unwritable(path: str | None) -> None:
    """Before minutes of play, not after them."""
    if path is None:
        return
    if Path(path).is_dir():
        raise ConfigError("this is a folder", file=path, value=path, expected="the name of a file to write")
    if not Path(path).absolute().parent.is_dir():
        raise ConfigError("its folder does not exist", file=path, value=path, expected="a file in a folder that exists")


def _write(path: str, text: str) -> None:
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"cannot be written: {error.strerror}", file=path, value=path, expected="a file that may be written") from None


def _announce(number: int, of: int, name: str, config: Config) -> None:
    click.echo(f"Playing {config.run.games:,} games of {name}, {config.players} players ({number} of {of}) ...", err=True)


def _print_table(checked: Checked) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(soft_wrap=False)
    if not console.is_terminal:
        console = Console(width=PLAIN_WIDTH)
    table = Table(title=f"{checked.origin}: {checked.games:,} games a configuration, seed {checked.seed}", title_justify="left")
    for head in ("claim", "margin", "measured", "interval", "n", "verdict", "expected"):
        table.add_column(head, justify="right" if head in ("measured", "n") else "left", no_wrap=head != "claim")
    for verdict in checked.verdicts:
        claim, estimate = verdict.claim, verdict.estimate
        name = f"{claim.id}: {estimate.name}" if claim.order else claim.id
        words = Text.assemble((name, "bold"), f"\n{claim.text.en}", (f"\n{claim.source.en}" if claim.source.en else "", "dim"))
        cells = map(Text, _cells(verdict))
        table.add_row(words, *cells, Text(str(verdict.status), style=STYLES[verdict.status]), Text(_expected(verdict)), end_section=True)
    console.print(table)
    for text in _notes(checked):
        console.print(Text(text))


def _cells(verdict: Verdict) -> list[str]:
    estimate, margin = verdict.estimate, verdict.claim.range
    show = functools.partial(_shown, unit=estimate.unit)
    ends = f"{show(margin.low)}\nto {show(margin.high)}"
    if math.isinf(margin.high):
        ends = f"at least {show(margin.low)}"
    elif math.isinf(margin.low):
        ends = f"at most {show(margin.high)}"
    interval = f"{show(estimate.low)}\nto {show(estimate.high)}"
    return [ends, show(estimate.value), interval, f"{estimate.n:,}\n{estimate.denominator}"]


def _shown(value: float, *, unit: str) -> str:
    return f"{100 * value:.4g} %" if unit == "share" else f"{value:.5g} {unit}"


def _expected(verdict: Verdict) -> str:
    if verdict.as_expected:
        return verdict.claim.expected
    return f"{verdict.claim.expected} (!)" if verdict.against else f"{verdict.claim.expected} (?)"


def _notes(checked: Checked) -> list[str]:
    alpha = checked.baseline.check.family_alpha
    notes = [f"Intervals at the level that decides each claim; the chance that any verdict is wrong is {alpha:g} at most (Holm)."]
    for verdict in checked.verdicts:
        if verdict.against:
            notes.append(f"{verdict.claim.id}: {verdict.status}, but the baseline expects {verdict.claim.expected}.")
        elif verdict.games_to_settle is not None:
            notes.append(f"{verdict.claim.id}: inconclusive; about {verdict.games_to_settle:,} games would settle it.")
        elif not verdict.as_expected:
            notes.append(f"{verdict.claim.id}: inconclusive; the measured value is undefined or on an edge of the margin.")
    return notes
