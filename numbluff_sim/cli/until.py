"""`numbluff simulate --until`: a run that stops itself, with its progress towards the precision asked for and a
table of what it reached.
"""

from __future__ import annotations

import json
import math
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from numbluff_sim.cli.simulate import INTERVAL_EVERY, LINE_EVERY, Reporter, print_table, rate_text, summary

if TYPE_CHECKING:
    from numbluff_sim.analysis.statistics.estimates import Estimate
    from numbluff_sim.config import Config
    from numbluff_sim.run.runner import Progress
    from numbluff_sim.run.store import RunData
    from numbluff_sim.studies.until.study import Measured, Rule, Stopped

NOT_REACHED = 3


def simulate_until_command(
    config: Config,
    folder: Path,
    precisions: tuple[str, ...],
    most: int | None,
    *,
    resume: bool,
    replace: bool,
    lines: bool,
    as_json: bool,
    command: str,
) -> int:
    """Play until every precision is reached, or `most` games; the exit code."""
    from numbluff_sim.studies.until.study import MOST_GAMES, Rule, simulate_until

    rule = Rule.read(precisions, config)
    limit = MOST_GAMES if most is None else most
    with UntilReporter(config, rule, limit, bar=sys.stderr.isatty(), lines=lines) as reporter:
        run, stopped = simulate_until(
            config, folder, rule, limit, resume=resume, replace=replace, progress=reporter, command=command
        )
    rates = sequential_rates(run, rule)
    if as_json:
        click.echo(json.dumps({**summary(run, rates), "until": run.meta["until"]}, indent=2, ensure_ascii=False))
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


def _worded(one: Measured) -> str:
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
    from numbluff_sim.analysis.statistics.verdicts import rounded_up

    open_ones = [one for one in stopped.measured if not one.reached]
    needed = max(one.games_needed for one in open_ones)
    advice = (
        f"about {rounded_up(needed):,} games would do"
        if math.isfinite(needed)
        else "a metric that was never seen does not stop a run"
    )
    return (
        f"Played the {stopped.games:,} games allowed without reaching "
        f"{', '.join(str(one.precision) for one in open_ones)}; {advice}. "
        "Continue with --resume and a larger --games."
    )


class UntilReporter(Reporter):
    """Shows the games played, the precision reached against that asked (of the metric farthest from it) and the time
    left by the square-root law.
    """

    def __init__(self, config: Config, rule: Rule, most: int, *, bar: bool, lines: bool) -> None:
        super().__init__(config, bar=bar, lines=lines)
        self._rule, self._most = rule, most
        self._text, self._expected, self._worked_out_at = "", float(most), -INTERVAL_EVERY

    def __call__(self, progress: Progress) -> None:
        """Show this state."""
        if self.bar is not None:
            self._work_out(progress)
            self.bar.update(
                self.bar.task_ids[0],
                completed=progress.games_done,
                total=max(self._expected, progress.games_done),
                rate=rate_text(self.config, progress),
                rarest=self._text,
            )
        elif self.lines and time.monotonic() - self.line_at >= LINE_EVERY:
            self.line_at = time.monotonic()
            self._work_out(progress)
            left = (
                (self._expected - progress.games_done) / progress.games_per_second
                if progress.games_per_second
                else math.inf
            )
            shown = f"about {max(left, 0):.0f} s left" if math.isfinite(left) else "starting"
            parts = (f"{progress.games_done:,} games", rate_text(self.config, progress), shown, self._text)
            click.echo("; ".join(part for part in parts if part), err=True)

    def _work_out(self, progress: Progress) -> None:
        """At most once a second: the metric farthest from its precision, and the games at which the run will
        probably stop.
        """
        if progress.games_done == 0 or time.monotonic() - self._worked_out_at < INTERVAL_EVERY:
            return
        from numbluff_sim.studies.until.study import measure

        self._worked_out_at = time.monotonic()
        measured = measure(self.config, progress.tally, self._rule)
        worst = max(measured, key=lambda one: one.width / one.precision.half_width)
        self._expected = min(max(one.games_needed for one in measured), self._most)
        precision = worst.precision
        self._text = (
            f"{precision.metric} within {precision.shown(worst.width)}, asked {precision.shown(precision.half_width)}"
        )
