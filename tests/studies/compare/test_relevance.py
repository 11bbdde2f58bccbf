"""Whether a difference matters: relevant, negligible or open, and what tables are sorted by."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from numbluff_sim.analysis.statistics.estimates import Estimate
from numbluff_sim.analysis.statistics.paired import Effect
from numbluff_sim.analysis.statistics.relevance import Relevance, relevance, smallest_relevant
from numbluff_sim.analysis.studies.compare.page import comparison_page
from numbluff_sim.analysis.studies.compare.result import Comparison, VariantResult
from numbluff_sim.analysis.studies.compare.words import ComparisonWords, by_impact, headline
from numbluff_sim.errors import ConfigError
from numbluff_sim.i18n import LANGUAGES
from numbluff_sim.studies.compare.study import judged


def effect(metric: str, difference: float, half: float, deviation: float = 10.0, unit: str = "points") -> Effect:
    def estimate(value: float) -> Estimate:
        return Estimate(metric, value, value - half, value + half, 0.95, 1000, "games", "normal", unit, 1000)

    return Effect(
        metric,
        estimate(5.0),
        estimate(5.0 + difference),
        estimate(difference),
        (difference - half, difference + half),
        0.001,
        True,
        difference / deviation if deviation else math.nan,
        math.nan,
    )


@pytest.mark.parametrize(
    ("difference", "half", "expected"),
    [
        (2.0, 0.5, Relevance.RELEVANT),
        (-2.0, 0.5, Relevance.RELEVANT),
        (1.2, 0.5, Relevance.OPEN),
        (0.8, 0.5, Relevance.OPEN),
        (0.0, 5.0, Relevance.OPEN),
        (0.3, 0.5, Relevance.NEGLIGIBLE),
        (-0.3, 0.5, Relevance.NEGLIGIBLE),
        (0.0, 0.0, Relevance.NEGLIGIBLE),
        (0.0, math.inf, Relevance.OPEN),
    ],
)
def test_relevance__by_the_simultaneous_interval(difference: float, half: float, expected: Relevance) -> None:
    assert relevance(effect("seat_points_gap", difference, half), 1.0) is expected


def test_smallest__said_or_a_tenth_of_the_spread() -> None:
    assert smallest_relevant(effect("x", 2.0, 0.1), 0.25) == 0.25
    assert smallest_relevant(effect("x", -2.0, 0.1), None) == pytest.approx(1.0)
    assert math.isnan(smallest_relevant(effect("x", 2.0, 0.1, deviation=0.0), None))
    assert relevance(effect("x", 2.0, 0.1), math.nan) is Relevance.OPEN


def comparison() -> Comparison:
    def variant(name: str, *effects: Effect) -> VariantResult:
        return VariantResult(name, "", {}, [], name, 1, effects, None, False)

    first = variant("first", effect("seat_points_gap", 0.4, 0.1, 1.0), effect("score_mean", 0.5, 0.1, 10.0))
    second = variant("second", effect("seat_points_gap", 0.2, 0.1, 1.0), effect("score_mean", 3.0, 0.1, 10.0))
    headline = ["seat_points_gap", "score_mean"]
    return Comparison("compare", "num_bluff", "documented", "d", 4, 1, 1000, 64, headline, [first, second])


def test_sort__by_size_by_a_metric_and_by_relevance() -> None:
    made = comparison()
    assert [one.name for one in by_impact(made)] == ["first", "second"]
    assert [one.name for one in by_impact(judged(made, {}, "score_mean"))] == ["second", "first"]
    relevant = judged(made, {"seat_points_gap": 1.0, "score_mean": 1.0}, "relevance")
    assert [one.name for one in by_impact(relevant)] == ["second", "first"]
    assert [e.metric for e in headline(relevant, relevant.variants[1])] == ["score_mean", "seat_points_gap"]
    assert [relevant.relevance(e) for e in relevant.variants[1].effects] == [Relevance.NEGLIGIBLE, Relevance.RELEVANT]
    rows = {(row["variant"], row["metric"]): row["relevance"] for row in relevant.rows()}
    assert rows["second", "score_mean"] == "relevant"
    assert rows["first", "score_mean"] == "negligible"


@pytest.mark.parametrize("language", LANGUAGES)
def test_page__says_what_matters_and_from_where(language: str) -> None:
    made = judged(comparison(), {"score_mean": 1.0})
    words = ComparisonWords.of(made, language, 0.05)
    said = words.relevance(made.variants[1].effects[1])
    assert said == {"en": "relevant (matters from 1 on)", "fr": "notable (compte à partir de 1)"}[language]
    tables = {
        block.name: block
        for section in comparison_page(made, language, "x").sections
        for block in section.blocks
        if hasattr(block, "rows")
    }
    assert said in [row[-1] for row in tables["headline_2"].rows]


@pytest.mark.parametrize(
    ("said", "sort", "message"),
    [
        ({"seat_point_gap": 1.0}, "", r'"seat_point_gap" is no metric .* Did you mean "seat_points_gap"\?'),
        (
            {"score_mean": 0.0},
            "",
            r"0.0 is no smallest difference of score_mean that matters; expected a number above 0",
        ),
        ({"score_mean": math.nan}, "", "expected a number above 0"),
        ({}, "score", r'"score" is no metric'),
    ],
)
def test_judged__refuses_what_it_cannot_hold_against(said: dict[str, float], sort: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        judged(comparison(), said, sort)


def test_comparison__keeps_what_matters_in_its_file() -> None:
    made = replace(comparison(), relevant={"score_mean": 1.0}, sort="relevance")
    assert (made.to_json()["relevant"], made.to_json()["sort"]) == ({"score_mean": 1.0}, "relevance")


@pytest.mark.parametrize(
    ("language", "said"), [("en", "+16.0\N{NO-BREAK SPACE}pp"), ("fr", "+16,0\N{NO-BREAK SPACE}pp")]
)
def test_findings__a_share_that_doubles_is_told_in_percentage_points(language: str, said: str) -> None:
    def estimate(value: float) -> Estimate:
        return Estimate("x", value, value - 0.001, value + 0.001, 0.95, 9, "rounds", "normal", "share", 9)

    name = "frappe_parfaite_per_round"
    doubled = replace(effect(name, 0.16, 0.001), base=estimate(0.16), variant=estimate(0.32), difference=estimate(0.16))
    points = effect("score_mean", 5.0, 0.1, 0.1)
    variant = VariantResult("v", "", {}, [], "v", 1, [points, doubled], None, False)
    made = Comparison("compare", "num_bluff", "documented", "d", 4, 1, 1000, 64, [name, "score_mean"], [variant])
    words = ComparisonWords.of(made, language, 0.05)
    assert words.change_told(doubled) == said
    told = comparison_page(made, language, "x").findings[0]
    assert said in told.title + told.text
    assert "100" not in told.title + told.text.replace("10.0", "")
