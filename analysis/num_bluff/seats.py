"""What a seat is worth, scores, and how games run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from numbluff_sim.analysis.clusters import GAMES, PER_GAME, ClusterSums, Combination
from numbluff_sim.analysis.estimates import Bounds, Estimator, TestResult
from numbluff_sim.analysis.hypotheses import equal_means
from numbluff_sim.analysis.intervals import histogram_mean, mean, proportion, quantile
from numbluff_sim.analysis.num_bluff.play import points_of_all
from numbluff_sim.analysis.num_bluff.sample import Sample
from numbluff_sim.kernels.num_bluff.codes import SHARE


def seats(sample: Sample) -> Iterator[Estimator]:
    """Win share and points by seat, simultaneous over the seats; the gap between the best and the worst seat; the seat left of the first
    bluffer (seat 1) against the mean of all.

    k equal best scores share a win, 1/k each, so a win share is a mean per game, not a proportion: Student intervals from the games' own variance.
    """
    players, games = sample.players, sample.games
    for p in range(players):
        share = sample.single(f"win_{p}").ratio({f"win_{p}": 1 / SHARE}, PER_GAME)
        yield mean(f"seat_{p}_win_share", share, n=games, denominator="games", games=games, unit="share", ceiling=1.0).one_of(players)
    for p in range(players):
        points = sample.single(f"score_{p}").ratio({f"score_{p}": 1.0}, PER_GAME)
        yield mean(
            f"seat_{p}_points", points, n=games, denominator="games", games=games, unit="points", ceiling=sample.deck_points * sample.rounds
        ).one_of(players)
    for name, kind, unit, scale, most in (
        ("win_share", "win", "share", SHARE, 1.0),
        ("points", "score", "points", 1, float(sample.deck_points * sample.rounds)),
    ):
        left: Combination = {f"{kind}_{p}": ((p == 1) - 1 / players) / scale for p in range(players)}
        yield mean(
            f"left_of_first_bluffer_minus_mean_{name}",
            sample.every.ratio(left, PER_GAME),
            n=games,
            denominator="games",
            games=games,
            unit=unit,
            floor=-most,
            ceiling=most,
        )
        seat_means: list[Combination] = [{f"{kind}_{p}": 1 / scale} for p in range(players)]
        yield largest_gap(f"seat_{name}_gap", sample.every, seat_means, games=games, unit=unit, most=most)


def largest_gap(name: str, sums: ClusterSums, means: Sequence[Combination], *, games: int, unit: str, most: float) -> Estimator:
    """The largest minus the smallest of several means per game, each at most `most`; `games` are those behind the means.

    Its interval comes from those of all pairwise differences, errors with their covariance, held together with Bonferroni: where all of
    them are right, the true gap is at least the largest lower end and at most the largest upper end, whichever means are the extreme ones.
    """
    pairs = [{**first, **{variable: -weight for variable, weight in second.items()}} for first, second in combinations(means, 2)]
    differences = [
        mean(name, sums.ratio(pair, PER_GAME), n=games, denominator="games", games=games, unit=unit, floor=-most, ceiling=most).one_of(len(pairs))
        for pair in pairs
    ]

    def bounds(alpha: float) -> Bounds:
        ends = [difference.bounds(alpha) for difference in differences]
        return max(0.0, *(max(low, -high) for low, high in ends)), min(most, max(max(high, -low) for low, high in ends))

    value = float(np.max([abs(difference.value) for difference in differences]))  # nan where nothing was played
    method = f"largest of {len(pairs)} pairwise differences, errors clustered by game, Student t; simultaneous (Bonferroni)"
    return Estimator(name, value, games, "games", method, unit, games, bounds, smooth=False, family=len(pairs))


def seat_tests(sample: Sample) -> dict[str, TestResult]:
    """Wald chi-square tests of equal seats: wins and points."""
    result = {}
    for name, kind, hypothesis in (
        ("seat_win_chi_square", "win", "all seats win equally often"),
        ("seat_points_chi_square", "score", "all seats score equally much"),
    ):
        index = [sample.every.names.index(f"{kind}_{p}") for p in range(sample.players)]
        result[name] = equal_means(name, hypothesis, sample.every.means[index], sample.every.cov[np.ix_(index, index)], sample.games)
    return result


def course(sample: Sample) -> Iterator[Estimator]:
    """Scores, margins, ties for the win, lead changes, comebacks, when games are decided.

    "Before the last round" means the last planned one: a game cut short (T8) counts as decided before it.
    """
    tally, games, width = sample.tally, sample.detail_games, sample.bin_width
    pooled = tally["score"].sum(axis=0)
    average = sample.every.ratio(points_of_all(sample.players), {GAMES: float(sample.players)})
    most = float(sample.deck_points * sample.rounds)
    yield mean("score_mean", average, n=sample.games * sample.players, denominator="players", games=sample.games, unit="points", ceiling=most)
    for name, counts, unit, bins, effect in (
        ("score", pooled, "points", width, sample.players),
        ("margin", tally["margin"], "points", width, 1),
        ("lead_changes", tally["lead_changes"], "changes", 1, 1),
        ("decided_round", tally["decided"], "rounds", 1, 1),
    ):
        denominator = "players" if name == "score" else "games"
        if name != "score":
            yield histogram_mean(f"{name}_mean", counts, denominator=denominator, games=games, unit=unit, width=bins)
        for percent in (10, 50, 90):
            yield quantile(
                f"{name}_p{percent}", counts, percent / 100, denominator=denominator, games=games, unit=unit, width=bins, design_effect=effect
            )
    yield sample.game_share("shared_win_per_game", int(tally["winners"][2:].sum()), of=games)
    yield sample.game_share("decided_before_last_per_game", int(tally["decided"][: sample.rounds].sum()), of=games)
    ranks = tally["half_rank"]
    sole = int(ranks.sum())
    yield proportion("comeback_share", int(ranks[2:].sum()), sole, denominator="sole winners", games=sole, gate=sample.gate)
    yield proportion("comeback_from_last_share", int(ranks[sample.players]), sole, denominator="sole winners", games=sole, gate=sample.gate)
