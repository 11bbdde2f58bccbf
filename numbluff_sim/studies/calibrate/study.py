"""`numbluff calibrate` as a function: every combination of rulings and ways of playing against given rates, resumable.

First every ruling alone and with every other one, to see which act on the rates at all (screening); then all
combinations of those that act, a few games first, more for those that are left (race); then those that are left with
all games, as ordinary runs; last what tells these apart.
"""

from __future__ import annotations

import dataclasses
import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numbluff_sim.analysis.statistics.estimates import Estimator
from numbluff_sim.analysis.studies.calibrate.result import Calibration, Completions, Levels
from numbluff_sim.analysis.studies.calibrate.space import (
    Assignment,
    Cell,
    Flip,
    GivenRates,
    Power,
    Rated,
    Replicated,
    Screen,
    Space,
    cells,
    rated,
    screen,
)
from numbluff_sim.analysis.studies.calibrate.telling_apart import Silent, loudest, tell_apart
from numbluff_sim.analysis.studies.check.baselines import MeasuredRun
from numbluff_sim.config import Config
from numbluff_sim.contract.game import Engine, Tally
from numbluff_sim.contract.registry import game
from numbluff_sim.errors import ConfigError
from numbluff_sim.run.runner import run_simulation
from numbluff_sim.run.workers import LANES, add
from numbluff_sim.studies.calibrate.personas import Personas
from numbluff_sim.studies.calibrate.state import RUNS, State

#: Groups of games of which the errors of paired differences are made.
SCREEN_GROUPS = 16
#: Games of the first stage of the race, and how many times as many each later one has.
FIRST_STAGE, STAGE_FACTOR = 4096, 4
#: Random answers to the rulings that do not act, tried on every cell that is listed.
COMPLETIONS = 20
#: Random combinations of every way of playing that are played themselves and held against their cell, and their games.
AUDITED, AUDIT_GAMES = 40, 2**14
#: Smallest chance of error that may be asked for: it is divided by all that is decided, and quantiles end far below.
LEAST_ALPHA = 1e-9
#: Games in one call into the engine.
CALL_GAMES = 2**17
SCREENING, RACING, MEASURING, CHECKING, AUDITING, TELLING = (
    "screening",
    "racing",
    "measuring",
    "checking",
    "auditing",
    "telling",
)
#: Told what is being done, how much of it is done, and of how much.
Report = Callable[[str, int, int], None]
#: How far the slight rulings may move each rate, (R,), by way of playing.
Slack = dict[str, NDArray[np.float64]]


@dataclass(frozen=True)
class Task:
    """What is asked. `games`: of every combination that is listed; `screen_games`: in every context of the
    screening. ConfigError: a tiny alpha.
    """

    space: Space
    personas: Personas
    rates: GivenRates
    games: int
    screen_games: int
    alpha: float

    def __post_init__(self) -> None:
        if not LEAST_ALPHA <= self.alpha < 1:
            raise ConfigError(
                f"alpha = {self.alpha:g} is too small: no number of games makes such intervals narrow",
                file="--alpha",
                key="alpha",
                value=self.alpha,
                expected=f"from {LEAST_ALPHA:g} up to below 1",
            )

    @property
    def base(self) -> Config:
        """The configuration of the first way of playing: rules, deck, table, seed and threads are those of all."""
        return next(iter(self.personas.configs.values()))

    @property
    def stages(self) -> tuple[int, ...]:
        """Games of every stage of the race."""
        found, games = [], FIRST_STAGE
        while games < self.games:
            found.append(games)
            games *= STAGE_FACTOR
        return tuple(found)

    def identity(self) -> dict[str, Any]:
        """All that decides the outcome."""
        return {
            "configurations": dict(self.personas.configs),
            "rulings": {
                name: list(answers) for name, answers in zip(self.space.names, self.space.answers, strict=True)
            },
            "rates": [
                [claim.id, list(claim.metrics), claim.range.low, claim.range.high] for claim in self.rates.claims
            ],
            "games": self.games,
            "screen_games": self.screen_games,
            "alpha": self.alpha,
        }

    def config(self, persona: str, assignment: Assignment) -> Config:
        """One combination. Registered answers need no checking again."""
        config: Any = self.personas.configs[persona]
        rules = config.rules.model_copy(update=self.space.rules(assignment))
        changed: Config = config.model_copy(update={"rules": rules})
        return changed


