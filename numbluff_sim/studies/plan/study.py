"""How many games an answer needs, and how long they take on this machine: from a pilot, by the square-root law of
standard errors.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Unpack

from numbluff_sim.analysis.metrics.measured import MeasuredRun
from numbluff_sim.analysis.statistics.estimates import ALPHA, Estimate
from numbluff_sim.analysis.statistics.paired import paired_effects
from numbluff_sim.analysis.statistics.sequential import Precision
from numbluff_sim.analysis.studies.plan.planning import PlannedTest, plan_detection, plan_precision
from numbluff_sim.analysis.studies.plan.result import GamesPlan, Pilot
from numbluff_sim.config import Config
from numbluff_sim.contract.registry import game
from numbluff_sim.errors import ConfigError
from numbluff_sim.run.playing import How, simulate_tally
from numbluff_sim.run.progress import Steps
from numbluff_sim.run.spans import LANES
from numbluff_sim.studies.played_in_groups import cut, play_point
from numbluff_sim.studies.until.study import with_games

#: Games of the pilot, and of a round before it that is not timed: kernels are compiled or loaded there.
PILOT_GAMES = 2_000_000
UNTIMED_GAMES = 64 * LANES
#: Chance that a difference of the planned size is found.
POWER = 0.9
#: Smallest chance of error that may be asked for.
SMALLEST_ALPHA = 1e-9


def plan(
    config: Config,
    precisions: Sequence[Precision],
    detections: Sequence[Precision] = (),
    *,
    variant: Config | None = None,
    games: int = PILOT_GAMES,
    alpha: float = ALPHA,
    power: float = POWER,
    **how: Unpack[How],
) -> GamesPlan:
    """Play a pilot of `games` games and plan with it.

    Precisions are planned for `variant` where there is one, else for `config`; a detection is a difference between the
    two, and without a variant one between `config` and another configuration that scatters as it does. Raises
    Interrupted, and ConfigError for an alpha that no interval can have.
    """
    if alpha < SMALLEST_ALPHA:
        raise ConfigError(
            f"alpha = {alpha:g} is too small",
            file="--alpha",
            key="alpha",
            value=alpha,
            expected=f"at least {SMALLEST_ALPHA:g}",
        )
    steps = Steps(how.get("progress"), 1 if variant is None else 4 if detections else 2)
    base = _pilot(config, games, "pilot", steps, how)
    other = None if variant is None else _pilot(variant, games, "pilot of the variant", steps, how)
    last = base if other is None else other
    errors = (
        {}
        if other is None or not detections
        else _paired_errors(base, other, [one.metric for one in detections], steps, how)
    )
    test = PlannedTest(alpha, power, lambda games: len(cut(games, config.run.detail_every)))
    return GamesPlan(
        (base,) if other is None else (base, other),
        tuple(plan_precision(last, one, alpha, LANES * last.config.run.detail_every) for one in precisions),
        tuple(plan_detection(base, other, one, errors.get(one.metric), test) for one in detections),
        alpha,
        power,
    )


def _pilot(config: Config, games: int, what: str, steps: Steps, how: How) -> Pilot:
    config = with_games(config, games)
    simulate_tally(config, min(UNTIMED_GAMES, games), executor=how.get("executor"), stop=how.get("stop"))
    steps.begin(what, steps.done, config=config)
    start = time.perf_counter()
    tally = simulate_tally(config, **steps.of(how))
    seconds = time.perf_counter() - start
    steps.end()
    return Pilot(config, game(config.game).metrics.estimators(MeasuredRun(config, tally)), games, seconds)


def _paired_errors(
    base: Pilot, other: Pilot, metrics: Sequence[str], steps: Steps, how: How
) -> dict[str, tuple[float, float]]:
    """Standard error of the paired difference after one game, and what pairing saves, by metric; those that it
    cannot be measured of are missing.
    """
    from scipy.special import stdtrit

    points = []
    for pilot in (base, other):
        steps.begin("pairs", steps.done, config=pilot.config)
        points.append(play_point(pilot.config, only=set(metrics), **steps.of(how)))
        steps.end()
    names = [name for name in dict.fromkeys(metrics) if all(name in point.replicates.names for point in points)]
    sides = [
        replace(side, replicates=side.replicates.of(names), estimators={name: side.estimators[name] for name in names})
        for side in (point.side() for point in points)
    ]
    return {
        effect.metric: (
            _half(effect.difference)
            / -float(stdtrit(sides[0].replicates.groups - 1, ALPHA / 2))
            * math.sqrt(base.games),
            effect.saved,
        )
        for effect in paired_effects(sides[0], sides[1:])[0]
        if not math.isnan(effect.saved)  # there is a jackknife error
    }


def _half(estimate: Estimate) -> float:
    return (estimate.high - estimate.low) / 2
