"""Every alternative of every ruling changes what happens in some game of the fast engine; everything before that is
the same.
"""

from __future__ import annotations

from typing import Any

import pytest

from numbluff_sim.config import load
from numbluff_sim.contract.rules import rule_book
from numbluff_sim.single.replaying import replay

#: Where the first difference must show: the key of a round; "rounds" is their number. Then who plays and with how many.
SHOWS: dict[tuple[str, Any], tuple[str, str, int]] = {
    ("wild_adjusts", "both"): ("gaps", "documented", 4),
    ("wild_adjusts", "none"): ("gaps", "documented", 4),
    ("bluffer_wild", "printed"): ("bluffer_total", "documented", 4),
    ("fusion_scope", "exact_only"): ("closest", "hoarder", 4),
    ("refill_after_fusion", True): ("refill_draws", "hoarder", 4),
    ("empty_hand", "visible_only"): ("empty_hand_draws", "hoarder", 4),
    ("empty_deck", "end_game"): ("rounds", "documented", 6),
    ("bluffer_may_fuse", False): ("hidden", "hoarder", 4),
    ("frappe_with_fusion", False): ("event", "hoarder", 4),
    ("frappe_exact", "printed"): ("event", "documented", 4),
    ("several_frappes", "shared"): ("event", "documented", 6),
    ("several_exact_bluffer_card", "pot"): ("to_pot", "documented", 4),
    ("several_exact_bluffer_card", "keep"): ("to_score", "documented", 4),
    ("spared_with_fusion", False): ("event", "hoarder", 4),
    ("spared_bluffer_card", "discard"): ("to_discard", "documented", 4),
    ("master_bonus", False): ("event", "documented", 4),
    ("bonus_pot", "before_feed"): ("to_pot", "documented", 4),
    ("tie_value", "signed"): ("closest", "documented", 4),
    ("last_tie", "random"): ("closest", "documented", 4),
}
#: Hands of one card and a deck of two families of two values, where Miroirs are common: players lose their last card.
SMALL = {
    "table.hand_size": 1,
    "deck.rouge.values": [3, 4],
    "deck.rouge.copies": 12,
    "deck.vert.values": [3, 4],
    "deck.vert.copies": 12,
}
EXTRA: dict[str, dict[str, Any]] = {"empty_hand": SMALL}
GAMES = 256
BEFORE = ("bluffer", "recycled", "visible")  # known before anybody chooses


def test_shows__every_alternative_is_here() -> None:
    assert set(SHOWS) == {
        (ruling.name, value)
        for ruling in rule_book("numbluff_sim.games.num_bluff").rulings
        for value in ruling.values
        if value != ruling.default
    }


def first_difference(a: dict[str, Any], b: dict[str, Any]) -> set[str]:
    """Keys of the first round that two games of the same deal play differently; {"rounds"} when one ends earlier."""
    assert a["initial_hands"] == b["initial_hands"]
    for mine, theirs in zip(a["rounds"], b["rounds"], strict=False):
        if mine != theirs:
            assert [mine[key] for key in BEFORE] == [theirs[key] for key in BEFORE]
            return {key for key in mine if mine[key] != theirs[key]}
    return {"rounds"} if len(a["rounds"]) != len(b["rounds"]) else set()


@pytest.mark.kernels
@pytest.mark.parametrize(("name", "answer"), SHOWS, ids=[f"{name}={answer}" for name, answer in SHOWS])
def test_ruling__changes_an_outcome(name: str, answer: Any) -> None:
    key, preset, players = SHOWS[name, answer]
    table = {"table.players": players, "run.seed": 3, **EXTRA.get(name, {})}
    usual, other = (load(preset=preset, overrides={**table, **ruling}) for ruling in ({}, {f"rules.{name}": answer}))
    for start in range(0, GAMES, 64):
        for a, b in zip(replay(usual, start, start + 63), replay(other, start, start + 63), strict=True):
            if key in first_difference(a, b):
                return
    pytest.fail(f"rules.{name} = {answer} changes {key} in none of {GAMES} games")
