"""Transcripts of Perudo: what the reference engine plays, and every sentence in both languages."""

from __future__ import annotations

from typing import Any

import pytest

from numbluff_sim.config import load
from numbluff_sim.games.perudo.code_names import OPENER_NAMES
from numbluff_sim.i18n import load_catalogue
from numbluff_sim.single.replaying import replay, worded
from tests.games.perudo.made_up_runs import played

TABLES: list[tuple[str, int, dict[str, Any]]] = [
    ("documented", 4, {}),
    ("random", 6, {}),
    ("random", 2, {"rules__quantity_cap": "none"}),
    ("threshold", 3, {"rules__lift_direction": "left"}),
    ("random", 4, {"rules__dice_lost": "difference"}),
    ("value", 3, {"rules__bid_order": "perudo_halving", "table__dice": 2}),
]


@pytest.mark.kernels
@pytest.mark.parametrize(("preset", "players", "overrides"), TABLES)
def test_transcript__is_the_game_of_the_reference_engine(preset: str, players: int, overrides: dict[str, Any]) -> None:
    config, records = played(preset, players, 40, **overrides)
    for told, record in zip(replay(config, 0, 39), records, strict=True):
        assert (told["game"], told["winner"], told["places"]) == (record.game, record.winner, record.places)
        for entry, reference in zip(told["rounds"], record.rounds, strict=True):
            assert (entry["round"], entry["opener"], entry["palifico"]) == (
                reference.number,
                reference.opener,
                reference.palifico_seat,
            )
            assert (entry["dice"], entry["faces"]) == (reference.dice_before, reference.hands)
            assert entry["bids"] == [[seat, bid.quantity, bid.face] for seat, bid in reference.bids]
            assert (entry["bidder"], entry["challenger"], entry["stated"]) == (
                reference.bidder,
                reference.challenger,
                reference.stated,
            )
            assert (entry["count"], entry["bid_true"], entry["loser"]) == (
                reference.count,
                reference.bid_true,
                reference.loser,
            )
            assert entry["cups_lifted"] + entry["cups_covered"] == reference.lifting.order
            assert (len(entry["cups_lifted"]), entry["dice_shown"]) == (
                reference.lifting.lifted,
                reference.lifting.dice_shown,
            )
            assert (entry["dice_lost"], entry["eliminated"]) == (reference.lost, reference.eliminated)


@pytest.mark.kernels
def test_transcript__dice_follow_from_round_to_round() -> None:
    for told in replay(load(preset="random", overrides={"game": "perudo", "table.players": 5}), 60, 69):
        rounds = told["rounds"]
        assert rounds[0]["dice"] == [5] * 5
        assert [entry["dice_after"] for entry in rounds[:-1]] == [entry["dice"] for entry in rounds[1:]]
        assert [seat for seat, dice in enumerate(rounds[-1]["dice_after"]) if dice] == [told["winner"]]
        assert rounds[-1]["dice_after"][told["winner"]] == told["winner_dice"]
        assert sorted(told["places"]) == [1, 2, 3, 4, 5]
        assert {entry["opener_rule"] for entry in rounds} <= set(OPENER_NAMES)


@pytest.mark.kernels
@pytest.mark.parametrize("language", ["en", "fr"])
def test_worded__says_everything_that_happens(language: str) -> None:
    """Odd rulings and mixed seats: every sentence of the catalogue is needed, and none has a placeholder left."""
    said = ""
    for overrides in (
        {"table.players": 4},
        {"table.players": 3, "table.dice": 3, "rules.starter_normal": "challenge_winner"},
        {"table.players": 3, "play.seats": ["random", "threshold", "value"], "rules.dice_lost": "difference"},
    ):
        config = load(overrides={"game": "perudo", **overrides})
        said += "\n".join(worded(config, told, language) for told in replay(config, 0, 31))
    assert "{" not in said
    texts = load_catalogue("numbluff_sim.games.perudo:replay", language).texts
    pieces = {
        key: max((part.split("}")[-1] for part in text.split("{")), key=len).strip(" .,:()")
        for key, text in texts.items()
    }
    assert [key for key, piece in pieces.items() if piece.lower() not in said.lower()] == []


@pytest.mark.kernels
def test_worded__names_what_is_unusual() -> None:
    config = load(overrides={"game": "perudo", "rules.palifico": False, "table.dice": 3})
    text = worded(config, next(replay(config, 0)), "en")
    assert "Not the usual ruling: palifico = false." in text
    assert "Not the usual number of dice: 3 each." in text
    assert "Palifico:" not in text
