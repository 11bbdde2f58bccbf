"""`numbluff calibrate` as a function: every combination of rulings and ways of playing against given rates, resumable.

First every ruling alone and with every other one, to see which act on the rates at all (screening); then all
combinations of those that act, a few games first, more for those that are left (race); then those that are left with
all games, as ordinary runs; last what tells these apart.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from numbluff_sim.analysis.statistics.estimates import Estimator
from numbluff_sim.analysis.studies.calibrate.cells import Cell, Rated, cells, rated
from numbluff_sim.analysis.studies.calibrate.result import Calibration, Completions, Levels
from numbluff_sim.analysis.studies.calibrate.screening import Power, Screen, screen
from numbluff_sim.analysis.studies.calibrate.space import Assignment, Flip, Space
from numbluff_sim.analysis.studies.calibrate.telling_apart import Silent, loudest, tell_apart
from numbluff_sim.config import Config
from numbluff_sim.contract.game import Tally
from numbluff_sim.encoding import from_json
from numbluff_sim.run.playing import How, play_each
from numbluff_sim.run.progress import Steps
from numbluff_sim.run.runner import run_simulation
from numbluff_sim.run.spans import Outcome, Piece
from numbluff_sim.run.stop import resumable
from numbluff_sim.studies.calibrate.asked import Task
from numbluff_sim.studies.calibrate.jobs import Stage, metrics_of, moved, replicated, values
from numbluff_sim.studies.calibrate.state import RUNS, State

#: Random answers to the rulings that do not act, tried on every cell that is listed.
COMPLETIONS = 20
#: Random combinations of every way of playing that are played themselves and held against their cell, and their games.
AUDITED, AUDIT_GAMES = 40, 2**14
SCREENING, RACING, MEASURING, CHECKING, AUDITING, TELLING = (
    "screening",
    "racing",
    "measuring",
    "checking",
    "auditing",
    "telling",
)
#: How far the slight rulings may move each rate, (R,), by way of playing.
Slack = dict[str, NDArray[np.float64]]


@dataclass(frozen=True)
class Work:
    """What is played with: what was found out so far, how far it is, and how games are played."""

    state: State
    steps: Steps
    how: How

    def begin(self, what: str, done: int, of: int, config: Config | None = None) -> None:
        """A part of the work begins."""
        self.steps.begin(what, done, of, config=config)

    def each(self, place: tuple[str, str], pieces: Mapping[str, Callable[[], Piece]]) -> dict[str, Any]:
        """As `State.each`."""
        return self.state.each(place, pieces, self.steps, self.how)


def calibrate(task: Task, out: str | os.PathLike[str], *, replace: bool = False, **how: Unpack[How]) -> Calibration:
    """Find out which combinations agree with the given rates; what was played is kept in `out`, and the same task
    continues there.

    `replace` starts over where `out` holds another calibration. The outcome does not depend on threads or on
    interruptions. Raises RunError, and Interrupted after saving.
    """
    folder = Path(out)
    with resumable(folder), State.held(folder, task.identity(), task.base, replace=replace) as state:
        work = Work(state, Steps(how.get("progress"), 1), how)
        screens = _screens(task, work)
        all_cells, slack = _cells(task, screens)
        all_cells, slack = _cells(task, screens)
        raced = _race(task, work, all_cells, slack)
        left = [cell for cell in all_cells if cell.key not in raced]
        levels = Levels(task.alpha, len(all_cells), len(task.rates.claims), task.stages, len(left))
        tallies = _measure(task, left, folder, work)
        measured = {key: metrics_of(config, tally) for key, (config, tally) in tallies.items()}
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
            _completions(task, work, listed, screens, slack),
            _audits(task, work, screens, slack),
            tell_apart([], task.alpha),
            {},
        )
        order = [one.cell for one in found.listed]
        apart = tell_apart([measured[cell.key] for cell in order], task.alpha)
        return dataclasses.replace(found, apart=apart, silent=_silent(task, work, order, found))


def _screens(task: Task, work: Work) -> dict[str, Screen]:
    """What every ruling can do, by way of playing."""
    contexts = task.space.contexts()
    total, found = len(contexts) * len(task.personas.configs), {}
    for number, persona in enumerate(task.personas.configs):
        work.begin(SCREENING, number * len(contexts), total)
        if persona not in work.state.screens:
            work.state.screens[persona] = _screen(task, work, persona, contexts)
            work.state.forget("contexts", persona)
        found[persona] = Screen.from_json(work.state.screens[persona])
    return found


def _screen(task: Task, work: Work, persona: str, contexts: Sequence[tuple[Flip, ...]]) -> dict[str, Any]:
    def piece(context: tuple[Flip, ...]) -> Piece:
        return replicated(task.config(persona, task.space.changed(context)), task.rates, task.screen_games)

    played = work.each(("contexts", persona), {str(i): partial(piece, one) for i, one in enumerate(contexts)})
    rows = {context: np.array(played[str(i)], np.float64) for i, context in enumerate(contexts)}
    return screen(persona, task.space, rows, task.screen_games, task.alpha).to_json()


def _cells(task: Task, screens: Mapping[str, Screen]) -> tuple[list[Cell], Slack]:
    halves, rates = task.rates.halves, len(task.rates.claims)
    powers = {persona: found.powers(task.space, halves) for persona, found in screens.items()}
    slack = {persona: found.slack(powers[persona], rates) for persona, found in screens.items()}
    return [cell for persona in screens for cell in cells(persona, task.space, powers[persona])], slack


def _race(task: Task, work: Work, all_cells: Sequence[Cell], slack: Slack) -> dict[str, Rated]:
    """The cells that a stage of the race rules out, by key."""
    levels = Levels(task.alpha, len(all_cells), len(task.rates.claims), task.stages, 0)
    out: dict[str, Rated] = {}
    alive = {cell.key: cell for cell in all_cells}
    for games in task.stages:
        stage = Stage(task.rates, games, levels.race)

        def piece(cell: Cell, stage: Stage = stage) -> Piece:
            return stage.piece(task.config(cell.persona, cell.assignment), cell, slack[cell.persona])

        work.begin(f"{RACING} {games}", 0, len(alive))
        played = work.each(("race", str(games)), {key: partial(piece, cell) for key, cell in alive.items()})
        found = {key: from_json(Rated, played[key]) for key, cell in alive.items()}
        out |= {key: one for key, one in found.items() if one.status == "ruled_out"}
        alive = {key: cell for key, cell in alive.items() if key not in out}
    return out


def _measure(task: Task, left: Sequence[Cell], folder: Path, work: Work) -> dict[str, tuple[Config, Tally]]:
    """The cells left, each an ordinary run in a folder of its own."""
    found: dict[str, tuple[Config, Tally]] = {}
    for number, cell in enumerate(left):
        config = task.config(cell.persona, cell.assignment)
        config = config.model_copy(update={"run": config.run.model_copy(update={"games": task.games, "rows": "none"})})
        work.begin(MEASURING, number, len(left), config)
        run = run_simulation(config, folder / RUNS / config.digest(), resume=True, **work.steps.of(work.how))
        found[cell.key] = config, run.tally
    return found


def _completions(
    task: Task, work: Work, listed: Sequence[Cell], screens: Mapping[str, Screen], slack: Slack
) -> dict[str, Completions]:
    """Random answers to the rulings that do not act, on the same deals: they must not move the rates of a listed
    cell.
    """
    others = {
        cell.key: completed(task.space, cell, _acting(task, screens[cell.persona]), task.base.run.seed)
        for cell in listed
    }

    def piece(persona: str, assignment: Assignment) -> Piece:
        return values(task.config(persona, assignment), task.rates, task.screen_games)

    work.begin(CHECKING, 0, sum(map(len, others.values())) + len(listed))
    played = work.each(
        ("completions", "all"),
        {
            f"{cell.key} {number}": partial(piece, cell.persona, assignment)
            for cell in listed
            for number, assignment in enumerate([cell.assignment, *others[cell.key]])
        },
    )
    result = {}
    for cell in listed:
        base, *found = [played[f"{cell.key} {number}"] for number in range(1 + len(others[cell.key]))]
        result[cell.key] = _moved([(one, base) for one in found], len(base), slack[cell.persona])
    return result


def _audits(task: Task, work: Work, screens: Mapping[str, Screen], slack: Slack) -> dict[str, Completions]:
    """Random combinations held against their cells: what the screening overlooked, a ruling that acts with several
    others alone, shows here.
    """

    def piece(persona: str, assignment: Assignment) -> Piece:
        return values(task.config(persona, assignment), task.rates, AUDIT_GAMES)

    pairs = {persona: _audited(task, persona, _acting(task, found)) for persona, found in screens.items()}
    work.begin(AUDITING, 0, 2 * sum(map(len, pairs.values())))
    played = work.each(
        ("audits", "all"),
        {
            f"{persona} {number} {side}": partial(piece, persona, assignment)
            for persona, its_pairs in pairs.items()
            for number, pair in enumerate(its_pairs)
            for side, assignment in enumerate(pair)
        },
    )
    return {
        persona: _moved(
            [(played[f"{persona} {number} 0"], played[f"{persona} {number} 1"]) for number in range(len(its_pairs))],
            len(task.rates.halves),
            slack[persona],
        )
        for persona, its_pairs in pairs.items()
    }


def _audited(task: Task, persona: str, acting: Sequence[bool]) -> list[tuple[Assignment, Assignment]]:
    """Random combinations of a way of playing, each with that of its cell."""
    random = np.random.default_rng([task.base.run.seed, *persona.encode()])
    pairs = []
    for _ in range(AUDITED):
        whole = tuple(int(random.integers(len(answers))) for answers in task.space.answers)
        pairs.append((whole, tuple(k if acts else 0 for k, acts in zip(whole, acting, strict=True))))
    return pairs


def _acting(task: Task, found: Screen) -> list[bool]:
    return [power is Power.ACTS for power in found.powers(task.space, task.rates.halves)]


def _moved(
    pairs: Sequence[tuple[Sequence[float], Sequence[float]]], rates: int, slack: NDArray[np.float64]
) -> Completions:
    """How far each of the rates lies apart in pairs of their values."""
    distances = [[moved(float(one), float(other)) for one, other in zip(*pair, strict=True)] for pair in pairs]
    return Completions.of(np.array(distances, np.float64).reshape(len(pairs), rates), slack)


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


def _silent(task: Task, work: Work, order: Sequence[Cell], found: Calibration) -> dict[str, tuple[Silent, ...]]:
    """What changes of the rulings that do not act do to other metrics, on the first listed cell of every way of
    playing.
    """
    first = {cell.persona: cell for cell in reversed(order)}
    flips = {persona: _free_flips(task.space, found.powers(persona)) for persona in found.personas if persona in first}
    done, total, result = 0, sum(len(its_flips) + 1 for its_flips in flips.values()), {}
    for persona, its_flips in flips.items():
        work.begin(TELLING, done, total)
        result[persona] = _silent_of(task, work, first[persona], its_flips)
        done += len(its_flips) + 1
    return result


def _silent_of(task: Task, work: Work, cell: Cell, flips: Sequence[Flip]) -> tuple[Silent, ...]:
    changes: list[Sequence[Flip]] = [(), *((flip,) for flip in flips)]
    configs = [
        task.config(cell.persona, tuple(dict(change).get(i, k) for i, k in enumerate(cell.assignment)))
        for change in changes
    ]
    measured: dict[int, Mapping[str, Estimator]] = {}

    def take(number: int, outcome: Outcome) -> None:
        measured[number] = metrics_of(configs[number], outcome.tallies[0])

    pieces = (Piece(config, ((0, task.screen_games),), key=number) for number, config in enumerate(configs))
    play_each(pieces, len(configs), take, task.base.run.threads, **work.steps.of(work.how))
    before, *after = (measured[number] for number in range(len(configs)))
    names = [(task.space.names[i], task.space.answers[i][k]) for i, k in flips]
    return tuple(loudest(*name, before, one, task.alpha / len(flips)) for name, one in zip(names, after, strict=True))


def _free_flips(space: Space, powers: Sequence[Power]) -> list[Flip]:
    return [flip for flip in space.flips() if powers[flip[0]] is not Power.ACTS]
