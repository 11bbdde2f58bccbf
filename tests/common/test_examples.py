"""The shipped examples do what their comments and their table say.

The table of docs/examples/README.md: every key of a persona moves a number of the game. Each row plays two personas
that differ in that key alone, at all four seats, 16,384 games with one fixed seed; their 99.9 % intervals (alpha =
0.001 for each) must lie apart. The seed being fixed, so is the result.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from numbluff_sim.analysis.metrics.measured import MeasuredRun
from numbluff_sim.analysis.num_bluff.metrics import METRICS
from numbluff_sim.analysis.statistics.estimates import Estimate
from numbluff_sim.analysis.studies.check.baselines import load_baseline
from numbluff_sim.config import load
from numbluff_sim.games.num_bluff.config import NumBluffConfig, Persona
from numbluff_sim.games.num_bluff.rules_section import EVENT_NAMES
from numbluff_sim.kernels.common.jit import COMPILED
from numbluff_sim.run.playing import simulate_tally
from numbluff_sim.studies.check.study import run_check
from numbluff_sim.studies.sweep.asked import read_sweep

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
CONFIGURATIONS = sorted(path.name for path in EXAMPLES.glob("*.toml") if "baseline" not in path.name)
FEATURES = EXAMPLES / "features.toml"
ALPHA = 0.001
TABLES = ("weights", "bluffer", "lies", "option")


def table_rows() -> list[tuple[str, ...]]:
    """Key, persona, the one it stands on, statistic, before, after."""
    text = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([a-z_.]+)` \| `(\w+)` \| `(\w+)` \| `(\w+)` \| (.+?) \| (.+?) \|$", text, re.MULTILINE)
    assert rows
    return rows


def flat(persona: Persona) -> dict[str, Any]:
    """Every key of a persona, dotted."""
    data = persona.model_dump()
    return {
        f"{key}.{inner}" if key in TABLES else key: value
        for key, table in data.items()
        for inner, value in (table if key in TABLES else {key: table}).items()
    }


def playing(persona: str) -> NumBluffConfig:
    """A persona of features.toml at every seat."""
    config = load(FEATURES, overrides={"play.seats": [persona]})
    assert isinstance(config, NumBluffConfig)
    return config


@cache
def measured(persona: str) -> dict[str, Estimate]:
    """All metrics of that."""
    config = playing(persona)
    return METRICS.estimates(MeasuredRun(config, simulate_tally(config)), ALPHA)


def shown(estimate: Estimate) -> str:
    """Value and interval as the table has them."""
    value, low, high = (
        f"{number:.3%}" if estimate.unit == "share" else f"{number:.2f}"
        for number in (estimate.value, estimate.low, estimate.high)
    )
    return f"{value} ({low} to {high})"


def test_table__has_every_key_of_a_persona() -> None:
    assert sorted(row[0] for row in table_rows()) == sorted(flat(Persona()))


@pytest.mark.parametrize("row", table_rows(), ids=lambda row: row[0])
def test_table__personas_differ_in_the_key_alone(row: tuple[str, ...]) -> None:
    key, name, base, *_ = row
    before, after = (flat(playing(persona).seat_personas[0]) for persona in (base, name))
    assert [k for k, value in after.items() if value != before[k]] == [key]


@pytest.mark.skipif(not COMPILED, reason="plays half a million games")
@pytest.mark.parametrize("row", table_rows(), ids=lambda row: row[0])
def test_table__the_key_moves_the_statistic_by_more_than_its_interval(row: tuple[str, ...]) -> None:
    _, name, base, statistic, before, after = row
    plain, changed = measured(base)[statistic], measured(name)[statistic]
    assert plain.high < changed.low or changed.high < plain.low
    assert (before, after) == (shown(plain), shown(changed))


@pytest.mark.skipif(not COMPILED, reason="plays as many games as a user would")
@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_configuration__plays(name: str) -> None:
    config = load(EXAMPLES / name, overrides={"run.games": 640})
    tally = simulate_tally(config)
    assert tally["games"] == 640
    assert 640 <= tally["moments"][0, 0] <= 640 * config.rounds
    assert config.game != "num_bluff" or tally["moments"][0, 0] == 640 * config.rounds


def test_small_deck__is_what_it_says() -> None:
    families = {family.name: family for family in load(EXAMPLES / "small_deck.toml").deck.families}
    assert list(families) == ["rouge", "vert", "bleu", "jaune", "rainbow", "shadow", "orange"]
    assert (families["rainbow"].reach, families["jaune"].values, families["orange"].cards) == (5, (0, 12), 13)


def test_less__is_without_what_it_says() -> None:
    config, usual = load(EXAMPLES / "less.toml"), load()
    gone = {(f.name, v) for f, v in usual.deck.cards} - {(f.name, v) for f, v in config.deck.cards}
    assert gone == {("rouge", 7), ("shadow", 0), ("shadow", 1), ("shadow", 2)}
    assert config.rules.without == ("epargne", "option")
    tally = simulate_tally(config, 640)
    events = dict(zip(EVENT_NAMES, tally["round_events"].sum(axis=0), strict=True))
    assert events["epargne"] == 0
    assert events["coup_de_maitre"] > 640


def test_own_rules__differ_in_three_answers() -> None:
    own, usual = (load(source).rules.model_dump() for source in (EXAMPLES / "own_rules.toml", None))
    assert {key: value for key, value in own.items() if value != usual[key]} == {
        "refill_after_fusion": True,
        "several_frappes": "shared",
        "tie_value": "signed",
    }


def test_own_persona__one_seat_against_three() -> None:
    config = load(EXAMPLES / "own_persona.toml")
    assert config.seats == ("pot_hunter", "nearest", "nearest", "nearest")


def test_own_baseline__loads() -> None:
    baseline = load_baseline(EXAMPLES / "own_baseline.toml")[0]
    assert [claim.id for claim in baseline.claims] == [
        "two_frappes_in_a_hundred",
        "lying_is_not_free",
        "first_seat_is_fair",
    ]


@pytest.mark.skipif(not COMPILED, reason="plays as many games as a user would")
def test_perudo_own_baseline__as_expected() -> None:
    checked = run_check(EXAMPLES / "perudo_own_baseline.toml")
    assert (checked.baseline.game, checked.exit_code) == ("perudo", 0)


def test_perudo__configurations_are_what_they_say() -> None:
    plain = load(EXAMPLES / "perudo_plain.toml")
    assert (plain.game, plain.players, set(plain.seats)) == ("perudo", 5, {"value"})
    persona = load(EXAMPLES / "perudo_own_persona.toml").seat_personas[0]
    assert (persona.strategy, persona.challenge_below, persona.raise_at_least) == ("threshold", 0.5, 0.25)
    question = read_sweep(EXAMPLES / "sweeps" / "perudo.toml").question
    assert (question.base.game, [axis.key for axis in question.axes]) == ("perudo", ["table.players", "table.dice"])
