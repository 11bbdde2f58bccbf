"""`numbluff check`: exit codes and outputs. The games are toy games: what counts here is what is made of their
tallies.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from numbluff_sim.analysis.studies.check.words import digits
from tests.games.num_bluff.synthetic import RATES, toy_sample

Numbluff = Callable[..., Any]

BASELINE = """
[check]
games = 400

[[claims]]
id = "epargne"
source = "rule 5"
text = { en = "Somebody is spared in 15.6 % of rounds" }
metric = "epargne_per_round"
margin = { low = 0.12, high = 0.19 }

[[claims]]
id = "bonus"
text = { en = "The bonus is rarer than L'Epargne" }
order = ["coup_de_maitre_bonus_per_round", "epargne_per_round"]

[[claims]]
id = "frequent_frappe"
text = { en = "A Frappe happens in every tenth round" }
overrides = { "rules.last_tie" = "random" }
metric = "frappe_parfaite_per_round"
margin = { low = 0.1 }
expected = "differs"
"""


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The configurations that were played; `wild_adjusts = "both"` makes Epargnes frequent in the toy game."""
    seen: list[Any] = []

    def simulate_tally(config: Any, **_: object) -> Any:
        seen.append(config)
        rates = RATES if config.rules.wild_adjusts == "hidden" else (0.0006, 0.0157, 0.085, 0.004, 0.4, 0.4, 0.0947)
        return toy_sample(config.run.games, config.run.seed, players=config.players, rates=rates).tally

    monkeypatch.setattr("numbluff_sim.run.playing.simulate_tally", simulate_tally)
    return seen


@pytest.fixture
def baseline(tmp_path: Path) -> Path:
    path = tmp_path / "own.toml"
    path.write_text(BASELINE, encoding="utf-8")
    return path


def test_check__as_expected_is_0(numbluff: Numbluff, played: list[Any], baseline: Path) -> None:
    done = numbluff("check", "--baseline", baseline)
    assert done.code == 0
    assert [config.rules.last_tie for config in played] == ["clockwise", "random"]  # claims share a run where they can
    assert all(text in done.out for text in ("12 %", "to 19 %", "4,800", "rule 5"))
    assert "holds" in done.out
    assert "differs" in done.out
    assert "(1 of 2)" in done.err


@pytest.mark.parametrize("width", [200, 160, 140, 120, 100, 80, 40])
def test_check__names_and_verdicts_are_whole_on_every_terminal(
    numbluff: Numbluff, played: list[Any], baseline: Path, monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    monkeypatch.setattr("numbluff_sim.cli.check.PLAIN_WIDTH", width)
    lines = numbluff("check", "--baseline", baseline).out.splitlines()
    assert max(map(len, lines)) <= width
    for name, verdict in (("epargne", "holds"), ("bonus:", "holds"), ("frequent_frappe", "differs")):
        assert [line for line in lines if re.search(rf"\b{name}(?!\w)", line)], name
        assert [line for line in lines if re.search(rf"\b{verdict}\b", line)], name
    assert ("┃" in "".join(lines)) == (width >= 120)
    assert " ".join(" ".join(lines).split()).endswith("All 3 verdicts are as the baseline expects.")


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (1.439e-05, "0.00001439"),
        (0.0001, "0.0001"),
        (100.0, "100"),
        (194840.77, "194800"),
        (-0.0, "-0"),
        (float("nan"), "nan"),
    ],
)
def test_digits__never_an_exponent(value: float, shown: str) -> None:
    assert digits(value, 4) == shown


def test_check__decided_against_expectation_is_1(
    numbluff: Numbluff, played: list[Any], baseline: Path, tmp_path: Path
) -> None:
    config = tmp_path / "both.toml"
    config.write_text('[rules]\nwild_adjusts = "both"\n', encoding="utf-8")
    done = numbluff("check", "--baseline", baseline, "--config", config, "--json")
    assert done.code == 1
    verdicts = {entry["claim"]: entry for entry in json.loads(done.out)["claims"]}
    assert verdicts["epargne"]["verdict"] == "differs"
    assert verdicts["epargne"]["expected"] == "holds"
    assert verdicts["bonus"]["as_expected"]
    assert {config.rules.wild_adjusts for config in played} == {"both"}


