"""What ways of playing bring: bluffing, honesty, fusing, the roles of a round."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from numbluff_sim.analysis.metrics.tally_reader import ROUNDS
from numbluff_sim.analysis.num_bluff.sample import Sample
from numbluff_sim.analysis.statistics import skewed
from numbluff_sim.analysis.statistics.clusters import ClusterSums, Combination, ValueWithError
from numbluff_sim.analysis.statistics.estimates import Estimator
from numbluff_sim.analysis.statistics.intervals import bounded_mean, mean, proportion
from numbluff_sim.games.num_bluff.code_names import LIE_NAMES

BLUFFER: Combination = {"bluffer_honest": 1.0, "bluffer_lying": 1.0}
LIES: Combination = {"lies_total": 1.0, "lies_family": 1.0}
HONEST: Combination = {"rounds": 1.0, "lies_total": -1.0, "lies_family": -1.0}
POSITIONS = ("bluffer", "closest", "farthest", "exact_winner", "other")
SIDES = ("single", "fusion")
Rate = tuple[Combination, Combination]


def points_of_all(players: int) -> Combination:
    """The points of all seats together."""
    return {f"score_{seat}": 1.0 for seat in range(players)}


@dataclass(frozen=True)
class RoundKind:
    """Points of one kind of round: the name of their mean, points and rounds as combinations, how many rounds, what
    they are called.
    """

    name: str
    points: Combination
    rounds: Combination
    n: int
    denominator: str

    @property
    def rate(self) -> Rate:
        """Points and rounds."""
        return self.points, self.rounds


def contrast(sample: Sample, sums: ClusterSums, first: RoundKind, second: RoundKind, name: str) -> Iterator[Estimator]:
    """Mean points of two kinds of rounds, and their difference with the covariance between them (n: that of the
    rarer kind).
    """
    rates = [sums.ratio(*kind.rate) for kind in (first, second)]
    both = [
        mean(
            kind.name,
            rate,
            n=kind.n,
            denominator=kind.denominator,
            games=sums.games,
            unit="points",
            within=(0.0, sample.deck_points),
        )
        for kind, rate in zip((first, second), rates, strict=True)
    ]
    yield from both
    difference = sums.ratio_difference(first.rate, second.rate)
    yield skewed.contrast(name, both[0], both[1], (rates[0].error, rates[1].error, difference.error))


def bluffing(sample: Sample) -> Iterator[Estimator]:
    """Bluffer against the others, honest against lying announcements, lies seen through."""
    rounds = sample.total("rounds")
    everyone = points_of_all(sample.players)
    others: Combination = {**everyone, **dict.fromkeys(BLUFFER, -1.0)}
    yield from contrast(
        sample,
        sample.every,
        RoundKind("bluffer_points_per_round", BLUFFER, ROUNDS, rounds, "rounds"),
        RoundKind(
            "other_points_per_round", others, {"rounds": float(sample.others)}, rounds * sample.others, "player-rounds"
        ),
        "bluffer_minus_other_points",
    )
    yield sample.per_round("lies_total_per_round", "lies_total")
    yield sample.per_round("lies_family_per_round", "lies_family")
    yield sample.per_round("lies_per_round", "lies_total", "lies_family")
    lying_rounds = sample.total(*LIES)
    yield from contrast(
        sample,
        sample.every,
        RoundKind("honest_points_per_round", {"bluffer_honest": 1.0}, HONEST, rounds - lying_rounds, "honest rounds"),
        RoundKind("lying_points_per_round", {"bluffer_lying": 1.0}, LIES, lying_rounds, "rounds with a lie"),
        "honest_minus_lying_points",
    )
    for kind, (count, points, squares, disproved, heard) in zip(LIE_NAMES, sample.tally["announced"], strict=True):
        label = "honest" if kind == "none" else f"lie_{kind}"
        if kind != "none":
            yield counted_mean(
                sample,
                f"{label}_points_per_round",
                count,
                points,
                squares,
                denominator="rounds",
                effect=sample.round_effect,
            )
        yield proportion(
            f"{label}_disproved_share",
            int(disproved),
            int(heard),
            denominator="player-rounds",
            games=sample.detail_games,
            design_effect=sample.players * sample.round_effect,
            gate=sample.gate,
        )


def counted_mean(
    sample: Sample, name: str, count: int, total: int, squares: int, *, denominator: str, effect: float
) -> Estimator:
    """Mean points from a count, a sum and a sum of squares over rounds, the variance of independent rounds times a
    design effect.
    """
    n = int(count)
    value = int(total) / n if n else math.nan
    error = (
        math.sqrt(max(int(squares) / n - value**2, 0.0) * effect / (n - 1))
        if n > 1
        else math.nan
        if n == 0
        else math.inf
    )
    return mean(
        name,
        ValueWithError(value, error),
        n=n,
        denominator=denominator,
        games=min(sample.detail_games, n),
        unit="points",
        within=(0.0, sample.deck_points),
        method=f"normal, n / {effect:.3g} (design effect)",
    )


def fusing(sample: Sample) -> Iterator[Estimator]:
    """What a fusion costs and brings, against a single hidden card (non-bluffers).

    `single_points` is over all rounds without a fusion; those with nothing to hide (empty_hand = "visible_only") bring
    no points there.
    """
    yield sample.per_player_round("fusion_per_player_round", "fusions", sample.players)
    detail, games, effect = sample.detail, sample.detail_games, sample.player_effect
    singles: Combination = {"rounds": float(sample.others), "fusion_sides": -1.0}
    counts = [round(games * detail.mean(combination)) for combination in ({"fusion_sides": 1.0}, singles)]
    yield from contrast(
        sample,
        detail,
        RoundKind("fusion_points", {"fusion_points": 1.0}, {"fusion_sides": 1.0}, counts[0], "fusions"),
        RoundKind("single_points", {"single_points": 1.0}, singles, counts[1], "player-rounds without a fusion"),
        "fusion_minus_single_points",
    )
    for fused, side in enumerate(SIDES):
        count, exact, _, risked, _ = (int(stat) for stat in sample.tally["side"][0, fused])
        denominator = "fusions" if fused else "single cards"
        yield proportion(
            f"{side}_exact_share",
            exact,
            count,
            denominator=denominator,
            games=games,
            design_effect=effect,
            gate=sample.gate,
        )
        yield bounded_mean(
            f"{side}_points_at_risk",
            risked / count if count else math.nan,
            sample.highest_card * (fused + 1),
            n=count,
            denominator=denominator,
            games=min(games, count),
            unit="points",
            design_effect=effect,
        )


def roles(sample: Sample) -> Iterator[Estimator]:
    """Mean points gained in a round by position; the bluffer's from every game."""
    yield mean(
        f"{POSITIONS[0]}_gain",
        sample.every.ratio(BLUFFER, ROUNDS),
        n=sample.total("rounds"),
        denominator="player-rounds",
        games=sample.games,
        unit="points",
        within=(0.0, sample.deck_points),
    )
    for position, (count, points, squares) in list(zip(POSITIONS, sample.tally["role_points"], strict=True))[1:]:
        yield counted_mean(
            sample, f"{position}_gain", count, points, squares, denominator="player-rounds", effect=sample.player_effect
        )
