"""`numbluff tune` as a function: the smallest change within bounds that meets all targets, confirmed with fresh seeds.

Every trial is an ordinary run in <out>/points/<digest>/, played once; a search that is called again proposes the same
trials and finds them there.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import Field

from numbluff_sim.analysis.statistics.estimates import Estimator
from numbluff_sim.analysis.studies.check.baselines import MeasuredRun, estimators_of
from numbluff_sim.analysis.studies.question.targets import Judgement, Status, Targets
from numbluff_sim.analysis.studies.sweep.result import Point, Reached, changed
from numbluff_sim.analysis.studies.tune.result import FAR, Bound, Confirmation, Tuned, candidates, objective
from numbluff_sim.config import Config, Section
from numbluff_sim.config.loading import read_toml
from numbluff_sim.errors import ConfigError
from numbluff_sim.run.runner import RunInterrupted, run_simulation
from numbluff_sim.studies.question.designs import step_size
from numbluff_sim.studies.question.file import Question, of_game, read_question, read_settings, validated
from numbluff_sim.studies.tune.folder import POINTS, Known, held, keep
from numbluff_sim.studies.tune.search import Places, Proposals, Search

#: Candidates that are confirmed at most, and what is added to the seed for it.
MOST_CONFIRMED, FRESH_SEED = 5, 1_000_003
#: Told the number of the trial being made, of how many, the smallest distance so far, and what is done ("search" or
#: "confirm").
Report = Callable[[int, int, float, str], None]


class TuneSettings(Section):
    """[tune]: games of every trial, trials at most, games of a confirmation, seed, and the chance that "met" is said
    wrongly.
    """

    games: int = Field(200_000, ge=64, le=10**11)
    trials: int = Field(200, ge=2, le=100_000)
    confirm_games: int = Field(4_000_000, ge=64, le=10**11)
    seed: int = Field(1, ge=0, le=2**62)
    alpha: float = Field(0.05, ge=1e-9, lt=1)


@dataclass(frozen=True)
class Tune:
    """A checked file."""

    question: Question
    settings: TuneSettings
    targets: Targets


class TuneInterrupted(KeyboardInterrupt):
    """SIGINT or SIGTERM ended a search early; what was played is on disk."""

    def __init__(self, folder: Path, trials: int) -> None:
        super().__init__(f"interrupted after {trials} trials; the same command continues (folder {folder})")


def read_tune(
    path: Path,
    *,
    game_name: str | None = None,
    trials: int | None = None,
    games: int | None = None,
    seed: int | None = None,
    threads: int | None = None,
) -> Tune:
    """Read and check a file with [axes], [targets] and [tune]; the options go over what it says. Raises ConfigError;
    nothing is played.
    """
    data, origin = of_game(read_toml(path), game_name), str(path)
    settings = read_settings(data, origin, "tune", TuneSettings)
    for name, value in (("trials", trials), ("games", games), ("seed", seed)):
        if value is not None:
            settings = validated({**settings.model_dump(), name: value}, f"--{name}", "", TuneSettings)
    question = read_question(
        path, data, run={"games": settings.games, "seed": settings.seed, "threads": threads}, alpha=settings.alpha
    )
    if question.targets is None:
        raise ConfigError(
            "there are no targets",
            file=origin,
            key="targets",
            expected=(
                "metrics with ranges under [targets], such as frappe_parfaite_per_round = { low = 0.015, high = 0.02 }"
            ),
        )
    return Tune(question, settings, question.targets)


def run_tune(tune: Tune, out: Path, *, replace: bool = False, report: Report | None = None, command: str = "") -> Tuned:
    """Search, confirm, and say what was found. The outcome depends on the file, the seed and the number of trials
    alone.

    `out` is a new folder or that of the same file: of this the number of trials never shrinks, and a change that was
    confirmed there stays a candidate. Raises RunError, ConfigError, TuneInterrupted.
    """
    with held(out, tune, replace=replace) as known:
        tune = dataclasses.replace(
            tune, settings=tune.settings.model_copy(update={"trials": max(tune.settings.trials, known.trials)})
        )
        player = _Player(tune, out, command)
        search = _Searching(tune, player, report or (lambda number, of, best, what: None))
        try:
            levels = search.run()
            kept = None if known.winner is None else search.again(known.winner)
            confirmations = search.confirm(kept)
        except RunInterrupted:
            raise TuneInterrupted(out, len(search.trials)) from None
        won = next((one.reached.digest for one in confirmations if one.judgement.status is Status.MET), None)
        keep(out, tune, Known(tune.settings.trials, known.winner if won is None else search.places(won)))
    base = tune.question.base_values()
    found = Tuned(
        tune.question.base_name,
        base,
        tune.targets,
        tuple(search.trials),
        tuple(search.refused),
        tuple(confirmations),
        (),
        tune.settings.trials,
        tune.settings.games,
        tune.settings.seed,
        levels,
    )
    return _with_bounds(tune, found)


@dataclass(frozen=True)
class _Player:
    """Plays configurations, each once, and measures them."""

    tune: Tune
    out: Path
    command: str

    def measured(self, config: Config) -> Mapping[str, Estimator]:
        """All metrics of a configuration."""
        run = run_simulation(
            config, self.out / POINTS / f"{config.digest()}-{config.run.games}", resume=True, command=self.command
        )
        return estimators_of(MeasuredRun(config, run.tally))


class _Searching:
    """The trials so far, and the next ones."""

    def __init__(self, tune: Tune, player: _Player, report: Report) -> None:
        self.tune, self.player, self.report = tune, player, report
        self.base = tune.question.base_values()
        self.search = Search(tune.question.axes, self.base, tune.settings.seed)
        self.trials: list[Reached] = []
        self.refused: list[tuple[Mapping[str, Any], str]] = []
        self._told: list[tuple[Places, float]] = []
        self._judged: dict[str, Judgement] = {}
        self._places: dict[str, Places] = {}

    @property
    def made(self) -> int:
        """Trials made, refused ones included."""
        return len(self._told)

    def run(self) -> int:
        """Make the trials; the number of changes up to which all combinations were tried (-1 where values between
        those of the grid exist).
        """
        self._try({})
        if self._met():
            return 0 if self.search.countable else -1
        levels = self._levels()
        if not (self.search.countable and (self._met() or levels == len(self.search.axes))):
            if levels == 0:
                for places in self.search.spread(self.tune.settings.trials // 2):
                    self._try(places)
            self._propose()
        return levels if self.search.countable else -1

    def _levels(self) -> int:
        """All single changes, all pairs, ... while the trials last and none meets the targets; how many of these
        levels were made.
        """
        for changes in range(1, len(self.search.axes) + 1):
            if self.made + self.search.level_size(changes) > self.tune.settings.trials:
                return changes - 1
            for places in self.search.level(changes):
                self._try(places)
            if self._met():
                return changes
        return len(self.search.axes)

    def _propose(self) -> None:
        proposals = Proposals(self.search)
        for places, value in self._told:
            proposals.tell(places, value)
        while self.made < self.tune.settings.trials:
            places = proposals.ask(self.made)
            self._try(places)
            proposals.tell(places, self._told[-1][1])

    def _met(self) -> bool:
        return any(one.judgement.status is Status.MET for one in self.trials)

    def again(self, places: Places) -> str:
        """Make a trial, unless it is among those made; its digest."""
        digest = self.tune.question.config(self._overrides(self.search.values(places))).digest()
        if digest not in self._judged:
            self._try(places)
        return digest

    def places(self, digest: str) -> Places:
        """The places of a trial that was made."""
        return self._places[digest]

    def _try(self, places: Places) -> None:
        """Make one trial."""
        best = min((one.judgement.distance for one in self.trials), default=math.inf)
        self.report(self.made, self.tune.settings.trials, best, "search")
        values = self.search.values(places)
        try:
            config = self.tune.question.config(self._overrides(values))
        except ConfigError as error:
            if not places:
                raise
            self.refused.append((changed(values, self.base), str(error)))
            self._told.append((places, FAR))
            return
        digest = config.digest()
        if digest not in self._judged:
            self._places[digest] = dict(places)
            self._judged[digest] = self.tune.targets.judge(self.player.measured(config), self.tune.settings.trials)
        point = Point(self.made, values, len(changed(values, self.base)))
        reached = Reached(point, digest, self._judged[digest], step_size(values, self.base, self.search.axes))
        self.trials.append(reached)
        self._told.append((places, objective(reached, len(self.search.axes))))

    def _overrides(self, values: Mapping[str, Any]) -> dict[str, Any]:
        return changed(values, self.base)

    def confirm(self, kept: str | None) -> list[Confirmation]:
        """The candidates with fresh seeds and more games, the best first, until one holds. Targets are judged over all
        that could be confirmed.

        `kept`: the digest of one that held before; it is among them.
        """
        settings, found = self.tune.settings, []
        fresh = self.tune.question.with_run(seed=settings.seed + FRESH_SEED, games=settings.confirm_games)
        chosen = candidates(self.trials)[:MOST_CONFIRMED]
        if kept is not None and all(one.digest != kept for one in chosen):
            chosen[MOST_CONFIRMED - 1 :] = [next(one for one in self.trials if one.digest == kept)]
        for number, one in enumerate(chosen):
            self.report(number, len(chosen), one.judgement.distance, "confirm")
            measured = self.player.measured(fresh.config(self._overrides(one.point.values)))
            judgement = self.tune.targets.judge(measured, MOST_CONFIRMED)
            found.append(Confirmation(one, judgement, settings.seed + FRESH_SEED, settings.confirm_games))
            if judgement.status is Status.MET:
                break
        return found


def _with_bounds(tune: Tune, found: Tuned) -> Tuned:
    values = changed(found.nearest.point.values, found.base_values)
    ranges = {axis.key: list(axis.values()) for axis in tune.question.axes if axis.numeric and len(axis) > 1}
    return dataclasses.replace(
        found,
        bounds=tuple(
            Bound(key, value)
            for key, value in values.items()
            if key in ranges and value in (min(ranges[key]), max(ranges[key]))
        ),
    )
