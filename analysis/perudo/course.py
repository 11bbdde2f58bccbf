"""How games run: seats, comebacks, eliminations and waiting, two players left, Palifico."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from numbluff_sim.analysis.metrics.personas import personas
from numbluff_sim.analysis.metrics.seat_gaps import equal_seats, largest_gap, win_shares
from numbluff_sim.analysis.perudo.sample import Sample
from numbluff_sim.analysis.statistics.clusters import Combination, ValueWithError
from numbluff_sim.analysis.statistics.estimates import SHARE_DIFFERENCE, Estimator, TestResult
from numbluff_sim.analysis.statistics.intervals import histogram_mean, mean, shares
from numbluff_sim.games.perudo.tally import seat_results

#: Columns of the tallies `duel` and `three_to_two`: rounds, the opener lost no die, the opener won the game.
ROUNDS, KEPT, WON = range(3)


def seats(sample: Sample) -> Iterator[Estimator]:
    """Win share by seat, who is out first; where all seats play the same also the gap between the best and the worst,
    and the first opener's win share.
    """
    players, games = sample.players, sample.detail_games
    results = seat_results(players)
    yield from win_shares(sample, results)
    if not sample.personas:
        wins = [seat.win for seat in results]
        yield largest_gap("seat_win_share_gap", sample.every, wins, games=sample.games, unit=SHARE_DIFFERENCE, most=1.0)
        yield sample.game_share("first_opener_win_share", sample.total(f"win_{sample.first_opener}"))
    for name, counts in (
        ("first_out", sample.tally["place"][:, players]),
        ("first_to_one", sample.tally["to_one_seat"]),
    ):
        yield from shares([f"seat_{p}_{name}_share" for p in range(players)], counts, denominator="games", games=games)


def ways_of_playing(sample: Sample) -> Iterator[Estimator]:
    """Win share of every way of playing, where seats play differently."""
    return personas(sample, sample.personas, seat_results(sample.players))


def seat_tests(sample: Sample) -> dict[str, TestResult]:
    """A Wald chi-square test of equal seats; none where seats play differently."""
    if sample.personas:
        return {}
    name = "seat_win_chi_square"
    wins = [seat.win for seat in seat_results(sample.players)]
    return {name: equal_seats(sample, name, "all seats win equally often", wins)}


def comebacks(sample: Sample) -> Iterator[Estimator]:
    """What is left for who comes down to one die first; the winner's dice."""
    first = sample.total("to_one")
    yield sample.game_share(
        "comeback_share", sample.total("comeback"), of=first, denominator="games with a player on one die"
    )
    yield sample.game_share("won_from_one_share", sample.total("won_from_one"))
    places = sample.tally["to_one_place"][1:]
    yield from shares(
        [f"first_to_one_place_{place}_share" for place in range(1, sample.players + 1)],
        places,
        denominator="games with a player on one die",
        games=sample.detail_games,
    )
    yield sample.per_game("winner_dice_mean", "winner_dice", unit="dice", most=sample.dice)
    yield from shares(
        [f"winner_with_{dice}_dice_share" for dice in range(1, sample.dice + 1)],
        sample.tally["winner_dice"][1 : sample.dice + 1],
        denominator="games",
        games=sample.detail_games,
    )


def eliminations(sample: Sample) -> Iterator[Estimator]:
    """When players are out, and how many rounds they wait for the end."""
    players, games = sample.players, sample.detail_games
    yield sample.per_game("idle_per_game", "idle", unit="rounds", most=float(sample.rounds * (players - 2)))
    seats_rounds = sample.total("rounds") * players
    yield sample.ratio(
        "idle_share",
        {"idle": 1.0},
        {"rounds": float(players)},
        n=seats_rounds,
        denominator="player-rounds",
        unit="share",
        most=1.0,
    )
    for place in range(players, 1, -1):
        yield histogram_mean(
            f"out_round_place_{place}",
            sample.tally["out_round"][place],
            denominator="games",
            games=games,
            unit="rounds",
        )
        if place > 2:  # the second place is out in the last round
            yield _idle_mean(sample, place)


def _idle_mean(sample: Sample, place: int) -> Estimator:
    """Mean rounds that the player of a place sat out: one player a game."""
    count, total, squares = (int(stat) for stat in sample.tally["idle_rounds"][place])
    value = total / count if count else math.nan
    error = math.sqrt(max(squares / count - value**2, 0.0) / (count - 1)) if count > 1 else math.nan
    return mean(
        f"idle_place_{place}",
        ValueWithError(value, error),
        n=count,
        denominator="games",
        games=count,
        unit="rounds",
        within=(0.0, float(sample.rounds)),
        method="mean of games, Student t",
    )


