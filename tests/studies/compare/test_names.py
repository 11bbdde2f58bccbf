"""What variants are called: every key that was set, rulings in the words of the rule book."""

from __future__ import annotations

import pytest

from numbluff_sim.config import load
from numbluff_sim.config.compare import differences, telling
from numbluff_sim.config.origin import Origin
from numbluff_sim.contract.registry import game
from numbluff_sim.studies.compare.study import named_variants
from numbluff_sim.studies.compare.variants import variant

BASE = load(preset="documented")


def one(**settings: object) -> list[str]:
    changes = {key.replace("__", "."): value for key, value in settings.items()}
    (made,) = named_variants(BASE, Origin.named("documented"), [], [changes], {})
    return [made.name, made.label("en"), made.label("fr")]


def test_set__several_keys_keep_all_names() -> None:
    assert one(deck__rouge__values=[0, 14], rules__master_bonus=False) == [
        "deck.rouge.values = [0, 14], rules.master_bonus = false",
        "deck.rouge.values = [0, 14], without the bonus",
        "deck.rouge.values = [0, 14], sans bonus",
    ]


def test_set__rules_taken_out_in_words() -> None:
    assert one(rules__without=["epargne", "pot"])[1:] == [
        "without L'Épargné, without the pot",
        "sans Épargné, sans cagnotte",
    ]


def test_set__a_list_alone_and_a_key_that_changes_nothing() -> None:
    assert one(deck__rouge__values=[0, 14])[0] == "deck.rouge.values = [0, 14]"
    assert one(rules__master_bonus=True)[1] == "with the bonus"


def test_same_settings_twice__numbered_in_every_language() -> None:
    twice = [{"rules.master_bonus": False}] * 2
    first, second = named_variants(BASE, Origin.named("documented"), [], twice, {})
    assert [second.name, second.label("fr")] == [f"{first.name} (2)", "sans bonus (2)"]


@pytest.mark.parametrize(
    ("overrides", "keys"),
    [
        ({"table.players": 3}, ["table.players"]),
        ({"play.seats": ["nearest"] * 4}, ["play.seats"]),
        ({"deck.rouge.values": [0, 14], "rules.master_bonus": False}, ["rules.master_bonus", "deck.rouge.values"]),
    ],
)
def test_telling__no_change_that_follows_from_another(overrides: dict[str, object], keys: list[str]) -> None:
    found = differences(BASE, load(preset="documented", overrides=overrides))
    assert [change.key for change in telling(found)] == keys


def test_variant__of_a_whole_configuration_is_named_in_words() -> None:
    made = variant(BASE, load(preset="documented", overrides={"rules.master_bonus": False, "table.hand_size": 4}))
    assert {made.label("en"), made.label("fr")} == {
        "table.hand_size = 4, without the bonus",
        "table.hand_size = 4, sans bonus",
    }


@pytest.mark.parametrize("name", ["num_bluff", "perudo"])
def test_rule_book__settings_in_words_for_every_answer(name: str) -> None:
    book = game(name).rules
    for ruling in book.rulings:
        subject = book.subject(f"rules.{ruling.name}")
        assert subject is not None
        assert max(len(subject.en), len(subject.fr)) <= 34
        for answer in ruling.answers:
            assert book.setting(f"rules.{ruling.name}", answer.value) == answer.label
    assert book.setting("table.players", 4) is None
    assert book.subject("table.players") is None