def calibrate(
    task: Task, out: str | os.PathLike[str], *, replace: bool = False, report: Report | None = None
) -> Calibration:
    """Find out which combinations agree with the given rates; what was played is kept in `out`, and the same task
    continues there.

    `replace` starts over where `out` holds another calibration. The outcome does not depend on threads or on
    interruptions. Raises RunError, and Interrupted (a KeyboardInterrupt) after saving.
    """
    folder = Path(out)
    with State.held(folder, task.identity(), task.base, replace=replace) as state:
        tell: Report = report or (lambda what, done, of: None)
        screens = _screens(task, state, tell)
        all_cells, slack = _cells(task, screens)
        raced = _race(task, state, all_cells, slack, tell)
        left = [cell for cell in all_cells if cell.key not in raced]
        levels = Levels(task.alpha, len(all_cells), len(task.rates.claims), task.stages, len(left))
        tallies = _measure(task, left, folder, tell)
        measured = {key: _metrics(config, tally) for key, (config, tally) in tallies.items()}
        last = {
            cell.key: rated(cell, task.games, task.rates, measured[cell.key], slack[cell.persona], levels.last)
            for cell in left
        }
        listed = [one.cell for one in last.values() if one.status != "ruled_out"]
        found = Calibration(
            task.space,
            task.rates,
            tuple(task.personas.configs),
            task.personas.same,
            screens,
            tuple({**raced, **last}[cell.key] for cell in all_cells),
            levels,
            task.games,
            task.base.run.seed,
            task.base.players,
            _completions(task, state, listed, screens, slack, tell),
            _audits(task, state, screens, slack, tell),
            tell_apart([], task.alpha),
            {},
        )
        order = [one.cell for one in found.listed]
        apart = tell_apart([measured[cell.key] for cell in order], task.alpha)
        return dataclasses.replace(found, apart=apart, silent=_silent(task, state, order, found, tell))


def _screens(task: Task, state: State, tell: Report) -> dict[str, Screen]:
    """What every ruling can do, by way of playing."""
    contexts = task.space.contexts()
    total, found = len(contexts) * len(task.personas.configs), {}
    for number, persona in enumerate(task.personas.configs):
        if persona not in state.screens:
            state.screens[persona] = _screen(
                task, state, persona, contexts, _after(tell, SCREENING, number * len(contexts), total)
            )
            state.forget("contexts", persona)
        found[persona] = Screen.from_json(state.screens[persona])
        tell(SCREENING, (number + 1) * len(contexts), total)
    return found


def _screen(
    task: Task, state: State, persona: str, contexts: Sequence[tuple[Flip, ...]], tell: Callable[[int], None]
) -> dict[str, Any]:
    def play(context: tuple[Flip, ...]) -> list[list[float]]:
        rows: list[list[float]] = _replicated(
            task.config(persona, task.space.changed(context)), task.rates, task.screen_games
        ).tolist()
        return rows

    played = state.each(("contexts", persona), {str(i): context for i, context in enumerate(contexts)}, play, tell)
    replicated = {context: np.array(played[str(i)], np.float64) for i, context in enumerate(contexts)}
    return screen(persona, task.space, replicated, task.screen_games, task.alpha).to_json()


def _after(tell: Report, what: str, before: int, of: int) -> Callable[[int], None]:
    """Tells of work that comes after other work of the same kind."""
    return lambda done: tell(what, before + done, of)


def _cells(task: Task, screens: Mapping[str, Screen]) -> tuple[list[Cell], Slack]:
    halves, rates = task.rates.halves, len(task.rates.claims)
    powers = {persona: found.powers(task.space, halves) for persona, found in screens.items()}
    slack = {persona: found.slack(powers[persona], rates) for persona, found in screens.items()}
    return [cell for persona in screens for cell in cells(persona, task.space, powers[persona])], slack