def test_check__set_does_the_same_as_a_file(numbluff: Numbluff, played: list[Any], baseline: Path) -> None:
    assert numbluff("check", "--baseline", baseline, "--set", "rules.wild_adjusts=both").code == 1


def test_check__later_looks_spend_less(numbluff: Numbluff, played: list[Any], baseline: Path) -> None:
    looks = [json.loads(numbluff("check", "--baseline", baseline, "--look", k, "--json").out) for k in (1, 2, 3)]
    assert [one["look_alpha"] for one in looks] == pytest.approx([0.01 / 2, 0.01 / 6, 0.01 / 12])
    assert [one["look"] for one in looks] == [1, 2, 3]
    widths = [one["claims"][0]["measured"]["high"] - one["claims"][0]["measured"]["low"] for one in looks]
    assert widths == sorted(widths)
    assert widths[0] < widths[2]


def test_check__inconclusive_after_few_games_is_3_and_names_no_number(
    numbluff: Numbluff, played: list[Any], baseline: Path
) -> None:
    done = numbluff("check", "--baseline", baseline, "--games", 10, "--json")
    assert done.code == 3
    entries = json.loads(done.out)["claims"]
    assert any(entry["verdict"] == "inconclusive" and entry["games_to_settle"] is None for entry in entries)
    assert all(config.run.games == 10 for config in played)
    out = numbluff("check", "--baseline", baseline, "--games", 10).out
    assert "10 games behind it are too few to say how many would settle it" in " ".join(out.split())
    assert re.search(r"of 3 verdicts are as the baseline expects; not so: .*\(inconclusive\)", out)


def test_check__json_states_interval_n_and_alpha(numbluff: Numbluff, played: list[Any], baseline: Path) -> None:
    result = json.loads(numbluff("check", "--baseline", baseline, "--json", "--seed", 5).out)
    assert (result["seed"], result["games"], result["family_alpha"], result["procedure"]) == (5, 400, 0.01, "Holm")
    measured = result["claims"][0]["measured"]
    assert measured["low"] < measured["value"] < measured["high"]
    assert (measured["n"], measured["denominator"], measured["games"]) == (4800, "rounds", 400)
    assert 0 < result["claims"][0]["alpha"] <= 0.01


def test_check__junit(numbluff: Numbluff, played: list[Any], baseline: Path, tmp_path: Path) -> None:
    path = tmp_path / "junit.xml"
    done = numbluff("check", "--baseline", baseline, "--set", "rules.wild_adjusts=both", "--junit", path)
    suite = ET.parse(path).getroot()
    assert done.code == 1
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("3", "1", "0")
    failure = suite.find("testcase[@name='epargne']/failure")
    assert failure is not None
    assert "margin 0.12 to 0.19" in str(failure.text)


def test_check__preset_of_a_file_replaces_that_of_claims(
    numbluff: Numbluff, played: list[Any], baseline: Path, tmp_path: Path
) -> None:
    config = tmp_path / "near.toml"
    config.write_text('base = "nearest"\n[table]\nplayers = 3\n', encoding="utf-8")
    numbluff("check", "--baseline", baseline, "--config", config)
    assert {(config.players, config.seats[0]) for config in played} == {(3, "nearest")}


def test_check__writes_a_baseline_that_then_holds(numbluff: Numbluff, played: list[Any], tmp_path: Path) -> None:
    path = tmp_path / "new.toml"
    written = numbluff("check", "--write-baseline", path, "--games", 400, "--set", "table.players=3", "--json")
    assert (written.code, json.loads(written.out)) == (0, {"baseline": str(path)})
    done = numbluff("check", "--baseline", path, "--seed", 2)
    assert done.code == 0, done.out
    assert {config.players for config in played} == {3}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--baseline", "documentd"], 'Did you mean "documented"?'),
        (["--games", "0"], "--games: run.games = 0"),
        (["--set", "rules.wild_adjust=both"], 'Did you mean "wild_adjusts"?'),
        (["--preset", "documentd"], 'Did you mean "documented"?'),
        (["--junit", "no/such/folder/junit.xml"], "its folder does not exist"),
        (["--write-baseline", "."], "this is a folder"),
    ],
)
def test_check__bad_usage_is_2_and_plays_nothing(
    numbluff: Numbluff, played: list[Any], arguments: list[str], message: str
) -> None:
    done = numbluff("check", *arguments)
    assert done.code == 2
    assert message in done.err
    assert done.out == ""
    assert played == []


