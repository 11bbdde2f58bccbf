"""`numbluff tune` as a function: the smallest change within bounds that meets all targets, confirmed with fresh seeds.

Every trial is an ordinary run in <out>/points/<digest>-<games>/, played once; a search that is called again proposes
the same trials and finds them there.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Unpack

from numbluff_sim.analysis.metrics.measured import MeasuredRun, estimators_of
from numbluff_sim.analysis.statistics.estimates import Estimator
from numbluff_sim.analysis.studies.question.points import Point, Reached, changed
from numbluff_sim.analysis.studies.question.targets import Judgement, TargetStatus
from numbluff_sim.analysis.studies.tune.result import FAR, Bound, Confirmation, Tuned, candidates, objective
from numbluff_sim.config import Config
from numbluff_sim.errors import ConfigError
from numbluff_sim.run.playing import How
from numbluff_sim.run.progress import Steps
from numbluff_sim.run.runner import run_simulation
from numbluff_sim.run.stop import SAME_COMMAND, Interrupted, resumable
from numbluff_sim.studies.question.designs import step_size
from numbluff_sim.studies.tune.asked import Tune
from numbluff_sim.studies.tune.folder import POINTS, Known, held, keep
from numbluff_sim.studies.tune.search import Places, Proposals, Search

#: Candidates that are confirmed at most, and what is added to the seed for it.
MOST_CONFIRMED, FRESH_SEED = 5, 1_000_003


def run_tune(tune: Tune, out: Path, *, replace: bool = False, command: str = "", **how: Unpack[How]) -> Tuned:
    """Search, confirm, and say what was found. The outcome depends on the file, the seed and the number of trials
    alone.

    `out` is a new folder or that of the same file: of this the number of trials never shrinks, and a change that was
    confirmed there stays a candidate. Raises RunError, ConfigError, Interrupted.
    """
    with resumable(out), held(out, tune, replace=replace) as known:
        tune = dataclasses.replace(
            tune, settings=tune.settings.model_copy(update={"trials": max(tune.settings.trials, known.trials)})
        )
        steps = Steps(how.get("progress"), tune.settings.trials)
        player = _Player(tune, out, command, steps, how)
        search = _Searching(tune, player, steps)
        try:
            levels = search.run()
            kept = None if known.winner is None else search.again(known.winner)
            confirmations = search.confirm(kept)
        except Interrupted as interrupted:
            raise Interrupted(
                len(search.trials),
                tune.settings.trials,
                "trials",
                folder=out,
                how_to_go_on=SAME_COMMAND,
                reason=interrupted.reason,
            ) from None
        won = next((one.reached.digest for one in confirmations if one.judgement.status is TargetStatus.MET), None)
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
    steps: Steps
    how: How

    def measured(self, config: Config) -> Mapping[str, Estimator]:
        """All metrics of a configuration."""
        folder = self.out / POINTS / f"{config.digest()}-{config.run.games}"
        run = run_simulation(config, folder, resume=True, command=self.command, **self.steps.of(self.how))
        return estimators_of(MeasuredRun(config, run.tally))


class _Searching:
    """The trials so far, and the next ones."""

    def __init__(self, tune: Tune, player: _Player, steps: Steps) -> None:
        self.tune, self.player, self.steps = tune, player, steps
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
        return any(one.judgement.status is TargetStatus.MET for one in self.trials)

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
        self.steps.nearest(best)
        self.steps.begin("search", self.made, self.tune.settings.trials)
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
            self.steps.nearest(one.judgement.distance)
            self.steps.begin("confirm", number, len(chosen))
            measured = self.player.measured(fresh.config(self._overrides(one.point.values)))
            judgement = self.tune.targets.judge(measured, MOST_CONFIRMED)
            found.append(Confirmation(one, judgement, settings.seed + FRESH_SEED, settings.confirm_games))
            if judgement.status is TargetStatus.MET:
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