def _race(task: Task, state: State, all_cells: Sequence[Cell], slack: Slack, tell: Report) -> dict[str, Rated]:
    """The cells that a stage of the race rules out, by key."""
    levels = Levels(task.alpha, len(all_cells), len(task.rates.claims), task.stages, 0)
    out: dict[str, Rated] = {}
    alive = {cell.key: cell for cell in all_cells}
    for stage in task.stages:
        found = _stage(task, state, stage, alive, slack, levels.race, _after(tell, f"{RACING} {stage}", 0, len(alive)))
        out |= {key: one for key, one in found.items() if one.status == "ruled_out"}
        alive = {key: cell for key, cell in alive.items() if key not in out}
    return out


def _stage(
    task: Task,
    state: State,
    games: int,
    alive: Mapping[str, Cell],
    slack: Slack,
    alpha: float,
    tell: Callable[[int], None],
) -> dict[str, Rated]:
    def play(cell: Cell) -> dict[str, Any]:
        config = task.config(cell.persona, cell.assignment)
        measured = _metrics(config, _tally(config, games), task.rates.metrics)
        return rated(cell, games, task.rates, measured, slack[cell.persona], alpha).to_json()

    played = state.each(("race", str(games)), alive, play, tell)
    return {key: Rated.from_json(cell, played[key]) for key, cell in alive.items()}


def _measure(task: Task, left: Sequence[Cell], folder: Path, tell: Report) -> dict[str, tuple[Config, Tally]]:
    """The cells left, each an ordinary run in a folder of its own."""
    found: dict[str, tuple[Config, Tally]] = {}
    for number, cell in enumerate(left):
        config = task.config(cell.persona, cell.assignment)
        config = config.model_copy(update={"run": config.run.model_copy(update={"games": task.games, "rows": "none"})})
        tell(MEASURING, number, len(left))
        run = run_simulation(config, folder / RUNS / config.digest(), resume=True)
        found[cell.key] = config, run.tally
    tell(MEASURING, len(left), len(left))
    return found


def _completions(
    task: Task, state: State, listed: Sequence[Cell], screens: Mapping[str, Screen], slack: Slack, tell: Report
) -> dict[str, Completions]:
    """Random answers to the rulings that do not act, on the same deals: they must not move the rates of a listed
    cell.
    """

    def play(cell: Cell) -> dict[str, Any]:
        acting = [power is Power.ACTS for power in screens[cell.persona].powers(task.space, task.rates.halves)]
        base = _replicated(task.config(cell.persona, cell.assignment), task.rates, task.screen_games)
        others = [
            _replicated(task.config(cell.persona, assignment), task.rates, task.screen_games)
            for assignment in completed(task.space, cell, acting, task.base.run.seed)
        ]
        moved = [[_moved(float(other[0, i]), float(base[0, i])) for i in range(base.shape[1])] for other in others]
        return Completions.of(np.array(moved).reshape(len(others), base.shape[1]), slack[cell.persona]).to_json()

    played = state.each(
        ("completions", "all"),
        {cell.key: cell for cell in listed},
        play,
        lambda done: tell(CHECKING, done, len(listed)),
    )
    return {cell.key: Completions.from_json(played[cell.key]) for cell in listed}


def _audits(
    task: Task, state: State, screens: Mapping[str, Screen], slack: Slack, tell: Report
) -> dict[str, Completions]:
    """Random combinations held against their cells: what the screening overlooked, a ruling that acts with several
    others alone, shows here.
    """

    def play(persona: str) -> dict[str, Any]:
        acting = [power is Power.ACTS for power in screens[persona].powers(task.space, task.rates.halves)]
        random = np.random.default_rng([task.base.run.seed, *persona.encode()])
        pairs = []
        for _ in range(AUDITED):
            whole = tuple(int(random.integers(len(answers))) for answers in task.space.answers)
            pairs.append((whole, tuple(k if acts else 0 for k, acts in zip(whole, acting, strict=True))))
        moved = np.array(
            [
                [_moved(*values) for values in zip(*(_values(task, persona, one) for one in pair), strict=True)]
                for pair in pairs
            ]
        )
        return Completions.of(moved, slack[persona]).to_json()

    played = state.each(
        ("audits", "all"),
        {persona: persona for persona in screens},
        play,
        lambda done: tell(AUDITING, done, len(screens)),
    )
    return {persona: Completions.from_json(played[persona]) for persona in screens}


