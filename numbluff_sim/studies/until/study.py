"""Runs that stop themselves: played until the metrics named are as precise as asked.

A run looks at itself at fixed numbers of games (`analysis.statistics.sequential.looks`), whatever the threads and the
clock, and stops at the first look at which every confidence sequence is narrow enough. So its length follows from
configuration, seed and rule alone, and its interval covers the truth as often as stated although the data said when to
stop.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Unpack

from numbluff_sim.analysis.metrics.measured import MeasuredRun
from numbluff_sim.analysis.statistics.estimates import Estimator
from numbluff_sim.analysis.statistics.sequential import looks
from numbluff_sim.analysis.studies.until.result import PrecisionSoFar, Rule, Stopped
from numbluff_sim.config import Config
from numbluff_sim.contract.game import Tally
from numbluff_sim.contract.registry import game
from numbluff_sim.errors import RunError
from numbluff_sim.run import provenance, store
from numbluff_sim.run.checkpoint import differences
from numbluff_sim.run.files import disk_errors
from numbluff_sim.run.folder import locked
from numbluff_sim.run.ledger import Ledger, Slot
from numbluff_sim.run.playing import How, play
from numbluff_sim.run.runner import run_simulation
from numbluff_sim.run.spans import LANES, zeros
from numbluff_sim.run.stop import Interrupted
from numbluff_sim.run.store import RunData

#: The most games of a run that stops itself, when nobody says otherwise.
MOST_GAMES = 10**9
#: The entry of run.json about the rule.
NOTE = "until"


def schedule_of(rule: Rule, config: Config, most: int) -> list[int]:
    """The numbers of games at which a run may stop."""
    return list(looks(most, LANES * config.run.detail_every, rule.first))


def measure(config: Config, tally: Tally, rule: Rule) -> tuple[PrecisionSoFar, ...]:
    """What a rule looks at, after the games in `tally`."""
    found: dict[str, Estimator] = game(config.game).metrics.estimators(MeasuredRun(config, tally), rule.metrics)
    return rule.measured(int(tally["games"]), found)


def play_until(schedule: Sequence[int], look: Callable[[int], tuple[PrecisionSoFar, ...]], after: int = 0) -> Stopped:
    """Let `look` play on to every number of games of the schedule in turn (from `after` on) and measure; stop at the
    first that is precise enough.

    A run that is past the end of the schedule is looked at there all the same.
    """
    for games in [games for games in schedule if games >= after] or schedule[-1:]:
        stopped = Stopped(games, look(games), tuple(earlier for earlier in schedule if earlier <= games))
        if stopped.reached:
            break
    return stopped


def simulate_tally_until(
    config: Config, rule: Rule, most: int = MOST_GAMES, **how: Unpack[How]
) -> tuple[Tally, Stopped]:
    """As `run.playing.simulate_tally`, in memory, for a run that stops itself. Raises Interrupted."""
    tally = zeros(config)

    def look(games: int) -> tuple[PrecisionSoFar, ...]:
        play(Ledger(config, [Slot(0, games, tally, int(tally["games"]))]), **how)
        return measure(config, tally, rule)

    return tally, play_until(schedule_of(rule, config, most), look)


def simulate_until(
    config: Config,
    out: str | os.PathLike[str],
    rule: Rule,
    most: int = MOST_GAMES,
    *,
    resume: bool = False,
    replace: bool = False,
    command: str = "",
    **how: Unpack[How],
) -> tuple[RunData, Stopped]:
    """As `run.runner.run_simulation`, for a run that stops itself: `games` of its run.json and its configuration are
    those where it stopped.

    run.json keeps the rule, the looks and the outcome. A run killed or interrupted continues with the same looks
    (`resume`); one that was finished before goes on from there with a rule that asks for more. Raises RunError and
    Interrupted.
    """
    path = Path(out)
    run: RunData | None = None

    def look(games: int) -> tuple[PrecisionSoFar, ...]:
        nonlocal run
        first = run is None
        run = run_simulation(
            with_games(config, games),
            path,
            resume=resume or not first,
            replace=replace and first,
            command=command,
            notes={NOTE: {**rule.to_json(), "reached": False}},
            **how,
        )
        return measure(run.config, run.tally, rule)

    try:
        stopped = play_until(schedule_of(rule, config, most), look, _games_there(path, config) if resume else 0)
    except KeyboardInterrupt as interrupted:
        before = 0 if run is None else int(run.meta["games_done"])
        done = interrupted.done if isinstance(interrupted, Interrupted) else None
        reason = interrupted.reason if isinstance(interrupted, Interrupted) else ""
        raise Interrupted(before if done is None else done, most, folder=path, reason=reason) from None
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
