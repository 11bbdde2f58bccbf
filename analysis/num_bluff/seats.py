"""What a seat is worth, scores, and how games run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from numbluff_sim.analysis.metrics.personas import personas
from numbluff_sim.analysis.metrics.seat_gaps import equal_seats, largest_gap, seat_points, win_shares
from numbluff_sim.analysis.num_bluff.choices import points_of_all
from numbluff_sim.analysis.num_bluff.sample import Sample
from numbluff_sim.analysis.statistics.clusters import GAMES, PER_GAME, Combination
from numbluff_sim.analysis.statistics.estimates import SHARE_DIFFERENCE, Estimator, TestResult
from numbluff_sim.analysis.statistics.intervals import histogram_mean, mean, proportion, quantile
from numbluff_sim.contract.game import SeatResult
from numbluff_sim.games.num_bluff.tally import seat_results


def seats(sample: Sample) -> Iterator[Estimator]:
    """Win share and points by seat, simultaneous over the seats; where all seats play the same also the gap between the
    best and the worst seat, and the seat left of the first bluffer (seat 1) against the mean of all.
    """
    players, games = sample.players, sample.games
    results = seat_results(players)
    most = float(sample.deck_points * sample.rounds)
    yield from win_shares(sample, results)
    yield from seat_points(sample, results, most)
    if sample.personas:
        return  # seats that play differently are not compared
    for name, each, unit, limit in (
        ("win_share", [seat.win for seat in results], SHARE_DIFFERENCE, 1.0),
        ("points", _points(results), "points", most),
    ):
        left: Combination = {
            variable: ((p == 1) - 1 / players) * weight
            for p, got in enumerate(each)
            for variable, weight in got.items()
        }
        yield mean(
            f"left_of_first_bluffer_minus_mean_{name}",
            sample.every.ratio(left, PER_GAME),
            n=games,
            denominator="games",
            games=games,
            unit=unit,
            within=(-limit, limit),
        )
        yield largest_gap(f"seat_{name}_gap", sample.every, each, games=games, unit=unit, most=limit)


def ways_of_playing(sample: Sample) -> Iterator[Estimator]:
    """Win share and points of every way of playing, where seats play differently."""
    return personas(sample, sample.personas, seat_results(sample.players), float(sample.deck_points * sample.rounds))


def _points(results: Sequence[SeatResult]) -> list[Combination]:
    return [seat.points for seat in results if seat.points is not None]


def seat_tests(sample: Sample) -> dict[str, TestResult]:
    """Wald chi-square tests of equal seats: wins and points; none where seats play differently."""
    if sample.personas:
        return {}
    results = seat_results(sample.players)
    tests = (
        ("seat_win_chi_square", "all seats win equally often", [seat.win for seat in results]),
        ("seat_points_chi_square", "all seats score equally much", _points(results)),
    )
    return {name: equal_seats(sample, name, hypothesis, each) for name, hypothesis, each in tests}


def course(sample: Sample) -> Iterator[Estimator]:
    """Scores, margins, ties for the win, lead changes, comebacks, when games are decided.

    "Before the last round" means the last planned one: a game cut short (T8) counts as decided before it.
    """
    tally, games, width = sample.tally, sample.detail_games, sample.bin_width
    pooled = tally["score"].sum(axis=0)
    average = sample.every.ratio(points_of_all(sample.players), {GAMES: float(sample.players)})
    most = float(sample.deck_points * sample.rounds)
    yield mean(
        "score_mean",
        average,
        n=sample.games * sample.players,
        denominator="players",
        games=sample.games,
        unit="points",
        within=(0.0, most),
    )
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
                f"{name}_p{percent}",
                counts,
                percent / 100,
                denominator=denominator,
                games=games,
                unit=unit,
                width=bins,
                design_effect=effect,
            )
    yield sample.game_share("shared_win_per_game", int(tally["winners"][2:].sum()), of=games)
    yield sample.game_share("decided_before_last_per_game", int(tally["decided"][: sample.rounds].sum()), of=games)
    ranks = tally["half_rank"]
    sole = int(ranks.sum())
    yield proportion(
        "comeback_share", int(ranks[2:].sum()), sole, denominator="sole winners", games=sole, gate=sample.gate
    )
    yield proportion(
        "comeback_from_last_share",
        int(ranks[sample.players]),
        sole,
        denominator="sole winners",
        games=sole,
        gate=sample.gate,
    )
