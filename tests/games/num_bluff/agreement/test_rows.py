"""A game replayed alone is the game behind its rows in the tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from numbluff_sim.config import load
from numbluff_sim.games.num_bluff.engine import Engine
from numbluff_sim.kernels.common.jit import COMPILED
from numbluff_sim.single.replaying import replay
from tests.games.num_bluff.agreement.tallies import EVENTS, LIES, MECHANISMS, card_points
from tests.games.num_bluff.reference.leads import lead_history

FIRST = 1_000_003
GAMES = 500 if COMPILED else 12


def bits(seats: list[int]) -> int:
    return sum(1 << seat for seat in seats)


def pot_wins(entry: Mapping[str, Any], pot_before: list[str]) -> int:
    """Points that the round's winner took from the pot, from where its cards lie."""
    gone = [card for card in pot_before if card not in entry["pot_after"]]
    closest, farthest, bluffer = entry["closest"], entry["farthest"], entry["bluffer"]
    if entry["event"] == "coup_de_maitre_bonus":  # default ruling: this round's cards go along
        gone += [
            card for p, side in enumerate(entry["hidden"]) if p not in (closest, farthest, bluffer) for card in side
        ]
    return card_points(gone)


def game_row(game: Mapping[str, Any], planned: int) -> dict[str, int]:
    """A transcript as the row of its game."""
    rounds, n = game["rounds"], game["players"]
    from_pot = [0] * n
    pots = [[], *(r["pot_after"] for r in rounds)]
    for before, entry in zip(pots, rounds, strict=False):
        taker = (
            entry["winners"]
            if entry["event"] in EVENTS[:2]
            else [entry["bluffer"]]
            if entry["event"] == "coup_de_maitre_bonus"
            else []
        )
        for seat in taker:
            from_pot[seat] += pot_wins(entry, before)
    led = lead_history([r["scores_after"] for r in rounds], planned, game["winners"])
    final = rounds[-1]
    return {
        "game": game["game"],
        "rounds": len(rounds),
        **{event: sum(r["event"] == event for r in rounds) for event in EVENTS},
        "pot_won": sum(from_pot),
        "pot_left": card_points(final["pot_after"]),
        "lead_changes": led["lead_changes"],
        "decided": led["decided"] + 1,
        "half_rank": led["half_ranks"][0] if len(game["winners"]) == 1 else 0,
        "fusions": sum(len(side) == 2 for r in rounds for side in r["hidden"]),
        "options": sum(len(r["sacrificed"]) for r in rounds),
        "recycles": sum(r["recycled"] for r in rounds),
        "lies": sum(r["announcement"]["lie"] != "none" for r in rounds),
        **{f"score_{p}": score for p, score in enumerate(final["scores_after"])},
        **{f"win_{p}": 60 // len(game["winners"]) * (p in game["winners"]) for p in range(n)},
        **{f"hand_{p}": len(hand) for p, hand in enumerate(final["hands_after"])},
        **{f"pot_{p}": points for p, points in enumerate(from_pot)},
    }


def round_row(game: Mapping[str, Any], number: int, families: list[str]) -> dict[str, int]:
    """One round of a transcript as its row, less what a transcript does not hold (ties, printed total, disproved)."""
    entry, n = game["rounds"][number], game["players"]
    pot_before = game["rounds"][number - 1]["pot_after"] if number else []
    said = entry["announcement"]
    return {
        "game": game["game"],
        "round": number,
        "bluffer": entry["bluffer"],
        "event": EVENTS.index(entry["event"]),
        "winners": bits(entry["winners"]),
        **{role: -1 if entry[role] is None else entry[role] for role in ("closest", "farthest")},
        **{
            f"gap_{role}": -1 if entry[role] is None else entry["gaps"][entry[role]] for role in ("closest", "farthest")
        },
        "bluffer_total": entry["bluffer_total"],
        "announced_total": said["total"],
        "lie": LIES.index(said["lie"]),
        "announced_family": -1 if said["family"] is None else families.index(said["family"]),
        "options": bits(entry["sacrificed"]),
        "recycled": entry["recycled"],
        "fusions": bits([p for p in range(n) if len(entry["hidden"][p]) == 2]),
        "pot_cards_before": len(pot_before),
        "pot_before": card_points(pot_before),
        "pot_cards_after": len(entry["pot_after"]),
        "pot_after": card_points(entry["pot_after"]),
        **{f"points_{p}": card_points(won) for p, won in enumerate(entry["to_score"])},
        **{f"mechanism_{p}": MECHANISMS.index(how) for p, how in enumerate(entry["mechanism"])},
    }


@pytest.mark.kernels
@pytest.mark.parametrize(("preset", "players"), [("documented", 4), ("plays_to_win", 6)])
def test_rows__equal_games_replayed_alone(preset: str, players: int) -> None:
    config = load(preset=preset, overrides={"table.players": players, "run.seed": 11})
    engine = Engine(config)
    tables = engine.play(FIRST, GAMES, engine.new_tally(), rows="rounds")
    games, rounds = tables["games"], tables["rounds"]
    families = [family.name for family in config.deck.families]
    at = 0
    for i in range(GAMES):
        (alone,) = replay(config, FIRST + i)
        assert game_row(alone, config.rounds) == {name: values[i] for name, values in games.items()}
        for number in range(len(alone["rounds"])):
            expected = round_row(alone, number, families)
            assert expected == {name: rounds[name][at] for name in expected}
            at += 1
    assert at == len(rounds["round"])


@pytest.mark.kernels
def test_replay__same_game_in_any_range() -> None:
    config = load(preset="half_liar", overrides={"run.seed": 5})
    together = list(replay(config, 60, 67))
    assert [game["game"] for game in together] == list(range(60, 68))
    assert together == [game for g in range(60, 68) for game in replay(config, g)]
