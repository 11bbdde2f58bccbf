"""From files, presets and overrides to one configuration."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
import tomlkit
from pydantic import ValidationError

from numbluff_sim.config import load, presets, restore
from numbluff_sim.config.compare import differences
from numbluff_sim.errors import ConfigError
from numbluff_sim.games.num_bluff.config import NumBluffConfig


def num_bluff(*args: Any, **kwargs: Any) -> NumBluffConfig:
    config = load(*args, **kwargs)
    assert isinstance(config, NumBluffConfig)
    return config


def test_load__default_is_documented() -> None:
    config = num_bluff()
    assert config == load(preset="documented")
    assert (config.game, config.players, config.rounds) == ("num_bluff", 4, 12)
    assert [(f.name, f.kind, f.values, f.copies, f.reach) for f in config.deck.families] == [
        ("rouge", "classic", (0, 16), 1, 0),
        ("vert", "classic", (0, 16), 1, 0),
        ("bleu", "classic", (0, 16), 1, 0),
        ("jaune", "classic", (0, 16), 1, 0),
        ("rainbow", "rainbow", (0, 16), 1, 3),
        ("shadow", "shadow", (0, 16), 1, 3),
    ]
    assert config.play.seats == ("documented",) * 4
    persona = config.personas["documented"]
    assert (persona.choice, persona.knowledge, persona.weights.miroir, persona.may_fuse) == (
        "uniform",
        "true_cards",
        100.0,
        False,
    )
    assert (config.run.batch, config.run.rows, config.run.detail_every) == (65536, "none", 64)


def test_presets__every_one_loads_for_every_table() -> None:
    names = presets()
    assert names == [
        "documented",
        "random",
        "nearest",
        "exact_hunter",
        "spared_seeker",
        "sacrificer",
        "hoarder",
        "plays_to_win",
        "sceptic",
        "honest",
        "half_liar",
        "liar",
    ]
    for name in names:
        for players in (3, 4, 5, 6):
            config = num_bluff(preset=name, overrides={"table.players": players})
            assert config.seats == (name,) * players
            assert config.rules == num_bluff().rules
            assert set(config.personas) == {name}


def test_load__plays_to_win_numbers() -> None:
    persona = num_bluff(preset="plays_to_win").personas["plays_to_win"]
    assert persona.weights.model_dump() == {
        "gap": -1.6,
        "hit_natural": 6.5,
        "hit_fusion": 1.2,
        "hit_adjust": 5.7,
        "same_family": 0.0,
        "same_family_gap": 1.6,
        "miroir": 100.0,
        "frappe": 6.0,
        "points": 0.0,
        "is_fusion": -3.5,
        "temperature": 0.1,
    }
    assert (persona.lies.total, persona.lies.family, persona.lies.size) == (0.5, 0.25, 6)
    assert (persona.bluffer.points, persona.bluffer.same_family, persona.may_fuse) == (0.5, 6.0, True)


def test_load__bluffers_differ_in_lies_alone() -> None:
    honest, half, liar = (num_bluff(preset=name).personas[name] for name in ("honest", "half_liar", "liar"))
    assert [p.lies.total + p.lies.family for p in (honest, half, liar)] == [0.0, 0.5, 1.0]
    for persona in (half, liar):
        assert persona.model_copy(update={"lies": honest.lies}) == honest
    assert honest == num_bluff(preset="nearest").personas["nearest"]


def test_load__base_chain(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "lower.toml").write_text(
        'base = "plays_to_win"\n[table]\nplayers = 5\n[rules]\nlast_tie = "random"\n'
    )
    (tmp_path / "upper.toml").write_text(
        'base = "deep/lower.toml"\n[table]\nhand_size = 4\n[rules]\nlast_tie = "clockwise"\n'
    )
    config = num_bluff(tmp_path / "upper.toml", overrides={"run.seed": 9})
    assert config.table.model_dump() == {"players": 5, "hand_size": 4, "turns_as_bluffer": 3}
    assert config.play.seats == ("plays_to_win",) * 5
    assert config.rules.last_tie == "clockwise"
    assert config.run.seed == 9


def test_load__family_by_name(tmp_path: Path) -> None:
    file = tmp_path / "deck.toml"
    file.write_text(
        '[deck.rainbow]\nreach = 2\n[deck.orange]\nkind = "classic"\nvalues = [1, 10]\ncopies = 2\n[deck.orange2]\n'
        'kind = "shadow"\nvalues = [1, 2]\n'
    )
    families = {f.name: f for f in num_bluff(file).deck.families}
    assert list(families) == ["rouge", "vert", "bleu", "jaune", "rainbow", "shadow", "orange", "orange2"]
    assert families["rainbow"].reach == 2
    assert families["rainbow"].values == (0, 16)
    assert (families["orange"].cards, families["orange"].reach, families["orange2"].reach) == (20, 0, 3)
    again = num_bluff(file, overrides={"deck.rainbow.reach": 1, "deck.orange.copies": 1})
    assert [d.key for d in differences(num_bluff(file), again)] == ["deck.rainbow.reach", "deck.orange.copies"]


def test_load__families_replace_the_deck(tmp_path: Path) -> None:
    file = tmp_path / "deck.toml"
    file.write_text(
        '[[deck.families]]\nname = "a"\nkind = "classic"\nvalues = [0, 9]\ncopies = 2\n'
        '[[deck.families]]\nname = "b"\nkind = "rainbow"\nvalues = [1, 9]\n[deck.b]\nreach = 5\n'
    )
    assert [(f.name, f.reach) for f in num_bluff(file).deck.families] == [("a", 0), ("b", 5)]


def test_deck__card_order_and_totals() -> None:
    cards = num_bluff(
        overrides={
            "deck.families": [
                {"name": "a", "kind": "classic", "values": [2, 9], "copies": 2},
                {"name": "s", "kind": "shadow", "values": [1, 5]},
            ]
        }
    ).deck.cards
    assert [(f.name, v) for f, v in cards] == [("a", v) for v in range(2, 10)] * 2 + [("s", v) for v in range(1, 6)]
    shadow = cards[-1][0]
    assert [(shadow.printed(v), shadow.slack(v)) for v in (0, 1, 2, 3, 4)] == [
        (0, 0),
        (-1, 1),
        (-2, 2),
        (-3, 3),
        (-4, 3),
    ]


def test_load__persona_with_base(tmp_path: Path) -> None:
    file = tmp_path / "play.toml"
    file.write_text(
        '[play]\nseats = ["mine", "nearest", "finer", "mine"]\n[personas.finer]\nbase = "mine"\nweights.gap = -2.0\n'
        '[personas.mine]\nbase = "exact_hunter"\nmay_fuse = false\nweights = { frappe = 9.0 }\n'
    )
    config = num_bluff(file)
    hunter = num_bluff(preset="exact_hunter").personas["exact_hunter"]
    mine, finer = config.personas["mine"], config.personas["finer"]
    assert mine.weights == hunter.weights.model_copy(update={"frappe": 9.0})
    assert (mine.may_fuse, hunter.may_fuse) == (False, True)
    assert finer.weights == mine.weights.model_copy(update={"gap": -2.0})
    assert set(config.personas) == {"mine", "finer", "nearest"}
    assert config.seat_personas == (mine, config.personas["nearest"], finer, mine)


def test_load__shipped_persona_adjusted(tmp_path: Path) -> None:
    file = tmp_path / "play.toml"
    file.write_text('base = "nearest"\n[personas.nearest]\nmay_fuse = true\n')
    assert num_bluff(file).personas["nearest"].may_fuse is True
    assert num_bluff(file).personas["nearest"].weights.gap == -1.0


def test_load__seats_as_text() -> None:
    assert num_bluff(overrides={"play.seats": "liar"}) == num_bluff(preset="liar")


def test_restore__every_preset() -> None:
    for name in presets():
        config = num_bluff(preset=name, overrides={"table.players": 3, "deck.rouge.copies": 2})
        again = restore(json.loads(json.dumps(config.resolved())))
        assert again == config
        assert again.digest() == config.digest()


def test_restore__checks_again() -> None:
    resolved = num_bluff().resolved()
    resolved["table"]["players"] = 8
    with pytest.raises(ConfigError, match=r"run\.json: table\.players = 8"):
        restore(resolved, file="run.json")
    del resolved["table"], resolved["deck"]
    with pytest.raises(ConfigError, match=r"run\.json: key deck is missing; expected a table with the keys families\."):
        restore(resolved, file="run.json")
    with pytest.raises(ConfigError, match="game = None is not a game"):
        restore({}, file="run.json")


def test_resolved__reads_back_as_a_file(tmp_path: Path) -> None:
    config = num_bluff(
        preset="hoarder", overrides={"deck.rainbow.reach": 1, "run.games": 7, "rules.last_tie": "random"}
    )
    file = tmp_path / "whole.toml"
    file.write_text(tomlkit.dumps(config.resolved()))
    assert tomllib.loads(file.read_text()) == config.resolved()
    assert load(file) == config


def test_digest__changes_with_what_changes_a_game() -> None:
    digest = num_bluff().digest()
    assert len(digest) == 16
    for key, value in {
        "run.games": 5,
        "run.threads": 3,
        "run.batch": 64,
        "run.rows": "rounds",
        "play.seats": ["documented"] * 4,
    }.items():
        assert num_bluff(overrides={key: value}).digest() == digest, key
    changed = {
        "run.seed": 2,
        "run.detail_every": 16,
        "table.hand_size": 4,
        "rules.last_tie": "random",
        "deck.rainbow.reach": 2,
        "personas.documented.weights.miroir": 99,
        "play.seats": ["documented", "random", "random", "random"],
    }
    digests = {num_bluff(overrides={key: value}).digest() for key, value in changed.items()}
    assert len(digests | {digest}) == len(changed) + 1


def test_digest__unseated_personas_do_not_count(tmp_path: Path) -> None:
    file = tmp_path / "play.toml"
    file.write_text('[personas.mine]\nbase = "nearest"\n')
    assert load(file).digest() == load().digest()


def test_config__frozen() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        num_bluff().table.players = 5  # type: ignore[misc]


def test_differences__of_seated_personas() -> None:
    found = {d.key: (d.before, d.after) for d in differences(num_bluff(preset="honest"), num_bluff(preset="liar"))}
    assert found["play.seats"] == (["honest"] * 4, ["liar"] * 4)
    assert found["personas.honest"][1] is None
    assert found["personas.liar"][0] is None
    assert len(found) == 3
