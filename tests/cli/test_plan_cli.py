"""`numbluff plan` as a user calls it, and whether its plans come true."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

import pytest

from numbluff_sim.analysis.statistics.sequential import Precision
from numbluff_sim.analysis.studies.until.result import Rule
from numbluff_sim.config import load
from numbluff_sim.studies.plan.study import plan
from numbluff_sim.studies.until.study import simulate_tally_until

Call = Callable[..., Any]
SMALL = ("--pilot", "200000", "--threads", "1")
FRAPPE = Precision("frappe_parfaite_per_round", 0.05, relative=True)


def test_plan__table_of_precisions(numbluff: Call) -> None:
    done = numbluff("plan", *SMALL, "--until", "frappe_parfaite:5%", "--until", "seat_1_win_share:0.001")
    assert done.code == 0, done.err
    assert "Pilot: 200,000 games, 4 players, seed 1, in " in done.out
    assert "on 1 thread of this machine" in done.out
    for text in (
        "frappe_parfaite_per_round:5%",
        "seat_1_win_share:0.001",
        "stops itself",
        "Half-widths of 95 % intervals",
    ):
        assert text in done.out


@pytest.mark.parametrize("columns", [60, 100, 150])
def test_plan__names_and_numbers_are_whole_on_narrow_terminals(
    numbluff: Call, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setattr("numbluff_sim.cli.plan.PLAIN_WIDTH", columns)
    done = numbluff("plan", *SMALL, "--until", "frappe_parfaite:1%", "--detect", "seat_1_win_share:0.01")
    assert "…" not in done.out
    for text in ("frappe_parfaite_per_round:1%", "seat_1_win_share:0.01", "stops itself", "in compare"):
        assert text in done.out
    assert max(map(len, done.out.splitlines())) <= columns


def test_plan__same_games_whatever_the_machine(numbluff: Call) -> None:
    def games(*more: str) -> list[tuple[Any, Any]]:
        made = json.loads(numbluff("plan", "--pilot", "200000", "--until", "frappe_parfaite:5%", "--json", *more).out)
        return [(one["fixed_games"], one["until_games"]) for one in made["precisions"]]

    assert games("--threads", "1") == games("--threads", "2")


def test_plan__comes_true() -> None:
    """A fixed run of the planned size is as precise as asked, and a run that stops itself stops within two looks of
    the plan.
    """
    config = load()
    made = plan(config, [FRAPPE], games=400_000).precisions[0]
    assert made.fixed_games is not None
    assert made.until_games is not None
    half = 1.96 * math.sqrt(0.0158 * (1 - 0.0158) / (12 * made.fixed_games))
    assert half / 0.0158 == pytest.approx(0.05, rel=0.05)
    _, stopped = simulate_tally_until(config, Rule((FRAPPE,)))
    assert made.until_games == pytest.approx(stopped.games, rel=0.22)
    assert made.fixed_seconds is not None
    assert made.until_seconds is not None
    assert 0 < made.fixed_seconds < made.until_seconds


def test_plan__never_seen_gives_a_bound(numbluff: Call) -> None:
    made = json.loads(
        numbluff(
            "plan", *SMALL, "--until", "recycles_per_game:10%", "--until", "lying_points_per_round:1", "--json"
        ).out
    )
    never, undefined = made["precisions"]
    assert never["at_least"]
    assert "never seen in the pilot" in never["note"]
    # at most 1 - 0.025^(1 / 200,000) of the games have one, and z^2 (1 / p - 1) / 0.1^2 games are needed then
    assert never["fixed_games"] == pytest.approx(1.96**2 / 0.1**2 * 200_000 / -math.log(0.025), rel=0.03)
    assert (undefined["fixed_games"], undefined["until_games"]) == (None, None)
    assert "undefined" in undefined["note"]
    text = numbluff("plan", *SMALL, "--until", "recycles_per_game:10%").out
    assert "over " in text


def test_plan__difference_without_a_variant_follows_the_formula(numbluff: Call) -> None:
    made = json.loads(numbluff("plan", *SMALL, "--detect", "seat_1_win_share:0.01", "--power", "0.8", "--json").out)
    one = made["detections"][0]
    variance = 0.246 * (1 - 0.246)  # a share of wins, ties aside
    expected = (1.998341 + 0.848893) ** 2 * 2 * variance / 0.01**2
    assert one["games"] == pytest.approx(expected, rel=0.06)
    assert (one["paired"], one["saved"]) == (False, None)
    assert one["games_in_compare"] > 2 * one["games"]
    assert one["seconds"] > 0


def test_plan__variant_on_the_same_deals_needs_fewer_games(numbluff: Call) -> None:
    """Without the bonus of the Coup de Maitre everything but the pot stays as it was: pairing must show in the
    scores.
    """
    call = ("plan", *SMALL, "--detect", "seat_1_points:0.5", "--json")
    alone = json.loads(numbluff(*call).out)["detections"][0]
    made = json.loads(numbluff(*call, "--set", "rules.master_bonus=false").out)
    paired = made["detections"][0]
    assert len(made["pilots"]) == 2
    assert made["pilots"][0]["digest"] != made["pilots"][1]["digest"]
    assert paired["paired"]
    assert paired["saved"] > 1.2
    assert paired["games"] < alone["games"]


def test_plan__precision_is_that_of_the_variant(numbluff: Call) -> None:
    made = json.loads(
        numbluff("plan", *SMALL, "--until", "frappe_parfaite:5%", "--set", "rules.wild_adjusts=both", "--json").out
    )
    base = json.loads(numbluff("plan", *SMALL, "--until", "frappe_parfaite:5%", "--json").out)
    assert made["precisions"][0]["measured"]["value"] > 1.15 * base["precisions"][0]["measured"]["value"]
    assert made["precisions"][0]["fixed_games"] < base["precisions"][0]["fixed_games"]


@pytest.mark.parametrize("asked", ["frappe_parfaite:1e-12%", "frappe_parfaite:1e-310%", "frappe_parfaite:1e-320%"])
@pytest.mark.parametrize("option", ["--until", "--detect"])
def test_plan__more_games_than_a_run_can_have_is_said(numbluff: Call, option: str, asked: str) -> None:
    done = numbluff("plan", *SMALL, option, asked)
    assert done.code == 0, done.err
    assert "more than the most games of one run (100,000,000,000)" in " ".join(done.out.split())


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ((), "there is nothing to plan"),
        (("--until", "frappe_parfaite:5%", "--preset", "documentd"), "documentd"),
        (("--until", "frape_parfaite:5%"), '--until: "frape_parfaite" is not a metric'),
        (("--detect", "frappe_parfaite"), '--detect: "frappe_parfaite" says no precision'),
        (("--detect", "frappe_parfaite:5%", "--power", "1"), "--power"),
        (("--detect", "frappe_parfaite:5%", "--alpha", "0"), "--alpha"),
        (
            ("--until", "frappe_parfaite:5%", "--alpha", "1e-300"),
            "--alpha: alpha = 1e-300 is too small; expected at least 1e-09",
        ),
        (("--until", "frappe_parfaite:5%", "--pilot", "10"), "--pilot"),
        (("--until", "frappe_parfaite:5%", "--set", "rules.wild_adjust=both"), "wild_adjusts"),
    ],
)
def test_plan__refused_with_2(numbluff: Call, args: tuple[str, ...], said: str) -> None:
    done = numbluff("plan", *args)
    assert (done.code, done.out) == (2, "")
    assert said in done.err
