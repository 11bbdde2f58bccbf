"""Transcripts of all presets, and the words for them."""

from __future__ import annotations

from typing import Any

import pytest

from numbluff_sim.config import load
from numbluff_sim.config.loading import presets
from numbluff_sim.games.num_bluff.transcript import fill_from_end
from numbluff_sim.single.replaying import replay, worded
from tests.games.num_bluff.agreement.comparing import compare_transcripts
from tests.games.num_bluff.reference.audit import audit
from tests.games.num_bluff.reference.game import play
from tests.games.num_bluff.reference.setup import Setup

EXPECTED = {
    "en": (
        "alone (T7)",
        "draws one to hide (T7)",
        "new pile (T8)",
        "game ended here (T8)",
        "for the fusion (T6)",
        "up to the pot and draws",
        "The total is a lie (T3)",
        "The family is a lie (T3)",
        "That is true",
        "exact (natural)",
        "exact (fusion)",
        "exact (adjusting)",
        "share the win",
        "To the discard",
        "Not the usual deck",
        "rouge 3 to 4, 12 times",
        "Miroir Parfait",
    ),
    "fr": (
        "seule (T7)",
        "pioche une à cacher (T7)",
        "nouvelle pioche (T8)",
        "s'est arrêtée là (T8)",
        "pour la fusion (T6)",
        "à la cagnotte et pioche",
        "Le total est faux (T3)",
        "La famille est fausse (T3)",
        "C'est vrai",
        "exact (naturel)",
        "exact (fusion)",
        "exact (ajustement)",
        "se partagent la victoire",
        "À la défausse",
        "Jeu de cartes inhabituel",
        "rouge de 3 à 4, 12 fois",
        "Miroir Parfait",
    ),
}


@pytest.mark.kernels
@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("preset", presets())
def test_transcript__of_every_preset_conserves_cards_and_points(preset: str, players: int) -> None:
    config = load(preset=preset, overrides={"table.players": players, "run.seed": 9})
    setup = Setup.from_resolved(config.resolved())
    for game in replay(config, 125, 132):
        audit(game)
        compare_transcripts(game, play(setup, game["game"]), f"game {game['game']}")


@pytest.mark.kernels
@pytest.mark.parametrize("language", ["en", "fr"])
def test_worded__says_everything_that_happens(language: str) -> None:
    """Hands of one card, everybody fusing or mirroring, a small deck: every sentence of the catalogue is needed."""
    said = ""
    small: dict[str, Any] = {
        f"deck.{name}.values": [3, 4] for name in ("rouge", "vert", "bleu", "jaune", "rainbow", "shadow")
    }
    small |= {f"deck.{name}.copies": 12 for name in ("rouge", "vert")}
    for overrides in (
        {"table.hand_size": 1, **small, "rules.empty_hand": "visible_only"},
        {"table.hand_size": 1, **small},
        {
            "rules.refill_after_fusion": True,
            "rules.empty_deck": "end_game",
            "table.players": 6,
            "play.seats": ["hoarder"],
        },
        {"table.players": 6, "play.seats": ["hoarder", "liar", "half_liar", "hoarder", "hoarder", "exact_hunter"]},
    ):
        config = load(overrides={"run.seed": 4, **overrides})
        said += "\n".join(worded(config, game, language) for game in replay(config, 0, 63))
    assert [words for words in EXPECTED[language] if words not in said] == []
    assert "{" not in said


def test_fill_from_end__last_card_moves() -> None:
    hand = [1, 2, 3, 4]
    fill_from_end(hand, 1)
    assert hand == [1, 4, 3]
    fill_from_end(hand, 2)
    assert hand == [1, 4]
