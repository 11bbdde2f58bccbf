"""Games for a precision or a difference, from a pilot, by the square-root law of standard errors."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from numbluff_sim.analysis.statistics.intervals import clopper_pearson
from numbluff_sim.analysis.statistics.paired import GROUPS
from numbluff_sim.analysis.statistics.sequential import LEAST_RATIO, Precision, games_of_fixed, games_of_sequence, looks
from numbluff_sim.analysis.statistics.verdicts import rounded_up
from numbluff_sim.analysis.studies.plan.result import DetectionPlan, Pilot, PrecisionPlan, normal
from numbluff_sim.encoding import finite

#: The most games that a run may have.
MOST_GAMES = 10**11


TOO_MANY = f"more than the most games of one run ({MOST_GAMES:,})"


def plan_precision(pilot: Pilot, asked: Precision, alpha: float, period: int) -> PrecisionPlan:
    """Games for a precision. `period`: games between two looks of a run that stops itself."""
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
        until = _look(games_of_sequence(error, wanted, alpha, estimator.family), period)
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


@dataclass(frozen=True)
class PlannedTest:
    """How a difference will be tested: at `alpha` for this metric alone, to be found with chance `power`; `groups`
    says into how many groups a comparison of so many games is cut.
    """

    alpha: float
    power: float
    groups: Callable[[int], int]


def plan_detection(
    base: Pilot, other: Pilot | None, asked: Precision, paired: tuple[float, float] | None, test: PlannedTest
) -> DetectionPlan:
    """Games of two configurations for a difference, tested as `compare` does. `paired`: standard error of the paired
    difference after one game, and what pairing saves; None without common deals.
    """
    alpha = test.alpha
    measured = base.estimators[asked.metric].at(alpha)
    difference = asked.half_width * abs(measured.value) if asked.relative else asked.half_width
    own = base.error(asked.metric, alpha)
    others = own if other is None or asked.metric not in other.estimators else other.error(asked.metric, alpha)
    error, boxed, note = math.hypot(own, others), False, ""
    if paired is not None:
        error, note = paired[0], "the same deals on both sides"
    elif other is None:
        note = "without common deals, the other side taken to scatter alike"
    else:
        boxed, note = True, "too few pairs of games differ to measure the pairing: from the two own intervals"
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
        if boxed:
            edge = normal(1 - level / 4) * (own + others)
            return rounded_up(((edge + normal(test.power) * error) / difference) ** 2)
        return _games_of_groups(error / difference, level, test)

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
        finite(alone * both),
        finite(together * both),
        _with_limit(note, alone),
    )


def _games_of_groups(errors: float, level: float, test: PlannedTest) -> float:
    """Games at which a test over groups of games (Student's t, `level`) finds a difference with the asked power;
    `errors`: standard error after one game over the difference.

    The statistic is noncentral t; few games make few groups, which need more games.
    """
    from scipy.special import nctdtrinc, stdtrit

    def needed(groups: int) -> float:
        df = max(groups, 2) - 1
        return (float(nctdtrinc(df, 1 - test.power, -float(stdtrit(df, level / 2)))) * errors) ** 2

    games = rounded_up(needed(GROUPS))
    while games < needed(test.groups(games)):
        games = rounded_up(1.1 * games)
    return games


def _look(games: float, period: int) -> float:
    """The look at which a run that needs so many games stops; beyond the most games of a run these games themselves."""
    if games > MOST_GAMES:
        return _rounded(games)
    return next(look for look in looks(MOST_GAMES, period) if look >= games)


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
    return finite(games / pilot.games_per_second)
