"""The page of a sweep: what its findings say, in both languages, of sweeps of a function whose answer is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from numbluff_sim.analysis.report.model import Page, Paragraph, Picture, Table
from numbluff_sim.analysis.report.page import render
from numbluff_sim.analysis.statistics.estimates import ALPHA, Estimate, Estimator
from numbluff_sim.analysis.statistics.intervals import difference
from numbluff_sim.analysis.statistics.sensitivity import Index
from numbluff_sim.analysis.studies.question.points import Point
from numbluff_sim.analysis.studies.question.targets import Target, Targets
from numbluff_sim.analysis.studies.sweep.data import KeyEffect, ShownPoint, SweepData, SweptAxis
from numbluff_sim.analysis.studies.sweep.figures_of_findings import tornado
from numbluff_sim.analysis.studies.sweep.page import sweep_page
from numbluff_sim.analysis.studies.sweep.words import SweepWords
from numbluff_sim.i18n import LANGUAGES
from numbluff_sim.studies.question.axes import Axis
from numbluff_sim.studies.question.designs import Design
from numbluff_sim.studies.sweep.study import Evaluated, tabulate

FRAPPE, POT = "frappe_parfaite_per_round", "pot_after_mean"
AXES = (
    Axis("deck.rainbow.reach", "whole", low=1, high=4),
    Axis("table.hand_size", "choice", (2, 3, 4)),
    Axis("rules.master_bonus", "choice", (True, False)),
)
BASE = {"deck.rainbow.reach": 3, "table.hand_size": 3, "rules.master_bonus": True}


def estimators(values: Mapping[str, Any], half: float = 0.0004) -> dict[str, Estimator]:
    """Frappe rises by 0.002 a step of reach, the pot by 5 without the bonus and 1 a card of the hand."""
    frappe = 0.01 + 0.002 * values["deck.rainbow.reach"]
    pot = 20.0 + values["table.hand_size"] + 5.0 * (not values.get("rules.master_bonus", True))
    return {
        name: Estimator(
            name,
            value,
            1200,
            "rounds",
            "normal",
            unit,
            100,
            lambda alpha, value=value, reach=reach: (value - reach, value + reach),
        )
        for name, value, unit, reach in ((FRAPPE, frappe, "share", half), (POT, pot, "points", 0.2))
    }


def swept(
    folder: Path,
    kind: str,
    targets: Mapping[str, Target],
    *,
    refuse: int = -1,
    half: float = 0.0004,
    axes_: Sequence[Axis] = AXES,
) -> SweepData:
    """A sweep of the function; keys that it does not know change nothing."""
    base = {axis.key: BASE.get(axis.key, axis.value(0)) for axis in axes_}
    design = Design(kind, tuple(axes_), base, 8 if kind == "sobol" else 0, 1)
    shown: list[ShownPoint] = []
    effects: dict[str, list[KeyEffect]] = {FRAPPE: [], POT: []}
    judging = Targets(targets) if targets else None

    def evaluate(point: Point) -> Evaluated:
        if point.number == refuse:
            return Evaluated("", 0, dict, refused="the deck is too small")
        found = estimators(point.values, half)
        estimates: dict[str, Estimate] = {name: one.at(ALPHA) for name, one in found.items()}
        shown.append(ShownPoint(point, estimates, judging.judge(found).distance if judging else None))
        if point.changes == 1:
            key = next(key for key, value in point.values.items() if value != base[key])
            for name in effects:
                effects[name].append(
                    KeyEffect(key, point.values[key], difference(name, found[name], estimators(BASE)[name]).at(ALPHA))
                )
        return Evaluated(f"{point.number:016x}", 100, lambda: found)

    results = tabulate(design, evaluate, [FRAPPE, POT], judging, folder)
    axes = tuple(SweptAxis(axis.key, tuple(axis.values()), base[axis.key], axis.numeric) for axis in axes_)
    return SweepData(
        "num_bluff",
        "documented",
        4,
        kind,
        100,
        1,
        design.count,
        design.samples,
        axes,
        (FRAPPE, POT),
        judging,
        results,
        shown,
        effects,
        check="numbluff check --config x/best.toml",
        best_file="x/best.toml",
    )


def blocks(page: Page, kind: type) -> dict[str, Any]:
    return {block.name: block for section in page.sections for block in section.blocks if isinstance(block, kind)}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", ["grid", "one_at_a_time", "sobol"])
def test_page__renders_every_design_in_both_languages(tmp_path: Path, kind: str, language: str) -> None:
    page = sweep_page(
        swept(tmp_path, kind, {FRAPPE: Target(low=0.0115, high=0.0125)}, refuse=2), language, "numbluff sweep x.toml"
    )
    files = render(page).files
    html = files["index.html"].decode()
    assert "the deck is too small" in html
    assert "{" not in "".join(finding.title + finding.text + finding.evidence for finding in page.findings)
    expected = {
        "grid": {"lines_1", "map_1", "map_distance", "tornado_1", "pareto"},
        "one_at_a_time": {"lines_1_1", "tornado_1", "pareto"},
        "sobol": {"pareto"},
    }[kind]  # indices need every sample
    assert expected <= set(blocks(page, Picture))
    assert {f"figures/{name}.png" for name in expected} <= set(files)


def test_findings__the_smallest_change_that_meets_the_targets(tmp_path: Path) -> None:
    data = swept(tmp_path, "grid", {FRAPPE: Target(low=0.0115, high=0.0125), POT: Target(low=27.5, high=28.5)})
    first = sweep_page(data, "en", "x").findings[0]
    assert first.title == "All targets are met with rainbow.reach = 1, without the bonus"
    assert "1 of 24 points does" in first.text
    assert first.record["changed"] == {"deck.rainbow.reach": 1, "rules.master_bonus": False}


def test_findings__of_equal_numbers_of_changes_the_shorter_step_is_the_smaller_one(tmp_path: Path) -> None:
    data = swept(tmp_path, "grid", {FRAPPE: Target(low=0.0115, high=0.0145)})  # reach 1 and 2 both meet it
    assert sweep_page(data, "en", "x").findings[0].title == "All targets are met with rainbow.reach = 2"


def test_findings__met_by_value_alone(tmp_path: Path) -> None:
    data = swept(tmp_path, "grid", {FRAPPE: Target(low=0.0115, high=0.0125)}, half=0.002)
    first = sweep_page(data, "fr", "x").findings[0]
    assert first.title == "Tous les objectifs sont atteints avec rainbow.reach = 1, mais sans certitude"
    assert first.severity == 2


def test_findings__nothing_meets_and_what_is_out_of_reach(tmp_path: Path) -> None:
    page = sweep_page(swept(tmp_path, "grid", {FRAPPE: Target(low=0.03, high=0.04), POT: Target(high=25)}), "en", "x")
    assert page.findings[0].title == "No point has all values inside the targets; the nearest is rainbow.reach = 4"
    assert page.findings[1].title == "Out of reach here: Frappe Parfaite, share of rounds"
    assert [finding.severity for finding in page.findings[:2]] == [3, 3]


@pytest.mark.parametrize(
    ("language", "title", "decide"),
    [
        ("en", "Within reach or not, undecided: Frappe Parfaite, share of rounds", "games of the point would decide."),
        ("fr", "Portée indécise : Frappe Parfaite, part des rounds", "parties de ce point trancheraient."),
    ],
)
def test_findings__a_target_nearly_met_is_not_out_of_reach(
    tmp_path: Path, language: str, title: str, decide: str
) -> None:
    """The nearest value of 1.8 % may well be one of the 1.81 % wanted: how many games decide is said."""
    data = swept(tmp_path, "grid", {FRAPPE: Target(low=0.0181, high=0.04)})
    first, second = sweep_page(data, language, "x").findings[:2]
    assert second.title.replace("\N{NO-BREAK SPACE}", " ").replace("\u202f", " ") == title
    assert second.record["finding"] == "not_decided"
    assert second.record["low"] < 0.0181 < second.record["high"]
    games = second.record["games_to_decide"]
    assert games > 100  # those played at every point
    for text in (first.text, second.text):
        assert text.replace("\u202f", " ").replace("\N{NO-BREAK SPACE}", " ").endswith(decide)
    assert second.severity == 2


def test_findings__the_base_itself(tmp_path: Path) -> None:
    data = swept(tmp_path, "grid", {FRAPPE: Target(low=0.0155, high=0.0165)})
    assert sweep_page(data, "en", "x").findings[0].title == "The base itself meets all targets"


def test_findings__which_key_moves_what_without_targets(tmp_path: Path) -> None:
    data = swept(tmp_path, "one_at_a_time", {})
    frappe, pot = sweep_page(data, "en", "x").findings
    assert "Changed alone, rainbow.reach moves it most: −0.40\u00a0pp (rainbow.reach = 1)." in frappe.text
    assert "bonus of the Coup de Maître moves it most: +5.0 (without the bonus)." in pot.text


def test_findings__sobol_names_the_key_with_the_largest_share(tmp_path: Path) -> None:
    data = swept(tmp_path, "sobol", {})
    frappe, pot = sweep_page(data, "en", "x").findings
    assert frappe.text.startswith("rainbow.reach comes out first")  # 8 base samples
    assert pot.text.startswith("bonus of the Coup de Maître comes out first")
    table = blocks(sweep_page(data, "en", "x"), Table)["sobol"]
    assert [row[1] for row in table.rows[:1]] == ["rainbow.reach"]
    sure = {
        key: Index(one.value, one.value - 0.1, one.value + 0.1)
        for key, one in data.results.sensitivities[0].total.items()
    }
    data.results.sensitivities[0] = replace(data.results.sensitivities[0], total=sure)
    assert sweep_page(data, "en", "x").findings[0].text.startswith("rainbow.reach accounts for most of it")


def test_front__is_told_with_distance_intervals_and_states(tmp_path: Path) -> None:
    data = swept(tmp_path, "grid", {FRAPPE: Target(low=0.0115, high=0.0125), POT: Target(low=27.5, high=28.5)})
    table = blocks(sweep_page(data, "en", "x"), Table)["front"]
    assert [row[0] for row in table.rows] == [
        "the base itself",
        "without the bonus",
        "rainbow.reach = 1, without the bonus",
    ]  # 5.7, 3.5, 0 away
    assert [record["changes"] for record in table.records] == [0, 1, 2]
    assert table.rows[-1][2] == "0"
    assert table.rows[-1][-1] == "met"


#: Two keys more than a map can show; the answer needs a change of one that it does not show.
FIVE = (
    Axis("deck.rainbow.reach", "whole", low=1, high=4),
    Axis("table.hand_size", "whole", low=2, high=4),
    Axis("deck.shadow.reach", "whole", low=1, high=3),
    Axis("rules.master_bonus", "choice", (True, False)),
    Axis("rules.wild_adjusts", "choice", ("hidden", "both")),
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_maps__of_the_targets_stand_at_the_best_point(tmp_path: Path, language: str) -> None:
    data = swept(
        tmp_path, "grid", {FRAPPE: Target(low=0.0115, high=0.0125), POT: Target(low=27.5, high=28.5)}, axes_=FIVE
    )
    page = sweep_page(data, language, "x")
    assert data.results.best is not None
    assert data.results.best.point.values["rules.master_bonus"] is False
    pictures = blocks(page, Picture)
    for name in ("map_distance", "map_1", "map_2", "lines_1"):
        records = pictures[name].records
        assert {record["rules.master_bonus"] for record in records} == {False}, name
        assert {record["rules.wild_adjusts"] for record in records} == {"hidden"}, name
        assert any(
            all(record[key] == value for key, value in data.results.best.point.values.items()) for record in records
        ), name
    caption = pictures["map_distance"].caption
    assert (
        "The dark frame marks the best point: rainbow.reach = 1, without the bonus"
        if language == "en"
        else "Le cadre sombre marque"
    ) in caption
    assert ("The base lies outside this map." if language == "en" else "La base est hors de cette carte.") in caption
    assert (
        "All else as in the point that meets the targets best" if language == "en" else "Le reste comme au point"
    ) in caption


def test_maps__a_key_with_too_many_values_stands_at_one_of_them(tmp_path: Path) -> None:
    axes = (Axis("deck.rainbow.reach", "whole", low=1, high=20), *FIVE[1:3])
    data = swept(tmp_path, "grid", {FRAPPE: Target(low=0.0495, high=0.0505)}, axes_=axes)
    records = blocks(sweep_page(data, "en", "x"), Picture)["map_distance"].records
    assert len(records) == 9
    assert {record["deck.rainbow.reach"] for record in records} == {20}


def test_findings__keys_that_were_never_changed_alone_are_not_said_to_move_nothing(tmp_path: Path) -> None:
    axes = (Axis("deck.rainbow.reach", "choice", (1, 2)), *AXES[1:])  # the base's 3 is not among them
    texts = [finding.text for finding in sweep_page(swept(tmp_path, "grid", {}, axes_=axes), "en", "x").findings]
    assert texts[1] == (
        "Lowest with rainbow.reach = 1, hand_size = 2, highest with rainbow.reach = 1, hand_size = 4, "
        "without the bonus."
    )


def test_targets__the_page_names_the_command_that_confirms(tmp_path: Path) -> None:
    page = sweep_page(swept(tmp_path, "grid", {FRAPPE: Target(low=0.0115, high=0.0125)}), "en", "x")
    assert (
        "To confirm rainbow.reach = 1 with fresh deals: numbluff check --config x/best.toml"
        in render(page).files["index.html"].decode()
    )
    page = sweep_page(swept(tmp_path, "grid", {FRAPPE: Target(low=0.5)}), "en", "x")
    assert "The nearest point stands in x/best.toml" in render(page).files["index.html"].decode()


@pytest.mark.parametrize(
    ("language", "ends", "rough"),
    [
        ("en", "100% of the variance (66–100%)", "That is rough: points = 8 is too few for a share"),
        ("fr", "(66–100\u202f%)", "C'est approximatif"),
    ],
)
def test_sobol__shares_are_told_within_what_is_possible(tmp_path: Path, language: str, ends: str, rough: str) -> None:
    data = swept(tmp_path, "sobol", {})
    wild = {
        "deck.rainbow.reach": Index(1.04, 0.66, 1.43),
        "table.hand_size": Index(-0.02, -0.1, 0.05),
        "rules.master_bonus": Index(0.0, 0.0, 0.0),
    }
    data.results.sensitivities[:] = [replace(one, first=wild, total=wild) for one in data.results.sensitivities]
    page = sweep_page(data, language, "x")
    assert ends in page.findings[0].text
    assert rough in page.findings[0].text
    table = blocks(page, Table)["sobol"]
    assert table.records[0]["total_high"] == 1.43
    assert ("104%" if language == "en" else "104\u202f%") in table.rows[0][3]
    assert "indices" in blocks(page, Picture)
    assert any(
        ("wider than 30%" if language == "en" else "dépassent 30\u202f%") in block.text
        for section in page.sections
        for block in section.blocks
        if isinstance(block, Paragraph)
    )


def test_tornado__largest_effect_first(tmp_path: Path) -> None:
    data = swept(tmp_path, "one_at_a_time", {})
    words = SweepWords.of(data, "en")

    def effect(key: str, value: object, difference: float) -> KeyEffect:
        known = data.effects[POT][0].difference
        return KeyEffect(key, value, replace(known, value=difference, low=difference - 0.1, high=difference + 0.1))

    effects = [
        effect("deck.rainbow.reach", 1, -0.5),
        effect("deck.rainbow.reach", 4, 1.0),
        effect("rules.refill_after_fusion", True, -3.2),
        effect("rules.master_bonus", False, -2.4),
    ]
    picture = tornado(words, POT, effects, "tornado_1")
    assert picture.caption.startswith("Largest effect first; the largest: a draw after a fusion (−3.2")
    assert picture.draw is not None
    (axes,) = picture.draw().axes
    labels = [" ".join(label.get_text().split()) for label in axes.get_yticklabels()]
    assert labels == ["draw after a fusion", "bonus of the Coup de Maître", "rainbow.reach"]
