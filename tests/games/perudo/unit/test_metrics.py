"""Metrics of Perudo: by hand from games of the reference engine, against exact values, with intervals that hold."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from numbluff_sim.analysis.perudo.metric_words import WORDS
from numbluff_sim.analysis.perudo.metrics import BASELINE_METRICS, GROUPS, HEADLINE, METRICS
from numbluff_sim.analysis.perudo.rates import bin_middle
from numbluff_sim.analysis.perudo.sample import BINS, Sample
from numbluff_sim.config import load
from numbluff_sim.contract.registry import game
from numbluff_sim.i18n import LANGUAGES
from tests.games.perudo.made_up_runs import played, reference_run

LONGEST = 47


@pytest.fixture(scope="module")
def measured() -> tuple[Any, Any]:
    """300 games of four players: the records and their metrics."""
    _, records = played("documented", 4, 300)
    return records, METRICS.estimates(reference_run("documented", 4, 300))


def test_metrics__rates_by_hand(measured: tuple[Any, Any]) -> None:
    records, found = measured
    rounds = [entry for record in records for entry in record.rounds]
    bids = sum(len(entry.bids) for entry in rounds)
    assert found["rounds_per_game"].value == pytest.approx(len(rounds) / 300)
    assert found["bids_per_round"].value == pytest.approx(bids / len(rounds))
    assert found["challenge_per_bid"].value == pytest.approx(len(rounds) / bids)
    assert found["challenge_right_per_round"].value == pytest.approx(
        sum(not entry.bid_true for entry in rounds) / len(rounds)
    )
    palificos = [entry for entry in rounds if entry.palifico_seat is not None]
    assert found["palifico_per_round"].value == pytest.approx(len(palificos) / len(rounds))
    lost = sum(entry.loser == entry.palifico_seat for entry in palificos) / len(palificos)
    others = [entry for entry in rounds if entry.palifico_seat is None]
    other_lost = sum(entry.loser == entry.opener for entry in others) / len(others)
    assert found["palifico_lost_share"].value == pytest.approx(lost)
    assert found["palifico_minus_opener_lost"].value == pytest.approx(lost - other_lost)
    shown, dice = sum(entry.lifting.dice_shown for entry in rounds), sum(sum(entry.dice_before) for entry in rounds)
    assert found["dice_hidden_share"].value == pytest.approx(1 - shown / dice)


def test_metrics__games_by_hand(measured: tuple[Any, Any]) -> None:
    records, found = measured
    for seat in range(4):
        assert found[f"seat_{seat}_win_share"].value == pytest.approx(
            sum(record.winner == seat for record in records) / 300
        )
        assert found[f"seat_{seat}_first_out_share"].value == pytest.approx(
            sum(record.places[seat] == 4 for record in records) / 300
        )
    waits = [
        len(record.rounds) - next(e.number + 1 for e in record.rounds if record.places.index(4) in e.eliminated)
        for record in records
    ]
    assert found["idle_place_4"].value == pytest.approx(np.mean(waits))
    half = found["idle_place_4"].high - found["idle_place_4"].value
    assert half == pytest.approx(1.968 * np.std(waits, ddof=1) / math.sqrt(300), rel=0.01)


def test_metrics__two_left_is_seen_from_both_sides(measured: tuple[Any, Any]) -> None:
    _, found = measured
    seen = [
        (own, rival)
        for own in range(1, 6)
        for rival in range(1, 6)
        if found[f"two_left_{own}_v_{rival}_win_share"].defined
    ]
    assert len(seen) > 10
    for own, rival in seen:
        opens, second = (
            found[f"two_left_{own}_v_{rival}_win_share"],
            found[f"two_left_{rival}_v_{own}_second_win_share"],
        )
        assert opens.value == pytest.approx(1 - second.value)
        assert opens.n == second.n
    # one die against one: who loses the round loses the game
    assert found["two_left_1_v_1_win_share"].value == found["two_left_1_v_1_kept_share"].value


def test_calibration__counts_of_one_game_are_held_together() -> None:
    run = reference_run("documented", 4, 300)
    found = METRICS.estimates(run)
    rows = run.tally["calibration"]
    assert rows[:, 1].sum() == run.tally["moments"][0, 0]  # a challenge a round
    for bin_ in range(BINS):
        faced, challenged, both, true = (int(n) for n in rows[bin_, :4])
        if challenged:
            estimate = found[f"challenged_true_at_{bin_}"]
            assert (estimate.value, estimate.n) == (pytest.approx(both / challenged), challenged)
            assert estimate.low <= estimate.value <= estimate.high
        if faced:
            assert found[f"true_at_{bin_}"].value == pytest.approx(true / faced)
    assert bin_middle(0) == 0.025
    assert bin_middle(BINS - 1) == 0.975


def test_metrics__bids_seen_by_their_own_dice_alone_come_true_as_stated() -> None:
    """`one`: the opener bids (1, 1) whatever the dice, so that its chance for the next player is the true one."""
    run = reference_run("one", 2, 2000, table__dice=2)
    found = METRICS.estimators(run)
    for bin_ in range(BINS):
        estimate = found[f"challenged_true_at_{bin_}"].at(0.001)
        if estimate.n > 100:
            assert estimate.low - 0.025 <= bin_middle(bin_) <= estimate.high + 0.025


@pytest.mark.parametrize(
    ("preset", "players", "dice", "exact"),
    [
        ("one", 2, 1, (5 / 9, 4 / 9)),
        ("one", 3, 2, (0.345845, 0.254828, 0.399326)),
        ("third", 3, 3, (0.347849, 0.232602, 0.419549)),
    ],
)
def test_win_shares__intervals_hold_the_exact_values(
    preset: str, players: int, dice: int, exact: tuple[float, ...]
) -> None:
    """alpha 0.001 in all for each case."""
    found = METRICS.estimators(reference_run(preset, players, 2000, table__dice=dice))
    for seat, share in enumerate(exact):
        estimate = found[f"seat_{seat}_win_share"].at(0.001)
        assert estimate.low <= share <= estimate.high


def test_cups__one_die_against_one_lifts_five_thirds() -> None:
    estimate = METRICS.estimators(reference_run("one", 2, 2000, table__dice=1))["cups_lifted_per_round"].at(0.001)
    assert estimate.low <= 5 / 3 <= estimate.high


def test_gate_estimators__only_some_are_the_same() -> None:
    run = reference_run("documented", 3, 100)
    everything, some = METRICS.estimators(run), METRICS.estimators(run, {"palifico_per_round", "idle_share"})
    assert set(some) == {"palifico_per_round", "idle_share"}
    for name, estimator in some.items():
        assert estimator.at(0.01) == everything[name].at(0.01)


def test_seat_test__sees_no_difference_where_the_opener_is_drawn_evenly() -> None:
    result = METRICS.tests(reference_run("documented", 4, 300))["seat_win_chi_square"]
    assert result.df == 3
    assert 0 < result.p_value <= 1


@pytest.mark.parametrize("table", [{"table.players": 2}, {"table.players": 3, "table.dice": 1}, {"table.players": 6}])
@pytest.mark.parametrize("language", LANGUAGES)
def test_metric_label__every_metric_has_one_of_its_own(table: dict[str, Any], language: str) -> None:
    names = list(METRICS.known(load(overrides={"game": "perudo", **table})))
    labels = {name: WORDS.metric_label(name, language) for name in names}
    assert len(set(labels.values())) == len(names) > 100
    assert [
        label
        for label in labels.values()
        if len(label) > LONGEST or not label[0].isupper() or "{" in label or "_" in label
    ] == []


def test_metric_group__is_the_one_that_measures_it() -> None:
    seats = ["threshold", "random", "random", "random", "random", "random"]  # ways of playing have metrics of their own
    config = load(overrides={"game": "perudo", "table.players": 6, "play.seats": seats})
    zeros = {name: np.zeros(shape, np.int64) for name, shape in game("perudo").tally_shapes(config).items()}
    for group, measure in GROUPS.items():
        assert {WORDS.metric_group(estimator.name) for estimator in measure(Sample.of(config, zeros))} == {group}
        assert len({WORDS.group_label(group, language) for language in LANGUAGES}) == 2


def test_headline__those_that_the_configuration_has() -> None:
    for players in (2, 6):
        config = load(overrides={"game": "perudo", "table.players": players})
        assert set(METRICS.headline(config)) == set(HEADLINE) <= set(METRICS.known(config))
    assert set(BASELINE_METRICS) <= set(METRICS.known(load(overrides={"game": "perudo", "table.players": 6})))
