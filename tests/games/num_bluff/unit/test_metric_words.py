"""Labels and groups of NUM BLUFF's metrics in both languages."""

from __future__ import annotations

from typing import Any

import pytest

from numbluff_sim.analysis.num_bluff.metric_words import WORDS
from numbluff_sim.analysis.num_bluff.metrics import GROUPS, HEADLINE, METRICS
from numbluff_sim.analysis.num_bluff.sample import Sample
from numbluff_sim.config import load
from numbluff_sim.i18n import LANGUAGES
from tests.games.num_bluff.synthetic import empty_tally

LONGEST = 47
TABLES = [
    {"table.players": 3},
    {"table.players": 4, "table.hand_size": 5, "table.turns_as_bluffer": 1},
    {"table.players": 5},
    {"table.players": 6},
]


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_metric_label__every_metric_has_one_of_its_own(table: dict[str, Any], language: str) -> None:
    names = list(METRICS.known(load(overrides=table)))
    labels = {name: WORDS.metric_label(name, language) for name in names}
    assert len(set(labels.values())) == len(names) > 100
    assert [
        label
        for label in labels.values()
        if len(label) > LONGEST or not label[0].isupper() or "{" in label or "_" in label
    ] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_denominator_label__every_metric_says_what_its_n_counts(language: str) -> None:
    found = {
        metric.denominator: WORDS.denominator_label(metric.denominator, language)
        for metric in METRICS.known(load()).values()
    }
    assert len(found) > 10
    assert len(set(found.values())) == len(found)


def test_metric_label__in_the_games_own_terms() -> None:
    assert WORDS.metric_label("frappe_parfaite_per_round", "en") == "Frappe Parfaite, share of rounds"
    assert WORDS.metric_label("frappe_parfaite_per_round", "fr") == "Frappe Parfaite, part des rounds"
    assert WORDS.metric_label("pot_mean_round_5", "en") == "Pot after round 5, mean"
    assert WORDS.metric_label("pot_p50_round_12", "fr") == "Cagnotte après le round 12, médiane"
    assert WORDS.metric_label("pot_won_mean_any", "en") == "Pot when won, mean"


def test_metric_label__seats_count_from_one_as_in_the_report() -> None:
    assert WORDS.metric_label("seat_0_win_share", "en") == "Seat 1, share of wins"
    assert WORDS.metric_label("seat_5_points", "fr") == "Place 6, points par partie"


@pytest.mark.parametrize(
    "name",
    ["", "frappe_parfaite", "seat_x_win_share", "pot_mean_round_", "pot_p20_round_1", "frappe_parfaite_per_round_"],
)
def test_metric_label__refuses_what_is_no_metric(name: str) -> None:
    with pytest.raises(KeyError):
        WORDS.metric_label(name, "en")


def test_metric_group__is_the_one_that_measures_it() -> None:
    sample = Sample(empty_tally(6, 18), 6, 18, 1, 16, 816, personas={"nearest": (0, 1, 2), "liar": (3, 4, 5)})
    for group, measure in GROUPS.items():
        assert {WORDS.metric_group(estimator.name) for estimator in measure(sample)} == {group}
        assert len({WORDS.group_label(group, language) for language in LANGUAGES}) == 2


def test_headline__those_that_the_configuration_has() -> None:
    for players in (3, 6):
        config = load(overrides={"table.players": players})
        chosen = METRICS.headline(config)
        assert set(chosen) == set(HEADLINE) <= set(METRICS.known(config))
        assert 20 <= len(chosen) <= 30
