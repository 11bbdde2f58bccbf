"""What can be asked of a NUM BLUFF configuration: every listed change can be played, is another configuration, and does
what it says.

The seeds are fixed, and so are the results.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import chain
from typing import Any

import numpy as np
import pytest

from numbluff_sim.config import load
from numbluff_sim.contract.changes import Change, rulings
from numbluff_sim.contract.registry import game
from numbluff_sim.games.num_bluff.config import NumBluffConfig
from numbluff_sim.games.num_bluff.knockouts import knockouts, miroir_possible
from numbluff_sim.games.num_bluff.rules_section import EVENT_NAMES
from numbluff_sim.games.num_bluff.tally import GAME_VARIABLES
from numbluff_sim.kernels.common.jit import COMPILED
from numbluff_sim.run.playing import simulate_tally
from numbluff_sim.single.replaying import replay

BOOK = game("num_bluff").rules
GAMES = 2000
#: Games written down card by card.
WRITTEN = 320 if COMPILED else 64
#: Everybody fuses, lies and takes options: every rule can act.
EVERYTHING: dict[str, Any] = {"run.detail_every": 1, "personas.hoarder.lies": {"total": 0.5, "family": 0.25}}
Transcripts = list[dict[str, Any]]


def num_bluff(preset: str | None = None, overrides: Mapping[str, Any] | None = None) -> NumBluffConfig:
    config = load(preset=preset, overrides=overrides)
    assert isinstance(config, NumBluffConfig)
    return config


def with_everything() -> NumBluffConfig:
    return num_bluff("hoarder", EVERYTHING)


def changed(change: Change) -> NumBluffConfig:
    """A change laid over the configuration in which every rule can act."""
    return num_bluff("hoarder", {**EVERYTHING, **change.overrides})


def named(name: str) -> Change:
    (found,) = (change for change in knockouts(with_everything()) if change.name == name)
    return found


def games_of(config: NumBluffConfig) -> Transcripts:
    return list(replay(config, 0, WRITTEN - 1))


def rounds_of(games: Transcripts) -> list[dict[str, Any]]:
    return [entry for one in games for entry in one["rounds"]]


def cards_of(entry: Mapping[str, Any]) -> set[str]:
    """All cards seen in a round."""
    return {*entry["visible"], *chain(*entry["hidden"]), *chain(*entry["hands_after"])}


def test_every_change__is_another_configuration_with_a_name_and_a_label_of_its_own() -> None:
    for changes in (rulings(with_everything(), BOOK), knockouts(with_everything())):
        digests = {changed(change).digest() for change in changes}
        assert len(digests) == len(changes)
        assert with_everything().digest() not in digests
        assert len({change.name for change in changes}) == len(changes)
        for language in ("en", "fr"):
            labels = [change.label.in_language(language) for change in changes]
            assert len(set(labels)) == len(labels)
            assert all(0 < len(label) <= 48 for label in labels)


def test_rulings__every_other_answer_once() -> None:
    usual = rulings(num_bluff(), BOOK)
    assert [(c.kind, c.name) for c in usual] == [
        (r.name, f"{r.name}={str(a).lower()}") for r in BOOK.rulings for a in r.values if a != r.default
    ]
    other = num_bluff(overrides={"rules.wild_adjusts": "both"})
    assert [c.name for c in rulings(other, BOOK) if c.kind == "wild_adjusts"] == [
        "wild_adjusts=hidden",
        "wild_adjusts=none",
    ]


def test_knockouts__of_the_documented_game() -> None:
    found = knockouts(num_bluff())
    kinds = {kind: [c.name for c in found if c.kind == kind] for kind in dict.fromkeys(c.kind for c in found)}
    assert list(kinds) == ["card", "family", "rule"]
    assert len(kinds["card"]) == 102
    assert kinds["family"] == [
        *(f"without {name}" for name in ("rouge", "vert", "bleu", "jaune", "rainbow", "shadow")),
        "rainbow reach=0",
        "shadow reach=0",
    ]
    assert kinds["rule"] == [
        *(
            f"without {name}"
            for name in ("miroir_parfait", "frappe_parfaite", "coup_precis", "ca_chauffe", "epargne", "pot")
        ),
        "master_bonus=false",
        "wild_adjusts=none",
    ]


@pytest.mark.parametrize(
    ("overrides", "gone"),
    [
        ({"rules.without": ["epargne"]}, {"without epargne"}),
        ({"rules.without": ["pot"]}, {"without pot", "master_bonus=false"}),
        ({"rules.without": ["coup_precis"]}, {"without coup_precis", "without option"}),
        ({"rules.master_bonus": False}, {"master_bonus=false"}),
        ({"rules.wild_adjusts": "none"}, {"wild_adjusts=none", "rainbow reach=0", "shadow reach=0"}),
        ({"deck.rainbow.reach": 0, "deck.shadow.reach": 0}, {"wild_adjusts=none", "rainbow reach=0", "shadow reach=0"}),
        ({"deck.shadow.without": [3, 5]}, {"without shadow-3", "without shadow-5"}),
        ({"deck.shadow.values": [9, 9]}, {f"without shadow-{v}" for v in range(17)}),
        ({"personas.hoarder.may_fuse": False}, {"without fusion"}),
        ({"personas.hoarder.lies": {"total": 0.0, "family": 0.0}}, {"without lie"}),
        ({"personas.hoarder.option.rounds_left_at_least": 12}, {"without option"}),
        ({"personas.hoarder.option.points_at_most": -1, "table.players": 3}, {"without option", "without pot"}),
    ],
)
def test_knockouts__what_cannot_act_is_not_listed(overrides: dict[str, Any], gone: set[str]) -> None:
    everything = {c.name for c in knockouts(with_everything())}
    config = num_bluff("hoarder", {**EVERYTHING, **overrides})
    assert everything - {c.name for c in knockouts(config)} == gone
    rules = [
        num_bluff("hoarder", {**EVERYTHING, **overrides, **c.overrides}) for c in knockouts(config) if c.kind == "rule"
    ]
    assert config.digest() not in {without.digest() for without in rules}


@pytest.mark.parametrize(
    ("players", "rulings_given", "acts"),
    [
        (4, {}, True),
        (3, {}, False),
        (3, {"rules.several_exact_bluffer_card": "pot"}, True),
        (3, {"rules.without": ["ca_chauffe"]}, True),
    ],
)
def test_knockouts__the_pot_of_three_players(players: int, rulings_given: dict[str, Any], acts: bool) -> None:
    config = num_bluff(overrides={"table.players": players, **rulings_given})
    assert ("without pot" in {c.name for c in knockouts(config)}) is acts
    assert any(entry["pot_after"] for entry in rounds_of(games_of(config))) is acts


@pytest.mark.parametrize(
    ("deck", "possible"),
    [
        ([("rouge", "classic", [0, 1], 1), ("vert", "classic", [0, 1], 1)], True),
        ([("rouge", "classic", [0, 1], 1), ("vert", "classic", [1, 2], 1)], False),
        ([("rouge", "classic", [0, 0], 2), ("vert", "classic", [1, 1], 2)], True),
        ([("rouge", "classic", [0, 1], 2)], True),
        ([("rouge", "classic", [0, 16], 1), ("arc", "rainbow", [0, 16], 4)], False),
    ],
)
def test_miroir_possible__by_the_cards(deck: list[tuple[str, str, list[int], int]], possible: bool) -> None:
    families = [{"name": name, "kind": kind, "values": values, "copies": copies} for name, kind, values, copies in deck]
    rest = {"name": "ombre", "kind": "shadow", "values": [0, 16]}
    assert miroir_possible(num_bluff(overrides={"deck.families": [*families, rest]}).deck) is possible


@pytest.mark.parametrize("card", ["rouge-7", "shadow-0", "rainbow-16"])
def test_without_a_card__nobody_ever_sees_it(card: str) -> None:
    seen = set(chain.from_iterable(map(cards_of, rounds_of(games_of(changed(named(f"without {card}")))))))
    assert card not in seen
    assert len(seen) == 101


def test_without_a_family__nobody_ever_sees_it() -> None:
    games = games_of(changed(named("without jaune")))
    seen = set(chain.from_iterable(map(cards_of, rounds_of(games))))
    assert {card.rpartition("-")[0] for card in seen} == {"rouge", "vert", "bleu", "rainbow", "shadow"}
    assert {entry["announcement"]["family"] for entry in rounds_of(games)} == {
        "rouge",
        "vert",
        "bleu",
        "rainbow",
        "shadow",
    }


def adjusted(entry: Mapping[str, Any], family: str) -> int:
    """How many sides hit by adjusting with a hidden card of the family."""
    return sum(
        how == "adjust" and side[0].startswith(f"{family}-")
        for how, side in zip(entry["mechanism"], entry["hidden"], strict=True)
    )


def test_without_reach__the_family_never_adjusts() -> None:
    counted = [
        sum(
            adjusted(entry, "rainbow")
            for entry in rounds_of(games_of(num_bluff(overrides={"rules.bluffer_wild": "printed", **change})))
        )
        for change in (named("rainbow reach=0").overrides, {})
    ]
    assert counted[0] == 0
    assert counted[1] > 0


def counts(config: NumBluffConfig) -> dict[str, int]:
    """How often each rule left its trace in GAMES games."""
    tally = simulate_tally(config, GAMES)
    events = dict(zip(EVENT_NAMES, tally["round_events"].sum(axis=0).tolist(), strict=True))
    variables = {name: int(tally["moments"][0, i]) for i, (name, _) in enumerate(GAME_VARIABLES)}
    return {
        "miroir_parfait": events["miroir_parfait"],
        "frappe_parfaite": events["frappe_parfaite"],
        "coup_precis": events["coup_precis"] + events["coup_precis_multiple"],
        "ca_chauffe": int(tally["gap_closest"].sum()),
        "epargne": events["epargne"],
        "pot": variables["pot_won"] + variables["pot_left"] + int(tally["pot_by_round"][:, 1:].sum()),
        "fusion": variables["fusions"],
        "option": variables["options"],
        "lie": variables["lies_total"] + variables["lies_family"],
    }


@cache
def usual_counts() -> dict[str, int]:
    return counts(with_everything())


@pytest.mark.parametrize("rule", [rule.name for rule in BOOK.removables])
def test_without_a_rule__it_leaves_no_trace(rule: str) -> None:
    assert usual_counts()[rule] > 0
    without = counts(changed(named(f"without {rule}")))
    assert without[rule] == 0
    others = set(without) - {rule} - ({"option"} if rule == "coup_precis" else set())
    assert all(without[other] > 0 for other in others)


def test_without_miroir_parfait__none_of_a_game_full_of_them() -> None:
    """Two families of two values, many copies: a Miroir is common, and its rounds go to other rules."""
    deck = {
        f"deck.{name}.{key}": value
        for name in ("rouge", "vert")
        for key, value in {"values": [3, 4], "copies": 12}.items()
    }
    usual, without = (
        simulate_tally(num_bluff(overrides={**deck, "rules.without": out}), GAMES) for out in ([], ["miroir_parfait"])
    )
    events, fewer = (tally["round_events"].sum(axis=0) for tally in (usual, without))
    assert events[0] > 500
    assert fewer[0] == 0
    assert fewer.sum() == events.sum()


def test_without_coup_precis__exact_players_are_closest_or_farthest_with_gap_0() -> None:
    rounds = rounds_of(games_of(changed(named("without coup_precis"))))
    exact = [entry for entry in rounds if 0 in entry["gaps"] and entry["event"] not in EVENT_NAMES[:2]]
    assert len(exact) > WRITTEN
    assert all(entry["gaps"][entry["closest"]] == 0 for entry in exact)
    assert all(entry["mechanism"][entry["closest"]] is not None for entry in exact)


def test_without_pot__points_are_those_won_on_the_table() -> None:
    """A seat's points come from the cards of the round alone; the events are those of the same deals with a pot."""
    config = num_bluff(overrides={"rules.without": ["pot"]})
    usual, without = (simulate_tally(one, GAMES) for one in (num_bluff(), config))
    assert np.array_equal(usual["round_events"], without["round_events"])
    assert without["pot_by_round"][:, 1:].sum() == 0
    for entry in rounds_of(games_of(config))[:2000]:
        shown = [*chain(*entry["hidden"]), *(entry["visible"] if entry["event"] == "miroir_parfait" else ())]
        assert sum(map(len, entry["to_score"])) <= len(shown)