def _values(task: Task, persona: str, assignment: Assignment) -> list[float]:
    config = task.config(persona, assignment)
    return [part.value for part in task.rates.parts(_metrics(config, _tally(config, AUDIT_GAMES), task.rates.metrics))]


def _moved(first: float, second: float) -> float:
    """The distance of two values, both perhaps infinite or undefined."""
    if first == second or (math.isnan(first) and math.isnan(second)):
        return 0.0
    return abs(first - second) if math.isfinite(first - second) else math.inf


def completed(space: Space, cell: Cell, acting: Sequence[bool], seed: int) -> list[Assignment]:
    """COMPLETIONS different random answers to the rulings that do not act, laid over a cell; all of them where there
    are no more.
    """
    free = [i for i, acts in enumerate(acting) if not acts]
    most = min(COMPLETIONS, cell.stands_for - 1)
    random = np.random.default_rng([seed, *cell.assignment])
    found: dict[Assignment, None] = {}
    while len(found) < most:
        answers = list(cell.assignment)
        for i in free:
            answers[i] = int(random.integers(len(space.answers[i])))
        if tuple(answers) != cell.assignment:
            found[tuple(answers)] = None
    return list(found)


def _silent(
    task: Task, state: State, order: Sequence[Cell], found: Calibration, tell: Report
) -> dict[str, tuple[Silent, ...]]:
    """What changes of the rulings that do not act do to other metrics, on the first listed cell of every way of
    playing.
    """
    first = {cell.persona: cell for cell in reversed(order)}
    flips = {persona: _free_flips(task.space, found.powers(persona)) for persona in found.personas if persona in first}
    total, done, result = sum(map(len, flips.values())), 0, {}
    for persona, its_flips in flips.items():
        result[persona] = _silent_of(task, state, first[persona], its_flips, _after(tell, TELLING, done, total))
        done += len(its_flips)
    return result


def _silent_of(
    task: Task, state: State, cell: Cell, flips: Sequence[Flip], tell: Callable[[int], None]
) -> tuple[Silent, ...]:
    def played(changes: Sequence[Flip]) -> Mapping[str, Estimator]:
        answers = dict(changes)
        config = task.config(cell.persona, tuple(answers.get(i, k) for i, k in enumerate(cell.assignment)))
        return _metrics(config, _tally(config, task.screen_games))

    before, *after = state.each_in_memory([(), *((flip,) for flip in flips)], played, tell)
    names = [(task.space.names[i], task.space.answers[i][k]) for i, k in flips]
    return tuple(loudest(*name, before, one, task.alpha / len(flips)) for name, one in zip(names, after, strict=True))


def _free_flips(space: Space, powers: Sequence[Power]) -> list[Flip]:
    return [flip for flip in space.flips() if powers[flip[0]] is not Power.ACTS]


def _metrics(config: Config, tally: Mapping[str, Any], only: Sequence[str] | None = None) -> Mapping[str, Estimator]:
    found: Mapping[str, Estimator] = game(config.game).metrics.estimators(MeasuredRun(config, tally), only)
    return found


def _tally(config: Config, games: int) -> Tally:
    """The tally of the first games, in this thread."""
    engine: Engine = game(config.game).engine(config)
    tally = engine.new_tally()
    for first in range(0, games, CALL_GAMES):
        engine.play(first, min(CALL_GAMES, games - first), tally)
    return tally


def _replicated(config: Config, rates: GivenRates, games: int) -> Replicated:
    """The rates of all games, and without each group of games: (1 + G, R)."""
    engine: Engine = game(config.game).engine(config)
    groups = []
    for first, after in pairwise(_edges(games)):
        tally = engine.new_tally()
        engine.play(first, after - first, tally)
        groups.append(tally)
    total = engine.new_tally()
    for tally in groups:
        add(total, tally)
    parts = [total, *({name: cells - tally[name] for name, cells in total.items()} for tally in groups)]
    return np.array(
        [[part.value for part in rates.parts(_metrics(config, tally, rates.metrics))] for tally in parts], np.float64
    )


def _edges(games: int) -> list[int]:
    """Ends of the groups: whole blocks of lanes, as equal as they can be."""
    blocks = max(games // LANES, 1)
    count = min(SCREEN_GROUPS, blocks)
    return [blocks * g // count * LANES for g in range(count)] + [games]
