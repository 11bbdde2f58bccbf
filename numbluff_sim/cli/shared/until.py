"""`numbluff simulate --until`: a run that stops itself, with its progress towards the precision asked for and a
table of what it reached.
"""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from numbluff_sim.cli.shared.display import Shown, echo_json
from numbluff_sim.cli.shared.playing import playing
from numbluff_sim.cli.simulate import SimulateDisplay, print_table, summary

if TYPE_CHECKING:
    from numbluff_sim.analysis.statistics.estimates import Estimate
    from numbluff_sim.analysis.studies.until.result import PrecisionSoFar, Rule, Stopped
    from numbluff_sim.cli.simulate import SimulateOptions
    from numbluff_sim.config import Config
    from numbluff_sim.contract.game import Tally
    from numbluff_sim.run.progress import Progress
    from numbluff_sim.run.store import RunData

NOT_REACHED = 3


def simulate_until_command(
    config: Config, folder: Path, options: SimulateOptions, most: int | None, command: str
) -> int:
    """Play until every precision is reached, or `most` games; the exit code."""
    from numbluff_sim.analysis.studies.until.result import Rule
    from numbluff_sim.studies.until.study import MOST_GAMES, simulate_until

    rule = Rule.read(options.precisions, config)
    limit = MOST_GAMES if most is None else most
    with playing(UntilDisplay(config, rule, limit, lines=options.show_progress)) as how:
        run, stopped = simulate_until(
            config, folder, rule, limit, resume=options.resume, replace=options.replace, command=command, **how
        )
    rates = sequential_rates(run, rule)
    if options.as_json:
        echo_json({**summary(run, rates), "until": run.meta["until"]})
    else:
        for text in reached_lines(stopped):
            click.echo(text)
        print_table(
            run,
            rates,
            f"{100 * (1 - rule.alpha):g} % intervals of a confidence sequence (valid although the run stopped itself)",
        )
    if not stopped.reached:
        click.echo(_too_few(stopped), err=True)
    return 0 if stopped.reached else NOT_REACHED


def sequential_rates(run: RunData, rule: Rule) -> dict[str, Estimate]:
    """Every event per round with its interval of the confidence sequence."""
    from numbluff_sim.analysis.statistics.sequential import sequential
    from numbluff_sim.contract.registry import game

    entry, games = game(run.config.game), int(run.tally["games"])
    found = entry.metrics.estimators(run, set(entry.events.values()))
    return {event: sequential(found[metric], games, rule.alpha, rule.best_at) for event, metric in entry.events.items()}


def reached_lines(stopped: Stopped) -> list[str]:
    """What was asked for and what there is, a line each."""
    head = (
        f"Stopped itself after {stopped.games:,} games"
        if stopped.reached
        else f"Not precise enough after {stopped.games:,} games"
    )
    return [f"{head} (look {len(stopped.looks)}):", *(f"  {_worded(one)}" for one in stopped.measured)]


def _worded(one: PrecisionSoFar) -> str:
    estimate = one.estimate
    return (
        f"{estimate.name} = {_shown(estimate.value)}, {100 * estimate.level:g} % sequential interval "
        f"{_shown(estimate.low)} to "
        f"{_shown(estimate.high)} ({estimate.unit}; n = {estimate.n:,} {estimate.denominator}): half-width "
        f"{one.precision.shown(one.width)}, "
        f"asked {one.precision.shown(one.precision.half_width)}"
    )


def _shown(value: float) -> str:
    return f"{value:.5g}" if math.isfinite(value) else "unknown"


def _too_few(stopped: Stopped) -> str:
    from numbluff_sim.analysis.statistics.sequential import FIRST_LOOK
    from numbluff_sim.analysis.statistics.verdicts import rounded_up

    open_ones = [one for one in stopped.measured if not one.reached]
    needed = max(one.games_needed for one in open_ones)
    advice = (
        f"fewer than {FIRST_LOOK:,} games do not say how many would do"
        if stopped.games < FIRST_LOOK
        else f"about {rounded_up(needed):,} games would do"
        if math.isfinite(needed)
        else "a metric that was never seen does not stop a run"
    )
    return (
        f"Played the {stopped.games:,} games allowed without reaching "
        f"{', '.join(str(one.precision) for one in open_ones)}; {advice}. "
        "Continue with --resume and a larger --games."
    )


class UntilDisplay(SimulateDisplay):
    """Shows the games played, the precision reached against that asked (of the metric farthest from it) and the time
    left by the square-root law.
    """

    def __init__(self, config: Config, rule: Rule, most: int, *, bar: bool | None = None, lines: bool) -> None:
        super().__init__(config, bar=bar, lines=lines)
        self._rule, self._most, self._expected = rule, most, float(most)

    def shown(self, progress: Progress) -> Shown:
        """Such as: 50,000 games; 0.6 M rounds/s; about 8 seconds left; frappe_parfaite within 2.1 %, asked 1 %."""
        found = super().shown(progress)
        total, rate = max(self._expected, progress.games_done), progress.games_per_second
        left = (total - progress.games_done) / rate if rate else math.inf
        short = f"{progress.games_done}/{total:.0f}"
        return replace(found, total=total, left=left, what=f"{progress.games_done:,} games", short=short)

    def worked_out(self, tally: Tally) -> str:
        """The metric farthest from its precision; and the games at which the run will probably stop."""
        from numbluff_sim.studies.until.study import measure

        measured = measure(self.config, tally, self._rule)
        worst = max(measured, key=lambda one: one.width / one.precision.half_width)
        self._expected = min(max(one.games_needed for one in measured), self._most)
        asked = worst.precision
        return f"{asked.metric} within {asked.shown(worst.width)}, asked {asked.shown(asked.half_width)}"