def two_left(sample: Sample) -> Iterator[Estimator]:
    """Two players left, by dice of both: wins of the opener and of the other, the opener's rounds without loss. No
    position comes twice a game.
    """
    duel, dice = sample.tally["duel"], range(1, sample.dice + 1)
    for own in dice:
        for rival in dice:
            stats = duel[own, rival, 0]
            yield sample.detail_share(
                f"two_left_{own}_v_{rival}_win_share", stats[WON], stats[ROUNDS], denominator="positions"
            )
            yield sample.detail_share(
                f"two_left_{own}_v_{rival}_kept_share", stats[KEPT], stats[ROUNDS], denominator="positions"
            )
            seen = duel[rival, own, 0]
            second = seen[ROUNDS] - seen[WON]
            yield sample.detail_share(
                f"two_left_{own}_v_{rival}_second_win_share", second, seen[ROUNDS], denominator="positions"
            )
    for rival in dice:
        stats = duel[1, rival, 1]
        yield sample.detail_share(
            f"two_left_palifico_v_{rival}_win_share", stats[WON], stats[ROUNDS], denominator="positions"
        )
        yield sample.detail_share(
            f"two_left_palifico_v_{rival}_kept_share", stats[KEPT], stats[ROUNDS], denominator="positions"
        )


def three_to_two(sample: Sample) -> Iterator[Estimator]:
    """The step from three players to two with unequal dice (R14): who opens, who wins."""
    unequal = sample.total("weaker")
    where = "games with unequal dice at two left"
    yield sample.game_share("weaker_per_game", unequal)
    yield sample.game_share("even_two_per_game", sample.total("even_two"))
    yield sample.game_share("weaker_opens_share", sample.total("weaker_opened"), of=unequal, denominator=where)
    yield sample.game_share("weaker_kept_share", sample.total("weaker_won_round"), of=unequal, denominator=where)
    yield sample.game_share("weaker_win_share", sample.total("weaker_won"), of=unequal, denominator=where)
    table = sample.tally["three_to_two"].sum(axis=2)
    own, rival = np.indices(table.shape[:2])
    opens, waits = table[own < rival].sum(axis=0), table[own > rival].sum(axis=0)
    yield sample.detail_share("weaker_opening_win_share", opens[WON], opens[ROUNDS], denominator=where)
    yield sample.detail_share("weaker_waiting_win_share", waits[ROUNDS] - waits[WON], waits[ROUNDS], denominator=where)


def palifico(sample: Sample) -> Iterator[Estimator]:
    """Palifico rounds: how many, who loses them, what the Palifico's chances are (R15-R18). Every player is Palifico
    once at most.
    """
    rounds, where = sample.total("palifico_rounds"), "palifico rounds"
    yield sample.per_game("palifico_per_game", "palifico_rounds", unit="rounds", most=float(sample.players))
    yield sample.share_of("palifico_lost_share", "palifico_lost", {"palifico_rounds": 1.0}, denominator=where)
    lost: tuple[Combination, Combination] = ({"palifico_lost": 1.0}, {"palifico_rounds": 1.0})
    others: tuple[Combination, Combination] = (
        {"opener_lost": 1.0, "palifico_lost": -1.0},
        {"rounds": 1.0, "palifico_rounds": -1.0},
    )
    yield sample.ratio(
        "other_opener_lost_share",
        *others,
        n=sample.total("rounds") - rounds,
        denominator="other rounds",
        unit="share",
        most=1.0,
    )
    yield mean(
        "palifico_minus_opener_lost",
        sample.every.ratio_difference(lost, others),
        n=rounds,
        denominator=where,
        games=sample.games,
        unit=SHARE_DIFFERENCE,
        within=(-1.0, 1.0),
    )
    for players in range(2, sample.players + 1):
        count, lost_count, _, won = sample.tally["palifico"][players]
        effect = float(players)
        yield sample.detail_share(
            f"palifico_{players}_left_lost_share", lost_count, count, denominator=where, design_effect=effect
        )
        yield sample.detail_share(
            f"palifico_{players}_left_win_share", won, count, denominator=where, design_effect=effect
        )
