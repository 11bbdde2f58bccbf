"""Perudo's report on games of the reference engine: whole in both languages, findings that follow the values, claims
judged on their runs.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from numbluff_sim.analysis.perudo.findings import LIMITS, derived, find, tell
from numbluff_sim.analysis.perudo.sections import SECTIONS, report_page
from numbluff_sim.analysis.report.findings import FEWEST, MOST, Limit, choose
from numbluff_sim.analysis.report.making import BalanceReport, make_report
from numbluff_sim.analysis.report.measured_runs import LabelledRun, Study, measure
from numbluff_sim.analysis.report.model import Picture, Table
from numbluff_sim.analysis.report.ways_of_playing import AHEAD
from numbluff_sim.i18n import LANGUAGES, balance_catalogue
from tests.games.num_bluff.unit.test_report_pages import Outline
from tests.games.perudo.made_up_runs import reference_run

ALPHA = 0.05
OUT = Path("results/report")


def some_runs() -> list[SimpleNamespace]:
    return [
        *(reference_run("documented", players, 150) for players in (2, 3, 6)),
        reference_run("random", 4, 150),
        reference_run("one", 3, 600, table__dice=2),
    ]


@cache
def whole_report(language: str) -> BalanceReport:
    return make_report(some_runs(), language, OUT)


#: Pages are made in French by `make test`, for it says all in longer words, and in English too by `make thorough`.
MADE_IN = ["fr", pytest.param("en", marks=pytest.mark.thorough)]


@pytest.fixture(scope="module", params=MADE_IN)
def made(request: pytest.FixtureRequest) -> BalanceReport:
    return whole_report(request.param)


@pytest.fixture(scope="module")
def outline(made: BalanceReport) -> Any:
    return Outline(made.rendered.files["index.html"].decode())  # type: ignore[no-untyped-call]


def pictures(made: BalanceReport) -> Iterator[Picture]:
    return (block for section in made.page.sections for block in section.blocks if isinstance(block, Picture))


def test_page__whole_in_itself_with_every_section(made: BalanceReport, outline: Any) -> None:
    assert outline.references == ["data:,"]
    assert outline.language == made.page.language
    assert len(outline.ids) == len(set(outline.ids))
    assert {target[1:] for target in outline.targets} <= set(outline.ids)
    assert len(made.page.sections) == len(SECTIONS) == 9
    assert [image["role"] for image in outline.images] == ["img"] * len(
        [picture for picture in pictures(made) if picture.draw]
    )
    assert "Perudo" in made.page.title
    assert not re.search(r"\bnan\b|∞", outline.text.lower())


def test_french_page__has_no_english_sentence() -> None:
    page = Outline(whole_report("fr").rendered.files["index.html"].decode()).text  # type: ignore[no-untyped-call]
    english, french = (balance_catalogue("numbluff_sim.games.perudo:report", language).texts for language in LANGUAGES)
    pieces = {
        piece.strip() for key, text in english.items() if text != french[key] for piece in re.split(r"\{\w+\}", text)
    }
    assert sorted(piece for piece in pieces if len(piece) > 12 and piece in page) == []


def test_files__every_picture_has_its_numbers_with_interval_n_and_denominator(made: BalanceReport) -> None:
    files, found = made.rendered.files, list(pictures(made))
    assert len(found) >= 10
    for picture in found:
        assert files[f"figures/{picture.name}.png"].startswith(b"\x89PNG")
        records = json.loads(files[f"data/{picture.name}.json"])
        assert len(list(csv.DictReader(io.StringIO(files[f"data/{picture.name}.csv"].decode())))) == len(records) > 0
        for record in records:
            assert {"value", "low", "high", "level", "n", "denominator", "method"} <= set(record), picture.name


def test_heat_map__holds_both_sides_of_every_position(made: BalanceReport) -> None:
    records = [
        record for record in json.loads(made.rendered.files["data/two_left.json"]) if record["run"] == "threshold"
    ]
    by_place = {(record["own"], record["rival"], record["opens"]): record["value"] for record in records}
    assert len(by_place) > 8
    for (own, rival, opens), value in by_place.items():
        assert by_place[rival, own, not opens] == pytest.approx(1 - value)


@pytest.mark.thorough
def test_page__same_bytes_each_time() -> None:
    assert make_report(some_runs(), "fr", OUT).rendered.files == whole_report("fr").rendered.files


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("games", [1, 20])
def test_page__hardly_any_games_still_give_a_page(games: int, language: str) -> None:
    page = make_report([reference_run("documented", 3, games)], language, OUT)
    text = Outline(page.rendered.files["index.html"].decode()).text  # type: ignore[no-untyped-call]
    assert "nan" not in text.lower().split()
    assert "∞" not in text


def test_page__two_players_have_nothing_from_three_to_two() -> None:
    page = report_page([reference_run("documented", 2, 150)], "en", OUT)
    weaker = next(section for section in page.sections if section.name == "weaker")
    assert weaker.answer == balance_catalogue("numbluff_sim.games.perudo:report", "en").text(
        "sections.weaker_none.answer"
    )
    assert [block.name for block in weaker.blocks if isinstance(block, Picture)] == []


def test_labels__name_rulings_and_table(made: BalanceReport, undrawn: None) -> None:
    table = next(block for block in made.page.sections[0].blocks if isinstance(block, Table))
    assert [head.split("\n")[0] for head in table.head] == [
        "",
        "threshold",
        "threshold",
        "threshold",
        "random",
        "one, dice = 2",
    ]
    other = make_report([reference_run("documented", 3, 100, rules__palifico=False)], "en", OUT)
    assert "threshold, without Palifico" in other.rendered.files["index.html"].decode()


def test_claims__judged_on_the_run_made_for_them(made: BalanceReport) -> None:
    claims = {claim["claim"]: claim for claim in made.claims}
    assert set(claims) == {"one_3x2_seat_1", "one_3x2_seat_2", "one_3x2_seat_3", "one_3x2_rounds"}
    assert {claim["verdict"] for claim in claims.values()} == {"inconclusive"}  # 600 games are few for 0.3 points
    for claim in claims.values():
        assert claim["low"] < claim["margin"]["high"]
        assert claim["high"] > claim["margin"]["low"]


class AsGiven(LabelledRun):
    """A run whose intervals are those given, whatever the level."""

    def at(self, alpha: float) -> LabelledRun:
        return self


def measured(**values: tuple[float, float]) -> LabelledRun:
    """A run of four players with some intervals put in the place of its own."""
    (one,) = measure([reference_run("documented", 4, 150)], ALPHA)
    estimates = {
        name: replace(one.estimates[name], value=(low + high) / 2, low=low, high=high)
        for name, (low, high) in values.items()
    }
    return AsGiven(one.run, one.label, {**one.estimates, **estimates}, one.tests, one.sample)


CASES: dict[str, tuple[dict[str, tuple[float, float]], dict[str, tuple[float, float]]]] = {
    "first_to_one_is_lost": ({"comeback_share": (0.01, 0.02)}, {"comeback_share": (0.12, 0.2)}),
    "first_to_one_comes_back": ({"comeback_share": (0.2, 0.25)}, {"comeback_share": (0.1, 0.2)}),
    "players_wait": ({"idle_place_4": (9.0, 9.2)}, {"idle_place_4": (1.0, 1.2)}),
    "seat_unfair": ({"seat_0_win_share": (0.3, 0.4)}, {f"seat_{p}_win_share": (0.24, 0.26) for p in range(4)}),
    "seats_are_even": ({f"seat_{p}_win_share": (0.249, 0.251) for p in range(4)}, {"seat_0_win_share": (0.3, 0.4)}),
    "palifico_swings": (
        {"two_left_palifico_v_2_win_share": (0.5, 0.6), "two_left_1_v_2_win_share": (0.2, 0.3)},
        {"two_left_palifico_v_2_win_share": (0.3, 0.4), "two_left_1_v_2_win_share": (0.2, 0.3)},
    ),
    "palifico_protects": ({"palifico_minus_opener_lost": (-0.1, -0.05)}, {"palifico_minus_opener_lost": (-0.1, 0.0)}),
    "palifico_exposes": ({"palifico_minus_opener_lost": (0.05, 0.1)}, {"palifico_minus_opener_lost": (0.0, 0.1)}),
    "opening_helps_weaker": (
        {"two_left_1_v_2_win_share": (0.25, 0.26), "two_left_1_v_2_second_win_share": (0.2, 0.21)},
        {"two_left_1_v_2_win_share": (0.2, 0.26), "two_left_1_v_2_second_win_share": (0.2, 0.21)},
    ),
    "opening_hurts_weaker": (
        {"two_left_1_v_2_win_share": (0.1, 0.15), "two_left_1_v_2_second_win_share": (0.2, 0.21)},
        {"two_left_1_v_2_win_share": (0.2, 0.26), "two_left_1_v_2_second_win_share": (0.2, 0.21)},
    ),
    "opening_costs_even": ({"two_left_1_v_1_win_share": (0.48, 0.488)}, {"two_left_1_v_1_win_share": (0.48, 0.5)}),
    "opening_pays_even": ({"two_left_1_v_1_win_share": (0.52, 0.53)}, {"two_left_1_v_1_win_share": (0.48, 0.5)}),
    "weaker_is_lost": ({"weaker_win_share": (0.1, 0.2)}, {"weaker_win_share": (0.2, 0.3)}),
    "bidding_is_short": ({"bids_per_round": (1.5, 1.6)}, {"bids_per_round": (1.9, 2.1)}),
    "challengers_are_right": ({"challenge_right_per_round": (0.65, 0.7)}, {"challenge_right_per_round": (0.5, 0.7)}),
    "challengers_are_wrong": ({"challenge_right_per_round": (0.3, 0.35)}, {"challenge_right_per_round": (0.3, 0.5)}),
    "dice_stay_hidden": ({"dice_hidden_share": (0.3, 0.4)}, {"dice_hidden_share": (0.2, 0.3)}),
    "dice_are_shown": ({"dice_hidden_share": (0.02, 0.03)}, {"dice_hidden_share": (0.05, 0.15)}),
}


@pytest.mark.parametrize("finding", CASES)
def test_findings__come_and_go_with_the_values(finding: str) -> None:
    here, gone = CASES[finding]
    assert finding in {found.limit.finding for found in find([measured(**here)])}
    assert finding not in {found.limit.finding for found in find([measured(**gone)])}


def test_findings__each_has_a_case() -> None:
    assert {limit.finding for limit in LIMITS} == {*CASES, AHEAD.finding}  # that one: test_mixed_seats


def mixed() -> SimpleNamespace:
    return reference_run("documented", 3, 150, play__seats=("threshold", "random", "random"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_findings__every_limit_can_be_told(language: str) -> None:
    """Each finding's text, in both languages, with the numbers of a run: no placeholder is left over or missing."""
    everything = {name: value for here, _ in CASES.values() for name, value in here.items()}
    runs = [measured(**everything), *measure([mixed()], ALPHA)]
    study = Study(balance_catalogue("numbluff_sim.games.perudo:report", language), ALPHA, runs)
    always = [Limit(limit.finding, limit.metric, "above", -1e9, limit.severity) for limit in LIMITS]
    told = [tell(study, finding) for finding in find(runs, always)]
    assert {text.name for text in told} == {limit.finding for limit in LIMITS}
    for text in told:
        assert "{" not in text.title + text.text + text.evidence
        assert text.record["runs"][0]["n"] > 0


def test_findings__name_limits_that_exist() -> None:
    one = measured(
        two_left_1_v_2_win_share=(0.2, 0.3),
        two_left_1_v_2_second_win_share=(0.2, 0.3),
        two_left_palifico_v_2_win_share=(0.3, 0.4),
    )
    (other,) = measure([mixed()], ALPHA)
    known = {*one.estimates, *derived(one), *derived(other)}
    assert [limit.metric for limit in LIMITS if limit.metric not in known] == []


def test_findings__three_to_six_stand_first() -> None:
    first, more = choose(find(measure(some_runs(), ALPHA)))
    assert FEWEST <= len(first) <= MOST
    assert "first_to_one_is_lost" in {finding.limit.finding for finding in first}
    assert not {finding.limit.finding for finding in first} & {finding.limit.finding for finding in more}