def test_check__a_file_with_personas_and_a_deck_reaches_every_claim(
    numbluff: Numbluff, played: list[Any], baseline: Path, tmp_path: Path
) -> None:
    config = tmp_path / "mine.toml"
    config.write_text(
        '[deck.rainbow]\nreach = 1\n[play]\nseats = ["mine", "random", "random", "random"]\n'
        '[personas.mine]\nbase = "nearest"\nlies = { total = 0.4 }\n[run]\ngames = 9\n',
        encoding="utf-8",
    )
    numbluff("check", "--baseline", baseline, "--config", config)
    assert {config.seats for config in played} == {("mine", "random", "random", "random")}
    assert {config.personas["mine"].lies.total for config in played} == {0.4}
    assert {family.reach for config in played for family in config.deck.families if family.name == "rainbow"} == {1}
    assert {config.run.games for config in played} == {400}  # games count in the baseline and on the command line alone


def test_check__unknown_metric_is_2_and_plays_nothing(numbluff: Numbluff, played: list[Any], baseline: Path) -> None:
    baseline.write_text(
        BASELINE.replace('metric = "epargne_per_round"', 'metric = "epargnes_per_round"'), encoding="utf-8"
    )
    done = numbluff("check", "--baseline", baseline)
    assert done.code == 2
    assert 'Did you mean "epargne_per_round"?' in done.err
    assert str(baseline) in done.err
    assert played == []


@pytest.mark.parametrize(
    ("margin", "message"),
    [
        (
            "{ lo = 0.12 }",
            'unknown key claims[0].margin.lo (value 0.12); expected one of "low", "high". Did you mean "low"?',
        ),
        ("{ low = nan }", "claims[0].margin.low = nan cannot be used; expected a finite number."),
        ("{ low = inf }", "claims[0].margin.low = inf cannot be used; expected a finite number."),
        ('{ low = "x" }', 'claims[0].margin.low = "x" cannot be used; expected a finite number.'),
        ("3", "claims[0].margin = 3 cannot be used; expected a table with the keys low, high."),
    ],
)
def test_check__bad_margin_is_2_and_plays_nothing(
    numbluff: Numbluff, played: list[Any], baseline: Path, margin: str, message: str
) -> None:
    baseline.write_text(BASELINE.replace("{ low = 0.12, high = 0.19 }", margin), encoding="utf-8")
    done = numbluff("check", "--baseline", baseline)
    assert (done.code, done.err) == (2, f"Error: {baseline}: {message}\n")
    assert played == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[check]\ngames = 400\n", "key claims is missing; expected a list of one or more tables with the keys id"),
        (
            "[check]\nfamily_alpha = 1.0\nclaims = []\n",
            "check.family_alpha = 1.0 cannot be used; expected a finite number above 0 and below 1",
        ),
    ],
)
def test_check__broken_baseline_names_its_file(
    numbluff: Numbluff, played: list[Any], baseline: Path, text: str, message: str
) -> None:
    baseline.write_text(text, encoding="utf-8")
    done = numbluff("check", "--baseline", baseline)
    assert done.code == 2
    assert done.err.startswith(f"Error: {baseline}: {message}")


def test_check__lists_metrics(numbluff: Numbluff, played: list[Any]) -> None:
    assert ["frappe_parfaite_per_round", "share,", "of", "rounds"] in [
        line.split() for line in numbluff("check", "--list-metrics").out.splitlines()
    ]
    listed = json.loads(numbluff("check", "--list-metrics", "--set", "table.players=5", "--json").out)
    assert {"name": "seat_4_points", "unit": "points", "denominator": "games"} in listed
    assert played == []
