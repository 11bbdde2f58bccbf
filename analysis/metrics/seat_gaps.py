"""How much seats differ: the win shares of all, the gap between the best and the worst, a test that they are equal.
Knows no game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from numbluff_sim.analysis.metrics.tally_reader import TallyReader
from numbluff_sim.analysis.statistics.clusters import PER_GAME, ClusterSums, Combination
from numbluff_sim.analysis.statistics.estimates import Bounds, Estimator, TestResult
from numbluff_sim.analysis.statistics.hypotheses import equal_means
from numbluff_sim.analysis.statistics.intervals import mean
from numbluff_sim.contract.game import SeatResult


def win_shares(sample: TallyReader, seats: Sequence[SeatResult]) -> Iterator[Estimator]:
    """`seat_{p}_win_share`, simultaneous over the seats.

    k equal winners share a win, 1/k each, so a win share is a mean per game, not a proportion: Student intervals from
    the games' own variance.
    """
    games = sample.games
    for p, seat in enumerate(seats):
        share = sample.sums_of(seat.win).ratio(seat.win)
        yield mean(
            f"seat_{p}_win_share", share, n=games, denominator="games", games=games, unit="share", within=(0.0, 1.0)
        ).one_of(len(seats))


def seat_points(sample: TallyReader, seats: Sequence[SeatResult], most: float) -> Iterator[Estimator]:
    """`seat_{p}_points` a game, each at most `most`, simultaneous over the seats, in a game that has points."""
    games = sample.games
    for p, points in enumerate(seat.points for seat in seats if seat.points is not None):
        found = sample.sums_of(points).ratio(points)
        yield mean(
            f"seat_{p}_points", found, n=games, denominator="games", games=games, unit="points", within=(0.0, most)
        ).one_of(len(seats))


def largest_gap(
    name: str, sums: ClusterSums, means: Sequence[Combination], *, games: int, unit: str, most: float
) -> Estimator:
    """The largest minus the smallest of several means per game, each at most `most`; `games` are those behind the
    means.

    Its interval comes from those of all pairwise differences, errors with their covariance, held together with
    Bonferroni: where all of them are right, the true gap is at least the largest lower end and at most the largest
    upper end, whichever means are the extreme ones.
    """
    pairs = [
        {**first, **{variable: -weight for variable, weight in second.items()}}
        for first, second in combinations(means, 2)
    ]
    differences = [
        mean(
            name,
            sums.ratio(pair, PER_GAME),
            n=games,
            denominator="games",
            games=games,
            unit=unit,
            within=(-most, most),
        ).one_of(len(pairs))
        for pair in pairs
    ]

    def bounds(alpha: float) -> Bounds:
        ends = [difference.bounds(alpha) for difference in differences]
        return max(0.0, *(max(low, -high) for low, high in ends)), min(most, max(max(high, -low) for low, high in ends))

    value = float(np.max([abs(difference.value) for difference in differences]))  # nan where nothing was played
    method = (
        f"largest of {len(pairs)} pairwise differences, errors clustered by game, Student t; simultaneous (Bonferroni)"
    )
    return Estimator(name, value, games, "games", method, unit, games, bounds, smooth=False, family=len(pairs))


def equal_seats(sample: TallyReader, name: str, hypothesis: str, means: Sequence[Combination]) -> TestResult:
    """A Wald chi-square test that the means per game of what the seats get are equal."""
    return equal_means(name, hypothesis, *sample.every.joint(means), sample.games, sample.every.df)
