"""How many games an answer needs, and how long they take on this machine: from a pilot, by the square-root law of
standard errors.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from statistics import NormalDist
from typing import Any

from numbluff_sim.analysis.statistics.estimates import ALPHA, Estimate, Estimator
from numbluff_sim.analysis.statistics.intervals import clopper_pearson
from numbluff_sim.analysis.statistics.paired import JACKKNIFE, paired_effects
from numbluff_sim.analysis.statistics.sequential import LEAST_RATIO, Precision, games_of_fixed, games_of_sequence, looks
from numbluff_sim.analysis.statistics.verdicts import rounded_up
from numbluff_sim.analysis.studies.check.baselines import MeasuredRun
from numbluff_sim.config import Config
from numbluff_sim.contract.registry import game
from numbluff_sim.errors import ConfigError
from numbluff_sim.run.runner import simulate_tally
from numbluff_sim.run.workers import LANES
from numbluff_sim.studies.compare.points import play_point
from numbluff_sim.studies.until.study import with_games

#: Games of the pilot, and of a round before it that is not timed: kernels are compiled or loaded there.
PILOT_GAMES = 2_000_000
UNTIMED_GAMES = 64 * LANES
#: Chance that a difference of the planned size is found.
POWER = 0.9
#: Smallest chance of error that may be asked for.
SMALLEST_ALPHA = 1e-9
#: The most games that a run may have.
MOST_GAMES = 10**11
TOO_MANY = f"more than the most games of one run ({MOST_GAMES:,})"
#: Told what is being played, games done, and of how many.
Report = Callable[[str, int, int], None]


@dataclass(frozen=True)
class Pilot:
    """Games played to plan with: their metrics, and how fast they were played (games a second, on `threads` threads
    of this machine).
    """

    config: Config
    estimators: Mapping[str, Estimator]
    games: int
    seconds: float

    @property
    def games_per_second(self) -> float:
        """Speed of play."""
        return self.games / self.seconds

    def error(self, metric: str, alpha: float) -> float:
        """Standard error of a metric after one game, from the wider half of its interval; nan where it has none."""
        estimator = self.estimators[metric]
        estimate = estimator.at(alpha)
        half = Precision(metric, 1.0, relative=False).width(estimate)
        return (
            half / normal(1 - alpha / estimator.family / 2) * math.sqrt(self.games) if math.isfinite(half) else math.nan
        )

    def to_json(self) -> dict[str, Any]:
        """JSON-able."""
        return {
            "digest": self.config.digest(),
            "players": self.config.players,
            "games": self.games,
            "seed": self.config.run.seed,
            "threads": self.config.run.threads,
            "seconds": self.seconds,
            "games_per_second": self.games_per_second,
        }


@dataclass(frozen=True)
class PrecisionPlan:
    """Games for a precision: of a run of fixed length, of one that stops itself (the look at which it likely does);
    None where none can be told.

    `at_least`: the numbers are lower bounds. `measured` is the pilot's estimate, its interval at the plan's alpha.
    """

    asked: str
    measured: Estimate
    fixed_games: int | None
    until_games: int | None
    fixed_seconds: float | None
    until_seconds: float | None
    at_least: bool
    note: str


@dataclass(frozen=True)
class DetectionPlan:
    """Games of each of two configurations that let a difference of `difference` (in the unit of the metric) be found
    with the chance `power`.

    `games` for this metric alone at alpha, `games_in_compare` where it is one of all metrics held together, as
    `numbluff compare` does; the seconds are those of both configurations. `saved`: how many times as many games it
    would take without common deals (None where not paired).
    """

    asked: str
    metric: str
    difference: float
    measured: Estimate
    paired: bool
    saved: float | None
    games: int | None
    games_in_compare: int | None
    seconds: float | None
    seconds_in_compare: float | None
    note: str


@dataclass(frozen=True)
class Plan:
    """What was planned, and the pilots behind it (the second one of the variant)."""

    pilots: tuple[Pilot, ...]
    precisions: tuple[PrecisionPlan, ...]
    detections: tuple[DetectionPlan, ...]
    alpha: float
    power: float

    def to_json(self) -> dict[str, Any]:
        """JSON-able."""

        def row(one: PrecisionPlan | DetectionPlan) -> dict[str, Any]:
            return {**asdict(one), "measured": one.measured.to_json()}

        return {
            "alpha": self.alpha,
            "power": self.power,
            "pilots": [pilot.to_json() for pilot in self.pilots],
            "precisions": [row(one) for one in self.precisions],
            "detections": [row(one) for one in self.detections],
        }


def plan(
    config: Config,
    precisions: Sequence[Precision],
    detections: Sequence[Precision] = (),
    *,
    variant: Config | None = None,
    games: int = PILOT_GAMES,
    alpha: float = ALPHA,
    power: float = POWER,
    report: Report | None = None,
) -> Plan:
    """Play a pilot of `games` games and plan with it.

    Precisions are planned for `variant` where there is one, else for `config`; a detection is a difference between the
    two, and without a variant one between `config` and another configuration that scatters as it does. Raises
    KeyboardInterrupt when interrupted, and ConfigError for an alpha that no interval can have.
    """
    if alpha < SMALLEST_ALPHA:
        raise ConfigError(
            f"alpha = {alpha:g} is too small",
            file="--alpha",
            key="alpha",
            value=alpha,
            expected=f"at least {SMALLEST_ALPHA:g}",
        )
    base = _pilot(config, games, "pilot", report)
    other = None if variant is None else _pilot(variant, games, "pilot of the variant", report)
    last = base if other is None else other
    errors = (
        {}
        if other is None or not detections
        else _paired_errors(base, other, [one.metric for one in detections], report)
    )
    return Plan(
        (base,) if other is None else (base, other),
        tuple(_precision(last, one, alpha) for one in precisions),
        tuple(_detection(base, other, one, errors.get(one.metric), alpha, power) for one in detections),
        alpha,
        power,
    )


def normal(probability: float) -> float:
    """Quantile of the normal distribution."""
    return NormalDist().inv_cdf(probability)


def _pilot(config: Config, games: int, what: str, report: Report | None) -> Pilot:
    simulate_tally(config, min(UNTIMED_GAMES, games))
    start = time.perf_counter()
    tally = simulate_tally(
        config, games, progress=report and (lambda progress: report(what, progress.games_done, games))
    )
    seconds = time.perf_counter() - start
    return Pilot(config, game(config.game).metrics.estimators(MeasuredRun(config, tally)), games, seconds)


def _precision(pilot: Pilot, asked: Precision, alpha: float) -> PrecisionPlan:
    estimator = pilot.estimators[asked.metric]
    measured = estimator.at(alpha)
    wanted = asked.half_width * abs(measured.value) if asked.relative else asked.half_width
    error, note, at_least = pilot.error(asked.metric, alpha), "", False
    fixed: float = math.nan
    until: float = math.nan
    if math.isnan(measured.value):
        note = "undefined in the pilot: nothing to measure it on was seen"
    elif measured.value == 0 and asked.relative:
        # all games were without it: at most a share `most` has it, and a mean of games of which a share p is not 0 has
        # a relative variance of at least (1 / p - 1) a game (Cauchy and Schwarz)
        most = clopper_pearson(0, estimator.games, alpha)[1]
        error, wanted, at_least = math.sqrt(1 / most - 1), asked.half_width, True
        note = f"never seen in the pilot: at most 1 game in {1 / most:,.0f} has it, so at least these games"
    elif error == 0:
        fixed = until = pilot.games
        note = "the pilot was enough"
    elif measured.value == 0:
        note = "0 in the pilot: its scatter is unknown"
        error = math.nan
    elif not estimator.smooth:
        note = "a quantile or an extreme: a rough guide"
    if math.isfinite(error) and error > 0:
        fixed = _rounded(games_of_fixed(error, wanted, alpha, estimator.family))
        until = _look(games_of_sequence(error, wanted, alpha, estimator.family), pilot.config)
        note = _with_limit(note, min(fixed, until))
    return PrecisionPlan(
        str(asked),
        measured,
        _whole(fixed),
        _whole(until),
        _seconds(fixed, pilot),
        _seconds(until, pilot),
        at_least,
        note,
    )


def _detection(
    base: Pilot, other: Pilot | None, asked: Precision, paired: tuple[float, float] | None, alpha: float, power: float
) -> DetectionPlan:
    measured = base.estimators[asked.metric].at(alpha)
    difference = asked.half_width * abs(measured.value) if asked.relative else asked.half_width
    own = base.error(asked.metric, alpha)
    others = own if other is None or asked.metric not in other.estimators else other.error(asked.metric, alpha)
    error, note = math.hypot(own, others), ""
    if paired is not None:
        error, note = paired[0], "the same deals on both sides"
    elif other is None:
        note = "without common deals, the other side taken to scatter alike"
    else:
        note = "too few pairs of games differ to measure the pairing: as without common deals"
    if not difference or not math.isfinite(error):
        if math.isnan(measured.value) or not measured.value:
            note = "never seen in the pilot: no difference can be planned"
        elif not difference:
            note = TOO_MANY
        return DetectionPlan(
            str(asked), asked.metric, difference, measured, paired is not None, None, None, None, None, None, note
        )

    def needed(level: float) -> float:
        if error / LEAST_RATIO >= difference:
            return math.inf
        return rounded_up(((normal(1 - level / 2) + normal(power)) * error / difference) ** 2)

    alone, together = needed(alpha), needed(alpha / len(base.estimators))
    both = 1 / base.games_per_second + 1 / (other or base).games_per_second
    return DetectionPlan(
        str(asked),
        asked.metric,
        difference,
        measured,
        paired is not None,
        None if paired is None else paired[1],
        _whole(alone),
        _whole(together),
        _finite(alone * both),
        _finite(together * both),
        _with_limit(note, alone),
    )


def _paired_errors(
    base: Pilot, other: Pilot, metrics: Sequence[str], report: Report | None
) -> dict[str, tuple[float, float]]:
    """Standard error of the paired difference after one game, and what pairing saves, by metric; those that it
    cannot be measured of are missing.
    """
    from scipy.special import stdtrit

    def told(done: int, games: int, _rate: float) -> None:
        if report is not None:
            report("pairs", done, games)

    points = [play_point(with_games(pilot.config, pilot.games), report=told) for pilot in (base, other)]
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
        if effect.difference.method.startswith(JACKKNIFE)
    }


def _half(estimate: Estimate) -> float:
    return (estimate.high - estimate.low) / 2


def _look(games: float, config: Config) -> float:
    """The look at which a run that needs so many games stops; beyond the most games of a run these games themselves."""
    if games > MOST_GAMES:
        return _rounded(games)
    return next(look for look in looks(MOST_GAMES, LANES * config.run.detail_every) if look >= games)


def _rounded(games: float) -> float:
    return rounded_up(games) if math.isfinite(games) else games


def _with_limit(note: str, games: float) -> str:
    """A note, and whether no run can have so many games."""
    if games <= MOST_GAMES:
        return note
    return f"{note}; {TOO_MANY}" if note else TOO_MANY


def _whole(games: float) -> int | None:
    return int(games) if math.isfinite(games) else None


def _seconds(games: float, pilot: Pilot) -> float | None:
    return _finite(games / pilot.games_per_second)


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
