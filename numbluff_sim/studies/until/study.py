"""Runs that stop themselves: played until the metrics named are as precise as asked.

A run looks at itself at fixed numbers of games (`analysis.statistics.sequential.looks`), whatever the threads and the
clock, and stops at the first look at which every confidence sequence is narrow enough. So its length follows from
configuration, seed and rule alone, and its interval covers the truth as often as stated although the data said when to
stop.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numbluff_sim.analysis.statistics.estimates import ALPHA, Estimate, Estimator
from numbluff_sim.analysis.statistics.sequential import BEST_AT, FIRST_LOOK, Precision, games_until, looks, sequential
from numbluff_sim.analysis.studies.check.baselines import MeasuredRun
from numbluff_sim.config import Config
from numbluff_sim.contract.game import Tally
from numbluff_sim.contract.registry import game
from numbluff_sim.errors import RunError
from numbluff_sim.run import provenance, store
from numbluff_sim.run.checkpoint import differences
from numbluff_sim.run.files import disk_errors
from numbluff_sim.run.folder import locked
from numbluff_sim.run.runner import ProgressCallback, RunInterrupted, plan, run_simulation
from numbluff_sim.run.store import RunData
from numbluff_sim.run.workers import LANES, Ledger, run_threads

#: The most games of a run that stops itself, when nobody says otherwise.
MOST_GAMES = 10**9
#: The entry of run.json about the rule.
NOTE = "until"


@dataclass(frozen=True)
class Rule:
    """When to stop: every precision reached, each with its own 1 - alpha sequence. `first`: games at the first look;
    `best_at`: see `tuning`.
    """

    precisions: tuple[Precision, ...]
    alpha: float = ALPHA
    first: int = FIRST_LOOK
    best_at: float = BEST_AT

    @classmethod
    def read(cls, texts: Sequence[str], config: Config, alpha: float = ALPHA) -> Rule:
        """The rule of --until options. Raises ConfigError."""
        entry = game(config.game)
        known = entry.metrics.known(config)
        return cls(tuple(dict.fromkeys(Precision.read(text, known, entry.events) for text in texts)), alpha)

    @property
    def metrics(self) -> list[str]:
        """The metrics that are looked at."""
        return list(dict.fromkeys(precision.metric for precision in self.precisions))

    def looks(self, config: Config, most: int) -> list[int]:
        """The numbers of games at which a run may stop."""
        return list(looks(most, LANES * config.run.detail_every, self.first))

    def measured(self, games: int, estimators: Mapping[str, Estimator]) -> tuple[Measured, ...]:
        """The metrics looked at after so many games."""
        found = [estimators[precision.metric] for precision in self.precisions]
        return tuple(
            Measured(precision, sequential(estimator, games, self.alpha, self.best_at), games, estimator.family)
            for precision, estimator in zip(self.precisions, found, strict=True)
        )

    def to_json(self) -> dict[str, Any]:
        """JSON-able."""
        return {
            "precisions": [str(precision) for precision in self.precisions],
            "alpha": self.alpha,
            "method": "confidence sequence",
            "boundary_tightest_at_games": self.best_at,
        }


@dataclass(frozen=True)
class Measured:
    """A precision that was asked for, and what there is: the estimate with its sequential interval and how wide that
    is.
    """

    precision: Precision
    estimate: Estimate
    games: int
    family: int

    @property
    def width(self) -> float:
        """The wider half of the interval, as the precision is stated."""
        return self.precision.width(self.estimate)

    @property
    def reached(self) -> bool:
        """Whether the precision is reached."""
        return self.precision.reached(self.estimate)

    @property
    def games_needed(self) -> float:
        """Games at which it is likely to be reached, by the square-root law; infinite for a metric never seen."""
        return games_until(self.games, self.width, self.precision.half_width, 1 - self.estimate.level, self.family)

    def to_json(self) -> dict[str, Any]:
        """JSON-able."""
        return {
            "asked": str(self.precision),
            "half_width": self.precision.half_width,
            "relative": self.precision.relative,
            "reached": self.reached,
            **self.estimate.to_json(),
        }


@dataclass(frozen=True)
class Stopped:
    """How a run ended: games played, whether all precisions are reached, what was measured, the looks up to there."""

    games: int
    measured: tuple[Measured, ...]
    looks: tuple[int, ...]

    @property
    def reached(self) -> bool:
        """Whether the run stopped because it was precise enough."""
        return all(one.reached for one in self.measured)

    def to_json(self) -> dict[str, Any]:
        """JSON-able."""
        return {
            "reached": self.reached,
            "games": self.games,
            "looks": list(self.looks),
            "measured": [one.to_json() for one in self.measured],
        }


def measure(config: Config, tally: Tally, rule: Rule) -> tuple[Measured, ...]:
    """What a rule looks at, after the games in `tally`."""
    found: dict[str, Estimator] = game(config.game).metrics.estimators(MeasuredRun(config, tally), rule.metrics)
    return rule.measured(int(tally["games"]), found)


def play_until(schedule: Sequence[int], look: Callable[[int], tuple[Measured, ...]], after: int = 0) -> Stopped:
    """Let `look` play on to every number of games of the schedule in turn (from `after` on) and measure; stop at the
    first that is precise enough.

    A run that is past the end of the schedule is looked at there all the same.
    """
    for games in [games for games in schedule if games >= after] or schedule[-1:]:
        stopped = Stopped(games, look(games), tuple(earlier for earlier in schedule if earlier <= games))
        if stopped.reached:
            break
    return stopped


def simulate_tally_until(config: Config, rule: Rule, most: int = MOST_GAMES) -> tuple[Tally, Stopped]:
    """As `run.runner.simulate_tally`, in memory, for a run that stops itself."""
    engine = game(config.game).engine(config)
    tally: Tally = engine.new_tally()

    def look(games: int) -> tuple[Measured, ...]:
        run_threads(engine, Ledger(plan(config, "none", games), int(tally["games"]), tally), lambda: None, lambda: None)
        return measure(config, tally, rule)

    return tally, play_until(rule.looks(config, most), look)


def simulate_until(
    config: Config,
    out: str | os.PathLike[str],
    rule: Rule,
    most: int = MOST_GAMES,
    *,
    resume: bool = False,
    replace: bool = False,
    progress: ProgressCallback | None = None,
    command: str = "",
) -> tuple[RunData, Stopped]:
    """As `run.runner.run_simulation`, for a run that stops itself: `games` of its run.json and its configuration are
    those where it stopped.

    run.json keeps the rule, the looks and the outcome. A run killed or interrupted continues with the same looks
    (`resume`); one that was finished before goes on from there with a rule that asks for more. Raises RunError and
    RunInterrupted.
    """
    path = Path(out)
    run: RunData | None = None

    def look(games: int) -> tuple[Measured, ...]:
        nonlocal run
        first = run is None
        run = run_simulation(
            with_games(config, games),
            path,
            resume=resume or not first,
            replace=replace and first,
            progress=progress,
            command=command,
            notes={NOTE: {**rule.to_json(), "reached": False}},
        )
        return measure(run.config, run.tally, rule)

    try:
        stopped = play_until(rule.looks(config, most), look, _games_there(path, config) if resume else 0)
    except KeyboardInterrupt as interrupted:
        done = (
            interrupted.games_done
            if isinstance(interrupted, RunInterrupted)
            else 0
            if run is None
            else int(run.meta["games_done"])
        )
        raise RunInterrupted(path, done, most) from None
    assert run is not None
    meta = {**run.meta, NOTE: {**rule.to_json(), **stopped.to_json()}}
    with locked(path, store.RUN), disk_errors(path):
        store.write_meta(path, meta)
    return RunData(run.config, run.tally, meta, path), stopped


def with_games(config: Config, games: int) -> Config:
    """The same configuration with another number of games."""
    return config.model_copy(update={"run": config.run.model_copy(update={"games": games})})


def _games_there(path: Path, config: Config) -> int:
    """The games that a run in the folder is to have, or 0 where there is none that can be continued."""
    try:
        before = store.read_meta(path)
    except RunError:
        return 0
    return 0 if differences(before, config, provenance.identity(config, game(config.game))) else int(before["games"])
